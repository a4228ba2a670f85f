"""The lesson without a screen: its pages are told between what happens and what is asked."""

from collections.abc import Iterator

from driflamme_tui.lesson.guided_game import GuidedQuestion, Lesson
from driflamme_tui.model.pending_question import Question
from driflamme_tui.plain.line_player import Reply
from driflamme_tui.plain.plain_player import PlainPlayer
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import card_name
from driflamme_tui.wording.program.lesson_words import end_sentence, learnt
from engine.actions import ACTIONS
from engine.cards import CARDS
from engine.view import View
from netcode.client.session import Session
from netcode.protocol.messages import Lobby


class LessonPlayer(PlainPlayer):
    """Tells a lesson line by line, and understands lines."""

    def __init__(self, session: Session, lesson: Lesson) -> None:
        """Tell a lesson at the table of a session."""
        super().__init__(session)
        self._lesson = lesson

    def before_question(self) -> Iterator[str]:
        """Tell all the pages that there are now."""
        self._lesson.follow()
        while self._lesson.reading:
            title, text = self._lesson.page
            yield ""
            yield f"{title}: {text}" if not title.endswith(("!", "?")) else f"{title} {text}"
            self._lesson.turn()

    def question_of(self, view: View) -> Question:
        """Return the question that a view asks, which may be guided."""
        return self._lesson.question(view)

    def ask(self) -> Iterator[str]:
        """Ask the present question, and say what is to be done."""
        yield ""
        yield from super().ask()
        task = "" if self._question is None else self._lesson.task(self._question)
        if task:
            yield task

    def numbered(self, question: Question, number: int) -> Reply:
        """Choose by number, unless the task is another."""
        if isinstance(question, GuidedQuestion) and 1 <= number <= len(question.options):
            question.choose(number - 1)
            if not question.allows(question.options[number - 1]):
                question.confirm()
                declined = self._lesson.declined(question)
                question.chosen = None
                return Reply([declined])
        return super().numbered(question, number)

    def notated(self, question: Question, text: str) -> Reply:
        """Answer in the notation, unless the task is another."""
        token = text[:1].upper() + text[1:] if text[:1].isalpha() else text
        action = ACTIONS.get(token)
        declined = "" if action is None else self._lesson.is_declined(action)
        if declined and action in question.legal:
            return Reply([declined])
        return super().notated(question, text)

    def in_lobby(self, lobby: Lobby, word: str, rest: str) -> Reply:
        """Say what can be done after the lesson."""
        return Reply(list(self._ways_on()))

    def after_game(self) -> Iterator[str]:
        """Tell the last pages, the ten cards once more, and what to do next."""
        yield from self.before_question()
        yield ""
        yield end_sentence()
        for card in CARDS:
            yield f"{card_name(card)}: {learnt(card)}."
        yield from self._ways_on()

    def _ways_on(self) -> Iterator[str]:
        yield _(
            "Next, play against bots with driflamme play --plain, or with friends with driflamme "
            "join --plain. Type quit to end the lesson."
        )
