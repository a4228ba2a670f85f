"""Tests news at a table, and the course of its animation, without a screen."""

import pytest

from driflamme_tui.keymap.key_bindings import keys_now
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.screens.table.animation import SINCE_S, Animation
from driflamme_tui.screens.table.answers.answer_commands import option_sentences
from driflamme_tui.screens.table.motion import Motion
from driflamme_tui.screens.table.table_news import TableNews
from driflamme_tui.text.signs import UNICODE
from netcode.client.session import Session
from netcode.protocol.messages import Refused, Welcome
from tests.support.tables import (
    EVENING_STEPS,
    evening_session,
    seen,
    session_at_line,
    state,
    state_of,
    welcome,
)

LINE = "2 4 bA2 rS,bA,gl *r3,b5,g2"
ANOTHER = "2 4 bA2 rS,bA,gh1 *r3,b5,g2"


def shown(session: Session) -> TableNews:
    news = TableNews()
    news.update(session, is_lost=False)
    return news


def test_the_first_view_is_new_and_its_events_are_not() -> None:
    news, session = TableNews(), evening_session(43)
    assert TableNews().update(Session(), is_lost=False) is None
    first = news.update(session, is_lost=False)
    assert first is not None
    assert (first.is_new_view, first.events, first.was_lost) == (True, (), False)
    again = news.update(session, is_lost=False)
    assert again is not None
    assert not again.is_new_view


def test_a_restarted_host_may_send_another_view_of_the_same_revision() -> None:
    session = session_at_line(LINE)
    news = shown(session)
    session.receive(state(seen(LINE), session.revision))
    same = news.update(session, is_lost=False)
    session.view = seen(ANOTHER)
    other = news.update(session, is_lost=False)
    assert same is not None
    assert other is not None
    assert (same.is_new_view, other.is_new_view) == (False, True)


def test_a_welcome_alone_is_no_news() -> None:
    session = session_at_line(LINE)
    news = shown(session)
    message: Welcome = welcome("b")
    session.receive(message)
    after = news.update(session, is_lost=False)
    assert after is None or not after.is_new_view


@pytest.mark.parametrize("is_back", [False, True])
def test_a_view_that_comes_while_the_connection_was_lost_says_so(is_back: bool) -> None:
    session = session_at_line(LINE)
    news = shown(session)
    news.update(session, is_lost=True)
    if is_back:
        session.view = seen(LINE)
        news.update(session, is_lost=False)
    session.receive(state(seen(ANOTHER), session.revision + 1))
    after = news.update(session, is_lost=False)
    assert after is not None
    assert after.was_lost is not is_back
    assert after.is_unanswered


def test_an_answered_view_and_a_refusal_are_told_once() -> None:
    session = session_at_line(LINE)
    news = shown(session)
    session.refusal = Refused(code="full")
    news_twice = [news.update(session, is_lost=False) for _ in range(2)]
    assert [each is not None and each.refusal is not None for each in news_twice] == [True, False]
    news.answered = session.revision
    session.receive(state(seen(ANOTHER), session.revision + 1))
    after = news.update(session, is_lost=False)
    assert after is not None
    assert not after.is_unanswered


class Running:
    """The animation of the evening's steps 40 to 43, with a clock that the test sets."""

    def __init__(self) -> None:
        self.now, self.changes, self.ends = 1000.0, 0, 0
        self.session, self.animation = evening_session(43), Animation()
        before, at = evening_session(40).view, evening_session(43).view
        assert before is not None
        assert at is not None
        self.view = at
        self.animation.since = before, len(evening_session(40).events)
        self.motion = Motion(self.animation, lambda: self.now, self._changed, self._ended)

    def _changed(self) -> None:
        self.changes += 1

    def _ended(self) -> None:
        self.ends += 1

    def repeat(self) -> str:
        return self.motion.repeat(self.view, self.session, UNICODE, wanted=True)


def test_a_repetition_steps_at_its_own_key_and_ends_at_another() -> None:
    running = Running()
    (since, *_others), commands = keys_now(TableCommands.since), TableCommands
    assert running.repeat() == ""
    first = running.animation.reel.frame
    assert running.motion.takes_key(since, commands)
    assert running.animation.reel.frame is not first
    assert (running.changes, running.ends) == (1, 0)
    assert running.motion.takes_key(keys_now(TableCommands.confirm)[0], commands)
    assert running.animation.reel.frame is None
    assert (running.changes, running.ends) == (2, 1)
    assert not running.motion.takes_key("f9", commands), "there is nothing to skip"


def test_a_key_without_a_command_only_skips_and_one_with_a_command_does_both() -> None:
    for name, is_taken in (("f9", True), (keys_now(TableCommands.confirm)[0], False)):
        running = Running()
        running.repeat()
        running.animation.reel.again = False
        assert running.motion.takes_key(name, TableCommands) is is_taken
        assert running.animation.reel.frame is None


def test_time_ends_the_pictures_once() -> None:
    running = Running()
    running.repeat()
    for _ in range(200):
        running.now += SINCE_S
        if not running.motion.advance():
            break
    assert running.ends == 1
    assert running.animation.reel.frame is None


def test_a_reader_who_has_missed_nothing_is_told_so() -> None:
    running = Running()
    running.animation.since = running.view, len(running.session.events)
    came, running.animation.has_answered = running.repeat(), True
    assert came != running.repeat()
    assert "your last answer" in running.repeat()


def test_every_option_of_a_question_has_a_sentence() -> None:
    for step in range(EVENING_STEPS):
        view = evening_session(step).view
        assert view is not None
        question = Question(view)
        sentences = [*option_sentences(question, state_of(view, question))]
        is_to_reveal = question.step is Step.LEAVE_OR_REVEAL
        assert len(sentences) == (0 if is_to_reveal else len(question.options))
        assert all(sentences)
