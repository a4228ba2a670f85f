"""Tables for tests of screens: lines of the notation, sessions, and the real app.

The app has no network: its session has received a host's messages, its own messages are recorded,
and its clock moves only when a test says so.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from msgspec.structs import replace
from rich.cells import cell_len
from textual.app import App
from textual.containers import VerticalScroll
from textual.events import Click, Key, Mount, MouseDown, MouseMove, MouseUp
from textual.geometry import Offset
from textual.layout import Layout
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

import driflamme_tui
from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.app.table_place import TablePlace
from driflamme_tui.drawing.layout import QueueSpace, fit
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.typed_keys import DELAY_S
from driflamme_tui.model.pending_question import Question
from driflamme_tui.preferences.player_calls import PlayerCalls
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.base.messages import LeaveTable
from driflamme_tui.screens.lobby.host_changes import HostChanges
from driflamme_tui.screens.lobby.lobby_view import LobbyScroll, LobbyView
from driflamme_tui.screens.lobby_screen import LobbyScreen
from driflamme_tui.screens.session_screen import SessionScreen
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.seat.player_seat import LostConnection, PlayerSeat
from driflamme_tui.seat.targets import Plan
from driflamme_tui.text.signs import UNICODE, Glyphs
from driflamme_tui.widgets.table.chat_panel import TalkLine
from driflamme_tui.wording.choices.prompts import Prompter
from engine.actions import ACTIONS
from engine.cards import UNKNOWN
from engine.edition import SECOND_EDITION
from engine.events import Event, RoundBegan
from engine.game import Deal, Game
from engine.notation import format_position, parse_position, parse_view
from engine.position import height
from engine.record import Record, RecordedPlayer
from engine.views import View, project, view
from netcode.client.session import Session
from netcode.protocol.evening import SeatResult
from netcode.protocol.fields import Message, checked_struct
from netcode.protocol.messages import (
    PROTOCOL,
    Act,
    Clock,
    Line,
    Lobby,
    SeatInfo,
    State,
    Talk,
    Welcome,
)
from netcode.protocol.wire_views import WireView
from netcode.workers.worker_pool import WorkerPool
from tests.engine.lines import whole

ATable = TypeVar("ATable", bound=TableScreen)

NAMES = ("Rosalind", "Blaise", "Gaspard", "Yvette", "Vasco")
FAMILY_OF = dict(zip("rbgyv", NAMES, strict=True))

SIZES = ((80, 24), (120, 40))


def seen(line: str, viewer: str | None = "b") -> View:
    """Return the view of a family, or a spectator, at a line or a position in shorthand.

    `tests.engine.lines` explains the shorthand; it needs an edition here.
    """
    if UNKNOWN in line.split()[3] + line.split()[4]:
        text = line
    else:
        game = parse_position(whole(line))
        text = format_position(view(game, None if viewer is None else game.seat_of(viewer)))
    families = parse_view(text, None).families
    return parse_view(text, None if viewer is None else families.index(viewer))


def question_at(line: str, viewer: str = "b") -> Question:
    return Question(seen(line, viewer))


def prompter_of(at: View, glyphs: Glyphs = UNICODE) -> Prompter:
    return Prompter(at, [FAMILY_OF[family] for family in at.families], glyphs)


def state_of(
    at: View,
    question: Question | None = None,
    size: tuple[int, int] = (80, 24),
    glyphs: Glyphs = UNICODE,
    *,
    mirrored: bool = False,
    log: Sequence[tuple[int | None, str]] = (),
) -> TableState:
    """Return the state that a table's screen would show, without a screen."""
    tallest = max((height(stack) for stack in at.queue), default=1)
    return TableState(
        view=at,
        players=seats(at.families),
        glyphs=glyphs,
        layout=fit(*size, len(at.queue) + 1, tallest + 1),
        question=question,
        mirrored=mirrored,
        log=log,
    )


def seats(
    families: str,
    *,
    bots: str = "",
    away: str = "",
    ready: str = "",
    host: str = "",
    how: Mapping[str, str] | None = None,
) -> tuple[SeatInfo, ...]:
    """Return the seats of a table; each option lists the letters of families.

    `how` has values of `away` by family; other absent players have `grace`.
    """
    return tuple(
        checked_struct(
            {
                "family": family,
                "name": FAMILY_OF[family],
                "bot": "steady" if family in bots else None,
                "ready": family in ready,
                "present": family not in away,
                "away": (how or {}).get(family, "grace" if family in away else "no"),
                "host": family == host,
            },
            SeatInfo,
        )
        for family in families
    )


