"""What outlives the program: the journal of running tables and the history of finished games.

What is to be kept, and when, is left to `table`.
"""
