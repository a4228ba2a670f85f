"""Builds the status of the lobby, and the button for the next step."""

from rich.text import Text

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key, label
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.screens.gathering_screen import GatheringScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.evening_words import start_words
from driflamme_tui.wording.program.joining_words import round_trip
from driflamme_tui.wording.program.settings_words import free_families
from netcode.protocol.refusal_sentences import refusal_sentence


def status_text(screen: GatheringScreen) -> Text:
    """Return the number of ready players, host and bots included, and the latency if it is known.

    While the connection is lost, return a text about the loss and the next attempt.
    """
    if lost := screen.lost_title():
        return screen.text((lost, "alert"))
    seats = screen.lobby.seats
    ready = sum(seat.ready or seat.host or seat.bot is not None for seat in seats)
    sentence = _("{n} of {all} ready", n=ready, all=len(seats))
    trip = round_trip(screen.player_seat.latency_ms, screen.glyphs)
    return screen.text(f" {screen.glyphs.separator} ".join(filter(None, (sentence, trip))))


def status_of(screen: GatheringScreen) -> tuple[str, str]:
    """Return the reason why the table waits, and the action that helps; "" if no action does.

    During a countdown the reason is the time that is left.
    """
    lobby, mine = screen.lobby, screen.lobby.your_seat
    start, ready = _key(screen, LobbyCommands.start), _key(screen, LobbyCommands.ready)
    if screen.player_seat.lost is not None:
        lost = _("The connection is lost: {key} tries again at once.")
        if screen.player_seat.lost.is_closed:
            lost = _("You are reconnected as soon as the host reopens the table; {key} tries now.")
        return lost.format(key=_key(screen, LobbyCommands.retry)), "retry"
    if waits := screen.sections.waits():
        return waits, ""
    if count := screen.count:
        stops = start if lobby.host else ready
        words = start_words(count, "" if mine is None else stops)
        return words, "start" if lobby.host else "ready"
    if lobby.host and lobby.missing is None:
        return _("Everybody is ready: {key} starts the game.", key=start), "start"
    if lobby.host and lobby.missing is not None:
        return refusal_sentence(lobby.missing, _), ""
    if mine is None and free_families(lobby):
        return _("You are watching: {key} to sit down.", key=ready), "ready"
    if mine is None:
        return _("You are watching."), ""
    if mine.ready:
        return _("You are ready. Waiting for the host to start."), "ready"
    return _("Press {key} when you are ready.", key=ready), "ready"


def button(screen: GatheringScreen) -> Text:
    """Return the button that starts the game, or that makes the reader ready.

    The host's button is pale while no game can start. For a guest who cannot get ready, return an
    empty text: outside the lobby phase, or without a seat while no seat is free.
    """
    command = LobbyCommands.start if screen.player_seat.is_host else LobbyCommands.ready
    can = screen.can(command)
    if not screen.player_seat.is_host and not can:
        return Text()
    words = screen.first_entries().get(command) or label(command)
    button = screen.text((f" {_key(screen, command)}  {words} ", "chosen" if can else "mute"))
    return screen.clickable(button, command.action) if can else button


def _key(screen: GatheringScreen, command: Command) -> str:
    return key(command, screen.glyphs)
