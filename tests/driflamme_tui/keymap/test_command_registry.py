"""Tests commands on screens: their keys, the key bar, the palette, and players' own keys."""

import asyncio
import re
from collections.abc import Callable, Iterator
from inspect import Parameter, signature
from typing import Any

import pytest
from textual.actions import parse
from textual.app import App
from textual.dom import DOMNode
from textual.events import Click
from textual.widgets import OptionList

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.keymap.command_type import Command, CommandSet, listed_commands
from driflamme_tui.keymap.joined_commands import joined_commands
from driflamme_tui.keymap.key_bindings import all_commands, check_keys, keys_now, keys_of
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.overlay import Confirmation
from driflamme_tui.screens.lobby_screen import LobbyScreen
from driflamme_tui.screens.overlays.command_palette import CommandMenu
from driflamme_tui.screens.overlays.help_overlay import HelpOverlay
from driflamme_tui.screens.overlays.invitation_overlay import InvitationOverlay
from driflamme_tui.screens.overlays.people_overlay import PeopleOverlay
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.seat import sections
from driflamme_tui.seat.sections import Section, SectionKind
from driflamme_tui.widgets.key_bar import Keys
from netcode.client.session import Session
from netcode.protocol.messages import Pause
from tests.driflamme_tui.screens.test_replay_screen import LookingBack
from tests.support.by_hand import click
from tests.support.scenes import Scenes
from tests.support.tables import (
    SIZES,
    Hands,
    SeatedApp,
    evening_session,
    gathered,
    in_app,
    lobby,
    run_app,
    seen,
    session_at_line,
    state,
)
from tests.support.wings import brought

QUESTION = "2 4 rS2 gc2,rS,rm1,bL r3,*b3,g4"

INVITED: dict[str, Any] = {
    "invitation": "driflamme://192.168.1.20/abc",
    "host": True,
    "code": "K7QF2MXR",
}


def waiting(**fields: object) -> Session:
    """Return Blue's session while Red must decide."""
    return session_at_line(QUESTION, "b", **fields)


def shown(app: DriflammeApp) -> object:
    return app.screen


class Runs:
    """Records the actions of an app instead of running them."""

    def __init__(self, app: App[None]) -> None:
        self.runs: list[tuple[str, tuple[object, ...]]] = []
        app._dispatch_action = self.note  # type: ignore[method-assign]

    async def note(self, namespace: DOMNode, action_name: str, params: Any) -> bool:
        self.runs.append((action_name, params))
        return True

    def taken(self) -> list[tuple[str, tuple[object, ...]]]:
        taken, self.runs = self.runs, []
        return taken


def runs(action: str) -> list[tuple[str, tuple[object, ...]]]:
    _target, name, parameters = parse(action)
    return [(name, parameters)]


SCREENS: list[tuple[str, Callable[[], Any], str]] = [
    ("table", lambda: SeatedApp(evening_session(40, **INVITED)), ""),
    ("people", lambda: SeatedApp(evening_session(40, **INVITED)), "w"),
    ("invitation", lambda: SeatedApp(evening_session(40, **INVITED)), "w i"),
    ("leaving", lambda: SeatedApp(evening_session(40)), "q"),
    ("events", lambda: SeatedApp(evening_session(40)), "e"),
    ("known", lambda: SeatedApp(evening_session(40)), "k"),
    ("help", lambda: SeatedApp(evening_session(40)), "?"),
    ("lobby", lambda: SeatedApp(gathered("rbg", "b", **INVITED)), ""),
    ("result", lambda: SeatedApp(evening_session(10**6, "b", host=True), result=True), ""),
    ("replay", LookingBack, ""),
    *((name, app, "") for each in brought("scenes", Scenes) for name, app in each.apps.items()),
]


