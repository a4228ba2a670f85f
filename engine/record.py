"""Defines the record of a game as data: the deal, the actions and the players.

Records may come from strangers. Reading a record is therefore bounded, and removes every character
that could control a terminal. This module also writes the lines of traces for external checkers.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from engine.actions import Action, Place
from engine.cards import (
    CARDS,
    FAMILIES,
    HAND,
    LEAVES,
    MAXIMUM_PLAYERS,
    MINIMUM_PLAYERS,
    UNKNOWN,
    Card,
    in_order,
)
from engine.edition import EDITIONS
from engine.events import Event, GameEnded, Placed
from engine.game import Deal, Game
from engine.leaf_game import OPENING, Known, LeafGame, named_event, named_game
from engine.legal import IllegalAction
from engine.notation import NotationError, format_position, parse_action
from engine.ranking import ranking
from engine.texts import ExplainedError

FORMAT: Final = "driflamme-record"
"""The value of a record's field `format`."""
RULES_VERSION: Final = 1
"""The version of the rules. It rises when a change of the rules makes the same actions lead to
another position.
"""

MAXIMUM_LENGTH: Final = 400_000
"""Maximum characters of a sealed game's record with its proof."""
UNSEALED_LENGTH: Final = 100_000
"""Maximum characters of a record without a proof.

The record of the longest game of five players has a tenth of this length.
"""

MAXIMUM_TOKEN: Final = 8
"""Maximum characters of an action in a record. The longest token, `30>30`, has five."""

NAME_LENGTH: Final = 20
"""Maximum characters of a player's name, in records and at tables."""

SETTINGS: Final = 40
"""Maximum number of settings in a record. A table has about ten."""

SETTING_LENGTH: Final = 100
"""Maximum characters of a setting's name, and of its value."""

MAX_HOLDERS: Final = 20
"""Maximum number of holders of a seat in a record. If there were more, the record omits the oldest
ones after the first.
"""

LATEST: Final = 253_402_300_799
"""The last second of the year 9999, in Unix seconds: the end of Python's calendar."""

INSTEAD: Final = "\ufffd"
"""Unicode's replacement character, for a character of a name that cannot be shown."""

_SEAL: Final = "[A-Za-z0-9+/]+={0,2}"
_BOT: Final = "[a-z0-9-]{1,20}"

Setting = str | int | bool | None


class RecordError(ExplainedError):
    """Raised if a record cannot be read, or breaks the rules.

    The error's sentence has the reason.
    """


class Holder(NamedTuple):
    """A player who had a seat for a part of a game.

    The player took the seat after `step` decisions and `after_s` seconds of the game.
    """

    name: str
    bot: str | None = None
    """The bot's level; None for a person."""
    step: int = 0
    after_s: int = 0


class RecordedPlayer(NamedTuple):
    """The last holder of a family's seat, with all former holders.

    The last holder took the seat after `step` decisions and `after_s` seconds of the game.
    """

    family: str
    name: str
    bot: str | None = None
    """The bot's level; None for a person."""
    step: int = 0
    after_s: int = 0
    former: tuple[Holder, ...] = ()
    """Former holders of the seat, oldest first."""

    @property
    def holders(self) -> tuple[Holder, ...]:
        """All holders of the seat, oldest first."""
        return (*self.former, Holder(self.name, self.bot, self.step, self.after_s))

    def holder_at(self, step: int) -> Holder:
        """Return the holder of the seat after `step` decisions of the game.

        >>> berthe = RecordedPlayer("r", "Berthe", "steady", 7, 90, (Holder("Ada"),))
        >>> berthe.holder_at(6).name, berthe.holder_at(7).name
        ('Ada', 'Berthe')
        """
        return next(each for each in reversed(self.holders) if each.step <= step)

    def taken_by(self, holder: Holder) -> "RecordedPlayer":
        """Return this seat with a new holder.

        Beyond `MAX_HOLDERS` holders, the oldest ones after the first are dropped.
        """
        first, *later = self.holders
        former = first, *later[max(0, len(later) + 2 - MAX_HOLDERS) :]
        return RecordedPlayer(self.family, *holder, former)


