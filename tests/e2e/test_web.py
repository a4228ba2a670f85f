"""A host's web door as it is run, and a browser in which a round is played by mouse and by keys."""

import asyncio

import pytest
from playwright.async_api import Page

from tests.driflamme_tui.doors.test_web_page import CHROMIUM, chromium, expect_text
from tests.support.programs import HERE, serving

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"There is no browser at {CHROMIUM} to try the page in."
    ),
]

WHERE = """(text) => {
    const screen = document.querySelector(".xterm-screen").getBoundingClientRect();
    for (let row = 0; row < terminal.rows; row++) {
        const at = terminal.buffer.active.getLine(row).translateToString().indexOf(text);
        if (at >= 0) return [
            screen.x + screen.width * (at + 0.5) / terminal.cols,
            screen.y + screen.height * (row + 0.5) / terminal.rows,
        ];
    }
    return null;
}"""


async def where(page: Page, text: str) -> tuple[float, float] | None:
    """Return where the terminal shows a text, if it does."""
    found = await page.evaluate(WHERE, text)
    return None if found is None else (found[0], found[1])


async def play_until(page: Page, text: str, *, by_mouse: bool) -> None:
    """Answer what is asked, until a text is shown."""
    async with asyncio.timeout(60):
        while await where(page, text) is None:
            hand = await where(page, "HAND")
            if by_mouse and hand is not None and await where(page, "which card?"):
                # The first card, three rows below; the second click confirms.
                await page.mouse.click(hand[0] + 20, hand[1] + 50)
            else:
                await page.keyboard.press("ArrowRight")
                await page.keyboard.press("Enter")
            await page.evaluate("new Promise((go) => setTimeout(go, 100))")


def test_a_round_is_played_in_a_browser_with_a_reload_in_the_middle() -> None:
    async def play(link: str) -> None:
        async with chromium() as browser:
            page = await browser.new_page(viewport={"width": 1280, "height": 800})
            await page.goto(link)
            await page.get_by_label("Your name").fill("Rosalind")
            await page.keyboard.press("Enter")
            await expect_text(page, "Rosalind")
            await page.keyboard.press("s")
            await expect_text(page, "Round 1/6")
            # The hand has a card less once one was placed, and another in the round after.
            await play_until(page, "HAND 6", by_mouse=True)
            await page.reload()
            await expect_text(page, "HAND 6")
            await play_until(page, "HAND 5", by_mouse=False)

    options = "--web", "0", "--bots", "2:random", "--pace", "0"
    with serving("host", "--headless", *HERE, *options) as host:
        asyncio.run(play(host.found(r"(http://127\.0\.0\.1:\d+/#\S+)")))
