"""Runs a table on this machine for one reader: for lesson, puzzles and analysis board.

A session uses a local table like any other one, so all screens for tables work. A local table has
no other people and no listening socket, and its games enter no history.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random, SystemRandom
from typing import Final

from driflamme_tui.preferences.remembered import PUZZLES
from engine.actions import ACTIONS
from engine.bots import DEFAULT_BOT, TEACHER, make_bot
from engine.bots.worlds import Worlds
from engine.cards import UNKNOWN, Seat
from engine.events import Event
from engine.game import Game
from engine.notation import format_position, parse_position, parse_view
from engine.position import Position, cards_of, unseen_cards
from engine.puzzles import Puzzle, of_day, stock
from engine.ranking import Owner, Owners, each_alone, is_for_two, owner_of, owners_of
from engine.record import Record
from engine.replaying import ALL, Replay
from engine.views import View, project, view
from netcode.protocol.codec import decode_client, encode
from netcode.protocol.fields import KEY_BYTES, Message, letters_of
from netcode.protocol.messages import (
    PROGRAM,
    PROTOCOL,
    Act,
    GameRecord,
    Hello,
    Lobby,
    SeatInfo,
    Start,
    State,
    Welcome,
)
from netcode.protocol.table_settings import TableSettings
from netcode.protocol.wire_views import WireView
from netcode.transport.channel import Channel, ChannelClosedError, memory_channel
from netcode.workers.questions import BotAnswer, BotQuestion
from netcode.workers.worker_pool import WorkerPool

OPPONENT_S: Final = 0.5
"""Seconds that the bot may think about an answer of an opponent."""


class LocalTable:
    """A position, the answers since then, and the seats for which the reader answers."""

    def __init__(
        self,
        game: Game,
        seat: Seat | None = None,
        *,
        events: Sequence[Event] = (),
        owners: Owners | None = None,
        record: Record | None = None,
        people: Sequence[SeatInfo] = (),
        hides_others: bool = False,
    ) -> None:
        """Begin at a position.

        Args:
            game: The position.
            seat: The only seat whose cards the reader sees and plays; None for all seats.
            events: The events before the position.
            owners: The owners of the seats; by default each player has one seat.
            record: The game so far, if the reader gets its record at the end.
            people: The players in the seats, if known. The reader is the first of them without a
                bot.
            hides_others: True if the reader never sees the cards of other families.
        """
        self.game = game
        self.seat = seat
        self.names: tuple[str, ...] = ()
        """The names of the players, by seat; () if unknown."""
        self.hides_others = hides_others
        """True if the reader never sees the cards of other families."""
        self.imagined = False
        """True if unknown cards were imagined."""
        self.revision = 0 if record is None else len(record.actions)
        """The last revision that was sent."""
        self.events = list(events)
        self.settings = TableSettings(edition=game.edition.number, two=is_for_two(owners))
        self.send: Callable[[Message], object] = lambda _message: None
        """Sends a message to the reader. `connect` replaces this function."""
        self.workers = WorkerPool(1)
        """The processes in which bots search."""
        self.drop: Callable[[], object] = lambda: None
        """Withdraws the question from the bot that answers for opponents."""
        self._owners = owners or each_alone(game.players)
        self.record = record
        """The record of the game so far; None if the reader gets no record at the end."""
        self._people = tuple(people)
        self._past: list[tuple[Game, int]] = []
        """The position and the number of events before each answer, oldest first."""
        self._event_count = 0
        """Number of events that were sent."""
        self._listening: asyncio.Task[None] | None = None

    @property
    def shown(self) -> Position:
        """The position that the reader sees."""
        return self.game if self.seat is None else view(self.game, self.own)

    @property
    def own(self) -> Owner:
        """The seats whose cards the reader sees.

        If all cards are open, the seats of the asked player.
        """
        return owner_of(self._owners, self.game.turn if self.seat is None else self.seat)

    def seen(self) -> View:
        """Return the view of the seat that must answer."""
        return view(self.game, owner_of(self._owners, self.game.turn))

    # Messages to the reader

    async def connect(self) -> Channel:
        """Open a connection to this table, in place of an earlier one; return the client's end."""
        near, far = memory_channel()
        self.send = lambda message: far.send(encode(message))
        self._listening = asyncio.create_task(self._listen(far))
        return near

    async def _listen(self, channel: Channel) -> None:
        with suppress(ChannelClosedError):
            while True:
                self.receive(decode_client(await channel.receive()))
        self.stop()

    def receive(self, message: Message) -> None:
        """Send a Welcome and the position after a Hello; otherwise call `take` with the message.

        If `take` returns True, send the position too.
        """
        if isinstance(message, Hello):
            you = self._lobby().you
            self.send(
                Welcome(
                    protocol=PROTOCOL,
                    program=PROGRAM,
                    family=you,
                    key=bytes(KEY_BYTES),
                    host=you is not None,
                )
            )
            self.send_position()
        elif self.take(message):
            self.send_position()

    def send_position(self) -> None:
        """Send the lobby and the position; after the game also its record, if the reader gets one.

        At the turn of an opponent, let the bot answer.
        """
        self.revision += 1
        self.send(self._lobby())
        self.send(self.state())
        if self.record is not None and self.game.over:
            record = self.record._replace(settings=self.settings.beside_edition())
            self.send(GameRecord(revision=self.revision, record=record.to_json()))
        self.stop()
        if self.seat is not None and not self.game.over and self.game.turn not in self.own:
            self.ask_opponents()

    def ask_opponents(self) -> None:
        """Let the teacher answer in the background, from the view of the asked seat.

        If the teacher fails, the default bot answers.
        """
        seen = self.seen()

        def take(thought: BotAnswer) -> None:
            # If the bot fails, let the default bot decide this once, as at every table.
            self.answered(thought.token or str(make_bot(DEFAULT_BOT, Random(0)).choose(seen)))

        question = BotQuestion(
            TEACHER, format_position(seen), seen.viewers, len(self.events), "choose"
        )
        number = self.workers.ask(question, OPPONENT_S, take)
        self.drop = lambda: self.workers.drop(number)

    def _lobby(self) -> Lobby:
        own = next((each.family for each in self._people if each.bot is None), None)
        return Lobby(
            phase="result" if self._people and self.game.over else "playing",
            seats=self._people,
            spectators=(),
            settings=self.settings,
            missing=None,
            invitation="",
            you=own,
            host=own is not None,
        )

    def state(self) -> State:
        """Return the position for the reader, with the events since the last call."""
        position, own = self.shown, self.own
        first = min(self._event_count, len(self.events))
        events = self.events[first:]
        self._event_count = len(self.events)
        if self.seat is not None:
            events = [project(each, own) for each in events]
        you, *second = (letters_of(position.families)[seat] for seat in own)
        return State(
            revision=self.revision,
            view=WireView.of(position),
            you=you,
            second=second[0] if second else None,
            first_event=first,
            events=tuple(events),
        )

    # Actions of the reader

    def take(self, message: Message) -> bool:
        """Play the answer in a message, if it is legal and answers the present question.

        Return True for every answer, played or not: the position must then be sent.
        """
        if not isinstance(message, Act):
            return False
        is_due = self.revision == message.revision and self.game.turn in self.own
        if is_due and ACTIONS.get(message.action) in self.game.legal:
            self.play(message.action)
        return True

    def play(self, token: str) -> None:
        """Play an answer of the seat that must answer."""
        self._past.append((self.game, len(self.events)))
        self.game = self.game.play(token, self.events)
        if self.record is not None:
            self.record = self.record._replace(actions=(*self.record.actions, token))

    def answered(self, token: str) -> None:
        """Play an answer of an opponent, and send the position."""
        self.play(token)
        self.send_position()

    def stop(self) -> None:
        """Cancel the next answer of the opponents."""
        drop, self.drop = self.drop, lambda: None
        drop()

    @property
    def can_undo(self) -> bool:
        """True if the reader can undo an answer."""
        return any(self.seat is None or game.turn in self.own for game, _events in self._past)

    def undo(self) -> bool:
        """Undo the reader's last answer and everything after it; return False if there is none."""
        if not self.can_undo:
            return False
        while True:
            self.game, happened = self._past.pop()
            del self.events[happened:]
            if self.seat is None or self.game.turn in self.own:
                break
        self.send_position()
        return True

    def change_eyes(self) -> None:
        """Show only the cards of the asked player, or all cards again, and send the position.

        With `hides_others`, do nothing.
        """
        if self.hides_others:
            return
        self.seat = self.game.turn if self.seat is None else None
        self.send_position()


