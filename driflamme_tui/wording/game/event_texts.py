"""What is said of events: for each kind, a sentence for everything that makes a difference.

The sentence for "you" and the one for a named player are texts of their own, since most
languages inflect the two differently; so are the sentences for a card that is face up, face
down or unknown. A translator always has the whole sentence and never a fragment of one.
"""

from typing import Final, NamedTuple

from driflamme_tui.text.i18n import Text
from engine.actions import END, ON, START
from engine.events import Copied, Discarded, Event, Forced, NoEffect, RoundBegan
from engine.words import N_

YOU: Final = "you"
"""The card or the deed is the reader's."""

THEY: Final = "they"
"""The card or the deed is another player's."""

SAME: Final = "same"
"""The card that is acted on belongs to whoever acts."""

NAMED: Final = "named"
"""The reader knows which card it is."""

NAMELESS: Final = "nameless"
"""The reader does not know which card it is."""


class Lying(NamedTuple):
    """What is said of a card that something happens to, by how it lies there."""

    face_up: Text
    face_down: Text
    """It lies face down, and the reader knows it."""
    otherwise: Text = ""
    """Of a card that is eliminated: there is influence on it. Of another: nobody knows it."""


PLAIN: Final[dict[type[Event], tuple[str, str]]] = {
    RoundBegan: (
        N_("Round {round} begins, and you are first player"),
        N_("Round {round} begins, and {name} is first player"),
    ),
    Forced: (
        N_("Your {card} at {position} has no choice"),
        N_("{name}'s {card} at {position} has no choice"),
    ),
    NoEffect: (
        N_("Your {card} at {position} has nothing to act on"),
        N_("{name}'s {card} at {position} has nothing to act on"),
    ),
    Copied: (
        N_("Your Shapeshifter at {position} copies the {card} at {target}"),
        N_("{name}'s Shapeshifter at {position} copies the {card} at {target}"),
    ),
    Discarded: (
        N_("Your {card} at {position} is discarded"),
        N_("{name}'s {card} at {position} is discarded"),
    ),
}
"""Events for which only matters whose they are: the sentence to the reader, and of another."""

GAINED: Final = (
    N_("Your {card} at {position} gains {influence}"),
    N_("{name}'s {card} at {position} gains {influence}"),
)
"""A card's own ability brings influence."""

GAINED_BY_COPY: Final = (
    N_("Your {card} at {position} gains {influence} as {ability}"),
    N_("{name}'s {card} at {position} gains {influence} as {ability}"),
)
"""A copied ability brings influence."""

GAINED_NOTHING: Final = (
    N_("Your {card} at {position} gains nothing, as it is not the only one face up"),
    N_("{name}'s {card} at {position} gains nothing, as it is not the only one face up"),
)
"""An Heir, or its copy, brings nothing."""

HAS_PAID: Final = (
    N_("Your {card} at {position} has paid out"),
    N_("{name}'s {card} at {position} has paid out"),
)
"""A Conspiracy's work is done."""

REVEALED: Final = (
    N_("You reveal your {card} at {position} and take the {influence} on it"),
    N_("{name} reveals the {card} at {position} and takes the {influence} on it"),
)
"""A card is turned over, and what lies on it is taken."""

REVEALED_BARE: Final = (
    N_("You reveal your {card} at {position}"),
    N_("{name} reveals the {card} at {position}"),
)
"""A card on which nothing lies is turned over."""

REVEALED_LOSING: Final = (
    N_("You reveal your {card} at {position} and lose the {influence} on it"),
    N_("{name} reveals the {card} at {position} and loses the {influence} on it"),
)
"""A card is turned over, and what lies on it is lost."""

REVEALED_DOUBLE: Final = (
    N_("You reveal your {card} at {position} and take {taken}, twice what lay on it"),
    N_("{name} reveals the {card} at {position} and takes {taken}, twice what lay on it"),
)
"""A card is turned over that takes twice what lies on it."""

PLACED: Final = {
    (YOU, NAMED, START): N_("You put your {card} at the start"),
    (YOU, NAMED, END): N_("You put your {card} at the end, position {position}"),
    (YOU, NAMED, ON): N_("You put your {card} on your stack at {position}, {height} high now"),
    (THEY, NAMED, START): N_("{name} puts the {card} at the start"),
    (THEY, NAMED, END): N_("{name} puts the {card} at the end, position {position}"),
    (THEY, NAMED, ON): N_("{name} puts the {card} on the stack at {position}, {height} high now"),
    (THEY, NAMELESS, START): N_("{name} puts a card at the start"),
    (THEY, NAMELESS, END): N_("{name} puts a card at the end, position {position}"),
    (THEY, NAMELESS, ON): N_("{name} puts a card on the stack at {position}, {height} high now"),
}
"""A card is put into the Queue: by whom, whether it is known, and where."""

