"""What a program learns of a sealed game, for screens to show."""

from netcode.wings.sealed.news import SealedNews

SEALED = {"sealed": True}
"""The settings of a sealed table."""


def sealed_news(**fields: object) -> SealedNews:
    """Return the news of a sealed game that is played, unless fields say otherwise."""
    return SealedNews(**{"stage": "playing", "digits": "451 561", **fields})  # type: ignore[arg-type]
