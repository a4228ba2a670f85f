"""Describes a stored table for the answer to an AskTurns, and computes the time to wake it."""

from collections.abc import Callable
from math import inf
from typing import Final, NamedTuple

from engine.ranking import owners, ranking_of_owners
from netcode.joining.spoken_code import prefix_of
from netcode.protocol.fields import MAXIMUM_LINES, FamilyLetter, Phase
from netcode.table.errors import StoreError
from netcode.table.parts import StoredNote
from netcode.table.people.seats import KeyRing
from netcode.table.restoring import restore_participants, restore_play
from netcode.table.snapshot import Snapshot
from netcode.table.table import Table
from netcode.wings.days.day_record import DaysRecord, PlayerRecord, decode_record
from netcode.wings.days.messages import MAXIMUM_LEFT_S, Turn
from netcode.wings.days.pauses import Pauses
from netcode.wings.days.settings import NAME, lasts_for_days


class SeatNote(NamedTuple):
    """A person's seat at a table."""

    keys: KeyRing
    family: FamilyLetter
    unread: int


class TurnNote(NamedTuple):
    """The facts that the players of a table may know without joining it."""

    prefix: str
    names: tuple[str, ...]
    seats: tuple[SeatNote, ...]
    phase: Phase
    round: int
    deciding: FamilyLetter | None
    """The first family of the seat that must answer; None if the table asks nobody."""
    whose: str | None
    """The name of the player who must answer; None if the table asks nobody."""
    out_at: float
    """The Unix time at which a bot answers; infinity for never."""
    host: str | None
    """The name of the host; None without one."""
    paused: bool
    winners: tuple[str, ...]
    """The winners of the game that has ended; empty for any other table."""

    def turn_of(self, hashed: bytes, unix_now: float) -> Turn | None:
        """Return the description for the owner of a key with this hash; None for other keys."""
        own = None
        # Compare all keys, so that timing does not reveal where a key fits.
        for seat in self.seats:
            if seat.keys.opens(hashed):
                own = seat
        if own is None:
            return None
        left_s = None if self.out_at == inf else max(0, int(self.out_at - unix_now))
        return Turn(
            prefix=self.prefix,
            names=self.names,
            phase=self.phase,
            round=self.round,
            whose=self.whose,
            mine=own.family == self.deciding and not self.paused,
            left_s=None if left_s is None else min(left_s, MAXIMUM_LEFT_S),
            unread=own.unread,
            host=self.host,
            paused=self.paused,
            winners=self.winners,
        )


class _Question(NamedTuple):
    """The present question of a table."""

    family: FamilyLetter | None
    """The first family of the seat that must answer; None if the table asks nobody."""
    round: int


_NOBODY: Final = _Question(None, 0)


def note_of(kept: Snapshot) -> StoredNote:
    """Return the note of a stored table, and the time at which it must be in memory."""
    return _described(kept, _question_in)


def note_of_present(table: Table) -> TurnNote | None:
    """Return the note of a table in memory; None before the table is stored."""
    games = table.games

    def question(_kept: Snapshot) -> _Question:
        seat, play = games.deciding_seat, games.play
        if seat is None or play is None or not games.kind.asks_bots:
            return _NOBODY
        return _Question(seat.family, play.seen_by(None).round)

    value = None if table.kept is None else _described(table.kept, question).value
    return value if isinstance(value, TurnNote) else None


def _question_in(kept: Snapshot) -> _Question:
    """Return the question of a stored ordinary table, found by playing its game again.

    Returns `_NOBODY` if no game is running, and for a sealed or damaged table.
    """
    if kept.game.phase != "playing" or kept.table.settings.kind is not None:
        return _NOBODY
    try:
        participants = restore_participants(kept)
        play = restore_play(kept, participants)
    except StoreError:
        # The server reports the damage to the players who join the table.
        return _NOBODY
    if play is None or play.turn is None:
        return _NOBODY
    seats = participants.seats
    return _Question(seats[play.turn % len(seats)].family, play.seen_by(None).round)


def _described(kept: Snapshot, question_of: Callable[[Snapshot], _Question]) -> StoredNote:
    """Return the note of a table; `question_of` finds the question of an ordinary table."""
    table, game = kept.table, kept.game
    stored = table.wings.get(NAME)
    lasts = lasts_for_days(table.settings) and stored is not None
    record = decode_record(stored.data) if lasts and stored is not None else DaysRecord()
    playing = game.phase == "playing"
    question = _Question(record.deciding, record.round) if lasts else question_of(kept)
    decider = next(
        (each for each in table.seats if playing and each.family == question.family), None
    )
    out_at = float(record.out_at) if decider and record.out_at and not table.paused else inf
    persons = [seat for seat in table.seats if seat.keys is not None]
    note = TurnNote(
        prefix=prefix_of(table.opened.code),
        names=tuple(seat.name for seat in table.seats),
        seats=tuple(
            SeatNote(seat.keys, seat.family, _unread(kept, record, seat.family) if lasts else 0)
            for seat in persons
            if seat.keys is not None
        ),
        phase=game.phase,
        round=question.round if playing else 0,
        deciding=None if decider is None else decider.family,
        whose=None if decider is None else decider.name,
        out_at=out_at,
        host=next((seat.name for seat in table.seats if seat.host), None),
        paused=playing and table.paused,
        winners=_winners(kept),
    )
    if not lasts or not persons:
        return StoredNote(inf, note)
    wakes_at = min(record.given_up_at, out_at)
    if decider is not None and not table.paused:
        calls_at = record.call_at(Pauses.of(table.settings))
        # A bot answers as soon as the table is in memory.
        wakes_at = min(wakes_at, 0.0 if decider.bot is not None else calls_at)
    return StoredNote(wakes_at, note)


def _winners(kept: Snapshot) -> tuple[str, ...]:
    """Return the names of the winners of a stored game that has ended.

    The result is empty for any other table, and for a sealed or damaged one.
    """
    if kept.game.phase != "result" or kept.table.settings.kind is not None:
        return ()
    try:
        participants = restore_participants(kept)
        play = restore_play(kept, participants)
    except StoreError:
        return ()
    if play is None:
        return ()
    seats, view = participants.seats, play.seen_by(None)
    is_for_two = view.players > len(seats)
    best = ranking_of_owners(view, owners(view.players, two=is_for_two))[0]
    return tuple([seats[owner[0] % len(seats)].name for owner in best])


def _unread(kept: Snapshot, record: DaysRecord, family: FamilyLetter) -> int:
    """Return the number of lines of chat since the player of a seat was last present."""
    player = record.players.get(family, PlayerRecord())
    return min(MAXIMUM_LINES, max(0, kept.table.line_count - player.lines))
