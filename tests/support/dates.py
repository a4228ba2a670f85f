"""The time of tables in tests, independent of the system clock."""


def unix_time() -> float:
    """Return a constant Unix time."""
    return 1_800_000_000.0
