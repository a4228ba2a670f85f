"""Tests the news of a player's tables: the command's output, and the sentences."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from driflamme_tui.cli.program import app
from driflamme_tui.seat.seat_keys import LockedSeat
from driflamme_tui.wings.days.turns import turn_requests
from driflamme_tui.wings.days.turns.known_tables import KnownTable, last_news
from driflamme_tui.wings.days.turns.returns import (
    KnownSeat,
    LastSeen,
    known_seats,
    last_seen,
    seat_name,
    store_answer,
    store_lines,
    store_news,
    store_seat,
)
from driflamme_tui.wings.days.turns.turn_requests import MISSED_S, ask_now
from driflamme_tui.wings.days.turns.turn_words import duration, turn_line, turn_words
from netcode.client.connection import ConnectError
from netcode.protocol.fields import KEY_BYTES
from netcode.wings.days.messages import Turn
from tests.support.tables import evening_session
from tests.wings.days.waiting_tables import (
    LINK,
    MINE,
    NOW,
    THEIRS,
    news,
    sit,
    sit_at_two_tables,
    turn,
)

SEAT = KnownSeat("Blaise", "Rosalind", "", "", "K7Q")


class Servers:
    """Pretended servers: each answers with rows by prefix, or fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.questions: list[list[str]] = []
        self.rows: list[Turn] = []
        self.error: ConnectError | None = None
        self.meanwhile: Callable[[], object] = lambda: None
        """Called before the answer comes."""
        monkeypatch.setattr(turn_requests, "_turns", self._turns)

    async def _turns(
        self, way: KnownSeat, seats: Sequence[tuple[KnownSeat, bytes]]
    ) -> Sequence[Turn]:
        prefixes = [seat.prefix for seat, _key in seats]
        self.questions.append(prefixes)
        self.meanwhile()
        if self.error is not None:
            raise self.error
        return [row for row in self.rows if row.prefix in prefixes or "" in prefixes]


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Servers:
    return Servers(monkeypatch)


def driflamme(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"LANGUAGE": "en"})


def test_the_most_urgent_own_turn_comes_first(servers: Servers) -> None:
    sit_at_two_tables()
    sit("pin2/fedcba9876543210", "7K2", "Gaspard")
    servers.rows = [turn("K7Q", mine=False, whose="Rosalind"), turn("CZR"), turn("7K2", left_s=60)]
    found = ask_now(lambda: NOW)
    assert [each.seat.prefix for each in found] == ["7K2", "CZR", "K7Q"]
    assert sorted(map(sorted, servers.questions)) == [["7K2", "CZR"], ["K7Q"]], (
        "one question a server"
    )
    assert {each.seat.prefix: each.is_mine for each in last_news()} == {
        "K7Q": False,
        "CZR": True,
        "7K2": True,
    }


def test_several_players_of_one_home_have_seats_at_the_same_table(servers: Servers) -> None:
    sit("pin1/0123456789abcdef", "K7Q", "Rosalind")
    other = bytes([1] * KEY_BYTES)
    sit("pin1/0123456789abcdef", "K7Q", "Rosalind", name="Orlando", key=other)
    servers.rows = [turn("K7Q")]
    assert sorted(each.seat.name for each in ask_now(lambda: NOW)) == ["Blaise", "Orlando"]
    assert servers.questions == [["K7Q"]] * 2, "an answer cannot say whose seat a row means"
    assert {each.seat.place for each in last_news()} == {"pin1/0123456789abcdef"}
    lines = driflamme("turns").stdout.splitlines()
    assert sorted(line.split(":")[0] for line in lines) == [
        "Rosalind's table (Blaise)",
        "Rosalind's table (Orlando)",
    ]

    assert driflamme("turns", "--count").stdout == "1\n", "both sit at one table"


@pytest.mark.parametrize(
    ("place", "name", "key", "is_same"),
    [
        ("pin1/0123456789abcdef", "Pola", 0, True),
        ("pin1/fedcba9876543210", "Blaise", 0, True),
        ("pin1/fedcba9876543210", "Pola", 0, True),
        ("pin1/fedcba9876543210", "Blaise", 1, False),
        ("pin2/0123456789abcdef", "Blaise", 0, False),
        ("pin1/0123456789abcdef", "Pola", 1, False),
    ],
)
def test_a_seat_that_has_another_name_or_invitation_is_stored_once(
    place: str, name: str, key: int, is_same: bool
) -> None:
    sit("pin1/0123456789abcdef", "K7Q", "Rosalind")
    lock = LockedSeat(place, name)
    lock.remember(bytes([key] * KEY_BYTES))
    lock.release()
    sit(place, "K7Q", "Rosalind", name=name, key=bytes([key] * KEY_BYTES))
    latest = seat_name(place, name)
    assert [*known_seats()] == [latest, *([] if is_same else [HERE])]


