"""Tests the app's place at a table: its notices, the screen of each phase, and the ways out."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, cast

import pytest
from msgspec.structs import replace as changed
from textual.notifications import Notification, SeverityLevel
from textual.screen import Screen
from textual.widgets import Input

from driflamme_tui.app import table_place
from driflamme_tui.app.app_parts import AppPart
from driflamme_tui.app.table_place import TablePlace
from driflamme_tui.hosting.host_plans import SoloPlan
from driflamme_tui.preferences.remembered import recall, remember
from driflamme_tui.preferences.visits import TABLES
from driflamme_tui.screens.lobby_screen import LobbyScreen
from driflamme_tui.screens.overlays.code_overlay import CodeOverlay, NameOverlay
from driflamme_tui.screens.overlays.seats_overlay import SeatsOverlay
from driflamme_tui.screens.result_screen import ResultScreen
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.screens.table.live_screen import LiveScreen
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.seat.seat_session import SeatSession
from driflamme_tui.seat.targets import CodeTarget, Join, Plan, ResolvedTarget
from driflamme_tui.wording.program.joining_words import UNREACHED_ATTEMPT
from engine.views import View
from netcode.client.connection import ConnectError, Connection
from netcode.client.reconnection import Connected, ConnectionLost, HostMoved, News
from netcode.client.session import Session
from netcode.isolation import IsolatedParts
from netcode.joining.discovery import FoundTable
from netcode.joining.invitation import Invitation
from netcode.protocol.messages import (
    PROTOCOL,
    Goodbye,
    Guessing,
    Line,
    Lobby,
    Refused,
    SeatInfo,
    SeatWish,
    Talk,
)
from netcode.protocol.refusal_sentences import refusal_sentence
from netcode.transport.address import Address
from netcode.transport.certificate import PIN_BYTES
from netcode.transport.channel import Channel
from tests.support.servers import SECRET
from tests.support.tables import (
    EVENING_STEPS,
    Hands,
    SeatedApp,
    evening_session,
    gathered,
    run_app,
    seats,
    state,
    welcome,
)


async def nowhere() -> Channel:
    raise ConnectError("There is no network.")


HOST = Address("192.168.1.20")
TARGET = ResolvedTarget(nowhere, SECRET, "typed", "place", secure=True)


class Seat(SeatSession):
    """A seat at another person's table, whose host says what a test has written down."""

    def __init__(
        self, session: Session, script: Sequence[News] = (), error: ConnectError | None = None
    ) -> None:
        super().__init__("Blaise", session, nowhere, target=TARGET)
        self.script, self.error = script, error
        self.let_in, self.private = True, False
        self.left: list[object] = []

    @property
    def is_let_in(self) -> bool:
        return self.let_in

    @property
    def is_private(self) -> bool:
        return bool(vars(self).get("private"))

    async def stay(self, on_news: Callable[[News], bool | None]) -> bool:
        for news in self.script:
            if not isinstance(news, ConnectionLost | Connected | HostMoved):
                self.session.receive(news)
            self._receive(news)
            if on_news(news) is False:
                return False
        if self.error is not None:
            raise self.error
        if self.session.goodbye is None:
            await asyncio.Event().wait()
        return True

    async def leave(self, *, leaves: bool) -> None:
        self.left.append(leaves)

    async def close(self) -> None:
        self.left.append("closed")


