"""The spawner of apps for tests: the apps have normal priority."""

from driflamme_tui.wings.doors import spawner

if __name__ == "__main__":
    spawner.NICENESS = 0  # type: ignore[misc]
    spawner.main()
