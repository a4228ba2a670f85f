"""Tests the web door's server: admission, browsers' rights, and the owner of a screen."""

import asyncio
import re
from hashlib import sha256
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSServerHandshakeError

from driflamme_tui.hosting.host_plans import LOOPBACK
from driflamme_tui.wings import doors
from driflamme_tui.wings.doors import web_door
from driflamme_tui.wings.doors.door_codes import DoorCodes
from driflamme_tui.wings.doors.open_doors import Doors, Order
from driflamme_tui.wings.doors.visitors import RefusedError
from driflamme_tui.wings.doors.web_door import (
    ELSEWHERE,
    FILES,
    LEFT,
    REFUSED,
    TEXTS,
    UNKNOWN,
    TerminalSettings,
    open_web_door,
    origins_of,
)
from tests.wings.doors.pretended import (
    CODE,
    TOKEN,
    PretendedVisitors,
    browser,
    pretended_door,
)

TERMINAL, LINES = "/terminal?name=Rosalind", "/lines?name=Rosalind"

SIZE = ["resize", {"width": 80, "height": 24}]


async def enter(page: ClientSession, code: str = CODE, name: str = "Rosalind") -> str:
    async with page.post("/enter", json={"name": name, "code": code}) as answer:
        why = await answer.text()
        assert answer.status == (403 if why else 204)
        return why


async def sit(page: ClientSession) -> ClientWebSocketResponse:
    line = await page.ws_connect(TERMINAL)
    await line.send_json(SIZE)
    return line


async def ended(line: ClientWebSocketResponse) -> int | None:
    async with asyncio.timeout(10):
        while not line.closed:
            await line.receive()
    return line.close_code


async def test_the_page_and_its_files_say_what_a_browser_may_do(tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, browser(door) as page:
        for path in ("/", *FILES):
            async with page.get(path) as answer:
                assert answer.status == 200, path
                rules = dict(
                    rule.split(" ", 1)
                    for rule in answer.headers["Content-Security-Policy"].split("; ")
                )
                assert rules["default-src"] == rules["frame-ancestors"] == "'none'"
                assert rules["script-src"] == rules["style-src"] == "'self'"
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                again = {"If-None-Match": answer.headers["ETag"]}
            async with page.get(path, headers=again) as answer:
                assert answer.status == 304, path
        for path in ("/enter", "/driflamme", "/page/../web_door.py"):
            async with page.get(path) as answer:
                assert answer.status == 404, path
                assert answer.headers["X-Frame-Options"] == "DENY"


async def test_the_page_is_in_the_browsers_language_and_has_nothing_inline(tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, browser(door) as page:
        for named, language in (
            ("pl", "pl"),
            ("fr-CA,en;q=0.5", "fr"),
            ("de, fr;q=0.8", "fr"),
            ("de", "en"),
            ("", "en"),
        ):
            async with page.get("/", headers={"Accept-Language": named}) as answer:
                text = await answer.text()
            assert f'lang="{language}"' in text
            assert (TEXTS["name"] in text) == (language == "en")
            assert not re.search(r"<script(?! src)|<style|\son\w+=|style=|https?:|\$", text)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://table.example"}, 403),
        ({"Host": "table.example", "Origin": "http://table.example"}, 403),
        ({"Host": "table.example", "Origin": "https://table.example"}, 101),
    ],
)
def test_only_the_page_itself_gets_a_line(
    headers: dict[str, str], status: int, tmp_path: Path
) -> None:
    async def run() -> int:
        async with pretended_door(tmp_path) as door, browser(door) as page:
            async with page.post("/enter", json={}, headers=headers) as answer:
                assert answer.status == (200 if status == 101 else status)
            try:
                await page.ws_connect(TERMINAL, headers=headers)
            except WSServerHandshakeError as error:
                return error.status
            return 101

    assert asyncio.run(run()) == status


