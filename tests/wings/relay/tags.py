"""The tags of the messages of relays."""

TAGS = "relay_pass"
