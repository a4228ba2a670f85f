"""Tests that a record is parsed strictly, and is replayed to the same positions or refused."""

import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from engine.edition import EDITIONS
from engine.game import Deal
from engine.notation import format_position
from engine.record import Record, RecordedPlayer, RecordError, replay
from tests.engine.random_games import random_game

DEAL = Deal(
    edition=EDITIONS[2],
    families="rbg",
    first=1,
    hands=("ASPHFLX", "ASPHFLX", "SPHFLXD"),
    aside=("DMC", "DMC", "AMC"),
)
LINE = (
    '{"format":"driflamme-record","rules":1,"deal":{"edition":2,"families":"rbg","first":"b",'
    '"hands":{"r":"ASPHFLX","b":"ASPHFLX","g":"SPHFLXD"},'
    '"aside":{"r":"DMC","b":"DMC","g":"AMC"}},'
    '"settings":{"name":"Chez Léa","direction":"left","clock":null,"bots":2,"open":true},'
    '"actions":["S>","A<","H^1"]}'
)
RECORD = Record(
    DEAL,
    ("S>", "A<", "H^1"),
    {"name": "Chez Léa", "direction": "left", "clock": None, "bots": 2, "open": True},
)


def test_a_record_is_one_line_of_json_both_ways() -> None:
    assert json.loads(RECORD.to_json()) == json.loads(LINE)
    assert "\n" not in RECORD.to_json()
    assert Record.from_json(LINE) == RECORD
    assert Record.from_json(RECORD.to_json()) == RECORD


def test_a_record_needs_neither_actions_nor_settings() -> None:
    assert Record.from_json(Record(DEAL).to_json()) == Record(DEAL)
    assert list(replay(Record(DEAL))) == []


WHO: dict[str, Any] = {
    "players": [
        {"family": "r", "name": "Rosalind", "bot": None},
        {"family": "b", "name": "Zoë", "bot": None},
        {"family": "g", "name": "Bot 1", "bot": "steady"},
    ],
    "began": 1_700_000_000,
    "ended": 1_700_001_800,
}


def test_a_record_may_say_who_played_and_when() -> None:
    record = Record.from_json(changed(**WHO))
    assert record == RECORD._replace(
        players=(
            RecordedPlayer("r", "Rosalind"),
            RecordedPlayer("b", "Zoë"),
            RecordedPlayer("g", "Bot 1", "steady"),
        ),
        began=1_700_000_000,
        ended=1_700_001_800,
    )
    assert Record.from_json(record.to_json()) == record
    assert "players" not in RECORD.to_json()
    assert "began" not in RECORD.to_json()


def test_names_in_a_record_can_do_nothing_to_a_terminal() -> None:
    text = changed(**with_player(name="\x1b[2J\u202eeve\ud800e\u0336")).encode().decode()
    record = Record.from_json(text)
    assert record.players[1].name == "\ufffd[2J\ufffdeve\ufffde\ufffd"
    assert Record.from_json(record.to_json()) == record


def with_player(**fields: Any) -> dict[str, Any]:
    first, second, third = WHO["players"]
    return {**WHO, "players": [first, {**second, **fields}, third]}


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(LINE), **fields})


def with_deal(**fields: Any) -> str:
    return changed(deal={**json.loads(LINE)["deal"], **fields})


def each_of(field: str, *values: Any, of: Callable[..., str] = changed) -> list[str]:
    return [of(**{field: value}) for value in values]


HANDS, ASIDE = ({**json.loads(LINE)["deal"][pile]} for pile in ("hands", "aside"))

