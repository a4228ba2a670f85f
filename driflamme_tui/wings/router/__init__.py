"""Router ports in the user interface, through which friends outside connect."""
