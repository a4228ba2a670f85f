"""Stores all participants of a table, and checks requests for seats and names."""

import unicodedata
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, count
from typing import Final

from msgspec import Struct, field

from engine.bots import is_bot
from engine.cards import MAXIMUM_PLAYERS, MINIMUM_PLAYERS
from engine.ranking import PLAYERS_OF_TWO
from engine.views import Viewer
from netcode.protocol.fields import FAMILY_LETTERS, MAXIMUM_SPECTATORS, FamilyLetter
from netcode.table.errors import NotAllowedError
from netcode.table.people.seats import KeyRing, Participant, Seat, Spectator

SECOND_LETTERS: Final[tuple[FamilyLetter, ...]] = ("g", "y", "v", "r", "b")
"""The order in which seats at a table for two get second families."""

BOT_NAMES: Final = (
    *("Aubin", "Berthe", "Corentin", "Doette", "Enguerrand", "Flore", "Gontran", "Hersende"),
    *("Isambard", "Jacquette", "Landry", "Mahaut", "Norbert", "Odile", "Perrin", "Quentine"),
)
"""The names of bots. They are easier to tell apart than numbers."""

_PLAIN_SIGNS: Final = str.maketrans(
    dict.fromkeys("\u02d7\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58", "-")
    | dict.fromkeys("`\u00b4\u02b9\u02bb\u02bc\u02bd\u02c8\u2018\u2019\u201b\u2032\ua78c", "'")
)
"""Plain forms of dashes and apostrophes that look alike in a terminal."""


