"""One sealed game at a table that relays it: signed parcels, and what follows from them for all.

There is no hidden card here. Everything comes back from the parcels that were kept, in their order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, starmap
from typing import Final, NamedTuple

from msgspec.structs import asdict

from engine.cards import Seat as SeatIndex
from engine.ranking import owners, ranking_of_owners
from engine.record import Record
from engine.view import named
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import TableSettings
from netcode.protocol.sealed_messages import MAXIMUM_RELAYED, LogAt, Sealed
from netcode.sealed.dealing import Dealing
from netcode.sealed.encoding import (
    AnyBody,
    EndBody,
    EntryBody,
    MissingBody,
    Parcel,
    Person,
    ProofBody,
    SealedError,
    SealingBody,
    SeenBody,
    pack,
    unpack,
)
from netcode.sealed.encoding import Seat as SealedSeat
from netcode.sealed.log import SealedLog
from netcode.sealed.proof_file import sealed_record
from netcode.sealed.sealing import RULES, SETTINGS, VERSION, Sealing
from netcode.table.finished_game import Ending, ending_of
from netcode.table.journal_entries import KeptParcel, Sealings
from netcode.table.people.seats import Seat

RELAYED_BYTES: Final = 48 * 1024
"""Most bytes of parcels in one message, whose frame has room for the longest one besides."""


class Relayed(NamedTuple):
    """What has come of a message."""

    kept: Sequence[KeptParcel]
    """What is to be kept, before anybody is told."""
    told: Mapping[int | None, Sealed]
    """What all are to be told (None), and one person alone."""
    refused: str
    """Why the first parcel was refused that was, as the specification calls it; empty if none."""


class _News(NamedTuple):
    """What has come of a parcel."""

    refused: str = ""
    kept: Sequence[Parcel] = ()
    told: Sequence[Parcel] = ()
    only: int | None = None
    """The one person who is to be told it; None if all are."""


def made_sealing(
    before: Sealings,
    game: int,
    began: int,
    settings: TableSettings,
    seats: Sequence[tuple[FamilyLetter, Seat]],
    first: SeatIndex | None,
) -> Parcel:
    """Return the sealing of a game: each family has a seat, and the host's person the bots."""
    people = (
        Person(
            person.game_key or b"",
            tuple(
                place
                for place, (_, seat) in enumerate(seats)
                if seat is person or (seat.bot is not None and person.host)
            ),
        )
        for person in dict.fromkeys(seat for _, seat in seats if seat.bot is None)
    )
    body = SealingBody(
        version=VERSION,
        rules=RULES,
        table=before.table,
        game=game,
        began=began,
        settings=tuple((name, getattr(settings, name)) for name in SETTINGS),
        seats=tuple(SealedSeat(family, seat.name, seat.bot) for family, seat in seats),
        first=first,
        persons=tuple(sorted(people, key=lambda person: person.seats)),
        broken=before.broken,
    )
    return Parcel(pack(body))


