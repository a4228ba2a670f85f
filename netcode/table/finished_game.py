"""A game that is over or will not go on: what is told of it, and what makes it the same game."""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import starmap
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.cards import FAMILIES, MAXIMUM_PLAYERS, ROUNDS, Seat
from engine.events import Event, RoundBegan
from engine.position import Position
from engine.ranking import owners_of, places
from engine.record import (
    LATEST,
    MAX_HOLDERS,
    RULES_VERSION,
    Record,
    RecordedPlayer,
    RecordError,
    deal_fields,
    replay,
    showable,
)
from engine.views import project
from netcode.protocol.evening import BestOf
from netcode.protocol.refusal_sentences import SENTENCES
from netcode.registry import brought

Outcome: TypeAlias = Literal["finished", "abandoned", "cheated"]
"""What became of a game: `cheated` is one that a program has ended by signing two things."""

OUTCOMES: Final[tuple[Outcome, ...]] = ("finished", "abandoned", "cheated")

Exit: TypeAlias = Literal["left", "removed"]
"""How a player went from a game that others went on with: by themselves, or sent away."""

EXITS: Final[tuple[Exit, ...]] = ("left", "removed")

PastOutcome: TypeAlias = Outcome | Exit
"""What a list tells of a game: how it ended, or how this user went from it before that."""

PAST_OUTCOMES: Final[tuple[PastOutcome, ...]] = (*OUTCOMES, *EXITS)

Origin: TypeAlias = Literal["own", "joined", "imported"]
"""How a game came to be known: from a table of this user's, from another's, or from a file."""

ORIGINS: Final[tuple[Origin, ...]] = ("own", "joined", "imported")
"""What says most first, for a game that comes twice."""

_Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Time = Annotated[int, Meta(ge=0, le=LATEST)]


