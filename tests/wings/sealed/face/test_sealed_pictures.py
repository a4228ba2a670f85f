"""Compares the screens of sealed play with stored pictures."""

from tests.support.snapshots import Album, show


def test_screens_of_sealed(album: Album) -> None:
    show(album, "sealed, vote", "sealed, frozen", "sealed, deal")
