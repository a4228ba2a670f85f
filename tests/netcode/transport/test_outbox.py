"""What waits for a slow peer: the latest only, without gaps, and never without bound."""

from random import Random

import pytest

from engine.notation import format_position
from netcode.client.session import Session
from netcode.limits import OUTBOX_MESSAGES
from netcode.protocol.fields import MAXIMUM_LINES
from netcode.protocol.messages import (
    Clock,
    Goodbye,
    HostMessage,
    Line,
    Refused,
    SetReady,
    Start,
    State,
    Talk,
)
from netcode.transport.outbox import Outbox, OutboxFullError
from tests.support.pretend import Network, asked, seated


def taken(outbox: Outbox) -> list[HostMessage]:
    messages = []
    while outbox:
        messages.append(outbox.take())
    return messages


def filled(*messages: HostMessage) -> list[HostMessage]:
    outbox = Outbox()
    for message in messages:
        outbox.put(message)
    return taken(outbox)


def said(first: int, *texts: str) -> Talk:
    lines = tuple(Line(name="Anna", family="r", text=text) for text in texts)
    return Talk(first=first, lines=lines)


def refused(number: int) -> Refused:
    return Refused(code="late", number=number)


def test_what_nothing_makes_pointless_keeps_its_order() -> None:
    messages: list[HostMessage] = [refused(1), said(0, "a"), refused(2), Goodbye(code="left")]
    assert filled(*messages) == messages


def test_a_newer_clock_replaces_an_older_one() -> None:
    newer = Clock(revision=4, left_ms=1, running=True)
    assert filled(Clock(revision=3, left_ms=9, running=True), refused(1), newer) == [
        refused(1),
        newer,
    ]


def test_lines_of_chat_become_one_message() -> None:
    assert filled(said(3, "a"), said(4, "b", "c")) == [said(3, "a", "b", "c")]


def test_of_too_many_lines_the_last_are_kept() -> None:
    [talk] = filled(*(said(index, str(index)) for index in range(MAXIMUM_LINES + 7)))
    assert isinstance(talk, Talk)
    assert talk.first == 7
    assert len(talk.lines) == MAXIMUM_LINES
    assert talk.lines[-1].text == str(MAXIMUM_LINES + 6)


def test_a_peer_that_reads_nothing_is_found_out() -> None:
    outbox = Outbox()
    for number in range(1, OUTBOX_MESSAGES + 1):
        outbox.put(refused(number))
    with pytest.raises(OutboxFullError):
        outbox.put(refused(OUTBOX_MESSAGES + 1))


@pytest.mark.parametrize("seed", range(3))
def test_a_slow_peer_knows_in_the_end_what_a_quick_one_knows(seed: int) -> None:
    """Over two games and the lobby between them, however the messages bunch up."""
    rng = Random(seed)
    network = Network(Random(seed))
    guests = seated(network, "abc")
    quick, slow, outbox = guests[1], Session(), Outbox()
    heard = 0
    longest = 0

    def listen() -> None:
        nonlocal heard, longest
        for message in quick.received[heard:]:
            outbox.put(message)
        heard = len(quick.received)
        longest = max(longest, len(outbox._waiting))
        if rng.random() < 0.05:
            for message in taken(outbox):
                slow.receive(message)

    for _game in range(2):
        for participant in guests[1:]:
            participant.say(SetReady(ready=True))
        if guests[0].phase() != "playing":
            guests[0].say(Start())
        while (player := asked(guests)) is not None:
            view = player.session.view
            assert view is not None
            player.act(rng.choice(view.legal).token)
            listen()
    listen()
    for message in taken(outbox):
        slow.receive(message)
    known = quick.session
    assert slow.view is not None
    assert known.view is not None
    assert format_position(slow.view) == format_position(known.view)
    assert (slow.revision, slow.lobby) == (known.revision, known.lobby)
    assert slow.events == known.events
    assert longest <= 5


def test_states_of_different_games_are_not_mixed() -> None:
    older = State(revision=5, view="x", you=None, first_event=40, events=())
    newer = State(revision=6, view="y", you=None, first_event=0, events=())
    assert filled(older, newer) == [newer]
