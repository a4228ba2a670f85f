"""The command line. One module for each command; `command_group.py` finds them.

What a command needs beyond the engine is imported when it runs, so that `driflamme --help` and
the commands without a screen or a network start at once.
"""