def test_a_seat_that_is_gone_is_forgotten(servers: Servers) -> None:
    sit_at_two_tables()
    store_news(known_seats(), {HERE: news(phase="lobby", mine=False)})
    servers.rows = [turn("CZR")]
    assert [each.seat.prefix for each in ask_now(lambda: NOW)] == ["CZR"]
    assert [*known_seats()] == ["Blaise @ pin2/0123456789abcdef"]


def test_a_running_game_that_its_host_does_not_have_now_stays_and_comes_back(
    servers: Servers,
) -> None:
    sit_at_two_tables()
    servers.rows = []
    for _ in range(2):
        found = ask_now(lambda: NOW)
        assert sorted(each.seat.prefix for each in found) == ["CZR", "K7Q"]
        assert {each.why for each in found} == {"The host does not have this table now."}
    lines = [turn_line(each, NOW) for each in ask_now(lambda: NOW)]
    assert (
        "Gaspard's table: round 3, your turn, 27 hours left. Players: Rosalind, Blaise. "
        "When last asked: The host does not have this table now."
    ) in lines
    assert driflamme("turns", "--count").stdout == "0\n"
    servers.rows = [turn("CZR"), turn("K7Q")]
    assert not any(each.why for each in ask_now(lambda: NOW))
    servers.rows = []
    assert ask_now(lambda: NOW + MISSED_S) == []
    assert not known_seats()


HERE = seat_name("pin1/0123456789abcdef", "Blaise")
NEXT_SEAT = KnownSeat("Blaise", "Rosalind", LINK, "pin1/0123456789abcdef", "CZR")


def answer_here() -> None:
    session = evening_session(10, "b")
    assert session.view is not None
    store_answer(HERE, session.view, session.events)


@pytest.mark.parametrize("row", [turn("K7Q", round=4), None])
@pytest.mark.parametrize(
    "meanwhile",
    [partial(store_seat, HERE, NEXT_SEAT), answer_here, partial(store_lines, HERE, 3)],
)
def test_late_news_of_a_seat_do_not_replace_what_the_player_has_done_since(
    servers: Servers, meanwhile: Callable[[], object], row: Turn | None
) -> None:
    sit("pin1/0123456789abcdef", "K7Q", "Rosalind", said=THEIRS)
    servers.rows = [] if row is None else [row]
    after: list[LastSeen] = []

    def act() -> None:
        meanwhile()
        after.append(last_seen(HERE))

    servers.meanwhile = act
    ask_now(lambda: NOW)
    assert [last_seen(HERE)] == after


def test_a_seat_without_its_key_is_forgotten_and_not_asked_for(servers: Servers) -> None:
    sit("pin1/0123456789abcdef", "K7Q", "Rosalind")
    seat = LockedSeat("pin1/0123456789abcdef", "Blaise")
    seat.forget()
    seat.release()
    assert ask_now(lambda: NOW) == []
    assert not servers.questions
    assert not known_seats()


def test_a_server_that_does_not_answer_keeps_its_seats_and_old_news(servers: Servers) -> None:
    sit_at_two_tables()
    servers.error = ConnectError("Nobody answers.")
    found = ask_now(lambda: NOW)
    assert [each.why for each in found] == ["Nobody answers."] * 2
    assert found[0].news == MINE
    assert len(known_seats()) == 2
    assert turn_line(found[0], NOW) == (
        "Gaspard's table: round 3, your turn, 27 hours left. Players: Rosalind, Blaise. "
        "When last asked: Nobody answers."
    )


