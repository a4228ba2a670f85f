"""Defines the interface between a table and its games: a `Play` is one game, a `Kind` makes them.

`Play` and `Kind` are base classes with default behaviour. `dealt.py` is the ordinary kind. Wings
bring other kinds.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

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
from netcode.table.people.seats import Participant, Seat

if TYPE_CHECKING:
    from netcode.table.finished_game import Ending


class Saved(NamedTuple):
    """The stored state of a play: the fields of `KeptGame` that only the play knows."""

    record: str = ""
    actions: tuple[str, ...] = ()
    pieces: tuple[tuple[bytes, bytes], ...] = ()


class Play(ABC):
    """One game at a table, running or just over."""

    @property
    @abstractmethod
    def families(self) -> str:
        """The letters of the families, by seat."""

    @property
    @abstractmethod
    def first(self) -> SeatIndex:
        """The first player of round 1."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """True if the game has ended."""

    @property
    def turn(self) -> SeatIndex | None:
        """The seat that must answer; None if the table asks nobody."""
        return None

    @property
    def is_dealt(self) -> bool:
        """True if all cards were dealt."""
        return True

    @property
    def is_settled(self) -> bool:
        """True if the result of the game can no longer change."""
        return True

    @property
    def holds_seats(self) -> bool:
        """True if a player who leaves after the game keeps the seat until the next lobby."""
        return True

    # Answers to the table's questions

    def act(self, token: str) -> None:
        """Play an answer. Raises NotAllowedError if it is illegal, and then nothing changes."""
        raise NotAllowedError("no_game")

    def is_legal(self, action: Action) -> bool:
        """Return True if the action is a legal answer to the present question."""
        return False

    def hand_over(self, families: Collection[str], name: str, bot: str | None, at: int) -> None:
        """Record that a player or bot has the seats of these families from a Unix time on.

        `bot` is the bot's level, or None for a person. The table calls this only in games in which
        it asks the players.
        """
        raise NotImplementedError

    # The knowledge of a receiver

    def seen_by(self, viewer: Viewer) -> View:
        """Return the view of a player or spectator.

        The table calls this only in games in which it asks the players.
        """
        raise NotImplementedError

    def events_for(self, viewer: Viewer, since: int = 0) -> tuple[Event, ...]:
        """Return the events from index `since` on, as a player or spectator may know them."""
        return ()

    def first_messages(self) -> Iterable[Message]:
        """Return the messages at the beginning of the game.

        People who arrive later receive them too.
        """
        return ()

    def state(
        self, viewer: Viewer, you: FamilyLetter | None, revision: int, since: int
    ) -> State | None:
        """Return the State with the events from index `since` on.

        Returns None if the table knows no cards.
        """
        return None

    def record_message(self, revision: int) -> GameRecord | None:
        """Return the GameRecord of a finished game; None if the table knows no cards."""
        return None

    # The stored state

    @abstractmethod
    def saved(self) -> Saved:
        """Return the state from which the game can be restored."""

    @abstractmethod
    def record(self, ended: int | None = None) -> Record | None:
        """Return the record so far; None if the game has not begun.

        `ended` is the Unix time of the end, or None for a game that has not ended.
        """

    @abstractmethod
    def ending(self) -> "Ending":
        """Return the result that the game has in its present position."""

    def late_results(self) -> Sequence[SeatResult]:
        """Return the results of a finished game that may still change, by seat.

        Returns () for all other games. The evening counts the results once the table leaves the
        game.
        """
        return ()


class Kind:
    """A kind of game at one table: it makes the games and handles their messages."""

    asks_bots: bool = True
    """True if the table asks its bots. They also answer for absent people."""

    needs_everybody: bool = False
    """True if a game begins only while all people with a seat are present."""

    maximum_frame_bytes: int = FROM_CLIENT
    """Maximum bytes of a frame from a client at a table of this kind."""

    answers: frozenset[type[Message]] = frozenset()
    """Types of messages that usually change only the game. After them the table compares nothing
    else.
    """

    def begin(self, number: int, first: SeatIndex | None, settings: TableSettings) -> Play:
        """Return a game that has just begun; raises NotAllowedError if none can begin.

        `number` counts the games of the table. `first` is the first player, or None for a random
        one.
        """
        raise NotImplementedError

    def put_away(self, play: Play) -> None:
        """Handle the return of the table to its lobby; `play` was the last game."""

    def missing(self, persons: Sequence[Seat], seated: int) -> Reason | None:
        """Return the reason why no game of this kind can begin; None if one can.

        `seated` is the number of seats, including those of bots.
        """
        return None

    def is_prepared(self, persons: Iterable[Seat]) -> bool:
        """Return True if everybody has brought the keys that a game of this kind needs."""
        return True

    def bring(self, seat: Seat, key: bytes | None) -> None:
        """Store the key that a player brings for the next game.

        Raises NotAllowedError for an unneeded key, and if a needed key is missing or invalid.
        """
        if key is not None:
            raise NotAllowedError("game_key_unasked")

    def take_back(self, seat: Seat) -> None:
        """Forget the key that a player has brought."""

    def judge(self, participant: Participant, message: Message) -> None:
        """Raise NotAllowedError if a core message is not allowed in games of this kind."""

    def handle(
        self, connection: int, participant: Participant, message: Message, now: float
    ) -> bool:
        """Handle a message of this kind, and return True; return False for other messages.

        Raises NotAllowedError to refuse a message.
        """
        return False

    def notices_changed(self) -> None:
        """Handle a new or changed notice for interpreters at the table."""

    def complete(self, lobby: Lobby) -> Lobby:
        """Return the lobby, with the values of this kind added."""
        return lobby
