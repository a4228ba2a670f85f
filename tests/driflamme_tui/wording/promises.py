"""Parses the promises in English sentences about an answer, without the code that builds them."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from engine.actions import Action, Copy, Eliminate, Leave, Reveal, Steal
from engine.cards import (
    AMBUSH,
    ASSASSINATION,
    CARD_NAMES,
    CARDS,
    CONSPIRACY,
    ROYAL_DECREE,
    Card,
    Seat,
)
from engine.views import View
from tests.support.tables import FAMILY_OF


class Fact(NamedTuple):
    """A gain or a loss."""

    kind: str
    """`gain`, `ambush`, `robbed`, `out`, `discarded`, `spilt` or `left`."""
    whose: int
    """The seat; for lost influence, the card's position, or 0 for the acting card."""
    what: int
    """The amount; for a card the position, or its index in `CARDS`."""


class Promise(NamedTuple):
    """The facts that a text promises: certain ones and possible ones."""

    certain: frozenset[Fact]
    possible: frozenset[Fact] = frozenset()


class Reader:
    """Parses sentences about the top card at an index of a view's Queue."""

    def __init__(self, view: View, index: int) -> None:
        self.view, self.index = view, index
        self.seat, self.card, _face_up, _influence, self.covered = view.queue[index]
        self.certain: set[Fact] = set()
        self.possible: set[Fact] = set()

    @property
    def promise(self) -> Promise:
        return Promise(frozenset(self.certain), frozenset(self.possible))

    def read(self, text: str, patterns: "Patterns") -> None:
        """Parse a text by the first pattern that matches all of it; fails if none does."""
        for pattern, read in patterns.items():
            if found := re.fullmatch(pattern, text):
                read(self, *found.groups())
                return
        raise AssertionError(f"no pattern fits {text!r}")

    def seat_of(self, who: str) -> Seat:
        if who[0] in "▲●◆★■":
            return self.view.seat_of(who[1])
        return [FAMILY_OF[family] for family in self.view.families].index(who)

    def position(self, card: str) -> int:
        """Return the position of a named card, and check its name."""
        position = int(card.split()[-1])
        seat, known, *_ = self.view.queue[position - 1]
        owner = card.split()[0].removesuffix("'s")
        assert self.view.viewers == (seat,) if owner == "your" else self.seat_of(owner) == seat
        assert known == "?" or CARD_NAMES[known].casefold() in card.casefold()
        return position

    def is_called(self, name: str) -> None:
        assert name == CARD_NAMES[self.card]

    def gain(self, n: str) -> None:
        if int(n):
            self.certain.add(Fact("gain", self.seat, int(n)))

    def spill(self, position: int, n: str | None) -> None:
        if n:
            self.certain.add(Fact("spilt", position, int(n)))

    def eliminate(self, position: int, spilt: str | None = None) -> None:
        self.certain.add(Fact("gain", self.seat, 1))
        self.certain.add(Fact("out", self.view.queue[position - 1][0], position))
        self.spill(position, spilt)

    def discard(self, card: Card) -> None:
        assert card == self.card
        self.certain.add(Fact("discarded", self.seat, CARDS.index(card)))

    def ambush(self, who: str, n: str, name: str | None, *, certain: bool) -> None:
        """Record an Ambush: it pays `n` to `who`, and with `name` the acting card is discarded.

        `who` is "" for the owner of the acting card.
        """
        facts = self.certain if certain else self.possible
        facts.add(Fact("ambush", self.seat_of(who) if who else self.seat, int(n)))
        if name is not None:
            self.is_called(name)
            facts.add(Fact("discarded", self.seat, CARDS.index(self.card)))

    def rob(self, players: str) -> None:
        """Record the players from whom a Spy may steal; with only one, the theft is certain."""
        robbed = {self.seat_of(who) for who in re.findall(WHO, players)}
        around = [at for at in (self.index - 1, self.index + 1) if 0 <= at < len(self.view.queue)]
        owners = {self.view.queue[at][0] for at in around}
        assert robbed == {seat for seat in owners if seat != self.seat and self.view.pools[seat]}
        if len(owners) == 1:
            self.certain |= {
                Fact("gain", self.seat, 1),
                *(Fact("robbed", seat, 1) for seat in owners),
            }


