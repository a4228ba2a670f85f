"""Builds one short sentence for every event, as far as the reader may know it.

Sentences with "you" and sentences with a player's name are separate texts, since most languages
inflect them differently. Sentences about face-up, face-down and unknown cards are separate too. A
translator always sees a whole sentence, never a fragment.
"""

import re
from collections.abc import Container, Iterator, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from driflamme_tui.text.i18n import _, counted
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.card_texts import CARD_TEXTS
from driflamme_tui.wording.game.names import all_of, card_name, spoken_names
from engine import events
from engine.actions import START
from engine.cards import CONSPIRACY, UNKNOWN, Card, Seat
from engine.events import Event
from engine.ranking import Owners, is_for_two
from engine.texts import Text
from engine.views import View

_SENTENCES: Final[dict[str, Text]] = {
    "RoundBegan you": "Round {round} begins, and you are first player",
    "RoundBegan they": "Round {round} begins, and {name} is first player",
    "Placed you named <": "You put your {card} at the start",
    "Placed you named >": "You put your {card} at the end, position {position}",
    "Placed you named ^": "You put your {card} on your stack at {position}, now {height} high",
    "Placed they named <": "{name} puts the {card} at the start",
    "Placed they named >": "{name} puts the {card} at the end, position {position}",
    "Placed they named ^": "{name} puts the {card} on the stack at {position}, now {height} high",
    "Placed they nameless <": "{name} puts a card at the start",
    "Placed they nameless >": "{name} puts a card at the end, position {position}",
    "Placed they nameless ^": "{name} puts a card on the stack at {position}, now {height} high",
    "Revealed you taking": "You reveal your {card} at {position} and take the {influence} on it",
    "Revealed they taking": (
        "{name} reveals the {card} at {position} and takes the {influence} on it"
    ),
    "Revealed you bare": "You reveal your {card} at {position}",
    "Revealed they bare": "{name} reveals the {card} at {position}",
    "Revealed you losing": "You reveal your {card} at {position} and lose the {influence} on it",
    "Revealed they losing": (
        "{name} reveals the {card} at {position} and loses the {influence} on it"
    ),
    "Revealed you double": (
        "You reveal your {card} at {position} and take {taken}, twice what lay on it"
    ),
    "Revealed they double": (
        "{name} reveals the {card} at {position} and takes {taken}, twice what lay on it"
    ),
    "Forced you": "Your {card} at {position} has no choice",
    "Forced they": "{name}'s {card} at {position} has no choice",
    "NoEffect you": "Your {card} at {position} has nothing to act on",
    "NoEffect they": "{name}'s {card} at {position} has nothing to act on",
    "Gained you itself": "Your {card} at {position} gains {influence}",
    "Gained they itself": "{name}'s {card} at {position} gains {influence}",
    "Gained you by copy": "Your {card} at {position} gains {influence} as {ability}",
    "Gained they by copy": "{name}'s {card} at {position} gains {influence} as {ability}",
    "Gained you nothing": ("Your {card} at {position} gains nothing: another one is face up"),
    "Gained they nothing": ("{name}'s {card} at {position} gains nothing: another one is face up"),
    "Gained you paid": "Your {card} at {position} has no further effect",
    "Gained they paid": "{name}'s {card} at {position} has no further effect",
    "Copied you": "Your Shapeshifter at {position} copies the {card} at {target}",
    "Copied they": "{name}'s Shapeshifter at {position} copies the {card} at {target}",
    "Eliminated you they face up": (
        "Your {card} at {position} eliminates {victim}'s {target_card} at {target} (+1)"
    ),
    "Eliminated you they face down": (
        "Your {card} at {position} eliminates {victim}'s face-down {target_card} at {target} (+1)"
    ),
    "Eliminated you they with influence": (
        "Your {card} at {position} eliminates {victim}'s face-down {target_card} at {target} "
        "and the {influence} on it (+1)"
    ),
    "Eliminated you same face up": (
        "Your {card} at {position} eliminates your own {target_card} at {target} (+1)"
    ),
    "Eliminated you same face down": (
        "Your {card} at {position} eliminates your own face-down {target_card} at {target} (+1)"
    ),
    "Eliminated you same with influence": (
        "Your {card} at {position} eliminates your own face-down {target_card} at {target} and "
        "the {influence} on it (+1)"
    ),
    "Eliminated they you face up": (
        "{name}'s {card} at {position} eliminates your {target_card} at {target} (+1)"
    ),
    "Eliminated they you face down": (
        "{name}'s {card} at {position} eliminates your face-down {target_card} at {target} (+1)"
    ),
    "Eliminated they you with influence": (
        "{name}'s {card} at {position} eliminates your face-down {target_card} at {target} and "
        "the {influence} on it (+1)"
    ),
    "Eliminated they same face up": (
        "{name}'s {card} at {position} eliminates its family's own {target_card} at {target} (+1)"
    ),
    "Eliminated they same face down": (
        "{name}'s {card} at {position} eliminates its family's own face-down {target_card} at "
        "{target} (+1)"
    ),
    "Eliminated they same with influence": (
        "{name}'s {card} at {position} eliminates its family's own face-down {target_card} at "
        "{target} and the {influence} on it (+1)"
    ),
    "Eliminated they they face up": (
        "{name}'s {card} at {position} eliminates {victim}'s {target_card} at {target} (+1)"
    ),
    "Eliminated they they face down": (
        "{name}'s {card} at {position} eliminates {victim}'s face-down {target_card} at "
        "{target} (+1)"
    ),
    "Eliminated they they with influence": (
        "{name}'s {card} at {position} eliminates {victim}'s face-down {target_card} at "
        "{target} and the {influence} on it (+1)"
    ),
    "Eliminated you itself": "Your {card} at {position} eliminates itself (+1)",
    "Eliminated they itself": "{name}'s {card} at {position} eliminates itself (+1)",
    "AmbushSprung you they": "An Ambush! You gain {influence}",
    "AmbushSprung you same": "An Ambush, and your own! You gain {influence}",
    "AmbushSprung they you": "An Ambush! {name} gains {influence}",
    "AmbushSprung they they": "An Ambush! {name} gains {influence}",
    "AmbushSprung they same": "An Ambush of their own! {name} gains {influence}",
    "Stole you they some": "Your {card} at {position} steals {influence} from {victim}",
    "Stole they you some": "{name}'s {card} at {position} steals {influence} from you",
    "Stole they they some": "{name}'s {card} at {position} steals {influence} from {victim}",
    "Stole you they nothing": "Your {card} at {position} finds nothing to steal from {victim}",
    "Stole you same nothing": (
        "Your {card} at {position} steals from yourself, which changes nothing"
    ),
    "Stole they you nothing": "{name}'s {card} at {position} finds nothing to steal from you",
    "Stole they same nothing": (
        "{name}'s {card} at {position} steals from its own family, which changes nothing"
    ),
    "Stole they they nothing": "{name}'s {card} at {position} finds nothing to steal from {victim}",
    "Moved you they face up": (
        "Your Royal Decree at {position} moves {victim}'s {card} from {target} to "
        "{destination}, as its own stack"
    ),
    "Moved you they face down": (
        "Your Royal Decree at {position} moves {victim}'s face-down {card} from "
        "{target} to {destination}, as its own stack"
    ),
    "Moved you they nameless": (
        "Your Royal Decree at {position} moves {victim}'s face-down card from {target} "
        "to {destination}, as its own stack"
    ),
    "Moved you same face up": (
        "Your Royal Decree at {position} moves your {card} from {target} to "
        "{destination}, as its own stack"
    ),
    "Moved you same face down": (
        "Your Royal Decree at {position} moves your face-down {card} from {target} to "
        "{destination}, as its own stack"
    ),
    "Moved they you face up": (
        "{name}'s Royal Decree at {position} moves your {card} from {target} to "
        "{destination}, as its own stack"
    ),
    "Moved they you face down": (
        "{name}'s Royal Decree at {position} moves your face-down {card} from {target} "
        "to {destination}, as its own stack"
    ),
    "Moved they same face up": (
        "{name}'s Royal Decree at {position} moves its family's own {card} from "
        "{target} to {destination}, as its own stack"
    ),
    "Moved they same face down": (
        "{name}'s Royal Decree at {position} moves its family's own face-down {card} "
        "from {target} to {destination}, as its own stack"
    ),
    "Moved they same nameless": (
        "{name}'s Royal Decree at {position} moves its family's own face-down card "
        "from {target} to {destination}, as its own stack"
    ),
    "Moved they they face up": (
        "{name}'s Royal Decree at {position} moves {victim}'s {card} from {target} to "
        "{destination}, as its own stack"
    ),
    "Moved they they face down": (
        "{name}'s Royal Decree at {position} moves {victim}'s face-down {card} from "
        "{target} to {destination}, as its own stack"
    ),
    "Moved they they nameless": (
        "{name}'s Royal Decree at {position} moves {victim}'s face-down card from "
        "{target} to {destination}, as its own stack"
    ),
    "Discarded you": "Your {card} at {position} is discarded",
    "Discarded they": "{name}'s {card} at {position} is discarded",
    "Uncovered you named": "Your {card} at {position} is on top again and comes next",
    "Uncovered they named": "{name}'s {card} at {position} is on top again and comes next",
    "Uncovered they nameless": (
        "{name}'s face-down card at {position} is on top again and comes next"
    ),
}
"""The sentences, by kind of event, actor, owner of the target, and further conditions."""


