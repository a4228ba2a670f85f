"""One short sentence for every event, as the reader may know it.

The sentence for "you" and the one for a named player are texts of their own, since most
languages inflect the two differently; so are the sentences for a card that is face up, face
down or unknown. A translator always has the whole sentence and never a fragment of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.wording.game.names import card_name, family_name
from engine.actions import END, ON, START
from engine.cards import CONSPIRACY, UNKNOWN, Card, Seat
from engine.events import (
    AmbushSprung,
    Copied,
    Discarded,
    Eliminated,
    Event,
    Forced,
    Gained,
    GameEnded,
    Left,
    Moved,
    NoEffect,
    Placed,
    ResolutionBegan,
    Revealed,
    RoundBegan,
    Stole,
    Uncovered,
)
from engine.owners import Owners, is_for_two
from engine.view import View
from engine.words import N_

_YOU: Final = "you"
_THEY: Final = "they"
_SAME: Final = "same"
"""Whose card is acted on, if it belongs to whoever acts."""

_KNOWN: Final = "known"
_UNKNOWN: Final = "unknown"
_FACE_UP: Final = "face up"
_FACE_DOWN: Final = "face down"
_FED: Final = "face down, with influence on it"


@dataclass(frozen=True, slots=True)
class TableNames:
    """What a sentence must know about the table."""

    families: str
    """By seat."""
    names: tuple[str, ...]
    """The players' display names, by seat."""
    you: Seat | None = None
    """The reader's own seat; None for whoever is no player, or plays two families."""
    two: bool = False
    """Whether two players have two families each, so that no single family wins."""

    def who(self, seat: Seat) -> str:
        """Return whether a seat is the reader's."""
        return _YOU if seat == self.you else _THEY

    def whose(self, owner: Seat, actor: Seat) -> str:
        """Return whose card it is that `actor` does something to."""
        return _SAME if owner == actor else self.who(owner)


_PLACED: Final = {
    (_YOU, _KNOWN, START): N_("You put your {card} at the start"),
    (_YOU, _KNOWN, END): N_("You put your {card} at the end, position {position}"),
    (_YOU, _KNOWN, ON): N_("You put your {card} on your stack at {position}, {height} high now"),
    (_THEY, _KNOWN, START): N_("{name} puts the {card} at the start"),
    (_THEY, _KNOWN, END): N_("{name} puts the {card} at the end, position {position}"),
    (_THEY, _KNOWN, ON): N_("{name} puts the {card} on the stack at {position}, {height} high now"),
    (_THEY, _UNKNOWN, START): N_("{name} puts a card at the start"),
    (_THEY, _UNKNOWN, END): N_("{name} puts a card at the end, position {position}"),
    (_THEY, _UNKNOWN, ON): N_("{name} puts a card on the stack at {position}, {height} high now"),
}

_ELIMINATED: Final = {
    (_YOU, _THEY, _FACE_UP): N_(
        "Your {card} at {position} eliminates {victim}'s {target_card} at {target} (+1)"
    ),
    (_YOU, _THEY, _FACE_DOWN): N_(
        "Your {card} at {position} eliminates {victim}'s face-down {target_card} at {target} (+1)"
    ),
    (_YOU, _THEY, _FED): N_(
        "Your {card} at {position} eliminates {victim}'s face-down {target_card} at {target} "
        "and the {influence} on it (+1)"
    ),
    (_YOU, _SAME, _FACE_UP): N_(
        "Your {card} at {position} eliminates your own {target_card} at {target} (+1)"
    ),
    (_YOU, _SAME, _FACE_DOWN): N_(
        "Your {card} at {position} eliminates your own face-down {target_card} at {target} (+1)"
    ),
    (_YOU, _SAME, _FED): N_(
        "Your {card} at {position} eliminates your own face-down {target_card} at {target} "
        "and the {influence} on it (+1)"
    ),
    (_THEY, _YOU, _FACE_UP): N_(
        "{name}'s {card} at {position} eliminates your {target_card} at {target} (+1)"
    ),
    (_THEY, _YOU, _FACE_DOWN): N_(
        "{name}'s {card} at {position} eliminates your face-down {target_card} at {target} (+1)"
    ),
    (_THEY, _YOU, _FED): N_(
        "{name}'s {card} at {position} eliminates your face-down {target_card} at {target} "
        "and the {influence} on it (+1)"
    ),
    (_THEY, _SAME, _FACE_UP): N_(
        "{name}'s {card} at {position} eliminates its family's own {target_card} at {target} (+1)"
    ),
    (_THEY, _SAME, _FACE_DOWN): N_(
        "{name}'s {card} at {position} eliminates its family's own face-down {target_card} "
        "at {target} (+1)"
    ),
    (_THEY, _SAME, _FED): N_(
        "{name}'s {card} at {position} eliminates its family's own face-down {target_card} "
        "at {target} and the {influence} on it (+1)"
    ),
    (_THEY, _THEY, _FACE_UP): N_(
        "{name}'s {card} at {position} eliminates {victim}'s {target_card} at {target} (+1)"
    ),
    (_THEY, _THEY, _FACE_DOWN): N_(
        "{name}'s {card} at {position} eliminates {victim}'s face-down {target_card} "
        "at {target} (+1)"
    ),
    (_THEY, _THEY, _FED): N_(
        "{name}'s {card} at {position} eliminates {victim}'s face-down {target_card} "
        "at {target} and the {influence} on it (+1)"
    ),
}

