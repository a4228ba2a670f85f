TAGS = "allow_takeover call challenge hand_over log_at log_in sealed start_takeover unannounced"
