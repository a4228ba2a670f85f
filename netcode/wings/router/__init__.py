"""Requests to routers to open ports for guests from other homes.

Requests are sent only if the player wants this. The wing `relay` is for hosts whose router opens no
port.
"""