def board_of(
    replay: Replay, step: int, seat: Seat | None = None, *, hides_others: bool = False
) -> LocalTable:
    """Return the board at a step of a game, with the events so far.

    Cards that the record does not have are imagined.

    Args:
        replay: The game.
        step: The step at which the board begins.
        seat: The only seat whose cards the reader sees and plays; None for all seats.
        hides_others: True if the reader never sees the cards of other families.
    """
    owners = owners_of(replay.record.settings, len(replay.families))
    events = replay.events_until(step, ALL)
    game = replay.games[step]
    is_whole = not any(UNKNOWN in cards_of(game, each) for each in range(game.players))
    if not is_whole:
        game = imagined_game(replay.seen(step, game.turn if seat is None else seat))
    board = LocalTable(game, seat, events=events, owners=owners, hides_others=hides_others)
    board.imagined = not is_whole
    board.names = tuple(player.name for player in replay.record.players)
    return board


def board_at(line: str) -> LocalTable:
    """Return the board of a position or view in the notation.

    The reader of a view plays only the seat whose cards it shows: the asked seat, if several are
    shown. If the view shows no cards of a seat, the reader plays all. Unknown cards are imagined.

    Raises:
        PositionError: The text is malformed, or no game can have this position.

    >>> line = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
    >>> board = board_at(line)
    >>> format_position(board.shown) == line, board.imagined, board.game.families[board.seat or 0]
    (True, True, 'b')
    """
    seen = parse_view(line, None)
    known = [seat for seat in range(seen.players) if not unseen_cards(seen, seat)]
    if len(known) == seen.players:
        return LocalTable(parse_position(line))
    board = LocalTable(
        imagined_game(seen), seen.turn if seen.turn in known else next(iter(known), None)
    )
    board.imagined = True
    return board


