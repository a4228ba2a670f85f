"""Tests `driflamme verify`: its verdict on each game, and status 0 for proven games only."""

import sys
from datetime import datetime
from pathlib import Path
from random import Random

import pytest

from engine.record import Record
from netcode.storage.history import History
from netcode.wings.sealed.game.cheat_proofs import make_proof
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.proven_record import join_logs, sealed_record
from tests.driflamme_tui.cli.test_commands import driflamme, refused
from tests.driflamme_tui.cli.test_same_trouble import read_from_a_pipe
from tests.wings.sealed.game.sealed_tables import SealedTable, doubled, hesitant, played
from tests.wings.sealed.game.test_proven_record import GAMES, whole

ALL = (
    "proven. All ten cards are those that were sealed, and no proof in this record is against them."
)
PROVEN, UNPROVEN = GAMES.read_text().splitlines()


def verified(path: Path, *lines: str) -> tuple[int, list[str]]:
    """Return the exit status for a file with these lines, and the printed lines."""
    file = path / "games.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines))
    result = driflamme("verify", str(file))
    return result.exit_code, result.stdout.splitlines()


def test_a_game_that_is_proven(tmp_path: Path) -> None:
    at = Record.from_json(PROVEN).began
    began = f"{datetime.fromtimestamp(at or 0):%Y-%m-%d %H:%M}"
    assert verified(tmp_path, PROVEN) == (
        0,
        [
            f"Game 1 of an evening, begun {began}.",
            f"Ada, Red, key 2208e846: {ALL}",
            f"Bob, Blue, key aca536ae: {ALL}",
            f"Cem, Green, key 8a9dd2be: {ALL}",
            "The digits of the deal were 565 693.",
            "This proves what these keys did. Only the digits read aloud show who held them.",
            "Proven: 1 of 1.",
        ],
    )


def test_a_game_of_the_history_is_verified_by_its_number() -> None:
    with History.open() as history:
        history.add(Record.from_json(PROVEN), (0,), "finished", "joined")
    result = driflamme("verify", "1")
    assert result.exit_code == 0
    assert "Proven: 1 of 1." in result.stdout
    assert refused(driflamme("verify", "7"))


def test_a_file_is_read_to_its_end_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(f"{PROVEN}\n")
    most = "driflamme_tui.wings.sealed.verify_command.MAXIMUM_BYTES"
    monkeypatch.setattr(most, file.stat().st_size)
    assert driflamme("verify", str(file)).exit_code == 0
    monkeypatch.setattr(most, file.stat().st_size - 1)
    assert "contains no game that can be read" in refused(driflamme("verify", str(file)))


def test_what_is_not_proven_is_said_line_by_line(tmp_path: Path) -> None:
    status, lines = verified(tmp_path, UNPROVEN, PROVEN.replace('"Ada"', '"Eda"'), PROVEN, "")
    assert status == 1
    assert "Line 1: Dora, Yellow, key 464f8482: not proven. Not all cards were shown in the" in (
        " ".join(lines)
    )
    assert (
        "Line 1: Step 24: Ada, Cem and Dora signed that Bob's eliminated card was not shown."
        in lines
    )
    assert "Line 1: Bob's eliminated card, shown later: Archer." in lines
    assert (
        "Line 2: The field 'players' of the record is not what its proof says: ask another player"
        " for the record."
    ) in lines
    assert (
        "Line 4: This is not a record of a game, since it is not JSON: export one with driflamme"
        " replay --export."
    ) in lines
    assert lines[-1] == "Proven: 1 of 4."
    assert not any("is proven by" in line for line in lines)


def test_a_reveal_that_was_held_back_is_said(tmp_path: Path) -> None:
    table = SealedTable(1)
    log = played(table, Random(1), lambda log: log.game.question == "?")
    game, seat = log.game, log.game.turn
    reveal = table.owner(seat).open(
        log.height + 1, log.tip, seat, int(game.queue[game.at][1]), "reveal"
    )
    for parcel in (*table.default(log), reveal):
        log.take(parcel)
    _status, lines = verified(tmp_path, sealed_record(log).to_json())
    name = table.sealing.decoded.seats[seat].name
    n = log.height
    assert f"Step {n}: {name}'s reveal came after the vote; it was held back." in lines


