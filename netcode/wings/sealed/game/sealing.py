"""Defines the sealing of a game: its players and keys. Everybody checks it before the deal."""

from collections.abc import Set
from functools import cached_property
from typing import Final

from msgspec import ValidationError

from engine.cards import Seat
from engine.ranking import SEATS_OF_TWO, owners
from engine.record import showable
from netcode.protocol.fields import checked_struct
from netcode.protocol.messages import Lobby
from netcode.protocol.table_settings import TableSettings
from netcode.wings.sealed.game import encoding
from netcode.wings.sealed.game.encoding import (
    AnyBody,
    EntryBody,
    LoginBody,
    ProofBody,
    SealedError,
    SealingBody,
    digest,
    unpack,
)
from netcode.wings.sealed.game.parcels import Parcel, is_weak, signed_parcel
from netcode.wings.sealed.messages import MAX_BROKEN_DEALS

VERSION: Final = 1
"""The version of the specification by which games are sealed."""

RULES: Final = 1
"""The version of the rules by which a log is checked. It rises whenever a list of legal actions
changes.
"""

SETTINGS: Final = (
    "best_of",
    "clock_s",
    "direction",
    "edition",
    "first",
    "pace_ms",
    "sealed",
    "think_ms",
    "two",
)
"""The settings that a sealing of this version contains. A table may also have newer settings."""

QUORUM: Final = {3: 2, 4: 3, 5: 3}
"""Number of votes that make a step a default, by number of persons. The owner of the step has no
vote.
"""


class Sealing:
    """A valid sealing. The constructor raises SealedError for an invalid one."""

    def __init__(self, body: bytes) -> None:
        try:
            decoded = unpack(body)
        except SealedError:
            raise SealedError("bad_sealing") from None
        if not isinstance(decoded, SealingBody):
            raise SealedError("bad_sealing")
        if (decoded.version, decoded.rules) != (VERSION, RULES):
            raise SealedError("other_rules")
        if not _is_sound(decoded):
            raise SealedError("bad_sealing")
        if len(decoded.persons) < 2:
            raise SealedError("too_few_persons")
        self.keys: Final = tuple(person.key for person in decoded.persons)
        if len(set(self.keys)) < len(self.keys):
            raise SealedError("equal_keys")
        if any(map(is_weak, self.keys)):
            raise SealedError("weak_key")
        self.body: Final = body
        self.decoded: Final = decoded
        self.gid: Final = digest("game", body)
        """The hash that identifies the game in everything that is signed in it."""
        self.families: Final = "".join(seat.family for seat in decoded.seats)
        self.owners: Final = tuple(
            next(index for index, person in enumerate(decoded.persons) if seat in person.seats)
            for seat in range(len(decoded.seats))
        )
        """The owner of each seat, by index of the person."""
        self.player_seats: Final = tuple(
            next(seat for seat in person.seats if decoded.seats[seat].bot is None)
            for person in decoded.persons
        )
        """The first seat of each person that is not the seat of a bot."""
        self.names: Final = tuple(decoded.seats[seat].name for seat in self.player_seats)
        """The name of each person, as at their first seat without a bot."""
        self.shown: Final = tuple(map(showable, self.names))
        """The printable name of each person."""
        self.quorum: Final = QUORUM.get(len(self.keys))
        """Number of votes for a default; None for two persons, where a default is impossible."""
        self.seers: Final = 0 if self.quorum is None else len(self.keys) - self.quorum
        """Number of other persons who must have seen an entry before it is certain."""

    @cached_property
    def settings(self) -> TableSettings:
        """The settings of the table.

        Settings that the sealing does not contain have their defaults.
        """
        return checked_struct(dict(self.decoded.settings), TableSettings)

    def author(self, body: AnyBody) -> int | None:
        """Return the person who must sign a body; None if nobody signs it."""
        if isinstance(body, EntryBody):
            return None if body.what == "default" else self.owners[body.seat]
        return None if isinstance(body, SealingBody | ProofBody) else body.person

    def read(self, parcel: Parcel) -> AnyBody:
        """Decode a parcel of this game after checking its signature.

        Raises SealedError for an unreadable parcel, a parcel of another game, and a wrong
        signature. A sealing or a proof is refused too.
        """
        body = parcel.decoded
        if isinstance(body, SealingBody | ProofBody):
            raise SealedError("malformed")
        if body.gid != self.gid:
            raise SealedError("other_game")
        if isinstance(body, EntryBody):
            if body.seat >= len(self.owners):
                raise SealedError("bad_signature")
        elif body.person >= len(self.keys):
            raise SealedError("no_such_person")
        author = self.author(body)
        if parcel.signature if author is None else not parcel.is_signed_by(self.keys[author]):
            raise SealedError("bad_signature")
        return body


