"""Tests one moment of the table without a screen."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from driflamme_tui.drawing.layout import fit
from driflamme_tui.drawing.table_state import TableState, Waiting
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.model.pending_question import Question
from driflamme_tui.screens.table.key_words import first_entries_at, reminder_at
from driflamme_tui.screens.table.shown_table import ShownTable
from driflamme_tui.seat.player_seat import LostConnection
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.widgets.table.seats import Seats
from engine.actions import LEAVE
from engine.views import View
from netcode.client.session import Session
from tests.support.tables import (
    Pretended,
    SeatedApp,
    clock,
    evening_session,
    run_app,
    seats,
    seen,
    session_at_line,
    state,
)

QUESTION = "2 4 bA2 rS,bA,gl *r3,b5,g2"


class Usual:
    """A kind of table without special behaviour."""

    def question(self, view: View) -> Question:
        return Question(view)

    def blocked(self) -> str:
        return ""

    def decided_sentence(self, *, was_lost: bool) -> str:
        return "The line was lost." if was_lost else "A bot decided."

    def pictures_wanted(self) -> bool:
        return False


class Place:
    """A place at a table without a screen."""

    def __init__(self, session: Session, *, is_new: bool = True) -> None:
        self.player_seat = Pretended(session, "Blaise")
        self.terminal = Terminal(lambda _texts: None)
        self.terminal.glyphs = UNICODE
        self.terminal.clock = lambda: 1000.0
        self.shown = ShownTable(self.player_seat, self.terminal, Usual(), lambda: None)
        self.answering = self.shown.answering
        if is_new:
            self.shown.update()

    def moment(self, forced: str = "") -> TableState:
        self.shown.forced = forced
        return self.shown.moment(fit(80, 24, 5, 2))


def test_a_question_stands_without_what_the_rules_decided_before_it() -> None:
    place = Place(session_at_line(QUESTION), is_new=False)
    assert place.moment(forced="Forced.").forced == "Forced."
    place.shown.update()
    moment = place.moment(forced="Forced.")
    assert moment.question is place.answering.question
    assert moment.forced == ""
    assert moment.answerable
    assert reminder_at(moment) is not None


def test_a_moment_names_the_players_of_the_lobby_and_words_each_event_once() -> None:
    place = Place(evening_session(43))
    first = place.moment()
    assert [player.name for player in first.players][:2] == ["Rosalind", "Blaise"]
    lines = place.shown.event_lines.lines
    assert len(lines) == len(place.player_seat.session.events) > 0
    assert place.moment() == first, "nothing has happened"
    assert place.shown.event_lines.lines is lines


def test_a_lost_connection_and_a_pause_stop_the_question() -> None:
    place = Place(session_at_line(QUESTION))
    place.player_seat.lost = LostConnection(1, 1005.0)
    lost = place.moment()
    assert lost.lost
    assert not lost.answerable
    paused = Place(session_at_line(QUESTION, paused=True, host=True))
    moment = paused.moment()
    assert moment.paused
    assert not moment.answerable
    assert [*first_entries_at(moment).values()] == ["resume"]


def test_the_clock_is_that_of_the_question_and_stands_for_nobodys_sake() -> None:
    session = session_at_line(QUESTION)
    place = Place(session)
    assert place.shown.countdown() is None
    for message, left in (
        (clock(30.0), 30),
        (clock(30.0, revision=7), None),
        (clock(30.0, running=False), None),
    ):
        session.clock = message
        place.shown.update()
        assert place.moment().time_left == left
        assert (place.shown.next_change(1000.0) is None) is (left is None)


def test_a_question_waits_until_it_is_answered_and_a_bots_decision_is_told() -> None:
    session = session_at_line(QUESTION)
    place = Place(session)
    assert place.shown.open_question() == session.revision
    place.shown.answer(session.view.legal[0] if session.view is not None else LEAVE)
    assert place.shown.open_question() is None
    unanswered = Place(session_at_line(QUESTION))
    later = state(seen("2 4 b* rS,bh1 *r3,b5,g2", "b"), 2)
    unanswered.player_seat.session.receive(later)
    news = unanswered.shown.update()
    assert news is not None
    assert news.is_unanswered
    unanswered.player_seat.session.receive(state(seen("2 4 g* rS,bh1,bl *r3,b4,g2", "b"), 3))
    unanswered.shown.update()
    assert unanswered.moment().notice == "A bot decided."


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (lambda state: replace(state, halted=("STOPPED", "For good.")), ["STOPPED", "For good."]),
        (
            lambda state: replace(
                state,
                question=None,
                waiting=Waiting(title="Waiting for tea", text="It brews.", way="x stirs"),
            ),
            ["Waiting for tea", "It brews.", "x stirs"],
        ),
        (lambda state: replace(state, marks={"Gaspard": ("marked at length", "mark")}), ["mark"]),
    ],
)
def test_what_a_kind_of_table_adds_is_drawn(
    change: Callable[[TableState], TableState], shown: list[str]
) -> None:
    async def steps(app: SeatedApp, hands: object) -> None:
        state = change(app.table.state())
        for zone in (app.table.query_one(Prompt), app.table.query_one(Seats)):
            zone.show(state)
        drawn = [*app.table.query_one(Prompt)._strips, *app.table.query_one(Seats)._strips]
        text = "\n".join(strip.text for strip in drawn)
        for each in shown:
            assert each in text

    run_app(SeatedApp(session_at_line(QUESTION, seats=seats("rbg", bots="rg"))), steps)
