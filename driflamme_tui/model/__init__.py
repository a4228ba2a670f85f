"""Defines the models of screens: question, public knowledge, pictures, the course of a game.

Widgets are in `widgets`, sentences in `wording`.
"""
