"""Tables without other people, on this machine: the guided first game, puzzles, the analysis board.

A `LocalTable` is to a session what a host's table is. The lesson is a table with a script:
`lesson_script` has the game and the explanations, and `guided_game` the progress of a learner. No
module here knows a screen.
"""