class TableNames(Struct, frozen=True):
    """The data about a table that its sentences need."""

    families: str
    """The letters of the families, by seat."""
    names: tuple[str, ...]
    """The players' names, by seat."""
    you: Seat | None = None
    """The reader's own seat; None for spectators, and for readers with two families."""
    two: bool = False
    """True if two players have two families each, so that no single family wins."""
    glyphs: Glyphs | None = None
    """The signs for players other than the actor; None for sentences without signs."""
    numbered: bool = True
    """True if sentences contain positions of the Queue. It must be False if the positions have
    changed since the event.
    """

    def who(self, seat: Seat) -> str:
        """Return the part of a key of `_SENTENCES` for an actor: the reader, or another player."""
        return "you" if seat == self.you else "they"

    def signed(self, seat: Seat) -> str:
        """Return a player's name, with the sign in front if there are signs."""
        if self.glyphs is None:
            return self.names[seat]
        return f"{self.glyphs.tag(self.families[seat])} {self.names[seat]}"

    def whose(self, owner: Seat, actor: Seat) -> str:
        """Return the part of a key of `_SENTENCES` for the owner of the affected card."""
        return "same" if owner == actor else self.who(owner)


def event_sentence(event: Event, table: TableNames) -> str:
    """Return the sentence of an event, without a full stop.

    The event must already be projected for the reader, unless the reader may see everything.
    """
    values = _values(event, table)
    match event:
        case events.ResolutionBegan():
            return _("The Queue is resolved")
        case events.GameEnded(winners):
            return _ended(winners, table)
        case events.Left(seat, _position, card, influence):
            sentence = _left(table.who(seat), card, influence, values)
        case events.RoundBegan(first=seat):
            sentence = _(_SENTENCES[f"RoundBegan {table.who(seat)}"], **values)
        case _:
            key = type(event).__name__, table.who(event.seat), *_how(event, table)
            sentence = _(_SENTENCES[" ".join(key)], **values)
    return sentence if table.numbered else re.sub(_POSITION, "", sentence)