class RelayedGame:
    """A sealed game, from its sealing to the last end, as whoever relays it has it."""

    def __init__(self, number: int, sealing: Parcel) -> None:
        """Begin with a sealing; raises SealedError if it is none."""
        self.number = number
        self.sealing: Final = Sealing(sealing.body)
        self._kept = 1
        """How many parcels are kept, the sealing's among them."""
        self._dealing: Final = Dealing(self.sealing)
        self._log: SealedLog | None = None
        self._spent: tuple[int, list[Parcel]] = 0, []
        """The refused entries of the step that is due, and its number: they are news for all."""

    @classmethod
    def restored(cls, number: int, parcels: Iterable[Parcel]) -> "RelayedGame":
        """Return a game as it was when these were kept of it; raises SealedError."""
        each = iter(parcels)
        game = cls(number, next(each))
        for parcel in each:
            game._take(parcel)
            game._kept += 1
        return game

    @property
    def families(self) -> str:
        """The families that play, by seat."""
        return self.sealing.families

    @property
    def persons(self) -> list[str]:
        """The first family of each person."""
        return [self.families[person.seats[0]] for person in self.sealing.said.persons]

    @property
    def first(self) -> SeatIndex:
        """The first player of a game that is dealt."""
        return self._dealing.deal.first

    @property
    def over(self) -> bool:
        """Whether the game has come to its end."""
        return self._log is not None and self._log.game.over

    @property
    def missing(self) -> tuple[str, ...] | None:
        """The names of those whose part of the deal has not come; None once all has."""
        if self._log is not None:
            return None
        come = self._dealing.nonces if self._dealing.is_sealed else self._dealing.seals
        return tuple(
            self.sealing.said.seats[person.seats[0]].name
            for index, person in enumerate(self.sealing.said.persons)
            if index not in come
        )

    @property
    def broken(self) -> tuple[bytes, tuple[str, ...]] | None:
        """What the next sealing says of this deal if it is broken off; None if nobody counts it."""
        missing = self.missing
        if missing is None or not self._dealing.is_sealed:
            return None
        return self.sealing.gid, missing

    @property
    def is_settled(self) -> bool:
        """Whether everybody has opened their cards."""
        return self._log is not None and len(self._log.ends) == len(self.sealing.keys)

    # What comes

    def receive(self, message: Sealed, *, paused: bool) -> Relayed:
        """Take parcels in order, up to the first that is refused; in a pause no steps."""
        kept: list[KeptParcel] = []
        told: dict[int | None, dict[Parcel, None]] = {}
        refused = ""
        for parcel in starmap(Parcel, message.parcels):
            refused = self._obstacle(parcel, paused=paused)
            if refused:
                break
            news = self._take(parcel)
            for each in news.kept:
                kept.append(KeptParcel(self.number, self._kept, *each))
                self._kept += 1
            if news.told:
                told.setdefault(news.only, {}).update(dict.fromkeys(news.told))
            refused = news.refused
            if refused:
                break
        return Relayed(kept, {person: _sealed(each) for person, each in told.items()}, refused)

    def _obstacle(self, parcel: Parcel, *, paused: bool) -> str:
        """Return why nobody may send a parcel now, whatever it says; empty if they may."""
        if parcel.signature and not paused:
            return ""
        try:
            said = unpack(parcel.body)
        except SealedError as error:
            return error.code
        if isinstance(said, ProofBody):
            # Whoever relays makes them of what has come.
            return "malformed"
        return "paused" if paused and isinstance(said, EntryBody) else ""

    def _take(self, parcel: Parcel) -> _News:
        log = self._log
        return self._take_deal(parcel) if log is None else self._take_step(log, parcel)

    def _take_deal(self, parcel: Parcel) -> _News:
        dealing = self._dealing
        known = len(dealing.parcels)
        outcome = dealing.take(parcel)
        # Also of a part that is not taken: whoever signs another one convicts themselves.
        kept = [parcel] * (len(dealing.parcels) > known)
        if outcome.proof is not None:
            return _News(outcome.code, [*kept, outcome.proof], [outcome.proof])
        if outcome.status != "taken":
            return _News(outcome.code, kept)
        if dealing.is_dealt:
            self._log = SealedLog(dealing)
        if dealing.nonces:
            return _News(kept=kept, told=kept)
        return _News(kept=kept, told=self._seals() if dealing.is_sealed else ())

    def _take_step(self, log: SealedLog, parcel: Parcel) -> _News:
        spent, before = len(log.spent), len(log.journal)
        outcome = log.take(parcel)
        if outcome.code == "other_branch":
            # The votes for it are here, if it is a default.
            outcome = log.meet([parcel])
        if len(log.spent) > spent:
            n = log.height + 1
            self._spent = n, [*(self._spent[1] if self._spent[0] == n else ()), parcel]
        kept: dict[Parcel, None] = {}
        for taken in log.journal[before:]:
            kept.update(dict.fromkeys([taken] if isinstance(taken, Parcel) else taken))
        is_refused = outcome.status == "refused" or outcome.code == "gap"
        refused = outcome.code if is_refused else ""
        if not kept:
            return _News(refused)
        said = unpack(parcel.body)
        is_missed = isinstance(said, SeenBody | MissingBody) and log.voters(said.n, said.prev, None)
        if isinstance(said, SeenBody) and said.n < log.height and not is_missed:
            # Nobody waits for it any more.
            return _News(refused, [*kept])
        told, only = self._told_of(log, said)
        return _News(refused, [*kept], [*dict.fromkeys([*told, *kept])], only)

    def _told_of(self, log: SealedLog, said: AnyBody) -> tuple[list[Parcel], int | None]:
        """Return the votes that go along with what has come, and who alone is to be told."""
        if isinstance(said, EntryBody):
            return self._seen(log, said.n - 1) if said.what in ("reveal", "open") else [], None
        if isinstance(said, EndBody):
            return self._seen(log, log.height), None
        if isinstance(said, MissingBody):
            return self._seen(log, said.n), None
        due = log.due
        if isinstance(said, SeenBody) and due and not log.voters(said.n, said.prev, None):
            return [], self.sealing.owners[due.seat]
        return [], None

    # What is told

    def told(self, at: LogAt | None = None) -> Iterator[Sealed | LogAt]:
        """Return all that somebody needs whose log ends there: nothing at all is known of None."""
        parcels = list(self._parcels(at))
        while parcels:
            some, size = 0, 0
            while some < min(len(parcels), MAXIMUM_RELAYED) and size < RELAYED_BYTES:
                size += len(parcels[some].body) + 80
                some += 1
            yield _sealed(parcels[:some])
            del parcels[:some]
        if (mine := self.log_at()) is not None and at != mine:
            yield mine

    def log_at(self) -> LogAt | None:
        """Return where the log ends; None if there is none yet."""
        log = self._log
        return None if log is None else LogAt(gid=self.sealing.gid, n=log.height, tip=log.tip)

    def _parcels(self, at: LogAt | None) -> Iterator[Parcel]:
        """Return in order what somebody lacks whose log ends there."""
        log, since = self._log, 0
        if at is not None and log is not None and at.gid == self.sealing.gid:
            if at.n > log.height:
                # It is for them to tell what is missing here.
                return
            if at.n and log.tip_of(at.n) == at.tip:
                since = at.n
        if not since:
            yield Parcel(self.sealing.body)
            if self._dealing.is_sealed:
                yield from self._seals()
            for person in self._dealing.nonces:
                yield self._dealing.parcels["deal", person]
            if self._dealing.stopped is not None:
                yield self._dealing.stopped
        if log is not None:
            yield from log.parcels(since)
            yield from log.late.values()
            if self._spent[0] == log.height + 1:
                yield from self._spent[1]

    def _seals(self) -> list[Parcel]:
        persons = range(len(self.sealing.keys))
        return [self._dealing.parcels["seal", person] for person in persons]

    @staticmethod
    def _seen(log: SealedLog, n: int) -> list[Parcel]:
        """Return the votes that a step has come, which make it certain that it stays."""
        if not 0 < n <= log.height:
            return []
        entry = log.entries[n - 1]
        votes = log.votes.get((n, entry.said.prev), {}).values()
        return [vote for vote, said in votes if isinstance(said, SeenBody)]

    # How it ends

    def record(self) -> Record | None:
        """Return the game so far, with what proves it; None if it has not begun."""
        return None if self._log is None else sealed_record(self._log)

    def ending(self) -> Ending:
        """Return how the game ends if it ends now, by what is opened by now."""
        log = self._log
        assert log is not None
        return ending_of(named(log.game, log.known()), asdict(self.sealing.settings))

    def results(self) -> Iterator[tuple[str, int, int]]:
        """Return name, influence and place of each seat: those that are proven come first."""
        log = self._log
        assert log is not None
        position = named(log.game, log.known())
        everybody = owners(len(self.families), two=self.sealing.settings.two)
        unproven = {seat for seat in range(len(self.families)) if log.verdict(seat) != "proven"}
        before = 0
        for is_behind in (False, True):
            for place in ranking_of_owners(position, everybody):
                there = [seats for seats in place if (not unproven.isdisjoint(seats)) == is_behind]
                for seat in chain(*there):
                    name = self.sealing.said.seats[seat].name
                    yield name, position.pools[seat], before + 1
                before += len(there)


def _sealed(parcels: Iterable[Parcel]) -> Sealed:
    """Return the message of some parcels."""
    return Sealed(tuple((parcel.body, parcel.signature) for parcel in parcels))
