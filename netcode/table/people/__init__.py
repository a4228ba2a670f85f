"""The people of one table: seats and their keys, who is away, and who is the host.

What they ask for, and what they are told, is left to the modules of the table around it.
"""