@pytest.mark.parametrize(("name", "an_app", "keys"), SCREENS, ids=[name for name, *_ in SCREENS])
def test_every_key_does_what_the_registry_says(
    name: str, an_app: Callable[[], Any], keys: str
) -> None:
    async def steps(app: DriflammeApp, hands: Hands) -> None:
        await hands.type(keys)
        noted = Runs(app)
        assert isinstance(app.screen, Commanded)
        commands = app.screen.command_set.in_order()
        assert len(commands) > 3
        for command in commands:
            for key in () if command.shares else keys_now(command):
                await hands.press(key)
                assert noted.taken() == runs(command.action), (command.id, key)

    run_app(an_app(), steps)


@pytest.mark.parametrize(
    ("name", "an_app", "keys"), [one for one in SCREENS if one[0] in ("table", "result")]
)
def test_every_entry_of_the_key_bar_can_be_clicked(
    name: str, an_app: Callable[[], Any], keys: str
) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        noted = Runs(app)
        places = list(app.screen.query_one(Keys).entries())
        assert len(places) > 4
        for x, y, key in places:
            await hands.click_at(Keys, x, y)
            assert noted.taken() == runs(key.action), key

    run_app(an_app(), steps, (120, 40))


@in_app(lambda: SeatedApp(session_at_line(QUESTION, "r")))
async def test_other_keys_count_at_once_and_are_named_everywhere(
    app: SeatedApp, hands: Hands
) -> None:
    mine = {"table.confirm": "space", "table.pause": "f9", "table.look": "f10", "help.open": "f7"}
    check_keys(mine)
    app.rebind(mine)
    app.base.session_changed()
    await hands.press("right")
    assert app.shows("Space confirm") or app.shows("Space eliminate")
    assert app.shows("F10 look")
    assert not app.shows("Enter")
    assert ("Space", "confirm the choice") in keys_of(TableCommands)
    await hands.press("i")
    assert not app.shows("done")
    await hands.press("f10")
    assert app.shows("done")
    await hands.press("f10")
    await hands.press("f7")
    assert isinstance(shown(app), HelpOverlay)
    await hands.press("f7")
    assert isinstance(shown(app), TableScreen)
    await hands.type("enter space")
    assert len(app.sent) == 1
    app.rebind({})
    app.base.session_changed()
    await hands.pause()
    assert app.shows("i look")


