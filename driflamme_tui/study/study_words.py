"""Builds texts for tables without other people: the lesson, puzzles, and the analysis board."""

from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.pending_question import Option, Question, Step
from driflamme_tui.study.local_table import LocalTable, PuzzleTable
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.choices.answer_words import percent
from driflamme_tui.wording.game.card_texts import CARD_TEXTS
from driflamme_tui.wording.game.names import bot_name, family_name
from engine.actions import END, LEAVE, START, Place
from engine.bots import TEACHER
from engine.cards import Card
from engine.puzzles import stock
from engine.texts import Text


def learnt(card: Card) -> str:
    """Return a reminder of a card's effect, in a few words."""
    return _(CARD_TEXTS[card].learnt)


def how(question: Question, option: Option, glyphs: Glyphs) -> str:
    """Return the sentence that explains how to choose and confirm an option, by keys or mouse."""
    confirm = key(TableCommands.confirm, glyphs)
    if question.step is Step.CARD:
        return _(
            "Press {key}, then {confirm}; or click the card.",
            key=(option.card or "").lower(),
            confirm=confirm,
        )
    return _(
        "Press {key}, then {confirm}; or click it twice.",
        key=_key_of(option, glyphs),
        confirm=confirm,
    )


def _key_of(option: Option, glyphs: Glyphs) -> str:
    action = option.action
    if isinstance(action, Place):
        spots = {START: TableCommands.start, END: TableCommands.end}
        return key(spots.get(action.spot, TableCommands.stack), glyphs)
    if option.position:
        return str(option.position)
    return key(TableCommands.leave if action == LEAVE else TableCommands.reveal, glyphs)


def place_kept() -> str:
    """Return a sentence about the stored progress, and the question whether to leave."""
    return _("Your progress is kept: driflamme learn continues from here. Leave the lesson?")


def end_sentence() -> str:
    """Return the sentence above the cards in the summary."""
    return _("You have met all ten cards. In a game, look at any card to be reminded:")


def ways_on() -> dict[str, str]:
    """Return the labels of the next steps, by name."""
    return {
        "play": _("Play against bots: driflamme play"),
        "host": _("Host a table for friends: driflamme host"),
        "join": _("To the start: join a table, read the rules"),
        "again": _("Play the lesson once more"),
    }


def puzzle_title(puzzles: PuzzleTable) -> str:
    """Return the number of a puzzle among all puzzles, with a note if it is today's puzzle."""
    text: Text = "Puzzle {number} of {all}"
    if puzzles.number == puzzles.of_today:
        text = "Today's puzzle, {number} of {all}"
    return _(text, number=puzzles.number, all=len(stock()))


def puzzle_task() -> str:
    """Return the task, which is the same for all puzzles."""
    return _("A real position from a game between strong bots: which answer wins most often?")


def score_sentence(puzzles: PuzzleTable) -> str:
    """Return sentences about the streak or the missed puzzle of today, and about solved puzzles."""
    progress = puzzles.progress
    days = progress.streak_at(puzzles.day)
    streak = ngettext("Streak: {n} day.", "Streak: {n} days.", days)
    if progress.day == puzzles.day and not days:
        streak = _("Today's puzzle was missed.")
    solved = _("Solved: {n} of {all}.", n=len(progress.solved), all=len(stock()))
    return f"{streak} {solved}"


def verdict(puzzles: PuzzleTable) -> str:
    """Return a sentence that judges the given answer by its value."""
    puzzle = puzzles.puzzle
    best, given = percent(puzzle.answers[0][1]), percent(puzzle.share(puzzles.given))
    if puzzles.given == puzzle.best:
        return _("Right! That wins {best} of games.", best=best)
    return _(
        "Not the best: that wins {given} of games, the best answer {best}.", given=given, best=best
    )


def board_heading(table: LocalTable) -> list[str]:
    """Return the texts in the header of a board, the most important first."""
    eyes = _("all cards open")
    if table.seat is not None:
        eyes = _("{family}'s cards", family=family_name(table.game.families[table.seat]))
    return [_("board"), eyes, *([_("others imagined")] if table.imagined else [])]


def what_is_thought(table: LocalTable) -> tuple[str, str]:
    """Return the title above judged answers, and the family on whose knowledge they are based.

    The second text is "" after the game.
    """
    title = _("What {bot} thinks: how often each answer wins", bot=bot_name(TEACHER))
    if table.game.over:
        return title, ""
    family = family_name(table.game.families[table.game.turn])
    return title, _("from what {family} can know", family=family)


def only_own_cards() -> str:
    """Return the reason why other families' cards stay hidden."""
    return _("You try again with what you could know then: other cards stay hidden.")


def nothing_to_undo() -> str:
    """Return the reason why there is nothing to undo."""
    return _("You have no answer to undo.")
