"""Tests limits: message rates, connections, guesses and waiting times."""

import pytest

from netcode import limits
from netcode.limits import (
    ARRIVALS,
    ARRIVALS_AT_ONCE,
    FRAMES,
    GUESSER_MEMORY_S,
    GUESSES,
    MOST_NETWORKS,
    NETWORK_GUESSES,
    SERVER_GUESSES,
    Buckets,
    Guesses,
    Rate,
    TokenBucket,
)
from netcode.transport.listener import Handshake, HandshakeLimits


def test_after_a_burst_frames_are_taken_at_the_rate() -> None:
    bucket = TokenBucket(FRAMES)
    now = 0.0
    for _ in range(int(FRAMES.burst) + 1000):
        now += bucket.take(now)
    assert now == pytest.approx(1000 / FRAMES.per_s)


def test_who_pauses_may_speak_again() -> None:
    bucket = TokenBucket(Rate(2, burst=3))
    for _ in range(3):
        assert bucket.take(10.0) == 0
    assert bucket.take(10.0) == 0.5
    assert bucket.take(11.0) == 0
    for _ in range(2):
        assert bucket.take(99.0) == 0


def test_one_network_waits_and_no_other() -> None:
    paces = Buckets(Rate(0.5, burst=2))
    assert [paces.of("busy", 0.0).take(0.0) for _ in range(3)] == [0.0, 0.0, 2.0]
    assert paces.of("busy", 0.0).wait(0.0) == 4.0
    assert paces.of("quiet", 0.0).wait(0.0) == paces.of("quiet", 0.0).take(0.0) == 0.0


def test_who_comes_from_no_network_in_particular_never_waits() -> None:
    paces = Buckets(Rate(1, burst=1))
    assert {paces.of("", 0.0).take(0.0) for _ in range(100)} == {0.0}
    assert paces.of("", 0.0).wait(0.0) == 0.0


def test_only_those_who_have_been_busy_are_remembered() -> None:
    paces = Buckets(Rate(1, burst=10))
    for number in range(MOST_NETWORKS + 100):
        paces.of(f"2001:db8:{number:x}::/56", 0.0).take(0.0)
    assert len(paces) == MOST_NETWORKS
    paces.of("busy", 1.0).take(1.0)
    assert len(paces) == 1


def test_what_was_taken_for_nothing_can_be_given_back() -> None:
    paces = Buckets(Rate(1, burst=2))
    paces.of("one", 0.0).take(0.0)
    assert paces.of("one", 0.0).full_at > 0.0
    paces.of("one", 0.0).take(0.0, -1)
    assert paces.of("one", 0.0).full_at <= 0.0
    paces.of("one", 0.0).take(0.0, -1)
    assert [paces.of("one", 0.0).take(0.0) for _ in range(3)] == [0.0, 0.0, 1.0]
    assert paces.of("one", 2.5).full_at > 2.5
    assert paces.of("one", 3.0).full_at <= 3.0


def test_who_owes_as_much_as_may_be_owed_owes_no_more_and_no_less() -> None:
    bucket = TokenBucket(Rate(1, burst=1))
    assert [bucket.take(0.0, most_owed=2) for _ in range(5)] == [0.0, 1.0, 2.0, 2.0, 2.0]
    assert bucket.take(0.0, tokens=2) == 4.0
    assert bucket.take(0.0, most_owed=2) == 4.0, "what is owed for something else stays owed"


DAY = 86_400.0


class Hammer:
    """Networks that try wrong codes at one table as often as allowed."""

    def __init__(self, networks: int) -> None:
        self.attempts = Guesses()
        self.table = TokenBucket(GUESSES)
        self.networks = [f"192.0.2.{number}" for number in range(networks)]

    def guess(self, network: str, now: float) -> bool:
        """Let a network knock; return True if the server answers, which counts as a guess."""
        if self.attempts.wait(self.table, network, now) > 0:
            return False
        self.attempts.count(self.table, network, now)
        return True

    def guesses(self, until: float, every: float = 1.0) -> int:
        rounds = range(int(until / every))
        return sum(self.guess(each, now * every) for now in rounds for each in self.networks)


