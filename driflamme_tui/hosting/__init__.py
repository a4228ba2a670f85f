"""Opens places on this machine: tables, and what wings open with the same parts.

`seat` takes a seat at an open table.
"""
