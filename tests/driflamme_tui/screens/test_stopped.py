"""Tests clock, pause, a bot in the player's seat, and a lost connection: texts and effects."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

import pytest

from driflamme_tui.screens.countdown import Countdown
from driflamme_tui.seat.player_seat import LostConnection
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.widgets.table.header import Header
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.widgets.table.seats import Seats
from driflamme_tui.wording.program.joining_words import (
    UNREACHED_ATTEMPT,
    lost_title,
    new_address_sentence,
    steady_latency,
    unreached_sentence,
)
from driflamme_tui.wording.program.people_words import pause_wish, pause_wish_sentence
from netcode.client.reconnection import Connected, ConnectionLost, News
from netcode.client.session import Session
from netcode.joining.invitation import Invitation
from netcode.protocol.messages import Act, Chat, Here, Line, Pause, Talk
from netcode.transport.address import Address
from netcode.transport.certificate import PIN_BYTES
from tests.support.by_hand import ARCHER, DOWN, PLACE, THEIRS, click, table_app
from tests.support.servers import SECRET
from tests.support.tables import (
    SIZES,
    Hands,
    SeatedApp,
    clock,
    evening_session,
    gathered,
    in_app,
    lobby,
    run_app,
    run_cases,
    seats,
    seen,
    session_at_line,
    state,
    welcome,
)

if TYPE_CHECKING:
    from driflamme_tui.seat.seat_session import SeatSession
    from netcode.client.connection import Connection


def header(app: SeatedApp) -> str:
    return app.rows()[app.table.query_one(Header).region.y]


def seats_row(app: SeatedApp) -> str:
    return app.rows()[app.table.query_one(Seats).region.y + 1]


def ticks(app: SeatedApp) -> bool:
    return app.table._ticker is not None


@in_app(lambda: table_app(ARCHER))
async def test_the_clock_is_counted_down_in_the_header_at_the_seat_and_last_in_the_bar(
    app: SeatedApp, hands: Hands
) -> None:
    assert app.table.next_change(app.now) is None
    assert not ticks(app), "without a clock nothing is drawn anew"
    await hands.receive(clock(41))
    assert ticks(app)
    for passed, shown in (
        (0, "0:41"),
        (0.9, "0:41"),
        (1.1, "0:40"),
        (31, "0:10"),
        (41, "0:00"),
    ):
        await hands.wait(1000 + passed - app.now)
        assert header(app).endswith(shown), passed
        assert seats_row(app).count(shown) == 1
        in_the_bar = f"{shown} left" in app.rows()[app.table.query_one(Prompt).region.y]
        assert in_the_bar == (passed > 30)
    assert not ticks(app), "a time that is over changes no more"
    await hands.wait(100)
    assert header(app).endswith("0:00")


@in_app(lambda: table_app(ARCHER))
async def test_a_clock_is_for_one_question_only_and_stands_still_in_a_pause(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.receive(lobby("rbg", "b", paused=True), clock(41, running=False))
    await hands.wait(10)
    assert header(app).endswith("‖ 0:41")
    assert "0:41" not in seats_row(app)
    assert app.table.next_change(app.now) is None, "nothing is drawn anew"
    app.receive(lobby("rbg", "b"), clock(41))
    await hands.receive(state(seen(THEIRS), 2))
    assert "0:41" not in header(app)
    app.now += 7
    await hands.receive(clock(60, revision=2))
    assert header(app).endswith("1:00"), "it runs from when it came"
    await hands.receive(clock(60, running=False, revision=2))
    assert "1:00" not in header(app), "it stands for nobody"


@pytest.mark.parametrize(
    ("left", "running", "passed", "shown", "change"),
    [
        (41.0, True, 0.0, 41, 1.0),
        (41.0, True, 0.25, 41, 0.75),
        (41.0, True, 1.0, 40, 1.0),
        (0.5, True, 0.0, 1, 0.5),
        (0.5, True, 9.0, 0, None),
        (41.0, False, 9.0, 41, None),
    ],
)
def test_seconds_are_rounded_up(
    left: float, running: bool, passed: float, shown: int, change: float | None
) -> None:
    countdown = Countdown(clock(left, running=running), 1000)
    assert countdown.shown(1000 + passed) == shown
    assert countdown.next_change(1000 + passed) == change


def acts(app: SeatedApp) -> list[str]:
    return [message.action for message in app.sent if isinstance(message, Act)]


@in_app(lambda: table_app(ARCHER))
async def test_a_choice_is_sent_just_before_the_time_is_up_and_not_earlier(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.receive(clock(41))
    await hands.press("right")
    await hands.wait(40.4)
    assert acts(app) == [], "until then it can be changed"
    await hands.wait(0.2)
    assert len(acts(app)) == 1
    assert "Your time was up, so your choice was played." in " ".join(app.rows())
    await hands.wait(5)
    assert len(acts(app)) == 1


@in_app(lambda: table_app(ARCHER))
async def test_a_host_that_delays_replies_gets_no_choice_long_before_the_time_is_up(
    app: SeatedApp, hands: Hands
) -> None:
    app.player_seat.latency_ms = 30_000
    await hands.receive(clock(41))
    await hands.press("right")
    await hands.wait(39)
    assert acts(app) == [], "until then it can be changed"
    await hands.wait(0.6)
    assert len(acts(app)) == 1


@in_app(lambda: table_app(ARCHER))
async def test_a_choice_in_the_last_second_is_sent_too(app: SeatedApp, hands: Hands) -> None:
    await hands.receive(clock(41))
    await hands.wait(40.2)
    await hands.press("right")
    await hands.wait(0.4)
    assert len(acts(app)) == 1


@pytest.mark.parametrize("how", ["nothing chosen", "dropped", "paused", "a card without a place"])
def test_without_a_whole_choice_or_while_the_time_stands_nothing_is_sent(how: str) -> None:
    @in_app(lambda: table_app(PLACE if how == "a card without a place" else ARCHER))
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.receive(clock(41))
        if how != "nothing chosen":
            await hands.press("right")
        if how == "dropped":
            await hands.press("escape")
        if how == "paused":
            await hands.receive(lobby("rbg", "b", paused=True), clock(0.4, running=False))
        await hands.wait(40.6)
        await hands.wait(10)
        assert acts(app) == []

    steps()


@in_app(lambda: table_app(ARCHER))
async def test_a_guest_asks_for_a_pause_by_the_key_that_pauses(
    app: SeatedApp, hands: Hands
) -> None:
    assert app.shows("Space pause?")
    await click(app, hands, "key Space")
    assert app.sent == [Chat(phrase="pause")]
    await hands.receive(lobby("rbg", "b", muted=("Blaise",)))
    await hands.type("space")
    assert app.sent[1:] == []
    assert app.shows("The host has muted you")
    await hands.receive(lobby("rbg", "b", paused=True))
    await hands.type("space")
    assert app.sent[1:] == []


@pytest.mark.parametrize("what", ["asked", "paused", "a guest", "my line", "a lobby", "earlier"])
def test_a_host_is_told_who_asks_for_a_pause_of_a_running_game(what: str) -> None:
    session = session_at_line(ARCHER, host=what != "a guest")
    session.name = "Blaise"
    fields = {"paused": what == "paused", "phase": "lobby" if what == "a lobby" else "playing"}
    session.receive(lobby("rbg", "b", host=what != "a guest", **fields))
    line = Line(name="Blaise" if what == "my line" else "Gaspard", family="g", phrase="pause")
    lines = [line, line] if what == "earlier" else [line]
    assert pause_wish(lines, session) == ("Gaspard" if what == "asked" else "")
    sentence = "Gaspard asks for a pause: Space grants it."
    assert pause_wish_sentence("Gaspard", UNICODE) == sentence


def test_only_the_first_attempt_says_that_it_is_the_line() -> None:
    assert lost_title(LostConnection(1, 1004), 1000).startswith("CONNECTION LOST")
    assert lost_title(LostConnection(2, 1004), 1000).startswith("HOST DOES NOT ANSWER")


@pytest.mark.parametrize(
    ("clock_s", "was_lost", "why"),
    [
        (30, False, "your time was up."),
        (30, True, "your connection was lost."),
        (0, True, "your connection was lost."),
        (0, False, "you had not answered."),
    ],
)
def test_whose_question_a_bot_has_answered_is_told_why(
    clock_s: int, was_lost: bool, why: str
) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        here = {"settings": {"clock_s": clock_s}}
        app.receive(lobby("rbg", "b", **here))
        for is_last in (False, True):
            if was_lost or not is_last:
                app.player_seat.lost = LostConnection(1, 1004)
                app.base.sync()
                app.player_seat.lost = None
                app.base.sync()
            if not is_last:
                # The connection was lost, so the answer does not count as late.
                await hands.receive(state(seen(ARCHER), 1))
        sentence = f"A bot has decided for you: {why}"
        await hands.receive(state(seen(THEIRS), 2))
        assert app.shows(sentence)
        await hands.receive(lobby("rbg", "b", **here, paused=True))
        assert not app.shows("A bot has decided"), "the pause has its own sentence"
        await hands.receive(lobby("rbg", "b", **here))
        assert app.shows(sentence)
        await hands.receive(state(seen(THEIRS), 3))
        assert app.shows(sentence), "until the reader does something"
        await hands.receive(state(seen(DOWN), 4))
        assert not app.shows("A bot has decided"), "or is asked again"

    run_app(table_app(ARCHER), steps)


@in_app(lambda: table_app(ARCHER))
async def test_a_pause_is_seen_and_one_looks_reads_and_talks_in_it_but_answers_nothing(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("1")
    await hands.receive(lobby("rbg", "b", paused=True))
    assert app.shows("‖ PAUSED BY THE HOST")
    assert app.shows("Next: YOUR ARCHER AT 2 — eliminate the first")
    assert not app.shows("The clock is stopped too."), "this table has no clock"
    assert not app.shows("Space")
    await hands.type("i right 1")
    assert app.shows("done")
    assert not app.shows("nothing can be answered")
    await hands.type("enter k escape e escape t escape")
    assert app.table.is_current
    assert not app.shows("done")
    for keys in ("enter", "right", "3", "end"):
        app.table.notice = ""
        await hands.type(keys)
        assert app.shows("The host has paused the game: nothing can be answered until"), keys
    for where in ("stack 3", "stack 1", "bar", "row 1", "stack 1"):
        await click(app, hands, where)
    await hands.type("escape space")
    assert app.sent == []
    await hands.type("enter")
    assert app.shows("nothing can be answered")
    await hands.receive(lobby("rbg", "b"))
    assert app.shows("YOUR ARCHER AT 2")
    assert not app.shows("nothing can be answered")
    await hands.type("enter")
    assert app.answers == "x1", "the choice was kept"


@in_app(lambda: SeatedApp(session_at_line(ARCHER, host=True)))
async def test_the_host_pauses_and_goes_on(app: SeatedApp, hands: Hands) -> None:
    await hands.type("space")
    assert app.sent == [Pause(paused=True)]
    await hands.receive(lobby("rbg", "b", paused=True, host=True))
    assert app.shows("‖ PAUSED, BY YOU")
    assert app.shows("Space resumes")
    await hands.type("enter")
    assert app.shows("You have paused the game: nothing can be answered until you press Space.")
    await hands.type("space")
    await click(app, hands, "key Space")
    assert app.sent[1:] == [Pause(paused=False)] * 2


@in_app(lambda: SeatedApp(session_at_line(ARCHER, host=True, settings={"clock_s": 30})))
async def test_a_pause_stops_the_clock_of_a_table_that_has_one(
    app: SeatedApp, hands: Hands
) -> None:
    here = {"settings": {"clock_s": 30}, "host": True}
    await hands.receive(lobby("rbg", "b", paused=True, **here))
    assert app.shows("The clock is stopped too. Next: YOUR ARCHER AT 2")


@in_app(lambda: SeatedApp(session_at_line(ARCHER, host=True), guard_s=0.4))
async def test_a_key_pressed_twice_pauses_the_game_and_does_not_resume_it(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("space")
    await hands.receive(lobby("rbg", "b", paused=True, host=True))
    await hands.type("space")
    assert app.sent == [Pause(paused=True)]
    app.now += 1
    await hands.type("space")
    assert app.sent[1:] == [Pause(paused=False)]


@in_app(lambda: SeatedApp(session_at_line(ARCHER, host=True)))
async def test_a_wish_for_a_pause_is_shown_until_it_is_granted(
    app: SeatedApp, hands: Hands
) -> None:
    def shown() -> list[str]:
        return [each.message for each in app._notifications]

    # Textual shows no notifications in tests unless this attribute is set.
    app._disable_notifications = False
    wish = pause_wish_sentence("Gaspard", UNICODE)
    app.warn("Something else.")
    talk = Talk(first=0, lines=(Line(name="Gaspard", family="g", phrase="pause"),))
    app.session.receive(talk)
    assert app.place.receive(cast("SeatSession", app.player_seat), talk)
    await hands.until(lambda: shown() == ["Something else.", wish])
    await hands.receive(lobby("rbg", "b", paused=True, host=True))
    await hands.until(lambda: shown() == ["Something else."])


LINK = Invitation((Address("192.168.1.20"),), bytes(PIN_BYTES), SECRET)
MOVED = replace(LINK, addresses=(Address("192.168.1.99"),))
MORE = replace(LINK, indirect=(Address("relay.example"),))


@in_app(lambda: SeatedApp(session_at_line(ARCHER, host=True, invitation=str(LINK))))
async def test_a_host_reads_that_their_address_has_changed(app: SeatedApp, hands: Hands) -> None:
    app._disable_notifications = False
    await hands.receive(lobby("rbg", "b", host=True, invitation=str(MORE)))
    await hands.receive(lobby("rbg", "b", host=True, invitation=str(MOVED)))
    await hands.until(lambda: [*app._notifications])
    assert [each.message for each in app._notifications] == [new_address_sentence("w", "i")]


@in_app(lambda: SeatedApp(session_at_line(ARCHER)))
async def test_a_guest_reads_what_to_do_while_the_host_stays_out_of_reach(
    app: SeatedApp, hands: Hands
) -> None:
    def shows(sentences: list[str]) -> bool:
        return [each.message for each in app._notifications] == sentences

    def receive(news: News) -> None:
        assert app.place.receive(cast("SeatSession", app.player_seat), news)

    app._disable_notifications = False
    for secret in (None, SECRET):
        app.session.secret = secret
        for attempt in range(1, UNREACHED_ATTEMPT + 3):
            receive(ConnectionLost(attempt, 3.0))
            expected = [unreached_sentence()] * (
                secret is not None and attempt >= UNREACHED_ATTEMPT
            )
            await hands.until(partial(shows, expected))
    receive(Connected(cast("Connection", None)))
    await hands.until(partial(shows, []))
    receive(ConnectionLost(UNREACHED_ATTEMPT, 3.0))
    await hands.until(partial(shows, [unreached_sentence()]))
    app.place.leave_for_good()
    await hands.until(partial(shows, []))


STOOD_IN = seats("rbg", how={"b": "bot"})


def test_any_key_that_would_decide_takes_the_seat_back() -> None:
    async def steps(app: SeatedApp, hands: Hands, key: str) -> None:
        assert app.shows("A BOT PLAYS FOR YOU, as you have not answered in time")
        assert app.shows("Enter to take it back")
        if key == "stack 1":
            await click(app, hands, key)
            await click(app, hands, key)
        else:
            await hands.type(key)
            await hands.type(key)
        assert app.sent == [Here()], "once is enough"
        assert app.shows("Taking your seat back…")
        await hands.receive(lobby("rbg", "b"))
        assert app.shows("YOUR ARCHER AT 2")
        await hands.type("1 enter")
        assert app.answers == "x1"

    keys = ("enter", "a", "end", "stack 1")
    run_cases(keys, lambda _key: session_at_line(ARCHER, seats=STOOD_IN), steps)


AWAY_FOR = (
    ("grace", "◌away", "◌away, bot soon", "a bot answers after 20 s, unless they are back."),
    ("wait", "◌wait", "◌away, waiting", "everybody waits for them, as the host decided."),
    ("bot", "◌bot", "◌away, bot", "a bot answers for them until they are back."),
)
"""The host's choices about an absent player: on narrow and wide screens, and as a sentence."""


