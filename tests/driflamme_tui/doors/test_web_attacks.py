"""Who means ill at the web door."""

import asyncio
from pathlib import Path

import pytest

from driflamme_tui.doors import web_door
from tests.driflamme_tui.doors.pretended import browser, pretended_door
from tests.driflamme_tui.doors.test_web_door import ended, enter, sit


def test_one_who_was_let_in_has_not_any_number_of_lines(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(web_door, "MOST_IDLE", 3)

    async def run() -> None:
        async with pretended_door(tmp_path) as door, browser(door) as page:
            await enter(page)
            silent = [await page.ws_connect("/terminal") for _ in range(6)]
            await ended(silent[0])

    asyncio.run(run())


@pytest.mark.parametrize(
    "said",
    [
        '["stdin", "\\ud800"]',
        '["stdin", "\\u0000"]',
        "[" * 60_000,
        '["resize", {"width": 1e400, "height": 24}]',
    ],
)
def test_what_no_terminal_says_ends_the_line(said: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with pretended_door(tmp_path) as door, browser(door) as page:
            await enter(page)
            line = await sit(page)
            await door.visitor()
            await line.send_str(said)
            if "0000" in said:
                await line.close()
            assert await ended(line) == 1000

    asyncio.run(run())
