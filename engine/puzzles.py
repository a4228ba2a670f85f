"""Finds and parses puzzles: positions in which the best answer is clear, but not obvious.

A puzzle is one line: the asked player's view in the notation, ` = `, and every answer with a
number, best answer first. The number is the expected share of the victory, in tenths of a percent.

>>> line = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
>>> puzzle = parse_puzzle(f"{line} = +:412 !:255")
>>> puzzle.best, puzzle.share("!"), puzzle.view.viewer, str(puzzle).startswith(line)
('+', 0.255, 1, True)
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Final, NamedTuple

from engine.bots import make_bot
from engine.bots.base import SearchingBot
from engine.bots.master_bot import Master
from engine.cards import UNKNOWN
from engine.notation import NotationError, format_position, parse_view
from engine.position import cards_of
from engine.record import Record, replay
from engine.views import View, view

OBVIOUS: Final = "steady"
"""The bot whose answer counts as obvious: it uses rules of thumb and does not look ahead."""

LEAD: Final = 0.08
"""Minimum lead of the best answer over the second, as a share of the victory."""

JUDGEMENTS: Final = 24
"""Number of independent searches that must all find the same best answer."""

EFFORT: Final = 1_200
"""Number of iterations of each search."""


class Puzzle(NamedTuple):
    """A question of a game, with the expected result of each possible answer."""

    line: str
    """The asked player's view in the notation."""
    answers: tuple[tuple[str, float], ...]
    """The token of each answer and its expected share of the victory, best answer first."""

    @property
    def best(self) -> str:
        """The token of the best answer."""
        return self.answers[0][0]

    def share(self, token: str) -> float:
        """Return the expected share of the victory after the answer with this token.

        Raises KeyError if the puzzle has no such answer.
        """
        return dict(self.answers)[token]

    @property
    def view(self) -> View:
        """The asked player's view; raises PositionError if `line` is invalid."""
        return parse_view(self.line, parse_view(self.line, None).turn)

    def __str__(self) -> str:
        """Return the line that `parse_puzzle` parses to this puzzle."""
        return f"{self.line} = " + " ".join(
            f"{token}:{round(1000 * share)}" for token, share in self.answers
        )


def parse_puzzle(text: str) -> Puzzle:
    """Return the puzzle of a line; raises PositionError if the line is invalid."""
    line, _mark, judged = text.strip().partition(" = ")
    answers = []
    for each in judged.split(" "):
        token, _, permille = each.rpartition(":")
        if not (token and permille.isdecimal() and len(permille) <= len("1000")):
            raise NotationError("End a puzzle with its answers, each as token:permille.")
        answers.append((token, int(permille) / 1000))
    puzzle = Puzzle(line, tuple(answers))
    if {str(action) for action in puzzle.view.legal} != {token for token, _ in answers}:
        raise NotationError("Write the answers that the puzzle's position allows, and no others.")
    return puzzle


def puzzles_in(record: Record, rng: Random) -> Iterator[Puzzle]:
    """Yield the puzzles of a recorded game. Judging one position takes seconds.

    Raises RecordError at a decision that breaks the rules.
    """
    for step in replay(record):
        seen = view(step.before, step.before.turn)
        # In round 1 hardly any card is public. A record may lack even the player's own cards, if
        # the player never opened them.
        known = UNKNOWN not in cards_of(seen, seen.turn)
        if seen.round > 1 and known and len(seen.legal) > 1:
            puzzle = _judged(seen, rng)
            if puzzle is not None:
                yield puzzle


def _judged(seen: View, rng: Random) -> Puzzle | None:
    """Return the puzzle of a view; None if its best answer is unclear or obvious."""
    glance = _weighed(seen, rng, Master.iterations)
    ranked = sorted(glance.values(), reverse=True)
    best = max(glance, key=lambda token: glance[token])
    if ranked[0] - ranked[1] < LEAD:
        return None
    if str(make_bot(OBVIOUS, Random(0)).choose(_again(seen))) == best:
        return None
    sums: dict[str, float] = defaultdict(float)
    for _ in range(JUDGEMENTS):
        shares = _weighed(seen, rng, EFFORT)
        if max(shares, key=lambda token: shares[token]) != best:
            return None
        for token, share in shares.items():
            sums[token] += share / JUDGEMENTS
    answers = sorted(sums.items(), key=lambda each: -each[1])
    if answers[0][1] - answers[1][1] < LEAD:
        return None
    return Puzzle(format_position(seen), tuple(answers))


def _weighed(seen: View, rng: Random, effort: int) -> dict[str, float]:
    judge = make_bot(Master.name, Random(rng.random()), lambda made: made < effort)
    assert isinstance(judge, SearchingBot)
    return {str(each.action): each.share for each in judge.weigh(_again(seen))}


def _again(seen: View) -> View:
    """Return a copy of the view, since a bot may change the view that it receives."""
    return parse_view(format_position(seen), seen.viewers)


@cache
def stock() -> tuple[Puzzle, ...]:
    """Return the puzzles that come with the program."""
    lines = files("engine").joinpath("puzzles.txt").read_text(encoding="utf-8").splitlines()
    return tuple(map(parse_puzzle, lines))


def of_day(puzzles: Sequence[Puzzle], day: int) -> int:
    """Return the index of the puzzle of a day; `day` is a number of `date.toordinal`.

    Programs with the same puzzles get the same index. Within each cycle of `len(puzzles)` days,
    every puzzle appears once.
    """
    turn, index = divmod(day, len(puzzles))
    order = list(range(len(puzzles)))
    Random(turn).shuffle(order)
    return order[index]
