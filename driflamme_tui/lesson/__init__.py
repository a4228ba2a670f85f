"""The guided first game: a fixed deal, opponents who follow a script, and what is said meanwhile.

`lesson_script.py` says who plays what, `tutor_pages.py` what is explained when, `next_page.py`
turns the pages, `lesson_progress.py` keeps how far somebody has come, and `guided_game.py` puts
these together. Nothing here knows a screen: `screens/lesson/lesson_screen.py` and
`plain/lesson_player.py` show it.
"""