def _is_sound(body: SealingBody) -> bool:
    """Return True if the settings, seats and persons are possible for a sealing."""
    names = tuple(name for name, _ in body.settings)
    try:
        settings = checked_struct(dict(body.settings), TableSettings)
    except ValidationError:
        return False
    owned = [seat for person in body.persons for seat in person.seats]
    return (
        names == SETTINGS
        and settings.sealed
        and len({seat.family for seat in body.seats}) == len(body.seats)
        and (body.first is None or body.first < len(body.seats))
        and sorted(owned) == list(range(len(body.seats)))
        and all(person.seats == tuple(sorted(person.seats)) for person in body.persons)
        and (
            not settings.two
            or tuple(person.seats for person in body.persons) == owners(SEATS_OF_TWO, two=True)
        )
        and [person.seats[0] for person in body.persons]
        == sorted(person.seats[0] for person in body.persons)
        and all(
            any(body.seats[seat].bot is None for seat in person.seats) for person in body.persons
        )
    )


def check_sealing(
    sealing: Sealing, lobby: Lobby, key: bytes, before: Seat | None, counted: Set[bytes]
) -> None:
    """Raise SealedError if a person must not seal, because the sealing differs from their lobby.

    Args:
        sealing: The host's sealing.
        lobby: The person's last lobby, in which they have a seat.
        key: The person's public key of this attempt.
        before: The first player of the previous game, if the table continues from its result.
        counted: The `gid`s of this person's incomplete deals since the table's last game began. The
            sealing must name all of them, and there may be at most `MAX_BROKEN_DEALS`.
    """
    body, mine = sealing.decoded, lobby.your_seat
    rows = [(seat.family, seat) for seat in lobby.seats]
    rows += [(seat.second, seat) for seat in lobby.seats if seat.second is not None]
    own = tuple(
        at
        for at, (_, seat) in enumerate(rows)
        if mine is not None and (seat == mine or (mine.host and seat.bot))
    )
    if (key, own) not in [(one.key, one.seats) for one in body.persons]:
        raise SealedError("not_my_seats")
    seats = tuple(encoding.Seat(family, seat.name, seat.bot) for family, seat in rows)
    settings = tuple((name, getattr(lobby.settings, name)) for name in SETTINGS)
    if (body.seats, body.settings) != (seats, settings):
        raise SealedError("other_table")
    host = next((at for at, (_, seat) in enumerate(rows) if seat.host), own[0])
    bots = (at for at, (_, seat) in enumerate(rows) if seat.bot)
    if any(sealing.owners[at] != sealing.owners[host] for at in bots):
        raise SealedError("other_table")
    chosen = lobby.settings.first
    first = None if chosen == "random" else sealing.families.find(chosen)
    if body.first != (first if before is None else (before + 1) % len(rows)):
        raise SealedError("wrong_first")
    if len(counted) > MAX_BROKEN_DEALS:
        raise SealedError("too_many_broken")
    if not counted <= {*body.broken}:
        raise SealedError("broken_hidden")


def log_in(sealing: Sealing, person: int, secret: bytes, challenge: bytes, pin: bytes) -> Parcel:
    """Return a parcel that proves a person's identity.

    `pin` is the hash of the host's certificate.
    """
    return signed_parcel(secret, LoginBody(sealing.gid, person, challenge, pin))


def logged_in(sealing: Sealing, parcel: Parcel, challenge: bytes, pin: bytes) -> int:
    """Verify a login, and return the number of its person.

    `pin` is the hash of this host's certificate. Raises SealedError if the parcel is no valid login
    to this game, or signs another challenge or certificate.
    """
    body = sealing.read(parcel)
    if not isinstance(body, LoginBody):
        raise SealedError("malformed")
    if (body.challenge, body.pin) != (challenge, pin):
        raise SealedError("bad_signature")
    return body.person