def test_the_command_lists_tables_and_tells_by_its_status_whether_something_waits(
    servers: Servers,
) -> None:
    nothing = driflamme("turns")
    assert (nothing.exit_code, nothing.stdout) == (
        1,
        "You have no seat at any table: join one with driflamme join.\n",
    )
    sit_at_two_tables()
    servers.rows = [turn("K7Q", mine=False, whose="Rosalind", unread=2), turn("CZR", left_s=None)]
    listed = driflamme("turns")
    assert listed.exit_code == 0
    assert listed.stdout.splitlines() == [
        "Gaspard's table: round 3, your turn. Players: Rosalind, Blaise",
        "Rosalind's table: round 3, waits for Rosalind, 27 hours left, 2 new lines of chat. "
        "Players: Rosalind, Blaise",
    ]
    counted = driflamme("turns", "--count")
    assert (counted.exit_code, counted.stdout) == (0, "1\n")
    servers.rows = [turn("K7Q", mine=False, whose="Rosalind")]
    counted = driflamme("turns", "--count")
    assert (counted.exit_code, counted.stdout) == (1, "0\n")


def test_the_command_prints_json(servers: Servers) -> None:
    sit_at_two_tables()
    store_seat(HERE, None)
    servers.rows = [turn("CZR")]
    result = driflamme("turns", "--json")
    (row,) = json.loads(result.stdout)
    assert row.pop("left_s") <= 100_000
    assert row == {
        "host": "Gaspard",
        "name": "Blaise",
        "prefix": "CZR",
        "players": ["Rosalind", "Blaise"],
        "phase": "playing",
        "round": 3,
        "whose": "Blaise",
        "mine": True,
        "unread": 0,
        "paused": False,
        "winners": [],
    }
    servers.error = ConnectError("Nobody answers.")
    (row,) = json.loads(driflamme("turns", "--json").stdout)
    assert row["error"] == "Nobody answers."
    assert "join" not in result.stdout, "a link is a secret"
    assert driflamme("turns", "--json", "--count").exit_code == 2


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"phase": "lobby", "mine": False}, "in the lobby"),
        ({"phase": "result", "mine": False}, "the game is over"),
        ({"phase": "result", "winners": ("Ann",)}, "the game is over: Ann has won"),
        (
            {"phase": "result", "winners": ("Ann", "Bob")},
            "the game is over: Ann and Bob share the victory",
        ),
        ({"mine": False, "paused": True, "host": "Ann"}, "paused by Ann"),
        ({"mine": False, "paused": True}, "paused"),
        ({"mine": False, "whose": None}, "a game is under way"),
        ({"mine": False, "whose": "Ann", "left_s": None}, "waits for Ann"),
        ({"left_s": 600}, "your turn, 10 minutes left"),
    ],
)
def test_the_words_of_a_table(fields: dict[str, Any], words: str) -> None:
    assert turn_words(KnownTable("", SEAT, news(**fields)), NOW) == words


def test_all_players_name_a_table_by_its_present_host() -> None:
    for host in ("", "Ann", "Rosalind"):
        seat = KnownSeat("Blaise", host, "", "", "K7Q")
        assert turn_line(KnownTable("", seat, news(host="Bob")), NOW).startswith("Bob's table: ")


def test_a_table_without_news_or_host_is_named_by_its_code() -> None:
    seat = KnownSeat("Blaise", "", "", "", "K7Q")
    assert turn_line(KnownTable("", seat, None, "Nobody answers."), NOW) == (
        "Table K7Q: Nobody answers."
    )


def test_a_table_without_a_secret_is_asked_for_without_its_prefix(servers: Servers) -> None:
    sit("192.168.1.20:11214", "", "")
    servers.rows = [turn("K7Q")]
    assert [each.prefix for each in ask_now(lambda: NOW)] == ["K7Q"]
    assert servers.questions == [[""]]
    assert driflamme("turns").stdout.startswith("Table K7Q: round 3, your turn")
    (row,) = json.loads(driflamme("turns", "--json").stdout)
    assert row["prefix"] == "K7Q"
    servers.rows = []
    assert [each.is_absent for each in ask_now(lambda: NOW)] == [True]


def test_time_passes_after_the_answer() -> None:
    assert MINE.left_at(NOW + 99_999) == 1
    assert MINE.left_at(NOW + 200_000) == 0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "1 minute"),
        (118 * 60, "118 minutes"),
        (7140, "2 hours"),
        (86_399, "24 hours"),
        (47 * 3600, "47 hours"),
        (48 * 3600, "2 days"),
        (8 * 86400 - 61, "7 days"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
