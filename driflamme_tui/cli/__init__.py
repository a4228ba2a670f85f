"""The command line. One module for each command; `main.py` puts them together.

What a command needs beyond the engine is imported when it runs, so that `driflamme --help` and
the commands without a screen or a network start at once.
"""
