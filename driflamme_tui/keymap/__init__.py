"""Every command there is, by screen, and which keys do it.

How a command is carried out is left to the screens.
"""
