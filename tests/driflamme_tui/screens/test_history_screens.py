"""Tests past games and statistics in the app, by keys, by mouse and by pictures.

Make the pictures with `pytest tests/driflamme_tui/screens/test_history_screens.py
--snapshot-update`; look at them before a commit.
"""

from typing import Any

import pytest
from textual.events import Key, Paste
from textual.screen import Screen
from textual.widgets import Button

from driflamme_tui.screens.base.overlay import Confirmation
from driflamme_tui.screens.lists.history_screens import (
    HistoryScreen,
    StatisticsScreen,
)
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.study.replay_screen import ReplayScreen
from driflamme_tui.text.signs import UNICODE, Glyphs
from driflamme_tui.wording.program.history_words import sides
from engine.events import RoundBegan
from netcode.storage.history import History
from netcode.table.errors import UnavailableError
from netcode.table.finished_game import LeftGame, PastGame, PastPlayer
from tests.driflamme_tui.past_games import EVENINGS, keep_evenings, record_of_bots
from tests.driflamme_tui.screens.test_start_screen import StartedApp
from tests.support.tables import SIZES, Hands, in_app, is_at, rows_of, run_app, table_of

SMALL, WIDE = SIZES


class PastApp(StartedApp):
    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.terminal.glyphs = glyphs

    @property
    def games(self) -> HistoryScreen:
        assert isinstance(self.screen, HistoryScreen)
        return self.screen

    @property
    def figures(self) -> StatisticsScreen:
        assert isinstance(self.screen, StatisticsScreen)
        return self.screen

    @property
    def listed(self) -> list[int]:
        return [game.id for game in self.games.items]

    @property
    def chosen(self) -> int:
        chosen = self.games.chosen
        return 0 if chosen is None else chosen.id

    def at(self, kind: type[Screen[Any]]) -> bool:
        return isinstance(self.screen, kind)


@pytest.fixture
def evenings() -> list[int]:
    """Store some games; return their numbers, oldest first."""
    return keep_evenings()


@in_app(PastApp)
async def test_without_games_one_reads_how_to_get_some(app: PastApp, hands: Hands) -> None:
    await hands.press("f4")
    yet = "No game is over yet: play one to its end, and it will be here."
    assert app.shows(yet)
    await hands.press("s")
    assert app.at(StatisticsScreen)
    assert app.shows(yet)
    for key in ("right", "n", "0", "escape", "enter", "d", "down", "end", "pagedown"):
        await hands.press(key)
    assert app.at(HistoryScreen)


@in_app(PastApp, (60, 20))
async def test_what_is_told_of_a_game_is_broken_between_its_parts_only(
    app: PastApp, hands: Hands, evenings: list[int]
) -> None:
    await hands.press("f4")
    await hands.type("down down")
    rows = "\n".join(rows_of(app))
    for part in ("second edition", "93 decisions", "3. ★y Maximiliane Sturmhub 8", "5. ●b 漢字"):
        assert part in rows


@in_app(PastApp)
async def test_games_are_listed_and_sorted_and_the_chosen_one_is_told_in_full(
    app: PastApp, hands: Hands, evenings: list[int]
) -> None:
    await hands.press("f4")
    assert app.listed == evenings[::-1]
    assert app.shows("Game 7 2026-03-02 19:00 second edition 6 rounds 49 decisions")
    await hands.type("down")
    assert app.shows("Game 6 unfinished 2026-03-01 19:00")
    assert app.shows("▲r Blaise (you) 6")
    await hands.type("down")
    assert app.shows("1. ◆g Blaise (you) 11")
    assert app.shows("5. ●b 漢字名前漢字名前漢字 7")
    await hands.type("end")
    assert app.chosen == evenings[0]
    await hands.type("down up")
    assert app.chosen == evenings[1]
    await hands.type("home up down >")

    def listed() -> list[int]:
        return [game.id for game in app.games.listing.shown]

    assert listed() == sorted(evenings)
    assert app.shows("GAME ▴")
    assert app.chosen == evenings[5], "what was chosen stays so"
    await hands.type("<")
    assert listed() == sorted(evenings, reverse=True)
    await hands.click_on("PLACE")
    assert set(listed()[:2]) == {evenings[4], evenings[1]}, "those that were won"


