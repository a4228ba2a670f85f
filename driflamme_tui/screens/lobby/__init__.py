"""The parts of the lobby: its texts, its settings, and their arrangement."""
