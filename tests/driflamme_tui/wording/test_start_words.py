"""Tests that the texts of the start screen's rows fit, without a screen."""

import pytest
from rich.cells import cell_len

from driflamme_tui.model.past_game_totals import PlayerGames, games_of_player
from driflamme_tui.preferences.matched_bots import EVEN_BOT
from driflamme_tui.preferences.remembered import Opponents, PuzzleProgress
from driflamme_tui.text.cell_widths import fit_text
from driflamme_tui.text.i18n import set_language
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.wording.program.found_table_words import found_about, found_row
from driflamme_tui.wording.program.start_words import (
    Row,
    Standing,
    TodaysPuzzle,
    both_ends,
    join_about,
    latest_lines,
    rows_of,
)
from engine.bots import BOTS
from netcode.joining.discovery import FoundTable
from netcode.protocol.messages import PROTOCOL
from netcode.table.finished_game import PastGame, PastPlayer
from netcode.transport.address import Address

TODAY = 739_000


def a_game(place: int | None, outcome: str = "finished", own: tuple[int, ...] = (0,)) -> PastGame:
    """Return a past game in which the first seat had this place."""
    first = PastPlayer("r", "Ann", None, 21, place)
    others = [PastPlayer(family, family, "steady", 9, 2) for family in "bg"]
    assert outcome in ("finished", "abandoned", "left")
    return PastGame(0, 9, outcome, 2, (first, *others), own, 30, 6, "own")  # type: ignore[arg-type]


def puzzle(**progress: object) -> TodaysPuzzle:
    """Return today's puzzle, with this stored progress."""
    return TodaysPuzzle(93, 200, TODAY, PuzzleProgress(**progress))  # type: ignore[arg-type]


STANDINGS = [
    Standing(puzzle=puzzle(), games=PlayerGames()),
    Standing(back="", reopens=True, is_lesson_begun=True, games=PlayerGames(9999, 1234)),
    *(
        Standing(back="Rosalind", opponents=Opponents(number, bot, edition), puzzle=done)
        for number, edition, done in (
            (2, 1, puzzle(solved=(93,))),
            (4, 2, puzzle(streak=365, day=TODAY)),
        )
        for bot in (*BOTS, EVEN_BOT)
    ),
]


def named(standing: Standing, name: str) -> Row:
    (row,) = (each for each in rows_of(standing) if each.name == name)
    return row


def test_what_was_interrupted_comes_first() -> None:
    names = [[row.name for row in rows_of(each)][:3] for each in STANDINGS[:2]]
    assert names == [["learn", "play", "host"], ["back", "reopen", "learn"]]
    swapped = rows_of(Standing(back="Ann", reopens=True, is_reopened_first=True))
    assert [row.name for row in swapped][:2] == ["reopen", "back"]
    assert named(STANDINGS[1], "learn").label == "Resume the lesson"


@pytest.mark.parametrize(
    ("standing", "name", "state"),
    [
        (Standing(), "puzzle", ""),
        (Standing(puzzle=puzzle()), "puzzle", "93, unsolved"),
        (Standing(puzzle=puzzle(solved=(93,))), "puzzle", "93, solved"),
        (Standing(puzzle=puzzle(day=TODAY)), "puzzle", "93, missed"),
        (Standing(puzzle=puzzle(day=TODAY - 1, streak=4)), "puzzle", "93, 4 days in a row"),
        (Standing(), "past", ""),
        (Standing(games=PlayerGames()), "past", "none yet"),
        (Standing(games=PlayerGames(12, 4)), "past", "4 of 12 won"),
        (Standing(games=games_of_player([a_game(None, "left")])), "past", "0 of 1 won"),
        (Standing(opponents=Opponents(4, "sharp")), "play", "4 bots, sharp"),
        (Standing(resumes=True), "resume", "against bots"),
    ],
)
def test_each_row_says_how_it_stands(standing: Standing, name: str, state: str) -> None:
    assert named(standing, name).state == state


def test_rows_say_what_they_continue() -> None:
    rows = rows_of(Standing(back="Ann", reopens=True, resumes=True))[:3]
    labels = ["Back to Ann's table", "Reopen your table", "Resume your game"]
    assert [row.label for row in rows] == labels


def test_all_stored_games_count_and_only_finished_ones_are_won() -> None:
    games = [a_game(None, "left"), a_game(1), a_game(2), a_game(1, own=()), a_game(1)]
    counted = games_of_player(games)
    assert (counted.stored, counted.won, counted.last) == (5, 2, games[1])
    assert games_of_player([]) == PlayerGames()
    lines = latest_lines(Standing(puzzle=puzzle(solved=(1, 2)), games=counted), UNICODE)
    assert lines[0] == "Puzzles: Streak: 0 days. Solved: 2 of 200."
    assert lines[1].endswith("Ann 21, b 9, g 9")


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("language", ["en", "fr", "pl"])
def test_no_row_and_no_preview_is_cut_at_any_size(language: str, glyphs: Glyphs) -> None:
    set_language(language)
    try:
        for standing in STANDINGS:
            for row in rows_of(standing):
                line = both_ends(f" 1 {row.label}", row.state, 42, glyphs)
                assert cell_len(line) == 42
                assert row.state in line, (row.name, line)
                assert glyphs.cut not in line.replace(row.state, ""), line
                chooses = row.name == "play"
                for width, rows in ((74, 3 - chooses), (54, 3 - chooses), (32, 10 - 3 * chooses)):
                    shown = fit_text(row.about, width, rows, glyphs, sentences=True)
                    assert not shown[-1].endswith(glyphs.ellipsis), (row.name, width, shown)
        assert len(fit_text(join_about(), 54, 9, glyphs)) <= 3
    finally:
        set_language("en")


def test_a_full_table_with_the_readers_seat_leads_back_to_it() -> None:
    table = FoundTable("Ann", Address("192.168.1.2"), "K7Q", PROTOCOL, 4, 5, playing=True)
    assert "The first row leads back to your own seat" in found_about(table, "Ann")
    for back in (None, "", "Bo"):
        assert "you watch" in found_about(table, back)


def test_the_level_of_the_opponents_is_described_first() -> None:
    about = named(Standing(opponents=Opponents(2, "master")), "play").about
    assert about.startswith("Master has learned")


@pytest.mark.parametrize("language", ["en", "fr", "pl"])
def test_of_a_found_table_its_room_and_its_seats_stay(language: str) -> None:
    set_language(language)
    try:
        for name in ("Ann", "Maximilian-Alexander VII"):
            for taken, playing in ((3, False), (5, False), (4, True)):
                table = FoundTable(
                    name, Address("192.168.100.200"), "K7Q", PROTOCOL, taken, 5, playing=playing
                )
                begin, end = found_row(table, 36, UNICODE)
                line = both_ends(begin, end, 36, UNICODE)
                assert line.startswith(f" K7Q {name[:6]}"[: len(begin) - 1])
                assert len(begin) >= 12 or name == "Ann"
                assert str(taken) in end
                assert end in line
                assert len(fit_text(found_about(table), 54, 9, UNICODE)) <= 3
                assert len(fit_text(found_about(table, name), 54, 9, UNICODE)) <= 3
    finally:
        set_language("en")
