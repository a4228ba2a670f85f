"""Describes, for one reader, the effects of answers and of cards in their places."""

from collections.abc import Sequence
from copy import copy
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.model.knowledge import ambush_possible
from driflamme_tui.model.prospects import Prospect, prospect
from driflamme_tui.text.i18n import _, comma_list, counted, ngettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import all_of, card_name, naming
from engine.abilities import AMBUSH_GAIN, GAINS, royal_decree
from engine.actions import END, START, Action, Copy, Eliminate, Leave, Move, Place, Reveal, Steal
from engine.cards import (
    AMBUSH,
    ASSASSINATION,
    CONSPIRACY,
    INTRIGUES,
    LORD,
    ROUNDS,
    ROYAL_DECREE,
    SHAPESHIFTER,
    SPY,
    UNKNOWN,
    Card,
    Seat,
)
from engine.legal import Refusal
from engine.position import Stack, cards_in, move_top, unseen_cards
from engine.texts import Text
from engine.views import View


class Voices(NamedTuple):
    """Two sentences about an ability: for the prompt, and for the card panel."""

    prompt: Text
    """The effect of revealing or copying the card, as the end of a sentence."""
    panel: Text
    """The possible effect of the card in its place."""


_ABILITIES: Final = {
    "bare ambush": Voices(
        "gain {gain}; the Ambush is discarded",
        "Eliminated by an opponent it brings {struck}; revealed, {gain}.",
    ),
    "ambush": Voices(
        "gain {gain}, but the {influence} on it is lost; the Ambush is discarded",
        "Eliminated by an opponent it brings {struck}; revealed, {gain}, and the {influence} on it "
        "is lost.",
    ),
    "bare conspiracy": Voices(
        "nothing lies on it to take; the Conspiracy is discarded",
        "Revealed here at once, it would bring nothing; each time it is left, it is worth 2 more.",
    ),
    "conspiracy": Voices(
        "take {taken}, twice the {influence} on it; the Conspiracy is discarded",
        "Here it would bring {taken}, twice the {influence} on it.",
    ),
    "barred": Voices(
        "the {name} gains 0, because {other} is face up",
        "Here it would gain nothing, since {other} is face up.",
    ),
    "gains": Voices("the {name} gains {gain}", "Here it would gain {gain}."),
    "gains alone": Voices(
        "the {name} gains {gain}", "Here it would gain 1; no card of its family beside it."
    ),
    "gains by kin": Voices(
        "the {name} gains {gain}",
        "Here it would gain {gain}, {kin} of it for its family beside it.",
    ),
    "idle": Voices(
        "there is nothing it can act on, so it has no effect",
        "Here it has no card beside it, so no effect.",
    ),
    "idle decree": Voices(
        "there is no other card to move; the Decree is discarded",
        "Here it has no other card to move, so no effect.",
    ),
    "idle shapeshifter": Voices(
        "there is nothing it can act on, so it has no effect",
        "Here it has no face-up Character beside it, so no effect.",
    ),
    "moves": Voices(
        "move a card, and the Decree is discarded", "Here it could move any other top card."
    ),
    "moves to before": Voices(
        "move {other} to {destination}: not resolved this round; the Decree is discarded",
        "Here it would have to move {other} before itself.",
    ),
    "moves to after": Voices(
        "move {other} to {destination}: resolved after the Decree, which is discarded",
        "Here it would have to move {other} to {destination}, where that is resolved next.",
    ),
    "any": Voices(
        "eliminate any card, itself included; the Assassination is discarded",
        "Here it could eliminate any top card, itself too.",
    ),
    "itself": Voices("eliminate itself (+1)", "Here it would have to eliminate itself (+1)."),
    "one": Voices("eliminate {other} (+1)", "Here it would have to eliminate {other} (+1)."),
    "one with influence": Voices(
        "eliminate {other} and the {lost} on it (+1)",
        "Here it would have to eliminate {other} and the {lost} on it (+1).",
    ),
    "one or itself": Voices("eliminate {cards}", "Here it could eliminate {other} or itself."),
    "several": Voices("eliminate {cards}", "Here it could eliminate {cards}."),
    "robs nobody": Voices(
        "no other family beside it has influence, so nothing changes",
        "Here no other family beside it has influence, so it would steal nothing.",
    ),
    "robs one": Voices("steal 1 from {players}", "Here it would steal 1 from {players}."),
    "robs": Voices("steal 1 from {players}", "Here it could steal 1 from {players}."),
    "copies one of": Voices("copy {cards}", "Here it could copy {cards}."),
    "copies": Voices("copy {other}: {effect}", "Here it would copy {other}. {then}"),
    "copies in vain": Voices(
        "copy {other}, which has no effect", "Here it would copy {other}, to no effect."
    ),
    "copies and gains": Voices(
        "copy {other}: {effect}", "Here it would copy {other} and gain {gain}."
    ),
}
"""The sentences of each ability, by the conditions that select them."""