class PlaceApp(SeatedApp):
    """The app at a scripted seat."""

    player_seat: Any

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.player_seat = Seat(session)
        self.calls: list[str] = []
        vars(self.terminal)["call"] = self.calls.append

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Add a notice at once, and for good. Textual would post a message, and read a clock."""
        assert not markup, "names may contain what looks like markup"
        self._notifications.add(Notification(message, title, severity, inf, markup))

    def begin(
        self,
        session: Session,
        plan: Plan | None = None,
        *,
        is_only: bool = False,
        sees_result: bool = False,
    ) -> None:
        """Sit down at another table as if the app had just started."""
        for notice in [*self._notifications]:
            self._unnotify(notice)
        self.player_seat.release_seat()
        self.player_seat = Seat(session)
        make = self._start_screen
        self.place = TablePlace(self, plan, start_screen=make, is_only=is_only)
        self.place.saw_result = sees_result
        self.place.show()

    def receive_news(self, *news: News) -> bool:
        """Receive news as the worker of a table does."""
        seat, stays = self.player_seat, True
        for each in news:
            seat._receive(each) if isinstance(each, ConnectionLost | Connected) else None
            if not isinstance(each, ConnectionLost | Connected | HostMoved):
                seat.session.receive(each)
            stays = self.place.receive(seat, each)
        return stays

    def notices(self) -> list[str]:
        """Return the shown notices; "!" precedes warnings."""
        return [
            ("!" if each.severity == "warning" else "") + each.message
            for each in self._notifications
        ]


BOTS = seats("rbgyv", bots="gv", host="r")
WISHES = (SeatWish("Zoe", "v"), SeatWish("Max", "g"))
PAUSE = Talk(first=0, lines=(Line(name="Gaspard", family="g", phrase="pause"),))
REFUSED = Refused(code="wish_refused", values={"family": "v"})
LINK = Invitation((HOST,), bytes(PIN_BYTES), SECRET)
MOVED = replace(LINK, addresses=(Address("192.168.1.99"),))


def playing(**fields: Any) -> Session:
    return evening_session(20, "b", **fields)


def hosting(**fields: Any) -> Session:
    given = {"host": True, "seats": BOTS, "spectators": ("Zoe", "Max"), **fields}
    return evening_session(20, "r", **given)


def by_link() -> Session:
    session = playing()
    session.secret = SECRET
    return session


def watching(**fields: Any) -> Session:
    session = evening_session(20, "-", **{"seats": BOTS, "spectators": ("Zoe", "Max"), **fields})
    session.name = "Zoe"
    return session


def of(session: Session, **fields: Any) -> Lobby:
    """Return the session's lobby with other fields."""
    assert session.lobby is not None
    return changed(session.lobby, **fields)


def named(at: Sequence[SeatInfo], family: str, name: str) -> tuple[SeatInfo, ...]:
    """Return the seats with a person in the place of a family's bot."""
    return tuple(changed(s, name=name, bot=None) if s.family == family else s for s in at)


def seen_now(session: Session) -> View:
    assert session.view is not None
    return session.view


def lost(attempt: int, closed: Goodbye | None = None) -> ConnectionLost:
    return ConnectionLost(attempt, 3.0, closed)


@dataclass(frozen=True)
class Course:
    """What happens at a table: each time news, and then the beginnings of all notices."""

    session: Callable[[], Session]
    steps: Callable[[Session], Sequence[tuple[Sequence[News], Sequence[str]]]]


ASKS = "Gaspard"
OUT_OF_REACH = "The host may have a new address"
GIVES = "Zoe would like the seat of Vasco. j gives it, u refuses.", "Max would like the seat of Gas"
WAITS = "Rosalind decides whether you get the seat of Vasco. Until then you watch. j shows your"

