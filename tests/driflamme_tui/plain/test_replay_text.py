"""Tests `driflamme replay` without a screen: printing a game, and reading and writing records."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from driflamme_tui.replay.record_files import record_in_file, save_record
from engine.bots.master_bot import Grandmaster
from engine.events import Forced
from engine.notation import format_position
from engine.record import Holder, Record, RecordError
from engine.replaying import Replay
from netcode.storage.history import History
from tests.driflamme_tui.cli.test_commands import HEAVY, driflamme, refused
from tests.support.tables import RECORD, evening


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "evening.json"
    path.write_text(RECORD.to_json(), encoding="utf-8")
    return str(path)


def test_a_game_is_told_with_every_decision_every_position_and_the_ranking(file: str) -> None:
    result = driflamme("replay", file, "--text")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    game, events = evening()
    replay = Replay.of(RECORD)
    for step in range(1, replay.last + 1):
        line = f"    {format_position(replay.games[step - 1])}  {RECORD.actions[step - 1]}"
        assert lines.count(line) == 1
        assert sum(each.startswith(f"{step}. ") for each in lines) in (1, 2)
    assert lines[0].startswith("At the table: Rosalind (Red), Blaise (Blue)")
    assert "45. Rosalind reveals the Shapeshifter at 5" in lines
    assert sum(each.startswith("Round ") for each in lines) == 6
    assert f"Blaise wins with {max(game.pools)}" in lines
    # Count the lines: a sentence for each event except forced steps, a line for each position,
    # the players, two lines on the game, the ranking with two sentences, and gaps before each
    # round and at the end.
    happened = sum(not isinstance(event, Forced) for event in events)
    assert len(lines) == happened + replay.last + 3 + 7 + 7


def test_a_seat_that_changed_hands_has_the_name_of_its_holder_in_every_step(tmp_path: Path) -> None:
    first, *others = RECORD.players
    taken = first.taken_by(Holder("Aubin", "steady", 44, 400))
    path = tmp_path / "taken.json"
    path.write_text(RECORD._replace(players=(taken, *others)).to_json(), encoding="utf-8")
    output = driflamme("replay", str(path), "--text").stdout.splitlines()
    assert output[0].startswith("At the table: Aubin (Red, Steady), Blaise (Blue)")
    assert output[1] == "After 44 decisions Aubin (Steady) took the seat of Rosalind."
    assert "45. Aubin reveals the Shapeshifter at 5" in output
    until = output.index("45. Aubin reveals the Shapeshifter at 5")
    assert not any("Aubin" in line for line in output[2:until])
    assert not any("Rosalind" in line for line in output[until:])
    for name in ("Aubin", "rosalind"):
        seen = driflamme("replay", str(path), "--text", "--from", name)
        assert (seen.exit_code, seen.stderr) == (0, "")


def test_a_game_may_be_told_from_a_step_on(file: str) -> None:
    output = driflamme("replay", file, "--text", "--step", "84").stdout
    assert "Round 1 begins" not in output
    assert "84. " not in output
    whole = driflamme("replay", file, "--text").stdout
    assert output[output.index("85. ") :] == whole[whole.index("85. ") :]


def test_told_from_a_seat_it_has_no_card_that_the_seat_could_not_know(file: str) -> None:
    output = driflamme("replay", file, "--text", "--from", "gaspard").stdout
    assert "Seen as Gaspard could see it." in output
    assert "1.  Blaise puts a card at the end, position 1" in output
    assert "  ?>" in output
    assert "Gaspard puts the Lord at the start" in output
    assert "Blaise wins with" in driflamme("replay", file, "--text", "--from", "b").stdout
    assert output == driflamme("replay", file, "--from", "g").stdout
    public = driflamme("replay", file, "--from", "public").stdout
    assert "Gaspard puts a card at the start" in public


def test_a_game_that_was_cut_short_is_told_as_far_as_it_went(tmp_path: Path) -> None:
    file = tmp_path / "short.json"
    file.write_text(RECORD._replace(actions=RECORD.actions[:7]).to_json())
    output = driflamme("replay", str(file)).stdout.splitlines()
    assert output[-2:] == ["The game was not played to its end.", format_position(evening(7)[0])]


def test_the_teacher_speaks_after_each_decision_of_a_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Grandmaster, "iterations", 30)
    file = tmp_path / "short.json"
    file.write_text(RECORD._replace(actions=RECORD.actions[:8]).to_json())
    output = driflamme("replay", str(file), "--teach", "--from", "b").stdout
    said = [line for line in output.splitlines() if "Grandmaster would" in line]
    assert len(said) == 2
    assert output == driflamme("replay", str(file), "--teach", "--from", "b").stdout
    assert not re.search(r"\[\w\]", output), "families are called by the names of their players"
    assert refused(driflamme("replay", str(file), "--teach", "--from", "public"))


def test_what_is_exported_is_read_again(file: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    result = driflamme("replay", file, "--export", str(copy))
    assert str(copy) in result.stdout
    assert record_in_file(str(copy)) == RECORD
    assert Record.from_json(driflamme("replay", file, "--export", "-").stdout) == RECORD
    assert "Is a directory" in refused(driflamme("replay", file, "--export", str(tmp_path)))


def test_a_record_comes_through_a_pipe_and_is_told_without_screen_or_network() -> None:
    program = f"""
import sys
from driflamme_tui.cli.main import run
sys.argv = ["driflamme", "replay", "-"]
try:
    run()
finally:
    loaded = {HEAVY!r} & {{name.partition(".")[0] for name in sys.modules}}
    assert not loaded, loaded
