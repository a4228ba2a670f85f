"""Games that last for days.

This wing shows waiting questions, calls absent players, and summarises the missed rounds.
"""
