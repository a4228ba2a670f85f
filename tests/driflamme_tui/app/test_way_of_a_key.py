"""Tests that a key or an opponent's action passes through the packages downwards only."""

import sys
import tomllib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from engine.views import project, view
from netcode.client.session import Session
from tests.support.tables import (
    Hands,
    SeatedApp,
    evening,
    evening_session,
    run_app,
    session_at_line,
    state,
)

ROOT = Path(__file__).parents[3]

FACE = "driflamme_tui"

Function = tuple[str, str]
"""A function: its file and its qualified name."""


def layers() -> dict[str, int]:
    """Return the layer of each package by the import contracts; 0 is the uppermost."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    rows: list[str] = next(
        each["layers"] for each in contracts["contracts"] if each.get("containers") == [FACE]
    )
    packages = [*rows, "netcode", "engine"]
    return {name.strip(): at for at, row in enumerate(packages) for name in row.split("|")}


def package(path: str) -> str:
    """Return the package of one of our files; for the user interface, the package within it."""
    first, second, *_others = Path(path).relative_to(ROOT).parts
    return second.removesuffix(".py") if first == FACE else first


def is_ours(path: str) -> bool:
    return path.startswith(tuple(f"{ROOT}/{name}/" for name in (FACE, "netcode", "engine")))


@contextmanager
def calls(edges: set[tuple[Function, Function]]) -> Iterator[None]:
    """Within the block, add each direct call between functions of this program to `edges`."""

    def note(frame: FrameType, event: str, _: object) -> None:
        caller = frame.f_back
        if event != "call" or caller is None:
            return
        one, other = (
            (each.f_code.co_filename, each.f_code.co_qualname) for each in (caller, frame)
        )
        if is_ours(one[0]) and is_ours(other[0]):
            edges.add((one, other))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)


async def a_key(app: SeatedApp, hands: Hands, edges: set[tuple[Function, Function]]) -> None:
    await hands.type("right right")
    with calls(edges):
        await hands.type("right")


async def an_action(app: SeatedApp, hands: Hands, edges: set[tuple[Function, Function]]) -> None:
    (_game, before), (game, events) = evening(41), evening(42)
    seat = game.seat_of("r")
    news = [project(event, seat) for event in events[len(before) :]]
    message = state(view(game, seat), 2, news, len(before))
    with calls(edges):
        await hands.receive(message)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("session", "act"),
    [
        (lambda: session_at_line("2 4 b* rS,bh1 *r3,b5,g2"), a_key),
        (lambda: evening_session(41, "r"), an_action),
    ],
    ids=["key", "action"],
)
def test_no_call_goes_back_to_an_earlier_package(
    session: Callable[[], Session], act: Callable[..., Awaitable[None]]
) -> None:
    edges: set[tuple[Function, Function]] = set()

    async def steps(app: SeatedApp, hands: Hands) -> None:
        await act(app, hands, edges)

    run_app(SeatedApp(session()), steps)
    functions = {function for edge in edges for function in edge}
    # Print the counts for readers. They have no limit, because separate parts may need more
    # functions.
    print(f"{len(functions)} functions in {len({path for path, _ in functions})} modules")
    order = layers()
    # A guard of `isolation.py` calls the function that its caller gives it, of any package.
    ways = {
        (package(one[0]), package(other[0]))
        for one, other in edges
        if not str(one[0]).endswith("isolation.py")
    }
    assert {"screens", "widgets", "drawing", "netcode"} <= {name for way in ways for name in way}
    # Leave out wings, which are above the core: a seam calls them.
    core = [way for way in ways if "wings" not in way]
    back = [(one, other) for one, other in core if order[other] < order[one]]
    assert back == []
