"""The protocol of host and clients: fields, messages, bytes, and sentences of refusals.

`table`, `server` and `client` handle the messages.
"""
