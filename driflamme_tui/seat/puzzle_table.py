"""The table at which puzzles are solved: it shows one position after another and takes answers.

An answer is not played: it is judged by what the puzzle says that each promises.
"""

from random import Random, SystemRandom

from driflamme_tui.preferences.puzzle_progress import keep_puzzles, recall_puzzles
from driflamme_tui.seat.board_table import imagined
from driflamme_tui.seat.local_table import LocalTable
from engine.puzzles import Puzzle, of_day, stock
from netcode.protocol.messages import Act, ClientMessage, Start


class PuzzleTable(LocalTable):
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
        super().__init__(imagined(self.puzzle.view), self.puzzle.view.turn)

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that is shown."""
        return stock()[self.number - 1]

    def take(self, message: ClientMessage) -> bool:
        """Judge an answer, which counts once; Start asks for another puzzle."""
        match message:
            case Act(action=token) if not self.given and token in dict(self.puzzle.answers):
                self._judge(token)
            case Start():
                self._go_on()
            case _:
                return False
        return True

    def _judge(self, token: str) -> None:
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
        self.game, self.seat = imagined(self.puzzle.view), self.puzzle.view.turn
