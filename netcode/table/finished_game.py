"""Defines games that ended or will not continue: their results, and their identity."""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import starmap
from typing import Annotated, Final, Literal, NamedTuple, ParamSpec, TypeAlias, TypeVar

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
from netcode.isolation import log_failure
from netcode.protocol.evening import BestOf
from netcode.protocol.refusal_sentences import SENTENCES
from netcode.registry import wing_values

Outcome: TypeAlias = Literal["finished", "abandoned", "cheated"]
"""The outcome of a game.

A `cheated` game ended because a program signed two contradicting statements.
"""

OUTCOMES: Final[tuple[Outcome, ...]] = ("finished", "abandoned", "cheated")

Exit: TypeAlias = Literal["left", "removed"]
"""The way in which a player left a game that others continued: by choice, or sent away."""

EXITS: Final[tuple[Exit, ...]] = ("left", "removed")

PastOutcome: TypeAlias = Outcome | Exit
"""The outcome that lists show: that of the game, or the way in which this user left it early."""

PAST_OUTCOMES: Final[tuple[PastOutcome, ...]] = (*OUTCOMES, *EXITS)

Origin: TypeAlias = Literal["own", "joined", "imported"]
"""The origin of a game: this user's table, another person's table, or a file."""

ORIGINS: Final[tuple[Origin, ...]] = ("own", "joined", "imported")
"""The origins by weight: of two origins, a game gets the one that comes first here."""

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")

_Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Time = Annotated[int, Meta(ge=0, le=LATEST)]


