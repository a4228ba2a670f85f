"""The names on the wire of the messages of clubs."""

TAGS = "ask_league club league open_table"
