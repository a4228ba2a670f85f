"""Keys and clicks at the table, written as words, and positions with questions."""

from driflamme_tui.model.pending_question import Question
from driflamme_tui.widgets.key_bar import Keys
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.seats import Seats
from tests.support.tables import Hands, SeatedApp, session_at_line

PLACE = "2 4 b* rS,bh1,gl,bm2/bp1 *r3,b5:ASFX,g2"
EDGES = "2 4 b* bh1,rS,gl,bm2/bp1 *r3,b5:ASFX,g2"
"""A position in which Blue's cards are at both ends of the Queue."""
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
    return SeatedApp(session_at_line(line, viewer), **options)  # type: ignore[arg-type]


def chosen(question: Question) -> str:
    """Return the present choice as a token, a card or a position; "" for none."""
    choice = question.choice
    if choice is None:
        return ""
    return str(choice.action) if choice.action else choice.card or str(choice.position)


def choice(app: SeatedApp) -> str:
    """Return the present choice as a token, a card or a position, or "" for none."""
    question = app.table.answering.question
    assert question is not None
    return chosen(question)


async def click(app: SeatedApp, hands: Hands, where: str) -> None:
    """Click places written as words; raises ValueError for other words.

    The words are `hand A`, `seat r`, `key q` of the key bar, and `end` of the Queue; `row 2` and
    `bar` of the prompt; `stack 3`, or `stack 3 0.9` for a part of the stack's width.
    """
    kind, *rest = where.split()
    if kind == "key":
        entries = app.screen.query_one(Keys).entries()
        x, y = next((x, y) for x, y, key in entries if key.key == rest[0])
        await hands.click_at(Keys, 1 + x, y)
        return
    state, geometry = app.table.state(), app.table.query_one(Queue).geometry()
    match kind:
        case "hand":
            assert state.you is not None
            index = state.view.hands[state.you].index(rest[0])
            await hands.click_at(Hand, 2 + index * state.layout.hand_card.pitch, 2)
        case "seat":
            width = app.table.query_one(Seats).size.width // state.view.players
            await hands.click_at(Seats, state.view.seat_of(rest[0]) * width + 3, 1)
        case "row":
            await hands.click_at(Prompt, 5, int(rest[0]))
        case "bar":
            await hands.click_at(Prompt, app.table.query_one(Prompt).size.width - 3, 0)
        case "end":
            assert geometry is not None
            x, y = geometry.end_bar()
            await hands.click_at(Queue, x, y + 2)
        case "stack":
            x, y = 4, 1
            if geometry is not None:
                x, y = geometry.place(int(rest[0]) - 1)
                across = float(rest[1]) if len(rest) > 1 else 0.5
                across = 1 - across if geometry.mirrored else across
                x += round(across * (geometry.layout.card.width - 1))
            await hands.click_at(Queue, x, y + 2)
        case _:
            raise ValueError(f"nothing is called {kind}")
