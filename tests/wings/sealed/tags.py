"""The names on the wire of the messages of sealed play."""

TAGS = "call carry carry_on challenge hand_over log_at log_in sealed unannounced"
