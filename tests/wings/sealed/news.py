"""News of sealed games for tests of screens."""

from netcode.wings.sealed.news import SealedNews

SEALED = {"sealed": True}
"""The settings of a sealed table."""


def sealed_news(**fields: object) -> SealedNews:
    """Return the news of a sealed game in play, with these fields."""
    return SealedNews(**{"stage": "playing", "digits": "451 561", **fields})  # type: ignore[arg-type]
