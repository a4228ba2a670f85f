"""The screens of past games: the list of them, and what they add up to.

Reading them is left to `netcode.storage.history`.
"""
