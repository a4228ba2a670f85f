"""Restores a table from stored state: its seats, and its game with all actions."""

import math
from typing import TYPE_CHECKING

from msgspec.structs import astuple

from engine.bots import DEFAULT_BOT, is_bot
from engine.record import Record, RecordError
from netcode.protocol.fields import checked_struct, is_name
from netcode.protocol.table_settings import TableSettings, misfit
from netcode.registry import FAILURES
from netcode.table.errors import (
    NotAllowedError,
    StoreError,
    damaged_seats,
    damaged_settings,
    damaged_table_error,
    failed_part,
    missing_part,
    newer_part,
)
from netcode.table.kinds import record_versions, restore_of_wing
from netcode.table.live_game import LiveGame
from netcode.table.people.participants import Participants
from netcode.table.people.seats import KeptSeat, Seat, places_of
from netcode.table.play import Play
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot

if TYPE_CHECKING:
    from netcode.table.finished_game import EndedGame


def refuse_unreadable(kept: KeptTable) -> None:
    """Refuse a stored table that this program cannot resume.

    Raises:
        StoreError: A record or setting needs a wing or a version that this program lacks, or the
            settings contradict each other.
    """
    why = misfit(kept.settings)
    if why is not None:
        code, values = why
        if code == "unknown_setting":
            raise _missing(values["name"].partition(".")[0])
        raise damaged_settings()
    if not kept.wings:
        return
    versions = record_versions()
    for name, record in kept.wings.items():
        if name not in versions:
            raise _missing(name)
        if record.version > versions[name]:
            raise newer_part(name)


def _missing(wing: str) -> StoreError:
    """Return the error for a table whose wing is missing or failed to load."""
    why = FAILURES.get(wing)
    return failed_part(wing, why) if why else missing_part(wing)


def restore_participants(kept: Snapshot) -> Participants:
    """Return the stored seats, with all persons absent; raises StoreError if they are invalid."""
    two = kept.table.settings.two
    seats = [_restore_seat(each) for each in kept.table.seats]
    participants = Participants(seats, two=two)
    families = participants.families
    if (
        len(set(families)) < len(families)
        or len(seats) > participants.most
        or len(seats) != len(kept.game.acted)
        or any((seat.second is not None) != two for seat in seats)
        or len({seat.name for seat in seats}) < len(seats)
        or sum(seat.host for seat in seats) > 1
    ):
        raise damaged_seats()
    for seat, acted in zip(seats, kept.game.acted, strict=True):
        seat.acted = acted
    return participants


def restore_game(kept: KeptGame, participants: Participants) -> LiveGame | None:
    """Return the stored game with all its actions played; None if no game is stored.

    Raises StoreError if the stored game is invalid.
    """
    if not kept.record:
        return None
    try:
        record = Record.from_json(kept.record)
        settings = checked_struct(
            {**record.settings, "edition": record.deal.edition.number}, TableSettings
        )
    except RecordError as error:
        raise StoreError(error.template, **error.values) from None
    except ValueError:
        raise damaged_settings() from None
    families = record.deal.families
    # Compare only the first seats: after a game, newcomers may have taken seats for the next one.
    if settings.two != participants.two or not participants.families.startswith(families):
        raise damaged_seats()
    play = LiveGame(kept.begun, record.deal, settings, record.players, record.began)
    for step, token in enumerate(kept.actions, 1):
        try:
            play.act(token)
        except NotAllowedError:
            raise StoreError(
                "The journal of tables is damaged: step {step} of the game, {token!r}, breaks "
                "the rules. It is left as it is: open a new table, or begin a new game.",
                step=step,
                token=token,
            ) from None
    if not play.over and families != participants.families:
        raise damaged_seats()
    return play


def restore_play(kept: Snapshot, participants: Participants) -> Play | None:
    """Return the stored game of any kind; None if no game is stored.

    Raises StoreError if the stored game is invalid, or if its wing is missing.
    """
    kind = kept.table.settings.kind
    if kind is None:
        play: Play | None = restore_game(kept.game, participants)
    else:
        play = restore_of_wing(kind, kept)
    if not _fits(kept.game, play):
        # Refuse the row: without its game, the table would later overwrite the stored game.
        raise damaged_table_error("a row makes no sense")
    return play


def _fits(kept: KeptGame, play: Play | None) -> bool:
    """Return True if a restored game fits the stored phase, answers and number of changes."""
    if play is None:
        return kept.phase == "lobby" and not (kept.record or kept.actions or kept.pieces)
    phase = "result" if play.over else "playing"
    record, actions, pieces = play.saved()
    # Compare no text of records: an earlier version of the program may have written it.
    is_whole = (bool(record), actions, pieces) == (bool(kept.record), kept.actions, kept.pieces)
    if kept.phase != phase or not kept.begun or not is_whole:
        return False
    if not record:
        # A table that has moved to another host counts its changes from 0 again.
        return True
    # The beginning of a game counts as a change, and so does each answer.
    earlier = kept.revision - 1 - len(kept.actions)
    return earlier == 0 if kept.begun == 1 else earlier >= 0


def abandoned_game(kept: Snapshot) -> "EndedGame | None":
    """Return the interrupted game as it was; None if no game was dealt.

    Raises StoreError if the stored state is invalid, or if it needs a wing that is missing.
    """
    from netcode.table.finished_game import EndedGame

    refuse_unreadable(kept.table)
    participants = restore_participants(kept)
    play = restore_play(kept, participants)
    record = None if play is None else play.record()
    if play is None or record is None:
        return None
    hosts = [seat for seat in participants.seats if seat.host and kept.table.owner is not None]
    own = places_of(hosts, play.families)
    return EndedGame(record, play.ending(), own)


def _restore_seat(kept: KeptSeat) -> Seat:
    if (kept.bot is None) != (kept.keys is not None) or not is_name(kept.name):
        raise damaged_seats()
    seat = Seat(*astuple(kept))
    # The host was absent too. Absence counts from the return of the first player.
    seat.away_since = math.inf
    if seat.bot is not None and not is_bot(seat.bot):
        # The package of this bot was removed, so use another bot.
        seat.bot = DEFAULT_BOT
    return seat
