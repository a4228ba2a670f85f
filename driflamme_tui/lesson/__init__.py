"""The guided first game: a fixed deal, opponents who follow a script, and what is said meanwhile.

`script.py` says who plays what, `topics.py` what is explained when, `tutor.py` turns the pages,
`progress.py` keeps how far somebody has come, and `course.py` puts these together. Nothing here
knows a screen: `screens/lesson.py` and `plain/lesson_player.py` show it.
"""
