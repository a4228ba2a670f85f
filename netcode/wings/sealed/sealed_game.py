"""One sealed game at the table that forwards its signed parcels.

A game contains the public results and no hidden card. The whole game can be restored from its
stored parcels, in their order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, starmap, takewhile
from typing import Final, NamedTuple

from msgspec.structs import asdict

from engine.cards import Seat as SeatIndex
from engine.leaf_game import named_game
from engine.ranking import owners, ranking_of_owners
from engine.record import Record
from netcode.protocol.evening import SeatResult
from netcode.protocol.fields import FamilyLetter, Message
from netcode.protocol.table_settings import TableSettings
from netcode.table.finished_game import Ending, ending_of
from netcode.table.people.seats import Seat
from netcode.table.play import Play, Saved
from netcode.wings.sealed.game.cheat_proofs import FREEZING
from netcode.wings.sealed.game.dealing import Dealing
from netcode.wings.sealed.game.encoding import (
    DealBody,
    EndBody,
    EntryBody,
    MissingBody,
    Person,
    ProofBody,
    SealBody,
    SealedError,
    SealingBody,
    SeenBody,
    pack,
)
from netcode.wings.sealed.game.encoding import Seat as SealedSeat
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel, in_host_frames
from netcode.wings.sealed.game.proven_record import known_cards, sealed_record
from netcode.wings.sealed.game.sealing import RULES, SETTINGS, VERSION, Sealing
from netcode.wings.sealed.messages import LogAt, Sealed
from netcode.wings.sealed.sealings import Sealings


class ReceivedParcels(NamedTuple):
    """The outcome of handling a message with parcels."""

    messages: dict[int | None, Sealed]
    """The messages to forward, by receiving person. The key None stands for everybody."""
    refused: str
    """The code of the first refusal, as in the specification; "" if nothing was refused."""
    steps: int
    """Number of new steps in the log."""
    begins: bool
    """True if the last part of the deal was among the parcels."""
    ends: bool
    """True if the game is over and the message had new parcels."""


def made_sealing(
    before: Sealings,
    game: int,
    began: int,
    settings: TableSettings,
    seats: Sequence[tuple[FamilyLetter, Seat]],
    keys: Mapping[Seat, bytes],
    first: SeatIndex | None,
) -> Parcel:
    """Return the sealing of a game. Each family has a seat, and the host owns the bots' seats."""
    people = (
        Person(
            keys.get(person, b""),
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


class SealedGame(Play):
    """A sealed game at its host, from the sealing to the last opened card."""

    def __init__(self, sealing: Parcel, *others: Parcel) -> None:
        """Start with a sealing and later parcels. Raises SealedError if the sealing is invalid."""
        self.sealing: Final = Sealing(sealing.body)
        self._dealing: Final = Dealing(self.sealing)
        self.log: SealedLog | None = None
        """The log; None before the deal is complete."""
        self.kept = self._dealing.journal
        """All parcels in order of arrival. The game can be restored from them."""
        for parcel in others:
            self._take(parcel)

    @property
    def families(self) -> str:
        """The families in the game, by seat."""
        return self.sealing.families

    @property
    def persons(self) -> list[str]:
        """For each person, the family of their first seat that no bot plays."""
        return [self.families[seat] for seat in self.sealing.player_seats]

    @property
    def first(self) -> SeatIndex:
        """The first player of a dealt game. Read it only if `is_dealt`."""
        return self._dealing.deal.first

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return self.log is not None and self.log.game.over

    @property
    def missing(self) -> tuple[str, ...] | None:
        """The names of persons whose part of the deal is missing; None if the deal is complete."""
        if self.log is not None:
            return None
        return tuple(self.sealing.names[person] for person in self._dealing.waiting_for)

    @property
    def broken(self) -> bytes | None:
        """The `gid` for the next sealing if everybody has sealed this incomplete deal.

        Otherwise None.
        """
        is_counted = self.log is None and self._dealing.is_sealed
        return self.sealing.gid if is_counted else None

    @property
    def is_dealt(self) -> bool:
        """True if the deal is complete."""
        return self.log is not None

    @property
    def is_settled(self) -> bool:
        """True if everybody has opened their cards."""
        return self.log is not None and self.log.is_done

    @property
    def holds_seats(self) -> bool:
        """False: a player who leaves after the game need not keep the seat."""
        return False

    # Incoming

    def receive(self, message: Sealed, *, paused: bool) -> ReceivedParcels:
        """Handle parcels in order until one is refused. Return the parcels to forward.

        During a pause, answers are refused.
        """
        news_of: dict[int | None, dict[Parcel, None]] = {}
        log, refused, before = self.log, "", len(self.kept)
        height = 0 if log is None else log.height
        for parcel in starmap(Parcel, message.parcels):
            if paused or not parcel.signature:
                refused = _obstacle(parcel, paused=paused)
            known = len(self.kept)
            refused = refused or self._take(parcel)
            if news := self.kept[known:]:
                person, with_it = self._audience(parcel)
                if with_it is not None:
                    news_of.setdefault(person, {}).update(dict.fromkeys((*with_it, *news)))
            if refused:
                break
        return ReceivedParcels(
            {person: Sealed(tuple(each)) for person, each in news_of.items()},
            refused,
            steps=0 if self.log is None else max(0, self.log.height - height),
            begins=log is not self.log,
            ends=self.log is not None and self.log.due is None and len(self.kept) > before,
        )

    def _take(self, parcel: Parcel) -> str:
        """Handle a parcel; return the code of a refusal, or ""."""
        if self.log is not None:
            outcome = self.log.take(parcel)
            return outcome.code if outcome.status == "refused" or outcome.code == "gap" else ""
        # Store a refused part of the deal too, since a second one would convict its author.
        outcome = self._dealing.take(parcel)
        if self._dealing.is_dealt:
            self.log = SealedLog(self._dealing)
            self.kept = self.log.journal
        return outcome.code

    def _audience(self, parcel: Parcel) -> tuple[int | None, Sequence[Parcel] | None]:
        """Return the receiver of a parcel (None for all), and the parcels to send before it.

        If the second value is None, nothing is sent.
        """
        body, dealing, log = parcel.decoded, self._dealing, self.log
        if isinstance(body, SealBody):
            # Send all seals at once, so that nobody can seal after seeing another person's seal.
            return None, dealing.in_order()[1:] if dealing.are_shown else None
        if log is None or isinstance(body, DealBody):
            return None, ()
        if isinstance(body, EntryBody):
            return None, _seen(log, body.n - 1) if body.what in ("reveal", "open") else ()
        if isinstance(body, EndBody):
            return None, _seen(log, log.height)
        if isinstance(body, MissingBody):
            return None, _seen(log, body.n)
        if isinstance(body, SeenBody) and log.due and not log.voters(body.n, body.prev, None):
            # Only the owner of the due step needs this vote, to open a card.
            return log.due.owner, () if body.n == log.height else None
        return None, ()

    # Outgoing

    def first_messages(self) -> Iterator[Message]:
        """Return the messages for a receiver who knows nothing of the game."""
        return self.messages_after()

    def messages_after(self, at: LogAt | None = None) -> Iterator[Sealed | LogAt]:
        """Yield the messages for a receiver whose log ends at `at`. None stands for no log."""
        mine, parcels = self.log_at, [*self._parcels(at)]
        yield from in_host_frames(parcels)
        if mine is not None:
            yield mine

    @property
    def log_at(self) -> LogAt | None:
        """The end of the log; None if there is no log yet."""
        log = self.log
        return None if log is None else LogAt(gid=self.sealing.gid, n=log.height, tip=log.tip)

    def _parcels(self, at: LogAt | None) -> Iterable[Parcel]:
        """Return, in order, the parcels that are missing in a log that ends at `at`."""
        dealing, log = self._dealing, self.log
        if log is None:
            stopped = [] if dealing.stopped is None else [dealing.stopped]
            return [*dealing.in_order()[: None if dealing.are_shown else 1], *stopped]
        # Refused answers to the present question, and votes, come after the last step.
        last = log.entries[-1].parcel if log.entries else dealing.journal[-1]
        latest = [*takewhile(lambda each: each != last, reversed(log.journal))][::-1]
        news = [*log.late.values(), *latest]
        if at is not None and at.gid == self.sealing.gid:
            lacking = log.lacking(at.n, at.tip)
            return lacking if log.frozen else dict.fromkeys((*lacking, *news))
        return dict.fromkeys((*dealing.in_order(), *log.parcels(), *news))

    # The end

    def saved(self) -> Saved:
        """Return all parcels in order of arrival."""
        return Saved(pieces=tuple(self.kept))

    def record(self, ended: int | None = None) -> Record | None:
        """Return the record so far, with its proof; None if the game has not begun.

        The argument `ended` is ignored: the proof contains the time of the end.
        """
        return None if self.log is None else sealed_record(self.log)

    def ending(self) -> Ending:
        """Return the result that the game has now, from the cards opened so far.

        Call this only if `is_dealt` is True.
        """
        log = self.log
        assert log is not None
        position = named_game(log.game, known_cards(log))
        return ending_of(position, asdict(self.sealing.settings), is_forked=log.frozen in FREEZING)

    def late_results(self) -> Sequence[SeatResult]:
        """Return the results of all seats from the cards opened so far, proven ones first.

        Returns an empty list before the game is over.
        """
        return [*self._results()] if self.over else []

    def _results(self) -> Iterator[SeatResult]:
        log = self.log
        assert log is not None
        position = named_game(log.game, known_cards(log))
        everybody = owners(len(self.families), two=self.sealing.settings.two)
        unproven = {seat for seat in range(len(self.families)) if log.verdict(seat) != "proven"}
        before = 0
        for is_behind in (False, True):
            for place in ranking_of_owners(position, everybody):
                there = [seats for seats in place if (not unproven.isdisjoint(seats)) == is_behind]
                for seat in chain(*there):
                    body = self.sealing.decoded.seats[seat]
                    influence, is_bot = position.pools[seat], body.bot is not None
                    yield SeatResult(body.name, is_bot, influence, before + 1)
                before += len(there)


def _obstacle(parcel: Parcel, *, paused: bool) -> str:
    """Return the code of the reason why no client may send a parcel now; "" if it is allowed."""
    try:
        body = parcel.decoded
    except SealedError as error:
        return error.code
    if isinstance(body, EntryBody):
        return "paused" if parcel.signature else ""
    # Only the host makes proofs, from the parcels that have come.
    return "malformed" if isinstance(body, ProofBody) else ""


def _seen(log: SealedLog, n: int) -> list[Parcel]:
    """Return the votes that step `n` has come, which make it certain; [] without such a step."""
    if not 0 < n <= log.height:
        return []
    return [vote for vote in log.votes_on(n).values() if isinstance(vote.decoded, SeenBody)]
