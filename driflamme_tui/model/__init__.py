"""The models behind screens: question, public knowledge, pictures, and the course of a game.

Widgets are in `widgets`, and sentences in `wording`.
"""
