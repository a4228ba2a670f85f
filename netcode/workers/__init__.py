"""The processes in which bots search, and the distribution of their time.

`engine.bots` decides what a bot answers, and `server` when to ask one.
"""
