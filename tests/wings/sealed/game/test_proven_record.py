"""Tests that each byte of a sealed record follows from signed parcels, and no other is proven."""

import json
import re
from base64 import b64encode
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import msgpack

from engine.actions import REVEAL
from engine.leaf_game import named_game
from engine.position import PLACE
from engine.ranking import owners_of, places
from engine.record import Record, RecordError, replay
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.proven_record import (
    known_cards,
    merge_records,
    read_seal,
    sealed_record,
    verify_record,
)
from tests.wings.sealed.game import sealed_tables
from tests.wings.sealed.game.sealed_tables import (
    SealedTable,
    hesitant,
    played,
    struck,
    twin,
)

GAMES = Path(__file__).parent / "sealed_games.jsonl"
"""Two exported games, as a reference for other implementations."""


def whole(seed: int, persons: int = 3) -> SealedLog:
    table = SealedTable(seed, persons)
    log = played(table, Random(seed))
    for end in table.ends(log):
        log.take(end)
    return log


def verdicts(log: SealedLog) -> list[str]:
    return [log.verdict(seat) for seat in range(log.game.players)]


def exported(log: SealedLog, own: str) -> str:
    fields = json.loads(sealed_record(log).to_json()) | {"outcome": "finished", "own": own}
    return json.dumps(fields, separators=(",", ":"))


def examples() -> list[str]:
    return [exported(whole(5), "r"), exported(hesitant(7, edition=1, ends=3), "")]


def test_the_games_of_the_file_are_those_that_are_made_today() -> None:
    lines = GAMES.read_text().splitlines()
    assert lines == examples()
    assert [verdicts(verify_record(line)) for line in lines] == [
        ["proven"] * 3,
        ["proven", "proven", "proven", "unproven"],
    ]
    second = Record.from_json(lines[1])
    assert second.late
    assert second.deal.edition.number == 1
    assert any(leaf in second.deal.hands[3] for leaf in "0123456789")


@pytest.mark.parametrize(
    "seeds", [range(3), pytest.param(range(3, 200), marks=pytest.mark.long)], ids=["few", "many"]
)
def test_a_record_replays_as_the_log_went(seeds: range) -> None:
    for seed in seeds:
        log = hesitant(seed, 3 + seed % 3, 1 + seed % 2, ends=2 + seed % 4)
        record = sealed_record(log)
        assert Record.from_json(record.to_json()) == record
        *_, last = replay(record)
        game = named_game(log.game, known_cards(log))
        assert (last.after.pools, last.after.queue) == (game.pools, game.queue)
        assert (last.after.hands, last.after.aside) == (game.hands, game.aside)
        assert sealed_record(verify_record(record.to_json())) == record
        found = places(last.after, owners_of(record.settings, game.players))
        behind = [place for seat, place in enumerate(found) if log.verdict(seat) != "proven"]
        assert all(place > game.players - len(behind) for place in behind)


@pytest.mark.parametrize(
    "step", [501, pytest.param(1, marks=pytest.mark.long)], ids=["some", "each"]
)
def test_no_byte_of_a_game_can_be_another(step: int) -> None:
    rng = Random(step)
    record = sealed_record(whole(5))
    line = record.to_json()
    for at in range(rng.randrange(step), len(line), step):
        other = chr(rng.choice([ord(line[at]) ^ 1 << bit for bit in range(7)]))
        changed = line[:at] + other + line[at + 1 :]
        try:
            verify_record(changed)
        except RecordError:
            continue
        # Additional keys of players are ignored, and null counts as missing.
        assert Record.from_json(changed) == record, at


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda line: line.replace('"Ada"', '"Eda"'), "'players' of the record"),
        (lambda line: re.sub(r'"players":\[.*?\]', '"players":null', line), "'players'"),
        (lambda line: line.replace('"clock_s":0', '"clock_s":9'), "'settings'"),
        (lambda line: line.replace('"two":false', '"two":0'), "'settings'"),
        (lambda line: line.replace('"began":18', '"began":17'), "'began'"),
        (lambda line: line.replace('"finished"', '"abandoned"'), "'outcome'"),
        (lambda line: line.replace('{"format"', '{"more":1,"format"'), "'more'"),
        (lambda line: line[: line.index(',"late"')] + "}", "was not sealed"),
        (lambda line: line.replace('"seal":"', '"seal":"A'), "cannot be read"),
    ],
)
def test_what_was_changed_is_named(change: Callable[[str], str], sentence: str) -> None:
    line = examples()[0]
    assert change(line) != line
    with pytest.raises(RecordError, match=sentence):
        verify_record(change(line))


