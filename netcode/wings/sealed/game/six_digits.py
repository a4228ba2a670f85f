"""Computes the six digits of a deal: people with equal digits play with the same keys."""

from netcode.wings.sealed.game.encoding import digest


def six_digits(genesis: bytes) -> str:
    """Return six digits in two groups, to be read aloud.

    `genesis` is the tip before the first step.
    """
    number = int.from_bytes(digest("phrase", genesis)[:8], "big") % 10**6
    return f"{number // 1000:03} {number % 1000:03}"
