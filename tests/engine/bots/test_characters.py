"""Bots with a taste, and bots that err: what they make of what a search has weighed."""

from collections import Counter
from random import Random

import pytest

from engine.actions import ACTIONS
from engine.bots import Bot, make_bot
from engine.bots.base import Weighed
from engine.bots.characters import ALIKE
from engine.bots.master import Grandmaster, Master
from engine.events import Eliminated, Event, Stole
from engine.view import view
from tests.engine.lines import game_at, in_editions

SOLDIER = "3 rS2 bL,rS,gL *r1,b1,g1"
BANK = "3 r?2 bL,rh1,gL *r1,b1,g1"
PLACING = "5 r* bL,gH,bF,gS *r1:HXD,b1,g1"

ROBBED_BY: dict[int, list[Event]] = {
    seat: [Stole(seat, 1, "P", 0, 1), Eliminated(seat, 2, "S", 1, 0, "H", True, 0)]
    for seat in (1, 2)
}


def chosen(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    line: str,
    shares: dict[str, float],
    events: list[Event] | None = None,
) -> str:
    """Return what a bot makes of these shares of the answers, told what has happened."""
    found = [Weighed(ACTIONS[token], share, 100) for token, share in shares.items()]
    found.sort(key=lambda each: -each.share)
    monkeypatch.setattr(Master, "weigh", lambda self, view: tuple(found))
    game = game_at(next(iter(in_editions(line))))
    bot: Bot = make_bot(name, Random(0))
    bot.observe(events or [])
    return str(bot.choose(view(game, game.turn)))


@pytest.mark.parametrize(
    ("name", "line", "liked", "other"),
    [
        ("cautious", PLACING, "H<", "H>"),
        ("cautious", BANK.replace("gL", "gS"), "!", "+"),
        ("cautious", BANK, "+", "!"),
        ("cautious", SOLDIER.replace("gL", "gS"), "x3", "x1"),
        ("greedy", PLACING, "H>", "D>"),
        ("greedy", BANK, "!", "+"),
        ("greedy", "3 rP2 bL,rP,gL *r1,b0,g4", "$g", "$b"),
    ],
)
def test_of_what_is_equally_good_each_takes_what_it_likes_and_never_what_is_worse(
    monkeypatch: pytest.MonkeyPatch, name: str, line: str, liked: str, other: str
) -> None:
    assert chosen(monkeypatch, name, line, {liked: 0.3, other: 0.3 + ALIKE / 2}) == liked
    assert chosen(monkeypatch, name, line, {liked: 0.3, other: 0.3 + ALIKE * 2}) == other


@pytest.mark.parametrize("seat", [1, 2])
def test_who_did_it_harm_is_paid_back(monkeypatch: pytest.MonkeyPatch, seat: int) -> None:
    # What it also remembers of the Queue has to be a whole game.
    monkeypatch.setattr(Grandmaster, "observe", lambda self, events: None)
    for line, answers in {
        SOLDIER: {"x1": 0.3, "x3": 0.3},
        "3 rP2 bL,rP,gL *r1,b1,g1": {"$b": 0.3, "$g": 0.3},
        "5 r* bL,gL *r1:SXD,b1,g1": {"S<": 0.3, "S>": 0.3},
    }.items():
        expected = list(answers)[seat - 1]
        assert chosen(monkeypatch, "vengeful", line, answers, ROBBED_BY[seat]) == expected


def test_who_found_nothing_to_steal_did_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Grandmaster, "observe", lambda self, events: None)
    events: list[Event] = [Stole(1, 1, "P", 0, 0), Stole(1, 1, "P", 0, 0), Stole(2, 1, "P", 0, 1)]
    assert chosen(monkeypatch, "vengeful", SOLDIER, {"x1": 0.3, "x3": 0.3}, events) == "x3"


def test_who_learns_errs_but_never_by_far(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = {"x1": 0.5, "x2": 0.4, "x3": 0.2, "x4": 0.05}
    found = tuple(Weighed(ACTIONS[token], share, 9) for token, share in shares.items())
    monkeypatch.setattr(Master, "weigh", lambda self, view: found)
    game = game_at("2 " + SOLDIER)
    made = {
        name: Counter(
            str(make_bot(name, Random(seed)).choose(view(game, 0))) for seed in range(300)
        )
        for name in ("learner", "novice")
    }
    assert [token for token, _ in made["learner"].most_common()] == ["x1", "x2"]
    assert [token for token, _ in made["novice"].most_common()] == ["x1", "x2", "x3"]
