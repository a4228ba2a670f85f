"""Lets a program play: one JSON object a line, in both directions.

The program receives the host's messages, as in `netcode/protocol/messages.py`, without secrets. In
a `state`, the `view` is a line of the notation, and three fields are added. `legal` has the
possible answers; it is empty if another player must answer. `sentences` has the events as
sentences. `standing` has the present ranking. After a return to a running game, `since_answer`
tells what happened since the last answer, and `missed_from` marks the chat that the player missed.
The program sends a client's messages. An `act` needs
only its `action`, since this module knows the question. `netcode/README.md` explains more.
"""

import json
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Union, get_args

import msgspec

from driflamme_tui.model.earlier_views import view_before
from driflamme_tui.plain.line_player import LineEffect, Reply, reply_of
from driflamme_tui.plain.wing_lines import wing_messages, wing_requests
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.event_words import TableNames, event_sentence, table_names
from engine.actions import ACTIONS
from engine.notation import format_position
from engine.ranking import places, ranking_of_owners, total
from engine.views import View
from netcode.client.interpreted import SeenState
from netcode.client.reconnection import Connected, ConnectionLost, HostMoved, News
from netcode.client.session import Session
from netcode.protocol.codec import encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import Leave, State, TableRequest, Talk

_REQUESTS: Final[tuple[type[Message], ...]] = (*get_args(TableRequest), *wing_messages())
"""The types of messages that a program can send to a table."""


def _decoder() -> msgspec.json.Decoder[Message]:
    union: Any = Union[_REQUESTS]  # noqa: UP007 - it is made of a tuple
    return msgspec.json.Decoder(union)


_DECODER: Final = _decoder()
"""Decodes a program's requests to a table."""

_KINDS: Final = sorted(
    {
        "act",
        *wing_requests(),
        "leave",
        *(str(kind.__struct_config__.tag) for kind in _REQUESTS),
    }
)
"""The types of a program's messages, for the sentence about an unknown type."""

_SECRET: Final = ("key", "secret", "proof", "share")
"""Fields of the host's messages that a program does not receive."""


def _request(wish: dict[str, object]) -> Callable[[Session], LineEffect] | None:
    """Return a wing's function for a request that has only a type; None for any other request."""
    name = wish.get("type")
    return wing_requests().get(name) if isinstance(name, str) and len(wish) == 1 else None


class JsonPlayer:
    """Describes news of the session in JSON, and replies to lines of JSON."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.player_seat: PlayerSeat | None = None
        """The player's seat at the table; None for a session without a seat."""
        self._arrives = True
        """True until the first state."""
        self._has_chat = False
        """True once the program has received chat."""

    def news(self, news: News) -> list[str]:
        """Return the lines about one item of news; [] for the news that a connection is open.

        Call this after the session has received the news.
        """
        if isinstance(news, Connected):
            return []
        if isinstance(news, ConnectionLost):
            lost = _line({"type": "lost", "wait_ms": round(news.wait_s * 1000)})
            # Report the Goodbye of a planned end only with the first attempt to reconnect.
            closed = news.closed if news.attempt == 1 else None
            return [lost] if closed is None else [*self.news(closed), lost]
        if isinstance(news, HostMoved):
            return [_line({"type": "host_moved", "address": str(news.address)})]
        sent = news.sent() if isinstance(news, SeenState) else news
        fields: dict[str, object] = _plain(msgspec.msgpack.decode(encode(sent)))
        if isinstance(news, State):
            fields |= self._about(news)
        elif isinstance(news, Talk):
            fields |= self._missed()
        return [_line(fields)]

    def trouble(self, sentence: str) -> str:
        """Return the line for an error: an object of the type `wrong`."""
        return _line({"type": "wrong", "sentence": sentence})

    def is_answer(self, text: str) -> bool:
        """Return True if a line answers a question.

        Such a line must wait until the question is asked.
        """
        with suppress(ValueError, RecursionError):
            wish = json.loads(text)
            return isinstance(wish, dict) and wish.get("type") in ("act", *wing_requests())
        return False

    def line(self, text: str) -> Reply:
        """Return the reply to a line: for an invalid line an error, for a blank line nothing."""
        if not text.strip():
            return Reply()
        try:
            wish = json.loads(text)
        except (ValueError, RecursionError):
            return self._wrong(_("This line is not JSON: send one JSON object per line."))
        if not isinstance(wish, dict):
            return self._wrong(_("This line is not a JSON object: send one object per line."))
        if wish == {"type": "leave"}:
            return Reply(messages=[Leave()], leaves=True)
        if (request := _request(wish)) is not None:
            effect = request(self.session)
            return self._wrong(effect) if isinstance(effect, str) else reply_of(effect)
        if wish.get("type") == "act":
            return self._act(wish.get("action"))
        try:
            return Reply(messages=[_DECODER.decode(text)])
        except ValueError as error:
            return self._misfit(str(error))

    def _wrong(self, sentence: str) -> Reply:
        return Reply([self.trouble(sentence)])

    def _misfit(self, why: str) -> Reply:
        """Return an error with the wrong field and the expected value, in msgspec's words."""
        if why.endswith(("`$.type`", "field `type`")):
            why = f"Expected one of {', '.join(_KINDS)} - at `$.type`"
        return self._wrong(_("The message is not valid: {why}.", why=why))

    def _act(self, token: object) -> Reply:
        action = ACTIONS.get(token) if isinstance(token, str) else None
        if action is None:
            return self._misfit("Expected one of `legal` - at `$.action`")
        return Reply(messages=[self.session.act(action)])

    def _about(self, state: State) -> dict[str, object]:
        view = self.session.view
        if view is None:
            return {}
        names, owners = self.session.names(), self.session.owners()
        table = table_names(view, names, owners)
        found = places(view, owners)
        standing = [
            {
                "place": found[owner[0]],
                "name": names[owner[0]],
                "families": "".join(view.families[seat] for seat in owner),
                "influence": total(view, owner),
            }
            for shared in ranking_of_owners(view, owners)
            for owner in shared
        ]
        return {
            "view": format_position(view),
            "legal": [action.token for action in view.legal],
            "sentences": [event_sentence(event, table) for event in state.events],
            "standing": standing,
            **self._since_answer(view, table),
        }

    def _since_answer(self, view: View, table: TableNames) -> dict[str, object]:
        """Return the field about the events since the last answer of a player who has returned.

        Only the first state has it.
        """
        arrives, self._arrives = self._arrives, False
        count = self.player_seat.answered if arrives and self.player_seat is not None else None
        before = None if count is None else view_before(view, self.session.events, count)
        if before is None:
            return {}
        since = {
            "view": format_position(before),
            "first_event": count,
            "sentences": [event_sentence(each, table) for each in self.session.events[count:]],
        }
        return {"since_answer": since}

    def _missed(self) -> dict[str, object]:
        """Return the field about the chat that a player who has returned has missed.

        Only the first chat has it, and only if it came while the player was away. It is an index
        into the lines of that message, since the host sends a new connection all lines at once.
        """
        has_chat, self._has_chat = self._has_chat, True
        missed_from = None if self.player_seat is None else self.player_seat.missed_from
        return {} if has_chat or missed_from is None else {"missed_from": missed_from}


def _plain(data: Any) -> Any:
    """Return a message as data for JSON: without secrets at any depth, and with bytes as base64."""
    if isinstance(data, dict):
        return {name: _plain(value) for name, value in data.items() if name not in _SECRET}
    if isinstance(data, list):
        return [_plain(value) for value in data]
    return b64encode(data).decode() if isinstance(data, bytes) else data


def _line(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