class PastHolder(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A player who held a seat until somebody else took it."""

    name: str
    bot: str | None
    """The bot's level; None for a person."""
    step: _Count
    """The number of decisions before the player took the seat."""
    after_s: _Time
    """Seconds from the deal until the player took the seat."""


class PastPlayer(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The player who held a seat last, and what came of it."""

    family: Annotated[str, Meta(pattern=rf"^[{FAMILIES}]\Z")]
    """Its letter."""
    name: str
    """Empty if it is not known."""
    bot: str | None
    """The bot's level; None for a person."""
    score: _Count
    """Influence in the pool when the game came to its end."""
    place: Annotated[int, Meta(ge=1, le=MAXIMUM_PLAYERS)] | None
    """From 1; those who share one have the same, and so have the families of one player at a table
    for two. None in a game that was not finished."""
    step: _Count = 0
    """The number of decisions before the player took the seat."""
    after_s: _Time = 0
    """Seconds from the deal until the player took the seat."""
    former: Annotated[tuple[PastHolder, ...], Meta(max_length=MAX_HOLDERS - 1)] = ()
    """Earlier holders of the seat, the first of them first."""

    @property
    def holders(self) -> tuple[PastHolder, ...]:
        """All holders of the seat, the first of them first."""
        return (*self.former, PastHolder(self.name, self.bot, self.step, self.after_s))

    def shown(self) -> "PastPlayer":
        """Return the player with names that a terminal can show."""
        former = tuple(
            replace(each, name=showable(each.name), bot=each.bot and showable(each.bot))
            for each in self.former
        )
        name, bot = showable(self.name), self.bot and showable(self.bot)
        return replace(self, name=name, bot=bot, former=former)


class PastGame(Struct, frozen=True):
    """What a list tells of a game, and what its row must be like."""

    began: _Time | None
    """Unix seconds, or None if that is not known; so is the next one."""
    ended: _Time | None
    outcome: PastOutcome
    edition: Annotated[int, Meta(ge=1, le=2)]
    players: tuple[PastPlayer, ...]
    """In seat order."""
    own: tuple[Seat, ...]
    """The seats of this user: none if they only watched, two in the variant for two."""
    decisions: _Count
    rounds: Annotated[int, Meta(ge=1, le=ROUNDS)]
    """How many began."""
    origin: Origin
    two: bool = False
    """Whether two players had two of the four families each, and won by their sum."""
    best_of: BestOf = 0
    """How many games were to decide the evening; 0 for as many as one liked."""
    id: _Count = 0
    """What it is called in this history; 0 before it is in one."""


class Ending(Struct, frozen=True):
    """How a game stood when it came to its end."""

    outcome: Outcome
    scores: tuple[int, ...]
    """By seat, as are the places."""
    places: tuple[int, ...] | None
    """None in a game that was not finished."""
    rounds: int


class EndedGame(Struct, frozen=True):
    """A game that has come to its end, or with which nobody will go on."""

    record: Record
    """With every action."""
    ending: Ending
    own: tuple[Seat, ...]
    """The seats of the user whose machine this is."""
    at: int | None = None
    """When, in Unix seconds, by the clock of the table; None if nobody saw it."""


def ending_of(
    position: Position, settings: Mapping[str, object], *, is_forked: bool = False
) -> Ending:
    """Return how a game of such settings ends that ends in this position, or by a fork there."""
    scores = tuple(position.pools)
    if not position.over:
        return Ending("cheated" if is_forked else "abandoned", scores, None, position.round)
    found = places(position, owners_of(settings, position.players))
    return Ending("finished", scores, found, position.round)


def ending(record: Record, outcome: Outcome | None = None) -> Ending:
    """Return how a game ended; raises RecordError if it breaks the rules or ended otherwise."""
    last = record.start()
    for step in replay(record):
        last = step.after
    is_forked = False
    if record.has_proof and not last.over:
        is_forked = proven_records().is_forked(record)
    found = ending_of(last, record.settings, is_forked=is_forked)
    if any(player.step > len(record.actions) for player in record.players):
        raise RecordError("The record has a seat whose holders are not valid.")
    if outcome == "finished" != found.outcome:
        raise RecordError("The record ends before its game does.")
    if outcome is not None and outcome != found.outcome == "finished":
        raise RecordError("The game of the record came to its end, so it was not abandoned.")
    return found


def past_players(record: Record, ending: Ending) -> tuple[PastPlayer, ...]:
    """Return the players of a game by seat, without names if the record has none."""
    places: Sequence[int | None] = ending.places or (None,) * len(record.deal.families)
    nameless = [RecordedPlayer(family, "") for family in record.deal.families]
    return tuple(
        PastPlayer(
            family=player.family,
            name=player.name,
            bot=player.bot,
            score=ending.scores[seat],
            place=places[seat],
            step=player.step,
            after_s=player.after_s,
            former=tuple(starmap(PastHolder, player.former)),
        ).shown()
        for seat, player in enumerate(record.players or nameless)
    )


class ProvenRecords(NamedTuple):
    """The seam `records`: what a wing knows of records that carry a proof of their game."""

    identity: Callable[[Record], bytes]
    """Returns what identifies the game; raises RecordError."""
    is_forked: Callable[[Record], bool]
    """Returns whether a program ended the game by signing two things; raises RecordError."""
    merge: Callable[[Record, Record], Record]
    """Returns one record of two records of the same game; raises RecordError."""
    verify: Callable[[str], None]
    """Checks a record, as a line of JSON, against its proof; raises RecordError."""


def proven_records() -> ProvenRecords:
    """Return the functions for records that carry a proof; raises RecordError without them."""
    found: tuple[ProvenRecords, ...] = brought("netcode", "records", ProvenRecords)
    if not found:
        raise RecordError(SENTENCES["part_missing"])
    return found[0]


class LeftGame(Struct, frozen=True):
    """A game of which a player saw only a part: they left it, or were sent away."""

    past: PastGame
    view: str
    """The last view of the player, in the notation."""
    aside: tuple[str, ...]
    """The cards that were set aside from the player's hands."""
    events: tuple[Event, ...]
    """All events of the game until then, as the player may know them."""

    @property
    def identities(self) -> list[bytes]:
        """The values that identify each part of the game, the last of them this one."""
        families = "".join(each.family for each in self.past.players)
        return part_identities(families, self.past.own, self.aside, self.events)

    def to_json(self) -> str:
        """Return what is stored of it: it is no record, as not all cards are known."""
        events = [(type(event).__name__, *event) for event in self.events]
        fields = {"format": "driflamme-left-game", "view": self.view, "events": events}
        return json.dumps(fields, separators=(",", ":"))


def part_identities(
    families: str, own: Sequence[Seat], aside: Sequence[str], events: Sequence[Event]
) -> list[bytes]:
    """Return what identifies a game up to each event, as the player of some seats saw it."""
    hashed = sha256(json.dumps(["left", families, own, aside]).encode())
    found = []
    for event in events:
        hashed.update(json.dumps([type(event).__name__, *event]).encode())
        found.append(hashed.digest())
    return found


def parts_of(record: Record, own: Sequence[Seat]) -> list[bytes]:
    """Return what identifies each part of a game, as the player of some seats saw it."""
    deal = record.deal
    events: list[Event] = [RoundBegan(1, deal.first)]
    for step in replay(record):
        events += step.events
    aside = [deal.aside[seat] for seat in own]
    seen = [project(event, tuple(own)) for event in events]
    return part_identities(deal.families, own, aside, seen)


def identity(record: Record) -> bytes:
    """Return what a game is known by wherever it is written: a hash of deal and actions.

    A record that carries a proof has its identity there, since cards and steps can be added to it.
    Raises RecordError if there is none.
    """
    if record.has_proof:
        return proven_records().identity(record)
    game = {
        "rules": RULES_VERSION,
        "deal": deal_fields(record.deal),
        "actions": list(record.actions),
    }
    return sha256(json.dumps(game, sort_keys=True, separators=(",", ":")).encode()).digest()
