"""The people of one table: seats, keys, absence, and the host.

The modules around this package handle their requests and messages.
"""
