"""Clubs: servers with many tables and a league. Empty tables sleep on disk."""