COURSES: dict[str, Course] = {
    "a pause that is granted": Course(
        hosting,
        lambda at: [
            ([PAUSE], [ASKS]),
            ([of(at)], [ASKS]),
            ([of(at, paused=True)], []),
            ([of(at)], []),
        ],
    ),
    "a pause in a game that ends": Course(
        hosting, lambda at: [([PAUSE], [ASKS]), ([of(at, phase="result")], [])]
    ),
    "a host who moves": Course(
        playing, lambda at: [([HostMoved(HOST)], [f"The host has a new address, {HOST}"])]
    ),
    "a host who does not answer": Course(
        by_link,
        lambda at: [
            ([lost(UNREACHED_ATTEMPT - 1)], []),
            ([lost(UNREACHED_ATTEMPT)], [OUT_OF_REACH]),
            ([lost(UNREACHED_ATTEMPT + 1)], [OUT_OF_REACH]),
            ([Connected(cast("Connection", None))], []),
            ([lost(UNREACHED_ATTEMPT, Goodbye(code="host_left"))], []),
        ],
    ),
    "a closed table in a game": Course(
        playing, lambda at: [([lost(1, Goodbye(code="host_left"))], [])]
    ),
    "a closed table before the lobby": Course(
        Session,
        lambda at: [
            ([lost(2, Goodbye(code="host_left"))], []),
            ([lost(1, Goodbye(code="host_left"))], ["!"]),
        ],
    ),
    "wishes that the host answers": Course(
        hosting,
        lambda at: [
            ([of(at, wishes=WISHES[:1])], GIVES[:1]),
            ([of(at, wishes=WISHES[:1])], GIVES[:1]),
            ([of(at, wishes=WISHES)], GIVES),
            ([of(at)], []),
            ([of(at, wishes=WISHES[1:])], GIVES[1:]),
        ],
    ),
    "a wish of one's own that is refused": Course(
        watching,
        lambda at: [
            ([of(at, wishes=WISHES[1:])], []),
            ([of(at, wishes=WISHES)], [WAITS]),
            ([of(at)], [WAITS]),
            ([REFUSED], ["The host leaves the seat of ■v Vasco to the bot"]),
            ([Refused(code="refused_lately", values={"seconds": 30})], ["The host leaves"]),
        ],
    ),
    "a wish of one's own that is granted": Course(
        watching,
        lambda at: [
            ([of(at, wishes=WISHES)], [WAITS]),
            ([welcome("v")], ["You"]),
            ([of(at, you="v", seats=named(BOTS, "v", "Zoe"))], ["You"]),
        ],
    ),
    "wishes of others": Course(playing, lambda at: [([of(at, wishes=WISHES)], [])]),
    "a taken seat": Course(
        lambda: playing(seats=BOTS),
        lambda at: [
            ([of(at, seats=named(BOTS, "g", "[b]Zoe"))], ["[b]Zoe takes the seat of Gaspard."]),
            ([of(at, seats=named(BOTS, "g", "[b]Zoe"))], ["[b]Zoe takes the seat of Gaspard."]),
        ],
    ),
    "a host with a new address": Course(
        lambda: hosting(invitation=str(LINK), secret=SECRET),
        lambda at: [
            ([of(at, invitation=str(MOVED))], ["This machine"]),
            ([of(at, invitation=str(MOVED))], ["This machine"]),
        ],
    ),
    "a host with a new invitation": Course(
        lambda: hosting(invitation=str(LINK), secret=SECRET),
        lambda at: [([of(at, invitation=str(MOVED), secret=bytes(12))], [])],
    ),
    "a guest whose host has a new address": Course(
        lambda: playing(invitation=str(LINK)), lambda at: [([of(at, invitation=str(MOVED))], [])]
    ),
    "guesses in a game": Course(
        hosting,
        lambda at: [
            ([Guessing(wrong=1)], ["!"]),
            ([Guessing(wrong=1)], ["!"]),
            ([Guessing(wrong=2)], ["!", "!"]),
            ([Guessing(wrong=0)], ["!", "!"]),
        ],
    ),
    "guesses in a lobby": Course(
        lambda: gathered("rbg", "b", host=True), lambda at: [([Guessing(wrong=1)], [])]
    ),
    "guesses that a guest hears of": Course(playing, lambda at: [([Guessing(wrong=1)], [])]),
    "levels of bots": Course(
        lambda: playing(seats=BOTS),
        lambda at: [
            ([of(at, seats=levels("sharp", "steady"))], ["Bots now play at the level"]),
            ([of(at, seats=levels("sharp", "steady"))], ["Bots now play at the level"]),
            ([of(at, seats=named(levels("sharp"), "v", "Zoe"))], ["Bots now", "Zoe takes"]),
            ([of(at, phase="lobby", seats=levels("steady"))], ["Bots now", "Zoe takes"]),
            (
                [of(at, seats=levels("steady", "sharp"))],
                [
                    "Bots now",
                    "Zoe takes",
                    "Bots now play at the level of your past games: Vasco",
                ],
            ),
        ],
    ),
}


