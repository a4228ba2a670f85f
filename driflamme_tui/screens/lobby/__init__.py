"""What the lobby is made of: its texts, its settings, and where they stand."""