def _how(event: Event, table: TableNames) -> Iterator[str]:
    """Yield the parts, after the actor, of the key of an event's sentence."""
    match event:
        case events.Placed(card=card, spot=spot):
            yield _known(card)
            yield spot
        case events.Revealed(influence=influence, taken=taken):
            doubled = "double" if taken > influence else "taking" if taken else "losing"
            yield doubled if influence else "bare"
        case events.Gained(card=card, ability=ability, influence=influence):
            if ability == CONSPIRACY:
                yield "paid"
            elif not influence:
                yield "nothing"
            else:
                yield "itself" if ability == card else "by copy"
        case events.Eliminated(position=position, target=target) if target == position:
            yield "itself"
        case events.Eliminated(seat, victim=victim, face_up=face_up, influence=influence):
            yield table.whose(victim, seat)
            yield "face up" if face_up else "with influence" if influence else "face down"
        case events.AmbushSprung(seat, attacker=attacker):
            yield table.whose(attacker, seat)
        case events.Stole(seat, victim=victim, influence=influence):
            yield table.whose(victim, seat)
            yield "some" if influence else "nothing"
        case events.Moved(seat, owner=owner, card=card, face_up=face_up):
            yield table.whose(owner, seat)
            yield "face up" if face_up else "nameless" if card == UNKNOWN else "face down"
        case events.Uncovered(card=card):
            yield _known(card)