def levels(*bots: str) -> tuple[SeatInfo, ...]:
    """Return the seats with these levels of the first bots."""
    given = iter(bots)
    return tuple(changed(s, bot=next(given, s.bot)) if s.bot else s for s in BOTS)


def test_a_notice_is_shown_once_and_until_it_is_settled() -> None:
    async def steps(app: PlaceApp, hands: Hands) -> None:
        for name, course in COURSES.items():
            session = course.session()
            app.begin(session)
            for news, beginnings in course.steps(session):
                assert app.receive_news(*news), name
                notices = app.notices()
                assert len(notices) == len(beginnings), (name, news, notices)
                for notice, beginning in zip(notices, beginnings, strict=True):
                    assert notice.startswith(beginning), (name, news)

    run_app(PlaceApp(playing()), steps)


# The screen of each phase


def ended(**fields: Any) -> Session:
    return evening_session(EVENING_STEPS, "b", **fields)


PHASES: Sequence[tuple[Callable[[], Session], bool, type[object], bool]] = (
    (lambda: gathered("rbg", "b"), False, LobbyScreen, False),
    (lambda: gathered("rbg", "b"), True, LobbyScreen, False),
    (playing, False, LiveScreen, False),
    (playing, True, LiveScreen, False),
    (ended, False, LiveScreen, False),
    (ended, True, ResultScreen, True),
    (lambda: ended(count_s=3), False, ResultScreen, True),
    (lambda: ended(phase="lobby"), False, LobbyScreen, False),
    (lambda: ended(phase="lobby"), True, LobbyScreen, True),
    (lambda: playing(phase="lobby", count_s=3), False, LobbyScreen, False),
)
"""Sessions, True if the player has gone to the result, the screen, and True if the result stays."""


def test_each_phase_has_its_screen_and_a_result_stays_until_the_next_deal() -> None:
    async def steps(app: PlaceApp, hands: Hands) -> None:
        for number, (session, sees_result, screen, keeps_result) in enumerate(PHASES):
            app.begin(session(), sees_result=sees_result)
            await hands.pause()
            assert type(app.lowest_screen) is screen, number
            assert app.place.saw_result is keeps_result, number
        before = app.lowest_screen
        app.session.refusal = Refused(code="muted")
        app.place.show()
        await hands.pause()
        assert app.lowest_screen is before, "the same screen shows the next news"
        assert app.shows("The host has muted you")
        app.session.refusal = Refused(code="muted")
        app.receive(of(app.session, phase="playing"))
        await hands.pause()
        assert isinstance(app.lowest_screen, LiveScreen)
        assert not app.shows("The host has muted you"), "that was said at the lobby"
        app.begin(playing())
        for is_private in (True, False):
            # At a private table nobody else can write.
            app.player_seat.private = is_private
            app.receive_news(changed(PAUSE, first=int(not is_private)))
        assert app.calls == ["Gaspard writes in the chat."]

    run_app(PlaceApp(playing()), steps)


# Ways to a table, and from it

JOIN: Plan = Join(TARGET)


