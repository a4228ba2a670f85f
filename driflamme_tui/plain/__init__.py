"""Play without a screen: line by line, for people and for programs."""
