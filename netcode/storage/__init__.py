"""What outlives the program: the journal of running tables, past games, own logs of sealed ones.

What is to be kept, and when, is left to `table`.
"""
