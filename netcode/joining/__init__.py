"""How a table is found and how one is let in: invitations, spoken codes, the local network.

Opening the connection is left to `client`, judging who comes to `server`.
"""
