"""Bots that are as strong as the user: who sits down where they are asked for."""

import asyncio
import threading

import pytest
import typer

from driflamme_tui.cli.shared_options import parse_bots
from driflamme_tui.preferences.even_bots import EVEN, seated
from driflamme_tui.preferences.remembered import last_bot, remember_bot
from netcode.storage.history import History
from netcode.table.errors import StoreError


def test_without_a_past_game_they_are_easy_to_beat() -> None:
    assert asyncio.run(seated(("steady", EVEN, EVEN))) == ("steady", "learner", "learner")


def test_no_screen_waits_for_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    def opened(**_how: object) -> History:
        threads.append(threading.current_thread())
        raise StoreError("Another program is writing.")

    monkeypatch.setattr(History, "open", opened)
    assert asyncio.run(seated((EVEN,))) == ("learner",)
    assert threads
    assert threading.main_thread() not in threads


@pytest.mark.parametrize(
    ("text", "usual", "bots"),
    [
        ("even", None, [EVEN] * 3),
        ("2:even,novice", None, [EVEN, EVEN, "novice"]),
        ("2:even", None, [EVEN] * 2),
        (None, EVEN, [EVEN] * 3),
        ("2", EVEN, [EVEN] * 2),
        ("2", None, ["steady"] * 2),
    ],
)
def test_they_are_asked_for_like_others_and_may_be_the_usual_ones(
    text: str | None, usual: str | None, bots: list[str]
) -> None:
    assert list(parse_bots(text, 3, 2, 4, usual)) == bots
    assert len(parse_bots("even", 0, most=4)) == 1, "there is room for friends"


def test_it_is_remembered_that_they_were_chosen() -> None:
    remember_bot(EVEN)
    assert last_bot() == EVEN


def test_they_are_named_where_a_name_is_that_of_no_bot(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        parse_bots("foo", 3, 2, 4)
    assert capsys.readouterr().err.endswith("master, grandmaster, even.\n")
