"""Ports that routers open for guests from other homes: requests and answers.

Requests are sent only if the player wants them. The wing `relay` is for hosts whose router opens no
port.
"""