class Record(NamedTuple):
    """A running or finished game.

    >>> from random import Random
    >>> deal = Deal.shuffled(Random(1), "rbg")
    >>> Record.from_json(Record(deal, ("S>", "L>")).to_json()).actions
    ('S>', 'L>')
    """

    deal: Deal
    actions: tuple[str, ...] = ()
    """The decisions, one token each."""
    settings: Mapping[str, Setting] = MappingProxyType({})
    """The settings of the table. The rules ignore them."""
    players: tuple[RecordedPlayer, ...] = ()
    """The players in seat order; empty if they are unknown."""
    began: int | None = None
    """The time of the deal, in Unix seconds; None if it is unknown."""
    ended: int | None = None
    """The time of the end, in Unix seconds; None if it is unknown or the game is unfinished."""
    seal: str | None = None
    """The proof of a sealed game in base64, which the engine only stores; None for other games."""
    late: Mapping[str, Mapping[Card, Card]] = MappingProxyType({})
    """For each family of a sealed game: the cards that were opened only after their elimination, by
    leaf.
    """

    @property
    def has_proof(self) -> bool:
        """True if the record has a proof of its game."""
        return self.seal is not None

    @property
    def known(self) -> Known:
        """For each seat of a sealed game, the card of each leaf: from `late`, or `UNKNOWN`."""
        return {
            seat: "".join(self.late.get(family, {}).get(leaf, UNKNOWN) for leaf in LEAVES)
            for seat, family in enumerate(self.deal.families)
        }

    def shown(self, game: Game) -> Game:
        """Return a game of this record with the known cards in place of leaves.

        A game without leaves is returned unchanged.
        """
        return named_game(game, self.known) if isinstance(game, LeafGame) else game

    def start(self) -> Game:
        """Return the game before its first decision: a LeafGame if the record has a proof."""
        return Game.start(self.deal) if self.seal is None else LeafGame.start(self.deal)

    def to_json(self) -> str:
        """Return the record as one line of JSON. Fields whose value is unknown are left out."""
        players = [_player_fields(each) for each in self.players]
        known = {"players": players or None, "began": self.began, "ended": self.ended}
        return _compact(
            {
                "format": FORMAT,
                "rules": RULES_VERSION,
                "deal": deal_fields(self.deal),
                "settings": dict(self.settings),
                **{name: value for name, value in known.items() if value is not None},
                "actions": list(self.actions),
                **({} if self.seal is None else {"late": {**self.late}, "seal": self.seal}),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> "Record":
        """Parse the JSON of `to_json`; raises RecordError if it is invalid.

        Only the rules version of this program is accepted. The actions are not checked against the
        rules: `replay` does that.
        """
        fields = _read_fields(text)
        seal = _read_seal(fields.get("seal"))
        if seal is None and "late" in fields:
            raise RecordError("The record of a sealed game has no seal: export the game again.")
        deal = _read_deal(fields.get("deal"), CARDS if seal is None else CARDS + LEAVES)
        return cls(
            deal,
            _read_actions(fields.get("actions")),
            _read_settings(fields.get("settings")),
            _read_players(fields.get("players"), deal.families),
            _read_time(fields.get("began")),
            _read_time(fields.get("ended")),
            seal,
            {} if seal is None else _read_late(fields.get("late"), deal),
        )


class Step(NamedTuple):
    """One decision of a replayed game."""

    number: int
    """The number of this decision, from 1."""
    before: Game
    action: Action
    after: Game
    events: tuple[Event, ...]


def replay(record: Record) -> Iterator[Step]:
    """Yield every decision of a record; raises RecordError at a decision that breaks the rules.

    Decisions of a sealed game show the cards that are known at the end of the record.

    >>> from random import Random
    >>> deal = Deal.shuffled(Random(1), "rbg")
    >>> for step in replay(Record(deal, ("S>", "L>"))):
    ...     print(step.number, step.action, format_position(step.after))
    ...
    1 S> 2 1 b* rs *r1:PFLDMC:AHX:-,b1:ASHLXMC:PFD:-,g1:ASPHLXM:FDC:-
    2 L> 2 1 g* rs,bl *r1:PFLDMC:AHX:-,b1:ASHXMC:PFD:-,g1:ASPHLXM:FDC:-
    >>> list(replay(Record(deal, ("A>",))))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    engine.record.RecordError: Step 1 of the record, 'A>', breaks the rules: Your hand has no ...
    """
    game = record.start()
    before = record.shown(game)
    for number, token in enumerate(record.actions, 1):
        events: list[Event] = []
        try:
            action = parse_action(token)
            game = game.play(action, events)
            while isinstance(game, LeafGame) and game.question == OPENING:
                game = game.open(None, events)
        except (NotationError, IllegalAction) as error:
            raise RecordError(
                "Step {step} of the record, {token!r}, breaks the rules: {why} Export the game "
                "again.",
                step=number,
                token=token,
                why=str(error),
            ) from error
        after = record.shown(game)
        if record.seal is not None:
            events = [named_event(event, record.known) for event in events]
            if isinstance(action, Place) and isinstance(events[0], Placed):
                action = Place(events[0].card, action.spot, action.position)
            if after.over:
                events[-1] = GameEnded(ranking(after)[0])
        yield Step(number, before, action, after, tuple(events))
        before = after


def deal_fields(deal: Deal) -> dict[str, Any]:
    """Return a deal as plain data, with letters for families."""
    return {
        "edition": deal.edition.number,
        "families": deal.families,
        "first": deal.families[deal.first],
        "hands": dict(zip(deal.families, deal.hands, strict=True)),
        "aside": dict(zip(deal.families, deal.aside, strict=True)),
    }


def trace_deal(number: int, deal: Deal) -> str:
    """Return the first line of a game in a trace; `number` counts games from 0."""
    return _compact({"type": "deal", "game": number, **deal_fields(deal)})


def trace_step(game: Game, action: Action) -> str:
    """Return the line of a trace about one decision; `game` is the position before it."""
    return _compact(
        {
            "type": "step",
            "position": format_position(game),
            "legal": [str(answer) for answer in game.legal],
            "action": str(action),
        }
    )


def trace_result(game: Game) -> str:
    """Return the last line of a game in a trace: the final position, scores and winners."""
    return _compact(
        {
            "type": "result",
            "position": format_position(game),
            "scores": dict(zip(game.families, game.pools, strict=True)),
            "winners": "".join(game.families[seat] for seat in ranking(game)[0]),
        }
    )


def _read_fields(text: str) -> dict[str, Any]:
    if len(text) > (MAXIMUM_LENGTH if '"seal":' in text else UNSEALED_LENGTH):
        raise RecordError(
            "This is not a record of a game, since it is too long: export one with "
            "driflamme replay --export."
        )
    # Import here: only texts of records need JSON.
    import json

    try:
        fields = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(
            "This is not a record of a game, since it is not JSON: export one with "
            "driflamme replay --export."
        ) from None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise RecordError(
            "This is not a record of a game: export one with driflamme replay --export."
        )
    rules = fields.get("rules")
    if type(rules) is not int or rules != RULES_VERSION:
        raise RecordError(
            "The record uses rules version {found}, and this program version {ours}: open it "
            "with the program that wrote it.",
            # Show the encoded text: JSON escapes control characters.
            found=_compact(rules)[:NAME_LENGTH],
            ours=RULES_VERSION,
        )
    return fields


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the dictionary of a JSON object; raises RecordError for a repeated name."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise RecordError(
            "This is not a record of a game, since a name occurs twice in one "
            "object: export the game again."
        )
    return fields


def _no_number(name: str) -> None:
    raise ValueError(name)


def _read_actions(actions: object) -> tuple[str, ...]:
    if not isinstance(actions, list) or not all(isinstance(each, str) for each in actions):
        raise RecordError("The record has no list of actions: export the game again.")
    for number, token in enumerate(actions, 1):
        if len(token) > MAXIMUM_TOKEN:
            raise RecordError(
                "Step {step} of the record is too long for an action: export the game again.",
                step=number,
            )
    return tuple(actions)


def _read_settings(settings: object) -> dict[str, Setting]:
    if (
        not isinstance(settings, dict)
        or len(settings) > SETTINGS
        or not all(
            len(name) <= SETTING_LENGTH
            and (
                value is None
                or (isinstance(value, str) and len(value) <= SETTING_LENGTH)
                or (isinstance(value, int) and abs(value) <= LATEST)
            )
            for name, value in settings.items()
        )
    ):
        raise RecordError("The record has no table settings: export the game again.")
    return settings


def _read_players(players: object, families: str) -> tuple[RecordedPlayer, ...]:
    if players is None:
        return ()
    if not isinstance(players, list) or [
        isinstance(each, dict) and each.get("family") for each in players
    ] != list(families):
        raise RecordError(
            "The players of the record are not those of its deal: export the game again."
        )
    return tuple(map(_read_player, players))


def _player_fields(player: RecordedPlayer) -> dict[str, Any]:
    """Return a player as plain data. Only a seat with former holders has their fields."""
    fields = {"family": player.family, "name": player.name, "bot": player.bot}
    if not player.former:
        return fields
    former = [each._asdict() for each in player.former]
    return {**fields, "step": player.step, "after_s": player.after_s, "former": former}


def _read_player(fields: dict[str, Any]) -> RecordedPlayer:
    """Parse a player with all holders; raises RecordError if a holder or their order is invalid.

    The first holder must have the seat from the deal on. The steps and times of later holders must
    not decrease.
    """
    refusal = RecordError(
        "The record has a seat whose holders are not valid: export the game again."
    )
    former = fields.get("former", [])
    if not (isinstance(former, list) and len(former) < MAX_HOLDERS):
        raise refusal
    if not all(isinstance(each, dict) for each in former):
        raise refusal
    holders = [*map(_read_holder, former), _read_holder(fields)]
    since = [(each.step, each.after_s) for each in holders]
    if since[0] != (0, 0) or any(
        later < earlier
        for before, after in pairwise(since)
        for earlier, later in zip(before, after, strict=True)
    ):
        raise refusal
    return RecordedPlayer(fields["family"], *holders[-1], tuple(holders[:-1]))


def _read_holder(fields: dict[str, Any]) -> Holder:
    name, bot = fields.get("name"), fields.get("bot")
    if not isinstance(name, str) or not name.strip() or len(name) > NAME_LENGTH:
        raise RecordError(
            "The record has a player whose name is missing, or longer than {most} characters: "
            "export the game again.",
            most=NAME_LENGTH,
        )
    if bot is not None and not (isinstance(bot, str) and re.fullmatch(_BOT, bot)):
        raise RecordError("The record has a bot whose name is not valid: export the game again.")
    step, after_s = fields.get("step", 0), fields.get("after_s", 0)
    if not all(type(each) is int and 0 <= each <= LATEST for each in (step, after_s)):
        raise RecordError(
            "The record has a seat whose holders are not valid: export the game again."
        )
    return Holder(showable(name), bot, step, after_s)


def showable(name: str) -> str:
    r"""Return a name with the replacement character instead of characters that cannot be shown.

    These are control characters, terminal escapes, and marks that stack on other characters.
    Characters that this Python's Unicode does not know are replaced too. They do not make a record
    invalid, since a newer program may have written them.

    >>> showable("Ada\x1b[2J")
    'Ada�[2J'
    """
    if name.isprintable() and (name.isascii() or not _has_mark(name)):
        return name
    # Replace each character by one character. A proof of the game has the signed name, and its
    # check compares both names position by position.
    return "".join(sign if sign.isprintable() and not _has_mark(sign) else INSTEAD for sign in name)


def _has_mark(text: str) -> bool:
    """Return True if a combining mark remains after NFC composition."""
    composed = unicodedata.normalize("NFC", text)
    return any(unicodedata.category(sign).startswith("M") for sign in composed)


def _read_time(seconds: object) -> int | None:
    if seconds is not None and not (type(seconds) is int and 0 <= seconds <= LATEST):
        raise RecordError("The record has a time that is not valid: export the game again.")
    return seconds


def _read_seal(seal: object) -> str | None:
    if seal is not None and not (isinstance(seal, str) and re.fullmatch(_SEAL, seal)):
        raise RecordError("The record has a seal that is not valid: export the game again.")
    return seal


def _read_late(late: object, deal: Deal) -> dict[str, dict[Card, Card]]:
    """Parse the cards of leaves that were opened late.

    Raises RecordError unless the deal has each leaf, and lacks each card.
    """
    refusal = RecordError(
        "The cards shown late in the record are not the ones missing from its deal: export the "
        "game again."
    )
    if not isinstance(late, dict):
        raise refusal
    for family, opened in late.items():
        if family not in [*deal.families] or not isinstance(opened, dict):
            raise refusal
        seat = deal.families.index(family)
        dealt = [*deal.hands[seat], *deal.aside[seat]]
        lacking = [card for card in CARDS if card not in dealt]
        if not (
            all(leaf in dealt and leaf in LEAVES for leaf in opened)
            and all(card in lacking for card in opened.values())
            and len(set(opened.values())) == len(opened)
        ):
            raise refusal
    return late


def _read_deal(fields: object, cards: str) -> Deal:
    refusal = RecordError("The deal of the record is not valid: export the game again.")
    if not isinstance(fields, dict):
        raise refusal
    edition, families, first = (fields.get(name) for name in ("edition", "families", "first"))
    hands, aside = fields.get("hands"), fields.get("aside")
    if not (
        type(edition) is int
        and edition in EDITIONS
        and isinstance(families, str)
        and MINIMUM_PLAYERS <= len(families) <= MAXIMUM_PLAYERS
        and len(set(families) & set(FAMILIES)) == len(families)
        and isinstance(first, str)
        and len(first) == 1
        and first in families
        and isinstance(hands, dict)
        and isinstance(aside, dict)
        and set(hands) == set(aside) == set(families)
    ):
        raise refusal
    for family in families:
        hand, rest = hands.get(family), aside.get(family)
        if not (
            isinstance(hand, str)
            and isinstance(rest, str)
            and len(hand) == HAND
            and len(hand + rest) == len({*hand, *rest}) == len(CARDS)
            and {*hand, *rest} <= {*cards}
            and in_order(hand) == hand
            and in_order(rest) == rest
        ):
            raise refusal
    return Deal(
        edition=EDITIONS[edition],
        families=families,
        first=families.index(first),
        hands=tuple(hands[family] for family in families),
        aside=tuple(aside[family] for family in families),
    )


def _compact(fields: object) -> str:
    import json

    return json.dumps(fields, separators=(",", ":"))