@pytest.mark.parametrize("networks", [1, 10])
def test_a_table_allows_so_many_guesses_a_day_from_however_many_networks(networks: int) -> None:
    guesses = Hammer(networks).guesses(DAY, every=60.0)
    assert guesses <= DAY * GUESSES.per_s + GUESSES.burst
    assert guesses <= networks * (DAY * NETWORK_GUESSES.per_s + NETWORK_GUESSES.burst)


@pytest.mark.parametrize("networks", [1, 9])
def test_who_guesses_all_day_does_not_keep_newcomers_from_knocking(networks: int) -> None:
    """Each newcomer of an hour is answered, although all attackers try once a second."""
    hammer, answered = Hammer(networks), 0
    for second in range(3600):
        for each in hammer.networks:
            hammer.guess(each, float(second))
        if second % 60 == 30:
            newcomer, now = f"198.51.100.{second // 60}", float(second)
            if hammer.guess(newcomer, now):
                answered += 1
                hammer.attempts.count(hammer.table, newcomer, now, -1)
    assert answered == 60


NEWCOMERS_A_DAY = 143


def newcomers_answered(hammer: Hammer, day: int, every: int) -> int:
    """Return the number of newcomers in a day who are answered immediately.

    Each comes from its own network. Every `every` seconds all attackers guess, and then perhaps
    a newcomer.
    """
    answered = 0
    arrivals = {int(DAY * number / NEWCOMERS_A_DAY / every) for number in range(NEWCOMERS_A_DAY)}
    for step in range(int(DAY / every)):
        now = day * DAY + step * every
        for each in hammer.networks:
            hammer.guess(each, now)
        if step in arrivals and hammer.guess(newcomer := f"day {day}, {step}", now):
            answered += 1
            hammer.attempts.count(hammer.table, newcomer, now, -1)
    return answered


@pytest.mark.parametrize(("networks", "every"), [(1, 60), (12, 60), (100, 300)])
def test_networks_that_guess_for_days_leave_every_newcomer_a_turn(
    networks: int, every: int
) -> None:
    """Each network may guess once at first, and few of these guesses coincide with a newcomer."""
    hammer = Hammer(networks)
    assert newcomers_answered(hammer, 0, every) >= NEWCOMERS_A_DAY - networks / 18
    assert newcomers_answered(hammer, 1, every) == NEWCOMERS_A_DAY


def test_a_thousand_networks_that_guess_leave_newcomers_a_turn_after_hours() -> None:
    hammer = Hammer(1000)
    assert newcomers_answered(hammer, 0, 300) >= NEWCOMERS_A_DAY * 6 // 10
    assert newcomers_answered(hammer, 1, 300) == NEWCOMERS_A_DAY


@pytest.mark.parametrize("networks", [12, 1000])
def test_of_all_codes_of_a_club_so_many_are_guessed_in_a_day(networks: int) -> None:
    hammer, guesses = Hammer(networks), 0
    tables = [TokenBucket(GUESSES) for _ in range(200)]
    for step in range(int(DAY / 600)):
        for number, each in enumerate(hammer.networks):
            hammer.table = tables[(step + number) % len(tables)]
            guesses += hammer.guess(each, step * 600.0)
    assert guesses <= DAY * SERVER_GUESSES.per_s + SERVER_GUESSES.burst
    # A change here must be repeated in README.md and the guide, which have this number.
    assert 2**25 / (DAY * SERVER_GUESSES.per_s + SERVER_GUESSES.burst) > 7_500


def test_a_guess_is_remembered_for_days_and_a_right_one_is_none() -> None:
    attempts, table = Guesses(), TokenBucket(GUESSES)
    table.take(0.0, GUESSES.burst - 1)
    for network, is_right in {"wrong": False, "right": True}.items():
        attempts.count(table, network, 0.0, 1)
        attempts.count(table, network, 0.0, -1)
        if not is_right:
            attempts.count(table, network, 0.0, 1)
            table.take(0.0, -1)
    assert attempts.wait(table, "right", 0.0) == 0.0
    assert attempts.wait(table, "wrong", 0.0) > 0.0
    # By now the table's budget is full again: use it up, except for one guess.
    table.take(GUESSER_MEMORY_S - 1, GUESSES.burst - 1)
    assert attempts.wait(table, "wrong", GUESSER_MEMORY_S - 1) > 0.0
    assert attempts.wait(table, "wrong", GUESSER_MEMORY_S) == 0.0