def kinds_of(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from kinds_of(each)


def takes(action: Callable[..., object], count: int) -> bool:
    """Return True if an action accepts its screen and this number of values."""
    try:
        signature(action).bind(*range(count))
    except TypeError:
        return False
    return True


def overridden_by_accident(kinds: Iterator[type[Any]]) -> Iterator[str]:
    """Yield the actions of classes that override a base class's action with other parameters."""
    for kind in kinds:
        for name in vars(kind):
            before = getattr(super(kind, kind), name, None)
            if not name.startswith("action_") or before is None:
                continue
            needed = signature(before).parameters.values()
            least = sum(each.default is Parameter.empty for each in needed)
            counts = {least, len(needed)}
            if not all(takes(vars(kind)[name], count) for count in counts):
                yield f"{kind.__name__}.{name}"


def test_no_screen_overrides_an_action_of_another_meaning() -> None:
    all_commands()
    assert list(overridden_by_accident(kinds_of(Commanded))) == []

    class Turned(TableScreen):
        def action_spot(self) -> None: ...

        def action_walk(self, by: int, far: int) -> None: ...

        def action_look(self, far: int = 0) -> None: ...

    found = list(overridden_by_accident(iter([Turned])))
    assert found == ["Turned.action_spot", "Turned.action_walk"]


async def click_beneath(app: SeatedApp, hands: Hands) -> None:
    """Click the last cell of the screen, beside every overlay; assert that the overlay closes."""
    x, y = app.size.width - 1, app.size.height - 1
    app.screen._forward_event(
        Click(app.screen, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y)
    )
    for _ in range(1000):
        if isinstance(shown(app), TableScreen):
            return
        await asyncio.sleep(0.002)
    raise AssertionError(f"{app.screen} stays open")


async def opened(app: SeatedApp, hands: Hands, key: str = ":") -> None:
    await hands.press(key)
    await hands.until(lambda: app.screen.query(OptionList).first().option_count)
    assert isinstance(shown(app), CommandMenu)


async def searched(app: SeatedApp, hands: Hands, text: str) -> None:
    """Type a text into the palette, and wait until the first option contains it."""
    lines = app.screen.query_one(OptionList)
    await hands.press(*text)
    await hands.until(
        lambda: lines.option_count and text in str(lines.get_option_at_index(0).prompt)
    )


@in_app(lambda: SeatedApp(waiting(host=True)))
async def test_the_palette_finds_a_command_by_some_letters_and_closes_with_the_game(
    app: SeatedApp, hands: Hands
) -> None:
    await opened(app, hands)
    assert app.shows("i look at cards with the arrow keys")
    await searched(app, hands, "write in the chat")
    await hands.press(*["backspace"] * 17)
    await searched(app, hands, "pause or")
    assert app.shows("Space pause or resume the game, or ask the host")
    await hands.press("enter")
    await hands.until(lambda: app.sent)
    assert app.sent == [Pause(paused=True)]
    assert isinstance(shown(app), TableScreen)
    await opened(app, hands)
    app.receive(lobby("rbg", "b", phase="lobby", host=True))
    await hands.until(lambda: isinstance(shown(app), LobbyScreen))
    await hands.type("s + q e")
    assert len(app.sent) == 1, "what is typed at what has gone does nothing"
    app.now += 2
    await hands.press("+")
    assert len(app.sent) == 2


@in_app(lambda: SeatedApp(waiting()), SIZES[1])
async def test_only_what_can_be_done_is_in_the_palette_which_can_be_used_by_mouse_alone(
    app: SeatedApp, hands: Hands
) -> None:
    await click(app, hands, "key :")
    await hands.until(lambda: app.shows("show all events of this game"))
    for line in ("confirm the choice", "the host: pause", "reveal the card", "try again"):
        assert not app.shows(line), line
    await hands.click_on("show all events of this game")
    await hands.until(lambda: app.screen.query("#overlay"))
    await hands.press("escape")
    app.sit(session_at_line(QUESTION, "r"))
    await opened(app, hands, "f2")
    await hands.until(lambda: app.shows("confirm the choice"))
    first, second = (choice.text[:30] for choice in app.table.choices())
    assert app.shows(first)
    assert app.shows(second)
    await click_beneath(app, hands)


@in_app(lambda: SeatedApp(session_at_line(QUESTION, "r"), guard_s=0.4))
async def test_a_question_that_comes_while_the_palette_is_open_is_not_answered(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.press("right")
    await opened(app, hands)
    await searched(app, hands, "confirm the")
    app.receive(state(seen(QUESTION, "r"), 2))
    app.table.action_walk(1)
    await hands.press("enter")
    await hands.pause()
    assert isinstance(shown(app), TableScreen)
    assert not app.answers
    await hands.press("enter")
    assert not app.answers
    app.now += 1
    await hands.press("enter")
    assert app.answers


@in_app(lambda: SeatedApp(waiting(**INVITED)))
async def test_help_opens_over_an_overlay_and_tells_its_keys(app: SeatedApp, hands: Hands) -> None:
    for keys, beneath in (
        ("w", PeopleOverlay),
        ("w i", InvitationOverlay),
        ("q", Confirmation),
    ):
        await hands.type(keys)
        assert isinstance(shown(app), beneath)
        await hands.press("f1")
        assert isinstance(shown(app), HelpOverlay)
        await hands.press("escape")
        assert isinstance(shown(app), beneath)
        while shown(app) is not app.table:
            await hands.press("escape")


@in_app(lambda: SeatedApp(waiting(host=True)), (120, 40))
async def test_an_overlay_closes_when_what_lies_beneath_is_clicked(
    app: SeatedApp, hands: Hands
) -> None:
    for key in "qekw":
        await hands.press(key)
        assert shown(app) is not app.table
        await click_beneath(app, hands)


def test_the_line_of_help_for_two_keys_names_both_directions() -> None:
    pairs = {command.row.help for command in all_commands().values() if command.row}
    assert pairs
    for sentence in pairs:
        one_way = re.search(r"\b(above|below|more|fewer|back|up|down|into a stack)$", sentence)
        assert not one_way or re.search(r"\bor\b", sentence), sentence


def test_a_wings_commands_are_listed_where_they_want_to_stand() -> None:
    ids = [*all_commands()]
    wings = [kind for kind in CommandSet.kinds if kind.listed_after]
    assert all(".wings." in kind.__module__ for kind in wings)
    for place in {kind.listed_after for kind in wings}:
        # Two wings may add commands at the same place of the list, in any order.
        blocks = [[each.id for each in kind.own] for kind in wings if kind.listed_after == place]
        at = ids.index(place) + 1
        there = ids[at : at + sum(map(len, blocks))]
        for block in blocks:
            begin = there.index(block[0])
            assert there[begin : begin + len(block)] == block


def test_every_place_that_a_wing_wants_for_its_commands_exists() -> None:
    ids = all_commands()
    for base in CommandSet.kinds:
        for kind in base.joined:
            assert kind.listed_after in ids
            assert not kind.bar or kind.bar_after in base.bar.split()
    assert TableCommands.joined or not joined_commands()


def test_a_command_whose_place_is_not_there_comes_last_and_before_the_way_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CommandSet, "kinds", [])

    class Dusk(CommandSet, prefix="dusk", listed_after="day.gone", bar_after="gone"):
        bar = "glow"
        glow = Command("g", "glow", "glow")

    class Day(CommandSet, prefix="day", joined=(Dusk,)):
        bar = "work leave"
        work = Command("w", "work", "work")
        leave = Command("q", "leave", "leave")

    class Feast(Day, prefix="feast"):
        dance = Command("d", "dance", "dance")

    assert [each.id for each in Day.in_order()] == ["day.work", "day.leave", "dusk.glow"]
    assert Day.bar == "work glow leave"
    assert Dusk.glow in Feast.in_order()
    assert Dusk.glow in Feast.entries


def test_of_two_wings_with_one_place_the_first_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CommandSet, "kinds", [])

    class Dawn(CommandSet, prefix="dawn", listed_after="day.work", bar_after="work"):
        bar = "rise sing"
        rise = Command("r", "rise", "rise")
        sing = Command("s", "sing", "sing")

    class Dusk(CommandSet, prefix="dusk", listed_after="day.leave", bar_after="work"):
        bar = "glow"
        glow = Command("g", "glow", "glow")

    class Day(CommandSet, prefix="day"):
        bar = "work leave"
        work = Command("w", "work", "work")
        leave = Command("q", "leave", "leave")

    kinds = (SectionKind(Section, lobby=Dawn), SectionKind(Section, lobby=Dusk))
    monkeypatch.setattr(sections, "wing_values", lambda *_: kinds)
    day = sections.join_commands(Day, "lobby")
    assert day.bar == "work rise sing glow leave"
    ids = [each.id for each in day.in_order()]
    assert ids == ["day.work", "dawn.rise", "dawn.sing", "day.leave", "dusk.glow"]


def test_commands_of_a_wing_whose_place_is_not_there_stand_in_their_own_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CommandSet, "kinds", [])

    class Sun(CommandSet, prefix="sun"):
        rise = Command("r", "rise", "rise")
        set = Command("s", "set", "set")

    class Moon(CommandSet, prefix="moon", listed_after="sun.rise"):
        wane = Command("w", "wane", "wane")

    assert [each.id for each in listed_commands([Sun, Moon])] == [
        "sun.rise",
        "moon.wane",
        "sun.set",
    ]
    assert [each.id for each in listed_commands([Moon])] == ["moon.wane"]
