"""One short sentence for every event, as the reader may know it; the texts are in `event_texts`."""

import re
from collections.abc import Sequence
from typing import Any, Final, TypeAlias, assert_never

from msgspec import Struct

from driflamme_tui.text.i18n import _, counted
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game import event_texts as texts
from driflamme_tui.wording.game.card_texts import CARD_TEXTS
from driflamme_tui.wording.game.event_texts import SAME, THEY, YOU
from driflamme_tui.wording.game.names import all_of, card_name, spoken_names
from engine import events
from engine.actions import START
from engine.cards import CONSPIRACY, UNKNOWN, Card, Seat
from engine.events import Event
from engine.ranking import Owners, is_for_two
from engine.view import View


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
    match event:
        case events.ResolutionBegan():
            return _("The Queue is resolved")
        case events.GameEnded(winners):
            return _ended(winners, table)
        case events.Placed(seat, card, spot):
            sentence = _(texts.PLACED[table.who(seat), _known(card), spot])
        case events.Left(seat, _position, card, influence):
            sentence = _left(table.who(seat), card, influence)
        case events.Eliminated(seat, position, target=target) if target == position:
            sentence = _(texts.ELIMINATED_ITSELF[table.who(seat)])
        case events.Eliminated(seat, victim=victim, face_up=face_up, influence=influence):
            lying = texts.ELIMINATED[table.who(seat), table.whose(victim, seat)]
            hidden = lying.otherwise if influence else lying.face_down
            sentence = _(lying.face_up if face_up else hidden)
        case events.AmbushSprung(seat, attacker=attacker):
            sentence = _(texts.AMBUSH_SPRUNG[table.who(seat), table.whose(attacker, seat)])
        case events.Stole(seat, victim=victim, influence=influence):
            stole = texts.STOLE if influence else texts.STOLE_NOTHING
            sentence = _(stole[table.who(seat), table.whose(victim, seat)])
        case events.Moved(seat, owner=owner, card=card, face_up=face_up):
            lying = texts.MOVED[table.who(seat), table.whose(owner, seat)]
            hidden = lying.face_down if card != UNKNOWN else lying.otherwise
            sentence = _(lying.face_up if face_up else hidden)
        case events.Uncovered(seat, card=card):
            sentence = _(texts.UNCOVERED[table.who(seat), _known(card)])
        case events.RoundBegan(first=seat):
            sentence = _for(seat, texts.PLAIN[events.RoundBegan], table)
        case events.Revealed(seat):
            sentence = _for(seat, _revealed(event), table)
        case events.Gained(seat):
            sentence = _for(seat, _gained(event), table)
        case events.Forced(seat) | events.NoEffect(seat) | events.Copied(seat):
            sentence = _for(seat, texts.PLAIN[type(event)], table)
        case events.Discarded(seat):
            sentence = _for(seat, texts.PLAIN[events.Discarded], table)
        case _:
            assert_never(event)
    values = _values(event, table)
    if table.numbered:
        return sentence.format(**values)
    values |= dict.fromkeys(("position", "target", "destination"), _NOWHERE)
    return _PLACED.sub("", sentence.format(**values))


_NOWHERE: Final = "\0"
"""Stands for a position that is not told."""
_PLACED: Final = re.compile(rf",?(?: \w{{1,4}})?(?: po\w+)? {_NOWHERE}")
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
            sentence = _("{what}, without a choice").format(what=sentence)
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
            texts = CARD_TEXTS[event.ability]
            why = texts.forced if isinstance(event, events.Forced) else texts.idle
            return _(why.yours if event.seat == table.you else why.theirs).format(
                who=table.signed(event.seat), card=card_name(event.card), position=event.position
            )
    return ""


def _for(seat: Seat, pair: tuple[str, str], table: TableNames) -> str:
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
    return told


def _left(who: str, card: Card, influence: int) -> str:
    # "Influence" has no plural in English, but its number matters in other languages.
    if who == YOU:
        return counted(
            "You leave your {card} at {position}, {influence} influence on it now", influence
        )
    if card != UNKNOWN:
        return counted(
            "{name} leaves the {card} at {position}, {influence} influence on it now", influence
        )
    return counted(
        "{name} leaves the card at {position}, {influence} influence on it now", influence
    )


def _revealed(event: events.Revealed) -> tuple[str, str]:
    if not event.influence:
        return texts.REVEALED_BARE
    if not event.taken:
        return texts.REVEALED_LOSING
    return texts.REVEALED_DOUBLE if event.taken > event.influence else texts.REVEALED


def _gained(event: events.Gained) -> tuple[str, str]:
    if event.ability == CONSPIRACY:
        return texts.HAS_PAID
    if not event.influence:
        return texts.GAINED_NOTHING
    return texts.GAINED if event.ability == event.card else texts.GAINED_BY_COPY


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
        return _("You win") if not others else _("{name} wins").format(name=others[0])
    if table.you in winners:
        return _("You share the victory with {names}").format(names=all_of(others))
    return _("{names} share the victory").format(names=all_of(others))


def _known(card: Card) -> str:
    return texts.NAMED if card != UNKNOWN else texts.NAMELESS
