"""What hands do at the table: positions to ask about, keys and clicks told as words."""

from collections.abc import Sequence

from driflamme_tui.model.pending_question import Question
from driflamme_tui.widgets.key_bar import Keys
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.seats import Seats
from tests.support.tables import (
    Hands,
    SeatedApp,
    asked_at,
    run_app,
)

PLACE = "2 4 b* rS,bh1,gl,bm2/bp1 *r3,b5:ASFX,g2"
EDGES = "2 4 b* bh1,rS,gl,bm2/bp1 *r3,b5:ASFX,g2"
"""Blue stands at both ends."""
EMPTY = "2 1 b* - r1,*b1,g1"
DOWN = "2 4 b?2 rS,bh1,gl *r3,b5,g2"
ARCHER = "2 4 bA2 rS,bA,gl *r3,b5,g2"
SOLDIER = "2 4 bS2 rs1,bS/bm2,gl,yH *r3,b5,g2,y0"
ASSASSINATION = "2 4 bX2 rS,bX,gl *r3,b5,g2"
SPY = "2 4 bP2 rS,bP,gl,yH *r3,b5,g2,y0"
SHAPESHIFTER = "2 4 bF2 rS,bF,gL,yH *r3,b5,g2,y0"
DECREE = "2 4 bD2 rS,bD,gl/gh1 *r3,b5,g2"
DECREE_ALONE = "2 4 bD2 rS,bD,gl,yH *r3,b5,g2,y0"
THEIRS = "2 4 g?3 rS,bh1,gl *r3,b5,g2"
OVER = "2 6 - rH,bL,gS *r9,b9,g3"


def table_app(line: str, viewer: str | None = "b", **options: float) -> SeatedApp:
    return SeatedApp(asked_at(line, viewer), **options)  # type: ignore[arg-type]


def chosen(question: Question) -> str:
    """Return the present choice as a word, or "" for none."""
    choice = question.choice
    if choice is None:
        return ""
    return str(choice.action) if choice.action else choice.card or str(choice.position)


def choice(app: SeatedApp) -> str:
    """Return the present choice as a token, a card or a position, or "" for none."""
    question = app.table.answering.question
    assert question is not None
    return chosen(question)


def answers_by_keys(*cases: tuple[str, str, str]) -> None:
    """Assert what is sent at each line for a series of keys, with nothing chosen before."""

    async def steps(app: SeatedApp, hands: Hands) -> None:
        for line, keys, answer in cases:
            app.sit(asked_at(line))
            await hands.pause()
            await hands.type(keys)
            assert app.answers == answer, f"{keys} gave {app.answers!r}"

    run_app(table_app(PLACE), steps)


# Clicks, told as words: `hand A`, `stack 3`, `stack 3 0.9` (how far across), `seat r`, `row 2`,
# `bar`, `start`, `end`, `key q`


async def click(app: SeatedApp, hands: Hands, where: str) -> None:
    kind, *rest = where.split()
    await {
        "hand": click_hand,
        "stack": click_stack,
        "seat": click_seat,
        "row": click_row,
        "bar": click_bar,
        "start": click_end,
        "end": click_end,
        "key": click_key,
    }[kind](app, hands, [kind, *rest])
    await hands.pause()


async def click_hand(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    hand = app.table.query_one(Hand)
    state = app.table.state()
    assert state is not None
    assert state.you is not None
    index = state.view.hands[state.you].index(words[1])
    await hands.click_at(Hand, 2 + index * state.layout.hand_card.pitch, 2)
    assert hand.state is not None


async def click_stack(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    queue = app.table.query_one(Queue)
    geometry = queue.geometry()
    assert geometry is not None
    x, y = geometry.place(int(words[1]) - 1)
    across = float(words[2]) if len(words) > 2 else 0.5
    if geometry.mirrored:
        across = 1 - across
    column = round(across * (geometry.layout.card.width - 1))
    await hands.click_at(Queue, x + column, y + 2)


async def click_seat(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    view = app.session.view
    assert view is not None
    width = app.table.query_one(Seats).size.width // view.players
    await hands.click_at(Seats, view.seat_of(words[1]) * width + 3, 1)


async def click_row(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    await hands.click_at(Prompt, 5, int(words[1]))


async def click_bar(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    await hands.click_at(Prompt, app.table.query_one(Prompt).size.width - 3, 0)


async def click_end(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    geometry = app.table.query_one(Queue).geometry()
    assert geometry is not None
    x, y = geometry.start_bar() if words[0] == "start" else geometry.end_bar()
    await hands.click_at(Queue, x, y + 2)


async def click_key(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    keys = app.screen.query_one(Keys)
    x = next(x for x, key in keys.entries() if key.key == words[1])
    await hands.click_at(Keys, x + 1, 0)


def answers_by_clicks(
    *cases: tuple[str, str, str], direction: str = "right", size: tuple[int, int] = (80, 24)
) -> None:
    """Assert what is sent at each line for a series of clicks, joined by commas."""

    async def steps(app: SeatedApp, hands: Hands) -> None:
        for line, clicks, answer in cases:
            app.sit(asked_at(line, settings={"direction": direction}))
            await hands.pause()
            for where in clicks.split(", "):
                await click(app, hands, where)
            assert app.answers == answer, f"{clicks} gave {app.answers!r}"

    run_app(table_app(PLACE), steps, size)
