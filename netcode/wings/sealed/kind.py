"""Defines the kind of sealed games at a table: when a game can begin, and its messages."""

from collections.abc import Iterable, Sequence
from itertools import cycle, starmap
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from msgspec import MsgspecError
from msgspec.structs import replace

from engine.cards import Seat as SeatIndex
from netcode.protocol.fields import Message, letters_of
from netcode.protocol.messages import Absent, Act, AddBot, AskSeat, Lobby, Reason
from netcode.protocol.table_settings import TableSettings
from netcode.table.errors import NotAllowedError, damaged_table_error
from netcode.table.kinds import Around, KindOfWing
from netcode.table.people.seats import Participant, Seat, Spectator
from netcode.table.play import Kind, Play
from netcode.table.snapshot import Snapshot
from netcode.wings.sealed.forwarding import ParcelForwarder
from netcode.wings.sealed.messages import (
    FROM_SEALED_CLIENT,
    MAX_BROKEN_DEALS,
    AllowTakeover,
    HandOver,
    LogAt,
    Sealed,
    Unannounced,
)
from netcode.wings.sealed.sealings import (
    NAME,
    VERSION,
    Sealings,
    decode_sealings,
    sealings_of,
    store_sealings,
)
from netcode.wings.sealed.takeover_seats import TakeoverSeats

if TYPE_CHECKING:
    # Import only for types: the module imports cryptography, which only a game needs.
    from netcode.table.table import Table
    from netcode.wings.sealed.game.sealing import Sealing
    from netcode.wings.sealed.sealed_game import SealedGame

LEAST_PERSONS: Final = 2
"""Minimum number of persons in a sealed game. One person alone has nobody to hide cards from."""


