"""What host and clients say to each other: fields, messages, bytes, and sentences of refusal.

What is done about a message is left to `table`, `server` and `client`.
"""
