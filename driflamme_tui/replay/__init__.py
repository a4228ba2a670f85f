"""Looking back at a game: records in files, navigation, and the teacher's judgements.

`screens.table` shows it, and `plain` tells it as text.
"""