class SealedKind(Kind):
    """The sealed games of one table. It forwards parcels and cannot see the cards."""

    asks_bots = False
    needs_everybody = True
    maximum_frame_bytes = FROM_SEALED_CLIENT
    answers = frozenset((Sealed, LogAt))

    def __init__(self, around: Around) -> None:
        """Start at a table without a game."""
        self._around = around
        self._keys = WeakKeyDictionary[Seat, bytes]()
        """The public keys that persons have sent for the next game."""
        self.takeover_seats: Final = TakeoverSeats(
            around.participants, around.connections, around.notices
        )
        """The seats of the players whose machines may take the table over."""
        self._forwarder = ParcelForwarder(
            around.participants,
            around.games,
            around.connections,
            self.takeover_seats,
            around.records,
        )

    @property
    def game(self) -> "SealedGame | None":
        """The present or last game; None in the lobby, and if the table's game is not sealed."""
        games = self._around.games
        if games.play is None or games.kind is not self:
            return None
        from netcode.wings.sealed.sealed_game import SealedGame

        return games.play if isinstance(games.play, SealedGame) else None

    # Games

    def begin(self, number: int, first: SeatIndex | None, settings: TableSettings) -> "SealedGame":
        """Return a new game with its sealing. The players' programs will deal the cards."""
        from netcode.wings.sealed.sealed_game import SealedGame, made_sealing

        around = self._around
        if not sealings_of(around.records).table:
            store_sealings(around.records, Sealings(around.rng.randbytes(16)))
        before = sealings_of(around.records)
        families = letters_of(around.participants.families)
        seats = [*zip(families, cycle(around.participants.seats), strict=False)]
        began = int(around.unix_time())
        sealing = made_sealing(before, number, began, settings, seats, self._keys, first)
        return SealedGame(sealing)

    def put_away(self, play: Play) -> None:
        """Record the present deal as incomplete if everybody has sealed it, but no game began."""
        broken = None if self.game is None else self.game.broken
        if broken is not None:
            records = self._around.records
            before = sealings_of(records)
            store_sealings(records, replace(before, broken=(*before.broken, broken)))

    def missing(self, persons: Sequence[Seat], seated: int) -> Reason | None:
        """Return the reason why no sealed game can begin; None if one can."""
        if self._around.games.has_local_guests:
            return Reason(code="doors_open")
        if len(persons) < LEAST_PERSONS:
            return Reason(code="too_few_persons")
        if len(persons) < seated and not any(seat.host for seat in persons):
            return Reason(code="bots_need_host")
        if len(sealings_of(self._around.records).broken) > MAX_BROKEN_DEALS:
            return Reason(code="too_many_broken")
        return None

    def is_prepared(self, persons: Iterable[Seat]) -> bool:
        """Return True if everybody has sent a key for the next game."""
        return all(seat in self._keys for seat in persons)

    def bring(self, seat: Seat, key: bytes | None) -> None:
        """Store a person's key for the next game. With None, check the key that is already stored.

        Raises NotAllowedError if the key is missing, weak, or the key of another person.
        """
        from netcode.wings.sealed.game.parcels import is_weak

        key = key or self._keys.get(seat)
        if key is None:
            raise NotAllowedError("game_key_missing")
        if is_weak(key):
            raise NotAllowedError("parcel_refused", check="weak_key")
        others = [each for each in self._around.participants.seats if each is not seat]
        if key in [self._keys.get(each) for each in others]:
            raise NotAllowedError("parcel_refused", check="equal_keys")
        self._keys[seat] = key

    def take_back(self, seat: Seat) -> None:
        """Forget a person's key."""
        self._keys.pop(seat, None)

    # Messages

    def judge(self, participant: Participant, message: Message) -> None:
        """Raise NotAllowedError if a message of the core is not allowed in sealed games."""
        match message:
            case Act() if isinstance(participant, Seat):
                raise NotAllowedError("table_sealed")
            case AskSeat():
                raise NotAllowedError("sealed_latecomers")
            case AddBot() if isinstance(participant, Spectator):
                raise NotAllowedError("bots_need_host")
            case Absent(choice="wait" | "bot") if self._around.games.phase == "playing":
                raise NotAllowedError("nobody_answers", family=message.family)

    def handle(
        self, connection: int, participant: Participant, message: Message, now: float
    ) -> bool:
        """Handle a message of sealed play, and return True; return False for other messages.

        Raises NotAllowedError to refuse a message.
        """
        is_sealed = self._around.games.kind is self
        match message:
            case AllowTakeover():
                if isinstance(participant, Spectator):
                    raise NotAllowedError("not_seated")
                self.takeover_seats.allow(connection, participant, message)
                if is_sealed:
                    if self._around.invited.opened.location.announced is False:
                        self._around.notices[Unannounced] = Unannounced()
                    self.takeover_seats.give_notices(connection)
            case HandOver():
                if not participant.host:
                    raise NotAllowedError("not_the_host")
                if self.game is None:
                    raise NotAllowedError("cannot_hand_over")
                self.takeover_seats.hand_over(message.name)
            case Sealed() | LogAt() if not is_sealed:
                raise NotAllowedError("table_not_sealed")
            case Sealed():
                self._forwarder.take(connection, participant, self.game, message, now)
            case LogAt():
                self._forwarder.compare(connection, participant, self.game, message, now)
            case _:
                return False
        return True

    def notices_changed(self) -> None:
        """Send changed notices to the programs that could take over this table."""
        if self._around.games.kind is self:
            self.takeover_seats.send_changed_notices()

    def complete(self, lobby: Lobby) -> Lobby:
        """Add to a lobby the persons whose part of the deal is missing, and the possible hosts."""
        dealing = None if self.game is None else self.game.missing
        return replace(lobby, dealing=dealing, successors=self.takeover_seats.names())


def sealing_of(table: "Table") -> "Sealing | None":
    """Return the sealing of a table's present or last game; None if it is not sealed."""
    kind = table.games.kind
    game = kind.game if isinstance(kind, SealedKind) else None
    return None if game is None else game.sealing


def new_key_of(table: "Table", person: int) -> bytes | None:
    """Return a new key to a person's seat.

    Returns None without a sealed game, and if the person may have no key.
    """
    sealing = sealing_of(table)
    return None if sealing is None else table.offer_key(sealing.names[person])


def _restore(kept: Snapshot) -> "SealedGame | None":
    """Restore a stored sealed game; return None if no game is stored.

    Raises StoreError if the stored parcels or deals are invalid.
    """
    if not kept.game.pieces:
        return None
    from netcode.wings.sealed.game.encoding import SealedError
    from netcode.wings.sealed.game.parcels import Parcel
    from netcode.wings.sealed.sealed_game import SealedGame

    try:
        if (record := kept.table.wings.get(NAME)) is not None:
            decode_sealings(record.data)
        return SealedGame(*starmap(Parcel, kept.game.pieces))
    except (SealedError, MsgspecError, UnicodeDecodeError):
        raise damaged_table_error("a row makes no sense") from None


SEAM: Final = KindOfWing(NAME, SealedKind, _restore, VERSION)