def test_no_more_guessers_are_remembered_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST_GUESSERS", 100)
    attempts, table = Guesses(), TokenBucket(Rate(1e9, burst=1e9))
    for number in range(300):
        attempts.wait(table, str(number), 0.0)
        attempts.count(table, str(number), 0.0)
    assert len(attempts._guessers) == 100


def test_who_guesses_at_one_table_after_the_other_does_not_use_up_the_server() -> None:
    hammer = Hammer(1)
    tables = [TokenBucket(GUESSES) for _ in range(1000)]
    for number, table in enumerate(tables):
        hammer.table = table
        hammer.guess(hammer.networks[0], number / 10)
    assert hammer.guess("198.51.100.1", 100.0)


def test_a_whole_house_gets_in_without_a_wait() -> None:
    hammer = Hammer(1)
    for _ in range(15):
        assert hammer.guess(hammer.networks[0], 0.0)
        hammer.attempts.count(hammer.table, hammer.networks[0], 0.0, -1)


def test_who_gets_in_does_not_make_the_waits_of_who_guesses_shorter() -> None:
    """A right knock returns only its own cost, also behind a shared address."""
    hammer = Hammer(1)
    home = hammer.networks[0]
    while hammer.guess(home, 0.0):
        pass
    now = hammer.attempts.wait(hammer.table, home, 0.0)
    assert now == pytest.approx(1 / NETWORK_GUESSES.per_s)
    assert hammer.guess(home, now)
    hammer.attempts.count(hammer.table, home, now, -1)
    assert hammer.guess(home, now)
    assert hammer.attempts.wait(hammer.table, home, now) == pytest.approx(1 / NETWORK_GUESSES.per_s)


class Admission:
    """The limits under test, and the networks that they refused."""

    def __init__(self, most: int = 4, most_from_one: int = 2) -> None:
        self.limits = HandshakeLimits(most, most_from_one)
        self.out: list[str] = []

    def enter(self, who: str, host: str) -> Handshake:
        return self.limits.add(host, lambda: self.out.append(who))


def test_of_too_many_from_one_network_the_oldest_goes() -> None:
    admission = Admission()
    for who in "abc":
        admission.enter(who, "192.0.2.7")
    assert admission.out == ["a"]
    admission.enter("neighbour", "192.0.2.8")
    assert admission.out == ["a"]


def test_of_too_many_in_all_the_oldest_goes() -> None:
    admission = Admission()
    for who in "abcde":
        admission.enter(who, f"192.0.2.{ord(who)}")
    assert admission.out == ["a"]
    assert len(admission.limits) == 4


def test_who_has_become_a_connection_does_not_count() -> None:
    admission = Admission()
    for who in "abcdef":
        admission.limits.remove(admission.enter(who, "192.0.2.7"))
    assert admission.out == []
    assert len(admission.limits) == 0


def test_who_was_shown_out_may_leave_too() -> None:
    admission = Admission()
    first = admission.enter("a", "192.0.2.7")
    for who in "bc":
        admission.enter(who, "192.0.2.7")
    admission.limits.remove(first)
    assert len(admission.limits) == 2


def test_sockets_of_this_machine_count_in_all_only() -> None:
    admission = Admission()
    for who in "abcd":
        assert admission.limits.admit("", 0.0)
        admission.enter(who, "")
    assert admission.out == []


def test_a_network_comes_at_a_pace() -> None:
    limits = HandshakeLimits(most=100, most_from_one=10)
    came = sum(limits.admit("192.0.2.7", 0.0) for _ in range(100))
    assert came == 10 * ARRIVALS.burst
    assert limits.admit("192.0.2.8", 0.0)
    # After the burst, one more client may come each second.
    assert sum(limits.admit("192.0.2.7", second / 10) for second in range(100)) == 9
    assert sum(limits.admit("192.0.2.7", 1000.0) for _ in range(100)) == 10 * ARRIVALS.burst


def test_not_all_who_may_be_there_may_come_at_once() -> None:
    limits = HandshakeLimits(most=5000, most_from_one=200)
    assert sum(limits.admit("192.0.2.7", 0.0) for _ in range(400)) == ARRIVALS_AT_ONCE
    # After the burst, twenty more clients may come each second.
    assert sum(limits.admit("192.0.2.7", 1.0) for _ in range(400)) == 20
