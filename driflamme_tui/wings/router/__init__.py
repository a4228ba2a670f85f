"""Router ports in the user interface: how friends outside can connect."""
