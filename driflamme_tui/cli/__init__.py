"""The command line. One module for each command; `command_group.py` finds them.

Each command imports its own needs when it runs, except the engine. So `driflamme --help` and
commands without a screen or network start at once.
"""