_ELIMINATED_ITSELF: Final = {
    _YOU: N_("Your {card} at {position} eliminates itself (+1)"),
    _THEY: N_("{name}'s {card} at {position} eliminates itself (+1)"),
}

_AMBUSH_SPRUNG: Final = {
    (_YOU, _THEY): N_("An Ambush! You gain {influence}"),
    (_YOU, _SAME): N_("An Ambush, and your own! You gain {influence}"),
    (_THEY, _YOU): N_("An Ambush! {name} gains {influence}"),
    (_THEY, _THEY): N_("An Ambush! {name} gains {influence}"),
    (_THEY, _SAME): N_("An Ambush of their own! {name} gains {influence}"),
}

_STOLE: Final = {
    (_YOU, _THEY): N_("Your {card} at {position} steals {influence} from {victim}"),
    (_THEY, _YOU): N_("{name}'s {card} at {position} steals {influence} from you"),
    (_THEY, _THEY): N_("{name}'s {card} at {position} steals {influence} from {victim}"),
}

_STOLE_NOTHING: Final = {
    (_YOU, _THEY): N_("Your {card} at {position} finds nothing to steal from {victim}"),
    (_YOU, _SAME): N_("Your {card} at {position} steals from yourself, which changes nothing"),
    (_THEY, _YOU): N_("{name}'s {card} at {position} finds nothing to steal from you"),
    (_THEY, _SAME): N_(
        "{name}'s {card} at {position} steals from its own family, which changes nothing"
    ),
    (_THEY, _THEY): N_("{name}'s {card} at {position} finds nothing to steal from {victim}"),
}

_MOVED: Final = {
    (_YOU, _THEY, _FACE_UP): N_(
        "Your Royal Decree at {position} moves {victim}'s {card} "
        "from {target} to {destination}, alone"
    ),
    (_YOU, _THEY, _FACE_DOWN): N_(
        "Your Royal Decree at {position} moves {victim}'s face-down {card} "
        "from {target} to {destination}, alone"
    ),
    (_YOU, _THEY, _UNKNOWN): N_(
        "Your Royal Decree at {position} moves {victim}'s face-down card "
        "from {target} to {destination}, alone"
    ),
    (_YOU, _SAME, _FACE_UP): N_(
        "Your Royal Decree at {position} moves your {card} from {target} to {destination}, alone"
    ),
    (_YOU, _SAME, _FACE_DOWN): N_(
        "Your Royal Decree at {position} moves your face-down {card} "
        "from {target} to {destination}, alone"
    ),
    (_THEY, _YOU, _FACE_UP): N_(
        "{name}'s Royal Decree at {position} moves your {card} "
        "from {target} to {destination}, alone"
    ),
    (_THEY, _YOU, _FACE_DOWN): N_(
        "{name}'s Royal Decree at {position} moves your face-down {card} "
        "from {target} to {destination}, alone"
    ),
    (_THEY, _SAME, _FACE_UP): N_(
        "{name}'s Royal Decree at {position} moves its family's own {card} "
        "from {target} to {destination}, alone"
    ),
    (_THEY, _SAME, _FACE_DOWN): N_(
        "{name}'s Royal Decree at {position} moves its family's own face-down {card} "
        "from {target} to {destination}, alone"
    ),
    (_THEY, _SAME, _UNKNOWN): N_(
        "{name}'s Royal Decree at {position} moves its family's own face-down card "
        "from {target} to {destination}, alone"
    ),
    (_THEY, _THEY, _FACE_UP): N_(
        "{name}'s Royal Decree at {position} moves {victim}'s {card} "
        "from {target} to {destination}, alone"
    ),
    (_THEY, _THEY, _FACE_DOWN): N_(
        "{name}'s Royal Decree at {position} moves {victim}'s face-down {card} "
        "from {target} to {destination}, alone"
    ),
    (_THEY, _THEY, _UNKNOWN): N_(
        "{name}'s Royal Decree at {position} moves {victim}'s face-down card "
        "from {target} to {destination}, alone"
    ),
}

