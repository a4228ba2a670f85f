"""Tests the stored data about a player's last answer and the chat they have received."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.seat.seat_parts import Journey
from driflamme_tui.wings.days.seat_parts import Return
from driflamme_tui.wings.days.turns.known_tables import last_news
from driflamme_tui.wings.days.turns.returns import (
    MOST_PLACES,
    KnownSeat,
    StoredTurn,
    last_seen,
    store_answer,
    store_lines,
    store_seat,
)
from engine.actions import ACTIONS
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import Chat, GameRecord, State
from tests.support.tables import chat_message, evening_session, lobby, state, welcome
from tests.wings.days.long_tables import CALLS, LONG, NOW, long_lobby, long_session


def part_at(session: Session, place: str | None = "table.example/a") -> Return:
    def seat_at(_secret: bytes | None) -> str | None:
        return place

    target = None if place is None else SimpleNamespace(seat_at=seat_at, is_on_behalf=False)
    return Return(Journey(PlayerSeat(session, "Blaise"), cast(Any, None), cast(Any, target)))


def arrived(session: Session, place: str | None = "table.example/a") -> Return:
    """Return the part of a player who has just received the table's state."""
    part = part_at(session, place)
    part.receive(welcome("b"))
    assert session.view is not None
    sent: State = state(session.view)
    part.receive(sent)
    return part


@pytest.mark.parametrize("place", ["table.example/a", None])
def test_a_later_program_knows_the_last_answer(place: str | None) -> None:
    before = evening_session(10, "b")
    first = arrived(before, place)
    assert first.answered() is None
    first.send(Chat(text="hello"))
    assert arrived(before, place).answered() is None, "only an answer counts"
    first.send(before.act(ACTIONS["+"]))
    later = evening_session(16, "b")
    assert len(later.events) > len(before.events)
    assert arrived(later, place).answered() == len(before.events)
    assert first.answered() is None, "a program that stays needs no story"


def test_the_answer_of_another_game_or_another_table_does_not_count() -> None:
    before = evening_session(10, "b")
    arrived(before).send(before.act(ACTIONS["+"]))
    assert arrived(evening_session(16, "r")).answered() is None
    assert arrived(evening_session(16, "b"), "table.example/b").answered() is None
    assert arrived(evening_session(6, "b")).answered() is None


def test_chat_since_the_last_visit_is_missed() -> None:
    session = evening_session(10, "b")
    part = arrived(session)
    for talk in (chat_message("r: one", "g: two"), chat_message("r: three", first=2)):
        session.receive(talk)
        part.receive(talk)
    assert part.missed_from() is None, "a first visit has missed nothing"
    later = evening_session(10, "b")
    talk = chat_message("r: one", "g: two", "r: three", "g: four", "r: five")
    later.receive(talk)
    back = part_at(later)
    back.receive(welcome("b"))
    back.receive(talk)
    assert back.missed_from() == 3
    # After a reconnect nothing more is missed, and the mark stays.
    back.receive(welcome("b"))
    back.receive(talk)
    assert back.missed_from() == 3


def test_a_host_that_counts_chat_from_zero_again_marks_nothing() -> None:
    store_lines("Blaise @ table.example/a", 9)
    session, talk = evening_session(10, "b"), chat_message("r: one")
    session.receive(talk)
    part = arrived(session)
    part.receive(talk)
    assert part.missed_from() is None


def test_a_part_of_the_missed_chat_may_be_gone() -> None:
    store_lines("Blaise @ table.example/a", 1)
    session, talk = evening_session(10, "b"), chat_message("r: eight", "r: nine", first=8)
    session.receive(talk)
    part = arrived(session)
    part.receive(talk)
    assert part.missed_from() == 0


@pytest.mark.parametrize("is_on_behalf", [False, True])
def test_a_player_with_another_name_has_the_same_seat(is_on_behalf: bool) -> None:
    before = evening_session(10, "b")
    part = arrived(before)
    part.send(before.act(ACTIONS["+"]))
    target = cast(Any, part._target)
    target.is_on_behalf = is_on_behalf
    part._player_seat.name = "Pola"
    part.receive(lobby("rbg", "b"))
    kept, gone = "Pola @ table.example/a", "Blaise @ table.example/a"
    if is_on_behalf:
        kept, gone = gone, kept
    assert last_seen(kept).events == len(before.events)
    assert last_seen(gone).events == 0


def test_only_the_latest_tables_are_stored() -> None:
    session = evening_session(10, "b")
    assert session.view is not None
    for number in range(MOST_PLACES + 1):
        store_answer(f"place {number}", session.view, session.events)
        store_lines(f"place {number}", 3)
    assert not last_seen("place 0").events
    assert last_seen(f"place {MOST_PLACES}").events == len(session.events)
    assert last_seen(f"place {MOST_PLACES}").lines == 3


