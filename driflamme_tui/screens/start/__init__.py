"""The parts of the start screen: its commands, its menu, and its texts."""
