"""Trains searching bots: self-play, fitting of weights, and tests of new generations.

`scripts/train` is the command line. Training needs numpy; playing bots do not.
"""
