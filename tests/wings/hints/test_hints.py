"""Tests hints with and without a screen: a hint shows a bot's choice, and never plays it."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from driflamme_tui.keymap.key_bindings import keys_of
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.plain.json_player import JsonPlayer
from driflamme_tui.plain.typed_commands import PlainPlayer
from driflamme_tui.text.signs import ASCII
from driflamme_tui.wings.hints.hint_words import hint_of
from driflamme_tui.wings.hints.table_keys import HintCommands
from engine.events import RoundBegan
from engine.notation import format_position
from netcode.client.session import Session
from netcode.protocol.wire_events import to_wire
from netcode.workers.questions import BotAnswer, BotQuestion
from netcode.workers.worker_pool import WorkerPool
from tests.support.by_hand import choice
from tests.support.pretend_workers import PretendWorkers
from tests.support.tables import (
    Hands,
    SeatedApp,
    in_app,
    prompter_of,
    run_app,
    seats,
    seen,
    session_at,
    session_at_line,
    state,
)

LORD = "2 4 b?2 rS,bl1,gc *r3,b2,g2"
PLACE = "2 4 b* rS,gc *r3,b2:ALXC,g2"
BEST_LEAVE = BotAnswer("+", (("+", 0.41, 300), ("!", 0.33, 200)))


BEGUN = (RoundBegan(4, 0),)


def against_bots(line: str, **fields: Any) -> Session:
    return session_at(seen(line), BEGUN, seats=seats("rbg", bots="rg"), **fields)


class AdvisedApp(SeatedApp):
    """The app of a player at a table with bots. Its teacher answers at the test's command."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.pool = PretendWorkers()
        self.player_seat.workers = cast("WorkerPool", self.pool)

    async def advise(self, hands: Hands, thought: BotAnswer) -> None:
        self.pool.answer(lambda question: thought)
        await hands.pause()


def underlined(app: AdvisedApp, text: str) -> bool:
    strips = app.screen._compositor.render_strips()
    return any(
        segment.style is not None and segment.style.underline and text in segment.text
        for strip in strips
        for segment in strip
    )


@in_app(lambda: AdvisedApp(against_bots(LORD)))
async def test_a_hint_is_asked_for_and_told_and_the_choice_remains_the_players(
    app: AdvisedApp, hands: Hands
) -> None:
    before = app.rows()
    await hands.type("h")
    assert app.shows("The teacher is thinking.")
    ((question, _),) = app.pool.questions.values()
    assert isinstance(question, BotQuestion)
    assert (question.bot, question.want) == ("grandmaster", "weigh")
    assert question.view == format_position(seen(LORD))
    assert question.events == tuple(map(to_wire, BEGUN))
    await app.advise(hands, BEST_LEAVE)
    assert app.shows(
        "Grandmaster would leave it. That way it expects to win 41% of games from here"
    )
    assert app.shows("33% if you reveal it.")
    # The cards on the table have not moved, and none is chosen; only the hand is smaller.
    after = app.rows()
    prompt = app.table.query_one("#prompt").region
    assert after[: prompt.y] == before[: prompt.y]
    assert not choice(app)
    # The next choice replaces the hint; a finished thought is not repeated.
    await hands.type("right right")
    assert not app.shows("Grandmaster would")
    assert underlined(app, "+ Leave")
    await hands.type("f4")
    assert app.shows("Grandmaster would leave it")
    assert not app.pool.questions
    await hands.type("! enter")
    assert app.answers == "!"


@in_app(lambda: AdvisedApp(against_bots(LORD)))
async def test_a_hint_that_comes_too_late_is_not_wanted_any_more(
    app: AdvisedApp, hands: Hands
) -> None:
    await hands.type("h")
    assert app.pool.questions
    app.receive(state(seen(PLACE), 2))
    assert not app.pool.questions
    # Where letters choose cards, H is the Heir's; the other key always shows the hint.
    await hands.type("h")
    assert not app.pool.questions
    await hands.type("f4")
    await app.advise(hands, BotAnswer("L>", (("L>", 0.4, 99), ("C>", 0.1, 9), ("L<", 0.05, 4))))
    assert app.shows("Grandmaster would put the Lord at the end.")
    assert app.shows("40% of games; 10% with its second choice")


