"""The names on the wire of the messages of relays."""

TAGS = "relay_pass"