class TravellingApp(PlaceApp):
    """The app on its way to tables that answer as a test has written down."""

    def __init__(self) -> None:
        super().__init__(playing())
        self.replies: list[Seat | ConnectError] = []
        """The next tables; an error for a table that cannot be reached."""
        self.plans: list[tuple[Plan, str]] = []
        """The plans so far, each with the player's name."""
        self.codes: list[int] = []
        """The return codes with which the app wanted to end."""

    async def sit_down(self, plan: Plan, name: str, _notify: object) -> Seat:
        self.plans.append((plan, name))
        reply = self.replies.pop(0)
        if isinstance(reply, ConnectError):
            raise reply
        return reply

    def exit(self, result: object = None, return_code: int = 0, message: object = None) -> None:
        self.codes.append(return_code)

    async def go(
        self,
        hands: Hands,
        *replies: Seat | ConnectError,
        plan: Plan = JOIN,
        first: Plan | None = None,
        is_only: bool = False,
    ) -> None:
        """Begin at no table, and go to one; the next ones answer later plans."""
        self.begin(Session(), first, is_only=is_only)
        if not isinstance(self.screen, StartScreen):
            self.change_screen(StartScreen())
            await hands.pause()
        self.screen.query_one("#address", Input).value = "written"
        self.player_seat.release_seat()
        self.player_seat = PlayerSeat(Session(), "Blaise")
        self.plans.clear()
        self.replies = [*replies]
        self.place.go(plan)
        await hands.pause()

    def start(self) -> tuple[str, str]:
        """Return the notice and the typed address of the start screen."""
        assert isinstance(self.screen, StartScreen)
        return self.screen.notice, self.screen.query_one("#address", Input).value


def travelling(
    monkeypatch: pytest.MonkeyPatch, steps: Callable[[TravellingApp, Hands], Awaitable[None]]
) -> None:
    app = TravellingApp()
    monkeypatch.setattr(table_place, "sit_down", app.sit_down)
    run_app(app, steps)


def error(sentence: str, code: str = "") -> ConnectError:
    raised = ConnectError(sentence)
    raised.code = code
    return raised


def at_lobby(*news: News, failure: ConnectError | None = None, **fields: Any) -> Seat:
    """Return a seat in Rosalind's lobby, whose host then sends some news."""
    session = gathered("rbg", "b", seats=seats("rbg", host="r"), secret=SECRET, **fields)
    session.secret = SECRET
    return Seat(session, (welcome("b"), of(session), *news), failure)


def outside(code: str, **values: Any) -> Seat:
    """Return a seat at a table that has refused to let the player in."""
    seat = Seat(Session(secret=SECRET), (Refused(code=code, values=values),))
    seat.let_in = False
    return seat


def test_a_table_is_remembered_until_it_says_that_the_seat_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def steps(app: TravellingApp, hands: Hands) -> None:
        for code, reason, keeps in (
            ("host_left", "", True),
            ("removed", "", False),
            ("host_quit", "", False),
        ):
            seat = at_lobby(Goodbye(code=code))
            await app.go(hands, seat)
            notice, address = app.start()
            assert notice == refusal_sentence(Goodbye(code=code)), code
            assert reason in notice
            assert address == ("" if code == "host_quit" else "typed"), code
            assert (recall().name, recall().address) == ("Blaise", address)
            assert bool(recall().back) is keeps, code
            assert bool(TABLES.latest()) is (code != "host_quit"), code
            assert seat.left == [True, "closed"]
            remember(back=())

    travelling(monkeypatch, steps)


def test_a_way_that_fails_leads_back_to_the_start_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def steps(app: TravellingApp, hands: Hands) -> None:
        # Nobody answers, before and after the first lobby.
        await app.go(hands, error("Nobody answers."))
        assert app.start() == ("Nobody answers.", "written")
        await app.go(hands, at_lobby(failure=error("The host contradicts itself.")))
        assert app.start() == ("The host contradicts itself.", "typed")
        # The table does not let the player in.
        await app.go(hands, outside("upgrade_host", yours=2, theirs=1))
        assert app.start()[0].startswith("This program speaks protocol 2")
        assert app.start()[1] == "written"
        seat = outside("no_such_table")
        assert seat._seat is not None
        seat._seat.forget()
        await app.go(hands, seat)
        assert app.start() == (refusal_sentence(Refused(code="no_such_table")), "")
        assert seat.left == [True, "closed"]
        seat = outside("no_such_table")
        assert seat._seat is not None
        seat._seat.remember(bytes(32))
        await app.go(hands, seat)
        assert app.start()[0].startswith("Your table is not open at its address now, but your seat")
        assert app.start()[1] == "written"
        # The screen of the table shows refusals there.
        await app.go(hands, at_lobby(Refused(code="muted")))
        assert isinstance(app.screen, LobbyScreen)
        assert app.shows("The host has muted you")
        # The first plan ends the program, and a later one does not.
        assert app.codes == []
        await app.go(hands, error("Nobody answers."), first=JOIN)
        assert (app.codes, app.failure) == ([2], "Nobody answers.")
        await app.go(hands, at_lobby(failure=error("Lost.")), first=JOIN)
        assert (app.codes, app.failure, app.start()[0]) == ([2], "", "Lost.")
        await app.go(hands, at_lobby(failure=error("Lost.")), first=JOIN, is_only=True)
        assert (app.codes, app.failure) == ([2, 2], "Lost.")

    travelling(monkeypatch, steps)


