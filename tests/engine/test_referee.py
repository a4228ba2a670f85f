"""The engine's traces of random games stand up to the referee, who is able to refuse them."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from engine.record import trace_deal, trace_result, trace_step
from tests.engine.random_games import random_game
from tests.engine.referee import Disagreement, Summary, check_trace

Entries = list[dict[str, Any]]


def random_trace(seed: int, games: int) -> list[str]:
    """Games of all sizes and both editions, in which some tables love stacks or revealing."""
    lines = []
    for number in range(games):
        played = random_game(seed + number)
        lines.append(trace_deal(number, played.deal))
        lines += map(trace_step, played.games, played.actions)
        lines.append(trace_result(played.games[-1]))
    return lines


def test_random_games_stand() -> None:
    lines = random_trace(seed=19, games=150)
    assert check_trace(lines) == Summary(games=150, steps=len(lines) - 300)


def other_influence(entries: Entries) -> None:
    entries[5]["position"] = re.sub(r"(?<=[rbgyv])1:", "2:", entries[5]["position"], count=1)


def missing_answer(entries: Entries) -> None:
    entries[5]["legal"].remove(entries[5]["action"])


def repeated_answer(entries: Entries) -> None:
    entries[5]["legal"].append(entries[5]["action"])


def illegal_action(entries: Entries) -> None:
    entries[5]["action"] = "x9"


def other_action(entries: Entries) -> None:
    entries[5]["action"] = next(t for t in entries[5]["legal"] if t != entries[5]["action"])


def missing_step(entries: Entries) -> None:
    del entries[5]


def repeated_step(entries: Entries) -> None:
    entries.insert(5, entries[5])


def step_after_the_end(entries: Entries) -> None:
    entries.append(entries[-2])


def no_result(entries: Entries) -> None:
    entries.pop()


def end_without_dash(entries: Entries) -> None:
    entries[-1]["position"] = entries[-1]["position"].replace(" - ", " r* ", 1)


def other_scores(entries: Entries) -> None:
    entries[-1]["scores"][entries[0]["families"][0]] += 1


def other_winners(entries: Entries) -> None:
    losers = set(entries[0]["families"]) - set(entries[-1]["winners"])
    entries[-1]["winners"] = min(losers)


def card_dealt_twice(entries: Entries) -> None:
    entries[0]["hands"][entries[0]["first"]] = "AAAAAAA"


def unknown_field(entries: Entries) -> None:
    entries[5]["comment"] = "?"


@pytest.mark.parametrize(
    ("spoil", "line", "about"),
    [
        (other_influence, 5, "position"),
        (missing_answer, 5, "legal"),
        (repeated_answer, 5, "legal"),
        (illegal_action, 5, "action"),
        (other_action, 6, "position"),
        (missing_step, 5, "position"),
        (repeated_step, 6, "position"),
        (step_after_the_end, None, "line that belongs"),
        (no_result, None, "trace ends"),
        (end_without_dash, None, "position"),
        (other_scores, None, "scores"),
        (other_winners, None, "winners"),
        (card_dealt_twice, 0, "cards of"),
        (unknown_field, 5, "line that belongs"),
    ],
)
def test_a_spoilt_trace_is_refused(
    spoil: Callable[[Entries], None], line: int | None, about: str
) -> None:
    entries = [json.loads(line) for line in random_trace(seed=4, games=1)]
    assert check_trace(map(json.dumps, entries)).games == 1
    last = len(entries) - 1
    spoil(entries)
    with pytest.raises(Disagreement, match=about) as refusal:
        check_trace(map(json.dumps, entries))
    if line is None:
        assert last <= refusal.value.step <= last + 1
    else:
        assert refusal.value.step == line
