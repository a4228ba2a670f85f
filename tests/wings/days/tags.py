TAGS = "ask_turns call_set conditions set_call set_conditions turns"
