"""The guided first game: a fixed deal, opponents who follow a script, and what is said meanwhile.

`lesson_script.py` says who plays what, `tutor_pages.py` what is explained when and
which page is next, and `guided_game.py` keeps how far somebody has come and puts
these together. Nothing here knows a screen: `screens/lesson/lesson_screen.py` and
`plain/local_players.py` show it.
"""
