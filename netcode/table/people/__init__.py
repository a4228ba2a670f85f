"""The people of one table: seats, keys, absence, and the host.

Modules of the package `table` handle their requests and messages.
"""
