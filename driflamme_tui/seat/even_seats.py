"""Which bots of a table are to be as strong as the player, also in the games to come."""

from collections.abc import Sequence

from driflamme_tui.preferences.even_bots import EVEN, seated
from netcode.client.interpreted import Asked
from netcode.protocol.messages import AddBot, ChangeBot, Lobby, SetReady, Start


class EvenSeats:
    """Knows the bots that were asked for as `EVEN`, and has them follow their player."""

    def __init__(self, bots: Sequence[str]) -> None:
        """Begin at a table where such bots have been asked for."""
        self.asked = list(bots)
        """What bots were asked for that have not sat down yet.

        To be cleared after a refusal, and when the line is lost.
        """
        self._bots: dict[str, str] = {}
        """What those were asked for who have, by their names; "" if not from here."""

    def see(self, lobby: Lobby) -> None:
        """Take note of who is at the table."""
        names = [seat.name for seat in lobby.seats if seat.bot is not None]
        for name in names:
            if name not in self._bots:
                self._bots[name] = self.asked.pop(0) if self.asked else ""
        self._bots = {name: bot for name, bot in self._bots.items() if name in names}

    def is_about(self, message: Asked, lobby: Lobby) -> bool:
        """Return whether something else may have to be said, or said before."""
        return isinstance(message, AddBot | ChangeBot | SetReady | Start) and lobby.host

    async def to_send(self, message: Asked, lobby: Lobby) -> list[Asked]:
        """Return what is said to the host when this is to be: before a game, other levels first."""
        match message:
            case AddBot(bot=bot):
                self.asked.append(bot)
                return [AddBot(bot=(await seated((bot,)))[0])]
            case ChangeBot(family=family, bot=bot):
                self._bots |= {seat.name: bot for seat in lobby.seats if seat.family == family}
                return [ChangeBot(family=family, bot=(await seated((bot,)))[0])]
            case SetReady(ready=True) | Start():
                even = [seat for seat in lobby.seats if self._bots.get(seat.name) == EVEN]
                levels = zip(even, await seated((EVEN,) * len(even)), strict=True)
                changed = [(seat, bot) for seat, bot in levels if seat.bot != bot]
                return [*(ChangeBot(family=seat.family, bot=bot) for seat, bot in changed), message]
        return [message]
