"""The process that starts apps, as tests run it: the apps do not come after all else."""

from driflamme_tui.wings.doors import spawner

if __name__ == "__main__":
    spawner.NICENESS = 0  # type: ignore[misc]
    spawner.main()
