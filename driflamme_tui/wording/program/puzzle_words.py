"""What is said of a puzzle: which it is, and whether the answer was right."""

from driflamme_tui.seat.puzzle_table import PuzzleTable
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.wording.choices.answer_words import percent
from engine.puzzles import stock


def puzzle_title(puzzles: PuzzleTable) -> str:
    """Return which puzzle it is."""
    text = _("Puzzle {number} of {all}")
    if puzzles.number == puzzles.of_today:
        text = _("Today's puzzle, {number} of {all}")
    return text.format(number=puzzles.number, all=len(stock()))


def puzzle_task() -> str:
    """Return what is to be done."""
    return _("A real position from a game between strong bots: which answer wins most often?")


def score_sentence(puzzles: PuzzleTable) -> str:
    """Return how many days in a row were solved, or that today was not, and how many in all."""
    progress = puzzles.progress
    days = progress.streak_at(puzzles.day)
    streak = ngettext("Streak: {n} day.", "Streak: {n} days.", days).format(n=days)
    if progress.day == puzzles.day and not days:
        streak = _("Today's was missed.")
    solved = _("Solved: {n} of {all}.").format(n=len(progress.solved), all=len(stock()))
    return f"{streak} {solved}"


def verdict(puzzles: PuzzleTable) -> str:
    """Return whether the answer is the best, and what it promises."""
    puzzle = puzzles.puzzle
    best, given = percent(puzzle.answers[0][1]), percent(puzzle.share(puzzles.given))
    if puzzles.given == puzzle.best:
        return _("Right! That wins {best} of games.").format(best=best)
    return _("Not the best: that wins {given} of games, the best answer {best}.").format(
        given=given, best=best
    )
