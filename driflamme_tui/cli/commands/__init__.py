"""Contains one module for each command: its options, and the function that it runs.

Code for several commands stands in the parent package.
"""
