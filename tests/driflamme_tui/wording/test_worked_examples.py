"""Tests that the engine plays each worked example to the result that its text names."""

import pytest

from driflamme_tui.text.i18n import available_languages, set_language
from driflamme_tui.wording.game.worked_examples import (
    WORKED_EXAMPLES,
    WorkedExample,
    examples_of,
    play_example,
    printed_example,
)
from engine.cards import CARDS
from engine.notation import parse_action, parse_position

OUTCOMES = (
    ("bl gh", {"r": 4, "b": 1}),  # the card beneath the attacker is resolved next
    ("rH bF gH rs", {"b": 2}),  # the second Heir gains nothing
    ("gS rh", {"r": 4, "b": 1}),
    ("bH gs rl", {"b": 2}),
    ("bs/bP bL gh", {"b": 1 + 2}),  # 1 lay on the Lord
    ("bs/bP bL gh", {"b": 1 + 3}),
    ("bS gh", {"b": 1}),
    ("gh", {"b": 2}),
    ("rL bP rs gh", {"r": -1, "b": 1 + 1}),  # 1 lay on the Spy
    ("bc3 rl gh", {"b": 1}),
    ("rl1 gs bh1", {"b": 1}),
    ("rH bS gh", {"b": 1}),  # the Heir gains nothing this round
)
"""After each example, the Queue and the changes of players' influence."""


@pytest.mark.parametrize(
    ("example", "outcome"),
    [*zip(WORKED_EXAMPLES, OUTCOMES, strict=True)],
    ids=lambda each: each.shows if isinstance(each, WorkedExample) else each[0],
)
def test_an_example_shows_its_rule(
    example: WorkedExample, outcome: tuple[str, dict[str, int]]
) -> None:
    queue, gains = outcome
    before = parse_position(example.played.position)
    after = before.play(parse_action(example.played.action))
    gained = {
        family: after.pools[seat] - before.pools[seat]
        for seat, family in enumerate(before.families)
    }
    assert {family: n for family, n in gained.items() if n} == gains
    assert play_example(example.played).queue_after == queue


def test_each_card_has_an_example() -> None:
    assert all(map(examples_of, CARDS))


@pytest.mark.parametrize("language", available_languages())
def test_a_printed_example_has_the_queue_before_and_after(language: str) -> None:
    set_language(language)
    for example, (queue, _gains) in zip(WORKED_EXAMPLES, OUTCOMES, strict=True):
        _rule, before, action, after = printed_example(example)
        assert before.endswith(example.played.position.split()[3].replace(",", " "))
        assert action.startswith(f"{example.played.action}  ")
        assert after.endswith(queue)