_UNCOVERED: Final = {
    (_YOU, _KNOWN): N_("Your {card} at {position} is on top again and comes next"),
    (_THEY, _KNOWN): N_("{name}'s {card} at {position} is on top again and comes next"),
    (_THEY, _UNKNOWN): N_("{name}'s face-down card at {position} is on top again and comes next"),
}


def event_sentence(event: Event, table: TableNames) -> str:
    """Return what happened, as one sentence without a full stop.

    The event is as the reader may know it: projected, unless the reader may know everything.
    """
    match event:
        case RoundBegan(round_, first):
            mine = _("Round {round} begins, and you are first player")
            theirs = _("Round {round} begins, and {name} is first player")
            return _say(table, first, mine, theirs, round=round_)
        case ResolutionBegan():
            return _("The Queue is resolved")
        case Placed(seat, card, spot, position, height):
            sentence = _(_PLACED[table.who(seat), _known(card), spot])
            return _fill(sentence, table, seat, card, position=position, height=height)
        case Left():
            return _left(event, table)
        case Revealed():
            return _revealed(event, table)
        case Forced(seat, position, card, _ability):
            mine = _("Your {card} at {position} has no choice")
            theirs = _("{name}'s {card} at {position} has no choice")
            return _say(table, seat, mine, theirs, card, position=position)
        case Gained():
            return _gained(event, table)
        case NoEffect(seat, position, card, _ability):
            mine = _("Your {card} at {position} has nothing to act on")
            theirs = _("{name}'s {card} at {position} has nothing to act on")
            return _say(table, seat, mine, theirs, card, position=position)
        case Copied(seat, position, target, ability):
            mine = _("Your Shapeshifter at {position} copies the {card} at {target}")
            theirs = _("{name}'s Shapeshifter at {position} copies the {card} at {target}")
            return _say(table, seat, mine, theirs, ability, position=position, target=target)
        case Eliminated():
            return _eliminated(event, table)
        case AmbushSprung(seat, influence, attacker):
            sentence = _(_AMBUSH_SPRUNG[table.who(seat), table.whose(attacker, seat)])
            return _fill(sentence, table, seat, influence=influence)
        case Discarded(seat, position, card):
            mine = _("Your {card} at {position} is discarded")
            theirs = _("{name}'s {card} at {position} is discarded")
            return _say(table, seat, mine, theirs, card, position=position)
        case Stole():
            return _stole(event, table)
        case Moved():
            return _moved(event, table)
        case Uncovered(seat, position, card, _face_up):
            sentence = _(_UNCOVERED[table.who(seat), _known(card)])
            return _fill(sentence, table, seat, card, position=position)
        case GameEnded(winners):
            return _ended(winners, table)
    assert_never(event)


def _left(event: Left, table: TableNames) -> str:
    # "Influence" has no plural in English, but its number matters in other languages.
    if table.who(event.seat) == _YOU:
        sentence = ngettext(
            "You leave your {card} at {position}, {influence} influence on it now",
            "You leave your {card} at {position}, {influence} influence on it now",
            event.influence,
        )
    elif event.card != UNKNOWN:
        sentence = ngettext(
            "{name} leaves the {card} at {position}, {influence} influence on it now",
            "{name} leaves the {card} at {position}, {influence} influence on it now",
            event.influence,
        )
    else:
        sentence = ngettext(
            "{name} leaves the card at {position}, {influence} influence on it now",
            "{name} leaves the card at {position}, {influence} influence on it now",
            event.influence,
        )
    return _fill(
        sentence, table, event.seat, event.card, position=event.position, influence=event.influence
    )


