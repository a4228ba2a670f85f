"""Clubs: servers with many tables, which sleep on disk while they are empty, and a league."""
