"""Tests puzzles on the screen and line by line: the answer, its judgement, and days in a row."""

from functools import partial
from pathlib import Path
from random import Random

import pytest

from driflamme_tui.preferences import remembered
from driflamme_tui.preferences.remembered import PUZZLES, PuzzleProgress
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.study.local_table import PuzzleTable
from driflamme_tui.study.plain_players import PuzzlePlayer
from driflamme_tui.study.puzzle_screens import PuzzleScreen
from tests.driflamme_tui.boards import AtPosition, lines_of
from tests.support.tables import Hands, in_app, rows_of

DAY = 739_942
"""A day, as `date.toordinal` counts, whose puzzle is neither `LORD` nor `PLACE`."""
LORD = 12
"""The number of a puzzle with Blue's Lord: revealing it promises 48 %, leaving it 34 %."""
PLACE = 4
"""The number of a puzzle in which Green places a card; the Lord at the end promises most."""
MANY = 175
"""The number of a puzzle with so many stacks that a small screen shows them without frames."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "state_path", lambda name: tmp_path / name)


class SolvingApp(AtPosition):
    def __init__(self, number: int | None = None, day: int = DAY) -> None:
        self.table = PuzzleTable(day, number, Random(1))
        super().__init__(lambda: PuzzleScreen(self.table))


async def open_puzzle(app: SolvingApp, hands: Hands) -> TableScreen:
    """Wait until the screen shows the puzzle or its solution; return the screen."""

    def shown() -> bool:
        screen = app.screen
        return (
            isinstance(screen, TableScreen)
            and screen.is_mounted
            and screen.shown.news.revision == app.table.revision
            and screen.player_seat.session.pending is None
            and (screen.answering.question is None) == bool(app.table.given)
        )

    await hands.until(shown)
    assert isinstance(app.screen, TableScreen)
    return app.screen


@in_app(lambda: SolvingApp(LORD))
async def test_a_right_answer_is_praised_and_enter_goes_on(app: SolvingApp, hands: Hands) -> None:
    await open_puzzle(app, hands)
    text = "\n".join(rows_of(app))
    assert "Puzzle 12 of 200" in text
    assert "●b You" in text
    assert "◆g Green" in text
    await hands.type("! enter")
    screen = await open_puzzle(app, hands)
    text = "\n".join(rows_of(app))
    assert "Right! That wins 48% of games." in text
    assert "✓ Reveal it" in text
    assert "34%" in text
    assert "Solved: 1 of 200." in text
    await hands.type("enter")
    await hands.until(lambda: not app.table.given)
    assert await open_puzzle(app, hands) is screen
    assert app.table.number != LORD
    assert not screen.notice
    # Pools of another position are no gain or loss of a player.
    assert not screen.state().change or not any(screen.state().change)
    await hands.press("q")
    assert PUZZLES.recall() == PuzzleProgress((LORD,))


@in_app(lambda: SolvingApp(PLACE), (60, 20))
async def test_on_a_small_screen_cut_answers_keep_their_places(
    app: SolvingApp, hands: Hands
) -> None:
    await open_puzzle(app, hands)
    await hands.type("a < enter")
    await open_puzzle(app, hands)
    text = "\n".join(rows_of(app))
    for label in ("✓ end: Lord", "end: Shapeshifter ", "start: Shapeshifter ", "✕ start: Archer"):
        assert label in text, label


@in_app(lambda: SolvingApp(MANY), (60, 20))
async def test_cards_without_frames_do_not_run_together(app: SolvingApp, hands: Hands) -> None:
    await open_puzzle(app, hands)
    text = "\n".join(rows_of(app))
    assert "Soldier" not in text.partition("YOUR SOLDIER")[0]
    assert "░░░░░1 shif 1 Spy " in text
    assert "░░░░░░ ░░░░░░" in text


@in_app(lambda: SolvingApp(PLACE), (100, 30))
async def test_a_wrong_answer_is_shown_among_the_others(app: SolvingApp, hands: Hands) -> None:
    await open_puzzle(app, hands)
    await hands.type("a < enter")
    screen = await open_puzzle(app, hands)
    text = "\n".join(rows_of(app))
    assert "Not the best: that wins 48% of games, the best answer 70%." in text
    assert "✓ Lord, at the end" in text
    assert "✕ Archer, at the start" in text
    # Only Enter affects the answer, and hints do nothing.
    await hands.type("h ! < e t . w f4 space")
    assert "Streak: 0 days." in text
    assert app.screen is screen
    assert app.table.given == "A<"
    assert PUZZLES.recall() == PuzzleProgress()
    # The other puzzles come first, and then this one may come again.
    await hands.click_at("#keys", 3, 0)
    await hands.until(lambda: not app.table.given)
    assert app.table.number != PLACE


@in_app(lambda: SolvingApp(PLACE), (60, 20))
async def test_what_there_is_no_room_for_ends_in_a_sign_that_says_so(
    app: SolvingApp, hands: Hands
) -> None:
    await open_puzzle(app, hands)
    await hands.type("a < enter")
    await open_puzzle(app, hands)
    assert rows_of(app)[-2].rstrip().endswith("…")


@in_app(SolvingApp)
async def test_a_puzzle_of_the_day_that_was_missed_is_told_as_such_and_escape_leaves_it(
    app: SolvingApp, hands: Hands
) -> None:
    await open_puzzle(app, hands)
    await hands.type("7 escape 7 enter")
    await open_puzzle(app, hands)
    assert "Today's puzzle was missed. Solved: " in "\n".join(rows_of(app))
    await hands.press("escape")
    assert app._exit


def test_days_in_a_row_are_solved_at_the_first_try() -> None:
    progress = PuzzleProgress()
    for day, right in ((10, True), (11, True), (11, False), (12, True)):
        progress = progress.after(day, right=right, day=day)
    assert progress == PuzzleProgress((10, 11, 12), streak=3, day=12)
    assert [progress.streak_at(day) for day in (12, 13, 14)] == [3, 3, 0]
    assert progress.after(99, right=False, day=None).streak_at(13) == 3
    assert progress.after(14, right=True, day=14).streak == 1
    wrong = progress.after(13, right=False, day=13)
    assert wrong.after(13, right=True, day=13) == PuzzleProgress((10, 11, 12, 13), 0, 13)


def test_line_by_line() -> None:
    table = PuzzleTable(DAY, rng=Random(1))
    best = [str(action) for action in table.puzzle.view.legal].index(table.puzzle.best) + 1
    lines = lines_of(table, partial(PuzzlePlayer, puzzles=table), str(best), "5", "", "quit")
    assert lines[0] == "Today's puzzle, 100 of 200. Streak: 0 days. Solved: 0 of 200."
    assert lines[1].startswith("A real position")
    assert lines[3] == "You, Red: 3 influence; 4 cards in hand; out: Royal Decree."
    assert lines[4] == "Blue: 4 influence; 4 cards in hand; out: Heir, Conspiracy."
    assert "1. Position 7: Violet loses the Soldier; you gain 1." in lines
    at = lines.index("Right! That wins 40% of games.")
    assert lines[at + 1].startswith(
        "40%: Violet's card at 9. Position 9: Violet loses a face-down card"
    )
    assert lines[at + 1].endswith("(your answer)")
    assert lines[at + 2] == "12%: Violet's Soldier at 7"
    assert lines[at + 3] == "Streak: 1 day. Solved: 1 of 200."
    assert lines[at + 4] == "Press Enter for another puzzle, or type quit."
    assert lines[at + 5].startswith("There is nothing to answer now")
    assert lines[at + 6].startswith(f"Puzzle {table.number} of 200. ")
    again = PuzzleTable(DAY)
    assert "12%: Violet's Soldier at 7" not in lines_of(
        again, partial(PuzzlePlayer, puzzles=again), "quit"
    )
    assert again.progress == PuzzleProgress((100,), 1, DAY)
