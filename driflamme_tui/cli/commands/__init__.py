"""One module for each command, with its options and the function that it runs.

Code that several commands share is in the parent package.
"""
