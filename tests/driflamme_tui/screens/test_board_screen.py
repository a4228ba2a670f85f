"""Tests the analysis board on the screen and line by line, and the way to it from a replay."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from driflamme_tui.plain.line_shell import play_lines
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.seat.targets import Study
from driflamme_tui.study.plain_players import BoardPlayer
from driflamme_tui.study.puzzle_screens import BoardScreen
from driflamme_tui.widgets.board import DrawnWidget
from engine.actions import ACTIONS
from engine.notation import format_position, parse_position
from tests.driflamme_tui.boards import LINE, VIEW, AtPosition, board, lines_of
from tests.driflamme_tui.screens.test_replay_screen import ROUND_4, LookingBack
from tests.support.tables import Hands, in_app, is_at, rows_of, run_app, table_of

PLACE = (
    "1 2 g* b?,rH,gS,vS r3:??????:???:-,*b1:?????:???:L,g2:APFLXM:HDC:-,y1:??????:???:H,"
    "v2:??????:???:-"
)
"""Green has six cards to place."""


class AtBoard(AtPosition):
    def __init__(self, line: str = LINE, seat: str = "") -> None:
        self.board, self.pretended = board(line, seat)
        super().__init__(lambda: BoardScreen(self.board), Settings(animation=False))
        self.copied: list[str] = []

    def copy_to_clipboard(self, text: str) -> None:
        self.copied.append(text)

    @property
    def text(self) -> str:
        return "\n".join(rows_of(self))


async def shown(app: AtBoard, hands: Hands) -> TableScreen:
    """Wait until the screen shows the present state of the board; return the screen."""

    def is_shown() -> bool:
        screen = app.screen
        return isinstance(screen, TableScreen) and screen.shown.news.revision == app.board.revision

    await hands.until(is_shown)
    await hands.pause()
    assert isinstance(app.screen, TableScreen)
    return app.screen


def test_answers_are_given_and_taken_back_by_keys() -> None:
    async def steps(app: AtBoard, hands: Hands) -> None:
        await shown(app, hands)
        assert "all cards open · board" in app.text
        assert "PLXD" not in app.text
        await hands.type("u")
        assert "You have no answer to undo." in app.text
        await hands.type("1 enter")
        await shown(app, hands)
        assert "YOUR AMBUSH AT 2 is face down" in app.text
        assert "▲r Red's Soldier eliminates" in app.text
        # Chat, pause and hints do nothing here.
        await hands.type("h f4 . w space r")
        await hands.type("+ enter")
        await shown(app, hands)
        assert "▸●b You" in app.text
        for _ in range(2):
            await hands.type("backspace")
            await shown(app, hands)
        assert format_position(app.board.game) == LINE
        # No bot has decided for the player.
        assert "A bot has decided" not in app.text
        assert "Red's Soldier eliminates" not in app.text
        await hands.type("f2 p o s i t i o n enter")
        assert app.copied == [LINE]
        assert "driflamme board to play from here" in " ".join(app.text.split())
        await hands.type("escape q")

    app = AtBoard()
    run_app(app, steps, (120, 40))
    assert app.pretended.closed


@in_app(AtBoard)
async def test_one_key_shows_what_the_teacher_thinks_of_each_answer(
    app: AtBoard, hands: Hands
) -> None:
    await shown(app, hands)
    await hands.type("t")
    await hands.until(lambda: "✓ ◆g conspiracy 1   60%" in app.text)
    assert "from what Red can know" in app.text
    # The bot sees only what Red would see.
    assert app.pretended.pending[0].view.startswith("2 4 rS2 g?2,rS,rm1,bL ")
    assert "55%" in app.text
    await hands.type("3 enter")
    await shown(app, hands)
    await hands.type("u")
    await shown(app, hands)
    assert "✓ ◆g conspiracy 1   60%" in app.text
    # Undoing an answer asks no question again.
    views = [each.view for each in app.pretended.pending]
    assert len(views) == len(set(views))
    await hands.type("t")
    assert "60%" not in app.text


@in_app(lambda: AtBoard(PLACE), (120, 40))
async def test_an_answer_is_chosen_by_a_click_on_what_is_thought_of_it(
    app: AtBoard, hands: Hands
) -> None:
    async def click(token: str) -> None:
        panel = app.screen.query_one("#answers", DrawnWidget)
        action = f"promised('{token}')"
        place = next(place for place, what in panel.places if what == action)
        await hands.click_at("#answers", *place.offset)

    screen = await shown(app, hands)
    await hands.type("t")
    await hands.until(lambda: bool(table_of(app, BoardScreen).answers()))
    await hands.pause()
    tokens = [token for token, _share in table_of(app, BoardScreen).answers()]
    # The first click only chooses, even if a key has chosen the card before.
    await hands.type(tokens[0][0].lower())
    for token in tokens[:2]:
        await click(token)
        question = screen.answering.question
        assert question is not None
        assert question.choice is not None
        assert str(question.choice.action) == token
    await click(tokens[1])
    await shown(app, hands)
    assert app.board.revision > 1
    assert app.board.can_undo


@in_app(lambda: AtBoard(VIEW), (120, 40))
async def test_hidden_cards_are_hidden_until_all_are_opened(app: AtBoard, hands: Hands) -> None:
    await shown(app, hands)
    assert "others imagined · Blue's cards · board" in app.text
    assert "▯▯▯▯" in app.text
    await hands.type("tab")
    await shown(app, hands)
    assert "all cards open" in app.text
    assert "APFM 4 in hand" in app.text
    await hands.type("tab + enter")
    await shown(app, hands)
    await hands.until(lambda: app.board.game.turn == 1 and app.board.game.round == 4)
    await shown(app, hands)
    assert "Blue's cards" in app.text
    await hands.type("t . w space h")
    assert isinstance(app.screen, TableScreen)


@in_app(AtBoard, (120, 40))
async def test_a_game_that_is_over_leads_back_and_to_no_result(app: AtBoard, hands: Hands) -> None:
    while not app.board.game.over:
        screen = await shown(app, hands)
        screen.player_seat.answer(app.board.game.legal[-1])
    screen = await shown(app, hands)
    assert "u undoes an answer" in app.text
    await hands.type("enter t")
    assert app.screen is screen
    await hands.type("u")
    await shown(app, hands)
    assert not app.board.game.over


@in_app(lambda: LookingBack(step=ROUND_4), (120, 40))
async def test_a_replay_is_played_on_from_any_step_and_gone_on_with(
    app: LookingBack, hands: Hands
) -> None:
    await hands.type("enter")
    await hands.until(lambda: is_at(app, BoardScreen) and table_of(app, BoardScreen).is_whole)
    assert format_position(table_of(app, BoardScreen)._board.game) == app.game.replay.line(ROUND_4)
    shown = "\n".join(rows_of(app))
    assert "Round 4 begins" in shown
    assert all(player.name in shown for player in app.game.replay.record.players), "by name"
    await hands.type("q")
    await hands.until(lambda: app.screen is app.game)
    assert app.step == ROUND_4
    await hands.type("end enter")
    assert app.screen is app.game


def test_line_by_line() -> None:
    table, workers = board()
    typed = ("undo", "think", "x1", "undo", "position", "eyes", "help", "quit")
    lines = lines_of(table, partial(BoardPlayer, board=table), *typed)
    assert lines[0] == "board, all cards open."
    assert "You have no answer to undo." in lines
    at = lines.index("What Grandmaster thinks: how often each answer wins, from what Red can know:")
    assert lines[at + 1 : at + 3] == ["60%: Green's Conspiracy at 1", "55%: your Ambush at 3"]
    done = next(line for line in lines if line.startswith("Your Soldier at 2 eliminates"))
    # Undone events are not repeated; the whole table is described instead.
    assert lines.count(done) == 1
    assert lines.count("board, all cards open.") == 2
    assert lines.index(LINE) > lines.index(done)
    assert "board, Red's cards." in lines
    assert lines[-1] == "quit: leave the table."
    assert workers.closed


def test_lines_that_come_all_at_once_are_each_about_what_the_one_before_has_led_to() -> None:
    table, _workers = board()

    async def lines() -> AsyncIterator[str]:
        while not sentences:
            await asyncio.sleep(0)
        for line in ("x1", "undo", "x3", "undo", "eyes", "eyes", "x3", "position"):
            yield line

    sentences: list[str] = []
    player_of = partial(BoardPlayer, board=table)
    assert not asyncio.run(play_lines(Study(table), "Blaise", player_of, lines(), sentences.append))
    assert len(table._past) == 1
    after = format_position(parse_position(LINE).play(ACTIONS["x3"], []))
    assert sentences[-1] == after
