"""The six digits of a deal: who hears the same ones plays with the same keys."""

from netcode.wings.sealed.game.encoding import digest


def six_digits(genesis: bytes) -> str:
    """Return the digits in two groups, to be read aloud, by what the first step follows."""
    number = int.from_bytes(digest("phrase", genesis)[:8], "big") % 10**6
    return f"{number // 1000:03} {number % 1000:03}"