class PastHolder(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One holder of a seat: a person or a bot, former or last."""

    name: str
    bot: str | None
    """The bot's level; None for a person."""
    step: _Count
    """Number of answers in the game before the holder took the seat."""
    after_s: _Time
    """Seconds from the beginning of the game until the holder took the seat."""


class PastPlayer(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The last holder of a seat, and the seat's result."""

    family: Annotated[str, Meta(pattern=rf"^[{FAMILIES}]\Z")]
    """The letter of the family."""
    name: str
    """The player's name; "" if unknown."""
    bot: str | None
    score: _Count
    """Influence in the pool at the end."""
    place: Annotated[int, Meta(ge=1, le=MAXIMUM_PLAYERS)] | None
    """The place, from 1; None in an unfinished game. Players may share a place. The two families of
    a player at a table for two always do.
    """
    step: _Count = 0
    after_s: _Time = 0
    former: Annotated[tuple[PastHolder, ...], Meta(max_length=MAX_HOLDERS - 1)] = ()
    """Former holders of the seat, oldest first."""

    @property
    def holders(self) -> tuple[PastHolder, ...]:
        """All holders of the seat, oldest first."""
        return (*self.former, PastHolder(self.name, self.bot, self.step, self.after_s))

    def shown(self) -> "PastPlayer":
        """Return the player with names that terminals can show."""
        former = tuple(
            replace(each, name=showable(each.name), bot=each.bot and showable(each.bot))
            for each in self.former
        )
        name, bot = showable(self.name), self.bot and showable(self.bot)
        return replace(self, name=name, bot=bot, former=former)


class PastGame(Struct, frozen=True):
    """The list entry of a game, which is also stored in its row."""

    began: _Time | None
    """Unix time of the beginning; None if unknown."""
    ended: _Time | None
    """Unix time of the end; None if unknown."""
    outcome: PastOutcome
    edition: Annotated[int, Meta(ge=1, le=2)]
    players: tuple[PastPlayer, ...]
    """The players in seat order."""
    own: tuple[Seat, ...]
    """The seats of this user: none for a spectator, two at a table for two."""
    decisions: _Count
    rounds: Annotated[int, Meta(ge=1, le=ROUNDS)]
    """Number of rounds that were begun."""
    origin: Origin
    two: bool = False
    """True for a table for two."""
    best_of: BestOf = 0
    """Number of games that decide the evening; 0 for no limit."""
    id: _Count = 0
    """The game's id in this history; 0 before it is stored."""

    @property
    def has_record(self) -> bool:
        """True if the history has all cards; False if the game continued without its user."""
        return self.outcome not in EXITS


class Ending(Struct, frozen=True):
    """The result of a game at its end or interruption."""

    outcome: Outcome
    scores: tuple[int, ...]
    """The score of each seat, in seat order."""
    places: tuple[int, ...] | None
    """The place of each seat, in seat order; None in an unfinished game."""
    rounds: int


class EndedGame(Struct, frozen=True):
    """A game that ended or will not continue, with the data for the history."""

    record: Record
    ending: Ending
    own: tuple[Seat, ...]
    """The seats of this machine's user."""
    at: int | None = None
    """The Unix time of the end by the table's clock; None if this program did not see the end."""


def ending_of(
    position: Position, settings: Mapping[str, object], *, is_forked: bool = False
) -> Ending:
    """Return the result of a game that ends in this position.

    `is_forked` is True if a sealed game ends because a program signed two contradicting statements.
    """
    scores = tuple(position.pools)
    if not position.over:
        return Ending("cheated" if is_forked else "abandoned", scores, None, position.round)
    found = places(position, owners_of(settings, position.players))
    return Ending("finished", scores, found, position.round)


def ending(record: Record, outcome: Outcome | None = None) -> Ending:
    """Return the result of a game. `outcome` is the outcome that the record claims, if any.

    Raises RecordError if the game breaks the rules or does not have the claimed outcome. It also
    raises RecordError if a player took a seat after more decisions than the game has.
    """
    last = record.start()
    for step in replay(record):
        last = step.after
    is_forked = False
    if record.has_proof and not last.over:
        is_forked = proven_records().is_forked(record)
    found = ending_of(last, record.settings, is_forked=is_forked)
    if any(player.step > len(record.actions) for player in record.players):
        raise RecordError(
            "The record has a seat whose holders are not valid: export the game again."
        )
    if outcome == "finished" != found.outcome:
        raise RecordError("The record ends before its game does: export the game again.")
    if outcome is not None and outcome != found.outcome == "finished":
        raise RecordError(
            "The record calls its game unfinished, but it was played to its end: "
            "export the game again."
        )
    return found


def past_players(record: Record, ending: Ending) -> tuple[PastPlayer, ...]:
    """Return the players of a game by seat. The names are empty if the record has none."""
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
    """The seam `records`: functions of a wing for records with a proof of their game."""

    identity: Callable[[Record], bytes]
    """Returns the identity of the game; raises RecordError if the proof cannot be read."""
    is_forked: Callable[[Record], bool]
    """Returns True if a program ended the game by signing two contradicting statements. Raises
    RecordError if the proof cannot be read.
    """
    merge: Callable[[Record, Record], Record]
    """Returns one record with the knowledge of two records of the same game. Raises RecordError if
    a proof is invalid.
    """
    verify: Callable[[str], None]
    """Checks a record, given as a line of JSON, against its proof. Raises RecordError if the record
    has no valid proof, or contradicts the proof.
    """


def proven_records() -> ProvenRecords:
    """Return the functions for records with a proof; raises RecordError if no wing has them."""
    found: tuple[ProvenRecords, ...] = wing_values("netcode", "records", ProvenRecords)
    if not found:
        raise RecordError(SENTENCES["part_missing"])
    of_wing = found[0]
    return ProvenRecords(
        _isolated(of_wing.identity),
        _isolated(of_wing.is_forked),
        _isolated(of_wing.merge),
        _isolated(of_wing.verify),
    )


def _isolated(call: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Return a wing's function that raises RecordError after an unexpected error."""

    def isolated(*given: _Given.args, **named: _Given.kwargs) -> _Result:
        try:
            return call(*given, **named)
        except RecordError:
            raise
        except Exception as error:
            log_failure(error, call)
            raise RecordError(SENTENCES["part_missing"]) from None

    return isolated


class LeftGame(Struct, frozen=True):
    """The part of a game that a player saw before leaving it or being sent away."""

    past: PastGame
    view: str
    """The player's last view, in the notation."""
    aside: tuple[str, ...]
    """The cards that were set aside from the player's hands."""
    events: tuple[Event, ...]
    """The events of the game until the player left, as the player may know them."""

    @property
    def identities(self) -> list[bytes]:
        """The identities of the game up to each event. The last one identifies this whole part."""
        families = "".join(each.family for each in self.past.players)
        return part_identities(families, self.past.own, self.aside, self.events)

    def to_json(self) -> str:
        """Return the JSON to store. It has no game record, since some cards are unknown."""
        events = [(type(event).__name__, *event) for event in self.events]
        fields = {"format": "driflamme-left-game", "view": self.view, "events": events}
        return json.dumps(fields, separators=(",", ":"))


def part_identities(
    families: str, own: Sequence[Seat], aside: Sequence[str], events: Sequence[Event]
) -> list[bytes]:
    """Return the identity of a game up to each event, as the player of the seats `own` saw it."""
    hashed = sha256(json.dumps(["left", families, own, aside]).encode())
    found = []
    for event in events:
        hashed.update(json.dumps([type(event).__name__, *event]).encode())
        found.append(hashed.digest())
    return found


def parts_of(record: Record, own: Sequence[Seat]) -> list[bytes]:
    """Return the identity of a recorded game up to each event, as the player of `own` saw it.

    Raises RecordError if the game breaks the rules.
    """
    deal = record.deal
    events: list[Event] = [RoundBegan(1, deal.first)]
    for step in replay(record):
        events += step.events
    aside = [deal.aside[seat] for seat in own]
    seen = [project(event, tuple(own)) for event in events]
    return part_identities(deal.families, own, aside, seen)


def identity(record: Record) -> bytes:
    """Return the identity of a game: a hash of the deal and the actions.

    The identity of a record with a proof comes from the proof, since cards and steps may be added
    to the record. Raises RecordError if the proof is invalid.
    """
    if record.has_proof:
        return proven_records().identity(record)
    game = {
        "rules": RULES_VERSION,
        "deal": deal_fields(record.deal),
        "actions": list(record.actions),
    }
    return sha256(json.dumps(game, sort_keys=True, separators=(",", ":")).encode()).digest()