_NOWHERE: Final = "\0"
"""Placeholder for a hidden position."""
_POSITION: Final = rf",?(?: \w{{1,4}})?(?: po\w+)? {_NOWHERE}"
"""Matches the words for a position in all languages: `at 2`, `en position 2`, `na pozycji 2`."""


def renumbers(event: Event) -> bool:
    """Return True if an event may change the positions of other cards."""
    at_start = isinstance(event, events.Placed) and event.spot == START
    return at_start or isinstance(event, events.Eliminated | events.Discarded | events.Moved)


Line: TypeAlias = tuple[Seat | None, str]
"""The seat of the actor, or None for the table; and the sentence."""


def log_lines(
    happened: Sequence[Event],
    table: TableNames,
    since: int = 0,
    overdue: Container[int] = (),
) -> list[Line]:
    """Return a line for each event from `since` on; "" for a forced step, whose effect follows.

    `overdue` has the indexes of events whose decision a bot made because the time was up.
    """
    lines: list[Line] = []
    for number, event in enumerate(happened[since:], since):
        sentence = "" if isinstance(event, events.Forced) else event_sentence(event, table)
        if number and isinstance(happened[number - 1], events.Forced):
            sentence = _("{what}, without a choice", what=sentence)
        if sentence and number in overdue:
            sentence = _("{what} (time was up)", what=sentence)
        lines.append((getattr(event, "seat", None), sentence))
    return lines


def event_sentences(
    happened: Sequence[Event],
    table: TableNames,
    since: int = 0,
    overdue: Container[int] = (),
) -> list[str]:
    """Return the sentences of events from `since` on. A forced step is joined with its effect."""
    return [sentence for _seat, sentence in log_lines(happened, table, since, overdue) if sentence]


def forced_sentence(happened: Sequence[Event], table: TableNames) -> str:
    """Return the last decision of the rules in these events, with its reason.

    Such a decision has one possible answer (`Forced`) or no effect. Returns "" without one. The
    sentence names only the acting card, which is face up, since the target may be hidden.
    """
    for event in reversed(happened):
        if isinstance(event, events.Forced | events.NoEffect):
            texts = CARD_TEXTS[event.ability]
            why = texts.forced if isinstance(event, events.Forced) else texts.idle
            return _(
                why.yours if event.seat == table.you else why.theirs,
                who=table.signed(event.seat),
                card=card_name(event.card),
                position=event.position,
            )
    return ""


def _values(event: Event, table: TableNames) -> dict[str, Any]:
    """Return the values of a sentence's placeholders, with names for cards and players."""
    values: dict[str, Any] = event._asdict()
    cards = {
        "card": values.get("card", values.get("ability")),
        "ability": values.get("ability"),
    }
    actor, victim = (
        values.get("seat", values.get("first")),
        values.get("victim", values.get("owner")),
    )
    values |= {name: card_name(card) for name, card in cards.items() if card not in (None, UNKNOWN)}
    if isinstance(event, events.Eliminated):
        # A card can be eliminated before anybody knows its name.
        values["target_card"] = card_name(event.victim_card)
    if actor is not None:
        values["name"] = table.names[actor]
    if victim is not None:
        values["victim"] = table.signed(victim)
    if not table.numbered:
        values |= dict.fromkeys(("position", "target", "destination"), _NOWHERE)
    return values


def _left(who: str, card: Card, n: int, values: dict[str, Any]) -> str:
    # "Influence" has no plural in English, but translations need the number to choose a form.
    if who == "you":
        return counted(
            "You leave your {card} at {position}: {influence} influence on it now", n, **values
        )
    if card != UNKNOWN:
        return counted(
            "{name} leaves the {card} at {position}: {influence} influence on it now", n, **values
        )
    return counted(
        "{name} leaves the card at {position}: {influence} influence on it now", n, **values
    )


def table_names(
    view: View,
    names: Sequence[str],
    owners: Owners | None = None,
    glyphs: Glyphs | None = None,
) -> TableNames:
    """Return the names for sentences; `glyphs` adds signs.

    If players have two families each, the reader is named too, since "you" would be ambiguous.
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
    return "nameless" if card == UNKNOWN else "named"
