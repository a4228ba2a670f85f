"""A sealed table that outlives its host: a player's own relay, and the lines to those of others.

Who is called and who relays is for `netcode.sealed.carrying_on` to say; here it is done.
"""
