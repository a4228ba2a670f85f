"""The arena on a Ray cluster: a real one, which is started here and seen by this machine only."""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.arena import ray_cluster
from engine.arena.contest import Contest
from engine.arena.pool import WorkerError
from engine.arena.ray_cluster import LOOPBACK, SMALLEST_STORE, NoRayError, play_on_ray
from tests.driflamme_tui.cli.test_commands import driflamme
from tests.engine.arena.failing import FAILING

ARENA = ("arena", "--bots", "random,steady", "--games", "10", "--players", "mixed", "--json")


@pytest.fixture
def ray_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Ray take the address of loopback for that of this machine."""
    ray = pytest.importorskip("ray", reason="Ray has no wheels for this Python or system")
    monkeypatch.setattr(ray.util, "get_node_ip_address", lambda: LOOPBACK)


@pytest.fixture
def address(ray_here: None, tmp_path: Path) -> Iterator[str]:
    """Give the address of a cluster of two workers."""
    from ray._private import ray_constants
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        # That nothing is to be told Ray would tell its makers, and ask clouds whether this is one.
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_USAGE_STATS_REPORT_URL", f"http://{LOOPBACK}:9/")
        (tmp_path / "ray_bootstrap_config.yaml").write_text("provider: {type: local}\n")
        patch.setenv("HOME", str(tmp_path))
        # Otherwise Ray takes no loopback address, and the network could have it run anything.
        patch.setattr(ray_constants, "ENABLE_RAY_CLUSTER", False)
        options = {"num_cpus": 2, "include_dashboard": False, "node_ip_address": LOOPBACK}
        cluster = Cluster(
            initialize_head=True,
            head_node_args=options | {"object_store_memory": SMALLEST_STORE},
        )
        try:
            yield cluster.address
        finally:
            cluster.shutdown()  # type: ignore[no-untyped-call]


class OneMachine:
    """What a contest asks of Ray, done at once and in this process."""

    def remote(self, function: Callable[..., object]) -> Any:
        """Return what calls a function when it is asked to by its own `remote`."""

        class Remote:
            remote = staticmethod(function)

        return Remote

    def wait(self, running: list[object]) -> tuple[list[object], list[object]]:
        """Return one of those that have ended, the last begun first, and the others."""
        return running[-1:], running[:-1]

    def get(self, done: object) -> object:
        return done

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}


def test_deals_are_handed_out_and_bots_that_fail_are_told_of() -> None:
    def played(results: Iterable[object]) -> list[str]:
        return sorted(map(repr, results))

    there = Contest(("random", "steady"), games=20).missing()
    assert played(ray_cluster._play(OneMachine(), there)) == played(each.play() for each in there)
    failing = Contest(("random", FAILING), games=8).missing()
    with pytest.raises(WorkerError, match=r"failed in game .* \(ValueError: {oh no}\)"):
        list(ray_cluster._play(OneMachine(), failing))


@pytest.mark.long
def test_a_cluster_gives_the_same_bytes_as_this_machine_and_tells_of_bots_that_fail(
    address: str, tmp_path: Path
) -> None:
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    alone = driflamme(*ARENA, str(here), "--workers", "1")
    done = driflamme(*ARENA, str(there), "--ray", address)
    assert (done.exit_code, done.stdout, done.stderr) == (0, alone.stdout, "")
    assert there.read_bytes() == here.read_bytes()
    contest = Contest(("random", FAILING), games=8)
    with pytest.raises(WorkerError, match=r"failed in game .* \(ValueError: {oh no}\)"):
        list(play_on_ray(contest.missing(), address, workers=1))


def test_a_machine_with_another_version_is_told_of() -> None:
    game = Contest(("random", "steady"), games=4).missing()[0]
    answer = ray_cluster._attempt_as_here(game, "another")
    assert answer == ("A machine of the cluster has another version of Driflamme.", {})


@pytest.mark.usefixtures("ray_here")
def test_where_no_cluster_is_that_is_said_at_once() -> None:
    result = driflamme(*ARENA, "-", "--ray", "127.0.0.1:1")
    assert result.exit_code == 1
    assert result.stderr == "driflamme: No Ray cluster answers at 127.0.0.1:1.\n"


def test_without_ray_the_command_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(NoRayError):
        next(play_on_ray((), "local", 1))
    result = driflamme(*ARENA, "-", "--ray", "local")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "pip install '.[ray]'" in result.stderr
