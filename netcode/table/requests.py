"""Checks the requests of participants, and executes allowed ones.

A refused request does not change the game, the seats or the settings. At most it records that the
player is active.
"""

from collections.abc import Callable
from math import ceil, inf
from random import Random
from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from netcode.protocol.codec import UNKNOWN_MESSAGE
from netcode.protocol.fields import FamilyLetter, Message
from netcode.protocol.messages import (
    Absent,
    Act,
    AddBot,
    AnswerWish,
    AskSeat,
    BackToLobby,
    ChangeBot,
    ChangeSettings,
    Chat,
    ChooseFamily,
    EndGame,
    Hello,
    Here,
    Leave,
    MoveSeat,
    Mute,
    NewCode,
    NewInvitation,
    Pause,
    Remove,
    Rename,
    SendAway,
    SetReady,
    ShuffleSeats,
    Silence,
    Start,
    StopCount,
    TableMessage,
)
from netcode.protocol.table_settings import TableSettings
from netcode.table.attendance import Attendance
from netcode.table.broadcast import Invited
from netcode.table.chat import Conversation
from netcode.table.connections import Connections, ConnectionState
from netcode.table.effects import Reinvite
from netcode.table.errors import NotAllowedError, refuse_misfit
from netcode.table.games import REMATCH_COUNT_S, Games
from netcode.table.people.absence import MAXIMUM_LAPSES, SILENT_S
from netcode.table.people.participants import Participants, need_bot
from netcode.table.people.seats import Participant, Seat, Spectator
from netcode.table.seat_wishes import SeatWishes

_FOR_ALL: Final = frozenset((Act, AskSeat, ChooseFamily, Rename, SetReady, Here, Chat, Leave))
"""Requests that everybody may send. Only the host may send the others."""

_IN_LOBBY: Final = frozenset((AddBot, ChangeSettings, MoveSeat, Remove, Rename, ShuffleSeats))
"""Requests that are allowed only in the lobby."""

_BETWEEN_GAMES: Final = frozenset((ChangeBot, ChooseFamily))
"""Requests that are allowed in the lobby and after a game."""

_IN_GAME: Final = frozenset((AnswerWish, AskSeat, EndGame, Pause))
"""Requests that are allowed only during a game."""

_CORE: Final = frozenset(get_args(TableMessage))
"""The messages of the core. Other messages need a wing."""


