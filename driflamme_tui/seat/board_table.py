"""The analysis board: any position, to be played on with all cards or with those of one family.

With all cards the reader answers for everybody; with one family's, bots answer for the others, who
like the reader see only what they would see at a table. Each answer may be taken back.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from driflamme_tui.seat.position_table import PositionTable
from engine.actions import ACTIONS
from engine.bots import DEFAULT_BOT, TEACHER, make_bot
from engine.bots.worlds import Worlds, unseen
from engine.cards import Seat
from engine.events import Event
from engine.game import Game
from engine.notation import format_position, parse_position, parse_view
from engine.ranking import Owner, Owners, each_alone, is_for_two, owner_of, owners_of
from engine.replaying import ALL, Replay
from engine.view import View, project, view
from netcode.protocol.fields import letters_of
from netcode.protocol.messages import Act, ClientMessage, State, TableSettings
from netcode.workers.worker_main import BotAnswer, BotQuestion

OPPONENT_S: Final = 0.5
"""How many seconds the bot that answers for a family may think."""


class BoardTable(PositionTable):
    """A position, what has been answered since, and whose cards the reader sees."""

    def __init__(
        self,
        game: Game,
        seat: Seat | None = None,
        events: Sequence[Event] = (),
        owners: Owners | None = None,
        *,
        imagined: bool = False,
    ) -> None:
        """Begin at a position.

        Args:
            game: The position.
            seat: For whom the reader answers, with that family's cards; None for everybody.
            events: What has led to it.
            owners: Who plays which seats; each plays one unless told.
            imagined: Whether cards that were not known have been made up.
        """
        super().__init__()
        self.game = game
        self.seat = seat
        self.imagined = imagined
        self.names: tuple[str, ...] = ()
        """What the players are called, by seat; empty if that is not known."""
        self._owners = owners or each_alone(game.players)
        self.settings = TableSettings(two=is_for_two(self._owners))
        self._events = list(events)
        self._past: list[tuple[Game, int]] = []
        """The positions before each answer, and how many events had happened."""
        self._told = 0
        """How many events have been told."""
        self._asked: int | None = None
        """The number of the question to the bot that thinks."""

    @property
    def own(self) -> Owner:
        """The seats whose cards the reader sees as their own: of all, those that are asked."""
        return owner_of(self._owners, self.game.turn if self.seat is None else self.seat)

    def seen(self) -> View:
        """Return what the seat knows that is asked."""
        return view(self.game, owner_of(self._owners, self.game.turn))

    def state(self) -> State:
        """Return the position as the reader sees it, and what has happened since it was told."""
        own, first = self.own, min(self._told, len(self._events))
        position = self.game if self.seat is None else view(self.game, own)
        events = self._events[first:]
        self._told = len(self._events)
        if self.seat is not None:
            events = [project(each, own) for each in events]
        you, *second = (letters_of(self.game.families)[seat] for seat in own)
        return State(
            revision=self.revision,
            view=format_position(position),
            you=you,
            second=second[0] if second else None,
            first_event=first,
            events=tuple(events),
        )

    def tell(self) -> None:
        """Tell what stands on the table, and have a bot answer if it is not for the reader to."""
        super().tell()
        self._drop()
        if self.seat is not None and not self.game.over and self.game.turn not in self.own:
            seen = self.seen()
            question = BotQuestion(
                TEACHER, format_position(seen), seen.viewers, len(self._events), "choose"
            )
            self._asked = self.workers.ask(question, OPPONENT_S, self._bot_answered)

    def _drop(self) -> None:
        if self._asked is not None:
            self.workers.drop(self._asked)
            self._asked = None

    def _bot_answered(self, answer: BotAnswer) -> None:
        self._asked = None
        # As at a table, one that fails is replaced for that decision.
        self._play(answer.token or str(make_bot(DEFAULT_BOT, Random(0)).choose(self.seen())))
        self.tell()

    def take(self, message: ClientMessage) -> bool:
        """Play an answer, unless something else is asked by now."""
        if not isinstance(message, Act):
            return False
        asked = self.revision == message.revision and self.game.turn in self.own
        if asked and ACTIONS.get(message.action) in self.game.legal:
            self._play(message.action)
        return True

    def _play(self, token: str) -> None:
        self._past.append((self.game, len(self._events)))
        self.game = self.game.play(token, self._events)

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
            del self._events[happened:]
            if self.seat is None or self.game.turn in self.own:
                break
        self.tell()
        return True

    def change_eyes(self) -> None:
        """Show the cards of the family only that is asked, or all again."""
        self.seat = self.game.turn if self.seat is None else None
        self.tell()


def board_of(replay: Replay, step: int, seat: Seat | None = None) -> BoardTable:
    """Return the board of a step of a game, and of what had happened until then."""
    owners = owners_of(replay.record.settings, len(replay.families))
    board = BoardTable(replay.games[step], seat, replay.told_until(step, ALL), owners)
    board.names = tuple(player.name for player in replay.record.players)
    return board


def board_at(line: str) -> BoardTable:
    """Return the board of a position or a view in notation; raises NotationError.

    A view is seen by the family whose cards it knows; the others are imagined, as a bot would.

    >>> line = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
    >>> board = board_at(line)
    >>> board.state().view == line, board.imagined, board.game.families[board.seat or 0]
    (True, True, 'b')
    """
    seen = parse_view(line, None)
    known = [seat for seat in range(seen.players) if not unseen(seen, seat)]
    if len(known) == seen.players:
        return BoardTable(parse_position(line))
    seat = seen.turn if seen.turn in known else next(iter(known), None)
    # What is not known is dealt as the rules allow it, or the line makes no sense.
    game = parse_position(format_position(Worlds(seen, Random(0)).sample()))
    return BoardTable(game, seat, imagined=True)
