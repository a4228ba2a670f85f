"""How often codes may be guessed: at one table, at a whole server, and from one network.

What a code is, and how one proves to know it, is for `spoken_code.py` to say.
"""

from typing import Final

from netcode.protocol.rate_limit import NetworkRateLimits, Rate, TokenBucket

GUESSES: Final = Rate(1 / 30, burst=40.0)
"""Guesses at one table's code: at once as many as people may come together, or type it wrong."""

GUESSES_KEPT: Final = 20.0
"""How many of a table's guesses are reserved for networks that have not guessed wrong lately."""

NETWORK_GUESSES: Final = Rate(1 / 300, burst=10.0)
"""Guesses of one network, at all tables of a server: as of a household that types badly."""

SERVER_GUESSES: Final = Rate(1.0, burst=20.0)
"""Guesses at the codes of all tables of a server, as when several begin at eight o'clock."""

ANSWERS: Final = Rate(1.0, burst=20.0)
"""Knocks of one network that are answered, right or wrong: each costs ten milliseconds."""


BESIDE_A_DOOR: Final = 2
"""What a guess counts at a table with doors, and at its doors: both have limits of their own."""


class GuessLimits:
    """Says how long to wait before the next knock at a server's tables is answered.

    An exchange is a guess as soon as the host has answered it: count it just before, and take it
    back if its proof is right. So it does not help to begin many at once.

    At the rate of `GUESSES`, half of all 2^25 passwords take 16 years; who goes on for a day finds
    the right one with a chance of 1 in 11,500. Half of what lies ready is for networks that have
    not guessed wrong lately.
    """

    def __init__(self) -> None:
        self._guesses = TokenBucket(SERVER_GUESSES)
        self._guesses_from = NetworkRateLimits(NETWORK_GUESSES)
        self._answers_to = NetworkRateLimits(ANSWERS)

    def wait(self, table: TokenBucket, network: str, now: float) -> float:
        """Return for how many seconds no knock from there is answered; 0 if one is."""
        needed = 1 if self._guesses_from.is_full(network, now) else 1 + GUESSES_KEPT
        return max(
            table.wait(now, needed),
            self._guesses.wait(now),
            self._guesses_from.wait(network, now),
            self._answers_to.wait(network, now),
        )

    def count(self, table: TokenBucket, network: str, now: float, weight: int = 1) -> None:
        """Count a knock that is answered as a guess, or as several."""
        self._answers_to.take(network, now)
        for _ in range(weight):
            table.take(now)
            self._guesses.take(now)
            self._guesses_from.take(network, now)

    def take_back(self, table: TokenBucket, network: str, now: float, weight: int = 1) -> None:
        """Give the guess of a knock back, whose proof is right."""
        for _ in range(weight):
            table.give_back(now)
            self._guesses.give_back(now)
            self._guesses_from.give_back(network, now)
