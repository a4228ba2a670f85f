"""The web door: its page in every language, its websockets, and the limits for browsers.

xterm.js from the package `textual-serve` draws the terminal. The server of that package is not
used.
"""

import asyncio
import gzip
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Iterable
from functools import cache, partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from socket import gethostname, socket
from ssl import SSLContext
from string import Template
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from aiohttp import WSCloseCode, web
from msgspec import Meta, Struct, field

from driflamme_tui.hosting.host_plans import LOOPBACK
from driflamme_tui.text.i18n import ENGLISH, known_language, translator
from driflamme_tui.wings.doors.door_codes import ARRIVING, Door, DoorCodes
from driflamme_tui.wings.doors.open_doors import Order
from driflamme_tui.wings.doors.visitor_spawner import DUMB, LARGEST, Terminal
from driflamme_tui.wings.doors.visitors import Guest, Visitor, Visitors
from engine.texts import ExplainedError, Text
from netcode.protocol.refusal_sentences import SENTENCES, name_problem, refusal_sentence
from netcode.transport.address import network_of
from netcode.transport.certificate import load_identity
from netcode.transport.sockets import open_tcp

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Server": "Driflamme",
}
"""The headers of every answer. The page may load only its own files, and no other page may frame
it.
"""

TEXTS: Final[dict[str, Text]] = {
    "name": "Your name",
    "code": "The code that the host tells you",
    "invitation": "The invitation of this club",
    "enter": "Sit down",
    "seen": "The table is drawn on the host's machine, so that machine sees your cards.",
    "left": "You are no longer at the table.",
    "again": "Rejoin",
    "elsewhere": "Your table is on another page now.",
    "here": "Show it here",
    "turn": "The table needs more room: turn the phone, or make the window larger.",
    "lost": "The connection is lost; reconnecting…",
    "script": "This page needs JavaScript: allow it in your browser.",
    "keys": "Keys",
    "paste": "Paste",
    "type": "Keyboard",
    "text": "Lines of text instead, for screen readers",
    "told": "What happens",
    "say": "Your answer, or help",
}
"""All texts of the page."""

_OURS: Final = files("driflamme_tui.wings.doors") / "page"
_XTERM: Final = files("textual_serve") / "static"

FILES: Final = {
    "/before.js": (_OURS / "before.js", "text/javascript"),
    "/page.js": (_OURS / "page.js", "text/javascript"),
    "/page.css": (_OURS / "page.css", "text/css"),
    "/icon.svg": (_OURS / "icon.svg", "image/svg+xml"),
    "/textual.js": (_XTERM / "js" / "textual.js", "text/javascript"),
    "/xterm.css": (_XTERM / "css" / "xterm.css", "text/css"),
}
"""The files of the page by path, each with its type."""


PAGES: Final = "/", "/text"
"""The paths of the page: with a screen, and with lines for screen readers."""


class PageFile(Struct, frozen=True):
    """The contents of a path of the page."""

    packed: bytes
    """The contents, compressed by gzip."""
    kind: str
    tag: str
    """A tag for the contents, by which a browser avoids loading the same file twice."""


@cache
def page_file(path: str, language: str, *, club: bool = False) -> PageFile:
    """Return the file at a path of `FILES`, or the page of a language at a path of `PAGES`.

    `club` is True if the page asks for the invitation of a club instead of a code.
    """
    if path in PAGES:
        wanted = TEXTS | {"code": TEXTS["invitation"]} if club else TEXTS
        texts = {name: escape(translator(language)(text)) for name, text in wanted.items()}
        texts |= {"language": language, "sign": " " if club else "K7Q-F2MXR"}
        template = Template((_OURS / "index.html").read_text("utf-8"))
        content, kind = template.substitute(texts).encode(), "text/html"
    else:
        file, kind = FILES[path]
        content = file.read_bytes()
    return PageFile(gzip.compress(content), kind, sha256(content).hexdigest()[:32])


