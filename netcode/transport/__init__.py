"""How bytes travel: addresses, certificates, sockets, their limits and what waits to be sent.

What the bytes mean is left to `protocol`, who may say what to `server`.
"""
