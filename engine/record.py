"""A whole game as data: a deal, the actions played since, and the settings of its table.

`replay` rebuilds every position of a record and refuses one that breaks the rules. The lines
of a trace, which outside checkers read, are made here too.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.actions import Action
from engine.cards import CARDS, FAMILIES, HAND, MAXIMUM_PLAYERS, MINIMUM_PLAYERS, in_order
from engine.edition import EDITIONS
from engine.events import Event
from engine.game import Deal, Game
from engine.legal import IllegalAction
from engine.notation import NotationError, format_position, parse_action
from engine.position import ranking
from engine.words import N_, ExplainedError

FORMAT: Final = "driflamme-record"
RULES_VERSION: Final = 1
"""Goes up whenever the same actions would lead to another position."""

Setting = str | int | bool | None


class RecordError(ExplainedError):
    """A record that cannot be read or that breaks the rules; the sentence names the step."""


@dataclass(frozen=True, slots=True)
class Record:
    """A running or finished game."""

    deal: Deal
    actions: tuple[str, ...] = ()
    """Tokens, one for each decision."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """Of the table; the rules do not depend on them."""

    def to_json(self) -> str:
        """Return the record as one line of JSON."""
        return _compact(
            {
                "format": FORMAT,
                "rules": RULES_VERSION,
                "deal": deal_fields(self.deal),
                "settings": dict(self.settings),
                "actions": list(self.actions),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> "Record":
        """Read what `to_json` wrote; raises RecordError."""
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError):
            raise RecordError(N_("This is no record of a game: it is not JSON.")) from None
        if not isinstance(fields, dict) or fields.get("format") != FORMAT:
            raise RecordError(N_("This is no record of a game."))
        rules = fields.get("rules")
        if type(rules) is not int or rules != RULES_VERSION:
            raise RecordError(
                N_("The record was made under rules version {found}; this is version {ours}."),
                found=str(rules),
                ours=RULES_VERSION,
            )
        actions, settings = fields.get("actions"), fields.get("settings")
        if not isinstance(actions, list) or not all(isinstance(each, str) for each in actions):
            raise RecordError(N_("The record has no list of actions."))
        if not isinstance(settings, dict) or not all(
            value is None or isinstance(value, str | int) for value in settings.values()
        ):
            raise RecordError(N_("The record has no table settings."))
        return cls(_read_deal(fields.get("deal")), tuple(actions), settings)


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of a replayed game."""

    number: int
    """From 1."""
    before: Game
    action: Action
    after: Game
    events: tuple[Event, ...]


def replay(record: Record) -> Iterator[Step]:
    """Yield every decision of a record; raises RecordError at the one that breaks the rules."""
    game = Game.start(record.deal)
    for number, token in enumerate(record.actions, 1):
        events: list[Event] = []
        try:
            action = parse_action(token)
            following = game.play(action, events)
        except (NotationError, IllegalAction) as error:
            raise RecordError(
                N_("Step {step} of the record, {token!r}, breaks the rules: {why}"),
                step=number,
                token=token,
                why=str(error),
            ) from error
        yield Step(number, game, action, following, tuple(events))
        game = following


def deal_fields(deal: Deal) -> dict[str, Any]:
    """Return a deal as plain data, families by letter."""
    return {
        "edition": deal.edition.number,
        "families": deal.families,
        "first": deal.families[deal.first],
        "hands": dict(zip(deal.families, deal.hands, strict=True)),
        "aside": dict(zip(deal.families, deal.aside, strict=True)),
    }


def trace_deal(number: int, deal: Deal) -> str:
    """Return the line of a trace that begins a game; `number` counts games from 0."""
    return _compact({"type": "deal", "game": number, **deal_fields(deal)})


def trace_step(game: Game, action: Action) -> str:
    """Return the line of a trace for one decision."""
    return _compact(
        {
            "type": "step",
            "position": format_position(game),
            "legal": [str(answer) for answer in game.legal],
            "action": str(action),
        }
    )


def trace_result(game: Game) -> str:
    """Return the line of a trace that ends a game."""
    return _compact(
        {
            "type": "result",
            "position": format_position(game),
            "scores": dict(zip(game.families, game.pools, strict=True)),
            "winners": "".join(game.families[seat] for seat in ranking(game)[0]),
        }
    )


def _read_deal(fields: object) -> Deal:
    refusal = RecordError(N_("The deal of the record is not one."))
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
            and sorted(hand + rest) == sorted(CARDS)
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


def _compact(fields: dict[str, Any]) -> str:
    return json.dumps(fields, separators=(",", ":"))