ELIMINATED: Final = {
    (YOU, THEY): Lying(
        "Your {card} at {position} eliminates {victim}'s {target_card} at {target} (+1)",
        "Your {card} at {position} eliminates {victim}'s face-down {target_card} at {target} (+1)",
        "Your {card} at {position} eliminates {victim}'s face-down {target_card} at {target} "
        "and the {influence} on it (+1)",
    ),
    (YOU, SAME): Lying(
        "Your {card} at {position} eliminates your own {target_card} at {target} (+1)",
        "Your {card} at {position} eliminates your own face-down {target_card} at {target} (+1)",
        "Your {card} at {position} eliminates your own face-down {target_card} at {target} and "
        "the {influence} on it (+1)",
    ),
    (THEY, YOU): Lying(
        "{name}'s {card} at {position} eliminates your {target_card} at {target} (+1)",
        "{name}'s {card} at {position} eliminates your face-down {target_card} at {target} (+1)",
        "{name}'s {card} at {position} eliminates your face-down {target_card} at {target} and "
        "the {influence} on it (+1)",
    ),
    (THEY, SAME): Lying(
        "{name}'s {card} at {position} eliminates its family's own {target_card} at {target} (+1)",
        "{name}'s {card} at {position} eliminates its family's own face-down {target_card} at "
        "{target} (+1)",
        "{name}'s {card} at {position} eliminates its family's own face-down {target_card} at "
        "{target} and the {influence} on it (+1)",
    ),
    (THEY, THEY): Lying(
        "{name}'s {card} at {position} eliminates {victim}'s {target_card} at {target} (+1)",
        "{name}'s {card} at {position} eliminates {victim}'s face-down {target_card} at "
        "{target} (+1)",
        "{name}'s {card} at {position} eliminates {victim}'s face-down {target_card} at "
        "{target} and the {influence} on it (+1)",
    ),
}
"""A card is eliminated: by whom, whose it was, and how it lay."""

ELIMINATED_ITSELF: Final = {
    YOU: N_("Your {card} at {position} eliminates itself (+1)"),
    THEY: N_("{name}'s {card} at {position} eliminates itself (+1)"),
}
"""A card eliminates itself: whose it is."""

AMBUSH_SPRUNG: Final = {
    (YOU, THEY): N_("An Ambush! You gain {influence}"),
    (YOU, SAME): N_("An Ambush, and your own! You gain {influence}"),
    (THEY, YOU): N_("An Ambush! {name} gains {influence}"),
    (THEY, THEY): N_("An Ambush! {name} gains {influence}"),
    (THEY, SAME): N_("An Ambush of their own! {name} gains {influence}"),
}
"""An Ambush strikes back: whose it is, and who attacked."""

STOLE: Final = {
    (YOU, THEY): N_("Your {card} at {position} steals {influence} from {victim}"),
    (THEY, YOU): N_("{name}'s {card} at {position} steals {influence} from you"),
    (THEY, THEY): N_("{name}'s {card} at {position} steals {influence} from {victim}"),
}
"""A Spy steals influence: whose it is, and from whom."""

STOLE_NOTHING: Final = {
    (YOU, THEY): N_("Your {card} at {position} finds nothing to steal from {victim}"),
    (YOU, SAME): N_("Your {card} at {position} steals from yourself, which changes nothing"),
    (THEY, YOU): N_("{name}'s {card} at {position} finds nothing to steal from you"),
    (THEY, SAME): N_(
        "{name}'s {card} at {position} steals from its own family, which changes nothing"
    ),
    (THEY, THEY): N_("{name}'s {card} at {position} finds nothing to steal from {victim}"),
}
"""A Spy steals where that changes nothing: whose it is, and from whom."""

MOVED: Final = {
    (YOU, THEY): Lying(
        "Your Royal Decree at {position} moves {victim}'s {card} from {target} to "
        "{destination}, alone",
        "Your Royal Decree at {position} moves {victim}'s face-down {card} from {target} to "
        "{destination}, alone",
        "Your Royal Decree at {position} moves {victim}'s face-down card from {target} to "
        "{destination}, alone",
    ),
    (YOU, SAME): Lying(
        "Your Royal Decree at {position} moves your {card} from {target} to {destination}, alone",
        "Your Royal Decree at {position} moves your face-down {card} from {target} to "
        "{destination}, alone",
    ),
    (THEY, YOU): Lying(
        "{name}'s Royal Decree at {position} moves your {card} from {target} to {destination}, "
        "alone",
        "{name}'s Royal Decree at {position} moves your face-down {card} from {target} to "
        "{destination}, alone",
    ),
    (THEY, SAME): Lying(
        "{name}'s Royal Decree at {position} moves its family's own {card} from {target} to "
        "{destination}, alone",
        "{name}'s Royal Decree at {position} moves its family's own face-down {card} from "
        "{target} to {destination}, alone",
        "{name}'s Royal Decree at {position} moves its family's own face-down card from "
        "{target} to {destination}, alone",
    ),
    (THEY, THEY): Lying(
        "{name}'s Royal Decree at {position} moves {victim}'s {card} from {target} to "
        "{destination}, alone",
        "{name}'s Royal Decree at {position} moves {victim}'s face-down {card} from {target} to "
        "{destination}, alone",
        "{name}'s Royal Decree at {position} moves {victim}'s face-down card from {target} to "
        "{destination}, alone",
    ),
}
"""A Royal Decree moves a card: whose Decree, whose card, and how it lay."""

UNCOVERED: Final = {
    (YOU, NAMED): N_("Your {card} at {position} is on top again and comes next"),
    (THEY, NAMED): N_("{name}'s {card} at {position} is on top again and comes next"),
    (THEY, NAMELESS): N_("{name}'s face-down card at {position} is on top again and comes next"),
}
"""A card is on top again: whose it is, and whether it is known."""
