"""Pictures of sealed play, for eyes to judge and for tests to hold."""

from tests.support.snapshots import Album, show


def test_screens_of_sealed(album: Album) -> None:
    show(album, "sealed, vote", "sealed, frozen", "sealed, deal")