REFUSED: dict[str, list[str]] = {
    (
        "This is not a record of a game, since it is not JSON: export one with driflamme replay "
        "--export."
    ): [
        *("", "nonsense", LINE[:-1], LINE + LINE, "[" * 100_000, "1" * 10_000),
        *(changed(began=float("nan")), changed(**WHO)[:-20]),
    ],
    "This is not a record of a game: export one with driflamme replay --export.": [
        *("null", "[]", '"driflamme-record"', "{}", changed(format="driflamme")),
    ],
    **{
        (
            f"The record uses rules version {said}, and this program version 1: open it with the "
            "program that wrote it."
        ): [changed(rules=rules)]
        for rules, said in (
            *((2, "2"), ("1", '"1"'), (None, "null")),
            ("\x1b[2J" + "1" * 100, '"\\u001b[2J1111111111'),
        )
    },
    (
        "This is not a record of a game, since a name occurs twice in one object: export the game "
        "again."
    ): [
        *(LINE[:1] + '"rules":1,' + LINE[1:], LINE.replace('"bots":2', '"bots":2,"bots":2')),
    ],
    (
        "This is not a record of a game, since it is too long: export one with driflamme replay "
        "--export."
    ): [
        changed(settings={"a": "b" * 100_000}),
    ],
    "Step 2 of the record is too long for an action: export the game again.": [
        changed(actions=["S>", "A" * 5_000])
    ],
    "The record has no table settings: export the game again.": [
        *each_of("settings", {"a": "b" * 101}, {"a": 10**12}, {str(n): n for n in range(41)}),
        *each_of("settings", None, [], {"a": []}, {"a": 0.5}),
    ],
    "The record has no list of actions: export the game again.": each_of(
        "actions", None, "S>", ["S>", 1]
    ),
    "The players of the record are not those of its deal: export the game again.": each_of(
        "players", {}, [], WHO["players"][::-1], [None, None, None]
    ),
    (
        "The record has a player whose name is missing, or longer than 20 characters: export the "
        "game again."
    ): [changed(**with_player(name=each)) for each in (None, " ", "x" * 21)],
    "The record has a bot whose name is not valid: export the game again.": [
        changed(**with_player(bot=each)) for each in ("", "\x1b", True)
    ],
    "The record has a time that is not valid: export the game again.": [
        *each_of("began", "today", True),
        *each_of("ended", -1, 10**12),
    ],
    "The deal of the record is not valid: export the game again.": [
        *each_of("deal", None, [], {}),
        *each_of("edition", 3, "2", True, 2.0, of=with_deal),
        *each_of("families", "rb", "rbb", "rbgg", "rbx", "rbgyvr", "rby", of=with_deal),
        *each_of("families", ["r", "b", "g"], of=with_deal),
        *each_of("first", "y", "", "rb", 0, of=with_deal),
        *each_of("hands", None, {"r": "ASPHFLX", "b": "ASPHFLX"}, of=with_deal),
        *each_of("aside", None, {"r": "DMC", "b": "DMC"}, of=with_deal),
        *(
            with_deal(hands={**HANDS, "g": each})
            for each in (7, "SPHFLX", "SPHFLXA", "PSHFLXD", [*"SPHFLXD"])
        ),
        *(with_deal(aside={**ASIDE, "g": each}) for each in (7, [*"AMC"], "AM", "MAC", "AMM")),
        with_deal(hands={**HANDS, "r": "ASPHFL"}, aside={**ASIDE, "r": "XDMC"}),
    ],
}
"""For each refusal, texts that are no records."""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [(text, sentence) for sentence, texts in REFUSED.items() for text in texts],
    ids=lambda text: text[:50],
)
def test_what_is_no_record_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(RecordError) as refusal:
        Record.from_json(text)
    assert str(refusal.value) == refusal.value.sentence() == sentence


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        (
            "D>",
            "Step 1 of the record, 'D>', breaks the rules: Your hand has no Royal Decree. Export "
            "the game again.",
        ),
        (
            "S> H> A> + x1",
            "Step 5 of the record, 'x1', breaks the rules: "
            "Leave or reveal your face-down card at position 2. Export the game again.",
        ),
        (
            "S> {why}",
            "Step 2 of the record, '{why}', breaks the rules: "
            "Write an action like S< S> S^3 + ! x3 $b ~3 3>1, not '{why}'. Export the game again.",
        ),
    ],
)
def test_replay_names_the_step_that_breaks_the_rules(actions: str, sentence: str) -> None:
    deal = DEAL._replace(hands=("ASPHFLX", "ASPHFLX", "PHFLXDM"), aside=("DMC", "DMC", "ASC"))
    with pytest.raises(RecordError) as refusal:
        list(replay(Record(deal, tuple(actions.split()))))
    assert str(refusal.value) == refusal.value.sentence() == sentence


def test_every_step_before_the_one_that_breaks_the_rules_is_replayed() -> None:
    played = random_game(3)
    tokens = [str(action) for action in played.actions]
    steps = replay(Record(played.deal, (*tokens[:20], "x30", *tokens[20:])))
    for game, following in zip(played.games[:20], played.games[1:21], strict=True):
        step = next(steps)
        assert format_position(step.before) == format_position(game)
        assert format_position(step.after) == format_position(following)
    with pytest.raises(RecordError, match=r"^Step 21 of the record, 'x30', breaks the rules: "):
        next(steps)


def test_an_error_crosses_processes_with_its_template_and_values() -> None:
    why = RecordError("The record has no {name}.", name="deal")
    error = RecordError("Line {line}: {why}", line=2, why=why)
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, RecordError)
    assert again.template == error.template
    assert again.sentence() == error.sentence() == "Line 2: The record has no deal."
    assert isinstance(again.values["why"], RecordError)
