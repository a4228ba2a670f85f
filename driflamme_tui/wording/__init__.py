"""Every sentence about the game, and those about the program that more than one room says.

What a single screen, widget or command says stands with it; how a text is translated, in `text`.
"""
