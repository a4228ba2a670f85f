"""Computes the moment of the table that a screen draws: a pure function, without widgets."""

from msgspec.structs import replace

from driflamme_tui.drawing.layout import Layout
from driflamme_tui.drawing.table_state import NO_EFFECT, TableState
from driflamme_tui.screens.countdown import Countdown
from driflamme_tui.screens.table.animation import Animation
from driflamme_tui.screens.table.answers.answering import Answering
from driflamme_tui.screens.table.event_lines import EventLines
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.event_words import TableNames, table_names
from driflamme_tui.wording.game.names import family_name
from driflamme_tui.wording.program.evening_words import again_words
from driflamme_tui.wording.program.joining_words import lost_title
from engine.views import View
from netcode.protocol.fields import PREFIX_LENGTH, letters_of
from netcode.protocol.messages import SeatInfo


def players_at(player_seat: PlayerSeat, view: View) -> list[SeatInfo]:
    """Return the player in each seat of a view.

    A seat that the lobby does not have gets only a family and a name; if the name is unknown too,
    the family's name.
    """
    seats: dict[str | None, SeatInfo] = {
        each: seat for seat in player_seat.lobby.seats for each in (seat.family, seat.second)
    }
    names = player_seat.names or map(family_name, view.families)
    named = zip(letters_of(view.families), names, strict=True)
    return [seats.get(each) or SeatInfo(family=each, name=name) for each, name in named]


def names_at(player_seat: PlayerSeat, view: View) -> list[str]:
    """Return the names of the players, by seat of a view."""
    return [player.name for player in players_at(player_seat, view)]


def table_names_at(player_seat: PlayerSeat, view: View, glyphs: Glyphs) -> TableNames:
    """Return the names of all players for sentences about events.

    If the player answers for all seats, no seat is called "you".
    """
    table = table_names(view, names_at(player_seat, view), player_seat.session.owners(), glyphs)
    return replace(table, you=None) if player_seat.is_anybody else table


def moment_of(
    player_seat: PlayerSeat,
    answering: Answering,
    animation: Animation,
    event_lines: EventLines,
    *,
    glyphs: Glyphs,
    layout: Layout,
    now: float,
    countdown: Countdown | None = None,
    latency_ms: int | None = None,
    forced: str = "",
) -> TableState:
    """Return everything that the widgets of a table draw at a moment.

    Args:
        player_seat: The reader's seat at the table.
        answering: The question, and the reader's choices so far.
        animation: The animation of the latest events.
        event_lines: The lines of all events.
        glyphs: The signs of the terminal.
        layout: The arrangement of all zones.
        now: The time in seconds, on the app's clock.
        countdown: The clock of the question; None without one.
        latency_ms: Milliseconds that a message takes to the host and back; None if unknown.
        forced: The latest forced decision, as a sentence; "" without one.
    """
    session, view, lobby = player_seat.session, answering.view, player_seat.lobby
    players, look = players_at(player_seat, view), answering.look
    wanted = again_words(lobby) if view.over else ""
    table = table_names_at(player_seat, view, glyphs)
    names = names_at(player_seat, view)
    log = event_lines.update(session.events, names, table, session.overdue)
    stays = animation.stays(view, session.events, log, table, session.overdue)
    frame = animation.reel.frame
    change = [] if view.over else animation.changes(view if frame is None else frame.view)
    effect = NO_EFFECT
    question = None if frame is not None else answering.question
    # A question is more important than the latest decision of the rules.
    decided = forced if question is None else ""
    if frame is not None:
        view, effect, stays, log = frame.view, frame.effect, None, log[: frame.event_count]
    return TableState(
        view=view,
        players=players,
        glyphs=glyphs,
        layout=layout,
        question=question,
        owners=session.owners(),
        hand_of=answering.hands.shown,
        cursor=look.cursor,
        looking=look.on,
        mirrored=answering.mirrored,
        sent=session.pending is not None,
        lost="" if player_seat.lost is None else lost_title(player_seat.lost, now),
        is_closed=player_seat.lost is not None and player_seat.lost.is_closed,
        paused=lobby.paused,
        host=lobby.host,
        stood_in=answering.stood_in and not view.over,
        taking_back=answering.taking_back,
        has_clock=lobby.settings.clock_s > 0,
        time_left=None if countdown is None else countdown.shown(now),
        time_runs=countdown is not None and countdown.clock.running,
        latency_ms=latency_ms,
        prefix=lobby.code[:PREFIX_LENGTH] if lobby.code else "",
        notice=answering.notice or ("" if lobby.paused else answering.stood_for),
        forced=decided if frame is None else "",
        log=[line for line in [*log, (None, wanted)] if line[1]],
        effect=effect,
        is_animated=frame is not None,
        frame=frame,
        again=animation.reel.again,
        stays=stays,
        change=change,
    )