@pytest.mark.parametrize(
    ("session", "why"),
    [
        (lambda: session_at_line(LORD, seats=seats("rbg", bots="r")), "other people play here too"),
        (lambda: against_bots("2 4 g?3 rS,bl1,gc *r3,b2,g2"), "you are not asked now"),
        (lambda: against_bots(LORD, paused=True), "paused"),
    ],
)
def test_there_is_no_hint_among_people_nor_for_the_turns_of_others(
    session: Callable[[], Session], why: str
) -> None:
    async def steps(app: AdvisedApp, hands: Hands) -> None:
        await hands.type("f4")
        assert not app.pool.questions
        assert not app.table.can(HintCommands.hint)

    run_app(AdvisedApp(session()), steps)


@pytest.mark.parametrize(
    ("line", "token", "words"),
    [
        (
            LORD,
            "!",
            "Grandmaster would reveal it. That way it expects to win 50% of games from here",
        ),
        (LORD, "+", "Grandmaster would leave it"),
        ("2 6 b?2 rS,bl1,gc *r3,b2,g2", "!", "What lies on cards after this round is lost."),
        (PLACE, "C^2", "Grandmaster has no hint for you this time."),
        (PLACE, "A<", "Grandmaster would put the Archer at the start"),
        ("2 2 b* rS,bl,gc *r3,b2:ASXDMC,g2", "A^2", "It has 4 more rounds to gather influence."),
        ("2 4 bS2 rc3,bS,gh *r3,b2,g2", "x1", "The 3 influence on it"),
        ("2 4 bS2 rc,bS,gh *r3,b2,g2", "x1", "Rosalind is ahead of your other opponents."),
        ("2 4 bP2 ra,bP,gh *r3,b2,g2", "$g", "Grandmaster would steal from [g] Gaspard"),
        ("2 4 bF2 rL,bF,gH *r3,b2,g2", "~1", "Grandmaster would copy [r] Lord 1"),
        ("2 4 bD2 ra,bD,gH *r3,b2,g2", "1>3", "Grandmaster would move [r] 1 to 3"),
    ],
)
def test_a_hint_is_a_sentence_for_every_kind_of_answer(line: str, token: str, words: str) -> None:
    thought = BotAnswer(token, ((token, 0.5, 40), ("+", 0.2, 30)))
    advice, reason = hint_of(thought, prompter_of(seen(line), ASCII))
    assert words in f"{advice} {reason}"
    assert "{" not in advice + reason


@in_app(lambda: AdvisedApp(against_bots(LORD)))
async def test_what_was_tried_too_seldom_is_no_hint_and_may_be_asked_again(
    app: AdvisedApp, hands: Hands
) -> None:
    await hands.type("h")
    await app.advise(hands, BotAnswer("+", (("+", 1.0, 1), ("!", 0.0, 1))))
    assert app.shows("Grandmaster has no hint for you this time.")
    await hands.type("h")
    assert app.pool.questions


def test_two_answers_that_promise_the_same_are_said_to_be_close() -> None:
    thought = BotAnswer("+", (("+", 0.401, 90), ("!", 0.4, 80)))
    assert hint_of(thought, prompter_of(seen(LORD), ASCII))[1] == "It is a close call."


def test_a_hint_line_by_line_and_for_programs() -> None:
    player = PlainPlayer(against_bots(LORD))
    player.news(state(seen(LORD)))
    reply = player.line("hint")
    assert reply.weighing is not None
    assert [*reply.weighing.events] == [*BEGUN]
    assert not reply.messages
    (hint,) = reply.weighing.lines(BEST_LEAVE)
    assert hint.startswith("Grandmaster would leave it. That way it expects to win 41%")
    program = JsonPlayer(against_bots(LORD))
    reply = program.line('{"type":"hint"}')
    assert reply.weighing is not None
    assert reply.weighing.lines(BEST_LEAVE) == [
        '{"type":"hint","weights":[{"action":"+","share":0.41},{"action":"!","share":0.33}]}'
    ]
    for other in (PlainPlayer(session_at_line(LORD)), JsonPlayer(session_at_line(LORD))):
        other.news(state(seen(LORD)))
        line = "hint" if isinstance(other, PlainPlayer) else '{"type":"hint"}'
        (refused,) = other.line(line).lines
        assert "other people play here" in refused


def test_a_list_of_keys_has_those_of_a_hint_in_one_row() -> None:
    assert "F4 h H" in [keys for keys, _does in keys_of(TableCommands)]
    typed = [keys for keys, _does in keys_of(TableCommands, ASCII, typed=True)]
    assert "F4" in typed
    assert "F4 h H" not in typed
