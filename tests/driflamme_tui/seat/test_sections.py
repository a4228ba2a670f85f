"""Tests a wing's line in the lobby: on the screen and by lines, if the host has the wing."""

import pytest
from msgspec.structs import replace

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.plain.typed_commands import PlainPlayer
from driflamme_tui.screens.lobby_screen import LobbyScreen
from driflamme_tui.screens.overlays.phrases_overlay import PhrasesOverlay
from driflamme_tui.seat import sections
from driflamme_tui.seat.sections import Section, SectionKind
from netcode.client.session import Session
from netcode.protocol.messages import Lobby
from tests.support.tables import SIZES, Hands, SeatedApp, evening_session, gathered, lobby, run_app

THERE = {"claps": {"n": 3}}
"""The lobby fields of a host that has an invented wing."""

LINE = "There have been 3 claps."


class Claps(Section):
    part = "claps"

    def lobby_line(self) -> str:
        return f"There have been {self.values['n']} claps."

    def time_left(self) -> str:
        return "three claps left"

    def waiting(self) -> str:
        return "They clap."

    def can(self, command: Command) -> bool:
        return True

    def do(self, command: Command) -> None:
        self.face.lay_over(PhrasesOverlay)


class ClapCommands(CommandSet, prefix="lobby"):
    clap = Command("9", "wing('lobby.clap')", "clap")


# Remove the set from the program's list, which other tests read.
CommandSet.kinds.remove(ClapCommands)


@pytest.fixture(autouse=True)
def _brought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the section of an invented wing."""
    monkeypatch.setattr(
        sections, "wing_values", lambda *_seam: (SectionKind(Claps, lobby=ClapCommands),)
    )


def player_at(first: Lobby) -> tuple[PlainPlayer, list[str]]:
    player = PlainPlayer(Session())
    return player, lines_after(player, first)


def lines_after(player: PlainPlayer, news: Lobby) -> list[str]:
    player.session.receive(news)
    return player.news(news)


def by_lines(player: PlainPlayer, line: str) -> list[str]:
    return [*player.line(line).lines]


@pytest.mark.parametrize("size", [(60, 20), *SIZES])
def test_a_lobby_always_shows_the_line_of_a_wing(size: tuple[int, int]) -> None:
    async def shows(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("3 claps")
        await hands.press("down", "down")
        assert app.shows("3 claps"), "an explanation does not hide it"

    run_app(SeatedApp(gathered("rbg", "r", parts=THERE)), shows, size)


def test_a_lobby_shows_no_line_of_a_wing_that_its_host_lacks() -> None:
    async def shows(app: SeatedApp, hands: Hands) -> None:
        assert not app.shows("claps")

    run_app(SeatedApp(gathered("rbg", "r")), shows)


def test_by_lines_it_is_told_once_and_again_when_it_changes() -> None:
    first = lobby("rbg", "r", phase="lobby", parts=THERE)
    player, lines = player_at(first)
    assert lines.count(LINE) == 1
    assert LINE in by_lines(player, "?")
    assert LINE not in lines_after(player, replace(first, paused=True))
    assert "There have been 4 claps." in lines_after(
        player, replace(first, parts={"claps": {"n": 4}})
    )


def test_by_lines_it_is_told_after_a_game_and_not_during_one() -> None:
    first = lobby("rbg", "r", phase="lobby", parts=THERE)
    player, _ = player_at(first)
    later = replace(first, parts={"claps": {"n": 4}})
    assert "There have been 4 claps." not in lines_after(player, replace(later, phase="playing"))
    assert "There have been 4 claps." in lines_after(player, replace(later, phase="result"))


def test_by_lines_nothing_is_told_of_a_wing_that_the_host_lacks() -> None:
    player, lines = player_at(lobby("rbg", "r", phase="lobby"))
    assert not any("claps" in line for line in [*lines, *by_lines(player, "?")])


def test_a_wing_lays_a_screen_over_the_lobby_and_nothing_over_lines() -> None:
    async def lies_above(app: SeatedApp, hands: Hands) -> None:
        assert isinstance(app.base, LobbyScreen)
        app.base.sections.do(ClapCommands.clap)
        await hands.pause()
        assert isinstance(app.screen, PhrasesOverlay)

    run_app(SeatedApp(gathered("rbg", "r", parts=THERE)), lies_above)
    player, _lines = player_at(lobby("rbg", "r", phase="lobby", parts=THERE))
    player.sections.do(ClapCommands.clap)


def test_a_table_with_others_shows_a_wings_time_and_its_text_about_the_asked_player() -> None:
    async def shows(app: SeatedApp, hands: Hands) -> None:
        is_there = bool(app.player_seat.lobby.parts)
        assert app.shows("three claps left") is is_there
        assert app.shows("They clap.") is is_there

    for parts in (THERE, {}):
        app = SeatedApp(evening_session(6, "b", parts=parts))
        run_app(app, shows)
