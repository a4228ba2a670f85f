"""A table on this machine for one reader: that of the lesson, of puzzles, and the analysis board.

To a session it is a table like any other, so whatever plays at one plays here too. Nobody else is
there, it listens nowhere, and no game of it enters a history.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Final, TypeAlias

from engine.actions import ACTIONS
from engine.bots import DEFAULT_BOT, TEACHER, make_bot
from engine.cards import Seat
from engine.events import Event
from engine.game import Game
from engine.notation import format_position
from engine.position import Position
from engine.ranking import Owner, Owners, each_alone, is_for_two, owner_of
from engine.record import Record
from engine.view import View, project, view
from netcode.protocol.codec import decode_client, encode
from netcode.protocol.fields import KEY_BYTES, letters_of
from netcode.protocol.game_records import write_record
from netcode.protocol.messages import (
    PROGRAM,
    PROTOCOL,
    Act,
    ClientMessage,
    Hello,
    HostMessage,
    Lobby,
    SeatInfo,
    State,
    TableSettings,
    Welcome,
)
from netcode.transport.channel import Channel, ChannelClosedError, memory_channel
from netcode.workers.worker_main import BotAnswer, BotQuestion
from netcode.workers.worker_pool import WorkerPool

OPPONENT_S: Final = 0.5
"""How many seconds the bot that answers for a family may think."""

Opponents: TypeAlias = Callable[["LocalTable", Callable[[str], None]], Callable[[], object]]
"""Who answers for the others: given the table and what takes the answer's token; what is returned
has the question dropped."""


def thinking_bot(table: "LocalTable", answer: Callable[[str], None]) -> Callable[[], object]:
    """Have the strongest bot answer, by what it would see at a table."""
    seen = table.seen()

    def take(thought: BotAnswer) -> None:
        # As at a table, one that fails is replaced for that decision.
        answer(thought.token or str(make_bot(DEFAULT_BOT, Random(0)).choose(seen)))

    question = BotQuestion(
        TEACHER, format_position(seen), seen.viewers, len(table.events), "choose"
    )
    number = table.workers.ask(question, OPPONENT_S, take)
    return lambda: table.workers.drop(number)


class LocalTable:
    """A position, what has been answered since, and for whom the reader answers."""

    def __init__(
        self,
        game: Game,
        seat: Seat | None = None,
        opponents: Opponents = thinking_bot,
        *,
        events: Sequence[Event] = (),
        owners: Owners | None = None,
        record: Record | None = None,
        people: Sequence[SeatInfo] = (),
    ) -> None:
        """Begin at a position.

        Args:
            game: The position.
            seat: For whom the reader answers, with that family's cards; None for everybody.
            opponents: Who answers for the others.
            events: What has led to it.
            owners: Who plays which seats; each plays one unless told.
            record: The game until then, if it is to be told whole once it is over.
            people: Who sits there, if that is known: the reader is no bot.
        """
        self.game = game
        self.seat = seat
        self.names: tuple[str, ...] = ()
        """What the players are called, by seat; empty if that is not known."""
        self.imagined = False
        """Whether cards that were not known have been made up."""
        self.revision = 0 if record is None else len(record.actions)
        """Of what was told last."""
        self.events = list(events)
        self.settings = TableSettings(edition=game.edition.number, two=is_for_two(owners))
        self.send: Callable[[HostMessage], object] = lambda _message: None
        """Takes what there is to tell; `connect` sends it through a channel."""
        self.workers = WorkerPool(1)
        """Where bots think, if any are asked."""
        self._owners = owners or each_alone(game.players)
        self._opponents = opponents
        self._record = record
        self._people = tuple(people)
        self._past: list[tuple[Game, int]] = []
        """The positions before each answer, and how many events had happened."""
        self._told = 0
        """How many events have been told."""
        self._drop: Callable[[], object] = lambda: None
        """Has the question to the opponents dropped."""
        self._listening: asyncio.Task[None] | None = None

    @property
    def shown(self) -> Position:
        """What the reader sees."""
        return self.game if self.seat is None else view(self.game, self.own)

    @property
    def own(self) -> Owner:
        """The seats whose cards the reader sees as their own: of all, those that are asked."""
        return owner_of(self._owners, self.game.turn if self.seat is None else self.seat)

    @property
    def tokens(self) -> tuple[str, ...]:
        """All answers of the game that is recorded."""
        return () if self._record is None else self._record.actions

    def seen(self) -> View:
        """Return what the seat knows that is asked."""
        return view(self.game, owner_of(self._owners, self.game.turn))

    # What is told

    async def connect(self) -> Channel:
        """Return a connection for a client in this program."""
        near, far = memory_channel()
        self.send = lambda message: far.send(encode(message))
        self._listening = asyncio.create_task(self._listen(far))
        return near

    async def _listen(self, channel: Channel) -> None:
        with suppress(ChannelClosedError):
            while True:
                self.receive(decode_client(await channel.receive()))
        self.stop()

    def receive(self, message: ClientMessage) -> None:
        """Do what the reader wants, and tell what comes of it."""
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
            self.tell()
        elif self.take(message):
            self.tell()

    def tell(self) -> None:
        """Tell what stands on the table, and have the opponents answer if it is for them to."""
        self.revision += 1
        self.send(self._lobby())
        self.send(self.state())
        if self._record is not None and self.game.over:
            self.send(write_record(self._record, self.settings, self.revision))
        self.stop()
        if self.seat is not None and not self.game.over and self.game.turn not in self.own:
            self._drop = self._opponents(self, self._answered)

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
        """Return what the reader sees, and what has happened since it was told."""
        position, own = self.shown, self.own
        first = min(self._told, len(self.events))
        events = self.events[first:]
        self._told = len(self.events)
        if self.seat is not None:
            events = [project(each, own) for each in events]
        you, *second = (letters_of(position.families)[seat] for seat in own)
        return State(
            revision=self.revision,
            view=format_position(position),
            you=you,
            second=second[0] if second else None,
            first_event=first,
            events=tuple(events),
        )

    # What is done

    def take(self, message: ClientMessage) -> bool:
        """Take in what the reader wants; return whether the table is to be told anew.

        An answer is played unless something else is asked by now.
        """
        if not isinstance(message, Act):
            return False
        asked = self.revision == message.revision and self.game.turn in self.own
        if asked and ACTIONS.get(message.action) in self.game.legal:
            self._play(message.action)
        return True

    def _play(self, token: str) -> None:
        self._past.append((self.game, len(self.events)))
        self.game = self.game.play(token, self.events)
        if self._record is not None:
            self._record = replace(self._record, actions=(*self._record.actions, token))

    def _answered(self, token: str) -> None:
        self._play(token)
        self.tell()

    def stop(self) -> None:
        """Let the opponents answer no more."""
        drop, self._drop = self._drop, lambda: None
        drop()

    @property
    def can_undo(self) -> bool:
        """Whether the reader has given an answer that could be taken back."""
        return any(self.seat is None or game.turn in self.own for game, _events in self._past)

    def undo(self) -> bool:
        """Take back the reader's last answer, and what followed from it; whether there was one."""
        if not self.can_undo:
            return False
        while True:
            self.game, happened = self._past.pop()
            del self.events[happened:]
            if self.seat is None or self.game.turn in self.own:
                break
        self.tell()
        return True

    def change_eyes(self) -> None:
        """Show the cards of the family only that is asked, or all again."""
        self.seat = self.game.turn if self.seat is None else None
        self.tell()
