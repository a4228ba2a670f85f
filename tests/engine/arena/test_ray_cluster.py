"""Tests the arena on a real Ray cluster, which only this machine can reach."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.arena import pool
from engine.arena.contest import BotFailedError, Contest, DealResult
from engine.arena.pool import LOOPBACK, SMALLEST_STORE, NoRayError, WorkerError, play_all
from tests.driflamme_tui.cli.test_commands import driflamme
from tests.engine.arena.failing import FAILING

ARENA = ("arena", "--bots", "random,steady", "--games", "10", "--players", "mixed", "--json")


@pytest.fixture
def ray_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ray use the loopback address."""
    ray = pytest.importorskip("ray", reason="Ray has no wheels for this Python or system")
    monkeypatch.setattr(ray.util, "get_node_ip_address", lambda: LOOPBACK)


@pytest.fixture
def address(ray_here: None, tmp_path: Path) -> Iterator[str]:
    """Start a Ray cluster with two workers; yield its address."""
    from ray._private import ray_constants
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        # By default, Ray sends statistics to its makers, and asks clouds about this machine.
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_USAGE_STATS_REPORT_URL", f"http://{LOOPBACK}:9/")
        (tmp_path / "ray_bootstrap_config.yaml").write_text("provider: {type: local}\n")
        patch.setenv("HOME", str(tmp_path))
        # By default, Ray refuses a loopback address, and would run code for the whole network.
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
    """A replacement for Ray that runs everything immediately in this process."""

    util = SimpleNamespace(get_node_ip_address=lambda: LOOPBACK)

    class exceptions:  # noqa: N801 - a module
        class RayError(Exception):
            pass

        class RayTaskError(RayError):
            cause: Exception

    def init(self, **_options: object) -> None:
        pass

    def shutdown(self) -> None:
        pass

    def remote(self, function: Callable[..., object]) -> object:
        """Return an object whose `remote` calls a function immediately."""

        def do(*given: object) -> object:
            done: Future[object] = Future()
            try:
                done.set_result(function(*given))
            except Exception as error:
                failed = self.exceptions.RayTaskError()
                failed.cause = error
                done.set_exception(failed)
            return SimpleNamespace(future=lambda: done)

        return SimpleNamespace(remote=do)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}


def tasks(contest: Contest) -> list[Callable[[], DealResult]]:
    return [job.play for job in contest.missing()]


def test_deals_are_handed_out_and_bots_that_fail_are_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ray", OneMachine())
    there = tasks(Contest(("random", "steady"), games=20))
    found = play_all(there, 1, "local")
    assert sorted(map(repr, found)) == sorted(repr(task()) for task in there)
    with pytest.raises(BotFailedError, match=r"failed in game .* \(ValueError: {oh no}\)"):
        list(play_all(tasks(Contest(("random", FAILING), games=8)), 1, "local"))


@pytest.mark.long
def test_a_cluster_gives_the_same_bytes_as_this_machine_and_tells_of_bots_that_fail(
    address: str, tmp_path: Path
) -> None:
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    alone = driflamme(*ARENA, str(here), "--workers", "1")
    done = driflamme(*ARENA, str(there), "--ray", address)
    assert (done.exit_code, done.stdout, done.stderr) == (0, alone.stdout, "")
    assert there.read_bytes() == here.read_bytes()
    with pytest.raises(BotFailedError, match=r"failed in game .* \(ValueError: {oh no}\)"):
        list(play_all(tasks(Contest(("random", FAILING), games=8)), 1, address))


def test_a_machine_with_another_version_is_told_of() -> None:
    [task, *_] = tasks(Contest(("random", "steady"), games=4))
    with pytest.raises(WorkerError, match="has another version"):
        pool._do_as_here(task, "another")


@pytest.mark.usefixtures("ray_here")
def test_where_no_cluster_is_that_is_said_at_once() -> None:
    result = driflamme(*ARENA, "-", "--ray", "127.0.0.1:1")
    assert result.exit_code == 1
    assert result.stderr == (
        "driflamme: No Ray cluster answers at 127.0.0.1:1: start it, or correct the address.\n"
    )


def test_without_ray_the_command_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(NoRayError):
        next(play_all((), 1, "local"))
    result = driflamme(*ARENA, "-", "--ray", "local")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "pip install '.[ray]'" in result.stderr
