"""The processes in which bots search, and the distribution of their time.

`engine.bots` decides a bot's answer, and `server` decides when a bot is asked.
"""