@pytest.mark.parametrize("size", SIZES)
def test_who_is_away_and_what_for(size: tuple[int, int]) -> None:
    async def steps(app: SeatedApp, hands: Hands, case: tuple[str, str, str, str]) -> None:
        _how, narrow, wide, sentence = case
        expected = narrow if size == SIZES[0] else wide
        assert expected in seats_row(app)
        assert app.shows(f"Rosalind is away: {sentence}")

    def session(case: tuple[str, str, str, str]) -> Session:
        return evening_session(44, "b", seats=seats("rbgyv", away="r", how={"r": case[0]}))

    run_cases(AWAY_FOR, session, steps, size)


async def set_connection(app: SeatedApp, hands: Hands, lost: LostConnection | None) -> None:
    """Lose the connection, or restore it if `lost` is None."""
    app.player_seat.lost = lost
    app.place.show()
    await hands.pause()


@in_app(lambda: table_app(ARCHER))
async def test_a_lost_line_freezes_the_table_but_leaves_it_there(
    app: SeatedApp, hands: Hands
) -> None:
    app.receive(clock(41))
    await hands.type("1")
    await set_connection(app, hands, LostConnection(3, app.now + 4))
    assert app.shows("HOST DOES NOT ANSWER — trying again in 4 s, attempt 3")
    assert app.shows("r tries at once")
    assert "◌ connection lost" in header(app)
    assert "0:41" not in header(app), "nobody knows how much is left"
    assert app.shows("Your choice is kept.")
    assert app.shows("Sold")
    assert not app.shows("[3]"), "nothing may be chosen"
    await hands.type("enter 3 right")
    assert app.shows("The connection is lost: you can answer once it is back.")
    await hands.wait(2.5)
    assert app.shows("trying again in 2 s")
    await hands.wait(2)
    assert app.shows("HOST DOES NOT ANSWER — trying now, attempt 3")
    assert app.sent == []
    app.player_seat.lost = None
    at = app.session.view
    assert at is not None
    await hands.receive(welcome("b"), lobby("rbg", "b"), state(at), clock(30))
    assert header(app).endswith("0:30")
    await hands.type("enter")
    assert app.answers == "x1", "the choice was kept"