def _revealed(event: Revealed, table: TableNames) -> str:
    if not event.influence:
        mine = _("You reveal your {card} at {position}")
        theirs = _("{name} reveals the {card} at {position}")
    elif not event.taken:
        mine = _("You reveal your {card} at {position} and lose the {influence} on it")
        theirs = _("{name} reveals the {card} at {position} and loses the {influence} on it")
    elif event.taken > event.influence:
        mine = _("You reveal your {card} at {position} and take {taken}, twice what lay on it")
        theirs = _(
            "{name} reveals the {card} at {position} and takes {taken}, twice what lay on it"
        )
    else:
        mine = _("You reveal your {card} at {position} and take the {influence} on it")
        theirs = _("{name} reveals the {card} at {position} and takes the {influence} on it")
    return _say(
        table,
        event.seat,
        mine,
        theirs,
        event.card,
        position=event.position,
        influence=event.influence,
        taken=event.taken,
    )


def _gained(event: Gained, table: TableNames) -> str:
    if event.ability == CONSPIRACY:
        mine = _("Your {card} at {position} has paid")
        theirs = _("{name}'s {card} at {position} has paid")
    elif not event.influence:
        mine = _("Your {card} at {position} gains nothing, as it is not the only one face up")
        theirs = _("{name}'s {card} at {position} gains nothing, as it is not the only one face up")
    elif event.ability == event.card:
        mine = _("Your {card} at {position} gains {influence}")
        theirs = _("{name}'s {card} at {position} gains {influence}")
    else:
        mine = _("Your {card} at {position} gains {influence} as a {ability}")
        theirs = _("{name}'s {card} at {position} gains {influence} as a {ability}")
    return _say(
        table,
        event.seat,
        mine,
        theirs,
        event.card,
        position=event.position,
        influence=event.influence,
        ability=card_name(event.ability),
    )


def _eliminated(event: Eliminated, table: TableNames) -> str:
    who = table.who(event.seat)
    if event.target == event.position:
        sentence = _ELIMINATED_ITSELF[who]
    else:
        face = _FACE_UP if event.face_up else _FED if event.influence else _FACE_DOWN
        sentence = _ELIMINATED[who, table.whose(event.victim, event.seat), face]
    return _fill(
        _(sentence),
        table,
        event.seat,
        event.card,
        position=event.position,
        victim=table.names[event.victim],
        target_card=card_name(event.victim_card),
        target=event.target,
        influence=event.influence,
    )


def _stole(event: Stole, table: TableNames) -> str:
    sentences = _STOLE if event.influence else _STOLE_NOTHING
    return _fill(
        _(sentences[table.who(event.seat), table.whose(event.victim, event.seat)]),
        table,
        event.seat,
        event.card,
        position=event.position,
        victim=table.names[event.victim],
        influence=event.influence,
    )


def _moved(event: Moved, table: TableNames) -> str:
    face = _FACE_UP if event.face_up else _FACE_DOWN if event.card != UNKNOWN else _UNKNOWN
    return _fill(
        _(_MOVED[table.who(event.seat), table.whose(event.owner, event.seat), face]),
        table,
        event.seat,
        event.card,
        position=event.position,
        victim=table.names[event.owner],
        target=event.target,
        destination=event.destination,
    )


def table_names(view: View, names: Sequence[str], owners: Owners | None = None) -> TableNames:
    """Return what sentences about a game call everybody.

    Where players have two families each, these are called by their names, the reader's own too:
    a player's would leave open which of the two is meant.
    """
    if is_for_two(owners):
        return TableNames(view.families, tuple(map(family_name, view.families)), two=True)
    return TableNames(view.families, tuple(names), view.viewer)


def _ended(winners: tuple[Seat, ...], table: TableNames) -> str:
    if table.two:
        return _("The game is over")
    others = [table.names[seat] for seat in winners if seat != table.you]
    if len(winners) == 1:
        return _("You win") if not others else _("{name} wins").format(name=others[0])
    if table.you in winners:
        return _("You share the victory with {names}").format(names=_and(others))
    return _("{names} share the victory").format(names=_and(others))


def _and(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    return _("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])


def _known(card: Card) -> str:
    return _KNOWN if card != UNKNOWN else _UNKNOWN


def _say(
    table: TableNames,
    seat: Seat,
    mine: str,
    theirs: str,
    card: Card = UNKNOWN,
    **values: str | int,
) -> str:
    """Fill the sentence that speaks to the reader if it is their seat, or else the other."""
    return _fill(mine if seat == table.you else theirs, table, seat, card, **values)


def _fill(
    sentence: str, table: TableNames, seat: Seat, card: Card = UNKNOWN, **values: str | int
) -> str:
    """Fill a translated sentence; `card` is its own card, if it has one that is known."""
    if card != UNKNOWN:
        values["card"] = card_name(card)
    return sentence.format(name=table.names[seat], **values)
