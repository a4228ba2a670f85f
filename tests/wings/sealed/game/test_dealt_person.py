"""Tests one person's program: it opens nothing too early and votes in time; no game gets stuck."""

from random import Random

import pytest

from engine.actions import ACTIONS
from netcode.wings.sealed.game.encoding import SealedError
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.sealed_person import PersonOutput
from netcode.wings.sealed.game.votes import (
    AFTER_CLOCK_S,
    AWAY_S,
    GONE_S,
    PAUSED_S,
    STALLED_S,
    Situation,
    away,
    missing_vote,
)
from tests.wings.sealed.game.sealed_tables import SealedTable, dealt_person, log_of

END_S = 1_800_003_600


CALM = Situation(waited_s=0, agreeing=set(range(5)), connected=set(range(5)))
LATER = Situation(waited_s=10, agreeing=set(range(5)), connected=set(range(5)))


def test_nothing_is_signed_before_logs_are_compared_nor_what_is_illegal() -> None:
    table = SealedTable(1)
    first = table.dealt().deal.first
    person = dealt_person(table, first, is_compared=False)
    action = log_of(person).game.legal[0]
    with pytest.raises(SealedError, match="not_your_turn"):
        person.answer(first, action)
    person.advance(LATER, END_S)
    assert person.output() == PersonOutput()
    person.is_compared = True
    for illegal in ("!", "+", "x1"):
        with pytest.raises(SealedError, match="illegal"):
            person.answer(first, ACTIONS[illegal])
    with pytest.raises(SealedError, match="not_your_turn"):
        person.answer((first + 1) % 3, action)
    assert not log_of(person).spent
    person.answer(first, action)
    assert len(person.output().send) == 1


def test_when_a_step_may_be_voted_missing() -> None:
    table = SealedTable(1)
    log = SealedLog(table.dealt())
    owner = log.game.turn
    me = (owner + 1) % 3

    def vote(waited_s: float, **more: object) -> str:
        known = {"agreeing": {0, 1, 2}, "connected": {0, 1, 2}, **more}
        return missing_vote(log, me, Situation(waited_s=waited_s, **known))  # type: ignore[arg-type]

    gone = {0, 1, 2} - {owner}
    assert (vote(STALLED_S - 1), vote(STALLED_S)) == ("no", "offer")
    assert (vote(GONE_S - 1, connected=gone), vote(GONE_S, connected=gone)) == ("no", "offer")
    assert missing_vote(log, owner, LATER) == "no"
    assert vote(STALLED_S, agreeing={me, owner}) == "no"
    assert (vote(STALLED_S, paused_s=1), vote(STALLED_S, paused_s=PAUSED_S + 1)) == ("no", "offer")
    # A person in `left_be` is voted about at once, but only while absent.
    assert vote(AWAY_S, connected=gone, left_be={owner}) == "no"
    for parcel in table.default(log):
        log.take(parcel)
    rng = Random(1)
    while log.game.turn != owner:
        log.take(table.answer(log, rng))
    assert away(log, owner)
    assert vote(AWAY_S, connected=gone, left_be={owner}) == "sign"
    assert vote(AWAY_S, left_be={owner}) == "no"
    log.take(table.answer(log, rng))
    assert not away(log, owner)
    # An illegal answer is an answer: nobody needs to wait.
    owner = log.game.turn
    me = (owner + 1) % 3
    log.take(table.owner(owner).act(log.height + 1, log.tip, owner, "nothing"))
    assert vote(0) == "offer"
    assert AFTER_CLOCK_S < GONE_S
