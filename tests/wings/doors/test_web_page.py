"""Tests the page of the web door in a real headless browser, with pretended visitors."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from playwright.async_api import (
    Browser,
    ConsoleMessage,
    Page,
    ViewportSize,
    async_playwright,
    expect,
)

from tests.wings.doors.pretended import (
    CODE,
    TOKEN,
    PretendedDoor,
    PretendedVisitor,
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
    """Yield the machine's browser, which can resolve only loopback."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
        )
        try:
            yield browser
        finally:
            await browser.close()


def complaints_of(page: Page) -> list[str]:
    """Return a list to which the errors of a page are added."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))

    def record(message: ConsoleMessage) -> None:
        # A refusal by the door, such as of a wrong code, is no complaint.
        if message.type == "error" and "Failed to load resource" not in message.text:
            found.append(message.text)

    page.on("console", record)
    return found


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

ANSWERED_THRICE = """async () => {
    const mine = socket;
    for (let times = 0; times < 3; times += 1)
        await new Promise((done) => mine.addEventListener("message", done, { once: true }));
    if (mine !== socket) throw new Error("another connection");
}"""
"""Waits until the host has sent three signs of life on one connection."""

EVERYWHERE = """() => [location.href, document.documentElement.outerHTML,
    JSON.stringify(sessionStorage), JSON.stringify(localStorage)].join(" ")"""

SHOWN = """async (text) => {
    const row = (at) => terminal.buffer.active.getLine(at)?.translateToString() ?? "";
    const shown = () => [...Array(terminal.rows).keys()].some((at) => row(at).includes(text));
    while (!terminal || !shown()) await new Promise(requestAnimationFrame);
}"""


async def visit_at_a_desk(browser: Browser, door: PretendedDoor) -> None:
    """Log in, type, click, reload, and open a second page."""
    context = await browser.new_context(
        viewport={"width": 1000, "height": 640},
        permissions=["clipboard-read", "clipboard-write"],
    )
    page = await context.new_page()
    questions: list[str] = []
    page.on("request", lambda request: questions.append(request.url))
    errors = complaints_of(page)

    await page.goto(door.origin)
    await page.get_by_label("Your name").fill("Rosalind")
    await page.get_by_label("code").fill("K7Q-F2MXX")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("No table here has this code")
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
    await visitor.answer_to("\x1b[Cé?")
    screen = await page.locator(".xterm-screen").bounding_box()
    assert screen is not None
    await page.mouse.click(
        screen["x"] + screen["width"] * 20.5 / columns,
        screen["y"] + screen["height"] * 10.5 / rows,
    )
    await visitor.answer_to("\x1b[<0;21;11M")
    await visitor.answer_to("\x1b[<0;21;11m")

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
    # A lost connection returns by itself.
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
    await visitor.answer_to("z")
    assert "\x1b]52" not in visitor.typed, "nobody reads what was copied elsewhere"

    visitor.written.put_nowait(b"\x1b[?1049lThe host has closed the table.")
    visitor.hang_up()
    note = page.locator("section:visible")
    await expect(note).to_contain_text("The host has closed the table.")
    await expect(note.get_by_role("button")).to_be_focused()
    await page.get_by_role("button", name="Rejoin").click()
    await door.visitor(1)
    assert errors == []
    assert all(url.startswith((door.origin, "data:")) for url in questions)


async def visit_by_phone(browser: Browser, door: PretendedDoor) -> None:
    """Log in by a link, tap, and turn the phone."""
    context = await browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, ignore_https_errors=True
    )
    page = await context.new_page()
    errors = complaints_of(page)
    await page.goto(f"{door.origin}/#{TOKEN}")
    await expect(page.get_by_label("code")).to_be_hidden()
    # A reload keeps no secret of the link in the address.
    assert page.url == f"{door.origin}/"
    await page.reload()
    await expect(page.get_by_label("code")).to_be_hidden()
    await page.get_by_label("Your name").fill("Rosalind")
    await page.get_by_role("button", name="Sit down").tap()
    visitor = await door.visitor()
    visitor.written.put_nowait(SCREEN)
    await expect_text(page, "CARDS")
    assert TOKEN not in await page.evaluate(EVERYWHERE)
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
    await visitor.answer_to("\x1b[<0;21;11M")
    await visitor.answer_to("\x1b[<0;21;11m")
    await page.evaluate(SWIPE)
    await visitor.answer_to("\x1b[<65;")
    # A tap shows no keyboard; a key of the page does.
    assert await page.evaluate("document.activeElement.inputMode") == "none"
    await page.get_by_role("button", name="Keyboard").tap()
    assert await page.evaluate("document.activeElement.inputMode") == "text"
    for key, typed in (("→", "\x1b[C"), ("Enter", "\r"), ("Esc", "\x1b"), ("?", "?")):
        visitor.typed = ""
        await page.get_by_role("button", name=key, exact=True).tap()
        await visitor.answer_to(typed)

    await page.set_viewport_size({"width": 640, "height": 360})
    await visitor.until(lambda: visitor.sizes[-1] != (columns, rows))
    assert visitor.sizes[-1][1] >= 20
    await expect(page.get_by_text("turn the phone")).to_be_hidden()
    await page.set_viewport_size({"width": 640, "height": 120})
    await expect(page.get_by_text("turn the phone")).to_be_visible()
    assert errors == []


async def visit_by_ear(browser: Browser, door: PretendedDoor) -> None:
    """Open the page of lines, read the output, and answer."""
    page = await browser.new_page()
    errors = complaints_of(page)
    await page.goto(f"{door.origin}/#{TOKEN}")
    await expect(page.get_by_label("Your name")).to_be_focused()
    await page.get_by_role("link", name="screen readers").focus()
    await page.keyboard.press("Enter")
    await page.get_by_label("Your name").fill("Rosalind")
    await page.keyboard.press("Enter")
    visitor = await door.visitor()
    assert TOKEN not in page.url
    assert (visitor.lines, visitor.sizes) == (True, [(500, 24)])
    for piece in ("Round 1 of 6\r\nPos", "ition é: 1\r\n"):
        visitor.written.put_nowait(piece.encode())
    log = page.get_by_role("log", name="What happens")
    await expect(log.get_by_text("Position é: 1", exact=True)).to_be_visible()
    await expect(page.get_by_label("Your answer")).to_be_focused()
    await page.keyboard.type("?A")
    await page.keyboard.press("Enter")
    await visitor.answer_to("?A\n")
    await expect(page.get_by_label("Your answer")).to_have_value("")
    visitor.hang_up()
    await page.get_by_role("button", name="Rejoin").click()
    await door.visitor(1)
    assert errors == []


async def test_one_plays_at_a_desk_and_by_phone(tmp_path: Path) -> None:
    async with (
        pretended_door(tmp_path) as door,
        pretended_door(tmp_path, encrypted=True) as encrypted,
        chromium() as browser,
        asyncio.TaskGroup() as both,
    ):
        both.create_task(visit_at_a_desk(browser, door))
        both.create_task(visit_by_phone(browser, encrypted))


async def sit_down(page: Page, door: PretendedDoor, origin: str) -> PretendedVisitor:
    await page.goto(f"{origin}/#{TOKEN}")
    await page.get_by_label("Your name").fill("Rosalind")
    await page.keyboard.press("Enter")
    visitor = await door.visitor()
    visitor.written.put_nowait(SCREEN)
    await expect_text(page, "CARDS")
    return visitor


async def test_a_selection_is_copied_and_a_text_pasted_by_the_usual_keys(tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, chromium() as browser:
        context = await browser.new_context(permissions=["clipboard-read", "clipboard-write"])
        page = await context.new_page()
        visitor = await sit_down(page, door, door.origin)
        for keys in ("Control+c", "Control+Shift+C"):
            await page.evaluate("navigator.clipboard.writeText('before')")
            await page.evaluate("terminal.select(0, 0, 5)")
            await page.keyboard.press(keys)
            await page.evaluate(COPIED, "CARDS")
            assert not await page.evaluate("terminal.hasSelection()")
        for keys in ("Control+v", "Control+Shift+V", "Shift+Insert"):
            visitor.typed = ""
            await page.evaluate("navigator.clipboard.writeText('K7Q é')")
            await page.keyboard.press(keys)
            await visitor.answer_to("\x1b[200~K7Q é\x1b[201~")
            assert "\x16" not in visitor.typed
        assert "\x03" not in visitor.typed
        # Without a selection, the table gets the key.
        await page.keyboard.press("Control+c")
        await visitor.answer_to("\x03")


class HoldingProxy:
    """Forwards bytes between browsers and a door; while `holds` is set, drops them."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.holds = False
        self._pipes: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        gate = asyncio.Event()
        for source, target in ((reader, far_writer), (far_reader, writer)):
            pipe = asyncio.create_task(self._forward(source, target, gate))
            self._pipes.add(pipe)

    async def _forward(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, gate: asyncio.Event
    ) -> None:
        with suppress(ConnectionError):
            while data := await source.read(1 << 16):
                if self.holds or gate.is_set():
                    # A connection that has dropped bytes forwards no more.
                    gate.set()
                    continue
                target.write(data)
            if not gate.is_set():
                target.close()

    def close(self) -> None:
        for pipe in self._pipes:
            pipe.cancel()


