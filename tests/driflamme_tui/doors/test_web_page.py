"""The page of the web door in a real browser without a window; who visits is pretended."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, ViewportSize, async_playwright, expect

from tests.driflamme_tui.doors.pretended import (
    CODE,
    TOKEN,
    PretendedDoor,
    pretended_door,
)

CHROMIUM = Path("/usr/bin/chromium")

pytestmark = pytest.mark.skipif(
    not CHROMIUM.exists(), reason=f"There is no browser at {CHROMIUM} to try the page in."
)

expect.set_options(timeout=60_000)

SCREEN = b"\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1006h\x1b[?2004h\x1b[HCARDS"

PHONE: ViewportSize = {"width": 360, "height": 640}


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """The machine's browser, to which nothing but loopback has a name."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
        )
        try:
            yield browser
        finally:
            await browser.close()


async def expect_text(page: Page, text: str) -> None:
    """Wait until the terminal shows a text."""
    async with asyncio.timeout(60):
        await page.evaluate(SHOWN, text)


COPIED = """async (text) => {
    while (await navigator.clipboard.readText() !== text) await new Promise(requestAnimationFrame);
}"""

SWIPE = """() => {
    const target = document.querySelector(".xterm-screen");
    const touch = (type, clientY) => target.dispatchEvent(new TouchEvent(type, {
        bubbles: true, touches: [new Touch({ identifier: 1, target, clientX: 100, clientY })],
    }));
    touch("touchstart", 300);
    touch("touchmove", 260);
}"""

SHOWN = """async (text) => {
    const row = (at) => terminal.buffer.active.getLine(at)?.translateToString() ?? "";
    const shown = () => [...Array(terminal.rows).keys()].some((at) => row(at).includes(text));
    while (!terminal || !shown()) await new Promise(requestAnimationFrame);
}"""


async def visit_at_a_desk(browser: Browser, door: PretendedDoor) -> None:
    """Come in, type, click, reload, and have two pages."""
    context = await browser.new_context(
        viewport={"width": 1000, "height": 640},
        permissions=["clipboard-read", "clipboard-write"],
    )
    page = await context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    await page.goto(door.origin)
    await page.get_by_label("Your name").fill("Rosalind")
    await page.get_by_label("code").fill("K7Q-F2MXX")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("not the code")
    await page.get_by_label("code").fill(CODE)
    await page.get_by_role("button", name="Sit down").click()
    visitor = await door.visitor()
    visitor.written.put_nowait(SCREEN)
    await expect_text(page, "CARDS")
    columns, rows = visitor.sizes[-1]
    assert 90 < columns < 130
    assert 25 < rows < 50

    await page.keyboard.press("ArrowRight")
    await page.keyboard.type("é?")
    await visitor.hears("\x1b[Cé?")
    screen = await page.locator(".xterm-screen").bounding_box()
    assert screen is not None
    await page.mouse.click(
        screen["x"] + screen["width"] * 20.5 / columns,
        screen["y"] + screen["height"] * 10.5 / rows,
    )
    await visitor.hears("\x1b[<0;21;11M")
    await visitor.hears("\x1b[<0;21;11m")

    visitor.written.put_nowait(b"\x1b[22;2t\x1b]2;* your turn\x1b\\")
    await expect(page).to_have_title("* your turn")
    await page.reload()
    await expect(page).to_have_title("* your turn")
    assert visitor.sizes == [(columns, rows)] * 2
    visitor.written.put_nowait(b"\x1b[23;2tAGAIN")
    await expect(page).to_have_title("Driflamme")
    await expect_text(page, "AGAIN")

    visitor.written.put_nowait(b"\x1b]52;c;Y2Fmw6k=\x1b\\")
    await page.evaluate(COPIED, "café")
    visitor.written.put_nowait(b"\x1b]52;c;?\x1b\\")
    # A line that is lost comes back by itself.
    await page.evaluate("socket.close()")
    await visitor.until(lambda: len(visitor.sizes) == 3)

    other = await context.new_page()
    await other.goto(door.origin)
    await expect(page.get_by_text("another page")).to_be_visible()
    await page.get_by_role("button", name="Show it here").click()
    await expect(other.get_by_text("another page")).to_be_visible()
    await expect(page.get_by_text("another page")).to_be_hidden()
    await visitor.until(lambda: len(visitor.sizes) == 5)
    visitor.written.put_nowait(b"HERE")
    await expect_text(page, "HERE")
    await page.keyboard.type("z")
    await visitor.hears("z")
    assert "\x1b]52" not in visitor.typed, "nobody reads what was copied elsewhere"

    visitor.written.put_nowait(b"\x1b[?1049lThe host has closed the table.")
    visitor.hang_up()
    note = page.locator("section:visible")
    await expect(note).to_contain_text("The host has closed the table.")
    await expect(note.get_by_role("button")).to_be_focused()
    await page.get_by_role("button", name="Rejoin").click()
    await door.visitor(1)
    assert errors == []
    assert all(url.startswith((door.origin, "data:")) for url in asked)


