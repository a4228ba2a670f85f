"""The time of tables in tests: it stands still, whatever the machine's clock says."""


def unix_time() -> float:
    """Return a Unix time, always the same."""
    return 1_800_000_000.0
