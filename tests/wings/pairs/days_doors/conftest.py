"""Fixtures for tests of long games at doors."""

from tests.wings.doors.conftest import starter, visit

__all__ = ["starter", "visit"]
