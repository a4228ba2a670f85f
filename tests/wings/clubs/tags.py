TAGS = "ask_league club league open_table"
