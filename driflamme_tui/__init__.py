"""The user interface of Driflamme: its command line and its screens, without the rules."""
