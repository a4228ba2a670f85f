"""Stores past games in files, moves through their steps, and judges their decisions.

The result screen shows a game's course. The package `study` shows and describes it step by step.
"""
