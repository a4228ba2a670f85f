"""How many evenings there are to be, and which."""

import pytest

pytest.register_assert_rewrite(
    "tests.netcode.simulation.person", "tests.netcode.simulation.witness"
)

CHUNK = 25
"""Evenings in one test: some two seconds."""

EVENINGS = 150
"""Evenings that are always simulated, in which every planted bug is found."""

LONG_EVENINGS = 50_000
"""Evenings that `-m long` adds, unless it is told how many."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("simulation")
    group.addoption("--seed", type=int, help="only the evening of this seed")
    group.addoption("--seeds", type=int, default=LONG_EVENINGS, help="how many with -m long")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "chunk" in metafunc.fixturenames:
        metafunc.parametrize("chunk", _chunks(0, EVENINGS))
    if "long_chunk" in metafunc.fixturenames:
        end = EVENINGS + metafunc.config.getoption("--seeds", LONG_EVENINGS)
        metafunc.parametrize("long_chunk", _chunks(EVENINGS, end))


def _chunks(begin: int, end: int) -> list[range]:
    return [range(first, min(first + CHUNK, end)) for first in range(begin, end, CHUNK)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seed = config.getoption("--seed", None)
    chosen = [item for item in items if (seed is None) != (item.name == "test_the_seed")]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen
