"""The spawner of apps for tests: the apps have normal priority."""

from driflamme_tui.wings.doors import visitor_spawner

if __name__ == "__main__":
    visitor_spawner.NICENESS = 0  # type: ignore[misc]
    visitor_spawner.main()