class Participants(Struct):
    """The seats and spectators of a table."""

    seats: list[Seat] = field(default_factory=list)
    """The seats in clockwise order: in order of arrival, unless the host has moved them."""
    spectators: list[Spectator] = field(default_factory=list)
    two: bool = False
    """True at a table for two, where each seat has two families."""

    @property
    def most(self) -> int:
        """Maximum number of seats."""
        return PLAYERS_OF_TWO if self.two else MAXIMUM_PLAYERS

    @property
    def least(self) -> int:
        """Minimum number of seats to start a game."""
        return PLAYERS_OF_TWO if self.two else MINIMUM_PLAYERS

    @property
    def families(self) -> str:
        """The families of a game, clockwise. The two families of a seat are opposite each other."""
        return "".join(
            [
                *(seat.family for seat in self.seats),
                *(seat.second for seat in self.seats if seat.second is not None),
            ]
        )

    def viewer_of(self, participant: Participant) -> Viewer:
        """Return the index of a player's seat in the game; at a table for two, of both seats.

        Returns None for a spectator, who sees no hidden card.
        """
        if isinstance(participant, Spectator):
            return None
        first = self.seats.index(participant)
        return first if participant.second is None else (first, first + len(self.seats))

    @property
    def persons(self) -> Iterator[Seat]:
        """The seats of persons, present or absent."""
        return (seat for seat in self.seats if seat.bot is None)

    @property
    def awake(self) -> bool:
        """True if a person is present to play, or to watch a game of bots only."""
        # Do not use a generator here: it is slower, and every action calls this.
        for seat in self.seats:
            if seat.bot is None and seat.connection is not None:
                return True
        return bool(self.spectators) and not self.has_persons

    @property
    def attended(self) -> bool:
        """True if any participant has a connection."""
        return bool(self.connected())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all players with a seat, persons and bots."""
        return tuple(seat.name for seat in self.seats)

    @property
    def has_persons(self) -> bool:
        """True if a person has a seat."""
        return None in [seat.bot for seat in self.seats]

    @property
    def everybody(self) -> list[Participant]:
        """The seats and spectators."""
        return [*self.seats, *self.spectators]

    def connected(self) -> list[tuple[int, Participant]]:
        """Return all participants with a connection, each with its number."""
        return [(each.connection, each) for each in self.everybody if each.connection is not None]

    def require_place(self, name: str, instead_of: Iterable[Seat] = ()) -> None:
        """Raise NotAllowedError if a person of this name could not take a seat.

        The check ignores the seats in `instead_of`.
        """
        leaving = list(instead_of)
        staying = Participants(
            [seat for seat in self.seats if seat not in leaving], self.spectators, self.two
        )
        staying._check_name(name)
        staying._free_families()

    def sit(self, name: str, connection: int, key: bytes) -> Seat:
        """Give a newcomer a free seat, and return it.

        Raises NotAllowedError if the name is taken, or if the table is full.
        """
        self._check_name(name)
        family, second = self._free_families()
        seat = Seat(family, name, second, connection=connection, keys=KeyRing.of(key))
        self.seats.append(seat)
        return seat

    def seat_spectator(self, spectator: Spectator, family: FamilyLetter) -> Seat:
        """Give a spectator a free seat with this family, and return it.

        Raises NotAllowedError if the table is full, or if the family is taken.
        """
        own, second = self._free_families()
        if self.seat_of(family) is not None:
            raise NotAllowedError("family_taken", family=family)
        seat = self._taken_by(spectator, own, second)
        self.seats.append(seat)
        self.choose_family(seat, family)
        return seat

    def give_bots_seat(self, seat: Seat, spectator: Spectator) -> Seat:
        """Give a bot's seat to a spectator; return the spectator's seat."""
        given = self._taken_by(spectator, seat.family, seat.second)
        self.seats[self.seats.index(seat)] = given
        return given

    def _taken_by(
        self, spectator: Spectator, family: FamilyLetter, second: FamilyLetter | None
    ) -> Seat:
        """Remove a spectator, and return a seat for the same person."""
        self.spectators.remove(spectator)
        return Seat(
            family,
            spectator.name,
            second,
            connection=spectator.connection,
            keys=spectator.keys,
            host=spectator.host,
        )

    def watch(self, name: str, connection: int, key: bytes) -> Spectator:
        """Add a newcomer to the spectators, and return the spectator.

        Raises NotAllowedError if the name is taken, or if there are too many spectators.
        """
        self._check_name(name)
        if len(self.spectators) >= MAXIMUM_SPECTATORS:
            raise NotAllowedError("too_many_spectators")
        spectator = Spectator(name, connection, KeyRing.of(key))
        self.spectators.append(spectator)
        return spectator

    def add_bot(self, bot: str, taken: Collection[str] = ()) -> None:
        """Give a bot a seat under a name that nobody has, and that is not in `taken`.

        Raises NotAllowedError if there is no such bot, or if the table is full.
        """
        need_bot(bot)
        family, second = self._free_families()
        self.seats.append(Seat(family, self._bot_name(taken), second, bot=bot))

    def give_to_bot(self, seat: Seat, bot: str, taken: Collection[str] = ()) -> Seat:
        """Give a person's seat to a bot, and return the bot's seat.

        The bot gets a name that nobody has, and that is not in `taken`.
        """
        given = Seat(seat.family, self._bot_name(taken), seat.second, bot=bot)
        self.seats[self.seats.index(seat)] = given
        return given

    def choose_family(self, seat: Seat, family: FamilyLetter) -> None:
        """Give a seat another family. At a table for two the former first family becomes second.

        Raises NotAllowedError if another seat has the family.
        """
        owner = self.seat_of(family)
        if owner is not None and owner is not seat:
            raise NotAllowedError("family_taken", family=family)
        if seat.second is not None and family != seat.family:
            seat.second = seat.family
        seat.family = family

    def move(self, seat: Seat, place: int) -> None:
        """Move a seat in the order of seats; the seats between move by one."""
        self.seats.remove(seat)
        self.seats.insert(place, seat)

    def rename(self, seat: Seat, name: str) -> None:
        """Rename the player of a seat; raises NotAllowedError if another participant has the name.

        Names that look the same count as equal.
        """
        if self.called(name) not in (None, seat):
            raise NotAllowedError("name_taken", name=name)
        seat.name = name

    def set_for_two(self, *, is_for_two: bool) -> None:
        """Give each seat a second family, or remove the second families.

        Raises NotAllowedError if more than two players are seated for a table for two.
        """
        if is_for_two and len(self.seats) > PLAYERS_OF_TWO:
            raise NotAllowedError("too_many_for_two", seated=len(self.seats))
        if is_for_two == self.two:
            return
        self.two = is_for_two
        for seat in self.seats:
            seat.second = self._second_family() if is_for_two else None

    def seat_of(self, family: FamilyLetter) -> Seat | None:
        """Return the seat with a family; None if no seat has it."""
        return next((seat for seat in self.seats if family in seat.families), None)

    def opened_by(self, hashed: bytes) -> Participant | None:
        """Return the participant whose key has this hash; None if nobody has such a key."""
        opened = None
        # Compare the keys of all participants, so that timing does not reveal where a key fits.
        for participant in self.everybody:
            if participant.keys is not None and participant.keys.opens(hashed):
                opened = participant
        return opened

    def called(self, name: str) -> Participant | None:
        """Return the participant with this name, or with a name that looks the same.

        Returns None if no player, bot or spectator has such a name.
        """
        wanted = alike(name)
        return next(
            (participant for participant in self.everybody if alike(participant.name) == wanted),
            None,
        )

    def host(self) -> Participant | None:
        """Return the host, present or absent; None if no seat or spectator has the role."""
        for seat in self.seats:
            if seat.host:
                return seat
        return next((each for each in self.spectators if each.host), None)

    def _free_families(self) -> tuple[FamilyLetter, FamilyLetter | None]:
        """Return the families for a new seat; raises NotAllowedError if the table is full."""
        free = [family for family in FAMILY_LETTERS if family not in self.families]
        if len(self.seats) >= self.most or not free:
            raise NotAllowedError("table_full", seats=self.most)
        return free[0], self._second_family(free[0]) if self.two else None

    def _second_family(self, first: str = "") -> FamilyLetter:
        taken = self.families + first
        return next(family for family in SECOND_LETTERS if family not in taken)

    def _bot_name(self, taken: Collection[str]) -> str:
        names = chain(BOT_NAMES, (f"{name} {n}" for n in count(2) for name in BOT_NAMES))
        return next(name for name in names if name not in taken and self.called(name) is None)

    def _check_name(self, name: str) -> None:
        if self.called(name) is not None:
            raise NotAllowedError("name_taken", name=name)


def alike(name: str) -> str:
    """Return a common form of names that look the same: it ignores case, width and kind of dash."""
    plain = unicodedata.normalize("NFKD", name.translate(_PLAIN_SIGNS))
    return plain.translate(_PLAIN_SIGNS).casefold()


def need_bot(bot: str) -> None:
    """Raise NotAllowedError if this is not the name of a kind of bot."""
    if not is_bot(bot):
        raise NotAllowedError("unknown_bot", bot=bot)
