"""Transports bytes: addresses, certificates, sockets, limits and send queues.

`protocol` defines the meaning of the bytes, and `server` decides which peers may send them.
"""