async def visit_by_phone(browser: Browser, door: PretendedDoor) -> None:
    """Come in by a link, tap, and turn the phone."""
    context = await browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, ignore_https_errors=True
    )
    page = await context.new_page()
    await page.goto(f"{door.origin}/#{TOKEN}")
    await expect(page.get_by_label("code")).to_be_hidden()
    await page.get_by_label("Your name").fill("Rosalind")
    await page.get_by_role("button", name="Sit down").tap()
    visitor = await door.visitor()
    visitor.written.put_nowait(SCREEN)
    await expect_text(page, "CARDS")
    columns, rows = visitor.sizes[-1]
    assert columns >= 60
    assert rows >= 20
    screen = await page.locator(".xterm-screen").bounding_box()
    assert screen is not None
    assert screen["width"] <= PHONE["width"]
    assert await page.evaluate("document.scrollingElement.scrollHeight") == PHONE["height"]

    await page.touchscreen.tap(
        screen["x"] + screen["width"] * 20.5 / columns,
        screen["y"] + screen["height"] * 10.5 / rows,
    )
    await visitor.hears("\x1b[<0;21;11M")
    await visitor.hears("\x1b[<0;21;11m")
    await page.evaluate(SWIPE)
    await visitor.hears("\x1b[<65;")
    # A tap brings up no keyboard; a key of the page does.
    assert await page.evaluate("document.activeElement.inputMode") == "none"
    await page.get_by_role("button", name="Keyboard").tap()
    assert await page.evaluate("document.activeElement.inputMode") == "text"
    for key, typed in (("→", "\x1b[C"), ("Enter", "\r"), ("Esc", "\x1b"), ("?", "?")):
        visitor.typed = ""
        await page.get_by_role("button", name=key, exact=True).tap()
        await visitor.hears(typed)

    await page.set_viewport_size({"width": 640, "height": 360})
    await visitor.until(lambda: visitor.sizes[-1] != (columns, rows))
    assert visitor.sizes[-1][1] >= 20
    await expect(page.get_by_text("turn the phone")).to_be_hidden()
    await page.set_viewport_size({"width": 640, "height": 120})
    await expect(page.get_by_text("turn the phone")).to_be_visible()


async def visit_by_ear(browser: Browser, door: PretendedDoor) -> None:
    """Go to the page of lines, hear what is told, and answer."""
    page = await browser.new_page()
    await page.goto(f"{door.origin}/#{TOKEN}")
    await expect(page.get_by_label("Your name")).to_be_focused()
    await page.get_by_role("link", name="screen readers").focus()
    await page.keyboard.press("Enter")
    await page.get_by_label("Your name").fill("Rosalind")
    await page.keyboard.press("Enter")
    visitor = await door.visitor()
    assert (visitor.lines, visitor.sizes) == (True, [(500, 24)])
    for piece in ("Round 1 of 6\r\nPos", "ition é: 1\r\n"):
        visitor.written.put_nowait(piece.encode())
    log = page.get_by_role("log", name="What happens")
    await expect(log.get_by_text("Position é: 1", exact=True)).to_be_visible()
    await expect(page.get_by_label("Your answer")).to_be_focused()
    await page.keyboard.type("?A")
    await page.keyboard.press("Enter")
    await visitor.hears("?A\n")
    await expect(page.get_by_label("Your answer")).to_have_value("")
    visitor.hang_up()
    await page.get_by_role("button", name="Rejoin").click()
    await door.visitor(1)


def test_one_plays_at_a_desk_and_by_phone(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            pretended_door(tmp_path) as door,
            pretended_door(tmp_path, encrypted=True) as encrypted,
            chromium() as browser,
            asyncio.TaskGroup() as both,
        ):
            both.create_task(visit_at_a_desk(browser, door))
            both.create_task(visit_by_phone(browser, encrypted))


async def test_one_plays_by_ear(tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, chromium() as browser:
        await visit_by_ear(browser, door)
