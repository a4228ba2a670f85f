"""Transport of bytes: addresses, certificates, sockets, limits and send queues.

`protocol` defines what the bytes mean, and `server` who may send what.
"""
