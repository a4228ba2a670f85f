"""Training of the bots that search: self-play, what is learned from it, and whether that wins.

`scripts/train` is its command line. It needs numpy, as bots at play do not.
"""
