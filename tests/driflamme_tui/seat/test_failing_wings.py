"""Tests wings of the user interface that raise unexpected errors: all other parts continue."""

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest
import typer

from driflamme_tui import seams as face_seams
from driflamme_tui.app.app_parts import AppPart, AppParts
from driflamme_tui.app.styled_app import StyledApp
from driflamme_tui.cli.opening_options import Opening, OpeningOptions, add_all, all_sentences
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.hosted_table import HostedTable
from driflamme_tui.hosting.open_table import open_table
from driflamme_tui.hosting.parts import OpenPlace
from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.plain import wing_lines
from driflamme_tui.plain.wing_lines import InGame, TableChoice, WingLines, choice_for
from driflamme_tui.screens.start_rows import (
    AddedRow,
    StartRows,
    refresh_rows,
    visited_rows,
    waiting_rows,
)
from driflamme_tui.screens.table.kinds import ScreenKind, screen_of
from driflamme_tui.screens.table.live_screen import LiveScreen
from driflamme_tui.screens.table.panels import Panel, PanelKind, Panels
from driflamme_tui.seat.seat_parts import IsolatedInterpreter, SeatPart, SeatParts
from driflamme_tui.seat.seat_session import SeatSession, sit_down
from driflamme_tui.seat.sections import Offer, Section, SectionKind, Sections, Way
from driflamme_tui.seat.targets import Join, Plan
from driflamme_tui.wording.program.kind_words import KindWords, convictions, kind_words
from driflamme_tui.wording.program.table_setting import TableSetting, ValueTexts
from engine.record import Record
from engine.texts import ExplainedError
from engine.views import View
from netcode.client.connection import Connect, ConnectError, Connection
from netcode.client.interpreter import PassThrough
from netcode.client.session import ProtocolError, Session
from netcode.joining.invitation import parse_invitation
from netcode.protocol.fields import BeforeTable, Message
from netcode.protocol.messages import Act, Chat, Lobby, Refused, SeatInfo, Talk
from netcode.protocol.table_settings import TableSettings
from netcode.table.snapshot import Location
from tests.driflamme_tui.hosting import test_failing_parts
from tests.support.clumsy import NAME, clumsy, fails, installed, methods, sentences, tried
from tests.support.tables import Hands, SeatedApp, gathered, lobby, run_app

HERE = Host(Location("127.0.0.1", 0, announced=False))


