"""Limits of guesses: how often one may try a code, and that nobody else waits for it."""

import pytest

from netcode.joining.guess_limits import ANSWERS, GUESSES, NETWORK_GUESSES, GuessLimits
from netcode.protocol.rate_limit import TokenBucket

DAY = 86_400.0


class Hammer:
    """Networks that knock at one table with wrong codes, each as often as it is let."""

    def __init__(self, networks: int) -> None:
        self.attempts = GuessLimits()
        self.table = TokenBucket(GUESSES)
        self.networks = [f"192.0.2.{number}" for number in range(networks)]

    def guess(self, network: str, now: float) -> bool:
        """Whether a knock from there is answered, which counts as a guess."""
        if self.attempts.wait(self.table, network, now) > 0:
            return False
        self.attempts.count(self.table, network, now)
        return True

    def guesses(self, until: float, every: float = 1.0) -> int:
        rounds = range(int(until / every))
        return sum(self.guess(each, now * every) for now in rounds for each in self.networks)


@pytest.mark.parametrize("networks", [1, 5, 40])
def test_a_table_allows_so_many_guesses_a_day_from_however_many_networks(networks: int) -> None:
    guesses = Hammer(networks).guesses(DAY, every=15.0)
    assert guesses <= DAY * GUESSES.per_s + GUESSES.burst
    assert guesses <= networks * (DAY * NETWORK_GUESSES.per_s + NETWORK_GUESSES.burst)


@pytest.mark.parametrize("networks", [1, 5, 9])
def test_who_guesses_all_day_does_not_keep_newcomers_from_knocking(networks: int) -> None:
    """Once in 18 times was one of them answered, beside one who guesses."""
    hammer, answered = Hammer(networks), 0
    for second in range(3600):
        for each in hammer.networks:
            hammer.guess(each, float(second))
        if second % 60 == 30:
            newcomer, now = f"198.51.100.{second // 60}", float(second)
            if hammer.guess(newcomer, now):
                answered += 1
                hammer.attempts.take_back(hammer.table, newcomer, now)
    assert answered == 60


def test_who_guesses_at_one_table_after_the_other_does_not_use_up_the_server() -> None:
    hammer = Hammer(1)
    tables = [TokenBucket(GUESSES) for _ in range(1000)]
    for number, table in enumerate(tables):
        hammer.table = table
        hammer.guess(hammer.networks[0], number / 10)
    assert hammer.guess("198.51.100.1", 100.0)


def test_who_gets_in_again_and_again_does_not_use_up_the_server() -> None:
    """A member knocks at a table of their own: that costs time, though it is no guess."""
    hammer, rounds = Hammer(1), 1000
    answered = 0
    for number in range(rounds):
        if hammer.guess(hammer.networks[0], number / 10):
            answered += 1
            hammer.attempts.take_back(hammer.table, hammer.networks[0], number / 10)
    assert answered <= ANSWERS.burst + ANSWERS.per_s * rounds / 10
    assert hammer.guess("198.51.100.1", rounds / 10)


def test_knocks_that_are_begun_at_once_count_before_any_is_proven() -> None:
    hammer = Hammer(1)
    taken = sum(hammer.guess(hammer.networks[0], 5.0) for _ in range(100))
    assert taken == NETWORK_GUESSES.burst


def test_a_whole_house_gets_in_without_a_wait() -> None:
    hammer = Hammer(1)
    for _ in range(15):
        assert hammer.guess(hammer.networks[0], 0.0)
        hammer.attempts.take_back(hammer.table, hammer.networks[0], 0.0)


def test_who_gets_in_does_not_make_the_waits_of_who_guesses_shorter() -> None:
    """Also behind one address: what is taken back is the one knock that was right."""
    hammer = Hammer(1)
    home = hammer.networks[0]
    while hammer.guess(home, 0.0):
        pass
    now = hammer.attempts.wait(hammer.table, home, 0.0)
    assert now == pytest.approx(1 / NETWORK_GUESSES.per_s)
    assert hammer.guess(home, now)
    hammer.attempts.take_back(hammer.table, home, now)
    assert hammer.guess(home, now)
    assert hammer.attempts.wait(hammer.table, home, now) == pytest.approx(1 / NETWORK_GUESSES.per_s)


def test_quiet_makes_up_for_failures() -> None:
    hammer = Hammer(20)
    hammer.guesses(1000.0)
    later = 1000.0 + GUESSES.burst / GUESSES.per_s + 10 / NETWORK_GUESSES.per_s
    assert hammer.guess(hammer.networks[0], later)
    assert hammer.attempts.wait(hammer.table, hammer.networks[0], later) == 0
