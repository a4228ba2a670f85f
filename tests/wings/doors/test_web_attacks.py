import asyncio
import json
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from aiohttp.http_exceptions import HttpProcessingError
from multidict import CIMultiDict
from yarl import URL

from driflamme_tui.wings.doors import door_codes, web_door
from driflamme_tui.wings.doors.web_door import LEFT, UNKNOWN
from netcode.limits import Rate
from tests.wings.doors.pretended import CODE, PretendedDoor, browser, pretended_door
from tests.wings.doors.test_web_door import TERMINAL, ended, enter, sit


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
        assert said == "The table could not read the message: upgrade the older program."
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


async def test_who_posts_the_right_code_again_and_again_makes_folders_at_a_slow_rate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(door_codes, "NEW_VISITORS", Rate(1e-6, burst=3.0))
    async with pretended_door(tmp_path) as door, browser(door) as page:
        assert await enter(page) == ""
        honest = page.cookie_jar.filter_cookies(URL(door.origin))
        said = []
        for _ in range(5):
            page.cookie_jar.clear()
            said.append(await enter(page))
        refused = "There are too many visitors already: try again later."
        assert said == ["", "", refused, refused, refused]
        assert len(list(door.codes.folder.iterdir())) == 3
        page.cookie_jar.update_cookies(honest, URL(door.origin))
        assert await enter(page) == "", "who was here before comes back"


def requests_of(door: PretendedDoor) -> list[bytes]:
    """Return a browser's request of each kind."""
    host = door.origin.partition("//")[2]
    from_page = f"Host: {host}\r\nOrigin: {door.origin}\r\nCookie: driflamme={'t' * 43}\r\n"
    wish = json.dumps({"name": "Rosalind", "code": CODE})
    line = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    return [
        text.encode()
        for text in (
            f"GET / HTTP/1.1\r\nHost: {host}\r\nAccept-Language: fr-CA,en;q=0.5\r\n"
            'If-None-Match: "x"\r\nExpect: 100-continue\r\n\r\n',
            f"POST /enter HTTP/1.1\r\n{from_page}Content-Length: {len(wish)}\r\n\r\n{wish}",
            f"POST /enter HTTP/1.1\r\n{from_page}Transfer-Encoding: chunked\r\n\r\n"
            f"{len(wish):x}\r\n{wish}\r\n0\r\n\r\n",
            f"{TERMINAL.join(('GET ', ' HTTP/1.1'))}\r\n{from_page}{line}"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n",
        )
    ]


ODD = (
    b"\0",
    b"\xff",
    b"\xc3\xa9",
    b"%",
    b"%ed%a0%80",
    b"\r\n",
    b":",
    b"[",
    b'"',
    b"\\ud800",
    b"-1",
)


def damaged(rng: Random, text: bytes) -> bytes:
    """Cut pieces out of a text, or replace them by copies, random bytes or odd bytes."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        end = at + rng.choice((0, 0, 1, 12))
        put = rng.choice((b"", text[at : at + 40], bytes([rng.randrange(256)]), rng.choice(ODD)))
        text = text[:at] + put + text[end:]
    return text


async def test_whatever_is_asked_and_how_is_no_error_of_the_door(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rng, statuses = Random(7), set[bytes]()
    async with pretended_door(tmp_path, proxied=True) as door:
        for _ in range(300):
            reader, writer = await asyncio.open_connection("127.0.0.1", door.door.port)
            writer.write(damaged(rng, rng.choice(requests_of(door))))
            # The door waits for the rest of an incomplete request, so another request follows.
            writer.write(b"\r\n\r\n" + b"GET / HTTP/1.1\r\nHost: elsewhere\r\n\r\n" * 40)
            # The door may have refused the first request and closed the connection already.
            with suppress(ConnectionError):
                statuses.add((await reader.read(12))[9:])
            writer.close()
    assert statuses >= {b"101", b"200", b"204", b"400", b"403", b"421"}
    assert not [each for each in statuses if each.startswith(b"5")]
    errors = [each.exc_info[1] for each in caplog.records if each.exc_info]
    assert [each for each in errors if not isinstance(each, HttpProcessingError)] == []
