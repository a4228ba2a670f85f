"""Pictures of sealed play, for people and tests."""

from tests.support.snapshots import Album, show


def test_screens_of_sealed(album: Album) -> None:
    show(album, "sealed, vote", "sealed, frozen", "sealed, deal")
