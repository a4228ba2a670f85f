"""How a table is made of what was kept of it: its seats, and its game played to where it was."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.bots import DEFAULT_BOT, is_bot
from engine.words import N_
from netcode.protocol.fields import checked
from netcode.protocol.messages import TableSettings
from netcode.table.errors import NotAllowedError, StoreError, damaged, damaged_seats
from netcode.table.journal_entries import KeptParcel, KeptSeat, Snapshot
from netcode.table.live_game import LiveGame
from netcode.table.people.key_ring import KeyRing
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Seat

if TYPE_CHECKING:
    from netcode.table.relayed_game import RelayedGame


def kept_seat(seat: Seat) -> KeptSeat:
    """Return what is to be kept of a seat."""
    return KeptSeat(
        seat.family,
        seat.name,
        seat.bot,
        None if seat.keys is None else seat.keys.hashes,
        seat.host,
        seat.left,
        seat.absence,
        seat.second,
    )


def restore_participants(kept: Snapshot) -> Participants:
    """Return the seats that were kept, with all persons away; raises StoreError."""
    two = kept.table.settings.two
    seats = [_restore_seat(each) for each in kept.table.seats]
    participants = Participants(seats, two=two)
    families = participants.families
    if (
        len(set(families)) < len(families)
        or len(seats) > participants.most
        or any((seat.second is not None) != two for seat in seats)
        or len({seat.name for seat in seats}) < len(seats)
        or sum(seat.host for seat in seats) > 1
    ):
        raise damaged_seats()
    for seat, acted in zip(seats, kept.table.acted, strict=False):
        seat.acted = acted
    for act in kept.acts:
        if act.number is not None and 0 <= act.seat < len(families):
            seat = participants.seat_at(act.seat)
            seat.acted = max(seat.acted, act.number)
    return participants


def restore_game(kept: Snapshot, participants: Participants) -> LiveGame | None:
    """Return the game that was kept, played to where it was by its players; raises StoreError."""
    game = kept.game
    if game is None or game.record is None:
        return None
    deal = game.record.deal
    # At a result somebody may have sat down for the next game.
    if not participants.families.startswith(deal.families):
        raise damaged_seats()
    try:
        settings = checked({**game.record.settings, "edition": deal.edition.number}, TableSettings)
    except ValueError:
        raise StoreError(N_("The journal is damaged: the settings of the game are none.")) from None
    if settings.two != participants.two:
        raise damaged_seats()
    play = LiveGame(game.number, deal, settings, game.record.players)
    for step, act in enumerate(kept.acts, 1):
        if act.step != step:
            raise StoreError(
                N_("The journal is damaged: step {step} of the game is missing."), step=step
            )
        try:
            play.act(act.seat, act.token)
        except NotAllowedError:
            raise StoreError(
                N_("The journal is damaged: step {step} of the game, {token!r}, breaks the rules."),
                step=step,
                token=act.token,
            ) from None
    if not play.over and deal.families != participants.families:
        raise damaged_seats()
    return play


def restore_relayed(kept: Snapshot) -> "RelayedGame | None":
    """Return the sealed game that was kept, with all that has come of it; raises StoreError."""
    if kept.game is None or kept.game.record is not None:
        return None
    return relayed_game(kept.game.number, kept.parcels)


def relayed_game(number: int, kept: Sequence[KeptParcel]) -> "RelayedGame":
    """Return a sealed game of what was kept of it; raises StoreError."""
    # They bring cryptography along, which an ordinary table does not need.
    from netcode.sealed.encoding import Parcel, SealedError
    from netcode.table.relayed_game import RelayedGame

    if not kept or [each.place for each in kept] != [*range(len(kept))]:
        raise damaged("a row is missing")
    try:
        parcels = [Parcel(each.body, each.signature) for each in kept]
        return RelayedGame.restored(number, parcels)
    except SealedError:
        raise damaged("a row makes no sense") from None


def _restore_seat(kept: KeptSeat) -> Seat:
    if (kept.bot is None) != (kept.keys is not None):
        raise damaged_seats()
    # A bot whose package is gone does not keep people from going on.
    known = kept.bot is None or is_bot(kept.bot)
    return Seat(
        family=kept.family,
        second=kept.second,
        name=kept.name,
        bot=kept.bot if known else DEFAULT_BOT,
        keys=None if kept.keys is None else KeyRing(kept.keys),
        host=kept.host,
        left=kept.left,
        absence=kept.absence,
        # Until the first is back, nobody's absence counts: the host was away too.
        away_since=math.inf,
    )