def test_two_courses_of_one_game_name_who_has_signed_both(tmp_path: Path) -> None:
    table = SealedTable(6, 4)
    logs = [played(table, Random(6), lambda log: log.height == 8) for _ in range(2)]
    due = logs[0].due
    assert due is not None
    name = table.sealing.decoded.seats[due.seat].name
    answers = [str(action) for action in logs[0].game.legal if str(action) != "!"]
    for log, token in zip(logs, (answers[0], answers[-1]), strict=True):
        log.take(table.owner(due.seat).act(9, log.tip, due.seat, token))
    status, lines = verified(tmp_path, *(sealed_record(log).to_json() for log in logs))
    assert status == 1
    for number in (1, 2):
        assert (
            f"Line {number}: Another line records this game differently: ask another player for"
            " the record."
        ) in lines
        said = f"Line {number}: {name}'s program has signed two answers to one question."
        assert said in lines
    with History.open() as history:
        number = history.add(sealed_record(join_logs(*logs)), (0,), "cheated", "joined")
    assert driflamme("replay", str(number), "--text").stdout.splitlines()[-3:-1] == [
        "The game was not played to its end.",
        f"{name}'s program has signed two answers to one question.",
    ]
    assert "(cheated)" in driflamme("history").stdout
    # The same game in two lines counts like one.
    assert verified(tmp_path, PROVEN, sealed_record(whole(5)).to_json())[0] == 0


def test_a_proof_counts_for_all_lines_of_a_game(tmp_path: Path) -> None:
    log, table = whole(5), SealedTable(5)
    votes = [table.people[1].missing(3, log.tip), table.people[1].seen(3, log.tip, log.tip)]
    log.take(make_proof("two_votes", *votes))
    proof = sealed_record(log).to_json()
    for lines in ((PROVEN, proof), (proof, PROVEN)):
        status, said = verified(tmp_path, *lines)
        assert status == 1
        for number in (1, 2):
            assert f"Line {number}: Bob, Blue, key aca536ae: cheated." in said
            assert (
                f"Line {number}: Bob's program has voted both for and against one answer." in said
            )
        assert said[-1] == "Proven: 0 of 2."


def test_who_has_cheated_and_whose_machine_plays_a_bot(tmp_path: Path) -> None:
    table = doubled(SealedTable(1, owned=((0, 2), (1,)), bots=(2,)), 1)
    log = SealedLog(table.dealt())
    while log.due is not None:
        token = log.game.legal[0].token
        log.take(table.owner(log.due.seat).act(log.height + 1, log.tip, log.due.seat, token))
    for end in table.ends(log):
        log.take(end)
    status, lines = verified(tmp_path, sealed_record(log).to_json())
    assert status == 1
    assert lines[2].endswith(": cheated.")
    assert lines[3].startswith("Cem, Green, a bot on the machine of Ada, key ")
    assert "Bob's program has sealed a card twice in one family." in lines


@pytest.mark.parametrize("content", [None, ""])
def test_files_without_a_game(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "games.jsonl"
    if content is not None:
        file.write_text(content)
    assert "read" in refused(driflamme("verify", str(file)))


def test_who_is_not_proven_stands_last_in_what_is_told_of_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(UNPROVEN)
    output = driflamme("replay", str(file), "--text").stdout.splitlines()[-6:]
    assert output == [
        "Cem wins with 12",
        "7 more than Bob; what still lies on cards does not count.",
        "1. Cem (Green): 12 influence, 1 card in the Queue",
        "2. Bob (Blue): 5 influence, 2 cards in the Queue",
        "3. Ada (Red): 0 influence, 3 cards in the Queue",
        "4. Dora (Yellow): 5 influence, 2 cards in the Queue (unproven)",
    ]
    alone = hesitant(7, edition=1, ends=1)
    file.write_text(sealed_record(alone).to_json())
    output = driflamme("replay", str(file), "--text").stdout.splitlines()
    assert output[-5] == "Nobody else has shown all their cards."
    shared = driflamme("replay", str(file), "--share", "text").stdout.splitlines()
    assert [line.endswith("(unproven)") for line in shared[1:5]] == [False, True, True, True]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_an_ordinary_game_from_a_pipe_proves_nothing(tmp_path: Path) -> None:
    result = read_from_a_pipe("verify", tmp_path)
    assert result.exit_code == 1
    assert result.stdout.endswith("Proven: 0 of 1.\n")
