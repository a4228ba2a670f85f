"""Tests how a card is drawn in each size."""

import pytest

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import CardLook, Face, draw_card
from driflamme_tui.drawing.layout import (
    CHIP,
    COMPACT,
    FULL,
    GRAND,
    LARGE,
    MICRO,
    MINIMAL,
    NARROW_CARD,
    SLIM,
    TINY,
    CardSize,
)
from tests.driflamme_tui.drawing.test_canvas import rows

FACES = (
    (Face("b", "?", False), 1),
    (Face("b", "S", False, 3), 1),
    (Face("r", "A", True), 1),
    (Face("g", "H", True, 12), 2),
)
"""Cards on top of stacks, and the heights of the stacks."""

IN_QUEUE = {
    GRAND: """\
╔● Blue═════════╗ ╔● Blue═════════╗ ┌▲ Red──────────┐ ┌◆ Green────────┐
║░░░░░░░░░░░░░░░║ ║soldier        ║ │Archer         │ │Heir           │
║░░░░░░░░░░░░░░░║ ║░░░░░░░░░░░░░░░║ │               │ │               │
║░░░░░░░░░░░░░░░║ ║░░░░░░░░░░░░░░░║ │               │ │               │
║░░░░░░░░░░░░░░░║ ║░░░░░░‹✕›░░░░░░║ │     ✕··✕      │ │      +2       │
║░░░░░░░░░░░░░░░║ ║░░░░░░░░░░░░░░░║ │               │ │               │
║░░░░░░░░░░░░░░░║ ║eliminate      ║ │eliminate      │ │+2 if no       │
║░░░░░░░░░░░░░░░║ ║beside it      ║ │an end         │ │other up       │
║░░░░░░░░░░░░░░░║ ║░░░░░░░░░░░░░░░║ │               │ │               │
║░░░░░░░░░░░░░░░║ ║░░░░░░░░░░░░░░░║ │               │ │               │
║░░░░░░░░░░░░░░░║ ║••• 3          ║ │               │ │12             │
╚═══════════════╝ ╚═══════════════╝ └───────────────┘ └─────────────×2┘""",
    LARGE: """\
╔● Blue══════╗ ╔● Blue══════╗ ┌▲ Red───────┐ ┌◆ Green─────┐
║░░░░░░░░░░░░║ ║soldier     ║ │Archer      │ │Heir        │
║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║ │            │ │            │
║░░░░░░░░░░░░║ ║░░░░‹✕›░░░░░║ │    ✕··✕    │ │     +2     │
║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║ │            │ │            │
║░░░░░░░░░░░░║ ║eliminate   ║ │eliminate   │ │+2 if no    │
║░░░░░░░░░░░░║ ║beside it   ║ │an end      │ │other up    │
║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║ │            │ │            │
║░░░░░░░░░░░░║ ║••• 3       ║ │            │ │12          │
╚════════════╝ ╚════════════╝ └────────────┘ └──────────×2┘""",
    FULL: """\
╔● Blue═══╗ ╔● Blue═══╗ ┌▲ Red────┐ ┌◆ Green──┐
║░░░░░░░░░║ ║soldier  ║ │Archer   │ │Heir     │
║░░░░░░░░░║ ║░░░░░░░░░║ │         │ │         │
║░░░░░░░░░║ ║eliminate║ │eliminate│ │+2 if no │
║░░░░░░░░░║ ║beside it║ │an end   │ │other up │
║░░░░░░░░░║ ║░░░░░░░░░║ │         │ │         │
║░░░░░░░░░║ ║••• 3    ║ │         │ │12       │
╚═════════╝ ╚═════════╝ └─────────┘ └───────×2┘""",
    COMPACT: """\
╔●b═════╗ ╔●b═════╗ ┌▲r─────┐ ┌◆g─────┐
║░░░░░░░║ ║soldier║ │Archer │ │Heir   │
║░░░░░░░║ ║x next ║ │x ends │ │+2 solo│
║░░░░░░░║ ║░░░░░░░║ │       │ │       │
║░░░░░░░║ ║••• 3  ║ │       │ │12     │
╚═══════╝ ╚═══════╝ └───────┘ └─────×2┘""",
    MINIMAL: """\
╔●b══╗ ╔●b══╗ ┌▲r──┐ ┌◆g──┐
║░░░░║ ║sold║ │Arch│ │Heir│
║░░░░║ ║••• ║ │✕··✕│ │12  │
╚════╝ ╚════╝ └────┘ └──×2┘""",
    NARROW_CARD: """\
╔●b══╗ ╔●b══╗ ┌▲r──┐ ┌◆g──┐
║░░░░║ ║sold║ │Arch│ │Heir│
║░░░░║ ║••• ║ │✕··✕│ │12  │
╚════╝ ╚════╝ └────┘ └──×2┘""",
    MICRO: """\
╔●b══╗ ╔●b═3╗ ┌▲r──┐ ┌◆g12┐
║░░░░║ ║sold║ │Arch│ │Heir│
╚════╝ ╚════╝ └────┘ └──×2┘""",
    SLIM: """\
╔●b══╗ ╔●b═3╗ ┌▲r──┐ ┌◆g12┐
║░░░░║ ║sold║ │Arch│ │Heir│
╚════╝ ╚════╝ └────┘ └──×2┘""",
    TINY: """\
●b═   ●b═   ▲r    ◆g ×2
░░░░  sold3 Arch  He…12""",
}
"""For each size, `FACES` as they are drawn in the Queue."""