def test_r_tries_at_once() -> None:
    async def steps(app: SeatedApp, hands: Hands, session: Session) -> None:
        await set_connection(app, hands, None)
        await hands.type("r")
        assert app.hooked == []
        app.sent.clear()
        await set_connection(app, hands, LostConnection(3, app.now + 4))
        assert app.shows("HOST DOES NOT ANSWER — trying again in 4 s, attempt 3")
        await hands.type("r")
        await click(app, hands, "key r")
        if session.view is not None:
            await click(app, hands, "row 0")
        assert {*app.hooked} == {"retry"}
        assert len(app.hooked) == 2 + (session.view is not None)
        assert app.sent == []
        await hands.wait(1)
        assert app.shows("trying again in 3 s")

    sessions = session_at_line(ARCHER), session_at_line(THEIRS), gathered("bg", "b")
    run_cases(sessions, lambda session: session, steps)


@in_app(lambda: table_app(ARCHER))
async def test_an_answer_on_its_way_when_the_line_is_lost_is_not_given_twice(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("1 enter")
    await set_connection(app, hands, LostConnection(1, app.now + 1))
    await hands.type("3 enter")
    await set_connection(app, hands, None)
    await hands.type("3 enter")
    assert [message for message in app.sent if isinstance(message, Act)] == [app.session.pending]


@in_app(lambda: table_app(ARCHER))
async def test_the_round_trip_is_shown_when_it_is_known_and_the_room_as_far_as_there_is_room(
    app: SeatedApp, hands: Hands
) -> None:
    assert "ms" not in header(app)
    app.player_seat.latency_ms = 38
    await hands.receive(clock(41))
    assert header(app).endswith("second edition · ● 38 ms · 0:41")
    app.player_seat.latency_ms = 44
    app.place.show()
    await hands.pause()
    assert "38 ms" in header(app), "a little more or less is not worth a repaint"
    app.player_seat.latency_ms = 240
    await hands.receive(lobby("rbg", "b", code="K7QF2MXR"))
    assert header(app).endswith("Table K7Q · ● 240 ms · 0:41")
    assert not app.shows("F2MXR"), "the rest of the code is not for all to read"


@pytest.mark.parametrize(
    ("shown", "measured", "then"),
    [
        (None, 38, 38),
        (38, None, None),
        (38, 48, 38),
        (38, 49, 49),
        (200, 250, 200),
        (200, 251, 251),
        (200, 149, 149),
    ],
)
def test_small_changes_of_the_round_trip_are_let_pass(
    shown: int | None, measured: int | None, then: int | None
) -> None:
    assert steady_latency(shown, measured) == then


@pytest.mark.parametrize("keys", ["", "1"])
def test_only_a_choice_that_was_made_is_said_to_be_kept(keys: str) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type(keys)
        await set_connection(app, hands, LostConnection(3, app.now + 4))
        assert app.shows("until the connection is back.")
        assert app.shows("Your choice is kept.") == bool(keys)

    run_app(table_app(ARCHER), steps)
