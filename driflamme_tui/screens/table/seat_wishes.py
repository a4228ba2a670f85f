"""Lets a spectator ask for the seat of a bot, and the host answer such wishes."""

from typing import Final

from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.text.i18n import _
from netcode.protocol.messages import AnswerWish, Reason, SeatWish
from netcode.protocol.refusal_sentences import refusal_sentence


class SeatWishes:
    """The commands that ask for the seat of a bot, grant it, or refuse it."""

    def __init__(self, player_seat: PlayerSeat) -> None:
        self._seat: Final = player_seat

    @property
    def may_ask(self) -> bool:
        """True for a spectator of a running game with others."""
        seat, lobby = self._seat, self._seat.lobby
        return seat.company and lobby.phase == "playing" and lobby.you is None

    @property
    def wish(self) -> SeatWish | None:
        """The oldest wish for a bot's seat, if the reader is the host and can answer it.

        None for other readers, and without a wish.
        """
        lobby = self._seat.lobby
        return lobby.wishes[0] if lobby.host and lobby.wishes else None

    def answer(self, *, granted: bool) -> str:
        """Answer the oldest wish; return the reason if nothing happens, otherwise ""."""
        wish = self.wish
        if wish is not None:
            answer = AnswerWish(name=wish.name, family=wish.family, granted=granted)
            self._seat.send(answer)
            return ""
        if granted:
            return refusal_sentence(Reason(code="seated"), _)
        return _("Nobody is asking for a seat now.")