def imagined_game(seen: View) -> Game:
    """Return a game that fits a view, with imagined cards in place of unknown ones.

    Raises:
        PositionError: No game fits the view.
    """
    # Deal the unknown cards by the rules. This fails for an impossible view.
    return parse_position(format_position(Worlds(seen, Random(0)).sample()))


class PuzzleTable(LocalTable):
    """A table with puzzles from the stock, one after another. It stores the reader's results."""

    def __init__(self, day: int, number: int | None = None, rng: Random | None = None) -> None:
        """Begin with a puzzle.

        Args:
            day: The present day, as in `date.toordinal`.
            number: The number of the first puzzle, from 1; None for the puzzle of the day.
            rng: Chooses the later puzzles; None for the system's random numbers.
        """
        self.day = day
        self.of_today = of_day(stock(), day) + 1
        """The number of the puzzle of the day."""
        self.number = number or self.of_today
        self.given = ""
        """The token of the given answer; "" before an answer."""
        self.progress = PUZZLES.recall()
        self._rng = rng or SystemRandom()
        super().__init__(imagined_game(self.puzzle.view), self.puzzle.view.turn)

    @property
    def puzzle(self) -> Puzzle:
        """The present puzzle."""
        return stock()[self.number - 1]

    def take(self, message: Message) -> bool:
        """Judge the first answer to a puzzle, or go to another puzzle for a `Start`.

        Return True if the position must be sent again. Other messages have no effect.
        """
        match message:
            case Act(action=token) if not self.given and token in dict(self.puzzle.answers):
                self._judge(token)
            case Start():
                self._choose_puzzle()
            case _:
                return False
        return True

    def _judge(self, token: str) -> None:
        self.given = token
        day = self.day if self.number == self.of_today else None
        right = token == self.puzzle.best
        self.progress = self.progress.after(self.number, right=right, day=day)
        PUZZLES.keep(self.progress)

    def _choose_puzzle(self) -> None:
        """Go to an unsolved puzzle; if all are solved, to any other."""
        others = {*range(1, len(stock()) + 1)} - {self.number}
        open_ones = others.difference(self.progress.solved) or others
        self.number, self.given = self._rng.choice(sorted(open_ones)), ""
        self.game, self.seat = imagined_game(self.puzzle.view), self.puzzle.view.turn
