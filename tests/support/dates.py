"""The time of tables in tests, independent of the system clock."""


def unix_time() -> float:
    return 1_800_000_000.0