_ONE_STRUCK_BACK: Final = {
    "own, discarded": Voices(
        "{what}; your Ambush +{n}, your {card} is discarded too",
        "{what} The Ambush brings its family {n} more, and the {card} is discarded too.",
    ),
    "known, discarded": Voices(
        "{what}; {name} +{n} by the Ambush, your {card} is discarded",
        "{what} {name} gains {n} by the Ambush, and the {card} is discarded.",
    ),
    "unknown, discarded": Voices(
        "{what}; if an Ambush: {name} +{n}, your {card} is discarded",
        "{what} If that is an Ambush, {name} gains {n} and the {card} is discarded.",
    ),
}
"""The effect of an Ambush on an attacker with only one target, by key of `_STRUCK_BACK`.

Only an attacker that the Ambush discards needs a sentence here. Other attackers have no entry.
"""


_IDLE: Final = {ROYAL_DECREE: "idle decree", SHAPESHIFTER: "idle shapeshifter"}
"""The key of the sentence for an ability without a target; other abilities have "idle"."""


_LOSSES: Final[dict[str, Text]] = {
    "itself": "{position}: your {card} itself leaves the Queue; you gain 1.",
    "own": "{position}: your own {card}; you gain 1.",
    "own, with influence": "{position}: your own {card}, with the {n} on it; you gain 1.",
    "unknown": "{position}: {name} loses a face-down card; you gain 1.",
    "unknown, with influence": (
        "{position}: {name} loses a face-down card with {n} on it; you gain 1."
    ),
    "known": "{position}: {name} loses the {card}; you gain 1.",
    "known, with influence": ("{position}: {name} loses the {card} and the {n} on it; you gain 1."),
}
"""The cost of an elimination, by the card's owner and the reader's knowledge of the card."""

_STRUCK_BACK: Final[dict[str, Text]] = {
    "": "",
    "own": "Your own Ambush does not strike back.",
    "own, paid": "Your Ambush brings {n} more.",
    "own, discarded": "Your Ambush brings {n} more, and your {card} is discarded too.",
    "known": "{name} gains {n} by it.",
    "known, discarded": "{name} gains {n} by it, and your {card} is discarded.",
    "known, discarded, waking": "{name} gains {n} by it, and your {card} is discarded.",
    "unknown": "If it turns out to be an Ambush, {name} gains {n}.",
    "unknown, discarded": (
        "If it turns out to be an Ambush, {name} gains {n} and your {card} is discarded."
    ),
    "unknown, discarded, waking": (
        "If an Ambush: {name} gains {n}, your {card} is discarded, your {covered} is active again."
    ),
}
"""The effect of the elimination if the eliminated card is an Ambush, or may be one.

The first word of a key names the card: "own" for an Ambush of the attacker's owner, "known" for an
opponent's Ambush, and "unknown" for an opponent's card that may be an Ambush. The other words name
further effects:
- "paid": the Ambush brings influence, but does not discard the attacker;
- "discarded": the Ambush brings influence, and discards the attacker;
- "waking": the card beneath the attacker becomes active again.

The key "" stands for a card that cannot be an Ambush, and for an attacker that eliminates itself.
"""


class Strike(Struct, frozen=True):
    """An elimination, as far as the reader can know its effect."""

    whose: str
    """The beginning of a key of `_LOSSES`: "itself", "own", "known" or "unknown"."""
    struck_back: str
    """The effect of an Ambush on the attacker: a key of `_STRUCK_BACK`; "" for no effect."""
    gain: int
    """The influence that the owner of an eliminated Ambush gains."""
    card: Card
    """The eliminated card; `UNKNOWN` if the reader cannot know it."""