Patterns: TypeAlias = "dict[str, Callable[..., object]]"

_NAMES: Final = "|".join(FAMILY_OF.values())
_CARDS: Final = "|".join(CARD_NAMES.values())
WHO: Final = rf"(?:[▲●◆★■]\w(?: (?:{_NAMES}))?|(?:{_NAMES}))"
"""A player: by sign and letter, with or without a name; or by name alone."""
_CARD: Final = (
    rf"(?:[▲●◆★■]\w (?:(?i:{_CARDS}) )?\d+"
    rf"|your (?:{_CARDS}) at \d+"
    rf"|(?:{_NAMES})'s (?:card|{_CARDS}) at \d+)"
)
CARD: Final = f"({_CARD})"
"""A card of the Queue: by its owner, its name if known, and its position."""
SEVERAL: Final = rf"({_CARD}(?:, {_CARD})* or (?:{_CARD}|itself))"
PLAYERS: Final = rf"({WHO}(?:(?:, {WHO})* or {WHO})?)"
NAME: Final = f"({_CARDS})"


def _struck(reader: Reader, what: str, who: str, n: str, name: str, *, certain: bool) -> None:
    reader.read(what, EFFECTS)
    reader.ambush(who, n, name, certain=certain)


def _gains(reader: Reader, name: str, n: str) -> None:
    reader.is_called(name)
    reader.gain(n)


def _spills(reader: Reader, gain: str, spilt: str | None) -> None:
    reader.gain(gain)
    reader.spill(0, spilt)
    reader.discard(AMBUSH)


def _twice(reader: Reader, taken: str, influence: str) -> None:
    assert int(taken) == 2 * int(influence)
    reader.gain(taken)
    reader.discard(CONSPIRACY)


def _nothing(_reader: Reader, *_read: str) -> None:
    """Ignore a sentence that promises no effect, or none yet."""


EFFECTS: Final[Patterns] = {
    r"gain (\d+)(?:, but the (\d+) on it is lost)?; the Ambush is discarded": _spills,
    r"nothing lies on it to take; the Conspiracy is discarded": lambda r: r.discard(CONSPIRACY),
    r"take (\d+), twice the (\d+) on it; the Conspiracy is discarded": _twice,
    rf"the {NAME} gains (\d+)(?:, because {_CARD} is face up)?": _gains,
    r"there is nothing it can act on, so it has no effect": _nothing,
    r"there is no other card to move; the Decree is discarded": lambda r: r.discard(ROYAL_DECREE),
    r"move a card, and the Decree is discarded": lambda r: r.discard(ROYAL_DECREE),
    rf"move {_CARD} to \d: not resolved this round; the Decree is discarded": (
        lambda r: r.discard(ROYAL_DECREE)
    ),
    rf"move {_CARD} to \d: resolved after the Decree, which is discarded": (
        lambda r: r.discard(ROYAL_DECREE)
    ),
    r"eliminate any card, itself included; the Assassination is discarded": (
        lambda r: r.discard(ASSASSINATION)
    ),
    r"eliminate itself \(\+1\)": lambda r: r.eliminate(r.index + 1),
    rf"eliminate {CARD}(?: and the (\d+) on it)? \(\+1\)": (
        lambda r, card, n: r.eliminate(r.position(card), n)
    ),
    rf"eliminate {SEVERAL}": _nothing,
    rf"(eliminate .+); your Ambush \+(\d), your {NAME} is discarded too": (
        lambda r, what, n, name: _struck(r, what, "", n, name, certain=True)
    ),
    rf"(eliminate .+); ({WHO}) \+(\d) by the Ambush, your {NAME} is discarded": (
        lambda r, what, who, n, name: _struck(r, what, who, n, name, certain=True)
    ),
    rf"(eliminate .+); if an Ambush: ({WHO}) \+(\d), your {NAME} is discarded": (
        lambda r, what, who, n, name: _struck(r, what, who, n, name, certain=False)
    ),
    rf"steal 1 from {PLAYERS}": lambda r, players: r.rob(players),
    r"no other family beside it has influence, so nothing changes": _nothing,
    rf"copy {SEVERAL}": _nothing,
    rf"copy {_CARD}, which has no effect": _nothing,
    rf"copy {_CARD}: (.+)": lambda r, effect: r.read(effect, EFFECTS),
}
"""Effects of revealing or copying a card, in the words of the prompt."""