@in_app(PastApp)
async def test_a_click_chooses_and_another_opens(
    app: PastApp, hands: Hands, evenings: list[int]
) -> None:
    await hands.press("f4")
    await hands.click_on("◆g Blaise 11")
    assert app.chosen == evenings[-3]
    await hands.click_on("◆g Blaise 11")
    await hands.until(lambda: is_at(app, ReplayScreen))
    assert table_of(app, ReplayScreen).replay.record == EVENINGS[-3]
    await hands.type("q")
    assert app.chosen == evenings[-3]
    await hands.type("up enter")
    await hands.until(lambda: is_at(app, ReplayScreen))
    assert table_of(app, ReplayScreen).replay.record == EVENINGS[-2]


@in_app(PastApp)
async def test_games_are_found_as_a_name_is_typed(
    app: PastApp, hands: Hands, evenings: list[int]
) -> None:
    await hands.press("f4")
    for key, sign in (("slash", "/"), ("z", "z")):
        # A quick typist presses the second key before the first has taken effect.
        app.post_message(Key(key, sign))
    await hands.pause()
    assert app.listed == [evenings[each] for each in (6, 5, 2)]
    assert app.shows("3 of 7 games")
    await hands.type("d e n s q")
    assert app.games.wanted.games.player == "zdensq"
    assert app.shows("No game matches. 0 shows all again.")
    for _ in range(5):
        await hands.type("backspace")
    await hands.type("down")
    assert app.chosen == evenings[5]
    await hands.type("enter")
    assert app.at(HistoryScreen)
    assert not app.games.searching
    await hands.type("0")
    assert app.listed == evenings[::-1]
    assert app.chosen == evenings[5], "what was chosen stays so"
    await hands.type("/")
    app.post_message(Paste("Vasco\n"))
    await hands.pause()
    await hands.type("escape")
    assert app.listed == [evenings[1]]
    await hands.type("escape")
    assert app.at(StartScreen)


@in_app(PastApp)
async def test_a_game_without_its_cards_offers_no_replay_and_says_why(
    app: PastApp, hands: Hands
) -> None:
    players = tuple(
        PastPlayer(each, name, None, 3, None) for each, name in zip("rb", "AB", strict=True)
    )
    past = PastGame(1000, 2000, "left", 2, players, (0,), 9, 2, "joined")
    with History.open() as history:
        history.add_left(LeftGame(past, "a view", ("FDC",), (RoundBegan(1, 0),)))
        evening = history.add(EVENINGS[0], (0,), None, "own")
    await hands.press("f4")
    assert app.chosen == evening
    assert app.shows("Enter replay")
    await hands.press("down")
    assert app.chosen != evening
    assert app.shows("no replay, since not all cards are known")
    assert not app.shows("Enter replay")
    await hands.press("enter")
    assert app.shows("continued without you, so your program does not know all its cards: ask")
    await hands.press("up")
    assert app.shows("Enter replay")


@in_app(PastApp)
async def test_games_are_narrowed_down_by_keys_and_clicks(
    app: PastApp, hands: Hands, evenings: list[int]
) -> None:
    await hands.press("f4")

    await hands.press("f")
    await hands.press("f")
    assert app.listed == [evenings[5]]
    await hands.click_on("outcome: unfinished")
    assert app.listed == []
    for outcome in ("cheated", "left before the end", "sent away before the end"):
        assert app.listed == []
        await hands.click_on(f"outcome: {outcome}")
    assert len(app.listed) == 7
    await hands.click_on("families: —")
    await hands.click_on("edition: —")
    assert app.listed == [evenings[2]]
    await hands.click_on("edition: 1")
    await hands.press("n")
    await hands.press("b")
    assert app.listed == [evenings[3]]
    await hands.press("b")
    assert app.listed == [evenings[1]]
    await hands.click_on("Name: —")
    assert app.games.searching


