"""Who means ill at the web door."""

import asyncio
from pathlib import Path

import pytest
from multidict import CIMultiDict

from driflamme_tui.doors import web_door
from driflamme_tui.doors.web_door import LEFT, UNKNOWN
from tests.driflamme_tui.doors.pretended import CODE, browser, pretended_door
from tests.driflamme_tui.doors.test_web_door import ended, enter, sit


async def test_of_too_many_who_do_not_go_on_with_tls_the_oldest_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(web_door, "ARRIVING", (9, 2))
    async with pretended_door(tmp_path, encrypted=True) as door, browser(door) as page:
        port = int(door.origin.rpartition(":")[2])
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        async with asyncio.timeout(10):
            assert await silent[0][0].read() == b""
        assert await enter(page) == ""
        for _reader, writer in silent:
            writer.close()


@pytest.mark.parametrize(
    "said",
    [
        '["stdin", "\\ud800"]',
        '["stdin", "\\u0000"]',
        "[" * 60_000,
        '["resize", {"width": 1e400, "height": 24}]',
    ],
)
async def test_what_no_terminal_says_ends_the_line(said: str, tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, browser(door) as page:
        await enter(page)
        line = await sit(page)
        await door.visitor()
        await line.send_str(said)
        if "0000" in said:
            await line.close()
        assert await ended(line) == 1000


async def test_who_came_by_an_earlier_invitation_and_has_left_is_asked_for_the_code(
    tmp_path: Path,
) -> None:
    async with pretended_door(tmp_path) as door, browser(door) as page:
        await enter(page)
        line = await sit(page)
        visitor = await door.visitor()
        door.renew(b"n" * 12, "AAAAAAAA")
        async with page.post("/enter", json={"name": "Rosalind"}) as answer:
            assert answer.status == 204
        visitor.written.put_nowait(b"")
        assert await ended(line) == LEFT
        assert await ended(await sit(page)) == UNKNOWN
        async with page.post("/enter", json={"name": "Rosalind"}) as answer:
            assert answer.status == 200
        assert await enter(page, "AAA-AAAAA") == ""
        await sit(page)
        await door.visitor(1)
        assert [each.secret for each in door.visitors.guests] == [b"s" * 12, b"n" * 12]


async def test_a_cookie_that_somebody_has_planted_is_nobodys(tmp_path: Path) -> None:
    async with pretended_door(tmp_path, proxied=True) as door, browser(door) as page:
        headers = {"Host": "table.example", "Origin": "https://table.example"}
        wish, planted = {"name": "Rosalind", "code": CODE}, {"driflamme": "t" * 43}
        async with page.post("/enter", json=wish, headers=headers, cookies=planted) as answer:
            name, token = answer.headers["Set-Cookie"].split(";")[0].split("=")
        assert name == "__Host-driflamme"
        assert token != "t" * 43


async def test_no_program_is_named_and_what_is_packed_is_not_read(tmp_path: Path) -> None:
    async with pretended_door(tmp_path) as door, browser(door) as page:
        said = ""
        for headers, status in (({}, 200), ({"Content-Encoding": "deflate"}, 400)):
            async with page.post("/enter", data=b"{}", headers=headers) as answer:
                assert answer.status == status
                assert answer.headers["Server"] == "Driflamme"
                said = await answer.text()
        assert said == "The table could not read the message."
        reader, writer = await asyncio.open_connection("127.0.0.1", door.door.port)
        writer.write(b"GARBAGE\r\n\r\n")
        assert b"Server: Driflamme\r\n" in await reader.read()
        writer.close()


async def test_of_what_is_said_of_a_network_the_proxys_own_word_counts(tmp_path: Path) -> None:
    async with pretended_door(tmp_path, proxied=True) as door, browser(door) as page:
        said = ""
        for number in range(6):
            headers = [
                ("Host", "table.example"),
                ("Origin", "https://table.example"),
                ("X-Forwarded-For", f"198.51.100.{number}"),
                ("X-Forwarded-For", "192.0.2.7"),
            ]
            wish = {"name": "Rosalind", "code": "AAA-AAAAA"}
            async with page.post("/enter", json=wish, headers=CIMultiDict(headers)) as answer:
                said = await answer.text()
        assert "Too many wrong codes" in said
