"""Defines players without a screen for the analysis board, the lesson and puzzles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from driflamme_tui.model.pending_question import Question
from driflamme_tui.plain.described_table import table_sentences, with_text
from driflamme_tui.plain.line_player import LineEffect, Reply, Weighing
from driflamme_tui.plain.typed_commands import ANYWHERE, Commands, PlainPlayer
from driflamme_tui.plain.typed_words import in_english
from driflamme_tui.study.guided_game import GuidedQuestion, Lesson
from driflamme_tui.study.local_table import LocalTable, PuzzleTable
from driflamme_tui.study.study_words import (
    board_heading,
    end_sentence,
    learnt,
    nothing_to_undo,
    place_kept,
    puzzle_task,
    puzzle_title,
    score_sentence,
    verdict,
    what_is_thought,
)
from driflamme_tui.text.i18n import _, comma_list
from driflamme_tui.text.signs import ASCII
from driflamme_tui.wording.choices.answer_words import judged_answers, percent
from driflamme_tui.wording.choices.spoken_prompter import SpokenPrompter
from driflamme_tui.wording.choices.teacher_words import thinking
from driflamme_tui.wording.game.names import card_name
from engine.actions import ACTIONS
from engine.cards import CARDS
from engine.notation import format_position
from engine.texts import Text
from engine.views import View
from netcode.client.reconnection import News
from netcode.protocol.messages import Start, State, Welcome
from netcode.workers.questions import BotAnswer

_HELP: Final[tuple[Text, ...]] = (
    "A number, or an answer in the notation such as A> or + : answer the question.",
    "? : describe the whole table. ?A, ?S and so on: what a card does.",
    "undo: undo your last answer.",
    "think: what the strongest bot thinks of each answer.",
    "eyes: see and answer for one family only, or for all again.",
    "position: print this position in notation.",
    "quit: leave the table.",
)
"""The help lines of the board."""


_ON_BOARD: Final = frozenset({"undo", "eyes", "think", "position", "?", "??", "score", "quit"})
"""Commands about the board. They must wait until earlier commands have taken effect."""


@dataclass(kw_only=True)
class BoardPlayer(PlainPlayer):
    """Describes the board line by line, and replies to typed lines."""

    board: LocalTable
    _anew: bool = True
    """True until the whole table was described, at the start and after a jump to another
    position.
    """

    def names(self) -> Sequence[str]:
        """Return the players' names by seat, or the families' names if they are unknown."""
        return self.board.names or super().names()

    def news(self, news: News) -> list[str]:
        """Return the lines for new events, and the question. After a jump, no event is new."""
        if isinstance(news, Welcome):
            return []
        if isinstance(news, State) and self._anew:
            self._event_count = len(self.session.events)
        return super().news(news)

    def before_question(self) -> Iterator[str]:
        """Yield descriptions of the eyes and the table, if the position has changed by a jump."""
        view = self.session.view
        if view is not None and self._anew:
            self._anew = False
            yield comma_list(board_heading(self.board)) + "."
            yield from table_sentences(view, self.names())

    def after_game(self) -> Iterator[str]:
        """Yield the help line about undo, since a board has no next game."""
        yield _(_HELP[2])

    def leaving_means(self) -> str:
        """Return "": leaving the board loses nothing."""
        return ""

    def is_answer(self, text: str) -> bool:
        """Return True for answers, and for commands about the board.

        Such a line must wait until earlier lines have taken effect.
        """
        return in_english(text.strip()).lower() in _ON_BOARD or super().is_answer(text)

    def meant(self, text: str) -> LineEffect:
        """Run a line, and return its effect."""
        match in_english(" ".join(text.lower().split())):
            case "undo" if not self.board.can_undo:
                return nothing_to_undo()
            case "undo" | "eyes" as word:
                self._anew = True
                (self.board.undo if word == "undo" else self.board.change_eyes)()
                return Reply(awaited=self.board.revision)
            case "think" if self._question is not None:
                weighing = Weighing(self.board.seen(), (), self._judged)
                return Reply([thinking()], weighing=weighing)
            case "position" if self.session.view is not None:
                return format_position(self.session.view)
            case "help":
                return [_(line) for line in _HELP]
        return super().meant(text)

    def _judged(self, thought: BotAnswer) -> list[str]:
        """Return lines with the teacher's judgement of each answer.

        If the teacher has failed, return a sentence about the failure.
        """
        if not thought.weights:
            return [thinking(failed=True)]
        answers = [(token, share) for token, share, _tried in thought.weights]
        # Prefer the reader's view: if all cards are open, sentences can name all of them.
        prompter = SpokenPrompter(self.session.view or self.board.seen(), self.names(), ASCII)
        panel = judged_answers(answers, "", prompter, len(answers))
        return [
            comma_list(what_is_thought(self.board)) + ":",
            *(with_text(percent(each.share), each.label) for each in panel),
        ]


@dataclass(kw_only=True)
class LessonPlayer(PlainPlayer):
    """Describes a lesson line by line, and replies to typed lines."""

    lesson: Lesson

    def before_question(self) -> Iterator[str]:
        """Yield the text of all open pages, and mark them as read."""
        while self.lesson.reading:
            title, text = self.lesson.page
            yield ""
            yield with_text(title, text) if not title.endswith(("!", "?")) else f"{title} {text}"
            self.lesson.turn()

    def question_of(self, view: View) -> Question:
        """Return the question at a view. It may be limited by a task."""
        return self.lesson.question(view)

    def ask(self) -> Iterator[str]:
        """Yield the present question, and the task."""
        yield ""
        yield from super().ask()
        task = "" if self._question is None else self.lesson.task(self._question)
        if task:
            yield task

    @property
    def commands(self) -> Commands:
        """The commands that can be typed now. After the lesson no command can start a game."""
        return super().commands if self._place() == "game" else ANYWHERE

    def numbered(self, question: Question, number: int) -> LineEffect:
        """Choose an option by its number. If the task does not allow it, return the reason."""
        if 1 <= number <= len(question.options):
            question.choose(number - 1)
            if declined := self._declined(question):
                question.chosen = None
                return declined
        return super().numbered(question, number)

    def notated(self, question: Question, text: str) -> LineEffect:
        """Answer in the notation. If the task does not allow the answer, return the reason."""
        token = text[:1].upper() + text[1:] if text[:1].isalpha() else text
        if (action := ACTIONS.get(token)) in question.legal:
            tried = self.lesson.question(question.view)
            tried.choose_answer(str(action))
            if declined := self._declined(tried):
                return declined
        return super().notated(question, text)

    def _declined(self, question: Question) -> str:
        """Return the reason why the task does not allow the present choice; "" if it does."""
        if not isinstance(question, GuidedQuestion) or question.allowed:
            return ""
        question.confirm()
        return self.lesson.declined(question)

    def leaving_means(self) -> str:
        """Return the sentence stating that the progress is stored; "" after the lesson."""
        return place_kept() if self._place() == "game" else ""

    def otherwise(self, text: str) -> LineEffect:
        """Return the effect of a line that is not a command. After the lesson, list the options."""
        return super().otherwise(text) if self._place() == "game" else self._ways_on()

    def after_game(self) -> Iterator[str]:
        """Yield the last pages, a summary of the ten cards, and the next steps."""
        yield from self.before_question()
        yield ""
        yield end_sentence()
        for card in CARDS:
            yield with_text(card_name(card), f"{learnt(card)}.")
        yield from self._ways_on()

    def _ways_on(self) -> Iterator[str]:
        yield _(
            "Next, play against bots with driflamme play --plain, or with friends with driflamme "
            "join --plain. Type quit to end the lesson."
        )


MOST: Final = 6
"""Maximum number of answers to list with their judgements."""


@dataclass(kw_only=True)
class PuzzlePlayer(PlainPlayer):
    """Describes puzzles line by line, and replies to typed lines."""

    puzzles: PuzzleTable

    def news(self, news: News) -> list[str]:
        """Return lines about the puzzle; after an answer, lines about the value of each answer.

        Return [] for a Welcome.
        """
        if isinstance(news, Welcome):
            return []
        if isinstance(news, State) and self.puzzles.given:
            self._question = None
            return list(self._solution())
        return super().news(news)

    def meant(self, text: str) -> LineEffect:
        """Run a line, and return its effect. Once answered, an empty line requests a new puzzle."""
        if self.puzzles.given and not text.strip():
            return Start()
        return super().meant(text)

    def before_question(self) -> Iterator[str]:
        """Yield the puzzle's title, the score, the task, and the table."""
        view = self.session.view
        assert view is not None
        yield f"{puzzle_title(self.puzzles)}. {score_sentence(self.puzzles)}"
        yield puzzle_task()
        yield from table_sentences(view, self.names())

    def ask(self) -> Iterator[str]:
        """Yield the present question, and the way to answer."""
        yield from super().ask()
        yield _("Type the number of your answer, or help for all commands.")

    def leaving_means(self) -> str:
        """Return "": leaving the puzzles loses nothing."""
        return ""

    def _solution(self) -> Iterator[str]:
        puzzle = self.puzzles.puzzle
        prompter = SpokenPrompter(puzzle.view, self.names(), ASCII)
        yield verdict(self.puzzles)
        for each in judged_answers(puzzle.answers, self.puzzles.given, prompter, MOST):
            sentence = with_text(percent(each.share), each.label)
            if each.best or each.given:
                sentence = f"{sentence}. {each.why}"
            if each.given:
                sentence = _("{answer} (your answer)", answer=sentence)
            yield sentence
        yield score_sentence(self.puzzles)
        yield _("Press Enter for another puzzle, or type quit.")
