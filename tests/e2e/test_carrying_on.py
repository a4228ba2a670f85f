"""Processes on loopback addresses, and the one that hosts killed in the middle of a game."""

from functools import partial
from itertools import accumulate, chain
from pathlib import Path
from random import Random

import pytest

from netcode.sealed.proof_file import verified
from tests.e2e.carrying_company import Company, Player


def test_those_who_are_left_play_on_once_their_host_is_killed(tmp_path: Path) -> None:
    with Company(tmp_path, 3) as company:
        killed = company.host
        before = {tip for player in company.players for tip in player.tips}
        company.kill_host()
        assert company.host is not killed
        company.until(lambda: all(before < {*player.tips} for player in company.alive))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_a_game_ends_although_its_hosts_are_killed_and_no_step_is_lost(
    seed: int, tmp_path: Path
) -> None:
    """Three play and one is killed, or five and two; in every other game they come back."""
    rng = Random(seed)
    players, kills = (3, 1) if seed % 3 == 2 else (5, 2)
    with Company(tmp_path, players) as company:
        for step in accumulate(rng.randrange(1, 20) for _ in range(kills)):
            company.until(partial(has_come_to, company.alive[-1], step))
            killed = company.host
            company.kill_host()
            if seed % 2:
                company.players.insert(0, company.start(killed.name, "resume"))
        company.until(lambda: all(map(is_over, company.alive)))
        ends = [player.tips for player in company.alive]
        assert all(end == ends[0] for end in ends)
        assert len(set(ends[0])) == len(ends[0])
        for player in company.players:
            for n, tip in locked(player):
                assert ends[0][n] == tip, f"{player.name} saw step {n + 1} as final"
        company.until(lambda: all(player.last("record") for player in company.alive))
        for player in company.alive:
            log = verified(player.last("record")["line"])
            assert [entry.tip.hex()[:16] for entry in log.entries] == ends[0]


def has_come_to(player: Player, step: int) -> bool:
    return len(player.tips) >= step


def is_over(player: Player) -> bool:
    return bool(player.last("log").get("over"))


def locked(player: Player) -> set[tuple[int, str]]:
    """Return the steps that somebody ever knew were sure to stay."""
    told = (each for each in player.told if each["what"] == "log")
    return set(chain.from_iterable(enumerate(each["tips"][: each["locked"]]) for each in told))
