TAGS = "relay_pass"