def welcome(you: str | None, *, host: bool = False) -> Welcome:
    return checked_struct(
        {
            "protocol": PROTOCOL,
            "program": "driflamme",
            "family": you,
            "key": bytes(32),
            "host": host,
        },
        Welcome,
    )


def lobby(families: str, you: str | None, **fields: object) -> Lobby:
    """Return a lobby message, with these fields instead of the usual ones."""
    return checked_struct(
        {
            "phase": "playing",
            "seats": seats(families),
            "spectators": (),
            "settings": {},
            "missing": None,
            "invitation": "",
            "you": you,
            "host": False,
            **fields,
        },
        Lobby,
    )


def state(at: View, revision: int = 1, events: Sequence[Event] = (), first_event: int = 0) -> State:
    you = None if at.viewer is None else at.families[at.viewer]
    about = {"revision": revision, "view": WireView.of(at), "you": you, "events": ()}
    # As plain data, events would be tuples.
    return replace(
        checked_struct({**about, "first_event": first_event}, State), events=tuple(events)
    )


def clock(left_s: float, *, running: bool = True, revision: int = 1) -> Clock:
    return Clock(revision=revision, left_ms=round(left_s * 1000), running=running)


def results(*seats: str) -> Iterator[SeatResult]:
    """Yield the results of persons, each written as name, influence and place."""
    for seat in seats:
        name, influence, place = seat.split()
        yield SeatResult(name, False, int(influence), int(place))


def chat_message(*lines: str, first: int = 0) -> Talk:
    """Return lines of chat: a family's letter (or "-" and a spectator's name), a colon, a text."""
    return Talk(first=first, lines=tuple(map(_line, lines)))


def _line(text: str) -> Line:
    who, _, what = text.partition(": ")
    name = FAMILY_OF.get(who, who.removeprefix("-"))
    family = who if who in FAMILY_OF else None
    return checked_struct({"name": name, "family": family, "text": what}, Line)


def session_at(at: View, events: Sequence[Event] = (), **fields: object) -> Session:
    """Return a session that has just received a view; fields are those of the lobby."""
    you = None if at.viewer is None else at.families[at.viewer]
    session = Session()
    session.receive(welcome(you, host=bool(fields.get("host"))))
    phase = "result" if at.over else "playing"
    session.receive(lobby(at.families, you, **{"phase": phase, **fields}))
    session.receive(state(at, 1, events))
    return session


def session_at_line(line: str, viewer: str | None = "b", **fields: object) -> Session:
    return session_at(seen(line, viewer), (), **fields)


def gathered(families: str, you: str | None, **fields: object) -> Session:
    session = Session()
    session.receive(welcome(you, host=bool(fields.get("host"))))
    session.receive(lobby(families, you, **{"phase": "lobby", **fields}))
    return session