class Requests(Struct):
    """Executes the requests of participants, or refuses them by a NotAllowedError."""

    participants: Participants
    games: Games
    conversation: Conversation
    connections: Connections
    attendance: Attendance
    wishes: SeatWishes
    invited: Invited
    of_wings: tuple[Callable[[int, Participant, Message, float], bool], ...]
    """Functions that handle a message of a wing. They return False if no wing has this message, and
    raise NotAllowedError to refuse it.
    """
    rng: Random
    """Shuffles seats."""

    def handle(self, connection: int, state: ConnectionState, message: Message, now: float) -> None:
        """Execute a request; raises NotAllowedError if the request is refused."""
        if isinstance(message, Hello):
            self.attendance.greet(connection, state, message, now)
            return
        participant = state.participant
        if participant is None:
            raise NotAllowedError("say_hello")
        kind = type(message)
        if kind not in _CORE:
            if not any(handle(connection, participant, message, now) for handle in self.of_wings):
                raise NotAllowedError(UNKNOWN_MESSAGE)
            return
        if not (participant.host or kind in _FOR_ALL):
            raise NotAllowedError("not_the_host")
        phase = self.games.phase
        if (phase != "lobby" and kind in _IN_LOBBY) or (
            phase == "playing" and kind in _BETWEEN_GAMES
        ):
            raise NotAllowedError("not_in_lobby")
        if phase != "playing" and kind in _IN_GAME:
            raise NotAllowedError("no_game")
        self.games.kind.judge(participant, message)
        match message:
            case Act():
                self._act(state, _seated(participant), message, now)
            case AddBot():
                self.participants.add_bot(message.bot, self.games.evening.bot_names)
            case ChangeBot():
                self._change_bot(message)
            case Remove():
                self._remove(participant, message.family)
            case MoveSeat() | ShuffleSeats():
                self._arrange_seats(message)
            case ChangeSettings():
                self._change_settings(message.settings)
            case ChooseFamily():
                if isinstance(participant, Spectator):
                    self.attendance.sit_down(state, message.family, now)
                elif self.games.phase == "result":
                    raise NotAllowedError("not_in_lobby")
                else:
                    self._choose_family(participant, message.family)
            case Rename():
                self._rename(_seated(participant), message.name)
            case SetReady():
                self._set_ready(_seated(participant), message, now)
            case AskSeat():
                self.wishes.ask(participant, message.family, now)
            case AnswerWish():
                self.wishes.answer(message, now)
            case Here():
                # A Here shows that the person is present, so forget their missed decisions.
                _seated(participant).lapses = 0
            case Chat():
                self.conversation.add(participant, message, state.network, now)
            case Leave():
                self.connections.dismiss(connection, "left")
                self.attendance.connection_ended(participant, now, has_left=True)
            case Start():
                self._need_start()
                if isinstance(participant, Seat) or message.game_key is not None:
                    self.games.kind.bring(_seated(participant), message.game_key)
                self._start(message.count_s, now)
            case StopCount():
                self.games.stop_count()
            case BackToLobby():
                if self.games.phase != "result":
                    raise NotAllowedError("not_after_game")
                self.games.end(now)
            case EndGame():
                self.games.end(now, ended_by=participant.name)
            case Mute():
                self.conversation.mute(self.participants, message.name, is_muted=message.muted)
            case Silence():
                self.conversation.silenced = message.silenced
            case SendAway():
                self._send_away(participant, message.name, now)
            case NewInvitation():
                if not self.invited.is_secret:
                    raise NotAllowedError("no_secret")
                self.connections.effects.append(Reinvite())
            case NewCode():
                if not self.invited.is_secret:
                    raise NotAllowedError("no_secret")
                self.connections.effects.append(Reinvite(keeps_secret=True))
            case Pause():
                self.games.set_paused(now, is_paused=message.paused)
            case Absent():
                if message.choice != "admit" and self.games.phase != "playing":
                    raise NotAllowedError("no_game")
                self._decide_about(message.family, message.choice, now)

    def _change_bot(self, message: ChangeBot) -> None:
        """Replace the bot in a seat by a bot of another kind.

        If this changes the bot during a countdown, the countdown stops and nobody is ready.

        Raises NotAllowedError if the seat has no bot, or if there is no such kind.
        """
        seat = self._seat_of(message.family)
        if seat.bot is None:
            raise NotAllowedError("not_a_bot", family=message.family)
        need_bot(message.bot)
        if seat.bot != message.bot and self.games.starts_at() < inf:
            self._withdraw_ready()
        seat.bot = message.bot

    def _arrange_seats(self, message: MoveSeat | ShuffleSeats) -> None:
        """Move a seat, or shuffle all. If the order changes, nobody is ready any longer.

        The first player stays the same person, since families move too.
        """
        before = [*self.participants.seats]
        if isinstance(message, MoveSeat):
            self.participants.move(self._seat_of(message.family), message.place)
        else:
            self.rng.shuffle(self.participants.seats)
        if self.participants.seats != before:
            # Players were ready for the old order, which decides who plays before whom.
            self._withdraw_ready()

    def _change_settings(self, settings: TableSettings) -> None:
        """Change the settings of later games. If the rules change, nobody is ready any longer.

        Raises NotAllowedError if the table cannot have these settings.
        """
        refuse_misfit(settings)
        self.participants.set_for_two(is_for_two=settings.two)
        if replace(settings, pace_ms=self.games.settings.pace_ms) != self.games.settings:
            # Players were ready for the old rules. The pace of bots is no rule.
            self._withdraw_ready()
        self.games.settings = settings

    def _choose_family(self, seat: Seat, family: FamilyLetter) -> None:
        """Give a person another family. The first player of the next game stays the same person.

        Raises NotAllowedError if another seat has the family.
        """
        settings, before = self.games.settings, (seat.family, seat.second)
        self.participants.choose_family(seat, family)
        if settings.first in before and settings.first not in (seat.family, seat.second):
            self.games.settings = replace(settings, first=family)

    def _rename(self, seat: Seat, name: str) -> None:
        """Rename a person. Their results and their mute stay.

        Raises NotAllowedError if another participant, or another player's results, have the name.
        """
        before = seat.name
        if name != before and self.games.standing.has_person(name):
            # A newcomer with the name of a departed player continues that player's results. A
            # player who already has results must not get another player's results.
            raise NotAllowedError("name_taken", name=name)
        self.participants.rename(seat, name)
        self.games.evening = self.games.evening.renamed(before, name)
        self.conversation.rename(self.participants, before, name)

    def _withdraw_ready(self) -> None:
        """Reset the readiness of all persons, forget their game keys, and stop the countdown."""
        self.games.stop_count()
        for seat in self.participants.persons:
            seat.ready = False
            self.games.kind.take_back(seat)

    def _remove(self, host: Participant, family: FamilyLetter) -> None:
        """Free the seat of a bot or person, in the lobby.

        Raises NotAllowedError for the host's seat, and if there is no such seat.
        """
        seat = self._seat_of(family)
        if seat is host:
            raise NotAllowedError("not_yourself")
        if seat.connection is not None:
            self.connections.dismiss(seat.connection, "removed")
        self.participants.seats.remove(seat)

    def _send_away(self, host: Participant, name: str, now: float) -> None:
        """Send a person away, in any phase.

        Raises NotAllowedError for the host, and if there is no such person.
        """
        participant = self.participants.called(name)
        if participant is None or (isinstance(participant, Seat) and participant.bot is not None):
            raise NotAllowedError("nobody_called", name=name)
        if participant is host:
            raise NotAllowedError("not_yourself")
        self.attendance.send_away(participant, now)

    def _decide_about(
        self, family: FamilyLetter, choice: Literal["wait", "bot", "admit"], now: float
    ) -> None:
        """Execute the host's decision about an absent or silent player.

        Raises NotAllowedError if the player is neither absent nor silent for long. For a silent
        player only `bot` is allowed. Some time controls allow only `admit`.
        """
        seat = self._seat_of(family)
        if choice != "admit":
            self.games.time_control.host_decides(seat)
        if not seat.present:
            if choice == "admit":
                seat.admits = True
            else:
                seat.absence = choice
        elif (
            choice != "bot"
            or seat is not self.games.deciding_seat
            or self.games.answers_for(seat) == "bot"
        ):
            raise NotAllowedError("not_away", family=family)
        else:
            left = SILENT_S - self.games.silent_s(seat, now)
            if left > 0:
                raise NotAllowedError("asked_lately", family=family, seconds=ceil(left))
            # From now on a bot answers, until a message shows that the player is present.
            seat.lapses = MAXIMUM_LAPSES

    def _set_ready(self, seat: Seat, message: SetReady, now: float) -> None:
        """Set the readiness of a person, and store or forget their key for the next game.

        After a game, start the next one when everybody present is ready: at once for one person,
        otherwise after a countdown. Raises NotAllowedError during a game, and for an invalid key.
        """
        ready = message.ready
        if self.games.phase == "playing":
            raise NotAllowedError("not_ready_now")
        if ready or message.game_key is not None:
            self.games.kind.bring(seat, message.game_key)
        else:
            self.games.kind.take_back(seat)
        if not ready:
            # Do this before the comparison: the host can stop the countdown without being ready.
            self.games.stop_count()
        if seat.ready == ready:
            return
        seat.ready = ready
        if self.games.is_another_wanted:
            others = sum(each.present for each in self.participants.persons) > 1
            self._start(REMATCH_COUNT_S if others else 0, now)

    def _need_start(self) -> None:
        """Raise NotAllowedError if no game can begin."""
        if self.games.phase == "playing":
            raise NotAllowedError("game_under_way")
        reason = self.games.missing()
        if reason is not None:
            raise NotAllowedError(reason.code, **reason.values)

    def _start(self, count_s: int, now: float) -> None:
        """Begin a game at once if `count_s` is 0, otherwise a countdown if none is running."""
        if not count_s:
            self.games.begin(now)
        elif self.games.starts_at() == inf:
            # A repeated request must not restart a running countdown.
            self.games.count_to_start(count_s, now)

    def _act(self, state: ConnectionState, seat: Seat, act: Act, now: float) -> None:
        """Play an answer. An answer that was played before is not played again.

        Raises NotAllowedError without a game, during a pause, and for a late or illegal answer.
        """
        if self.games.play is None:
            raise NotAllowedError("no_game")
        if act.number <= seat.acted:
            # The client repeats the answer because its connection lost the State, so send that
            # again.
            state.revision = -1
            return
        # An answer shows that the player is present, even if it is late.
        seat.lapses = 0
        if self.games.paused:
            raise NotAllowedError("paused")
        if act.revision != self.games.revision:
            raise NotAllowedError("late")
        self.games.act(seat, act.action, now)
        seat.acted = act.number

    def _seat_of(self, family: FamilyLetter) -> Seat:
        seat = self.participants.seat_of(family)
        if seat is None:
            raise NotAllowedError("no_such_seat", family=family)
        return seat


def _seated(participant: Participant) -> Seat:
    """Return a person's seat; raises NotAllowedError for a spectator."""
    if isinstance(participant, Spectator):
        raise NotAllowedError("not_seated")
    return participant
