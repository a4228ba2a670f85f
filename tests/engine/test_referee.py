"""Tests that the referee accepts the engine's traces, and refuses damaged ones."""

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
    """Return a trace of games of all sizes and both editions; some tables stack or reveal often."""
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


def first(entries: Entries) -> str:
    return str(entries[0]["families"][0])


def replaced(entry: dict[str, Any], field: str, pattern: str, instead: str) -> None:
    entry[field] = re.sub(pattern, instead, entry[field], count=1)


SPOILT: dict[str, tuple[Callable[[Entries], object], int | None, str]] = {
    "other influence": (
        lambda trace: replaced(trace[5], "position", r"(?<=[rbgyv])1:", "2:"),
        5,
        "position",
    ),
    "missing answer": (lambda trace: trace[5]["legal"].remove(trace[5]["action"]), 5, "legal"),
    "repeated answer": (lambda trace: trace[5]["legal"].append(trace[5]["action"]), 5, "legal"),
    "illegal action": (lambda trace: trace[5].update(action="x9"), 5, "action"),
    "other action": (
        lambda trace: trace[5].update(action=({*trace[5]["legal"]} - {trace[5]["action"]}).pop()),
        6,
        "position",
    ),
    "missing step": (lambda trace: trace.pop(5), 5, "position"),
    "repeated step": (lambda trace: trace.insert(5, trace[5]), 6, "position"),
    "step after the end": (lambda trace: trace.append(trace[-2]), None, "line that belongs"),
    "no result": (lambda trace: trace.pop(), None, "trace ends"),
    "end without dash": (
        lambda trace: replaced(trace[-1], "position", " - ", " r* "),
        None,
        "position",
    ),
    "other scores": (lambda trace: trace[-1]["scores"].update({first(trace): 99}), None, "scores"),
    "other winners": (
        lambda trace: trace[-1].update(
            winners=min({*trace[0]["families"]} - {*trace[-1]["winners"]})
        ),
        None,
        "winners",
    ),
    "card dealt twice": (
        lambda trace: trace[0]["hands"].update({first(trace): "AAAAAAA"}),
        0,
        "cards of",
    ),
    "unknown field": (lambda trace: trace[5].update(comment="?"), 5, "line that belongs"),
}
"""Changes of a trace, each with the line that the referee refuses, and the reason."""


@pytest.mark.parametrize("what", SPOILT)
def test_a_spoilt_trace_is_refused(what: str) -> None:
    spoil, line, about = SPOILT[what]
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
