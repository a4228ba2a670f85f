"""The analysis board without a screen: answers, and taking them back, line by line."""

from collections.abc import Iterator, Sequence
from typing import Final

from driflamme_tui.plain.described_table import described
from driflamme_tui.plain.line_player import Reply
from driflamme_tui.plain.plain_narrator import SpokenPrompter
from driflamme_tui.plain.plain_player import PlainPlayer
from driflamme_tui.seat.local_table import LocalTable
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import ASCII
from driflamme_tui.wording.choices.answer_words import percent
from driflamme_tui.wording.choices.judged_answers import judged
from driflamme_tui.wording.program.board_words import (
    board_heading,
    nothing_to_undo,
    what_is_thought,
)
from driflamme_tui.wording.program.replay_words import thinking
from engine.notation import format_position
from engine.view import View
from engine.words import N_
from netcode.client.reconnection import News
from netcode.client.session import Session
from netcode.protocol.messages import State, Welcome
from netcode.workers.worker_main import BotAnswer

_HELP: Final = (
    N_("A number, or an answer in the notation such as A> or + : answer the question."),
    N_("? : the whole table in words. ?A, ?S and so on: what a card does."),
    N_("undo: take your last answer back."),
    N_("think: what the strongest bot thinks of each answer."),
    N_("eyes: see and answer for one family only, or for all again."),
    N_("position: the position in the notation."),
    N_("quit: leave the table."),
)
"""What can be typed, a line each."""


_ON_BOARD: Final = frozenset({"undo", "eyes", "think", "position", "?", "??", "score", "quit"})
"""What is about the board as what was typed before has left it."""


class BoardPlayer(PlainPlayer):
    """Tells what is on the board line by line, and understands lines."""

    def __init__(self, session: Session, table: LocalTable) -> None:
        """Tell of the board at the table of a session."""
        super().__init__(session)
        self._board = table
        self._anew = True
        """Whether the whole table is to be told: it is not what follows from the one before."""

    def names(self) -> Sequence[str]:
        """Return the names of the players, by seat; where they are not known, of the families."""
        return self._board.names or super().names()

    def news(self, news: News) -> list[str]:
        """Tell what has happened, and what is asked."""
        if isinstance(news, Welcome):
            return []
        if isinstance(news, State) and self._anew:
            self._told = len(self.session.events)
        return super().news(news)

    def before_question(self) -> Iterator[str]:
        """Tell whose cards are seen, and the table, where something else stood before."""
        view = self.session.view
        if view is not None and self._anew:
            self._anew = False
            yield ", ".join(board_heading(self._board)) + "."
            yield from described(view, self.names())

    def after_game(self) -> Iterator[str]:
        """Return what can be done at the end of a game."""
        yield _(_HELP[2])

    def is_answer(self, text: str) -> bool:
        """Return whether a line is about what is on the board, and so waits for that."""
        return text.strip().lower() in _ON_BOARD or super().is_answer(text)

    def line(self, text: str) -> Reply:
        """Return what a line means; it may be anything."""
        match " ".join(text.lower().split()):
            case "undo" if not self._board.can_undo:
                return Reply([nothing_to_undo()])
            case "undo" | "eyes" as word:
                self._anew = True
                (self._board.undo if word == "undo" else self._board.change_eyes)()
                return Reply(awaited=self._board.revision)
            case "think" if self._question is not None:
                return Reply([thinking()], hint=self._board.seen())
            case "position" if self.session.view is not None:
                return Reply([format_position(self.session.view)])
            case "help":
                return Reply([_(line) for line in _HELP])
        return super().line(text)

    def hint(self, view: View, thought: BotAnswer) -> list[str]:
        """Tell what the teacher thinks of each answer."""
        if not thought.weights:
            return [thinking(failed=True)]
        answers = [(token, share) for token, share, _tried in thought.weights]
        # With all cards open they are called by what they are.
        prompter = SpokenPrompter(self.session.view or view, self.names(), ASCII)
        told = judged(answers, "", prompter, len(answers))
        return [
            ", ".join(what_is_thought(self._board)) + ":",
            *(f"{percent(each.share)}: {each.label}" for each in told),
        ]
