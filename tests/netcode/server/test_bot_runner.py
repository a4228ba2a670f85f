"""Tests searching bots at the tables of a real server: their failures stop no game."""

from collections.abc import Callable
from random import Random

import pytest

from engine.actions import ACTIONS, Action
from engine.bots import Bot, make_bot
from engine.notation import format_position, parse_view
from engine.record import Record, replay
from engine.views import View
from netcode.protocol.messages import AddBot, ChangeBot, Leave, Pause, Start
from netcode.protocol.table_settings import TableSettings
from netcode.server import bot_runner
from netcode.workers.questions import BotAnswer, BotQuestion
from tests.support.pretend import OWNER_KEY, Participant
from tests.support.pretend_workers import PretendWorkers
from tests.support.shell import ServerNetwork

THINK_S = 2.0
SETTINGS = TableSettings(first="b", pace_ms=500, think_ms=2000)


def legal(question: BotQuestion) -> BotAnswer:
    return BotAnswer(parse_view(question.view, question.eyes).legal[0].token)


class Evening(ServerNetwork):
    """A game of a person and two bots with a thinking time, at the first bot's question."""

    def __init__(self, bot: str = "master") -> None:
        self.workers = PretendWorkers()
        super().__init__(settings=SETTINGS, workers=self.workers)
        self.host = Participant(self, "a")
        self.host.send(AddBot(bot=bot))
        self.host.send(AddBot(bot=bot))
        self.host.send(Start())

    def answer(self, thought: Callable[[BotQuestion], BotAnswer]) -> None:
        """Answer the question of the bot that must decide; `thought` makes the answer."""
        self.loop.call_soon(self.workers.answer, thought)
        self.wait(0.0)

    @property
    def revision(self) -> int:
        return self.table.games.revision


@pytest.mark.parametrize("found_after_s", [0.0, 0.3, 0.7, 1.9])
def test_an_answer_is_given_when_the_time_is_over_however_soon_it_is_found(
    found_after_s: float,
) -> None:
    with Evening() as evening:
        (question,) = [each for each, _ in evening.workers.questions.values()]
        assert question.view == format_position(parse_view(question.view, question.eyes))
        assert "?" in question.view
        before = evening.revision
        evening.wait(found_after_s)
        evening.answer(legal)
        evening.wait(THINK_S - found_after_s - 0.05)
        assert evening.revision == before
        evening.wait(0.05)
        assert evening.revision == before + 1
        # The next bot is asked immediately.
        assert evening.workers.questions


def test_an_answer_waits_for_a_pause_that_is_longer() -> None:
    with Evening("sharp") as evening:
        before = evening.revision
        evening.answer(legal)
        evening.wait(0.4)
        assert evening.revision == before
        evening.wait(0.1)
        assert evening.revision == before + 1


def test_the_table_says_how_long_bots_think() -> None:
    for bot, budget in (("master", 2.0), ("sharp", 0.4)):
        with Evening(bot) as evening:
            assert evening.workers.budgets == [pytest.approx(budget)]
    with Evening("steady") as evening:
        assert not evening.workers.questions
        assert not evening.workers.warmed


def test_workers_are_warm_before_the_game_begins() -> None:
    workers = PretendWorkers()
    with ServerNetwork(workers=workers) as network:
        host = Participant(network, "a")
        host.send(AddBot(bot="steady"))
        assert not workers.warmed
        host.send(ChangeBot(family="b", bot="master"))
        assert workers.warmed


def pause(evening: Evening) -> None:
    evening.host.send(Pause(paused=True))


def leave(evening: Evening) -> None:
    evening.host.send(Leave())


def lose_the_line(evening: Evening) -> None:
    evening.cut(evening.host.connection)


def close(evening: Evening) -> None:
    evening.close()


@pytest.mark.parametrize("happens", [pause, leave, lose_the_line, close])
def test_what_is_no_longer_needed_is_thought_about_no_longer(
    happens: Callable[[Evening], None],
) -> None:
    with Evening() as evening:
        assert evening.workers.questions
        happens(evening)
        assert not evening.workers.questions


@pytest.mark.parametrize(
    "thought", [BotAnswer(trouble="died"), BotAnswer("X^20"), BotAnswer("what")]
)
def test_a_bot_without_a_legal_answer_is_replaced_for_that_decision(
    thought: BotAnswer, caplog: pytest.LogCaptureFixture
) -> None:
    with Evening() as evening:
        before = evening.revision
        evening.choose = lambda think: {"steady": think.view.legal[0]}[think.bot]
        evening.answer(lambda question: thought)
        evening.wait(THINK_S + 0.1)
        assert evening.revision == before + 1
        assert evening.workers.questions, "the next decision is the bot's own again"
        assert "the bot master is replaced for a decision" in caplog.text
        assert not any(sign in caplog.text for sign in ("*r", ":???"))


class Broken(Bot):
    """Raises an error after it has changed its view."""

    name = "random"

    def choose(self, view: View) -> Action:
        view.hands = []
        raise RuntimeError("broken")


class Cheater(Bot):
    """Gives illegal answers."""

    name = "random"

    def choose(self, view: View) -> Action:
        return next(action for action in ACTIONS.values() if action not in view.legal)


def over(record: Record | None) -> bool:
    """Return True if a game was played to its end by the rules."""
    assert record is not None
    *_, last = replay(record)
    return last.after.over


@pytest.mark.parametrize(("bot", "also_steady"), [(Broken, True), (Cheater, False)])
def test_bots_that_need_no_time_and_fail_are_replaced(
    bot: type[Bot],
    also_steady: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def make(name: str, rng: Random) -> Bot:
        return bot(rng) if also_steady or name == "random" else make_bot(name, rng)

    monkeypatch.setattr(bot_runner, "make_bot", make)
    at_once = TableSettings(pace_ms=0)
    with ServerNetwork(owner_key=OWNER_KEY, settings=at_once, scripted_bots=False) as network:
        host = Participant(network, "owner", spectator=True, key=OWNER_KEY)
        for _ in range(3):
            host.send(AddBot(bot="random"))
        host.send(Start())
        network.wait(60.0)
        assert over(network.table.record())
    assert "the bot random" in caplog.text
