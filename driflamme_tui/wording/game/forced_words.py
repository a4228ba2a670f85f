"""What the rules decided because an ability had one legal use, or none, and why.

Only the card that acted is named: it lies face up. What it acted on may be hidden, and is told by
the event that follows.
"""

from collections.abc import Sequence
from typing import Final

from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.event_words import table_names
from driflamme_tui.wording.game.names import card_name
from engine.cards import ARCHER, ASSASSINATION, ROYAL_DECREE, SHAPESHIFTER, SOLDIER, SPY
from engine.events import Event, Forced, NoEffect
from engine.owners import Owners
from engine.view import View
from engine.words import N_

_ONE: Final = {
    ARCHER: N_("{who}’s {card} {position}: one card only is first or last, so that one goes."),
    SOLDIER: N_("{who}’s {card} {position} has one neighbour only, so that one goes."),
    SPY: N_("{who}’s {card} {position} has cards of one player only beside it: it robs them."),
    SHAPESHIFTER: N_("{who}’s {card} {position} has one Character only to copy, so it copies it."),
    ASSASSINATION: N_("{who}’s {card} {position} reaches nothing but itself, so it goes."),
    ROYAL_DECREE: N_("{who}’s {card} {position} has one card and place only, so that is done."),
}
_NONE: Final = {
    SHAPESHIFTER: N_("{who}’s {card} {position}: no face-up Character beside it, nothing happens."),
    ROYAL_DECREE: N_("{who}’s {card} {position}: no other card to move, nothing happens."),
}
_YOURS_ONE: Final = {
    ARCHER: N_("Your {card} {position}: one card only is first or last, so that one goes."),
    SOLDIER: N_("Your {card} {position} has one neighbour only, so that one goes."),
    SPY: N_("Your {card} {position} has cards of one player only beside it: it robs them."),
    SHAPESHIFTER: N_("Your {card} {position} has one Character only to copy, so it copies it."),
    ASSASSINATION: N_("Your {card} {position} reaches nothing but itself, so it goes."),
    ROYAL_DECREE: N_("Your {card} {position} has one card and place only, so that is done."),
}
_YOURS_NONE: Final = {
    SHAPESHIFTER: N_("Your {card} {position}: no face-up Character beside it, nothing happens."),
    ROYAL_DECREE: N_("Your {card} {position}: no other card to move, nothing happens."),
}
_NOTHING: Final = N_("{who}’s {card} {position}: nothing beside it, nothing happens.")
_YOURS_NOTHING: Final = N_("Your {card} {position}: nothing beside it, nothing happens.")


def forced_sentence(
    events: Sequence[Event], view: View, names: Sequence[str], owners: Owners | None = None
) -> str:
    """Return the last thing that the rules decided in these events; "" if there is none."""
    table = table_names(view, names, owners)
    for event in reversed(events):
        if isinstance(event, Forced | NoEffect):
            yours = event.seat == table.you
            if isinstance(event, Forced):
                sentence = (_YOURS_ONE if yours else _ONE)[event.ability]
            elif yours:
                sentence = _YOURS_NONE.get(event.ability, _YOURS_NOTHING)
            else:
                sentence = _NONE.get(event.ability, _NOTHING)
            return _(sentence).format(
                who=table.names[event.seat], card=card_name(event.card), position=event.position
            )
    return ""
