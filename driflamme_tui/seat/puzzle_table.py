"""The table at which puzzles are solved: it shows one position after another and takes answers.

To a session it is a table like any other, so whatever plays at one solves puzzles too. There is no
game behind it: the answer is judged by what the puzzle says that each promises.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from random import Random, SystemRandom

from driflamme_tui.preferences.puzzle_progress import keep_puzzles, recall_puzzles
from engine.puzzles import Puzzle, of_day, stock
from netcode.protocol.codec import decode_client, encode
from netcode.protocol.fields import KEY_BYTES, checked
from netcode.protocol.messages import (
    PROGRAM,
    PROTOCOL,
    Act,
    ClientMessage,
    Hello,
    HostMessage,
    Lobby,
    Start,
    State,
    TableSettings,
    Welcome,
)
from netcode.transport.channel import Channel, ChannelClosedError, memory_channel


class PuzzleTable:
    """Asks for the answers to puzzles of the stock, one after the other, and keeps the score."""

    def __init__(self, day: int, number: int | None = None, rng: Random | None = None) -> None:
        """Begin with a puzzle.

        Args:
            day: The present one, counted as `date.toordinal` does.
            number: Of the first puzzle, from 1; None for that of the day.
            rng: Chooses those after it.
        """
        self.day = day
        self.of_today = of_day(stock(), day) + 1
        """The number of the puzzle of the day."""
        self.number = number or self.of_today
        self.given = ""
        """The token that was answered; "" before."""
        self.progress = recall_puzzles()
        self._rng = rng or SystemRandom()
        self._revision = 0
        self._judging: asyncio.Task[None] | None = None

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that is shown."""
        return stock()[self.number - 1]

    async def connect(self) -> Channel:
        """Return a connection for a client in this program."""
        near, far = memory_channel()
        self._judging = asyncio.create_task(self._judge(far))
        return near

    async def _judge(self, channel: Channel) -> None:
        with suppress(ChannelClosedError):
            while True:
                for message in self._told(decode_client(await channel.receive())):
                    channel.send(encode(message))

    def _told(self, said: ClientMessage) -> Iterator[HostMessage]:
        """Yield what the table answers: each answer counts once, and Start asks for another."""
        match said:
            case Hello():
                yield Welcome(
                    protocol=PROTOCOL,
                    program=PROGRAM,
                    family=None,
                    key=bytes(KEY_BYTES),
                    host=False,
                )
            case Act(action=token) if not self.given and token in dict(self.puzzle.answers):
                self._take(token)
            case Start():
                self._go_on()
            case _:
                return
        # Nobody has a seat, as nobody but the reader is there: families are all that is known.
        yield Lobby(
            phase="playing",
            seats=(),
            spectators=(),
            settings=TableSettings(),
            missing=None,
            invitation="",
            you=None,
            host=False,
        )
        yield self._state()

    def _take(self, token: str) -> None:
        self.given = token
        day = self.day if self.number == self.of_today else None
        right = token == self.puzzle.best
        self.progress = self.progress.after(self.number, right=right, day=day)
        keep_puzzles(self.progress)

    def _go_on(self) -> None:
        """Go to a puzzle that is not solved yet; to any other once all are."""
        others = {*range(1, len(stock()) + 1)} - {self.number}
        open_ones = others.difference(self.progress.solved) or others
        self.number, self.given = self._rng.choice(sorted(open_ones)), ""

    def _state(self) -> State:
        puzzle = self.puzzle
        self._revision += 1
        return checked(
            {
                "revision": self._revision,
                "view": puzzle.line,
                "you": puzzle.view.families[puzzle.view.turn],
                "first_event": 0,
                "events": (),
            },
            State,
        )
