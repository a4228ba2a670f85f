"""One moment of the table without a screen: what a place at the table makes of it."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from driflamme_tui.drawing.layout import fit
from driflamme_tui.drawing.table_state import TableState, Waiting
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.model.pending_question import Question
from driflamme_tui.screens.countdown import Countdown
from driflamme_tui.screens.table.answering import Answering
from driflamme_tui.screens.table.event_lines import EventLines
from driflamme_tui.screens.table.key_words import first_entries_at, reminder_at
from driflamme_tui.screens.table.moment import moment_of
from driflamme_tui.screens.table.pictures import Pictures
from driflamme_tui.screens.table.table_clock import TableClock
from driflamme_tui.seat.sitting import LostConnection
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.widgets.table.seats import Seats
from netcode.client.session import Session
from tests.support.tables import (
    Pretended,
    SeatedApp,
    clock,
    evening_session,
    prompter_of,
    run_app,
    seats,
    session_at_line,
)

QUESTION = "2 4 bA2 rS,bA,gl *r3,b5,g2"


class Place:
    """A place at a table that nobody draws."""

    def __init__(self, session: Session) -> None:
        self.sitting = Pretended(session, "Blaise")
        self.terminal = Terminal(lambda _texts: None)
        self.terminal.clock = lambda: 1000.0
        self.answering = Answering(
            self.sitting,
            self.terminal,
            lambda: prompter_of(self.answering.view),
            self.sitting.answer,
        )
        self.pictures, self.event_lines = Pictures(), EventLines()

    def moment(self, countdown: Countdown | None = None, forced: str = "") -> TableState:
        return moment_of(
            self.sitting,
            self.answering,
            self.pictures,
            self.event_lines,
            glyphs=UNICODE,
            layout=fit(80, 24, 5, 2),
            now=1000.0,
            countdown=countdown,
            forced=forced,
        )


def test_a_question_stands_without_what_the_rules_decided_before_it() -> None:
    place = Place(session_at_line(QUESTION))
    assert place.moment(forced="Forced.").forced == "Forced."
    place.answering.ask(Question(place.answering.view))
    state = place.moment(forced="Forced.")
    assert state.question is place.answering.question
    assert state.forced == ""
    assert state.answerable
    assert reminder_at(state) is not None


def test_a_moment_names_the_players_of_the_lobby_and_words_each_event_once() -> None:
    place = Place(evening_session(43))
    first = place.moment()
    assert [player.name for player in first.players][:2] == ["Rosalind", "Blaise"]
    lines = place.event_lines.lines
    assert len(lines) == len(place.sitting.session.events) > 0
    assert place.moment() == first, "nothing has happened"
    assert place.event_lines.lines is lines


def test_a_lost_connection_and_a_pause_stop_the_question() -> None:
    place = Place(session_at_line(QUESTION))
    place.answering.ask(Question(place.answering.view))
    place.sitting.lost = LostConnection(1, 1005.0)
    lost = place.moment()
    assert lost.lost
    assert not lost.answerable
    paused = Place(session_at_line(QUESTION, paused=True, host=True))
    paused.answering.ask(Question(paused.answering.view))
    state = paused.moment()
    assert state.paused
    assert not state.answerable
    assert [*first_entries_at(state).values()] == ["go on"]


def test_the_clock_is_that_of_the_question_and_stands_for_nobodys_sake() -> None:
    place = Place(session_at_line(QUESTION))
    clocks = TableClock(place.terminal)
    assert clocks.running(place.sitting) is None
    clocks.update(clock(30.0))
    countdown = clocks.running(place.sitting)
    assert place.moment(countdown).time_left == 30
    clocks.update(clock(30.0, revision=7))
    assert clocks.running(place.sitting) is None, "it is of another question"
    clocks.update(clock(30.0, running=False))
    assert clocks.running(place.sitting) is None, "nobody is waited for"


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
