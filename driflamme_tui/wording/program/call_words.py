"""Builds the sentences that call a player who looks elsewhere, when there is news of the table."""

from driflamme_tui.text.i18n import _
from netcode.client.reconnection import News
from netcode.client.session import Session
from netcode.protocol.messages import Lobby, Talk, Welcome


class CallWords:
    """Compares news of a table with earlier news, to find the sentence of a call."""

    def __init__(self) -> None:
        self._before: Lobby | None = None
        """The previous lobby; None just after a Welcome."""
        self._lines = 0
        """The number of chat lines so far, as the host counts them."""
        self._resumes = False
        """True from a Welcome until the first lines of chat have come."""

    def sentence(self, news: News, session: Session) -> str:
        """Return the sentence about some news; "" if the news is no reason to call.

        Call this once for each item of news, in order, since later sentences depend on it.
        """
        match news:
            case Welcome():
                self._before, self._resumes = None, True
            case Lobby():
                before, self._before = self._before, news
                return "" if before is None else _change(before, news, session.name or "")
            case Talk(lines=lines):
                last, resumes = self._lines, self._resumes
                self._lines, self._resumes = news.first + len(lines), False
                others = [line.name for line in lines if line.name != session.name]
                # After a Welcome the host sends earlier lines again. A single line may be new.
                is_new = not resumes or (last < self._lines and (last or len(lines) == 1))
                if others and is_new:
                    return _("{name} writes in the chat.", name=others[-1])
        return ""


def _change(before: Lobby, lobby: Lobby, reader: str) -> str:
    """Return a sentence about the most urgent change of a lobby; "" for other changes."""
    if lobby.phase != "playing" and lobby.count_s is not None and before.count_s is None:
        return _("The game begins.")
    if lobby.phase == "playing" != before.phase and before.count_s is None:
        return _("The game begins.")
    if lobby.host and any(wish not in before.wishes for wish in lobby.wishes):
        return _("{name} would like the seat of a bot.", name=lobby.wishes[-1].name)
    people = _people(lobby)
    if lobby.phase == "lobby" and before.missing is not None and lobby.missing is None:
        guests = [seat for seat in lobby.seats if seat.bot is None and not seat.host]
        if guests:
            return _("Everybody is ready.")
    joined = [name for name in people if name not in _people(before) and name != reader]
    if joined and len(people) > len(_people(before)):
        return _("{name} joins the table.", name=joined[0])
    return ""


def _people(lobby: Lobby) -> list[str]:
    return [*(seat.name for seat in lobby.seats if seat.bot is None), *lobby.spectators]