def test_a_taken_name_and_a_wrong_code_are_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def steps(app: TravellingApp, hands: Hands) -> None:
        taken, wrong = "The name Blaise is already taken here", error("No such code.", "wrong_code")
        for keys, names in (("end 2 enter", ["Blaise", "Blaise2"]), ("escape", ["Blaise"])):
            await app.go(hands, outside("name_taken", name="Blaise"), at_lobby())
            assert isinstance(app.screen, NameOverlay)
            assert app.shows(taken)
            await hands.type(keys)
            await hands.pause()
            assert [name for _plan, name in app.plans] == names
        assert app.start()[0].startswith(taken)
        # Without a reason, the player types a name before the first table.
        app.place.ask_name("")
        await hands.type("escape")
        assert app.codes == [0]
        target = CodeTarget(HOST, "K7QF2MXR")
        for keys, codes in (
            ("backspace c enter", ["K7QF2MXR", "K7QF2MXC"]),
            ("escape", ["K7QF2MXR"]),
        ):
            await app.go(hands, wrong, error("Nobody answers."), plan=Join(target, watch=True))
            assert isinstance(app.screen, CodeOverlay)
            assert app.shows(f"The table at {HOST}")
            assert app.shows("No such code.")
            await hands.type(keys)
            await hands.pause()
            plans = [cast("Join", plan) for plan, _name in app.plans]
            assert [cast("CodeTarget", plan.target).code for plan in plans] == codes
            assert all(plan.watch for plan in plans)
            assert app.start()[0] == ("Nobody answers." if len(codes) > 1 else "No such code.")
        # The overlay names the host, unless two tables have this address.
        for hosts in (["Rosalind"], ["Rosalind", "Yvette"]):
            assert isinstance(app.screen, StartScreen)
            app.screen.take_found([FoundTable(name, HOST, "K7Q", PROTOCOL) for name in hosts])
            app.replies = [wrong]
            app.place.go(Join(target))
            await hands.pause()
            await hands.pause()
            assert app.shows(f"Rosalind's table at {HOST}") is (len(hosts) == 1)
            await hands.type("escape")
            await hands.pause()

    travelling(monkeypatch, steps)


def test_a_latecomer_watches_and_is_offered_the_seats_of_bots_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def steps(app: TravellingApp, hands: Hands) -> None:
        for code, you, is_offered in (
            ("game_under_way", None, True),
            ("table_full", None, True),
            ("game_under_way", "g", False),
            ("muted", None, False),
        ):
            session = watching()
            seat = Seat(session, (Refused(code=code), of(session, you=you)))
            seat.let_in = False
            await app.go(hands, seat)
            if code == "muted":
                assert isinstance(app.screen, StartScreen)
                continue
            assert not isinstance(app.screen, SeatsOverlay), "nobody knows yet whether bots play"
            for _ in range(2):
                app.receive_news(state(seen_now(session), 99))
                await hands.pause()
                assert isinstance(app.screen, SeatsOverlay) is is_offered, (code, you)
                if is_offered:
                    await hands.type("escape")
                is_offered = False
        # In a lobby, the overlay says that all seats are taken.
        gathering = gathered("rbgyv", None, spectators=("Zoe",))
        full = Seat(gathering, (Refused(code="table_full"), of(gathering)))
        full.let_in = False
        await app.go(hands, full)
        assert isinstance(app.screen, SeatsOverlay)
        assert app.shows("All seats are taken: you can watch until one is free.")

    travelling(monkeypatch, steps)


