"""Pictures of clubs, for eyes to judge and for tests to hold."""

from tests.support.snapshots import Album, show


def test_screens_of_clubs(album: Album) -> None:
    show(album, "club", "league")