def test_a_game_is_deleted_only_by_who_means_it(evenings: list[int]) -> None:
    async def steps(app: PastApp, hands: Hands) -> None:
        await hands.press("f4")
        await hands.type("down d")
        assert app.at(Confirmation)
        await hands.type("escape")
        assert len(app.listed) == 7
        await hands.type("delete")
        keeps = app.screen.query_one("#answer-1", Button)
        assert app.focused is keeps, "Enter alone deletes nothing"
        await hands.type("right enter")
        assert evenings[5] not in app.listed
        assert app.chosen == evenings[4]
        await hands.type("d")
        await hands.click("#answer-2")
        await hands.pause()
        assert app.listed == [evenings[each] for each in (6, 3, 2, 1, 0)]

    run_app(PastApp(), steps)
    with History.open() as history:
        assert history.count() == 5


@pytest.mark.usefixtures("evenings")
@in_app(PastApp)
async def test_what_has_gone_meanwhile_is_told(
    app: PastApp, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hands.press("f4")
    with History.open() as history:
        history.prune(None)
    await hands.type("d y")
    await hands.until(lambda: app.shows("There is no game 7 in the history: "))

    def locked(*_: object, reading: bool) -> History:
        raise UnavailableError("The journal of tables is elsewhere.")

    monkeypatch.setattr(History, "open", locked)
    await hands.press("n")
    assert app.shows("The journal of tables is elsewhere.")


@in_app(PastApp)
async def test_statistics_are_of_the_games_that_are_listed(
    app: PastApp, hands: Hands, evenings: list[int]
) -> None:
    await hands.press("f4")
    await hands.press("n")
    await hands.press("s")
    assert app.figures.statistics is not None
    assert [each.game for each in app.figures.statistics.results] == [
        evenings[0],
        evenings[2],
    ]
    assert app.shows("families: 3")
    await hands.press("e")
    assert app.shows("finished games 1")
    await hands.type("enter")
    assert app.at(HistoryScreen)
    assert app.listed == [evenings[2]]


@pytest.mark.usefixtures("evenings")
@in_app(PastApp, SMALL)
async def test_statistics_are_scrolled_through(app: PastApp, hands: Hands) -> None:
    await hands.press("s")
    assert app.shows("YOUR GAMES")
    assert app.shows("1. 2 █"), "a bar stands beside its number"
    assert not app.shows("EVENINGS")
    await hands.type("down")
    assert not app.shows("YOUR GAMES")
    await hands.type("up")
    assert app.shows("YOUR GAMES")
    await hands.type("end")
    assert app.shows("Rosalind: 0 won, 11 influence")
    await hands.type("pageup right home right")
    assert app.shows("RECORDS")
    await hands.type("enter")
    assert app.at(HistoryScreen)
    await hands.type("escape escape")
    assert app.at(StartScreen)


def test_at_a_table_for_two_a_player_stands_for_both_seats() -> None:
    for names in (("Blaise", "Rosalind") * 2, ("Blaise", "Rosalind", "Blaise", "Zoe")):
        two = names[2:] == names[:2]
        record = record_of_bots(2, names, None)._replace(settings={"two": True} if two else {})
        with History.open() as history:
            history.add(record, [0, 2] if two else [0], "finished", "own")
            (game,) = history.games()
            history.prune(None)
        both = sides(game)
        assert {side.families for side in both} == ({"rg", "by"} if two else set("rbgy"))
        assert sum(side.score for side in both) == sum(each.score for each in game.players)
        assert len(both) == (2 if two else 4)
        assert both[0].score >= both[1].score
