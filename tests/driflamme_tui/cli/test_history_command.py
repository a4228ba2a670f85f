"""Tests `driflamme history` and `driflamme stats`: output, deletion, export and import."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from driflamme_tui.model.past_game_totals import PlayerGames, games_of_player
from engine.events import RoundBegan
from engine.record import MAXIMUM_LENGTH, Holder
from engine.statistics import FORMAT
from netcode.storage.history import Filter, History
from netcode.table.finished_game import Exit, LeftGame, PastGame, PastHolder, PastPlayer
from tests.driflamme_tui.cli.test_commands import driflamme, refused
from tests.driflamme_tui.past_games import EVENINGS, keep_evenings, record_of_bots


@pytest.fixture
def evenings() -> list[int]:
    """Store some games; return their numbers, oldest first."""
    return keep_evenings()


def listed(*arguments: str) -> list[int]:
    """Return the numbers of the games in the JSON output."""
    result = driflamme("history", "--json", *arguments)
    assert result.exit_code == 0
    return [json.loads(line)["game"] for line in result.stdout.splitlines()]


def lines(*arguments: str, **environment: str) -> list[str]:
    result = driflamme(*arguments, **{"LC_ALL": "C.UTF-8", "COLUMNS": "80", **environment})
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_without_games_one_reads_how_to_get_some() -> None:
    yet = "No game is over yet: play one to its end, and it will be here."
    assert lines("history") == lines("stats") == [yet]
    assert lines("history", "--edition", "1") == ["No game matches."]
    assert lines("history", "--json") == []


def test_the_latest_game_comes_first_with_its_winner_marked(evenings: list[int]) -> None:
    head, *table = lines("history", COLUMNS="120")
    assert head.split() == ["game", "ended", "players", "ed.", "moves", "rounds"]
    numbers = [line[:4].strip() for line in table if line[:4].strip()]
    assert numbers[:-1] == [str(number) for number in evenings[::-1]]
    first = " ".join(next(line for line in table if line.startswith("   1 ")).split())
    assert first == "1 2026-01-03 21:15 ♛ Gaspard 12, Blaise 11, Rosalind 11 2 48 6"
    assert "Blaise 6, Rosalind 5, Zoe 10 (unfinished)" in table[1]
    assert table[-1] == "Games 1 to 7 of 7; driflamme replay 7 shows the first."
    *_, last = lines("history", "--limit", "3", "--page", "2")
    assert last == "Games 4 to 6 of 7; driflamme replay 4 shows the first."


@pytest.mark.usefixtures("evenings")
def test_the_list_fits_whatever_names_there_are() -> None:
    for columns in (60, 80, 100, 120):
        shown = lines("history", COLUMNS=str(columns))
        assert max(map(cell_len, shown)) <= columns
        for whole in ("漢字名前漢字名前漢字 7", "Maximiliane Sturmhub 8,"):
            assert any(whole in line for line in shown), columns


@pytest.mark.usefixtures("evenings")
@pytest.mark.parametrize("command", ["history", "stats"])
def test_who_wants_ascii_says_so_before_the_command_or_after_it(command: str) -> None:
    after = lines(command, "--ascii")
    assert after == lines("--ascii", command) != lines(command)
    assert all(line.isascii() for line in after)


def test_games_are_chosen_by_what_is_known_of_them(evenings: list[int]) -> None:
    first, second, third, fourth, fifth, sixth, seventh = evenings
    for arguments, chosen in (
        (("--player", "rosa"), [seventh, sixth, second, first]),
        (("--player", "rosa", "--players", "4"), [second]),
        (("--edition", "1"), [third]),
        (("--outcome", "abandoned"), [sixth]),
        (("--bots",), [fourth]),
        (("--no-bots", "--since", "2026-02-28"), [seventh, sixth, fifth]),
        (("--since", "2026-01-31", "--until", "2026-01-31"), [second]),
        (("--until", "2026-02-01"), [third, second, first]),
        (("--limit", "2"), [seventh, sixth]),
        (("--limit", "3", "--page", "3"), [first]),
    ):
        assert listed(*arguments) == chosen, arguments


@pytest.mark.usefixtures("evenings")
def test_a_game_as_json_says_all_that_a_list_knows() -> None:
    (line,) = lines("history", "--json", "--bots")
    game = json.loads(line)
    assert (game["outcome"], game["edition"], game["rounds"]) == ("finished", 2, 6)
    assert game["decisions"] == len(EVENINGS[3].actions)
    assert game["ended"] - game["began"] == 1800
    assert (game["own"], game["origin"]) == (["r"], "own")
    assert game["players"][1] == {
        "family": "b",
        "name": "Steady",
        "bot": "steady",
        "score": 16,
        "place": 1,
        "step": 0,
        "after_s": 0,
        "former": [],
    }


def test_a_list_and_a_game_as_json_name_every_holder_of_a_seat() -> None:
    game = record_of_bots(8, ("Blaise", "Rosalind", "Zoe"), "2026-03-03 19:00")
    first, second, third = game.players
    taken = second.taken_by(Holder("Aubin", "steady", 12, 90))
    keep_evenings([game._replace(players=(first, taken, third))])
    (line,) = lines("history", "--json", "--player", "rosalind", "--bots")
    player = json.loads(line)["players"][1]
    assert [player[name] for name in ("name", "bot", "step", "after_s")] == [
        "Aubin",
        "steady",
        12,
        90,
    ]
    assert player["former"] == [{"name": "Rosalind", "bot": None, "step": 0, "after_s": 0}]
    assert any("Aubin (before: Rosalind)" in line for line in lines("history", COLUMNS="120"))


@pytest.mark.usefixtures("evenings")
def test_what_cannot_be_is_refused_in_one_sentence() -> None:
    for arguments in (
        ("history", "--since", "yesterday"),
        ("history", "--until", "2026-02-30"),
        ("history", "--since", "0001-01-01T00"),
        ("history", "--until", "9999-12-31"),
        ("history", "--players", "2"),
        ("history", "--edition", "3"),
        ("history", "--outcome", "won"),
        ("history", "--page", "0"),
        ("history", "--limit", "0"),
        ("history", "--page", "2"),
        ("history", "--page", "9" * 30),
        ("history", "--before", "2026-01-01"),
        ("history", "--yes"),
        ("history", "--prune"),
        ("history", "--prune", "--yes", "--before", "then"),
        ("history", "--prune", "--yes", "--player", "Rosalind"),
        ("history", "--prune", "--export-all", "-"),
        ("history", "--export-all", "-", "--json"),
        ("history", "--export-all", "/no/such/folder/games"),
        ("history", "--import", "/no/such/file"),
        ("history", "--import", "/"),
        ("stats", "--since", "2026"),
        ("stats", "--players", "6"),
    ):
        refused(driflamme(*arguments))
    assert len(listed()) == len(EVENINGS)


def test_games_before_a_day_are_deleted(evenings: list[int]) -> None:
    said = lines("history", "--prune", "--yes", "--before", "2026-02-01")
    assert said == ["2 games deleted."]
    assert listed() == evenings[:1:-1]
    assert lines("history", "--prune", "--yes") == ["5 games deleted."]
    assert lines("history", "--prune", "--yes") == ["No game matches: nothing was deleted."]


@pytest.mark.usefixtures("evenings")
def test_whoever_deletes_is_asked_first() -> None:
    command = [sys.executable, "-m", "driflamme_tui", "history", "--prune"]
    for typed, sentence, left in (
        ("y\n", "Nothing was deleted.", len(EVENINGS)),
        ("yes\n", "7 games deleted.", 0),
    ):
        ours, theirs = pty.openpty()
        with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
            os.close(theirs)
            os.write(ours, typed.encode())
            assert process.wait() == 0
        shown = os.read(ours, 4096).decode()
        os.close(ours)
        assert "Delete 7 games for good? Type yes to do so:" in shown
        assert sentence in shown
        assert len(listed()) == left


def test_all_games_go_into_a_file_and_come_back(evenings: list[int], tmp_path: Path) -> None:
    file = str(tmp_path / "games.jsonl")
    before = lines("history")
    assert lines("history", "--export-all", file) == ["7 games written."]
    assert list(tmp_path.glob("games*")) == [Path(file)]
    assert driflamme("history", "--export-all", "-").stdout == Path(file).read_text()
    lines("history", "--prune", "--yes")
    said = "New: {}. Known already: {}. Refused: 0."
    assert lines("history", "--import", file) == [said.format(7, 0)]
    assert lines("history", "--import", file) == [said.format(0, 7)]
    assert lines("history") == before


@pytest.mark.parametrize(
    ("before", "after", "refused"),
    [
        (
            b"\xff\xfe\n",
            b"{}\n",
            [
                "Line 1: This is not a record of a game, since it is not JSON: export one with",
                "Line 9: This is not a record of a game: export one with",
            ],
        ),
        (b"[" * 5 * MAXIMUM_LENGTH + b"\n", b"x" * 3 * MAXIMUM_LENGTH, ["Line 1: ", "Line 9: "]),
    ],
    ids=["short", "endless"],
)
def test_lines_that_are_no_games_are_told_with_the_reason(
    before: bytes, after: bytes, refused: list[str], evenings: list[int], tmp_path: Path
) -> None:
    file = tmp_path / "games.jsonl"
    good = driflamme("history", "--export-all", "-").stdout.encode()
    file.write_bytes(before + good + after)
    result = driflamme("history", "--import", str(file))
    assert result.exit_code == 0
    assert result.stdout == f"New: 0. Known already: {len(evenings)}. Refused: 2.\n"
    reasons = zip(result.stderr.splitlines(), refused, strict=True)
    assert all(line.startswith(begin) for line, begin in reasons)


def test_of_much_nonsense_only_the_first_lines_are_told(
    evenings: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("netcode.storage.history.MAXIMUM_REFUSED", 30)
    file = tmp_path / "games.jsonl"
    file.write_text(driflamme("history", "--export-all", "-").stdout + "x\n" * 99)
    result = driflamme("history", "--import", str(file))
    assert result.exit_code == 1
    assert result.stdout == f"New: 0. Known already: {len(evenings)}. Refused: 30.\n"
    *reasons, more, rest = result.stderr.splitlines()
    assert [line.split(":")[0] for line in reasons] == [f"Line {n}" for n in range(8, 28)]
    assert more == "10 more lines were refused."
    assert rest.startswith(f"driflamme: The rest of {str(file)!r} was not read, since ")


def test_a_damaged_game_is_left_out_of_an_export_and_the_status_tells(
    evenings: list[int], tmp_path: Path
) -> None:
    file = tmp_path / "games.jsonl"
    with History.open() as history:
        history._database.execute(
            "UPDATE history SET record = replace(record, '+', '!') WHERE id = ?", (evenings[1],)
        )
    result = driflamme("history", "--export-all", str(file))
    assert result.exit_code == 1
    assert result.stdout == f"{len(evenings) - 1} games written.\n"
    assert result.stderr.splitlines() == [
        f"driflamme: Game {evenings[1]} in your history is damaged: import a copy of it if you"
        " have one.",
        "driflamme: 1 game is damaged and left out.",
    ]
    assert len(file.read_text().splitlines()) == len(evenings) - 1


def test_input_that_is_no_text_is_refused_whatever_the_locale() -> None:
    command = [sys.executable, "-m", "driflamme_tui", "history", "--import", "-"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(command, input=b"\xff\n", capture_output=True, env=environment)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.usefixtures("evenings")
def test_what_is_no_file_is_written_to_and_nothing_through_a_link(tmp_path: Path) -> None:
    pipe, target, link = tmp_path / "pipe", tmp_path / "target", tmp_path / "link"
    os.mkfifo(pipe)
    target.write_text("before")
    link.symlink_to(target)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert lines("history", "--export-all", str(pipe)) == ["7 games written."]
        assert reader.stdout is not None
        read = reader.stdout.read().decode()
    assert pipe.is_fifo()
    assert read
    refusal = refused(driflamme("history", "--export-all", str(link), "--force"))
    assert (
        refusal == f"{str(link)!r} cannot be written: it is a symbolic link. Choose another file."
    )
    assert link.is_symlink()
    assert target.read_text() == "before"


@pytest.mark.usefixtures("evenings")
def test_no_number_and_no_name_is_too_odd_to_ask_for() -> None:
    assert len(listed("--limit", "9" * 30)) == len(EVENINGS)
    assert listed("--page", "9" * 30) == []
    assert listed("--player", "\udcff") == []


@pytest.mark.parametrize("text", ["", "\n\n", "nothing\n", "nothing\n" * 9])
def test_a_file_without_a_game_is_bad_input(text: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(text)
    result = driflamme("history", "--import", str(file))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.endswith("contains no game that can be read: choose another file.\n")
    assert result.stderr.count("This is not a record") <= 1


def test_a_game_that_went_on_without_the_user_is_listed_and_counted_and_not_replayed() -> None:
    names = ("Blaise", "Rosalind", "Zoe")
    players = tuple(
        PastPlayer(family, name, None, 3, None) for family, name in zip("rbg", names, strict=True)
    )
    past = PastGame(1000, 2000, "removed", 2, players, (0,), 9, 2, "joined")
    with History.open() as history:
        number = history.add_left(LeftGame(past, "a view", ("FDC",), (RoundBegan(1, 0),)))
    assert any("(sent away before the end)" in line for line in lines("history", COLUMNS="120"))
    (data,) = map(json.loads, lines("history", "--json", "--outcome", "removed"))
    assert (data["outcome"], data["decisions"], data["own"]) == ("removed", 9, ["r"])
    sentence = refused(driflamme("replay", str(number), "--text"))
    assert sentence.startswith(f"Game {number} continued without you")
    (counted,) = map(json.loads, lines("stats", "--json"))
    assert (counted["games"], counted["unfinished"], counted["unreadable"]) == (0, 1, 0)
    assert driflamme("history", "--export-all", "-").stdout == ""


@pytest.mark.parametrize("way_out", ["left", "removed"])
def test_a_game_that_was_left_early_is_neither_won_nor_lost_for_anybody(way_out: Exit) -> None:
    # The last player took the seat of Yvette, and has the name of that time.
    players = (
        PastPlayer("r", "Blaise", None, 9, None),
        PastPlayer("b", "Rosalind", None, 3, None),
        PastPlayer("g", "Zoe", None, 1, None, 5, 60, (PastHolder("Yvette", None, 0, 0),)),
    )
    past = PastGame(1000, 2000, way_out, 2, players, (0,), 9, 2, "joined")
    with History.open() as history:
        history.add_left(LeftGame(past, "a view", ("FDC",), (RoundBegan(1, 0),)))
        listed_games = history.games(Filter())
    assert games_of_player(listed_games) == PlayerGames(stored=1, won=0, last=None)
    (counted,) = map(json.loads, lines("stats", "--json"))
    assert (counted["games"], counted["wins"], counted["unfinished"]) == (0, 0, 1)
    (past_ones,) = map(json.loads, lines("stats", "--evenings", "--ratings", "--json"))
    assert past_ones == {"evenings": [], "ratings": []}
    shown = " ".join(lines("history", COLUMNS="120"))
    assert all(f"{name} " in shown for name in ("Blaise", "Rosalind", "Zoe"))
    assert "♛" not in shown


@pytest.mark.usefixtures("evenings")
def test_statistics_are_of_ones_own_finished_games() -> None:
    (line,) = lines("stats", "--json")
    data = json.loads(line)
    assert (data["format"], data["games"], data["unfinished"]) == (FORMAT, 5, 1)
    assert [each["game"] for each in data["results"]] == [1, 2, 3, 4, 5]
    words = [" ".join(row.split()) for row in lines("stats")]
    assert f"won {data['wins']}" in [row.split(" 2.")[0] for row in words]
    narrowed = json.loads(lines("stats", "--json", "--players", "3", "--until", "2026-01-31")[0])
    assert [each["game"] for each in narrowed["results"]] == [1]
    assert lines("stats", "--edition", "1", "--bots") == ["No game matches."]
    data = [" ".join(row.split()) for row in lines("stats", "--evenings", "--ratings")]
    assert data.index("RATINGS") > data.index("EVENINGS")
    both = json.loads(lines("stats", "--evenings", "--ratings", "--json")[0])
    assert sum(each["evening"]["games"] for each in both["evenings"]) == len(both["evenings"])
    assert {each["bot"] for each in both["ratings"]} == {False, True}
    assert sorted(both["ratings"], key=lambda each: -each["mu"]) == both["ratings"]


def test_a_game_that_cannot_be_replayed_is_left_out_and_counted(evenings: list[int]) -> None:
    with History.open() as history:
        history._database.execute(
            "UPDATE history SET record = replace(record, '+', '!') WHERE id = ?", (evenings[0],)
        )
    data = json.loads(lines("stats", "--json")[0])
    assert (data["games"], data["unreadable"]) == (4, 1)
    # Add a row about a seat that its record lacks.
    five = json.dumps([["r", "Rosalind", None, 1, 1]] * 5)
    with History.open() as history:
        history._database.execute(
            "UPDATE history SET listed ="
            " json_set(listed, '$.players', json(?), '$.own', json('[4]')) WHERE id = ?",
            (five, evenings[0]),
        )
    assert json.loads(lines("stats", "--json")[0])["unreadable"] == 1
    exported = driflamme("history", "--export-all", "-")
    assert exported.exit_code == 1
    assert len(exported.stdout.splitlines()) == len(EVENINGS) - 1