class WatchedApp(DriflammeApp):
    """The app with its screen as text, and a clock that stands still until a test moves it."""

    CSS_PATH = str(Path(driflamme_tui.__file__).with_name("styles") / "app.tcss")
    HELPS_NEWCOMERS = False
    now = 1000.0

    def __init__(
        self,
        plan: Plan | Callable[[], Screen[None]] | None,
        name: str = "",
        glyphs: Glyphs | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(plan, name, glyphs, settings)
        self.terminal.clock = lambda: self.now
        self.terminal.helps_beginners = self.HELPS_NEWCOMERS

    def rows(self) -> list[str]:
        """Return the screen as text without trailing spaces."""
        return rows_of(self)

    def shows(self, text: str) -> bool:
        """Return True if the screen shows a text, ignoring line breaks and frames."""
        return text in " ".join("\n".join(self.rows()).split())


class Pretended(PlayerSeat):
    """A pretended place at a table, which records messages and actions."""

    latency_ms: int | None = None
    secure: bool | None = None
    workers: WorkerPool | None = None
    answered: int | None = None
    missed_from: int | None = None

    def __init__(self, session: Session, name: str) -> None:
        super().__init__(session, name)
        self.sent: list[Message] = []
        self.hooked: list[object] = []
        self.answer_to: Callable[[Message], object] = lambda _message: None
        """Called with each message, after it was recorded; a test may answer like a host."""

    def send(self, message: Message) -> bool:
        super().send(message)
        self.sent.append(message)
        self.answer_to(message)
        return True

    def retry(self) -> bool:
        if self.lost is not None:
            self.hooked.append("retry")
        return self.lost is not None

    def enter(self, secret: bytes, *, watch: bool) -> None:
        self.hooked.append((secret.decode().strip(), "watch" if watch else "sit"))

    def greet(self) -> None:
        self.hooked.append("refresh")


class NotedPlace(TablePlace):
    """A place that only records plans."""

    def __init__(self, app: DriflammeApp) -> None:
        make = app._start_screen
        super().__init__(app, app.place.plan, start_screen=make, is_only=app.is_for_one_table)
        self.plans: list[Plan] = []

    def go(self, plan: Plan) -> None:
        self.plans.append(plan)


KEPT = {"zones", "motion", "_reader_call"}
"""Attributes of a table's screen that refer to the screen; resetting a screen leaves them."""


class SeatedApp(WatchedApp):
    """The app at a pretended table."""

    player_seat: Pretended

    def __init__(
        self,
        session: Session,
        glyphs: Glyphs = UNICODE,
        *,
        guard_s: float = 0,
        second_click_s: float = 0,
        lost: LostConnection | None = None,
        result: bool = False,
    ) -> None:
        """Begin at a table. `result` is True if the player has gone on to the result."""
        super().__init__(None, "Blaise", glyphs)
        self.player_seat = Pretended(session, "Blaise")
        self.terminal.guard_s = guard_s
        self.terminal.second_click_s = second_click_s
        self.player_seat.lost = lost
        self.left = False
        self.place.saw_result = result
        self._sittings = 0

    async def on_mount(self, event: Mount) -> None:  # type: ignore[override]
        # The app's own handler would create a start screen, which this app never shows.
        if self.session.lobby is not None:
            event.prevent_default()

    def on_ready(self) -> None:
        self.place.show()

    def sit(self, session: Session) -> None:
        """Go to another table on the same screen."""
        self._sittings += 1
        session.revision += self._sittings
        self.player_seat.session = session
        self.player_seat.sent.clear()
        if isinstance(self.base, TableScreen):
            self.base.answering.question = None
            self.base.look.on = False
            self.base.zones.space = QueueSpace()
        self.place.show()

    def enter(self, session: Session) -> None:
        """Go to another table as a newcomer, on a fresh screen."""
        self.base.stop_talking()
        self.player_seat.session = session
        self.player_seat.draft = None
        self.left = False
        self.player_seat.sent.clear()
        self.player_seat.hooked.clear()
        while len(self.screen_stack) > 2:
            self.pop_screen()
        self.terminal._heeds_from = 0.0
        self._forget(self.base)
        self.place.show()

    def _forget(self, screen: SessionScreen) -> None:
        """Reset a screen, instead of creating another one."""
        for line in screen.query(TalkLine):
            line.input.clear()
        for scrolled in screen.query(VerticalScroll):
            scrolled.scroll_home(animate=False)
        new = type(screen)()
        kept = {name for name, value in vars(new).items() if isinstance(value, Widget | Layout)}
        for name in vars(new).keys() - vars(Screen()).keys() - kept - KEPT:
            setattr(screen, name, vars(new)[name])
        if isinstance(screen, TableScreen):
            screen.zones.space = QueueSpace()
            screen.shown._kind = screen
            screen.answering._chosen = lambda: screen._panels.chose()
            screen._panels = screen.all_panels()
            screen.motion._pictures = screen.animation
            screen._reader_call._calls = PlayerCalls()
        if isinstance(screen, LobbyScreen):
            screen.view = LobbyView(screen)
            screen._changes = HostChanges(screen, screen.view)
            for listing in screen.query(LobbyScroll):
                # Otherwise the lists would follow the line that was chosen in the former view.
                listing._resized = screen.view.keep_chosen_in_view
        screen._chat_seen = len(self.session.talk)

    @property
    def sent(self) -> list[Message]:
        return self.player_seat.sent

    @property
    def hooked(self) -> list[object]:
        """The recorded calls to the player's seat, except for messages."""
        return self.player_seat.hooked

    def on_leave_table(self, message: LeaveTable | None = None) -> None:
        if message is not None:
            message.prevent_default()
        self.left = True

    def receive(self, *messages: Message) -> None:
        """Receive messages of the host; show the result of each, except a Welcome."""
        for message in messages:
            self.session.receive(message)
            if not isinstance(message, Welcome):
                self.place.show()

    @property
    def answers(self) -> str:
        """The tokens of all sent answers, joined by spaces."""
        return " ".join(message.action for message in self.sent if isinstance(message, Act))

    @property
    def table(self) -> TableScreen:
        screen = self.screen_stack[1]
        assert isinstance(screen, TableScreen)
        return screen

    @property
    def base(self) -> SessionScreen:
        screen = self.screen_stack[1]
        assert isinstance(screen, SessionScreen)
        return screen


def table_of(app: App[None], kind: type[ATable]) -> ATable:
    return next(each for each in reversed(app.screen_stack) if isinstance(each, kind))


def is_at(app: App[None], kind: type[TableScreen]) -> bool:
    return isinstance(app.screen, kind)


def rows_of(app: App[None]) -> list[str]:
    """Return an app's screen as text without trailing spaces."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


class Hands(Pilot[None]):
    """A quick pilot that waits until each key and click has been handled."""

    _pressed_at = 0.0
    """The event time of the last key; each key gets a later time, so that no key counts as held."""

    async def pause(self, delay: float | None = None) -> None:
        """Wait until all events are handled, and all work on threads is finished and shown."""
        await super().pause(delay)
        while tasks := [
            worker._task
            for worker in self.app.workers
            if worker._thread_worker and worker._task is not None
        ]:
            await asyncio.wait(tasks)
            await super().pause(delay)

    async def receive(self, *messages: Message) -> None:
        """Receive messages of the host at a pretended table."""
        assert isinstance(self.app, SeatedApp)
        self.app.receive(*messages)
        await self.pause()

    async def wait(self, seconds: float) -> None:
        """Let time pass at a pretended table."""
        assert isinstance(self.app, SeatedApp)
        self.app.now += seconds
        self.app.base.tick()
        await self.pause()

    async def resize_terminal(self, width: int, height: int) -> None:
        """Resize the terminal, and wait until the screen has its new size.

        Textual would collect changes of the size for a moment.
        """
        await super().resize_terminal(width, height)
        self.app._check_resize()
        await self.pause()
        assert self.app.screen._compositor.size == (width, height)

    async def click_at(self, where: type[Widget] | str, x: int, y: int) -> None:
        """Click a cell of a widget, after moving the pointer there."""
        await self._click(self.app.screen.query_one(where).region.offset + Offset(x, y))

    async def click_on(self, text: str) -> None:
        """Click the beginning of a text on the screen, in the first row with it."""
        y, row = next((y, row) for y, row in enumerate(rows_of(self.app)) if text in row)
        await self._click(Offset(cell_len(row[: row.index(text)]), y))

    async def _click(self, at: Offset) -> None:
        for kind in (MouseMove, MouseDown, MouseUp, Click):
            self.app.mouse_position = at
            self.app.screen._forward_event(
                kind(None, at.x, at.y, 0, 0, int(kind is not MouseMove), False, False, False)
            )
        await self.pause()

    async def press(self, *keys: str) -> None:
        for key in keys:
            self._pressed_at += DELAY_S
            self._send(_KEY_NAMES.get(key, key), key if len(key) == 1 else None)
            await self.pause()

    async def press_quickly(self, *keys: str) -> None:
        """Press keys one after another, and wait only after the last one."""
        for key in keys:
            self._pressed_at += DELAY_S
            self._send(_KEY_NAMES.get(key, key), key if len(key) == 1 else None)
        await self.pause()

    async def hold(
        self, key: str, *delays: float, between: Callable[[int], object] = lambda _times: None
    ) -> None:
        """Press a key and hold it; it repeats after each delay.

        `between` is called after the first press and each repetition, with the number of presses
        so far.
        """
        self._pressed_at += DELAY_S
        for times, delay in enumerate((0.0, *delays), 1):
            self._pressed_at += delay
            self._send(_KEY_NAMES.get(key, key), key if len(key) == 1 else None)
            await self.pause()
            between(times)

    def _send(self, name: str, character: str | None) -> None:
        event = Key(name, character)
        event.time = self._pressed_at
        self.app.post_message(event)

    async def burst(self, text: str) -> None:
        """Send keys all at once, like a paste without brackets."""
        self._pressed_at += DELAY_S
        for sign in text:
            self._send({" ": "space", "\r": "enter"}.get(sign, _KEY_NAMES.get(sign, sign)), sign)
        await self.pause()

    async def until(self, happened: Callable[[], object]) -> None:
        """Wait for a later effect, such as a change of size; fail if it never comes."""
        for _ in range(1000):
            if happened():
                return
            await asyncio.sleep(0.002)
            await self.pause()
        raise AssertionError("it never happened")

    async def type(self, keys: str) -> None:
        """Press keys, whose names have spaces between them."""
        await self.press(*keys.split())


_KEY_NAMES = {
    "<": "less_than_sign",
    ">": "greater_than_sign",
    "^": "circumflex_accent",
    "+": "plus",
    "!": "exclamation_mark",
    "?": "question_mark",
    ".": "full_stop",
    ":": "colon",
    "/": "slash",
    "=": "equals_sign",
}

AnApp = TypeVar("AnApp", bound=DriflammeApp)
Given = ParamSpec("Given")


def run_app(
    app: AnApp,
    steps: Callable[[AnApp, Hands], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
) -> None:
    """Run an app without a terminal, with the steps of a test.

    The screen is composed only when a step looks at it.
    """

    async def run() -> None:
        async with app.run_test(size=size):
            hands = Hands(app)
            await hands.pause()
            await steps(app, hands)

    asyncio.run(run())


def in_app(
    app: Callable[[], AnApp], size: tuple[int, int] = (80, 24)
) -> Callable[[Callable[Concatenate[AnApp, Hands, Given], Awaitable[None]]], Callable[Given, None]]:
    """Return a decorator that turns steps in an app into a test, which may have more fixtures."""

    def made(
        steps: Callable[Concatenate[AnApp, Hands, Given], Awaitable[None]],
    ) -> Callable[Given, None]:
        @wraps(steps)
        def test(*args: Given.args, **named: Given.kwargs) -> None:
            run_app(app(), lambda app, hands: steps(app, hands, *args, **named), size)

        # pytest fills these parameters.
        parameters = [*signature(steps).parameters.values()][2:]
        vars(test)["__signature__"] = Signature(parameters)
        return test

    return made


Case = TypeVar("Case")


def run_cases(
    cases: Iterable[Case],
    session: Callable[[Case], Session],
    steps: Callable[[SeatedApp, Hands, Case], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
    *,
    result: bool = False,
) -> None:
    """Run a test's steps for each case, each at its own table, all in one app.

    `result` is True if the player has gone from the table to the result.
    """
    first, *others = cases

    async def run(app: SeatedApp, hands: Hands) -> None:
        for case in (first, *others):
            try:
                if case is not first:
                    app.place.saw_result = result
                    app.enter(session(case))
                    await hands.pause()
                await steps(app, hands, case)
            except BaseException as error:
                error.add_note(f"The case is {case!r}.")
                raise

    run_app(SeatedApp(session(first), result=result), run, size)


EVENING = Deal(
    SECOND_EDITION,
    "rbgyv",
    1,
    ("APHFLDC", "ASHFXDM", "APFLXDC", "SPHFLXM", "SPFLDMC"),
    ("SXM", "PLC", "SHM", "ADC", "AHX"),
)
EVENING_ACTIONS = """
    H> L< H> D< P> + ! ! + + P> S< P> L^6 S< ! ! 4>7 + ! ! $r ! M< M^8 A^5 A> F< ! + x4 ! ! x9
    $r + L^8 F^5 M> A> L< + + x5 ! ~6 $g $r ! + + C< F> D^11 P> C> ! + + x5 x1 $r + + + ! $b !
    X> X^5 X< F> H^5 ! x9 + x4 x1 ! x11 $r + ! $g ! x8
"""
"""A game of five with every kind of question."""

RECORD = Record(
    EVENING,
    tuple(EVENING_ACTIONS.split()),
    {"direction": "right"},
    tuple(
        RecordedPlayer(family, name, "steady" if name == "Vasco" else None)
        for family, name in zip("rbgyv", NAMES, strict=True)
    ),
)
"""The evening's game, as a record."""


EVENING_STEPS = len(EVENING_ACTIONS.split())


@cache
def _whole_evening() -> tuple[list[tuple[Game, int]], list[Event]]:
    """Return the game after each action with the number of events, and all events."""
    game = Game.start(EVENING)
    events: list[Event] = [RoundBegan(1, EVENING.first)]
    moments = [(game, len(events))]
    for token in EVENING_ACTIONS.split():
        game = game.play(ACTIONS[token], events)
        moments.append((game, len(events)))
    return moments, events


def evening(step: int = EVENING_STEPS) -> tuple[Game, list[Event]]:
    """Return the evening's game and its events, after this many actions."""
    moments, events = _whole_evening()
    game, happened = moments[min(step, EVENING_STEPS)]
    return game, events[:happened]


def evening_session(step: int, viewer: str | None = None, **fields: object) -> Session:
    """Return a viewer's session after this many actions of the evening's game.

    `viewer` is a family, "-" for a spectator, or None for the deciding player.
    """
    game, events = evening(step)
    family = viewer or game.families[game.turn]
    seat = None if family == "-" else game.seat_of(family)
    return session_at(view(game, seat), [project(event, seat) for event in events], **fields)
