"""Ports that a router opens for friends outside."""
