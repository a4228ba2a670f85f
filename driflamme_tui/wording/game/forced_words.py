"""What the rules decided because an ability had one legal use, or none, and why.

Only the card that acted is named: it lies face up. What it acted on may be hidden, and is told by
the event that follows.
"""

from collections.abc import Sequence

from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.card_texts import CARD_TEXTS
from driflamme_tui.wording.game.event_words import table_names
from driflamme_tui.wording.game.names import card_name
from engine.events import Event, Forced, NoEffect
from engine.ranking import Owners
from engine.view import View


def forced_sentence(
    events: Sequence[Event], view: View, names: Sequence[str], owners: Owners | None = None
) -> str:
    """Return the last thing that the rules decided in these events; "" if there is none."""
    table = table_names(view, names, owners)
    for event in reversed(events):
        if isinstance(event, Forced | NoEffect):
            texts = CARD_TEXTS[event.ability]
            why = texts.forced if isinstance(event, Forced) else texts.idle
            return _(why.yours if event.seat == table.you else why.theirs).format(
                who=table.names[event.seat], card=card_name(event.card), position=event.position
            )
    return ""
