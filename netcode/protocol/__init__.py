"""The protocol between host and clients: fields, messages, their bytes, and refusal sentences.

`table`, `server` and `client` handle the messages.
"""
