"""Asks routers to open ports, so that guests outside can connect.

Nothing is sent unless the player wants this. If the router opens no port, the wing `relay` helps.
"""
