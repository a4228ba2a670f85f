"""Looking back at a game: records in files, moving through one, and a teacher's judgement.

How it looks is left to `screens.table`; the game told as text, to `plain`.
"""