IN_HAND = {
    LARGE: """\
╔‹✕›═════════╗ ╔·→·═════════╗ ╔·✕·═════════╗
║soldier     ║ ║royal decree║ ║assass.     ║
║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║
║eliminate   ║ ║move any    ║ ║eliminate   ║
║beside it   ║ ║one card    ║ ║any card    ║
║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║
║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║
║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║
║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║ ║░░░░░░░░░░░░║
╚═════S══════╝ ╚═════D══════╝ ╚═════X══════╝""",
    FULL: """\
╔‹✕›══════╗ ╔·→·══════╗ ╔·✕·══════╗
║soldier  ║ ║decree   ║ ║assass.  ║
║░░░░░░░░░║ ║░░░░░░░░░║ ║░░░░░░░░░║
║eliminate║ ║move any ║ ║eliminate║
║beside it║ ║one card ║ ║any card ║
║░░░░░░░░░║ ║░░░░░░░░░║ ║░░░░░░░░░║
║░░░░░░░░░║ ║░░░░░░░░░║ ║░░░░░░░░░║
╚════S════╝ ╚════D════╝ ╚════X════╝""",
    COMPACT: """\
╔‹✕›════╗ ╔·→·════╗ ╔·✕·════╗
║soldier║ ║decree ║ ║assass.║
║x next ║ ║moves 1║ ║x any  ║
║░░░░░░░║ ║░░░░░░░║ ║░░░░░░░║
║░░░░░░░║ ║░░░░░░░║ ║░░░░░░░║
╚═══S═══╝ ╚═══D═══╝ ╚═══X═══╝""",
    MINIMAL: """\
╔‹✕›═╗ ╔·→·═╗ ╔·✕·═╗
║Sold║ ║Decr║ ║Assa║
║░░░░║ ║░░░░║ ║░░░░║
╚═S══╝ ╚═D══╝ ╚═X══╝""",
    MICRO: """\
╔‹✕›═╗ ╔·→·═╗ ╔·✕·═╗
║sold║ ║decr║ ║assa║
╚═S══╝ ╚═D══╝ ╚═X══╝""",
    CHIP: """\
S Sold D Decr X Assa""",
}
"""For each size, three cards as they are drawn in the hand."""


def canvas_for(size: CardSize, cards: int) -> Canvas:
    """Return a canvas for cards side by side, with a row below them that must stay empty."""
    return Canvas((size.width + 1) * cards, size.height + 1)


def drawn(canvas: Canvas) -> str:
    *shown, below = (row.rstrip() for row in rows(canvas))
    assert below == ""
    return "\n".join(shown)


@pytest.mark.parametrize("size", IN_QUEUE, ids=lambda size: size.name)
def test_a_card_of_the_queue_has_owner_name_purpose_influence_and_height(size: CardSize) -> None:
    canvas = canvas_for(size, len(FACES))
    for number, (face, height) in enumerate(FACES):
        left = number * (size.width + 1)
        draw_card(canvas, left, 0, size, face, CardLook.PLAIN, height=height)
    assert drawn(canvas) == IN_QUEUE[size]


@pytest.mark.parametrize("size", IN_HAND, ids=lambda size: size.name)
def test_a_card_of_the_hand_has_its_mark_and_its_letter(size: CardSize) -> None:
    canvas = canvas_for(size, 3)
    for number, card in enumerate("SDX"):
        left = number * (size.width + 1)
        draw_card(canvas, left, 0, size, Face("b", card, False), CardLook.PLAIN, key=True)
    assert drawn(canvas) == IN_HAND[size]
