"""Chooses the number of simulated evenings, and their seeds."""

from collections.abc import Sequence

import pytest

CHUNK = 7
"""Number of evenings in one test; a test takes about a second."""

LONG_CHUNK = 500

ALWAYS = (*range(12), 48, 54)
"""Seeds of evenings that always run. The last two show rare events."""

LONG_EVENINGS = 50_000
"""Default number of evenings of `-m long`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("simulation")
    group.addoption("--seed", type=int, help="only the evening of this seed")
    group.addoption("--seeds", type=int, default=LONG_EVENINGS, help="how many with -m long")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "chunk" in metafunc.fixturenames:
        metafunc.parametrize("chunk", _chunks(ALWAYS, CHUNK))
    if "long_chunk" in metafunc.fixturenames:
        seeds = range(metafunc.config.getoption("--seeds", LONG_EVENINGS))
        metafunc.parametrize("long_chunk", _chunks(seeds, LONG_CHUNK))


def _chunks(seeds: Sequence[int], size: int) -> list[Sequence[int]]:
    return [seeds[first : first + size] for first in range(0, len(seeds), size)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    with_seed = config.getoption("--seed", None) is not None
    chosen: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        (chosen if (item.name == "test_the_seed") == with_seed else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = chosen
