"""The clock of a decision: who is told what, when it runs, and what happens when it is out."""

import pytest

from netcode.protocol.messages import (
    Clock,
    HostMessage,
)
from tests.support.pretend import (
    Participant,
    asked,
    aways,
    kind_of,
    known_game,
    play_on,
    tokens,
)


def clock(participant: Participant) -> str:
    """Return what was told last of the time: the seconds that were left, and `runs` or `stands`."""
    told = [message for message in participant.received if isinstance(message, Clock)][-1]
    return f"{told.left_ms / 1000:g} {'runs' if told.running else 'stands'}"


def kinds(messages: list[HostMessage]) -> list[str]:
    return list(map(kind_of, messages))


# Who is told what


def test_a_clock_follows_each_state_to_everybody() -> None:
    a, b, c = known_game(clock_s=60)
    watcher = Participant(a.network, "w", spectator=True)
    for participant in (a, b, c, watcher):
        assert clock(participant) == "60 runs"
    a.network.wait(5)
    a.act("S>")
    for participant in (a, b, c, watcher):
        assert kinds(participant.received[-2:]) == ["state", "clock"]
        assert participant.received[-1] == Clock(revision=2, left_ms=60_000, running=True)


def test_who_comes_back_is_told_what_is_left() -> None:
    a, b, _ = known_game(clock_s=60)
    b.drop()
    a.network.wait(12.5)
    b.received.clear()
    b.come_back()
    assert kinds(b.received) == ["welcome", "lobby", "state", "clock"]
    assert clock(b) == "47.5 runs"
    assert clock(a) == "60 runs", "to whom it runs on as it did, nothing is told"


# When time is out


def test_an_answer_in_time_between_two_that_are_not_starts_the_count_anew() -> None:
    a, b, c = known_game(clock_s=60)
    answered = lapses = 0
    while a.phase() == "playing" and lapses < 4:
        play_on([b, c])
        if asked([a]) is None:
            break
        if answered > lapses:
            a.network.wait(60)
            lapses += 1
        else:
            a.act_somehow()
            answered += 1
        assert aways(b) == "r:no b:no g:no"
    assert lapses >= 3


# When it stands


@pytest.mark.parametrize("clock_s", [0, 60])
def test_a_late_thought_about_an_earlier_moment_changes_nothing(clock_s: int) -> None:
    a, b, _ = known_game(clock_s=clock_s)
    b.drop()
    a.act("S>")
    thoughts = [think for _, think in a.network.thoughts]
    b.come_back()
    a.network.thoughts.clear()
    for think in thoughts:
        a.network.think(think)
    assert tokens(a) == ("S>",)