def _reveals(reader: Reader, taken: str | None, then: str) -> None:
    reader.gain(taken or "0")
    reader.read(then, EFFECTS)


def _loses(reader: Reader, position: str, who: str, name: str | None, spilt: str | None) -> None:
    seat, card, *_ = reader.view.queue[int(position) - 1]
    assert reader.seat_of(who) == seat != reader.seat
    assert name == (None if card == "?" else CARD_NAMES[card])
    reader.eliminate(int(position), spilt)


def _loses_own(reader: Reader, position: str, name: str, spilt: str | None) -> None:
    assert reader.view.queue[int(position) - 1][:2] == (reader.seat, _letter(name))
    reader.eliminate(int(position), spilt)


def _loses_itself(reader: Reader, position: str, name: str) -> None:
    assert int(position) == reader.index + 1
    reader.is_called(name)
    reader.eliminate(int(position))


def _letter(name: str) -> Card:
    return next(card for card in CARDS if CARD_NAMES[card] == name)


def _after(reader: Reader, name: str) -> None:
    assert reader.covered is not None
    assert reader.covered[1] == _letter(name)


def _strikes(reader: Reader, what: str, then: str) -> None:
    reader.read(what, STRIKES)
    reader.read(then, STRUCK)


def _strikes_back(
    reader: Reader, who: str, n: str, name: str | None, covered: str | None, *, certain: bool
) -> None:
    reader.ambush(who, n, name, certain=certain)
    if covered is not None:
        _after(reader, covered)


STRUCK: Final[Patterns] = {
    r"Your own Ambush does not strike back\.": _nothing,
    r"Your Ambush brings (\d) more\.": lambda r, n: r.ambush("", n, None, certain=True),
    rf"Your Ambush brings (\d) more, and your {NAME} is discarded too\.": (
        lambda r, n, name: r.ambush("", n, name, certain=True)
    ),
    rf"({WHO}) gains (\d) by it(?:, and your {NAME} is discarded)?\.": (
        lambda r, who, n, name: r.ambush(who, n, name, certain=True)
    ),
    rf"If it turns out to be an Ambush, ({WHO}) gains (\d)(?: and your {NAME} is discarded)?\.": (
        lambda r, who, n, name: r.ambush(who, n, name, certain=False)
    ),
    rf"If an Ambush: ({WHO}) gains (\d), your {NAME} is discarded, your {NAME} is active again\.": (
        lambda r, who, n, name, covered: _strikes_back(r, who, n, name, covered, certain=False)
    ),
    rf"Your {NAME} beneath comes next\.": _after,
}
"""Effects of an Ambush on the card that eliminates it."""

STRIKES: Final[Patterns] = {
    rf"(?:Position )?(\d+): your {NAME} itself leaves the Queue; you gain 1\.": _loses_itself,
    rf"(?:Position )?(\d+): your own {NAME}(?:, with the (\d+) on it)?; you gain 1\.": _loses_own,
    rf"(?:Position )?(\d+): ({WHO}) loses (?:a face-down card|the {NAME})"
    r"(?: (?:with|and the) (\d+) on it)?; you gain 1\.": _loses,
    r"(.+?; you gain 1\.) (.+)": _strikes,
}
"""Effects of eliminating a card."""


def _steals(reader: Reader, who: str, *numbers: str) -> None:
    seat = reader.seat_of(who)
    theirs, yours = reader.view.pools[seat], reader.view.pools[reader.seat]
    assert [*map(int, numbers)] == [theirs, theirs - 1, yours, yours + 1]
    reader.certain |= {Fact("gain", reader.seat, 1), Fact("robbed", seat, 1)}


def _leaves(reader: Reader, n: str) -> None:
    reader.certain.add(Fact("left", 0, int(n)))


