"""Values that a screen is about: the question, what is known, what moves, how a game went.

No widgets, no sentences: those are left to `widgets` and `wording`.
"""
