"""Remembers a player's last answer and the chat they received, for their next return."""

import time
from typing import Final

from msgspec.structs import asdict, replace

from driflamme_tui.seat.seat_parts import Journey, SeatPart, SeatParts
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.days.ahead.confirmed_values import confirmed_values
from driflamme_tui.wings.days.turns.returns import (
    KnownSeat,
    StoredTurn,
    last_seen,
    move_seat,
    seat_name,
    store_answer,
    store_lines,
    store_seat,
    store_turn,
)
from engine.ranking import places
from netcode.client.reconnection import News
from netcode.client.session import Session
from netcode.joining.spoken_code import prefix_of
from netcode.protocol.fields import Message
from netcode.protocol.messages import Act, GameRecord, Lobby, State, Talk, Welcome
from netcode.wings.days.messages import MAXIMUM_LEFT_S, CallSet, Conditions, Turn
from netcode.wings.days.settings import NAME, lasts_for_days

_OWN: Final = "own"
"""The name that stands for the place of the player's own table."""

SAME_END_S: Final = 60
"""Seconds by which two times of the end of a turn may differ, since the clocks of machines do."""


class Return(SeatPart):
    """Compares a table with the events and the chat that the player saw there before."""

    def __init__(self, journey: Journey) -> None:
        self._target: Final = journey.target
        self._player_seat: Final = journey.player_seat
        self._session: Final = journey.player_seat.session
        self._seat = ""
        """The name of the player's seat; "" before the first Welcome."""
        self._answered: int | None = None
        self._is_first_state = True
        self._missed_from: int | None = None
        self._is_first_talk = True
        """True until chat has come, or could have come: the host sends earlier chat, if there is
        any, between the first Lobby and the next Lobby or State.
        """
        self._has_lobby = False
        self._lines_before: int | None = None
        """The number of chat lines that the player had received before this visit; None if they
        have not been here before.
        """

    def receive(self, news: News) -> None:
        """Find the events and chat that the player missed, and store the latest ones.

        Also store the address for calls and the conditional answers that the host confirms.
        """
        session = self._session
        if self._has_lobby and isinstance(news, Lobby | State | GameRecord):
            self._is_first_talk = False
        match news:
            case Welcome():
                self._enter()
            case State() if session.view is not None:
                if self._is_first_state:
                    self._is_first_state = False
                    seen = last_seen(self._seat)
                    self._answered = seen.answered_in(session.view, session.events)
                self._store_turn()
            case Talk(first=first, lines=lines):
                self._store_chat_count(first + len(lines))
            case Lobby():
                self._has_lobby = True
                self._follow_name()
                self._store_silence()
                self._store_seat(news)
                self._store_turn()
            case CallSet(address=address):
                confirmed_values(session).address = address
            case Conditions(conditions=conditions):
                confirmed_values(session).conditions = conditions

    def send(self, message: Message) -> None:
        """Store the number of seen events when the player answers; ignore other messages."""
        session = self._session
        if isinstance(message, Act) and session.view is not None:
            store_answer(self._seat, session.view, session.events)

    def answered(self) -> int | None:
        """Return the number of events before the last answer, if it was in an earlier visit.

        Returns None before the first view, and if the player has not answered in this game.
        """
        return self._answered

    def missed_from(self) -> int | None:
        """Return the index of the first chat line that came while the player was away.

        Returns None if the player missed none, or has not been here before.
        """
        return self._missed_from

    def leaving(self) -> str:
        """Return a sentence about coming back later to a long game; "" in other games."""
        lobby = self._session.lobby
        if self._target is None or lobby is None or lobby.you is None:
            return ""
        if lobby.phase != "playing" or not lasts_for_days(lobby.settings):
            return ""
        return _("The game lasts for days: your seat stays yours, so come back when you like.")

    def _enter(self) -> None:
        """Begin at the table that has welcomed the player. After a reconnect, change nothing."""
        seat = self._present_name()
        if seat != self._seat:
            self._seat, self._answered, self._missed_from = seat, None, None
            self._is_first_state = self._is_first_talk = True
            self._has_lobby = False
            self._lines_before = last_seen(seat).lines

    def _present_name(self) -> str:
        """Return the name of the seat, from the table and the player's present name."""
        target = self._target
        place = _OWN if target is None else target.seat_at(self._session.secret)
        return seat_name(place, self._player_seat.name)

    def _follow_name(self) -> None:
        """Move the stored data if the player or the invitation has a new name at the same table.

        A program that plays for another person begins with the old name again, so it keeps that.
        """
        name = self._present_name()
        is_on_behalf = self._target is not None and self._target.is_on_behalf
        if self._seat and name != self._seat and not is_on_behalf:
            move_seat(self._seat, name)
            self._seat = name

    def _store_seat(self, lobby: Lobby) -> None:
        """Store the way to the seat, for later requests of news.

        Only another person's table has such a way. A seat that was lost is removed.
        """
        if self._target is None:
            return
        way, known = self._player_seat.way_back(), None
        if way is not None:
            known = KnownSeat(**asdict(way), prefix=prefix_of(lobby.code or ""))
        store_seat(self._seat, known)

    def _store_turn(self) -> None:
        """Store the player's turn at the table, for the start screen.

        Only a change is stored. The table of a sealed game and a table without a code are left out.
        """
        session, seen = self._session, last_seen(self._seat)
        lobby, view = session.lobby, session.view
        if seen.seat is None or not seen.seat.prefix or lobby is None:
            return
        if lobby.settings.kind is not None:
            return
        if lobby.phase != "playing" or (view is not None and view.over):
            view = None
        paused = lobby.phase == "playing" and lobby.paused
        now, until, names = time.time(), lobby.parts.get(NAME, {}).get("until"), session.names()
        left_s = None
        if view is not None and isinstance(until, int) and until:
            left_s = min(MAXIMUM_LEFT_S, max(0, until - round(now)))
        turn = Turn(
            prefix=seen.seat.prefix,
            names=tuple(seat.name for seat in lobby.seats),
            phase=lobby.phase,
            round=0 if view is None else view.round,
            whose=None if view is None or view.turn is None else names[view.turn],
            mine=view is not None and view.turn in view.viewers and not paused,
            left_s=left_s,
            unread=0,
            host=next((seat.name for seat in lobby.seats if seat.host), None),
            paused=paused,
            winners=_winners(session) if lobby.phase == "result" else (),
        )
        stored = StoredTurn(now, turn, is_seen=True)
        if not _is_same(seen.news, stored):
            store_turn(self._seat, stored)

    def _store_chat_count(self, lines: int) -> None:
        """Store the host's count of all chat lines. On the first chat, find the missed lines."""
        if self._is_first_talk:
            self._is_first_talk = False
            before, talk, lobby = self._lines_before, self._session.talk, self._session.lobby
            # In the lobby no State follows, so a first line may be new or earlier: assume it new.
            is_new = lobby is not None and lobby.phase == "lobby" and (before, lines) == (0, 1)
            if before is not None and before < lines and not is_new:
                self._missed_from = max(0, len(talk) - (lines - before))
        store_lines(self._seat, lines)

    def _store_silence(self) -> None:
        """Store that there was no chat so far: the host sends none, but later chat is missed."""
        if self._session.lobby is not None and last_seen(self._seat).lines is None:
            store_lines(self._seat, 0)


def _winners(session: Session) -> tuple[str, ...]:
    """Return the names of the winners of the session's game; () before its end."""
    view = session.view
    if view is None or not view.over:
        return ()
    placed = zip(session.names(), places(view, session.owners()), strict=True)
    return tuple(dict.fromkeys(name for name, place in placed if place == 1))


def _is_same(before: StoredTurn | None, news: StoredTurn) -> bool:
    """Return True if both are seen or unseen, with the same turn and about the same end of it.

    News of a table that its server did not have are not the same.
    """
    if before is None or before.is_seen != news.is_seen or before.is_absent:
        return False
    if replace(before.turn, left_s=news.turn.left_s) != news.turn:
        return False
    left, left_now = before.left_at(news.received_at), news.turn.left_s
    if left is None or left_now is None:
        return left == left_now
    return abs(left - left_now) < SAME_END_S


SEAM: Final = SeatParts(Return)
"""The part that remembers what a player has seen."""