class Consequences(Struct, frozen=True):
    """Describes the effects of actions at a view, for the reader of the view."""

    view: View
    names: Sequence[str]
    """The players' names by seat; "" for each player if only signs and letters fit."""
    glyphs: Glyphs
    before: int = 0
    """Number of stacks at the start of the Queue that the positions on the screen do not count
    yet.
    """

    def tag(self, seat: Seat) -> str:
        """Return a family's sign and letter."""
        return self.glyphs.tag(self.view.families[seat])

    def who(self, seat: Seat) -> str:
        """Return a player's sign and name."""
        return f"{self.tag(seat)} {self.names[seat]}".rstrip()

    def why_not(self, refusal: Refusal) -> str:
        """Return the sentence of a refusal, in which players stand in place of families."""
        seats = range(self.view.players)
        players = {self.view.families[seat]: self.who(seat) for seat in seats}
        return refusal.sentence(naming(players))

    def place(self, position: int) -> str:
        """Return the words for a position that begin a sentence: here the number alone."""
        return str(position)

    def at(self, position: int) -> str:
        """Return the card at a position, counted from 1, as `named` describes it."""
        seat, card, face_up, _influence, _covered = self.view.queue[position - 1]
        return self.named(seat, card, face_up, position - self.before)

    def named(self, seat: Seat, card: Card, face_up: bool, position: int) -> str:
        """Return a card of the Queue: its family's sign, its name if known, and a position.

        The name of a face-down card is in small letters.
        """
        if card == UNKNOWN:
            return f"{self.tag(seat)} {position}"
        name = card_name(card)
        return f"{self.tag(seat)} {name if face_up else name.lower()} {position}"

    # A card at its place

    def here(self, index: int, queue: list[Stack] | None = None, before: int = 0) -> str:
        """Return the possible effect of a top card, and the influence that revealing it brings.

        Args:
            index: The index of the card's stack.
            queue: The Queue to assume, by default the Queue of the view.
            before: Number of stacks at the start of that Queue that the screen does not count yet.
        """
        view = copy(self.view)
        view.queue = self.view.queue if queue is None else queue
        _seat, card, face_up, influence, _covered = view.queue[index]
        there = replace(self, view=view, before=before)
        text = there._ability(index, card).panel
        if face_up or not influence or card in (CONSPIRACY, AMBUSH):
            return text
        takes = counted("Revealed, it also brings the {n} on it.", influence)
        return f"{text} {takes}"

    def if_placed(self, place: Place) -> str:
        """Return the effect that a card of the reader's hand would have at a place."""
        queue = list(self.view.queue)
        card: Stack = (self.view.turn, place.card, False, 0, None)
        if place.spot == START:
            return self.here(0, [card, *queue], 1)
        if place.spot == END:
            return self.here(len(queue), [*queue, card])
        index = place.position - 1
        queue[index] = (*card[:4], queue[index])
        return self.here(index, queue)

    def _ability(self, index: int, ability: Card) -> Voices:
        """Return the sentences about an ability of the top card at an index."""
        view = self.view
        seat, card, _face_up, _influence, _covered = view.queue[index]
        effect = prospect(view, index, ability)
        others = [position for position in effect.targets if position != index + 1]
        robbed = [each for each in effect.players if each != seat and view.pools[each]]
        way, gain = _way(effect, others, robbed), effect.gain
        other = effect.barred_by or (others[0] if others else 0)
        then, destination, lost = Voices("", ""), 0, 0
        if way == "copies":
            copied = view.queue[other - 1][1]
            if copied == SHAPESHIFTER:
                way = "copies in vain"
            else:
                then = self._ability(index, copied)
            if copied in GAINS:
                way, gain = "copies and gains", GAINS[copied](view, index)
        elif way == "one":
            lost = view.queue[other - 1][3]
            way = "one with influence" if lost else way
        elif way == "moves":
            moves = [move for move in royal_decree(view, index) if isinstance(move, Move)]
            if len(moves) == 1:
                destination = moves[0].destination
                way = "moves to after" if other <= index else "moves to before"
        values = {
            "name": card_name(card),
            "gain": gain,
            "kin": gain - 1,
            "influence": effect.influence,
            "taken": effect.taken,
            "struck": AMBUSH_GAIN,
            "other": self.at(other) if other else "",
            "cards": one_of([self.at(position) for position in effect.targets]),
            "players": one_of([self.who(each) for each in robbed]),
            "lost": lost,
            "destination": destination - self.before,
            "effect": then.prompt,
            "then": then.panel,
        }
        voices = Voices(*(_(text, **values) for text in _ABILITIES[way]))
        strike = self._strike(index, other) if way in ("one", "one with influence") else None
        if strike is None or strike.struck_back not in _ONE_STRUCK_BACK:
            return voices
        name = self.who(view.queue[other - 1][0])
        struck = _ONE_STRUCK_BACK[strike.struck_back]
        return Voices(
            *(
                _(text, what=what, name=name, n=strike.gain, card=card_name(card))
                for text, what in zip(struck, voices, strict=True)
            )
        )

    def _strike(self, index: int, position: int) -> Strike:
        """Return the elimination of the top card at a position by the top card at an index."""
        view = self.view
        owner, attacker, _face_up, _influence, _covered = view.queue[index]
        seat, card, _face_up, _influence, _covered = view.queue[position - 1]
        if card == UNKNOWN and unseen_cards(view, seat) == AMBUSH:
            card = AMBUSH
        whose = "own" if seat == owner else "unknown" if card == UNKNOWN else "known"
        struck_back, gain = "", AMBUSH_GAIN
        if position == index + 1:
            whose = "itself"
        elif whose == "own" and card == AMBUSH:
            gain = view.edition.ambush_gain_from_own_attacker
            struck_back = "own"
            if view.edition.ambush_discards_own_attacker:
                # An Intrigue is discarded anyway, so its owner only pays.
                struck_back = "own, paid" if attacker in INTRIGUES else "own, discarded"
        elif card == AMBUSH or (whose == "unknown" and ambush_possible(view, seat)):
            struck_back = whose if attacker in INTRIGUES else f"{whose}, discarded"
        return Strike(whose, struck_back, gain, card)

    # An answer

    def effect(self, action: Action) -> str:
        """Return a sentence about the effect of an action, as far as the reader can know it."""
        match action:
            case Place():
                return self._placing(action)
            case Leave():
                return self._leaving()
            case Reveal():
                return self._revealing()
            case Eliminate(position=position):
                return self._eliminating(position)
            case Steal(family=family):
                return self._stealing(self.view.seat_of(family))
            case Copy(position=position):
                return self._copying(position)
            case Move():
                return self._moving(action)

    def _placing(self, action: Place) -> str:
        view = self.view
        if not view.queue:
            return _("Your card becomes the Queue.")
        if action.spot == START:
            return _("At the start, before {card}.", card=self.at(1))
        if action.spot == END:
            return _("At the end, after {card}.", card=self.at(len(view.queue)))
        covered = cards_in(view.queue[action.position - 1])
        if not any(influence for _card, _up, influence in covered):
            return ngettext(
                "On your stack at {position}, then {height} high: only your {card} counts; "
                "{covered} waits below it.",
                "On your stack at {position}, then {height} high: only your {card} counts; "
                "{covered} wait below it.",
                len(covered),
                position=action.position,
                height=len(covered) + 1,
                card=card_name(action.card),
                covered=self._waiting_below(covered),
            )
        return ngettext(
            "On your stack at {position}, then {height} high: only your {card} counts; {covered} "
            "keeps its influence and waits.",
            "On your stack at {position}, then {height} high: only your {card} counts; {covered} "
            "keep their influence and wait.",
            len(covered),
            position=action.position,
            height=len(covered) + 1,
            card=card_name(action.card),
            covered=self._waiting_below(covered),
        )

    def _waiting_below(self, covered: Sequence[tuple[Card, bool, int]]) -> str:
        """Return the cards below a placed card.

        Of more than two return only the number, since the prompt has no space for them.
        """
        if len(covered) > 2:
            return _("all {n} below it", n=len(covered))
        return all_of(
            [self._with_influence(card, up, influence) for card, up, influence in covered]
        )

    def _with_influence(self, card: Card, face_up: bool, influence: int) -> str:
        name = card_name(card) if face_up else card_name(card).lower()
        return _("{card} ({n} on it)", card=name, n=influence) if influence else name

    def _leaving(self) -> str:
        influence = self.view.queue[self.view.at][3] + 1
        text: Text = "1 more goes on it: {n} in all"
        if self.view.round == ROUNDS:
            text = "{n} on it then; influence on cards is lost after this round"
        return _(text, n=influence)

    def _revealing(self) -> str:
        _seat, card, _face_up, influence, _covered = self.view.queue[self.view.at]
        then = self._ability(self.view.at, card).prompt
        if not influence or card in (CONSPIRACY, AMBUSH):
            return then
        return _("take the {n}; {then}", n=influence, then=then)

    def _eliminating(self, position: int) -> str:
        view = self.view
        _seat, attacker, _face_up, _influence, beneath = view.queue[view.at]
        seat, _card, _face_up, influence, _covered = view.queue[position - 1]
        strike = self._strike(view.at, position)
        itself = strike.whose == "itself"
        loss = f"{strike.whose}, with influence" if influence and not itself else strike.whose
        then = strike.struck_back
        if beneath and then in ("known, discarded", "unknown, discarded"):
            then = f"{then}, waking"
        covered = beneath and card_name(beneath[1])
        name, place = self.who(seat), self.place(position)
        sentence = _(
            _LOSSES[loss], position=place, name=name, card=card_name(strike.card), n=influence
        )
        struck = _STRUCK_BACK[then] and _(
            _STRUCK_BACK[then],
            name=name,
            n=strike.gain,
            card=card_name(attacker),
            covered=covered,
        )
        if itself and covered:
            struck = _("Your {card} beneath comes next.", card=covered)
        return f"{sentence} {struck}".strip()

    def _stealing(self, victim: Seat) -> str:
        view = self.view
        if victim == view.turn:
            return _("Yourself: nothing changes (allowed).")
        theirs, yours = view.pools[victim], view.pools[view.turn]
        text: Text = "{who} goes from {theirs} to {less}, you from {yours} to {more}."
        if not theirs:
            text = "{who} has no influence: nothing changes."
        return _(
            text, who=self.who(victim), theirs=theirs, less=theirs - 1, yours=yours, more=yours + 1
        )

    def _copying(self, position: int) -> str:
        card = self.view.queue[position - 1][1]
        if card == SHAPESHIFTER:
            return _("{card}: copying a Shapeshifter has no effect.", card=self.at(position))
        effect = self._ability(self.view.at, card).prompt
        return _("{card}: {effect}.", card=self.at(position), effect=effect)

    def lifting(self, position: int) -> str:
        """Return a sentence about lifting the card at a position, and about the card beneath it."""
        _seat, _card, _face_up, influence, covered = self.view.queue[position - 1]
        text = self.at(position)
        if influence:
            text = _("{card}, with the {n} on it", card=text, n=influence)
        if covered is None:
            return f"{text}."
        if position > self.view.at + 1:
            return _("{card}; the card beneath it will be resolved this round.", card=text)
        return _("{card}; the card beneath it waits for the next round.", card=text)

    def _moving(self, action: Move) -> str:
        view = self.view
        queue = list(view.queue)
        at = move_top(queue, view.at, action.position - 1, action.destination - 1)
        there = action.destination - 1
        beside = [
            self.tag(queue[index][0]) for index in (there - 1, there + 1) if 0 <= index < len(queue)
        ]
        text = _("It would stand at {position}, an end of the Queue")
        if len(beside) == 2:
            text = _("It would stand at {position}, between {before} and {after}")
        where = text.format(position=action.destination, before=beside[0], after=beside[-1])
        text = _("{where}: resolved this round, after the Decree.")
        if there < at:
            text = _("{where}: not resolved again this round.")
            if action.position > view.at:
                text = _("{where}: not resolved this round.")
        return text.format(where=where)


