"""Defines the interface of time controls: the treatment of time and absent people at a table.

The ordinary time control (`absence.py`) is for a game in one evening: a bot soon answers for absent
people. A part of a wing can give its table another time control.
"""

from collections.abc import Collection, Sequence
from typing import Protocol

from netcode.protocol.fields import Phase
from netcode.protocol.messages import Away
from netcode.table.people.seats import Seat


class TimeControl(Protocol):
    """The treatment of time and absent people at one table.

    Times are those of the server's clock, in seconds, and infinity stands for never. Controls
    that compare equal give the same results.
    """

    # A decision

    def who_answers(self, seat: Seat, *, is_deciding: bool) -> Away:
        """Return the present treatment of a seat's questions.

        `is_deciding` is True if the table asks this seat. `no`: its player answers. `bot`: a bot
        answers, at once. `grace`: a bot answers, after some seconds. `wait`: nobody answers.
        """

    def looks_at(self, now: float) -> float:
        """Return the time at which the table calls `who_answers` again for the asked person.

        It is infinity if only an input of the table changes the answer.
        """

    def bot_answered(self, seat: Seat, *, is_clock_out: bool) -> bool:
        """Handle a bot's answer for a seat; return True if the time of the seat's person was up.

        `is_clock_out` is True if the clock in seconds has run out. This is called just before the
        answer is played.
        """

    # An absence

    def absence_began(self, seat: Seat, *, has_left: bool) -> None:
        """Handle the end of the connection of a person whose seat stays for now.

        `has_left` is True if the person has left for good.
        """

    def absence_shown(self, seat: Seat, phase: Phase) -> Away:
        """Return the treatment of a person's absence that everybody sees, as in `who_answers`."""

    def host_decides(self, seat: Seat) -> None:
        """Handle the host's wish to choose the treatment of a person's questions.

        Raises NotAllowedError if the host may not decide this.
        """

    def stops_without_people(self) -> bool:
        """Return True if a game stands still while nobody is present."""

    def is_deserted(self, persons: Collection[Seat], now: float) -> bool:
        """Return True if newcomers may end the running game, whose persons are all absent."""

    # The lobby

    def keeps_seat_until(self, seat: Seat, now: float) -> float:
        """Return the time until which a lobby keeps the seat of an absent person."""

    def yielding_seat(self, absent: Sequence[Seat]) -> Seat | None:
        """Return the seat of an absent person that a newcomer gets at a full table.

        `absent` are the possible seats. Returns None if no seat yields now.
        """

    def start_awaits(self, seat: Seat) -> bool:
        """Return True if no game begins in a lobby without this absent person."""

    # The host

    @property
    def keeps_host(self) -> bool:
        """True if an absent host stays the host: the others only continue a frozen game."""

    def awaits_host_until(self, now: float, *, is_frozen: bool) -> float:
        """Return the time until which a running game at least waits for its absent host.

        `is_frozen` is True if only the host can continue the game. Minus infinity stands for no
        wait beyond the usual one.
        """
