"""One short sentence for every event, as the reader may know it.

The sentence for "you" and the one for a named player are texts of their own, since most
languages inflect the two differently; so are the sentences for a card that is face up, face
down or unknown. A translator always has the whole sentence and never a fragment of one.
"""

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias, assert_never

from msgspec import Struct

from driflamme_tui.text.i18n import _, counted
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.card_texts import CARD_TEXTS
from driflamme_tui.wording.game.names import all_of, card_name, spoken_names
from engine import events
from engine.actions import END, ON, START
from engine.cards import CONSPIRACY, UNKNOWN, Card, Seat
from engine.events import Event
from engine.ranking import Owners, is_for_two
from engine.view import View
from engine.words import Text

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


class Told(NamedTuple):
    """A sentence about the reader's own, and the one about another player's."""

    yours: Text
    theirs: Text


_TOLD: Final = {
    events.RoundBegan: Told(
        "Round {round} begins, and you are first player",
        "Round {round} begins, and {name} is first player",
    ),
    events.Forced: Told(
        "Your {card} at {position} has no choice",
        "{name}'s {card} at {position} has no choice",
    ),
    events.NoEffect: Told(
        "Your {card} at {position} has nothing to act on",
        "{name}'s {card} at {position} has nothing to act on",
    ),
    events.Copied: Told(
        "Your Shapeshifter at {position} copies the {card} at {target}",
        "{name}'s Shapeshifter at {position} copies the {card} at {target}",
    ),
    events.Discarded: Told(
        "Your {card} at {position} is discarded",
        "{name}'s {card} at {position} is discarded",
    ),
    "gained": Told(
        "Your {card} at {position} gains {influence}",
        "{name}'s {card} at {position} gains {influence}",
    ),
    "gained by copy": Told(
        "Your {card} at {position} gains {influence} as {ability}",
        "{name}'s {card} at {position} gains {influence} as {ability}",
    ),
    "gained nothing": Told(
        "Your {card} at {position} gains nothing, as it is not the only one face up",
        "{name}'s {card} at {position} gains nothing, as it is not the only one face up",
    ),
    "has paid": Told(
        "Your {card} at {position} has paid out",
        "{name}'s {card} at {position} has paid out",
    ),
    "revealed": Told(
        "You reveal your {card} at {position} and take the {influence} on it",
        "{name} reveals the {card} at {position} and takes the {influence} on it",
    ),
    "revealed bare": Told(
        "You reveal your {card} at {position}",
        "{name} reveals the {card} at {position}",
    ),
    "revealed losing": Told(
        "You reveal your {card} at {position} and lose the {influence} on it",
        "{name} reveals the {card} at {position} and loses the {influence} on it",
    ),
    "revealed double": Told(
        "You reveal your {card} at {position} and take {taken}, twice what lay on it",
        "{name} reveals the {card} at {position} and takes {taken}, twice what lay on it",
    ),
}
"""What is said by whose it is, of events of a kind or, of some kinds, by what came of them."""

_PLACED: Final[dict[tuple[str, ...], Text]] = {
    (YOU, NAMED, START): "You put your {card} at the start",
    (YOU, NAMED, END): "You put your {card} at the end, position {position}",
    (YOU, NAMED, ON): "You put your {card} on your stack at {position}, {height} high now",
    (THEY, NAMED, START): "{name} puts the {card} at the start",
    (THEY, NAMED, END): "{name} puts the {card} at the end, position {position}",
    (THEY, NAMED, ON): "{name} puts the {card} on the stack at {position}, {height} high now",
    (THEY, NAMELESS, START): "{name} puts a card at the start",
    (THEY, NAMELESS, END): "{name} puts a card at the end, position {position}",
    (THEY, NAMELESS, ON): "{name} puts a card on the stack at {position}, {height} high now",
}
"""A card is put into the Queue: by whom, whether it is known, and where."""