def test_a_player_leaves_a_table_for_good_or_ends_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def steps(app: TravellingApp, hands: Hands) -> None:
        for phase, keeps in (("lobby", False), ("playing", True)):
            await app.go(hands, at_lobby(), is_only=True)
            seat = app.player_seat
            app.receive_news(of(seat.session, phase=phase))
            assert recall().back
            app.place.leave_for_good()
            await hands.pause()
            assert bool(recall().back) is keeps
            assert (seat.left, app.codes.pop()) == ([True], 0)
        await app.go(hands, at_lobby())
        seat = app.player_seat
        await app.place.close()
        assert seat.left == [False, "closed"]
        assert app.place.seat is None

    travelling(monkeypatch, steps)


def test_a_game_against_bots_skips_the_lobby_unless_it_cannot_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def steps(app: TravellingApp, hands: Hands) -> None:
        for plan, news, shown in (
            (SoloPlan(), (), StartScreen),
            (
                SoloPlan(),
                (Refused(code="too_few", values={"needed": 3, "seated": 1}),),
                LobbyScreen,
            ),
            (JOIN, (), LobbyScreen),
        ):
            await app.go(hands, at_lobby(*news), plan=plan)
            assert type(app.screen) is shown
        await app.go(hands, at_lobby(), plan=SoloPlan())
        session = playing()
        app.receive_news(of(session), state(seen_now(session), 1))
        await hands.pause()
        assert type(app.lowest_screen) is LiveScreen
        app.receive_news(of(session, phase="lobby"))
        await hands.pause()
        screen: object = app.lowest_screen
        assert type(screen) is LobbyScreen

    travelling(monkeypatch, steps)


class BringingPart(AppPart):
    """A part of a wing that keeps the player at its own screens."""

    def __init__(self) -> None:
        self.screen: Screen[None] | None = None
        self.shows, self.keeps = False, False

    def show_refusal(self, refused: Refused) -> bool:
        return self.shows

    def keeps_result(self) -> bool:
        return self.keeps

    def screen_before(self) -> Screen[None] | None:
        return self.screen


def test_a_part_of_a_wing_shows_refusals_keeps_a_result_and_goes_back_to_its_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    part, parts = BringingPart(), IsolatedParts[AppPart]()
    parts.add(lambda: part)
    monkeypatch.setattr(table_place, "build_parts", lambda _app: parts)

    async def steps(app: TravellingApp, hands: Hands) -> None:
        for keeps, screen in ((True, ResultScreen), (False, LobbyScreen)):
            part.keeps = keeps
            app.begin(ended(phase="lobby"), sees_result=True)
            await hands.pause()
            assert type(app.lowest_screen) is screen
        part.shows = True
        await app.go(hands, outside("upgrade_host", yours=2, theirs=1))
        assert app.start()[0].startswith("Connecting to the table"), "the part shows the reason"
        assert app.player_seat.left == []
        app.player_seat.release_seat()
        for is_replaced in (False, True):
            part.screen = StartScreen()
            seat = at_lobby()
            await app.go(hands, seat, at_lobby())
            if is_replaced:
                # Another screen comes first.
                monkeypatch.setattr(app, "change_screen", lambda _screen: None)
            app.place.leave_for_good()
            await hands.pause()
            assert seat.left == [True, "closed"]
            assert len(app.plans) == (1 if is_replaced else 2)
            assert app.codes == []

    travelling(monkeypatch, steps)