def first_known(languages: str) -> str:
    """Return the first language in a browser's list that is available; English if none is."""
    known = (known_language(each.partition(";")[0].strip()) for each in languages.split(",", 9))
    return next((each for each in known if each is not None), ENGLISH)


KEPT_S: Final = 5.0
"""Seconds for which a visitor's screen is kept after the page has gone, for example in a reload.
Then the table sees a lost connection, and a visitor who returns gets their seat on a new screen.
"""

LONGEST_POST: Final = 1024
"""Maximum bytes of a posted form, which contains a name and a code."""

LONGEST_MESSAGE: Final = 1 << 16
"""Maximum bytes of a message from a page, for example with a pasted text."""

HEARTBEAT_S: Final = 20.0
"""Seconds between two websocket pings."""

STALLED_S: Final = 10.0
"""Seconds after which the websocket of a page that reads nothing is closed."""

LONGEST_REASON: Final = 123
"""Maximum bytes of the reason for closing a websocket."""

IDLE_S: Final = 15.0
"""Seconds for which an idle HTTP connection stays open."""

HTTP: Final[dict[str, Any]] = {
    "access_log": None,
    "keepalive_timeout": IDLE_S,
    "auto_decompress": False,
}
"""Settings of the HTTP server."""

HANDSHAKE_S: Final = 5.0
"""Maximum seconds for a TLS handshake."""

OF_A_PROXY: Final = ARRIVING[0], 10_000
"""Maximum number of a proxy's connections without a screen: in all, and from one network."""

COOKIE: Final = "driflamme"

COOKIE_S: Final = 365 * 24 * 3600
"""Seconds for which a browser keeps the cookie."""

ENTER: Final = "/enter"
"""The path to which a page sends a request for admission."""

SCREEN, LINES = "/terminal", "/lines"
"""The paths of websockets: to a program with a screen, and to a program that plays by lines."""

ALIVE: Final = "alive"
"""The answer to an `Alive`. All other messages to the page are bytes, for the terminal."""

LEFT, ELSEWHERE, REFUSED, UNKNOWN = 4000, 4001, 4002, 4003
"""Codes for closing a websocket. The page shows a text for each, and does not reconnect."""

_TOKEN: Final = re.compile(r"[\w-]{43}", re.ASCII)

_SETTING: Final = re.compile(
    rb"\x1b\[\?([\d;]+)[hl]|\x1b\]2;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[23;2t"
)
"""Matches lasting settings of a terminal: modes, for example of the mouse, and the title."""

_LONGEST_SETTING: Final = 128
"""Maximum bytes of a setting."""

_PUSH_TITLE: Final = b"\x1b[22;2t"


Handler: TypeAlias = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class Wish(Struct, forbid_unknown_fields=True):
    """A page's request for admission: with a code, or without one to return."""

    name: Annotated[str, Meta(max_length=80)] = ""
    code: Annotated[str, Meta(max_length=400)] = ""
    """The code, or the invitation."""


class TypedBytes(Struct, array_like=True, tag="stdin"):
    """Bytes typed at a page's terminal: keys, the mouse, and answers to queries."""

    text: str


class Dimensions(Struct):
    """A size as xterm.js sends it, within the limits of a screen."""

    width: Annotated[int, Meta(ge=1, le=LARGEST[0])]
    height: Annotated[int, Meta(ge=1, le=LARGEST[1])]


class Resized(Struct, array_like=True, tag="resize"):
    """A new size of a page's terminal."""

    size: Dimensions


class Alive(Struct, array_like=True, tag="alive"):
    """A page's test of its connection. Browsers cannot send pings."""


_WISHES: Final = msgspec.json.Decoder(Wish)
_MESSAGES: Final = msgspec.json.Decoder(TypedBytes | Resized | Alive)