_ELIMINATED: Final = {
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

_ELIMINATED_ITSELF: Final[dict[str, Text]] = {
    YOU: "Your {card} at {position} eliminates itself (+1)",
    THEY: "{name}'s {card} at {position} eliminates itself (+1)",
}
"""A card eliminates itself: whose it is."""

_AMBUSH_SPRUNG: Final[dict[tuple[str, ...], Text]] = {
    (YOU, THEY): "An Ambush! You gain {influence}",
    (YOU, SAME): "An Ambush, and your own! You gain {influence}",
    (THEY, YOU): "An Ambush! {name} gains {influence}",
    (THEY, THEY): "An Ambush! {name} gains {influence}",
    (THEY, SAME): "An Ambush of their own! {name} gains {influence}",
}
"""An Ambush strikes back: whose it is, and who attacked."""

_STOLE: Final[dict[tuple[str, ...], Text]] = {
    (YOU, THEY): "Your {card} at {position} steals {influence} from {victim}",
    (THEY, YOU): "{name}'s {card} at {position} steals {influence} from you",
    (THEY, THEY): "{name}'s {card} at {position} steals {influence} from {victim}",
}
"""A Spy steals influence: whose it is, and from whom."""

_STOLE_NOTHING: Final[dict[tuple[str, ...], Text]] = {
    (YOU, THEY): "Your {card} at {position} finds nothing to steal from {victim}",
    (YOU, SAME): "Your {card} at {position} steals from yourself, which changes nothing",
    (THEY, YOU): "{name}'s {card} at {position} finds nothing to steal from you",
    (THEY, SAME): "{name}'s {card} at {position} steals from its own family, which changes nothing",
    (THEY, THEY): "{name}'s {card} at {position} finds nothing to steal from {victim}",
}
"""A Spy steals where that changes nothing: whose it is, and from whom."""

_MOVED: Final = {
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

_UNCOVERED: Final[dict[tuple[str, ...], Text]] = {
    (YOU, NAMED): "Your {card} at {position} is on top again and comes next",
    (THEY, NAMED): "{name}'s {card} at {position} is on top again and comes next",
    (THEY, NAMELESS): "{name}'s face-down card at {position} is on top again and comes next",
}
"""A card is on top again: whose it is, and whether it is known."""


class TableNames(Struct, frozen=True):
    """What a sentence must know about the table."""

    families: str
    """The letters of the families, by seat."""
    names: tuple[str, ...]
    """The players' display names, by seat."""
    you: Seat | None = None
    """The reader's own seat; None for whoever is no player, or plays two families."""
    two: bool = False
    """Whether two players have two families each, so that no single family wins."""
    glyphs: Glyphs | None = None
    """For the signs of those whose event it is not; None where there are words only."""
    numbered: bool = True
    """Whether sentences say where in the Queue; better not, once its positions have changed."""

    def who(self, seat: Seat) -> str:
        """Return whether a seat is the reader's."""
        return YOU if seat == self.you else THEY

    def signed(self, seat: Seat) -> str:
        """Return a player's name, with their sign where there are signs."""
        if self.glyphs is None:
            return self.names[seat]
        return f"{self.glyphs.tag(self.families[seat])} {self.names[seat]}"

    def whose(self, owner: Seat, actor: Seat) -> str:
        """Return whose card it is that `actor` does something to."""
        return SAME if owner == actor else self.who(owner)


def event_sentence(event: Event, table: TableNames) -> str:
    """Return what happened, as one sentence without a full stop.

    The event is as the reader may know it: projected, unless the reader may know everything.
    """
    sentence = _sentence(event, table, _values(event, table))
    return sentence if table.numbered else _POSITION.sub("", sentence)


def _sentence(event: Event, table: TableNames, values: dict[str, Any]) -> str:
    match event:
        case events.ResolutionBegan():
            return _("The Queue is resolved")
        case events.GameEnded(winners):
            return _ended(winners, table)
        case events.Placed(seat, card, spot):
            sentence = _(_PLACED[table.who(seat), _known(card), spot])
        case events.Left(seat, _position, card, influence):
            return _left(table.who(seat), card, influence, values)
        case events.Eliminated(seat, position, target=target) if target == position:
            sentence = _(_ELIMINATED_ITSELF[table.who(seat)])
        case events.Eliminated(seat, victim=victim, face_up=face_up, influence=influence):
            lying = _ELIMINATED[table.who(seat), table.whose(victim, seat)]
            hidden = lying.otherwise if influence else lying.face_down
            sentence = _(lying.face_up if face_up else hidden)
        case events.AmbushSprung(seat, attacker=attacker):
            sentence = _(_AMBUSH_SPRUNG[table.who(seat), table.whose(attacker, seat)])
        case events.Stole(seat, victim=victim, influence=influence):
            stole = _STOLE if influence else _STOLE_NOTHING
            sentence = _(stole[table.who(seat), table.whose(victim, seat)])
        case events.Moved(seat, owner=owner, card=card, face_up=face_up):
            lying = _MOVED[table.who(seat), table.whose(owner, seat)]
            hidden = lying.face_down if card != UNKNOWN else lying.otherwise
            sentence = _(lying.face_up if face_up else hidden)
        case events.Uncovered(seat, card=card):
            sentence = _(_UNCOVERED[table.who(seat), _known(card)])
        case events.RoundBegan(first=seat):
            sentence = _for(seat, _TOLD[events.RoundBegan], table)
        case events.Revealed(seat):
            sentence = _for(seat, _TOLD[_revealed(event)], table)
        case events.Gained(seat):
            sentence = _for(seat, _TOLD[_gained(event)], table)
        case events.Forced(seat) | events.NoEffect(seat) | events.Copied(seat):
            sentence = _for(seat, _TOLD[type(event)], table)
        case events.Discarded(seat):
            sentence = _for(seat, _TOLD[events.Discarded], table)
        case _:
            assert_never(event)
    return sentence.format(**values)


_NOWHERE: Final = "\0"
"""Stands for a position that is not told."""
_POSITION: Final = re.compile(rf",?(?: \w{{1,4}})?(?: po\w+)? {_NOWHERE}")
"""What tells a position, in all languages: `at 2`, `en position 2`, `na pozycji 2`."""


def renumbers(event: Event) -> bool:
    """Whether other cards may stand at other positions after an event."""
    at_start = isinstance(event, events.Placed) and event.spot == START
    return at_start or isinstance(event, events.Eliminated | events.Discarded | events.Moved)


Line: TypeAlias = tuple[Seat | None, str]
"""The seat whose event it is, or None for the table's own, and the sentence."""


def log_lines(happened: Sequence[Event], table: TableNames, since: int = 0) -> list[Line]:
    """Return a line for each event from one on; "" for a forced step, told with what it does."""
    lines: list[Line] = []
    for number, event in enumerate(happened[since:], since):
        sentence = "" if isinstance(event, events.Forced) else event_sentence(event, table)
        if number and isinstance(happened[number - 1], events.Forced):
            sentence = _("{what}, without a choice", what=sentence)
        lines.append((getattr(event, "seat", None), sentence))
    return lines


def told_sentences(happened: Sequence[Event], table: TableNames, since: int = 0) -> list[str]:
    """Return the sentences of events from one on, forced steps with what they do."""
    return [sentence for _seat, sentence in log_lines(happened, table, since) if sentence]


def forced_sentence(happened: Sequence[Event], table: TableNames) -> str:
    """Return the last thing that the rules decided in these events, and why; "" for none.

    Only the card that acted is named: it lies face up. What it acted on may be hidden, and is told
    by the event that follows.
    """
    for event in reversed(happened):
        if isinstance(event, events.Forced | events.NoEffect):
            said = CARD_TEXTS[event.ability]
            why = said.forced if isinstance(event, events.Forced) else said.idle
            return _(
                why.yours if event.seat == table.you else why.theirs,
                who=table.signed(event.seat),
                card=card_name(event.card),
                position=event.position,
            )
    return ""


def _for(seat: Seat, pair: Told, table: TableNames) -> str:
    """Return the sentence to the reader if the seat is theirs, or else the other."""
    return _(pair[table.who(seat) == THEY])


def _values(event: Event, table: TableNames) -> dict[str, Any]:
    """Return what goes where a sentence names a field, with cards and players by their names."""
    told: dict[str, Any] = event._asdict()
    cards = {
        "card": told.get("card", told.get("ability")),
        "ability": told.get("ability"),
    }
    actor, victim = told.get("seat", told.get("first")), told.get("victim", told.get("owner"))
    told |= {name: card_name(card) for name, card in cards.items() if card not in (None, UNKNOWN)}
    if isinstance(event, events.Eliminated):
        # Of a sealed game it may have gone out without anybody's knowing it.
        told["target_card"] = card_name(event.victim_card)
    if actor is not None:
        told["name"] = table.names[actor]
    if victim is not None:
        told["victim"] = table.signed(victim)
    if not table.numbered:
        told |= dict.fromkeys(("position", "target", "destination"), _NOWHERE)
    return told


def _left(who: str, card: Card, n: int, values: dict[str, Any]) -> str:
    # "Influence" has no plural in English, but its number matters in other languages.
    if who == YOU:
        return counted(
            "You leave your {card} at {position}, {influence} influence on it now", n, **values
        )
    if card != UNKNOWN:
        return counted(
            "{name} leaves the {card} at {position}, {influence} influence on it now", n, **values
        )
    return counted(
        "{name} leaves the card at {position}, {influence} influence on it now", n, **values
    )


def _revealed(event: events.Revealed) -> str:
    if not event.influence:
        return "revealed bare"
    if not event.taken:
        return "revealed losing"
    return "revealed double" if event.taken > event.influence else "revealed"


def _gained(event: events.Gained) -> str:
    if event.ability == CONSPIRACY:
        return "has paid"
    if not event.influence:
        return "gained nothing"
    return "gained" if event.ability == event.card else "gained by copy"


def table_names(
    view: View,
    names: Sequence[str],
    owners: Owners | None = None,
    glyphs: Glyphs | None = None,
) -> TableNames:
    """Return what sentences call everybody, with `glyphs` by their signs too.

    Where players have two families each, the reader is named like everybody: "you" would leave
    open which of the two is meant.
    """
    two = is_for_two(owners)
    called = tuple(names) if glyphs else spoken_names(view.families, names, owners)
    return TableNames(view.families, called, None if two else view.viewer, two, glyphs)


def _ended(winners: tuple[Seat, ...], table: TableNames) -> str:
    if table.two:
        return _("The game is over")
    others = [table.names[seat] for seat in winners if seat != table.you]
    if len(winners) == 1:
        return _("You win") if not others else _("{name} wins", name=others[0])
    if table.you in winners:
        return _("You share the victory with {names}", names=all_of(others))
    return _("{names} share the victory", names=all_of(others))


def _known(card: Card) -> str:
    return NAMED if card != UNKNOWN else NAMELESS