def test_parts_of_a_proof_that_are_other_ones_or_none() -> None:
    """`test_vectors.py` has more damaged proofs."""

    def refusal(parts: list[Any]) -> str:
        with pytest.raises(RecordError) as error:
            read_seal(b64encode(msgpack.encode(("sealed", parts))).decode())
        return str(error.value)

    assert refusal([]) == (
        "The proof of the record cannot be read: ask another player for the record."
    )
    # A log may go back to a default; a record has the default from the start.
    table = SealedTable(5, 4)
    log = played(table, Random(5), lambda log: log.height == 4)
    default = table.default(log)
    log.take(table.answer(log, Random(5)))
    entries = [entry.parcel for entry in log.entries]
    parts = [*map(tuple, [*log.dealing.in_order(), *entries, *default])]
    assert "entry 5, is wrong (other_branch)" in refusal(parts)
    assert "1 of the record's proof, seal, is wrong (bad_sealing)" in refusal(parts[1:])


@pytest.mark.parametrize(
    ("times", "ended"),
    [
        ((2**32 - 1, 5, 1_800_003_600), 1_800_003_600),
        ((2**32 - 1, 1_800_003_600), 1_800_003_600),
        ((5, 6, 2**32 - 1), 1_800_000_000),
        ((), None),
    ],
)
def test_of_when_it_ended_one_person_alone_decides_nothing(
    times: tuple[int, ...], ended: int | None
) -> None:
    table = SealedTable(5)
    log = played(table, Random(5))
    for person, time in zip(table.people, times, strict=False):
        log.take(person.end(log.height, log.tip, time))
    assert sealed_record(log).ended == ended


def forked(seed: int, height: int, *, ends: int = 0) -> tuple[SealedLog, SealedLog]:
    """Return a log with the proof of a fork after some steps, and a log without it."""
    table = SealedTable(seed, 4)
    log = played(
        table, Random(seed), lambda log: log.height >= height and log.game.question == PLACE
    )
    due = log.due
    assert due is not None
    assert due.opening is None
    step = log.height + 1
    one, other = (
        table.owner(due.seat).act(step, log.tip, due.seat, str(action))
        for action in [action for action in log.game.legal if action != REVEAL][:2]
    )
    proven, other_log = twin(log), twin(log)
    proven.take(one)
    proven.take(other)
    other_log.take(other)
    while other_log.due is not None and ends:
        other_log.take(table.answer(other_log, Random(seed)))
    for end in table.ends(other_log)[:ends]:
        other_log.take(end)
    return proven, other_log


@pytest.mark.parametrize("ends", [0, 3, 4])
def test_it_is_of_no_matter_in_which_order_records_are_merged(ends: int) -> None:
    logs = [*forked(6, 20, ends=ends), *forked(6, 14, ends=ends)]
    records = [sealed_record(log) for log in logs]
    for one, other in combinations(records, 2):
        both = merge_records(one, other)
        assert (
            both
            == merge_records(other, one)
            == merge_records(both, one)
            == merge_records(other, both)
        )
        assert sealed_record(verify_record(both.to_json())) == both
    for one, other in ((records[0], records[1]), (records[2], records[3])):
        judged = verdicts(verify_record(str(merge_records(one, other).to_json())))
        # An end that all persons have signed stays valid, even if one person has signed twice.
        assert judged.count("cheated") == 1
        assert judged.count("proven" if ends == 4 else "unfinished") == 3


def test_an_answer_that_came_too_late_is_kept_and_its_card_known() -> None:
    table = SealedTable(1)
    log = played(table, Random(1), struck)
    answer = table.answer(log, Random(1))
    for parcel in [*table.default(log), answer]:
        log.take(parcel)
    while log.due is not None and log.due.opening is None:
        log.take(table.answer(log, Random(1)))
    record = sealed_record(log)
    assert record.late
    again = verify_record(record.to_json())
    assert again.late == log.late
    # A late answer with a false signature opens nothing.
    assert Parcel(answer.body, bytes(64)) not in again.late.values()


def test_a_name_that_cannot_be_shown_is_as_good_as_the_signed_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # One character of the name is unknown, and another is composed of two.
    monkeypatch.setattr(sealed_tables, "NAMES", ("Ade\u0301\u0378", *sealed_tables.NAMES[1:]))
    line = sealed_record(whole(5)).to_json()
    shown = Record.from_json(line).to_json()
    assert shown != line
    for each in (line, shown):
        assert verdicts(verify_record(each)) == ["proven"] * 3