class TerminalSettings(Struct):
    """The settings that a program has made in its terminal. A new terminal must repeat them."""

    _last: dict[bytes, bytes] = field(default_factory=dict)
    _end: bytes = b""

    def note(self, written: bytes) -> None:
        """Record the settings in a program's output, even a setting that two reads have divided."""
        written = self._end + written
        for found in _SETTING.finditer(written):
            for mode in (found[1] or b"").split(b";"):
                self._last[mode] = b"\x1b[?%b%b" % (mode, found[0][-1:]) if mode else found[0]
        self._end = written[-_LONGEST_SETTING:]

    def again(self) -> bytes:
        """Return the bytes that repeat all recorded settings in a new terminal."""
        return _PUSH_TITLE + b"".join(self._last.values())


class ShownProgram(Struct, eq=False):
    """The program of an admitted visitor, and the page that shows it."""

    visitor: Visitor | None = None
    """The program; None if none is running."""
    page: web.WebSocketResponse | None = None
    """The websocket of the page; None if there is no page."""
    pump: asyncio.Task[None] | None = None
    """The task that forwards the program's output to the present page; None before the first."""
    leaving: asyncio.Handle | None = None
    """The timer that ends the program if no page returns; None if it is not set."""
    lines: bool = False
    """True for the line-by-line mode instead of a screen."""
    settings: TerminalSettings = field(default_factory=TerminalSettings)
    arriving: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a new page replaces the earlier one, so that pages that arrive together are
    handled one after another.
    """

    def leave(self) -> None:
        """End the visitor's program. The visitor's seat is kept."""
        if self.visitor is not None:
            self.visitor.hang_up()


class WebDoor(Door):
    """Serves the page, and connects admitted visitors with their programs."""

    def __init__(
        self,
        codes: DoorCodes,
        visitors: Visitors,
        origins: Collection[str],
        *,
        proxied: bool = False,
    ) -> None:
        """Start without visitors.

        Args:
            codes: Decides on admission.
            visitors: Runs the programs.
            origins: All origins at which browsers may show the page.
            proxied: True if a proxy sends the address of each connection's visitor.
        """
        super().__init__(codes, visitors)
        self._origins: dict[str, str] = {}
        """The origins that are allowed, by the host in a browser's request."""
        for origin in origins:
            self.add_origin(origin)
        self._proxied, self._is_encrypted = proxied, False
        self._shown: dict[tuple[str, str], ShownProgram] = {}
        """The present visitors, by identity and name."""
        self._endings: set[asyncio.Task[bool]] = set()
        self._server = web.Server(self._answer, request_factory=_request)

    def add_origin(self, origin: str) -> None:
        """Allow the page at another origin."""
        self._origins[origin.partition("://")[2]] = origin

    def renew(self, order: Order) -> None:
        """Allow the page at the addresses of a changed order, in addition to earlier ones."""
        new = [order.page_outside] if order.page_outside else []
        if self._is_encrypted and not self._proxied:
            new += origins_of(order.hosts, self.port, plain=False)
        for origin in new:
            self.add_origin(origin)

    async def open(self, sockets: Iterable[socket], context: SSLContext | None) -> None:
        """Serve at listening sockets. Without a context, connections are not encrypted."""
        self._is_encrypted = context is not None
        # Without TLS, all connections come from this machine: perhaps from a proxy for many
        # visitors.
        most = OF_A_PROXY if context is None else ARRIVING
        self.listen(sockets, partial(self._serve, context), most)

    async def close(self) -> None:
        """Close all connections, and end all programs."""
        for listener in self._listeners:
            await listener.stop()
        for shown in self._shown.values():
            shown.leave()
        await self._server.shutdown(1)
        await super().close()

    async def _serve(
        self,
        context: SSLContext | None,
        accepted: socket,
        _machine: str,
        arrived: Callable[[], object],
    ) -> None:
        """Serve a connection until its end. Calls `arrived` once the connection shows a screen."""
        loop = asyncio.get_running_loop()
        connection = _Connection(self._server, loop=loop, **HTTP)
        connection.arrived, connection.gone = arrived, loop.create_future()
        encrypted = {} if context is None else {"ssl_handshake_timeout": HANDSHAKE_S}
        try:
            await loop.connect_accepted_socket(
                lambda: connection, accepted, ssl=context, **encrypted
            )
            await connection.gone
        finally:
            connection.force_close()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer a browser's request, with the headers of the page."""
        try:
            answer = await self._answered(request)
        except web.HTTPException as refusal:
            refusal.headers.update(HEADERS)
            raise
        answer.headers.update(HEADERS)
        return answer

    async def _answered(self, request: web.BaseRequest) -> web.StreamResponse:
        """Return the answer to a request of the page at an allowed origin.

        Raises an error of HTTP for every other request.
        """
        origin = self._origins.get(request.headers.get("Host", ""))
        if origin is None:
            raise web.HTTPMisdirectedRequest
        if "Content-Encoding" in request.headers:
            # Refuse compressed requests, because nothing here decompresses them.
            raise _malformed(request)
        if request.method == "GET" and request.path in (*PAGES, *FILES):
            return self._file(request)
        acts: dict[tuple[str, str], Handler] = {
            ("POST", ENTER): self._enter,
            ("GET", SCREEN): self._terminal,
            ("GET", LINES): self._terminal,
        }
        act = acts.get((request.method, request.path))
        if act is None:
            raise web.HTTPNotFound
        if request.headers.get("Origin") != origin:
            raise web.HTTPForbidden
        return await act(request)

    def _file(self, request: web.BaseRequest) -> web.Response:
        """Return a file of the page, or status 304 if the browser already has it."""
        file = page_file(request.path, _language(request), club=self.codes.is_club)
        headers = {"ETag": f'"{file.tag}"', "Cache-Control": "no-cache", "Vary": "Accept-Language"}
        if request.headers.get("If-None-Match") == headers["ETag"]:
            return web.Response(status=304, headers=headers)
        headers["Content-Encoding"] = "gzip"
        return web.Response(
            body=file.packed, content_type=file.kind, charset="utf-8", headers=headers
        )

    async def _enter(self, request: web.BaseRequest) -> web.Response:
        """Return an answer with a cookie if a visitor is admitted, otherwise the reason as a text.

        The status is 403 for a wrong code or name, and 200 if either is still missing.
        """
        translate = translator(_language(request))
        try:
            wish = _WISHES.decode(await request.read())
        except (msgspec.MsgspecError, UnicodeError, ConnectionError):
            raise _malformed(request) from None
        problem = name_problem(wish.name)
        if problem is not None:
            why = refusal_sentence(problem, translate)
            return web.Response(status=403 if wish.name else 200, text=why)
        token = self._token(request)
        if wish.code:
            token = token or secrets.token_urlsafe()
            network, now = self._network(request), time.monotonic()
            try:
                self.codes.check(wish.code, network, now)
                self.codes.remember(_identity(token), network, now, time.time())
            except ExplainedError as error:
                return web.Response(status=403, text=error.sentence(translate))
        elif not self._is_let_in(_identity(token), wish.name):
            return web.Response(text=translate(SENTENCES["invitation_needed"]))
        response = web.Response(status=204)
        response.set_cookie(
            self._cookie(request),
            token,
            max_age=COOKIE_S,
            httponly=True,
            samesite="Strict",
            secure=self._is_secure(request),
        )
        return response

    def _is_secure(self, request: web.BaseRequest) -> bool:
        return self._origins[request.host].startswith("https:")

    def _cookie(self, request: web.BaseRequest) -> str:
        """Return the cookie's name.

        With TLS, no other site on the host can set a cookie of this name.
        """
        return f"__Host-{COOKIE}" if self._is_secure(request) else COOKIE

    def _token(self, request: web.BaseRequest) -> str:
        """Return the visitor's token in the cookie; "" if there is no valid one."""
        found = _TOKEN.fullmatch(request.cookies.get(self._cookie(request), ""))
        return found[0] if found else ""

    def _is_let_in(self, identity: str, name: str) -> bool:
        """Return True if a visitor may return: they were admitted, or are present."""
        return (identity, name) in self._shown or self.codes.remembers(identity, name)

    async def _terminal(self, request: web.BaseRequest) -> web.WebSocketResponse:
        """Connect a page's terminal with a visitor's program until the page closes.

        The websocket of a visitor who may not return is closed with `UNKNOWN`.
        """
        page = web.WebSocketResponse(
            heartbeat=HEARTBEAT_S, timeout=2, max_msg_size=LONGEST_MESSAGE, compress=False
        )
        page.headers.update(HEADERS)
        try:
            await page.prepare(request)
        except ValueError:
            # The handshake is invalid, so it comes from no page of this door.
            raise _malformed(request) from None
        identity = _identity(self._token(request))
        name = request.query.get("name", "")
        if name_problem(name) is not None or not self._is_let_in(identity, name):
            await page.close(code=UNKNOWN)
            return page
        guest = self.codes.guest(identity, name, self._network(request))
        shown = None
        try:
            async for message in page:
                received = _MESSAGES.decode(message.data)
                if shown is None and isinstance(received, Resized):
                    assert isinstance(request.protocol, _Connection)
                    request.protocol.arrived()
                    shown = self._shown.setdefault(guest.seat, ShownProgram())
                    async with shown.arriving:
                        await self._show(shown, guest, page, received.size, request)
                elif shown is None or shown.page is not page or shown.visitor is None:
                    break
                elif isinstance(received, Resized):
                    shown.visitor.resize((received.size.width, received.size.height))
                elif isinstance(received, Alive):
                    # Let an `Alive` cost as much as a key, so that a page cannot flood the door.
                    await shown.visitor.write(b"")
                    await page.send_str(ALIVE)
                else:
                    await shown.visitor.write(received.text.encode())
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError, ConnectionError):
            # An invalid message ends the connection, as closing the page does.
            pass
        finally:
            if shown is not None and shown.page is page:
                shown.page = None
                shown.leaving = asyncio.get_running_loop().call_later(KEPT_S, shown.leave)
        return page

    async def _show(
        self,
        shown: ShownProgram,
        guest: Guest,
        page: web.WebSocketResponse,
        dimensions: Dimensions,
        request: web.BaseRequest,
    ) -> None:
        """Show a visitor's program on this page, and on no other; start the program if necessary.

        If the visitor is refused, close the websocket with the reason.
        """
        size, lines = (dimensions.width, dimensions.height), request.path == LINES
        if shown.leaving is not None:
            shown.leaving.cancel()
        if shown.page is not None:
            self._end(shown.page, ELSEWHERE)
        shown.page = page
        again, shown.lines = not (lines or shown.lines), lines
        if shown.visitor is not None and again:
            await page.send_bytes(shown.settings.again())
            shown.visitor.resize(size)
            return
        if shown.pump is not None:
            # Earlier lines cannot be shown again, so start another player for the new page.
            shown.pump.cancel()
        language = _language(request)
        term = DUMB if lines else Terminal().term
        terminal = Terminal(term, f"{language}.UTF-8", "truecolor", lines)
        try:
            visitor = await self.visitors.admit(guest, terminal, size)
        except ExplainedError as error:
            self._shown.pop(guest.seat, None)
            self._end(page, REFUSED, error.sentence(translator(language)))
            return
        self._shown[guest.seat] = shown
        shown.visitor, shown.settings = visitor, TerminalSettings()
        shown.pump = asyncio.create_task(self._forward(shown, guest, visitor))

    async def _forward(self, shown: ShownProgram, guest: Guest, visitor: Visitor) -> None:
        """Forward a program's output to its page, if there is one.

        After the program's end, close the page with `LEFT`.
        """
        while written := await visitor.read():
            shown.settings.note(written)
            page = shown.page
            if page is None:
                continue
            try:
                async with asyncio.timeout(STALLED_S):
                    await page.send_bytes(written)
            except (ConnectionError, TimeoutError):
                # The page reconnects without help, and the app then draws everything again.
                shown.page = None
                self._end(page, WSCloseCode.GOING_AWAY)
        shown.visitor = None
        if self._shown.get(guest.seat) is shown:
            del self._shown[guest.seat]
        if shown.page is not None:
            self._end(shown.page, LEFT)

    def _end(self, page: web.WebSocketResponse, code: int, why: str = "") -> None:
        """Begin to close a page's websocket. Does not wait for its end."""
        # A browser loses the connection, and the reason, over half a character.
        reason = why.encode()[:LONGEST_REASON].decode(errors="ignore").encode()
        ending = asyncio.create_task(page.close(code=code, message=reason, drain=False))
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)

    def _network(self, request: web.BaseRequest) -> str:
        """Return the network of the visitor who has sent a request."""
        # Use only the last address, which the proxy has added. The visitor may have invented the
        # others.
        forwarded = request.headers.getall("X-Forwarded-For", [""])[-1] if self._proxied else ""
        return network_of(forwarded.rpartition(",")[2].strip() or request.remote)


