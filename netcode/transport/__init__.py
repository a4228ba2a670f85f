"""Transports bytes: addresses, certificates, sockets, websockets, and limits of handshakes.

`protocol` defines the meaning of the bytes, and `server` decides which peers may send them.
"""
