"""Clubs: a server with many tables, which sleep on disk while nobody is there, and a league."""
