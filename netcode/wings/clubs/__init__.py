"""Clubs: a server with many tables, which sleep on disk while they are empty, and a league."""
