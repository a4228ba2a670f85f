"""The processes in which bots think, and how their time is shared out.

What a bot thinks is left to `engine.bots`, when one is asked to `server`.
"""
