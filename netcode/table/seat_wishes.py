"""Gives bots' seats in a running game to spectators, at once or after the host's consent.

A spectator has seen no hidden card, so any bot's seat is open to them. A person who has played in
the game knows cards of one seat, so only that seat is open to them.
"""

from math import ceil
from typing import Final

from msgspec import Struct, field

from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import AnswerWish, Refused, SeatWish
from netcode.table.attendance import Attendance
from netcode.table.connections import Connections
from netcode.table.errors import NotAllowedError
from netcode.table.games import Games
from netcode.table.people.participants import Participants, alike
from netcode.table.people.seats import Participant, Seat, Spectator

REFUSED_S: Final = 60.0
"""Seconds after a refusal before the same spectator may ask the host again."""


class SeatWishes(Struct):
    """The wishes of spectators for the seats of bots, and the host's answers."""

    participants: Participants
    games: Games
    connections: Connections
    attendance: Attendance
    _wishes: dict[Spectator, tuple[int, FamilyLetter]] = field(default_factory=dict)
    """The game and the family of each spectator's wish, oldest first. Outdated ones may stay."""

    def open(self) -> tuple[SeatWish, ...]:
        """Return the wishes that the host can answer now, oldest first."""
        return tuple([SeatWish(each.name, family) for each, family in self._open()])

    def ask(self, participant: Participant, family: FamilyLetter | None, now: float) -> None:
        """Store the wish of a spectator, or grant it at once. `family` None withdraws the wish.

        Raises NotAllowedError if the seat is not open to the spectator, or if the host has refused
        the spectator lately.
        """
        if isinstance(participant, Seat):
            raise NotAllowedError("seated")
        if family is None:
            self._wishes.pop(participant, None)
            return
        seat = self._seat_of_bot(family)
        played = self._played_by(participant)
        if played and not set(played) & set(seat.families):
            raise NotAllowedError("played_before", family=played[0])
        latecomers = self.games.settings.latecomers
        if participant.host or (latecomers == "sit" and not self._has_former_player()):
            self._grant(participant, seat, now)
            return
        if latecomers == "watch":
            raise NotAllowedError("latecomers_watch")
        wait = participant.refused_at + REFUSED_S - now
        if wait > 0:
            raise NotAllowedError("refused_lately", seconds=ceil(wait))
        wish = self.games.begun, seat.family
        if self._wishes.get(participant) != wish:
            # A changed wish counts as a new one, so move it to the end of the list.
            self._wishes.pop(participant, None)
            self._wishes[participant] = wish

    def answer(self, message: AnswerWish, now: float) -> None:
        """Grant or refuse a wish.

        Raises NotAllowedError if the wish is no longer open, or the seat no longer a bot's.
        """
        wished = (message.name, message.family)
        spectator = next(
            (each for each, family in self._open() if (each.name, family) == wished), None
        )
        if spectator is None:
            raise NotAllowedError("no_wish", name=message.name)
        if message.granted:
            self._grant(spectator, self._seat_of_bot(message.family), now)
        else:
            spectator.refused_at = now
            self._refuse(spectator, "wish_refused", message.family)

    def _open(self) -> list[tuple[Spectator, FamilyLetter]]:
        """Return the open wishes with their spectators, and forget outdated ones."""
        if not self._wishes:
            return []
        games, there = self.games, self.participants.spectators
        self._wishes = {
            each: wish
            for each, wish in self._wishes.items()
            if each in there and games.phase == "playing" and wish[0] == games.begun
        }
        return [(each, family) for each, (_game, family) in self._wishes.items()]

    def _grant(self, spectator: Spectator, seat: Seat, now: float) -> None:
        """Give a seat to a spectator, and refuse the other wishes for it."""
        self._wishes.pop(spectator, None)
        self.attendance.give_seat(spectator, seat, now)
        for other, family in self._open():
            if family == seat.family:
                self._refuse(other, "wish_too_late", family)

    def _refuse(self, spectator: Spectator, code: str, family: FamilyLetter) -> None:
        del self._wishes[spectator]
        refused = Refused(code=code, values={"family": family})
        self.connections.send(spectator.connection, refused)

    def _seat_of_bot(self, family: FamilyLetter) -> Seat:
        """Return the bot's seat of a family; raises NotAllowedError if no bot has the family."""
        seat = self.participants.seat_of(family)
        if seat is None:
            raise NotAllowedError("no_such_seat", family=family)
        if seat.bot is None:
            raise NotAllowedError("persons_seat", family=family)
        return seat

    def _has_former_player(self) -> bool:
        """Return True if a person has lost a seat in this game.

        They know its cards, and may return to watch under another name.
        """
        record = None if self.games.play is None else self.games.play.record()
        seated = {alike(seat.name) for seat in self.participants.persons}
        return any(
            holder.bot is None and alike(holder.name) not in seated
            for player in (() if record is None else record.players)
            for holder in player.holders
        )

    def _played_by(self, spectator: Spectator) -> list[str]:
        """Return the families that a person with the spectator's name has played in this game."""
        record = None if self.games.play is None else self.games.play.record()
        name = alike(spectator.name)
        return [
            player.family
            for player in (() if record is None else record.players)
            if any(each.bot is None and alike(each.name) == name for each in player.holders)
        ]
