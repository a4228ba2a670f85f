"""Compares the screens of clubs with stored pictures."""

from tests.support.snapshots import Album, show


def test_screens_of_clubs(album: Album) -> None:
    show(album, "club", "league")
