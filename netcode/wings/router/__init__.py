"""The way in from other homes: what routers are asked, and what becomes of their answers.

Nothing here is done unasked. Relays, for those whom no router lets in, are the wing `relay`.
"""
