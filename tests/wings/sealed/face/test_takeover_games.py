"""Tests the file with the games that this program can take over."""

import pytest

from driflamme_tui.wings.sealed import takeover_games
from driflamme_tui.wings.sealed.takeover_games import TakeoverGame
from netcode.protocol.evening import Evening
from tests.driflamme_tui.seat.test_seat_keys import folder, has_both


def write_game(name: str) -> None:
    takeover_games.remember(name.encode(), TakeoverGame(1, False, Evening(), None, ()))


def test_of_two_programs_that_write_games_at_once_neither_loses_what_the_other_writes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    has_both(monkeypatch, write_game, lambda name: takeover_games.recall(name.encode()))


@pytest.mark.parametrize(
    "damage",
    [
        ("6164", "zz"),
        ('"port":null', '"port":-1'),
        ('"at":1099511627776', '"at":' + "9" * 400),
    ],
)
def test_a_damaged_file_of_games_is_as_good_as_none(damage: tuple[str, str]) -> None:
    still_young = 2**40
    game = TakeoverGame(still_young, False, Evening(), None, ())
    takeover_games.remember(b"ad", game)
    assert takeover_games.can_take_over()
    file = folder() / "takeovers.json"
    file.write_text(file.read_text().replace(*damage))
    assert not takeover_games.can_take_over()
    assert takeover_games.unfinished_persons("Ada") == []