async def test_who_sends_no_origin_gets_no_line(tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, ClientSession(door.origin) as program:
        with pytest.raises(WSServerHandshakeError):
            await program.ws_connect(TERMINAL)


async def test_a_name_and_the_code_let_in_and_the_cookie_says_who_comes_back(
    tmp_path: Path,
) -> None:
    async with pretended_door(tmp_path) as door, browser(door) as page:
        async with page.post("/enter", json={}) as answer:
            assert (answer.status, await answer.text() != "") == (200, True)
        assert "No table here has this code" in await enter(page, "K7Q-F2MXX")
        assert "single spaces" in await enter(page, name=" Rosalind")
        assert "at most 20" in await enter(page, name="R" * 21)
        assert not list(page.cookie_jar)
        assert await ended(await sit(page)) == UNKNOWN
        wish = {"name": "Rosalind", "code": CODE}
        async with page.post("/enter", json=wish, headers={"Accept-Language": "fr"}) as answer:
            assert answer.status == 204
            said = answer.headers["Set-Cookie"]
        assert "HttpOnly" in said
        assert "SameSite=Strict" in said
        assert "Secure" not in said
        page.headers["Accept-Language"] = "fr"
        line = await sit(page)
        await line.send_json(["stdin", "?é"])
        visitor = await door.visitor()
        await visitor.answer_to("?é")
        assert visitor.lang == "fr.UTF-8"
        [guest] = door.visitors.guests
        assert (guest.name, guest.secret) == ("Rosalind", b"s" * 12)
        assert re.fullmatch("web-[0-9a-f]{64}", guest.identity)
        [cookie] = page.cookie_jar
        assert cookie.value not in guest.identity
        assert guest.network == "127.0.0.1"


async def test_the_link_lets_in_and_who_was_let_in_comes_back_to_a_door_that_was_opened_again(
    tmp_path: Path,
) -> None:
    async with pretended_door(tmp_path) as door, browser(door) as page:
        assert "No table here has this code" in await enter(page, TOKEN[:-2] + "AA")
        assert await enter(page, TOKEN) == ""
        [cookie] = page.cookie_jar
    async with pretended_door(tmp_path) as door, browser(door) as page:
        cookies = {cookie.key: cookie.value}
        for name, renewed, status in (
            ("", False, 200),
            ("Rosalind", True, 200),
            ("Rosalind", False, 204),
        ):
            if renewed:
                door.renew(b"n" * 12)
            wish = {"name": name, "code": ""}
            async with page.post("/enter", json=wish, cookies=cookies) as answer:
                assert answer.status == status
            door.renew(b"s" * 12)


async def test_under_tls_the_cookie_is_for_tls_and_a_proxy_says_whose_a_connection_is(
    tmp_path: Path,
) -> None:
    async with pretended_door(tmp_path, proxied=True) as door, browser(door) as page:
        headers = {
            "Host": "table.example",
            "Origin": "https://table.example",
            "X-Forwarded-For": "198.51.100.9, 192.0.2.7",
        }
        wish = {"name": "Rosalind", "code": CODE}
        async with page.post("/enter", json=wish, headers=headers) as answer:
            assert "Secure" in answer.headers["Set-Cookie"]
            headers["Cookie"] = answer.headers["Set-Cookie"].partition(";")[0]
        line = await page.ws_connect(TERMINAL, headers=headers)
        await line.send_json(SIZE)
        await door.visitor()
        assert [each.network for each in door.visitors.guests] == ["192.0.2.7"]


async def test_a_reload_has_the_same_screen_and_another_page_takes_it(tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, browser(door) as page:
        await enter(page)
        first = await sit(page)
        visitor = await door.visitor()
        visitor.written.put_nowait(b"\x1b[?1049h\x1b[?1000;1006hcards")
        assert (await first.receive()).data.endswith(b"cards")
        await first.close()
        second = await page.ws_connect(TERMINAL)
        await second.send_json(["resize", {"width": 100, "height": 30}])
        async with asyncio.timeout(10):
            again = await second.receive()
        assert again.data.endswith(b"\x1b[?1049h\x1b[?1000h\x1b[?1006h")
        [shown] = door.door._shown.values()
        assert shown.leaving is not None
        assert shown.leaving.cancelled()
        third = await sit(page)
        assert await ended(second) == ELSEWHERE
        await third.send_json(["stdin", "x"])
        await visitor.answer_to("x")
        assert door.visitors.there == [visitor]
        assert visitor.sizes == [(80, 24), (100, 30), (80, 24)]
        visitor.hang_up()
        assert await ended(third) == LEFT


async def test_lines_are_told_by_a_player_who_begins_anew_on_every_page(tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, browser(door) as page:
        await enter(page)
        await sit(page)
        screen = await door.visitor()
        for number in (1, 2):
            line = await page.ws_connect(LINES)
            await line.send_json(["resize", {"width": 500, "height": 24}])
            lines = await door.visitor(number)
            lines.written.put_nowait(b"Round 1\r\n")
            assert (await line.receive()).data == b"Round 1\r\n"
        assert [each.lines for each in door.visitors.there] == [False, True, True]
        await sit(page)
        await door.visitor(3)
        screen.hang_up()
        assert door.visitors.there[3].lines is False


async def test_who_does_not_come_back_is_hung_up_and_begins_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(web_door, "KEPT_S", 0.0)

    async with pretended_door(tmp_path) as door, browser(door) as page:
        await enter(page)
        line = await sit(page)
        first = await door.visitor()
        await line.close()
        await first.until(lambda: first.is_gone)
        await sit(page)
        await door.visitor(1)
        assert door.visitors.guests[0] == door.visitors.guests[1]


async def test_what_is_too_much_ends_or_is_said(tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, browser(door) as page:
        async with page.post("/enter", data=b"{" * 2000) as answer:
            assert answer.status == 413
        for body in (b"{", b"[]", b'{"name": 1}', b'{"other": ""}'):
            async with page.post("/enter", data=body) as answer:
                assert answer.status == 400, body
        await enter(page)
        for nonsense in ("{", '["stdin"]', '["resize", {"width": 0, "height": 9}]', '["exec"]'):
            line = await page.ws_connect(TERMINAL)
            await line.send_str(nonsense)
            assert await ended(line) == 1000, nonsense
        line = await page.ws_connect(TERMINAL)
        await line.send_json(["stdin", "x" * web_door.LONGEST_MESSAGE])
        assert await ended(line) == 1009
        assert door.visitors.there == []
        door.visitors.has_place = False
        line = await sit(page)
        async with asyncio.timeout(10):
            closed = await line.receive()
        assert (closed.data, closed.extra) == (
            REFUSED,
            "There are too many visitors already: try again later.",
        )


@pytest.mark.parametrize("before", ["", "x"])
async def test_a_long_reason_is_cut_to_whole_characters_that_a_websocket_can_send(
    before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> None:
        raise RefusedError(before + 90 * "é")

    async with pretended_door(tmp_path) as door, browser(door) as page:
        await enter(page)
        monkeypatch.setattr(door.visitors, "admit", refuse)
        line = await sit(page)
        async with asyncio.timeout(10):
            closed = await line.receive()
        # A closing frame has at most 125 bytes, of which the code takes two.
        assert (closed.data, closed.extra) == (REFUSED, before + 61 * "é")


async def test_a_cookie_that_is_none_of_ours_is_replaced(tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, browser(door) as page:
        wish, cookies = {"name": "Rosalind", "code": CODE}, {"driflamme": "mine"}
        async with page.post("/enter", json=wish, cookies=cookies) as answer:
            assert re.fullmatch(r"[\w-]{43}", answer.cookies["driflamme"].value)


async def test_of_too_many_idle_connections_the_oldest_ends(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(web_door, "OF_A_PROXY", (3, 100))

    async with pretended_door(tmp_path) as door, browser(door) as page:
        port = int(door.origin.rpartition(":")[2])
        await enter(page)
        silent = await page.ws_connect(TERMINAL)
        line = await sit(page)
        await door.visitor()
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
        async with asyncio.timeout(10):
            assert await idle[0][0].read() == b""
        assert await ended(silent) != 1000
        await line.send_json(["stdin", "x"])
        await (await door.visitor()).answer_to("x")
        for _reader, writer in idle:
            writer.close()


def test_settings_of_a_terminal_are_kept_as_they_were_last_however_they_are_read() -> None:
    written = (
        b"\x1b[?1049h\x1b[?1000;1003h\x1b[?25l\x1b[?2026hx\x1b[?2026l"
        b"\x1b]2;* your turn\x1b\\cards\x1b[?1003l"
    )
    wanted = (
        b"\x1b[22;2t\x1b[?1049h\x1b[?1000h\x1b[?1003l\x1b[?25l\x1b[?2026l\x1b]2;* your turn\x1b\\"
    )
    for length in (1, 3, 1000):
        settings = TerminalSettings()
        for at in range(0, len(written), length):
            settings.note(written[at : at + length])
        assert settings.again() == wanted
        settings.note(b"\x1b[23;2t")
        assert settings.again().endswith(b"\x1b[?2026l\x1b[23;2t")


def test_the_page_is_at_all_names_of_its_machine_and_an_ordinary_port_goes_without_saying() -> None:
    origins = origins_of(["192.0.2.7", "fd00::20"], 11216, plain=False)
    assert origins[:3] == [
        "https://192.0.2.7:11216",
        "https://[fd00::20]:11216",
        "https://localhost:11216",
    ]
    assert "http://127.0.0.1" in origins_of([], 80, plain=True)
    assert "https://127.0.0.1" in origins_of([], 443, plain=False)


@pytest.mark.parametrize("proxy", [None, "https://table.example"])
async def test_on_this_machine_the_page_is_plain_and_a_proxy_alone_has_its_name(
    tmp_path: Path, proxy: str | None
) -> None:
    doors = Doors(web=0, proxy=proxy)
    hosts = ("public.example", LOOPBACK)
    order = Order("", b"s" * 12, "", LOOPBACK, doors, str(tmp_path), "en", hosts)
    page, door = await open_web_door(order, DoorCodes(order), PretendedVisitors())
    here = f"http://127.0.0.1:{door.port}"
    assert page == (proxy or here)
    # Only a proxy is believed about the address of a visitor.
    assert door._proxied is (proxy is not None)
    async with ClientSession() as program:
        async with program.get(here) as answer:
            assert answer.status == (421 if proxy else 200)
            assert ("The invitation of this club" in await answer.text()) is not bool(proxy)
        async with program.get(here, headers={"Host": "table.example"}) as answer:
            assert answer.status == (200 if proxy else 421)
    await door.close()


def test_the_page_has_a_text_for_each_code_of_closing() -> None:
    folder = Path(doors.__file__).parent / "page"
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'data-why="(\d{4})"', page) == [
        str(each) for each in (LEFT, ELSEWHERE, REFUSED)
    ]
    script = (folder / "page.js").read_text(encoding="utf-8")
    assert f"left: {LEFT}, unknown: {UNKNOWN} " in script


XTERM = {
    "/textual.js": "c1e7f29ed0facdd331181d6262f92acfc1cf908569d9e013c16038142a23a470",
    "/xterm.css": "0ea0e3c9dbc16c3b7736c1c60abb8ff843e9aa9d5adaa8b573dd6bebcf02cac5",
}
"""The SHA-256 of each file of another package that browsers run. Read a new version before you
change its digest.
"""


def test_the_page_runs_only_files_that_were_read() -> None:
    folder = Path(doors.__file__).parent
    others = {
        path for path, (file, _) in FILES.items() if not Path(str(file)).is_relative_to(folder)
    }
    assert others == XTERM.keys()
    for path, expected in XTERM.items():
        assert sha256(FILES[path][0].read_bytes()).hexdigest() == expected
