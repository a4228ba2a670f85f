"""One process that starts apps, for all tests of doors: starting it takes half a second."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from driflamme_tui.wings.doors import visitors as visitors_of
from driflamme_tui.wings.doors.visitors import TABLE_VISITORS, Visitors
from netcode.child_process import program_command
from tests.wings.doors import hurried

PATIENCE_S = 30

SECRET_OF_THE_HOST = "the secret of the host"
"""A secret in the environment of the program that starts `visitor_spawner`."""

Visit: TypeAlias = Callable[[Callable[[Visitors], Awaitable[None]]], None]
"""Runs a test with visitors, and ends them afterwards."""


@pytest.fixture(scope="package")
def starter() -> Iterator[tuple[asyncio.Runner, Visitors]]:
    async def start() -> Visitors:
        # Each test sets its own folders and table.
        return Visitors(Path(), Path(), TABLE_VISITORS)

    with pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        # Make the tests independent of the machine's environment.
        patch.setenv("NO_COLOR", "1")
        patch.setenv("LANGUAGE", "pl")
        patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET_OF_THE_HOST)
        # With low priority, apps would make the tests wait on a busy machine.
        patch.setattr(
            visitors_of,
            "program_command",
            lambda _module, *more: program_command(hurried.__name__, *more),
        )
        visitors = runner.run(start())
        yield runner, visitors
        runner.run(visitors.close())


@pytest.fixture
def visit(starter: tuple[asyncio.Runner, Visitors]) -> Visit:
    runner, visitors = starter

    def visit(test: Callable[[Visitors], Awaitable[None]]) -> None:
        async def run() -> None:
            try:
                await test(visitors)
            finally:
                there = list(visitors._present.values())
                for each in there:
                    each.hang_up()
                async with asyncio.timeout(PATIENCE_S):
                    await asyncio.gather(*(each.ended for each in there))

        runner.run(run())

    return visit
