"""Describes a stored table for the answer to an AskTurns, and computes the time to wake it."""

from collections.abc import Callable
from math import inf
from typing import Final, NamedTuple

from netcode.joining.spoken_code import prefix_of
from netcode.protocol.fields import MAXIMUM_LINES, FamilyLetter, Phase
from netcode.table.errors import StoreError
from netcode.table.parts import StoredNote
from netcode.table.people.participants import Participants
from netcode.table.people.seats import KeyRing
from netcode.table.play import Play
from netcode.table.restoring import restore_participants, restore_play
from netcode.table.snapshot import Snapshot
from netcode.table.table import Table
from netcode.wings.days.day_record import DaysRecord, PlayerRecord, decode_record
from netcode.wings.days.messages import MAXIMUM_LEFT_S, Turn
from netcode.wings.days.pauses import Pauses
from netcode.wings.days.seat_proofs import proves_key
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
    call_for: int
    """The Unix time of the question, as in a `CallReport`; 0 if the question needs no call."""
    out_at: float
    """The Unix time at which a bot answers; infinity for never."""
    host: str | None
    """The name of the host; None without one."""
    paused: bool
    winners: tuple[str, ...]
    """The winners of the game that has ended; empty for any other table."""

    def turn_of(self, proof: bytes, unix_now: float) -> Turn | None:
        """Return the description for the owner of a seat; None for a wrong proof."""
        own = None
        # Compare all seats, so that timing does not reveal where a proof fits.
        for seat in self.seats:
            if proves_key(seat.keys, proof):
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


class _Progress(NamedTuple):
    """The present question of a game, or its winners."""

    family: FamilyLetter | None = None
    """The first family of the seat that must answer; None if the table asks nobody."""
    round: int = 0
    """The round of the running game; 0 without one."""
    winners: tuple[str, ...] = ()
    """The winners of a game that has ended; empty before."""


_UNKNOWN: Final = _Progress()


def note_of(kept: Snapshot) -> StoredNote:
    """Return the note of a stored table, and the time at which it must be in memory."""
    return _described(kept, _restored_progress)


def note_of_present(table: Table) -> TurnNote | None:
    """Return the note of a table in memory; None before the table is stored."""
    games = table.games

    def progress(_kept: Snapshot) -> _Progress:
        return _progress(games.play, table.participants) if games.kind.asks_bots else _UNKNOWN

    value = None if table.kept is None else _described(table.kept, progress).value
    return value if isinstance(value, TurnNote) else None


def _restored_progress(kept: Snapshot) -> _Progress:
    """Return the progress of a stored table's game, found by playing the game again.

    Returns `_UNKNOWN` without a game, and for a sealed or damaged table.
    """
    if kept.game.phase == "lobby" or kept.table.settings.kind is not None:
        return _UNKNOWN
    try:
        participants = restore_participants(kept)
        return _progress(restore_play(kept, participants), participants)
    except StoreError:
        # The server reports the damage to the players who join the table.
        return _UNKNOWN


def _progress(play: Play | None, participants: Participants) -> _Progress:
    """Return the progress of an ordinary game; `_UNKNOWN` without a game."""
    if play is None:
        return _UNKNOWN
    if play.over:
        # People may have come and gone since the end, so take the names from the record.
        record, places = play.record(), play.ending().places
        players = () if record is None else record.players
        winners = [
            each.name for each, place in zip(players, places or (), strict=False) if place == 1
        ]
        return _Progress(winners=tuple(dict.fromkeys(winners)))
    if play.turn is None:
        return _UNKNOWN
    seats = participants.seats
    return _Progress(seats[play.turn % len(seats)].family, play.seen_by(None).round)


def _described(kept: Snapshot, progress_of: Callable[[Snapshot], _Progress]) -> StoredNote:
    """Return the note of a table.

    `progress_of` finds the progress of a game. It is not called for a running long game, because
    the record of the table has its question.
    """
    table, game = kept.table, kept.game
    stored = table.wings.get(NAME)
    lasts = lasts_for_days(table.settings) and stored is not None
    record = decode_record(stored.data) if lasts and stored is not None else DaysRecord()
    playing = game.phase == "playing"
    has_question = lasts and playing
    known = _Progress(record.deciding, record.round)
    progress = known if has_question else progress_of(kept)
    decider = next(
        (each for each in table.seats if playing and each.family == progress.family), None
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
        round=progress.round if playing else 0,
        deciding=None if decider is None else decider.family,
        whose=None if decider is None else decider.name,
        call_for=0 if decider is None or record.was_called else record.question_at,
        out_at=out_at,
        host=next((seat.name for seat in table.seats if seat.host), None),
        paused=playing and table.paused,
        winners=progress.winners if game.phase == "result" else (),
    )
    if not lasts or not persons:
        return StoredNote(inf, note)
    wakes_at = min(record.given_up_at, out_at)
    if decider is not None and not table.paused:
        calls_at = record.call_at(Pauses.of(table.settings))
        # A bot answers as soon as the table is in memory.
        wakes_at = min(wakes_at, 0.0 if decider.bot is not None else calls_at)
    return StoredNote(wakes_at, note)


def _unread(kept: Snapshot, record: DaysRecord, family: FamilyLetter) -> int:
    """Return the number of lines of chat since the player of a seat was last present."""
    player = record.players.get(family, PlayerRecord())
    return min(MAXIMUM_LINES, max(0, kept.table.line_count - player.lines))