@asynccontextmanager
async def holding_proxy(door: PretendedDoor) -> AsyncIterator[tuple[HoldingProxy, str]]:
    """Yield a proxy before a door, and its origin for browsers."""
    proxy = HoldingProxy(int(door.origin.rpartition(":")[2]))
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    door.door.add_origin(origin)
    try:
        yield proxy, origin
    finally:
        server.close()
        proxy.close()


@pytest.mark.parametrize("path", ["/", "/text"])
async def test_a_page_notices_a_dead_connection_that_nobody_closes_and_comes_back(
    path: str, tmp_path: Path
) -> None:
    async with (
        pretended_door(tmp_path) as door,
        holding_proxy(door) as (proxy, origin),
        chromium() as browser,
    ):
        page = await browser.new_page()
        await page.goto(f"{origin}{path}#{TOKEN}")
        await page.get_by_label("Your name").fill("Rosalind")
        await page.keyboard.press("Enter")
        visitor = await door.visitor()
        await page.evaluate("Object.assign(LIFE_MS, { silence: 100, answer: 2000 })")
        # A silent host that answers pings is there, so the page stays.
        await page.evaluate(ANSWERED_THRICE)
        assert len(visitor.sizes) == 1
        await expect(page.get_by_text("The connection is lost")).to_be_hidden()
        proxy.holds = True
        await expect(page.get_by_text("The connection is lost")).to_be_visible()
        proxy.holds = False
        if path == "/":
            await visitor.until(lambda: len(visitor.sizes) == 2)
        else:
            visitor = await door.visitor(1)
        visitor.written.put_nowait(b"AGAIN\r\n")
        await expect(page.get_by_text("The connection is lost")).to_be_hidden()
        await page.keyboard.type("z")
        await page.keyboard.press("Enter")
        await visitor.answer_to("z")


async def test_one_plays_by_ear(tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, chromium() as browser:
        await visit_by_ear(browser, door)
