"""Defines the key that pauses the game. Pressed by a guest, it asks the host for a pause."""

from typing import Final

from driflamme_tui.keymap.key_bindings import label
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.table.answers.answering import Answering
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.people_words import PAUSE, silenced_sentence
from netcode.protocol.messages import Chat, Pause


class PauseKey:
    """The command that pauses, resumes, or asks for a pause."""

    def __init__(self, player_seat: PlayerSeat, answering: Answering) -> None:
        self._sitting: Final = player_seat
        self._answering: Final = answering

    @property
    def is_possible(self) -> bool:
        """True if the reader can pause a game with others, or ask its host to."""
        seat, lobby = self._sitting, self._sitting.lobby
        plays = seat.company and lobby.phase == "playing" and lobby.you is not None
        return plays and (seat.is_host or not lobby.paused)

    @property
    def words(self) -> str:
        """The entry's label in the key bar: a command for the host, a question for others."""
        return label(TableCommands.pause) if self._sitting.is_host else _("pause?")

    def press(self) -> str:
        """Pause, resume, or ask for a pause.

        Returns the reason why a muted guest cannot ask. Otherwise returns "", even without effect.
        """
        seat, lobby = self._sitting, self._sitting.lobby
        if not self.is_possible:
            return ""
        if not seat.is_host:
            why = silenced_sentence(lobby, seat.player_name)
            if not why:
                seat.send(Chat(phrase=PAUSE))
            return why
        # Just after the pause began, the key was probably pressed to begin it, not to end it.
        if not (lobby.paused and self._answering.guarded):
            seat.send(Pause(paused=not lobby.paused))
        return ""
