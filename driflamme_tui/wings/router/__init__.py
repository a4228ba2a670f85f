"""Router ports in the user interface: how friends in other homes can connect."""
