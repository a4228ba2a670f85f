"""Tests the choices of bots that err, among the results of a search."""

from collections import Counter
from random import Random

import pytest

from engine.actions import ACTIONS
from engine.bots import make_bot
from engine.bots.base import Weighed
from engine.bots.master_bot import Master
from engine.views import view
from tests.engine.lines import game_at


def test_who_learns_errs_but_never_by_far(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = {"x1": 0.5, "x2": 0.4, "x3": 0.2, "x4": 0.05}
    found = tuple(Weighed(ACTIONS[token], share, 9) for token, share in shares.items())
    monkeypatch.setattr(Master, "weigh", lambda self, view: found)
    game = game_at("2 3 rS2 bL,rS,gL *r1,b1,g1")
    made = {
        name: Counter(
            str(make_bot(name, Random(seed)).choose(view(game, 0))) for seed in range(300)
        )
        for name in ("learner", "novice")
    }
    assert [token for token, _ in made["learner"].most_common()] == ["x1", "x2"]
    assert [token for token, _ in made["novice"].most_common()] == ["x1", "x2", "x3"]