class _Connection(web.RequestHandler):
    """A connection whose answers do not name aiohttp, even if a request is unreadable."""

    arrived: Callable[[], object]
    """Called once the connection shows a screen."""
    gone: asyncio.Future[None]

    def connection_lost(self, exc: BaseException | None) -> None:
        """Complete `gone` when the connection has ended."""
        super().connection_lost(exc)
        if not self.gone.done():
            self.gone.set_result(None)

    def handle_error(self, *what: Any, **more: Any) -> web.StreamResponse:
        """Answer an unreadable request, with `HEADERS` instead of a header that names aiohttp."""
        answer = super().handle_error(*what, **more)
        answer.headers.update(HEADERS)
        return answer


async def open_web_door(order: Order, codes: DoorCodes, visitors: Visitors) -> tuple[str, WebDoor]:
    """Open the door; return the page's address and the door.

    Connections are encrypted, unless they stay on this machine, such as connections from a proxy.

    Raises:
        ListenError: The port cannot be opened.
        CertificateError: The certificate cannot be used.
    """
    proxy = order.doors.proxy
    assert order.doors.web is not None
    sockets = await open_tcp(order.bind if proxy is None else LOOPBACK, order.doors.web)
    address, port = sockets[0].getsockname()[:2]
    plain = ip_address(address).is_loopback
    # A loopback socket has only its own address, so the hosts of the order do not apply.
    hosts = (address,) if plain else order.hosts
    origins = [proxy] if proxy is not None else origins_of(hosts, port, plain=plain)
    door = WebDoor(codes, visitors, origins, proxied=proxy is not None)
    await door.open(sockets, None if plain else load_identity(Path(order.folder)).context)
    door.renew(order)
    return origins[0], door