def _way(effect: Prospect, others: Sequence[int], robbed: Sequence[Seat]) -> str:
    """Return the key of the sentence for a prospect.

    Args:
        effect: The prospect.
        others: The positions of the other cards that the ability may act on.
        robbed: The players who would lose influence by the ability.
    """
    if effect.is_idle:
        return _IDLE.get(effect.ability, "idle")
    if effect.ability == AMBUSH:
        return "ambush" if effect.influence else "bare ambush"
    if effect.ability == CONSPIRACY:
        return "conspiracy" if effect.influence else "bare conspiracy"
    if effect.ability == LORD:
        return "gains by kin" if effect.gain > 1 else "gains alone"
    if effect.ability in GAINS:
        return "barred" if effect.barred_by else "gains"
    if effect.ability == SPY:
        most = "robs" if effect.players[1:] else "robs one"
        return most if robbed else "robs nobody"
    if effect.ability == ROYAL_DECREE:
        return "moves"
    if not others:
        return "itself"
    if effect.ability == ASSASSINATION:
        return "any"
    if effect.ability == SHAPESHIFTER:
        return "copies one of" if others[1:] else "copies"
    if len(others) < len(effect.targets):
        return "one or itself"
    return "several" if others[1:] else "one"


def one_of(words: Sequence[str | int]) -> str:
    """Return words joined as in `1, 2 or 3`."""
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    return _("{all} or {last}", all=comma_list(texts[:-1]), last=texts[-1])
