"""Puzzles without a screen: the table is told, its question asked, and the answer judged."""

from collections.abc import Iterator
from typing import Final

from driflamme_tui.plain.described_table import described
from driflamme_tui.plain.line_player import Reply
from driflamme_tui.plain.plain_narrator import SpokenPrompter
from driflamme_tui.plain.plain_player import PlainPlayer
from driflamme_tui.seat.puzzle_table import PuzzleTable
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import ASCII
from driflamme_tui.wording.choices.answer_words import percent
from driflamme_tui.wording.choices.judged_answers import judged
from driflamme_tui.wording.program.puzzle_words import (
    puzzle_task,
    puzzle_title,
    score_sentence,
    verdict,
)
from netcode.client.reconnection import News
from netcode.client.session import Session
from netcode.protocol.messages import Start, State, Welcome

MOST: Final = 6
"""How many answers are told, with what they promise."""


class PuzzlePlayer(PlainPlayer):
    """Tells puzzles line by line, and understands lines."""

    def __init__(self, session: Session, table: PuzzleTable) -> None:
        """Tell the puzzles at the table of a session."""
        super().__init__(session)
        self._puzzles = table

    def news(self, news: News) -> list[str]:
        """Tell the puzzle or, once it is answered, what each answer promises."""
        if isinstance(news, Welcome):
            return []
        if isinstance(news, State) and self._puzzles.given:
            self._question = None
            return list(self._solution())
        return super().news(news)

    def line(self, text: str) -> Reply:
        """Return what a line means; after the answer an empty one asks for another puzzle."""
        if self._puzzles.given and not text.strip():
            return Reply(messages=[Start()])
        return super().line(text)

    def before_question(self) -> Iterator[str]:
        """Tell which puzzle it is, and the table."""
        view = self.session.view
        assert view is not None
        yield f"{puzzle_title(self._puzzles)}. {score_sentence(self._puzzles)}"
        yield puzzle_task()
        yield from described(view, self.names())

    def ask(self) -> Iterator[str]:
        """Ask the present question, and say how to answer."""
        yield from super().ask()
        yield _("Type the number of your answer, or help for all commands.")

    def _solution(self) -> Iterator[str]:
        puzzle = self._puzzles.puzzle
        prompter = SpokenPrompter(puzzle.view, self.names(), ASCII)
        yield verdict(self._puzzles)
        for each in judged(puzzle.answers, self._puzzles.given, prompter, MOST):
            told = f"{percent(each.share)}: {each.label}"
            if each.best or each.given:
                told = f"{told}. {each.why}"
            if each.given:
                told = _("{answer} (your answer)").format(answer=told)
            yield told
        yield score_sentence(self._puzzles)
        yield _("Press Enter for another puzzle, or type quit.")