ANSWERS: Final[dict[type[Action], Patterns]] = {
    Leave: {
        r"1 more goes on it: (\d+) in all": _leaves,
        r"(\d+) on it then; influence on cards is lost after this round": _leaves,
    },
    Reveal: {r"(?:take the (\d+); )?((?!take the).+)": _reveals},
    Eliminate: STRIKES,
    Steal: {
        r"Yourself: nothing changes \(allowed\)\.": _nothing,
        rf"{WHO} has no influence: nothing changes\.": _nothing,
        rf"({WHO}) goes from (\d+) to (\d+), you from (\d+) to (\d+)\.": _steals,
    },
    Copy: {
        rf"{_CARD}: copying a Shapeshifter has no effect\.": _nothing,
        rf"{_CARD}: (.+)\.": lambda r, effect: r.read(effect, EFFECTS),
    },
}
"""Effects of each kind of answer."""


HERE: Final[Patterns] = {
    r"(.+\.) Revealed, it also brings the (\d+) on it\.": (
        lambda r, what, n: (r.read(what, HERE), r.gain(n))
    ),
    r"Eliminated by an opponent it brings 4; revealed, (\d+)(?:, and the (\d+) on it is lost)?\.": (
        _spills
    ),
    r"Revealed here at once, it would bring nothing; each time it is left, it is worth 2 more\.": (
        lambda r: r.discard(CONSPIRACY)
    ),
    r"Here it would bring (\d+), twice the (\d+) on it\.": _twice,
    rf"Here it would gain nothing, since {_CARD} is face up\.": _nothing,
    r"Here it would gain (\d+)(?:; no card of its family beside it)?\.": lambda r, n: r.gain(n),
    r"Here it would gain (\d+), \d of it for its family beside it\.": lambda r, n: r.gain(n),
    r"Here it has no (?:card|face-up Character) beside it, so no effect\.": _nothing,
    r"Here it has no other card to move, so no effect\.": lambda r: r.discard(ROYAL_DECREE),
    r"Here it could move any other top card\.": lambda r: r.discard(ROYAL_DECREE),
    rf"Here it would have to move {_CARD} before itself\.": (lambda r: r.discard(ROYAL_DECREE)),
    rf"Here it would have to move {_CARD} to \d, where that is resolved next\.": (
        lambda r: r.discard(ROYAL_DECREE)
    ),
    r"Here it could eliminate any top card, itself too\.": lambda r: r.discard(ASSASSINATION),
    r"Here it would have to eliminate itself \(\+1\)\.": lambda r: r.eliminate(r.index + 1),
    rf"Here it would have to eliminate {CARD}(?: and the (\d+) on it)? \(\+1\)\.": (
        lambda r, card, n: r.eliminate(r.position(card), n)
    ),
    rf"Here it could eliminate (?:{SEVERAL}|{_CARD} or itself)\.": _nothing,
    rf"(.+\.) The Ambush brings its family (\d) more, and the {NAME} is discarded too\.": (
        lambda r, what, n, name: (r.read(what, HERE), r.ambush("", n, name, certain=True))
    ),
    rf"(.+\.) ({WHO}) gains (\d) by the Ambush, and the {NAME} is discarded\.": (
        lambda r, what, who, n, name: (r.read(what, HERE), r.ambush(who, n, name, certain=True))
    ),
    rf"(.+\.) If that is an Ambush, ({WHO}) gains (\d) and the {NAME} is discarded\.": (
        lambda r, what, who, n, name: (r.read(what, HERE), r.ambush(who, n, name, certain=False))
    ),
    rf"Here it (?:would|could) steal 1 from {PLAYERS}\.": lambda r, players: r.rob(players),
    r"Here no other family beside it has influence, so it would steal nothing\.": _nothing,
    rf"Here it could copy {SEVERAL}\.": _nothing,
    rf"Here it would copy {_CARD}, to no effect\.": _nothing,
    rf"Here it would copy {_CARD} and gain (\d)\.": lambda r, n: r.gain(n),
    rf"Here it would copy {_CARD}\. (Here .+)": lambda r, then: r.read(then, HERE),
}
"""Effects of a card where it is, in the words of the panel."""


def of_answer(sentence: str, view: View, action: Action) -> Promise:
    """Return the prompt's promise for an answer to the view's question."""
    reader = Reader(view, view.at)
    if type(action) in ANSWERS:
        reader.read(sentence, ANSWERS[type(action)])
    return reader.promise


def of_panel(sentence: str, view: View, index: int) -> Promise:
    """Return the panel's promise for revealing the card at an index."""
    reader = Reader(view, index)
    reader.read(sentence, HERE)
    return reader.promise
