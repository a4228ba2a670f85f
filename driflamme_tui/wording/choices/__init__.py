"""Sentences about choices: what is asked, what an answer would do, and advice on it.

How the choice is made is left to `model.question`.
"""