def origins_of(hosts: Iterable[str], port: int, *, plain: bool) -> list[str]:
    """Return the origins of a page on this machine; the first suits other machines best.

    >>> origins_of(["fd00::20"], 443, plain=False)[:2]
    ['https://[fd00::20]', 'https://localhost']
    """
    scheme, usual = ("http", 80) if plain else ("https", 443)
    end = "" if port == usual else f":{port}"
    names = (*hosts, "localhost", "127.0.0.1", "::1", gethostname().lower())
    return [f"{scheme}://{f'[{name}]' if ':' in name else name}{end}" for name in names]


def _identity(token: str) -> str:
    """Return the identity of the visitor whose cookie has this token."""
    return f"web-{sha256(token.encode()).hexdigest()}"


def _language(request: web.BaseRequest) -> str:
    return first_known(request.headers.get("Accept-Language", ""))


def _request(message: Any, content: Any, protocol: Any, writer: Any, task: Any) -> web.BaseRequest:
    """Return a request whose body must not exceed `LONGEST_POST`."""
    loop = asyncio.get_running_loop()
    return web.BaseRequest(
        message, content, protocol, writer, task, loop, client_max_size=LONGEST_POST
    )


def _malformed(request: web.BaseRequest) -> web.HTTPBadRequest:
    """Return the answer to a request that cannot come from the page."""
    return web.HTTPBadRequest(text=translator(_language(request))(SENTENCES["malformed"]))