def test_chat_that_begins_after_the_last_answer_is_missed() -> None:
    before = evening_session(10, "b")
    arrived(before).send(before.act(ACTIONS["+"]))
    later, talk = evening_session(16, "b"), chat_message("r: hello")
    later.receive(talk)
    back = part_at(later)
    back.receive(welcome("b"))
    back.receive(talk)
    assert back.missed_from() == 0


def test_chat_after_a_visit_without_chat_or_answer_is_missed() -> None:
    first = part_at(evening_session(10, "b"))
    first.receive(welcome("b"))
    first.receive(lobby("rbg", "b"))
    later, talk = evening_session(10, "b"), chat_message("r: hello")
    later.receive(talk)
    back = part_at(later)
    back.receive(welcome("b"))
    back.receive(lobby("rbg", "b"))
    back.receive(talk)
    assert back.missed_from() == 0


@pytest.mark.parametrize("phase", ["lobby", "playing", "result"])
def test_chat_after_the_return_is_not_missed(phase: str) -> None:
    store_lines("Blaise @ table.example/a", 0)
    session, talk = evening_session(10, "b"), chat_message("r: hello")
    assert session.view is not None
    part, sent = part_at(session), lobby("rbg", "b", phase=phase)
    # The host's order: it sends the last state of a game before the lobby that shows the result.
    order: dict[str, list[Message]] = {
        "lobby": [sent],
        "playing": [sent, state(session.view)],
        "result": [state(session.view), sent, GameRecord(revision=1, record="{}")],
    }
    session.lobby = sent
    for message in [welcome("b"), *order[phase]]:
        part.receive(message)
    session.receive(talk)
    part.receive(talk)
    assert part.missed_from() is None
    assert last_seen("Blaise @ table.example/a").lines == 1


def test_chat_before_the_first_visit_is_not_missed_whatever_comes_first() -> None:
    session, talk = evening_session(10, "b"), chat_message("r: hello")
    session.receive(talk)
    part = part_at(session)
    part.receive(welcome("b"))
    part.receive(lobby("rbg", "b"))
    part.receive(talk)
    assert part.missed_from() is None


@pytest.mark.parametrize(
    ("place", "fields", "stays"),
    [
        ("table.example/a", {}, True),
        (None, {}, False),
        ("table.example/a", {"settings": {}}, False),
        ("table.example/a", {"viewer": "-"}, False),
    ],
)
def test_leaving_a_long_game_keeps_the_seat(
    place: str | None, fields: dict[str, Any], stays: bool
) -> None:
    part = part_at(long_session(**fields), place)
    assert bool(part.leaving()) is stays
    assert not part_at(long_lobby(), place).leaving()


def at_a_seat(step: int, **fields: Any) -> Return:
    """Return the part of a player whose seat at a long table is stored."""
    session = long_session(step, **fields)
    part = part_at(session)
    part.receive(welcome("b"))
    name = "Blaise @ table.example/a"
    if last_seen(name).seat is None:
        store_seat(name, KnownSeat("Blaise", "Gaspard", "", "table.example/a", "K7Q"))
    assert session.view is not None
    sent: State = state(session.view)
    part.receive(sent)
    return part


def test_the_start_screen_knows_at_once_whether_the_table_waits() -> None:
    for step in range(6, 18):
        part = at_a_seat(step)
        view = part._session.view
        assert view is not None
        (known,) = last_news()
        assert known.is_mine == (view.turn in view.viewers)
        assert known.news is not None
        assert view.turn is not None
        assert known.news.turn.whose == part._session.names()[view.turn]
        assert known.news.turn.round == view.round
        assert (known.news.turn.phase, known.news.turn.left_s is None) == ("playing", False)
    assert {each.is_mine for each in last_news()} == {False}


def test_the_same_news_are_stored_once_and_a_new_end_of_the_turn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = float(NOW)
    monkeypatch.setattr("time.time", lambda: now)

    def stored(**parts: object) -> StoredTurn | None:
        at_a_seat(6, parts={"days": {**CALLS, **parts}})
        return last_news()[0].news

    until = NOW + 7200
    first = stored(until=until)
    now += 600
    assert stored(until=until) == first
    assert stored(until=until + 3600) != first
    paused = stored(until=0)
    assert paused is not None
    assert paused.turn.left_s is None


@pytest.mark.parametrize(
    ("prefix", "settings"), [("", LONG), ("K7Q", {"sealed": True})], ids=["no code", "sealed"]
)
def test_a_sealed_table_and_one_without_a_code_store_no_turn(
    prefix: str, settings: dict[str, object]
) -> None:
    store_seat(
        "Blaise @ table.example/a", KnownSeat("Blaise", "Gaspard", "", "table.example/a", prefix)
    )
    at_a_seat(6, settings=settings)
    assert [each.news for each in last_news()] == [None]
