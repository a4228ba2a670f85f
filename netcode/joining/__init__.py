"""Finding a table and getting in: invitations, spoken codes and the local network.

`client` opens connections, and `server` admits clients.
"""
