"""The face of Driflamme: its command line and its screens, and no rules."""
