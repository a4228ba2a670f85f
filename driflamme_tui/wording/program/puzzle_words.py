"""What is said of a puzzle: which it is, whether the answer was right, and why."""

from collections.abc import Iterator

from msgspec import Struct

from driflamme_tui.seat.puzzle_table import PuzzleTable
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.wording.choices.answer_words import percent
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.game.card_words import card_summary
from driflamme_tui.wording.game.names import card_name
from engine.actions import ACTIONS, END, START, Action, Copy, Eliminate, Leave, Move, Place, Steal
from engine.puzzles import stock


class Judged(Struct, frozen=True):
    """An answer of a puzzle, and what it promises."""

    label: str
    """The answer in few words."""
    share: float
    """The part of the victory to expect of it."""
    best: bool
    given: bool
    why: str
    """What it would do."""


def puzzle_title(puzzles: PuzzleTable) -> str:
    """Return which puzzle it is."""
    text = _("Puzzle {number} of {all}")
    if puzzles.number == puzzles.of_today:
        text = _("Today’s puzzle, {number} of {all}")
    return text.format(number=puzzles.number, all=len(stock()))


def puzzle_task() -> str:
    """Return what is to be done."""
    return _("A real position from a game between strong bots: which answer wins most often?")


def score_sentence(puzzles: PuzzleTable) -> str:
    """Return how many days in a row were solved, and how many puzzles in all."""
    days = puzzles.progress.streak_at(puzzles.day)
    solved = _("Solved: {n} of {all}.").format(n=len(puzzles.progress.solved), all=len(stock()))
    if not days:
        return solved
    in_a_row = ngettext("Streak: {n} day.", "Streak: {n} days.", days).format(n=days)
    return f"{in_a_row} {solved}"


def verdict(puzzles: PuzzleTable) -> str:
    """Return whether the answer is the best, and what it promises."""
    puzzle = puzzles.puzzle
    best, given = percent(puzzle.answers[0][1]), percent(puzzle.share(puzzles.given))
    if puzzles.given == puzzle.best:
        return _("Right! That wins {best} of games.").format(best=best)
    return _("Not the best: that wins {given} of games, the best answer {best}.").format(
        given=given, best=best
    )


def judged(puzzles: PuzzleTable, prompter: Prompter, most: int) -> Iterator[Judged]:
    """Yield the answers, the best first; of many so many, the one that was given among them."""
    answers = puzzles.puzzle.answers
    ranks = list(range(len(answers)))[: max(1, most)]
    given = next(rank for rank, (token, _share) in enumerate(answers) if token == puzzles.given)
    if given not in ranks:
        ranks[max(1, most - 1) :] = [given]
    for rank in ranks:
        token, share = answers[rank]
        action = ACTIONS[token]
        effect = prompter.effect(action)
        why = effect[:1].upper() + effect[1:] + ("" if effect.endswith(".") else ".")
        if isinstance(action, Place):
            why = f"{why} {card_summary(action.card)}"
        yield Judged(answer_label(action, prompter), share, not rank, rank == given, why)


def answer_label(action: Action, prompter: Prompter) -> str:
    """Return an answer in few words."""
    match action:
        case Place(card=card, spot=spot) if spot == START and prompter.view.queue:
            return _("{card}, at the start").format(card=card_name(card))
        case Place(card=card, spot=spot) if spot in (START, END):
            return _("{card}, at the end").format(card=card_name(card))
        case Place(card=card, position=position):
            return _("{card}, on stack {n}").format(card=card_name(card), n=position)
        case Move(position=position, destination=destination):
            return _("{card}, to {n}").format(card=prompter.at(position), n=destination)
        case Steal(family=family):
            return prompter.who(prompter.view.seat_of(family))
        case Eliminate(position=position) | Copy(position=position):
            return prompter.at(position)
    return _("Leave it") if isinstance(action, Leave) else _("Reveal it")
