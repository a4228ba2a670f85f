"""The tags of the messages of clubs."""

TAGS = "ask_league club league open_table"
