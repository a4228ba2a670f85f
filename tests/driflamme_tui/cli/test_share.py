"""Tests sharing a finished game: lines to paste, a picture, and its best minute."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from driflamme_tui.app.replay_pictures import MOMENT_S, best_minute
from driflamme_tui.cli.program import app
from driflamme_tui.drawing.palette import DARK
from driflamme_tui.replay.playback import Playback
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.wording.program.past_game_words import shared_text
from engine.record import Holder
from engine.replaying import Replay
from tests.support.tables import RECORD

REPLAY = Replay.of(RECORD)


def test_a_game_as_text_says_who_won_how_they_came_there_and_what_decided() -> None:
    assert list(shared_text(REPLAY, UNICODE)) == [
        "Driflamme (second edition): Blaise wins with 20",
        "1. ● Blaise 20 ▁▂▂▃▄▄█",
        "2. ◆ Gaspard 7 ▁▁▂▂▂▃▃",
        "3. ■ Vasco 6 ▁▁▂▂▂▂▃ (tie: 3 cards in the Queue against 2)",
        "4. ★ Yvette 6 ▁▁▁▂▂▂▃ (tie: 2 cards in the Queue against 3)",
        "5. ▲ Rosalind 1 ▁▁▁▁▁▁▁",
        "Round 2: Blaise gains 2 with Heir. Blaise takes the lead.",
        "Round 4: Blaise gains 2 with Heir. Blaise leads by 4 instead of 2.",
        "Round 5: Blaise gains 2 with Heir. Blaise leads by 6 instead of 4.",
    ]


def test_a_decisive_moment_belongs_to_the_holder_of_the_seat_at_that_time() -> None:
    players = [
        each._replace(name="Aubin").taken_by(Holder("Zoe", None, REPLAY.rounds[3], 300))
        if each.name == "Blaise"
        else each
        for each in RECORD.players
    ]
    lines = [*shared_text(Replay.of(RECORD._replace(players=tuple(players))), UNICODE)]
    assert lines[0].endswith("Zoe wins with 20")
    assert lines[-3:] == [
        "Round 2: Aubin gains 2 with Heir. Aubin takes the lead.",
        "Round 4: Zoe gains 2 with Heir. Zoe leads by 4 instead of 2.",
        "Round 5: Zoe gains 2 with Heir. Zoe leads by 6 instead of 4.",
    ]


def test_the_best_minute_is_the_way_to_each_turning_point_and_the_end() -> None:
    minute = best_minute(REPLAY)
    moments = [*Playback(REPLAY).turning_points, REPLAY.last]
    assert list(minute) == sorted({moment - back for moment in moments for back in range(3)})
    assert [step for step in minute if minute[step] == MOMENT_S] == moments
    assert sum(minute.values()) <= 60


def shared(tmp_path: Path, *arguments: str) -> str:
    game = tmp_path / "game.json"
    game.write_text(RECORD.to_json())
    result = CliRunner().invoke(app, ["replay", str(game), "--share", *arguments])
    assert not result.exit_code, result.output
    return result.stdout


def test_a_step_is_shared_as_a_picture_and_the_best_minute_as_a_cast(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLORTERM", "")
    monkeypatch.setenv("TERM", "xterm")
    picture = shared(tmp_path, "svg", "--step", "41")
    assert picture.startswith("<svg")
    assert "step&#160;41/86" in picture
    assert "teacher" not in picture, "keys are for who can press them"
    assert all(family.hue in picture for family in DARK.families.values()), "in all colours"
    file = tmp_path / "game.cast"
    shared(tmp_path, "cast", "--output", str(file), "--from", "public")
    header, *frames = map(json.loads, file.read_text().splitlines())
    assert (header["version"], header["width"], header["height"]) == (2, 120, 36)
    assert all(each[1] == "o" for each in frames)
    assert [each[0] for each in frames] == sorted(each[0] for each in frames)
    assert "step" in frames[1][2]


def test_only_a_game_that_was_played_to_its_end_is_shared(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    game.write_text(RECORD._replace(actions=RECORD.actions[:40]).to_json())
    result = CliRunner().invoke(app, ["replay", str(game), "--share", "text"])
    assert "Choose a game that was played to its end: no other can be shared." in result.output
