"""Puzzles: real positions in which one answer is clearly the best, and not the obvious one.

A puzzle is a line: the view of whoever is asked, in the notation, then ` = ` and every answer with
the part of the victory that it promises, in tenths of a percent, the best first.

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
from engine.bots.master import Master
from engine.cards import UNKNOWN
from engine.notation import NotationError, format_position, parse_view
from engine.position import cards_of
from engine.record import Record, replay
from engine.views import View, view

OBVIOUS: Final = "steady"
"""The bot whose answer is the obvious one: it plays by rules of thumb and looks not ahead."""

LEAD: Final = 0.08
"""By how much of the victory the best answer of a puzzle leads, at least."""

JUDGEMENTS: Final = 24
"""Independent judgements, each of worlds of its own, that must all name the same answer."""

EFFORT: Final = 1_200
"""Iterations of each of these."""


class Puzzle(NamedTuple):
    """A question of a game, and what each answer promises."""

    line: str
    """The view of whoever is asked, in the notation."""
    answers: tuple[tuple[str, float], ...]
    """The token of each answer and the part of the victory to expect of it, the best first."""

    @property
    def best(self) -> str:
        """The token of the answer that promises most."""
        return self.answers[0][0]

    def share(self, token: str) -> float:
        """Return the part of the victory that an answer promises."""
        return dict(self.answers)[token]

    @property
    def view(self) -> View:
        """What the player knows who is asked; raises NotationError for a line that is none."""
        return parse_view(self.line, parse_view(self.line, None).turn)

    def __str__(self) -> str:
        """Return the line of the puzzle."""
        return f"{self.line} = " + " ".join(
            f"{token}:{round(1000 * share)}" for token, share in self.answers
        )


def parse_puzzle(text: str) -> Puzzle:
    """Return the puzzle that a line says; raises NotationError."""
    line, _mark, judged = text.strip().partition(" = ")
    answers = []
    for each in judged.split(" "):
        token, _, permille = each.rpartition(":")
        if not (token and permille.isdecimal() and len(permille) <= len("1000")):
            raise NotationError("A puzzle ends in its answers, each as token:permille.")
        answers.append((token, int(permille) / 1000))
    puzzle = Puzzle(line, tuple(answers))
    if {str(action) for action in puzzle.view.legal} != {token for token, _ in answers}:
        raise NotationError("The answers of a puzzle are those that its position allows.")
    return puzzle


def puzzles_in(record: Record, rng: Random) -> Iterator[Puzzle]:
    """Yield the puzzles of a game; takes seconds for each decision that may be one."""
    for step in replay(record):
        seen = view(step.before, step.before.turn)
        # In round 1 there is nothing to know yet; whoever plays knows their own cards.
        known = UNKNOWN not in cards_of(seen, seen.turn)
        if seen.round > 1 and known and len(seen.legal) > 1:
            puzzle = _judged(seen, rng)
            if puzzle is not None:
                yield puzzle


def _judged(seen: View, rng: Random) -> Puzzle | None:
    """Return the puzzle of a view, if its best answer is clear and not obvious."""
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
    """Return the same view anew, since a bot may change what it is shown."""
    return parse_view(format_position(seen), seen.viewers)


@cache
def stock() -> tuple[Puzzle, ...]:
    """Return the puzzles that come with the program."""
    lines = files("engine").joinpath("puzzles.txt").read_text(encoding="utf-8").splitlines()
    return tuple(map(parse_puzzle, lines))


def of_day(puzzles: Sequence[Puzzle], day: int) -> int:
    """Return the index of the puzzle of a day, counted as `date.toordinal` does.

    It is the same for everybody who has the same puzzles, and none comes again before all have.
    """
    turn, index = divmod(day, len(puzzles))
    order = list(range(len(puzzles)))
    Random(turn).shuffle(order)
    return order[index]
