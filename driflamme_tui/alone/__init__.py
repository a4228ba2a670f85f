"""Tables without company, on this machine: the guided first game, puzzles, the analysis board.

A `LocalTable` is to a session what a host's table is. The lesson is one with a script:
`lesson_script` says who plays what and what is explained when, and `guided_game` how far somebody
has come. Nothing here knows a screen.
"""
