"""What a table needs of its games: a play, which is one game, and its kind.

Both are base classes, which say what holds unless a kind of game says otherwise. The ordinary kind
is `dealt.py`, and others come from wings.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from engine.actions import Action
from engine.cards import Seat as SeatIndex
from engine.events import Event
from engine.record import Record
from engine.views import View, Viewer
from netcode.protocol.codec import FROM_CLIENT
from netcode.protocol.evening import SeatResult
from netcode.protocol.fields import FamilyLetter, Message
from netcode.protocol.messages import GameRecord, Lobby, Reason, State
from netcode.protocol.table_settings import TableSettings
from netcode.table.errors import NotAllowedError
from netcode.table.finished_game import Ending
from netcode.table.people.seats import Participant, Seat


class Saved(NamedTuple):
    """What is kept of a play: the fields of a `KeptGame` that are about it."""

    record: str = ""
    actions: tuple[str, ...] = ()
    pieces: tuple[tuple[bytes, bytes], ...] = ()


class Play(ABC):
    """One game at a table, under way or just over."""

    @property
    @abstractmethod
    def families(self) -> str:
        """The families that play, by seat."""

    @property
    @abstractmethod
    def first(self) -> SeatIndex:
        """The first player of round 1."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """True once the game has ended."""

    @property
    def turn(self) -> SeatIndex | None:
        """The seat that the table asks; None if the table asks nobody."""
        return None

    @property
    def is_dealt(self) -> bool:
        """True once all cards are dealt."""
        return True

    @property
    def is_settled(self) -> bool:
        """True if nothing about the end of the game can change any more."""
        return True

    @property
    def holds_seats(self) -> bool:
        """True if who leaves a game that is over keeps the seat until the table is in its lobby."""
        return True

    # Answers to what the table asks

    def act(self, token: str) -> None:
        """Play an answer to what is asked; raises NotAllowedError, and then nothing has changed."""
        raise NotAllowedError("no_game")

    def is_legal(self, action: Action) -> bool:
        """Return whether the action answers the question being asked."""
        return False

    def hand_over(self, families: Collection[str], name: str, bot: str | None, at: int) -> None:
        """Record who has seats from now on, a Unix time, in a game that the table asks about."""
        raise NotImplementedError

    # What a receiver may know

    def seen_by(self, viewer: Viewer) -> View:
        """Return what a player, or a spectator, may know of a game that the table asks about."""
        raise NotImplementedError

    def events_for(self, viewer: Viewer, since: int = 0) -> tuple[Event, ...]:
        """Return the events from `since` on, as a player, or a spectator, may know them."""
        return ()

    def first_messages(self) -> Iterable[Message]:
        """Return what everybody is sent when the game begins, and whoever comes to it later."""
        return ()

    def state(
        self, viewer: Viewer, you: FamilyLetter | None, revision: int, since: int
    ) -> State | None:
        """Return the view and the events from `since` on; None if the table knows no cards."""
        return None

    def record_message(self, revision: int) -> GameRecord | None:
        """Return the GameRecord of a game that is over; None if the table knows no cards."""
        return None

    # What is kept of it

    @abstractmethod
    def saved(self) -> Saved:
        """Return what brings the game back."""

    @abstractmethod
    def record(self, ended: int | None = None) -> Record | None:
        """Return the game so far, with when it ended; None if it has not begun."""

    @abstractmethod
    def ending(self) -> Ending:
        """Return how the game ends if it ends now."""

    def late_results(self) -> Sequence[SeatResult]:
        """Return the results, by seat, of a game that is over and whose results may still change.

        An evening counts them once the table goes on. Empty for all other games.
        """
        return ()


class Kind:
    """A kind of game at one table, from the lobby on."""

    asks_bots: bool = True
    """True if the table asks its bots, which also answer for people who are away."""

    needs_everybody: bool = False
    """True if a game begins only while everybody who has a seat is there."""

    longest_frame: int = FROM_CLIENT
    """Maximum number of bytes in a frame from somebody at the table."""

    answers: frozenset[type[Message]] = frozenset()
    """The messages of this kind that most often change its game alone."""

    def begin(self, number: int, first: SeatIndex | None, settings: TableSettings) -> Play:
        """Return a game that has just begun; raises NotAllowedError."""
        raise NotImplementedError

    def put_away(self, play: Play) -> None:
        """Handle that the table goes back to its lobby from a game."""

    def missing(self, persons: Sequence[Seat], seated: int) -> Reason | None:
        """Return why no game of this kind can begin; None if one can."""
        return None

    def is_prepared(self, persons: Iterable[Seat]) -> bool:
        """Return whether everybody has brought what a game needs of them."""
        return True

    def bring(self, seat: Seat, key: bytes | None) -> None:
        """Store what somebody brings for the game to come; raises NotAllowedError."""
        if key is not None:
            raise NotAllowedError("game_key_unasked")

    def take_back(self, seat: Seat) -> None:
        """Forget what somebody has brought."""

    def judge(self, participant: Participant, message: Message) -> None:
        """Raise NotAllowedError if a message of the core has no place in games of this kind."""

    def handle(
        self, connection: int, participant: Participant, message: Message, now: float
    ) -> bool:
        """Handle a message of this kind; return False for any other. Raises NotAllowedError."""
        return False

    def complete(self, lobby: Lobby) -> Lobby:
        """Return a lobby with what this kind has to say in it."""
        return lobby
