"""Tests every course of the last round of three persons, and planted bugs in it.

The table in `netcode/wings/sealed/game/WHY.md` has the same numbers of states and depths.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import pytest

from netcode.wings.sealed.game.cheat_proofs import OUTCOME_IGNORED, Outcome
from netcode.wings.sealed.game.encoding import EntryBody, SealedError
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.sealed_person import PersonSecrets, SealedPerson
from netcode.wings.sealed.game.sealing import Sealing
from netcode.wings.sealed.game.votes import Situation
from tests.support.planted import Bug, Wrong, plant
from tests.wings.sealed.game.sealed_exploration import Exploration, Result
from tests.wings.sealed.game.sealed_tables import SealedTable
from tests.wings.sealed.game.stand_in import plant_stand_in

Called = Callable[..., Any]


def the_longer_log_wins(patch: pytest.MonkeyPatch) -> None:
    def keep(self: SealedLog, said: EntryBody, parcel: Parcel) -> Outcome:
        self._beside = self._until(said.n - 1)
        self._beside.take(parcel)
        return OUTCOME_IGNORED

    def look(self: SealedLog, branch: SealedLog, parcel: Parcel) -> None:
        branch.take(parcel)
        if branch.height > self.height:
            self.entries[:], self._beside = branch.entries, None
            self._stand()
            self.ends.clear()
            self._known.clear()

    patch.setattr(SealedLog, "_go_back", keep)
    patch.setattr(SealedLog, "_look_beside", look)


def lower_the_quorum(right: Called) -> Called:
    def begin(self: Sealing, body: bytes) -> None:
        right(self, body)
        if self.quorum is not None:
            vars(self)["quorum"] = self.quorum - 1 or None

    return begin


def convict_who_went_on(right: Called) -> Called:
    """Bug: convict a person who signs a step after a vote that the step before is missing."""

    def take(self: SealedLog, said: EntryBody, parcel: Parcel) -> Outcome:
        height = self.height
        outcome: Outcome = right(self, said, parcel)
        author = self.sealing.author(said)
        if author is not None and self.height == height + 1 > 1:
            before = self.entries[-2].decoded
            if author in self.voters(before.n, before.prev, None):
                self.cheated.add(author)
        return outcome

    return take


def stand_in_for_who_is_gone(right: Called) -> Called:
    def sign(
        self: SealedPerson, log: SealedLog, own: PersonSecrets, now: Situation, unix_s: int
    ) -> bool:
        if right(self, log, own, now, unix_s):
            return True
        due = log.due
        if due is None or (due.opening is not None and due.opening[0] in own.seats):
            return False
        is_gone = log.sealing.owners[due.seat] not in now.connected
        return now.waited_s >= 20 and is_gone and self._sign(log, log.default())

    return sign


def need_no_votes(right: Called) -> Called:
    def check(self: SealedLog, said: EntryBody) -> None:
        try:
            right(self, said)
        except SealedError as error:
            if error.code != "too_few_votes":
                raise

    return check


def look_at_nothing(right: Called) -> Called:
    def look(self: SealedLog, branch: SealedLog, parcel: Parcel) -> None:
        branch.take(parcel)

    return look


EXPLORED: Final[dict[str, Bug]] = {
    "a_voter_takes_the_step_all_the_same": Wrong(
        SealedLog._has_voted_missing,
        lambda right: lambda *_: False,
    ),
    "a_quorum_is_lower_by_one": Wrong(Sealing.__init__, lower_the_quorum),
    "the_longer_log_wins": the_longer_log_wins,
    "what_follows_from_going_on_convicts": Wrong(SealedLog._take_entry, convict_who_went_on),
    "somebody_stands_in_without_a_vote": [
        Wrong(
            SealedPerson._sign_next,
            stand_in_for_who_is_gone,
        ),
        Wrong(SealedLog._check_default, need_no_votes),
    ],
    "who_has_a_default_looks_at_nothing_beside_it": Wrong(SealedLog._look_beside, look_at_nothing),
}

LEAVE = {"?0": "+", "?1": "+", "?2": "+"}
"""Everybody leaves their card."""

STRIKE = {**LEAVE, "?0": "!", "A0": "x"}
"""The first person reveals an Archer, and eliminates another person's card."""


def explored(
    patch: pytest.MonkeyPatch,
    cards: str = "LHA",
    tokens: dict[str, str] = LEAVE,
    liar: int | None = None,
    restarts: int = 0,
    steps: int = 1,
    states: int = 10**7,
) -> Result:
    exploration = Exploration(SealedTable(1), cards, tokens, liar, restarts, steps)
    start = SimpleNamespace(start=lambda _: exploration.start)
    patch.setattr("netcode.wings.sealed.game.game_log.LeafGame", start)
    return exploration.run(states)


@pytest.fixture(autouse=True)
def _cheap_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_stand_in(monkeypatch)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("liar", "restarts", "steps", "states", "depth"),
    [
        pytest.param(None, 1, 1, 3_625, 12, marks=pytest.mark.long),
        (0, 0, 1, 936, 9),
        pytest.param(2, 0, 1, 8_496, 13, marks=pytest.mark.long),
        pytest.param(None, 0, 2, 41_096, 19, marks=pytest.mark.long),
    ],
)
def test_nothing_that_is_certain_is_undone_and_all_goes_on(
    monkeypatch: pytest.MonkeyPatch,
    liar: int | None,
    restarts: int,
    steps: int,
    states: int,
    depth: int,
) -> None:
    result = explored(monkeypatch, liar=liar, restarts=restarts, steps=steps)
    assert result.is_whole
    assert (result.states, result.depth) == (states, depth)
    assert bool(result.frozen) == (liar is not None)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "states", [1_000, pytest.param(250_000, marks=pytest.mark.long)], ids=["short", "long"]
)
@pytest.mark.parametrize(("liar", "restarts"), [(None, 1), (0, 0), (1, 0), (2, 0)])
def test_openings_wait_for_what_is_certain(
    monkeypatch: pytest.MonkeyPatch, liar: int | None, restarts: int, states: int
) -> None:
    result = explored(monkeypatch, "ALH", STRIKE, liar, restarts, steps=99, states=states)
    assert result.states > states


@pytest.mark.no_cover
@pytest.mark.parametrize("name", EXPLORED)
def test_a_planted_bug_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(EXPLORED[name], monkeypatch)

    def explored_twice() -> None:
        for liar in (None, 2):
            explored(monkeypatch, liar=liar)

    with pytest.raises(AssertionError):
        explored_twice()