"""
    result = subprocess.run(
        [sys.executable, "-c", program],
        input=RECORD.to_json(),
        capture_output=True,
        text=True,
        env={**os.environ, "LANGUAGE": "en"},
        timeout=60,
    )
    assert result.stderr == ""
    assert "Blaise wins with" in result.stdout


def test_one_of_several_games_is_taken_out_of_a_file(tmp_path: Path) -> None:
    shorter = RECORD._replace(actions=RECORD.actions[:9])
    file = tmp_path / "games.jsonl"
    file.write_text(f"{shorter.to_json()}\n{RECORD.to_json()}\n")
    assert record_in_file(str(file)) == shorter
    assert record_in_file(str(file), 2) == RECORD
    assert refused(driflamme("replay", str(file), "--game", "3")) == (
        "The file has fewer games: choose a smaller number with --game."
    )


def test_a_record_may_be_laid_out_over_several_lines(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(json.loads(RECORD.to_json()), indent=2))
    assert record_in_file(str(file)) == RECORD


def test_a_game_of_a_trace_is_played_again(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    arguments = ("--games", "3", "--players", "mixed", "--edition", "mixed", "--trace", str(trace))
    driflamme("simulate", *arguments)
    results = [
        json.loads(line) for line in trace.read_text().splitlines() if '"type":"result"' in line
    ]
    for number, result in enumerate(results, 1):
        replay = Replay.of(record_in_file(str(trace), number))
        assert replay.line(replay.last) == result["position"]
    assert refused(driflamme("replay", str(trace), "--game", "4"))
    lines = trace.read_text().splitlines()
    trace.write_text("\n".join([*lines[:4], "{", *lines[4:]]))
    assert refused(driflamme("replay", str(trace))) == (
        "Step 4 of the trace is not valid: write it again with driflamme arena --trace."
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (
            b"",
            "This is not a record of a game, since it is not JSON: export one with driflamme "
            "replay --export.",
        ),
        (
            b"\x89PNG\r\n\x1a\n\x00",
            "This is not a record of a game, since it is not text: export "
            "one with driflamme replay --export.",
        ),
        (
            b" " * 2_000_000,
            "This is not a record of a game, since it is too long: export one "
            "with driflamme replay --export.",
        ),
        (b'{"type":"deal"}', "The deal of the record is not valid: export the game again."),
        (
            RECORD.to_json().replace('"!"', '"\\u001b[2J"', 1).encode(),
            "Step 7 of the record, '\\x1b[2J', breaks the rules: "
            "Write an action like S< S> S^3 + ! x3 $b ~3 3>1, not '\\x1b[2J'. "
            "Export the game again.",
        ),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_no_record_is_refused_in_a_sentence(
    tmp_path: Path, data: bytes, sentence: str
) -> None:
    file = tmp_path / "file"
    file.write_bytes(data)
    for command in ("replay", "position"):
        assert refused(driflamme(command, str(file))) == sentence


def test_what_there_is_not_is_refused(file: str, tmp_path: Path) -> None:
    assert "No such file" in refused(driflamme("replay", str(tmp_path / "none.json")))
    assert "Is a directory" in refused(driflamme("replay", str(tmp_path)))
    assert refused(driflamme("replay", file, "--from", "Zoë")) == (
        "Nobody called 'Zoë' was at the table: choose one of Rosalind, Blaise, Gaspard, Yvette, "
        "Vasco."
    )
    for arguments in (("replay", file, "--step", "87"), ("position", file, "87")):
        assert refused(driflamme(*arguments)) == "There is no step 87: the game has 86 decisions."


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    now = 1_700_000_000.0
    first, second = (save_record(RECORD, tmp_path, now) for _ in range(2))
    assert first.name.startswith("driflamme-2023-11-1")
    assert second.name == f"{first.stem}-2.json"
    assert record_in_file(str(second)) == RECORD
    dated = save_record(RECORD._replace(ended=1_600_000_000), tmp_path, now)
    assert dated.name.startswith("driflamme-2020-09-1")
    with pytest.raises(RecordError, match="cannot be written"):
        save_record(RECORD, tmp_path / "nowhere", now)


def test_a_game_of_the_history_is_told_by_its_number_and_the_latest_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert refused(driflamme("replay")) == (
        "No finished game is kept yet; give a game's number or a file with a record."
    )
    with History.open() as history:
        last = history.add(RECORD._replace(ended=1_700_000_900), (1,), "finished", "own")
        short = RECORD._replace(actions=RECORD.actions[:9], ended=1_700_009_000)
        first = history.add(short, (1,), "abandoned", "own")
    assert "Blaise wins with" in driflamme("replay").stdout
    assert "Blaise wins with" in driflamme("replay", str(last)).stdout
    assert "The game was not played to its end." in driflamme("replay", str(first)).stdout
    assert refused(driflamme("replay", "99")) == (
        "There is no game 99 in the history: driflamme history lists all."
    )
    assert refused(driflamme("replay", "9" * 5000)).startswith("There is no game 999")


def test_position_knows_no_step_of_thousands_of_digits(file: str) -> None:
    assert "There is no step" in refused(driflamme("position", file, "9" * 5000))


def test_position_reads_a_record_and_plays_on_from_a_step_of_it(file: str) -> None:
    lines = driflamme("position", file, "43").stdout.splitlines()
    game, _events = evening(43)
    assert lines == [format_position(game), " ".join(map(str, game.legal))]
    end = driflamme("position", file).stdout.splitlines()
    assert end == [format_position(evening()[0]), ""]
    played = driflamme("position", file, "43", RECORD.actions[43], "!").stdout.splitlines()
    assert played[-1] == format_position(evening(45)[0])
    assert refused(driflamme("position", file, "43", "L>")).startswith("'L>' is not legal: ")