def of_wing(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function, marked as one of the clumsy wing."""
    call.__module__ = f"driflamme_tui.wings.{NAME}"
    return call


@of_wing
def wrong(*given: object, **named: object) -> Any:
    fails()


class Keys(CommandSet, prefix="clumsy"):
    laugh = Command("9", "wing('clumsy.laugh')", "laugh", "laugh")


# Remove the set from the program's list, which other tests read.
CommandSet.kinds.remove(Keys)


OFFER = Offer(Keys.laugh, "an offer", Chat(text="Hello!"))


class Good(Section):
    """A section with a text for everything."""

    done: list[str]

    def lobby_line(self) -> str:
        return "a line"

    heading = explanation = note = waits = about_ways = time_left = waiting = lobby_line

    def ways(self, invitation: str = "") -> Iterable[Way]:
        yield Way("how", "line")

    def watch(self, changed: Callable[[], object]) -> None:
        changed()

    def news_lines(self, news: object, *, is_over: bool) -> Iterable[str]:
        yield "a line"

    def people(self) -> Iterable[str]:
        yield "a line"

    ended = people_by_key = people

    def changed(self, before: Lobby | None, lobby: Lobby) -> Iterable[str]:
        yield "a line"

    def offers(self, seat: SeatInfo) -> Iterable[Offer]:
        yield OFFER

    def result(self, names: Sequence[str]) -> str:
        return "a line"

    def doubts(self) -> Sequence[str]:
        return ["a doubt"]


class GoodWithKeys(Good):
    """A section that counts the commands that it runs."""

    runs = 0

    def do(self, command: Command) -> None:
        GoodWithKeys.runs += 1


def _called(name: str, section: Section) -> str:
    text: str = getattr(section, name)()
    return text


def used(sections: Sections) -> None:
    """Use everything that sections have, and assert that the good one has worked."""
    at, seat = lobby("rbg", "r", phase="lobby"), lobby("rbg", "r").seats[0]
    for text in (Section.heading, Section.explanation, Section.lobby_line, Section.note):
        call = cast(
            Callable[[Section], str], lambda each, text=text: getattr(each, text.__name__)()
        )
        assert sections.first(call) == "a line"
        assert sections.every(call) == ["a line"]
    assert sections.waits() == "a line"
    assert sections.first(lambda each: each.time_left()) == "a line"
    assert sections.first(lambda each: each.waiting()) == "a line"
    assert sections.every(lambda each: each.about_ways()) == ["a line"]
    assert sections.ways() == [Way("how", "line")]
    watched: list[bool] = []
    sections.each(lambda each: each.watch(lambda: watched.append(True)))
    assert watched == [True]
    assert sections.items(lambda each: each.news_lines(at, is_over=False)) == ["a line"]
    assert sections.items(lambda each: each.ended()) == ["a line"]
    assert sections.items(lambda each: each.changed(None, at)) == ["a line"]
    assert sections.items(lambda each: [*each.people(), *each.people_by_key()]) == ["a line"] * 2
    assert sections.items(lambda each: each.offers(seat)) == [OFFER]
    assert sections.every(lambda each: each.result(["Ada"])) == ["a line"]
    assert sections.doubts() == ["a doubt"]
    assert sections.invite_commands() == [Keys.laugh]
    before = GoodWithKeys.runs
    assert sections.can(Keys.laugh)
    sections.do(Keys.laugh)
    assert GoodWithKeys.runs == before + 1


class Generous(Section):
    """A section that yields something before it fails."""

    def people(self) -> Iterable[str]:
        yield "half"
        fails()


class OnlyKeys(CommandSet, prefix="clumsy"):
    clumsy = Command("8", "wing('clumsy.clumsy')", "fail", "fail")


CommandSet.kinds.remove(OnlyKeys)


@pytest.mark.parametrize("name", methods(Section))
def test_a_section_that_fails_in_any_method_is_left_out(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    kind = clumsy(Section, name)
    good = SectionKind(GoodWithKeys, lobby=Keys, invites=True)
    face: Any = PlainSeat()
    with (
        installed("driflamme_tui", "good", sections=good),
        installed("driflamme_tui", sections=SectionKind(kind, lobby=OnlyKeys)),
    ):
        sections = Sections(face)
        sections.can(OnlyKeys.clumsy)
        sections.do(OnlyKeys.clumsy)
        sections.every(lambda each: str(each.values))
        used(sections)
        assert not sections.can(OnlyKeys.clumsy) or name not in ("can", "do")
    assert kind.called
    assert len(sentences(caplog)) == 1


class PlainSeat:
    """A replacement for the face of a section, with only a session."""

    def __init__(self) -> None:
        self.player_seat = self
        self.session = gathered("rbg", "r")


def test_half_of_the_lines_of_a_section_that_fails_are_not_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    Generous.__module__ = f"driflamme_tui.wings.{NAME}"
    face: Any = PlainSeat()
    with installed("driflamme_tui", sections=SectionKind(Generous)):
        lines = Sections(face).items(lambda each: each.people())
    assert "half" not in lines
    assert len(sentences(caplog)) == 1


class Marked(Panel):
    """A panel that never fails, and stores the names of calls."""

    calls: list[str]

    def __init__(self) -> None:
        self.calls = []

    def begins(self, view: View) -> None:
        self.calls.append("begins")

    def chose(self) -> None:
        self.calls.append("chose")

    def run(self, command: str) -> None:
        self.calls.append(f"run {command}")

    def takes_letter(self, letter: str) -> bool:
        return letter == "a"

    def present(self, state: TableState) -> TableState:
        self.calls.append("present")
        return state

    def close(self) -> None:
        self.calls.append("close")


@pytest.mark.parametrize("name", ["__init__", *methods(Panel)])
def test_a_panel_that_fails_in_any_method_is_left_out(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    marked = Marked()
    kind: Any = Panel if name == "__init__" else clumsy(Panel, name)
    view, state, table = (cast(Any, object()) for _ in range(3))
    make = wrong if name == "__init__" else lambda table: kind()
    with (
        installed("driflamme_tui", "good", panels=PanelKind(lambda table: marked)),
        installed("driflamme_tui", panels=PanelKind(make)),
    ):
        panels = Panels.of(table)
    assert panels.take_letter("a")
    panels.begins(view)
    panels.chose()
    panels.run("marks")
    assert panels.present(state) is state
    assert panels.can(Keys.laugh) or name == "can"
    panels.close()
    assert marked.calls == ["begins", "chose", "run marks", "present", "close"]
    assert len(sentences(caplog)) == 1
    assert kind is Panel or kind.called


@pytest.mark.parametrize(
    "name", ["__init__", *(each for each in methods(AppPart) if each != "begin")]
)
def test_a_part_of_the_app_that_fails_in_any_method_is_left_out(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    kind: Any = AppPart if name == "__init__" else clumsy(AppPart, name)
    seen: list[object] = []

    class Watching(AppPart):
        def receive(self, news: object) -> None:
            seen.append(news)

    async def steps(app: SeatedApp, hands: Hands) -> None:
        news = lobby("rbg", "r", phase="lobby", paused=True)
        app.session.receive(news)
        seat = cast(SeatSession, app.player_seat)
        vars(seat)["way_back"] = lambda: None
        assert app.place.receive(seat, news)
        assert seen == [news]
        app.place.stays_after(Refused(code="nothing_said"))
        app.place.leave_for_good()
        await hands.pause()
        assert app.is_running

    def build(_app: StyledApp) -> AppPart:
        part: AppPart = kind()
        return part

    with (
        installed("driflamme_tui", "good", app_parts=AppParts(lambda app: Watching())),
        installed("driflamme_tui", app_parts=AppParts(wrong if kind is AppPart else build)),
    ):
        run_app(SeatedApp(gathered("rbg", "r")), steps)
    assert kind is AppPart or kind.called
    assert len(sentences(caplog)) == 1


class Interpreting(SeatPart):
    """A part with an interpreter that forwards every message unchanged."""

    def __init__(self) -> None:
        self._interpreter = PassThrough()

    @property
    def interpreter(self) -> Any:
        return self._interpreter


async def visited(plan: Plan) -> list[Message]:
    """Sit down as planned, chat, and leave; return the messages that came."""
    seat = await sit_down(plan, "Bea")
    seen: list[Message] = []

    def on_news(news: object) -> bool:
        seen.append(cast(Message, news))
        if isinstance(news, Lobby) and not any(isinstance(each, Talk) for each in seen):
            assert seat.way_back() is not None
            assert seat.answered is None
            assert seat.missed_from is None
            seat.send(Chat(text="Hello!"))
        return not isinstance(news, Talk)

    async with asyncio.timeout(20):
        await seat.stay(on_news)
    await seat.leave(leaves=True)
    await seat.close()
    return seen


async def open_here() -> HostedTable:
    return await open_table(HERE, owned=False)


@pytest.mark.parametrize("name", ["__init__", *methods(SeatPart)])
async def test_a_part_of_a_seat_that_fails_in_any_method_is_left_out(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    kind: Any = SeatPart if name == "__init__" else clumsy(SeatPart, name)
    build = wrong if name == "__init__" else lambda journey: kind()
    table = await open_here()
    with installed("driflamme_tui", seat_parts=SeatParts(build)):
        seen = await visited(Join(parse_invitation(table.invitations[0])))
    await table.close()
    assert isinstance(seen[-1], Talk)
    assert kind is SeatPart or kind.called
    assert len(sentences(caplog)) == 1


async def test_a_part_of_a_seat_knows_what_is_sent_and_says_what_was_missed() -> None:
    sent: list[Message] = []

    class Part(SeatPart):
        def send(self, message: Message) -> None:
            sent.append(message)

        def answered(self) -> int | None:
            return 0

        def missed_from(self) -> int | None:
            return 3

    table = await open_here()
    with installed("driflamme_tui", seat_parts=SeatParts(lambda journey: Part())):
        seat = await sit_down(Join(parse_invitation(table.invitations[0])), "Bea")
    assert (seat.answered, seat.missed_from) == (0, 3)

    def on_news(news: object) -> bool:
        if isinstance(news, Lobby) and not sent:
            seat.send(Chat(text="Hello!"))
        return not isinstance(news, Talk)

    async with asyncio.timeout(20):
        await seat.stay(on_news)
    await seat.leave(leaves=True)
    await seat.close()
    await table.close()
    assert sent == [Chat(text="Hello!")]


@pytest.mark.parametrize("name", ["begin", "receive", "send", "end", "connect"])
async def test_after_an_error_of_an_interpreter_or_connector_messages_pass_unchanged(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Part(Interpreting):
        def __init__(self) -> None:
            self._interpreter = PassThrough() if name == "connect" else clumsy(PassThrough, name)()

        def connector(self, connect: Connect) -> Connect:
            return cast(Connect, wrong_later) if name == "connect" else connect

    table = await open_here()
    with installed("driflamme_tui", seat_parts=SeatParts(lambda journey: Part())):
        seen = await visited(Join(parse_invitation(table.invitations[0])))
    await table.close()
    assert isinstance(seen[-1], Talk)
    assert len(sentences(caplog)) == 1


@pytest.mark.parametrize("name", ["begin", "receive", "send"])
async def test_at_a_table_that_needs_a_wing_nothing_passes_a_failed_interpreter(name: str) -> None:
    interpreter = IsolatedInterpreter(clumsy(PassThrough, name)())
    sent: list[Message] = []
    errors: list[Exception] = []
    delivered: list[Message] = []
    connection: Any = SimpleNamespace(say=sent.append, set_exception=errors.append)
    await interpreter.begin(connection, delivered.append)
    interpreter.receive(lobby("rbg", "r", settings={"sealed": True}))
    interpreter.send(Act(action="0", number=1, revision=1))
    interpreter.receive(Talk(first=0, lines=()))
    assert not sent, "an Act may contain a card"
    assert not any(isinstance(each, Talk) for each in delivered)
    assert errors
    assert all(isinstance(each, ConnectError) for each in errors)


@of_wing
async def wrong_later() -> Any:
    fails()


async def test_an_error_of_the_session_passes_through_an_interpreter() -> None:
    def refuse(_message: Message) -> None:
        raise ProtocolError("no such message")

    interpreter = IsolatedInterpreter(PassThrough())
    connection: Any = object()
    await interpreter.begin(cast(Connection, connection), refuse)
    with pytest.raises(ProtocolError):
        interpreter.receive(lobby("rbg", "r"))


async def test_a_connect_error_of_a_part_passes() -> None:
    class Part(SeatPart):
        async def log_in(self) -> None:
            raise ConnectError("Nobody is there.")

    table = await open_here()
    seam = SeatParts(lambda journey: Part())
    with installed("driflamme_tui", seat_parts=seam), pytest.raises(ConnectError):
        await visited(Join(parse_invitation(table.invitations[0])))
    await table.close()


class Choice(TableChoice):
    """A choice of tables for every message."""

    def is_about(self, news: BeforeTable) -> bool:
        return True

    def commands(self) -> Mapping[str, Callable[[str], Any]]:
        return {"choose": wrong}


SENTENCE = "The optional part clumsy has failed (ClumsyError at tests/support/clumsy.py:"


def test_a_command_by_lines_that_fails_is_a_sentence() -> None:
    lines = WingLines(
        commands={"a": wrong},
        in_lobby={"b": wrong},
        in_game={"c": wrong},
        of_hosts={"d": wrong},
        requests={"e": wrong},
    )
    game: Any = object()
    with installed("driflamme_tui", plain=lines):
        said = [
            wing_lines.wing_commands()["a"](cast(InGame, game)),
            cast(Callable[..., Any], wing_lines.typed_in_lobby()["b"])(game, ""),
            cast(Callable[..., Any], wing_lines.typed_in_game()["c"])(game, ""),
            cast(Callable[..., Any], wing_lines.typed_by_hosts()["d"])(game, ""),
            wing_lines.wing_requests()["e"](Session()),
        ]
    assert all(str(each).startswith(SENTENCE) for each in said)


@pytest.mark.parametrize("name", ["__init__", *methods(TableChoice)])
def test_a_choice_of_tables_that_fails_says_nothing(name: str) -> None:
    kind: Any = clumsy(Choice, name) if name in vars(Choice) else clumsy(TableChoice, name)
    if name not in ("is_about", "__init__"):
        kind.is_about = Choice.is_about
    made: Any = wrong if name == "__init__" else kind
    with installed("driflamme_tui", plain=WingLines(choice=made)):
        choice = choice_for(BeforeTable())
        if name in ("__init__", "is_about"):
            assert choice is None or not isinstance(choice, kind)
            return
    assert choice is not None
    assert choice.is_about(BeforeTable())
    assert [*choice.news(BeforeTable())] == []
    assert all(str(do("")).startswith(SENTENCE) for do in choice.commands().values())
    said = choice.otherwise("text")
    assert said == () or str(said).startswith(SENTENCE)
    assert kind.called


def test_rows_of_the_start_screen_that_fail_are_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    row: Any = object()
    with installed("driflamme_tui", start_rows=StartRows(wrong, wrong, wrong)):
        waiting_rows()
        visited_rows(1)
        refresh_rows()
    assert len(sentences(caplog)) == 3
    seam = StartRows(lambda: [AddedRow(row, wrong)])
    with installed("driflamme_tui", start_rows=seam), pytest.raises(ExplainedError, match="clumsy"):
        waiting_rows()[0].plan()


def test_a_screen_that_cannot_be_loaded_is_the_ordinary_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings = TableSettings(sealed=True)
    assert settings.kind is not None
    with installed("driflamme_tui", tables=ScreenKind(settings.kind, wrong)):
        assert screen_of(settings) is LiveScreen
    assert len(sentences(caplog)) == 1


def test_words_of_a_kind_of_game_that_fail_are_empty(caplog: pytest.LogCaptureFixture) -> None:
    at = lobby("rbg", "r", settings={"sealed": True})
    assert at.settings.kind is not None
    record: Any = object()
    fields = [each for each in KindWords.__struct_fields__ if each not in ("name", "convictions")]
    seam = KindWords(at.settings.kind, convictions=wrong, **dict.fromkeys(fields, wrong))
    with installed("driflamme_tui", kind_words=seam):
        words = kind_words(at)
        assert words is not None
        assert all(getattr(words, field)(at) == "" for field in fields)
        assert [*convictions(cast(Record, record))] == []
    assert len(sentences(caplog)) == len(fields) + 1


def test_a_setting_of_a_wing_without_words_for_its_value_is_empty(
    caplog: pytest.LogCaptureFixture,
) -> None:
    setting = TableSetting("edition", "Laughs", (2,), {7: ValueTexts("seven", "Seven.")}, part=NAME)
    at = lobby("rbg", "r")
    assert setting.value(at) == setting.meaning(at) == ""
    assert len(sentences(caplog)) == 2


class Options(OpeningOptions):
    def add_to(self, opening: Opening) -> None:
        opening.parts["laughs"] = "loud"

    def sentences(self, place: OpenPlace) -> Iterator[str]:
        yield "It laughs."


@pytest.mark.parametrize("name", ["add_to", "check", "sentences"])
def test_options_of_a_wing_that_fail_end_the_command_with_a_sentence(
    name: str, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    kind = clumsy(OpeningOptions, name)
    wings = [kind(), Options()]
    if name == "sentences":
        add_all(wings, Opening())
        assert [*all_sentences(wings, OpenPlace())] == ["It laughs."]
    else:
        with pytest.raises(typer.Exit):
            add_all(wings, Opening())
        assert "The optional part clumsy has failed (ClumsyError" in capsys.readouterr().err
    assert len(sentences(caplog)) == 1


DATA = {"guide", "keys", "table_keys"}
"""The seams where wings add only data, so that the core calls no function of theirs."""

COMMANDS = {"commands"}
"""The seam of shell commands. A failing command ends, but no game ends with it."""


DIRECT = {
    "options": test_options_of_a_wing_that_fail_end_the_command_with_a_sentence,
    "settings": test_a_setting_of_a_wing_without_words_for_its_value_is_empty,
}
"""The tests that call a part of a seam without installing a wing."""


def test_every_seam_of_the_face_is_tried() -> None:
    found = tried("driflamme_tui", sys.modules[__name__], test_failing_parts)
    assert {*face_seams.seam_types()} - DATA - COMMANDS <= found | {*DIRECT}
