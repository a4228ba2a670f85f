"""Tests that walks through pairs of features find the kinds of bugs that sealed games have had."""

from collections.abc import Callable
from pathlib import Path

import pytest

from driflamme_tui.plain.json_player import JsonPlayer
from netcode.client.connection import ConnectError
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import Lobby
from netcode.wings.sealed.interpreter import SealedInterpreter
from tests.e2e.walk.people import WalkError
from tests.e2e.walk.walk import Walk
from tests.wings.sealed.walk import Sealed

STEPS = 8


def the_program_of_sealed_games_stays_at_ordinary_ones(patch: pytest.MonkeyPatch) -> None:
    receive = SealedInterpreter.receive

    def stay(self: SealedInterpreter, message: Message) -> None:
        was_sealed = self._is_sealed
        receive(self, message)
        self._is_sealed = was_sealed or self._is_sealed

    patch.setattr(SealedInterpreter, "receive", stay)


def revisions_of_sealed_and_ordinary_games_are_one_count(patch: pytest.MonkeyPatch) -> None:
    see_lobby = Session._see_lobby

    def count_on(self: Session, message: Lobby) -> None:
        lowest = self._lowest
        see_lobby(self, message)
        self._lowest = lowest

    patch.setattr(Session, "_see_lobby", count_on)


def all_that_is_typed_waits_for_an_answer(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(JsonPlayer, "is_answer", lambda self, text: True)


Plant = Callable[[pytest.MonkeyPatch], None]

PLANTED: dict[Plant, int] = {
    the_program_of_sealed_games_stays_at_ordinary_ones: 8,
    revisions_of_sealed_and_ordinary_games_are_one_count: 8,
    all_that_is_typed_waits_for_an_answer: 52,
}
"""The planted bugs, with the seed of the walk that finds each."""


@pytest.mark.no_cover
@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_bug_is_found(
    plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises((WalkError, ConnectError)) as found:
        Walk(PLANTED[plant], tmp_path, features=[Sealed]).run(STEPS)
    print(repr(found.value), found.value.__notes__)
