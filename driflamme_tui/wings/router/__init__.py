"""The way in for friends outside, which a router opens."""
