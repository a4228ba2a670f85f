"""The tags of the messages of games that last for days."""

TAGS = "ask_turns call_set conditions set_call set_conditions turns"
