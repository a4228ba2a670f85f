"""One module a command: what it is called with, and what it starts.

What several commands share stands beside this package.
"""
