"""What everybody is told about a table, apart from its game and its talk."""

from collections.abc import Iterator

from netcode.protocol.messages import Lobby, Reason, SeatInfo, TableSettings
from netcode.table.absence import away
from netcode.table.effects import SendLobby
from netcode.table.entries import Phase
from netcode.table.games import Games
from netcode.table.participants import Participants, Seat, family_of


def missing(participants: Participants, settings: TableSettings, phase: Phase) -> Reason | None:
    """Return why no game can be started, or None if one can.

    The host says that they are ready by starting. From a lobby nobody starts without those who
    may be back in seconds; after a game nobody waits for those who are away.
    """
    seated = len(participants.seats)
    if seated < participants.least:
        return Reason(code="too_few", values={"needed": participants.least, "seated": seated})
    if phase == "lobby":
        if settings.first != "random" and participants.seat_of(settings.first) is None:
            return Reason(code="first_not_seated", values={"family": settings.first})
        lost = tuple(seat.name for seat in participants.persons if not seat.present)
        if lost:
            return Reason(code="connection_lost", values={"names": lost})
    waited_for = tuple(
        seat.name
        for seat in participants.persons
        if seat.present and not seat.ready and not seat.host
    )
    return Reason(code="not_ready", values={"names": waited_for}) if waited_for else None


def lobbies(
    participants: Participants,
    games: Games,
    *,
    muted: tuple[str, ...],
    silenced: bool,
    invitation: str,
    code: str | None,
    secret: bytes | None,
) -> Iterator[SendLobby]:
    """Return what each is told.

    The invitation and the code are for spectators too: they came by the same.
    """
    phase, settings = games.phase, games.settings
    common = Lobby(
        phase=phase,
        seats=tuple(_info(seat, phase) for seat in participants.seats),
        spectators=tuple(spectator.name for spectator in participants.spectators),
        settings=settings,
        missing=None if phase == "playing" else missing(participants, settings, phase),
        muted=muted,
        silenced=silenced,
        paused=games.paused,
        invitation=invitation,
        code=code,
        secret=secret,
        ended_by=games.ended_by,
        you=None,
        host=False,
    )
    for connection, participant in participants.connected():
        yield SendLobby(connection, common, family_of(participant), participant.host)


def _info(seat: Seat, phase: Phase) -> SeatInfo:
    return SeatInfo(
        family=seat.family,
        second=seat.second,
        name=seat.name,
        bot=seat.bot,
        ready=seat.ready or seat.bot is not None,
        present=seat.present,
        away=away(seat, phase),
        host=seat.host,
    )
