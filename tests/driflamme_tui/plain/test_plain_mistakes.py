"""Tests learning from mistakes line by line, after a game."""

from types import SimpleNamespace
from typing import Any, cast

from driflamme_tui.plain.line_shell import _Evening
from driflamme_tui.plain.typed_commands import PlainPlayer
from driflamme_tui.replay.judging import decisions_of
from driflamme_tui.replay.kept_judgements import kept_advice
from engine.replaying import Replay
from netcode.client.session import Session
from netcode.workers.questions import BotAnswer, BotQuestion
from tests.support.pretend_workers import PretendWorkers
from tests.support.tables import RECORD, evening_session

MINE = decisions_of(Replay.of(RECORD), 1)


def ended() -> Session:
    session = evening_session(10**6, "b")
    session.record = RECORD
    return session


def best(question: BotQuestion) -> BotAnswer:
    return BotAnswer(question.given, ((question.given, 0.5, 9),))


def evening(session: Session) -> tuple[_Evening, PretendWorkers, list[str]]:
    written: list[str] = []
    workers = PretendWorkers()
    seat = cast(Any, SimpleNamespace(session=session, workers=workers, connected=True))
    return _Evening(seat, PlainPlayer(session), written.append, None), workers, written


def test_the_decisions_are_judged_one_by_one_with_progress_and_the_result_is_written() -> None:
    shell, workers, written = evening(ended())
    assert not shell._do("mistakes")
    assert written == [f"Judging decision 1 of {len(MINE)}."]
    while workers.questions:
        workers.answer(best)
    assert f"Judging decision 11 of {len(MINE)}." in written
    assert written[-3:] == [
        f"Blaise: accuracy 100%, in {len(MINE)} decisions.",
        "No decision cost a clear part of the winning chances.",
        "Judged by what the player could know then, not by hidden cards.",
    ]
    assert len(kept_advice(Replay.of(RECORD), 1)) == len(MINE)
    # The second command prints stored judgements, and asks no question.
    written.clear()
    shell._do("mistakes")
    assert len(written) == 3
    assert not workers.questions


def test_another_game_ends_the_judging() -> None:
    session = ended()
    shell, workers, written = evening(session)
    shell._do("mistakes")
    session.record = None
    workers.answer(best)
    assert not workers.questions
    assert len(written) == 1


def test_without_a_record_or_a_seat_a_sentence_says_why() -> None:
    session = ended()
    session.record = None
    assert PlainPlayer(session).line("mistakes").lines == [
        "The table has not sent the record of this game: wait a moment, then try again."
    ]
    watching = evening_session(10**6, "-")
    watching.record = RECORD
    (line,) = PlainPlayer(watching).line("mistakes").lines
    assert line.startswith("You had no seat in this game")
