"""Tests which games against bots a player can resume, and why the program refuses others."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import SoloPlan
from driflamme_tui.hosting.solo_games import NoContinuationError
from driflamme_tui.seat.seat_session import SeatSession, sit_down
from engine.texts import ExplainedError
from netcode.protocol.table_settings import TableSettings
from netcode.storage.database import default_path
from netcode.storage.solo_store import has_unfinished_game
from tests.support.kept import change, change_kept
from tests.support.solo import solo_game, store_solo

PLAY = SoloPlan(TableSettings(), ("novice", "novice"), continues=True)
"""The plan of `driflamme play` without options."""

RULES = TableSettings(first="r")

CONTINUE = SoloPlan(continues=True, begins=False)
"""The start screen's plan to continue a game, which begins no new one."""


@asynccontextmanager
async def player_seat(
    plan: SoloPlan, sentences: list[str] | None = None, name: str = "Ada"
) -> AsyncIterator[SeatSession]:
    """Sit down as planned, and yield the seat; leave at the end of the block."""
    seat = await sit_down(
        plan, name, (lambda _sentence: None) if sentences is None else sentences.append
    )
    try:
        yield seat
    finally:
        await seat.leave(leaves=False)
        await seat.close()


def revision_at(seat: SeatSession) -> int:
    """Return the revision of the player's own table, at which the seat must be."""
    assert seat.table is not None
    assert seat.table.entry.table is not None
    return seat.table.entry.table.games.revision


@pytest.mark.parametrize("plan", [PLAY, CONTINUE])
async def test_a_game_is_continued_and_play_says_how_to_begin_another(plan: SoloPlan) -> None:
    kept, sentences = solo_game(4), list[str]()
    store_solo(kept)
    async with player_seat(plan, sentences) as seat:
        assert revision_at(seat) == kept.game.revision
        assert not has_unfinished_game(), "this program has it open"
    assert has_unfinished_game()
    reminder = "You resume your unfinished game. For a new one, type driflamme play --restart."
    assert sentences == [reminder] * plan.begins


@pytest.mark.parametrize(
    ("changed", "resumes"),
    [
        ({}, True),
        ({"settings": replace(RULES, pace_ms=100, think_ms=500)}, True),
        ({"bots": ("even", "even")}, True),
        ({"settings": replace(RULES, edition=1)}, False),
        ({"bots": ("novice", "steady")}, False),
        ({"bots": ("novice",) * 3}, False),
    ],
)
async def test_options_resume_only_the_same_game_and_replace_no_other(
    changed: dict[str, Any], resumes: bool
) -> None:
    kept = solo_game(4)
    store_solo(kept)
    plan = replace(PLAY, settings=RULES, needs_same=True)
    plan = replace(plan, **changed)
    if resumes:
        async with player_seat(plan) as seat:
            assert revision_at(seat) == kept.game.revision
    else:
        with pytest.raises(NoContinuationError, match="with other bots or rules"):
            await sit_down(plan, "Ada")
    async with player_seat(PLAY) as seat:
        assert revision_at(seat) == kept.game.revision, "the game is still there"


async def test_a_player_of_another_name_sits_where_the_game_has_its_person() -> None:
    store_solo(solo_game(name="Rosalind"))
    sentences = list[str]()
    async with player_seat(CONTINUE, sentences) as seat:
        assert seat.name == "Rosalind"
    assert sentences == ["Your seat at this table has the name Rosalind, so you play as Rosalind."]


async def test_two_programs_never_continue_the_same_game() -> None:
    kept = solo_game(4)
    store_solo(kept)
    async with player_seat(PLAY) as first, player_seat(PLAY) as second:
        assert revision_at(first) == kept.game.revision
        assert revision_at(second) == 0, "the second begins its own"
        with pytest.raises(ExplainedError, match="No unfinished game against bots is stored"):
            await sit_down(CONTINUE, "Ada")


async def test_a_damaged_game_is_named_until_the_player_begins_another() -> None:
    store_solo(solo_game(4))
    change_kept(default_path(), game={"actions": ["A>", "A>"]})
    for plan in (PLAY, CONTINUE, PLAY):
        with pytest.raises(NoContinuationError) as caught:
            await sit_down(plan, "Ada")
        sentence = caught.value.sentence()
        assert "cannot be resumed" in sentence
        assert "driflamme play --restart" in sentence
    change(default_path(), "UPDATE games SET kept = x'c1'")
    with pytest.raises(NoContinuationError, match="--restart"):
        await sit_down(PLAY, "Ada")
    async with player_seat(SoloPlan(TableSettings(), ("novice", "novice"))) as seat:
        assert revision_at(seat) == 0
