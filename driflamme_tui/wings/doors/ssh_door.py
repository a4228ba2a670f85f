"""The SSH door. It offers only the game, on a screen or line by line.

The user's name is the player's. `plain`, or `plain-` before the name, requests the line-by-line
mode. The password is the table's code. A key identifies a returning visitor. A visitor with an
unknown key must prove it too, and then type the code. The door refuses commands, files, forwarded
ports, agents and displays.
"""

import asyncio
import secrets
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Final, TypeAlias

import asyncssh

from driflamme_tui.text.i18n import _
from driflamme_tui.wings.doors.asyncssh_internals import INTACT, keep_only, watch
from driflamme_tui.wings.doors.door_codes import ARRIVING, ONCE, Door
from driflamme_tui.wings.doors.open_doors import DoorError
from driflamme_tui.wings.doors.visitor_spawner import DUMB, Terminal
from driflamme_tui.wings.doors.visitors import Guest, RefusedError, Size, Visitor
from netcode.private_files import UnsafeFolderError
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence
from netcode.transport.address import network_of
from netcode.whole_file import kept_secret

FILE: Final = "ssh_host_key.pem"

LOGIN_S: Final = 30
"""Maximum seconds for a login, and then for the request of a screen."""

TRIES: Final = 3
"""Maximum number of codes that a visitor may try on one connection."""

KEYS: Final = 20
"""Maximum number of keys that a visitor may offer on one connection; an agent may have many."""

SILENT_S: Final = 15
"""Seconds of silence before a keepalive is sent, up to three times."""

WINDOW_BYTES: Final = 1 << 15
"""Maximum bytes that a visitor may type or paste before the app reads them."""


EXCHANGES: Final = (
    "mlkem768x25519-sha256",
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
)
"""The key exchanges that the door accepts. The door leaves out exchanges that take tens of
milliseconds.
"""

ENVIRONMENT: Final = frozenset({b"LANG", b"LC_ALL", b"COLORTERM"})
"""The variables that a visitor's environment may contain."""

SIGNATURES: Final = (
    "ssh-ed25519",
    "sk-ssh-ed25519@openssh.com",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "rsa-sha2-256",
    "rsa-sha2-512",
)
"""The signatures of visitors' keys that the door accepts: none with SHA-1."""

LINES: Final = "plain"
"""The user's name, or its part before a -, that requests the line-by-line mode."""

Challenge: TypeAlias = bool | tuple[str, str, str, Sequence[tuple[str, bool]]]
"""An answer to a login: True or False, or a title, text, language and prompts for the visitor."""

END_OF_INPUT: Final = b"\x04"
"""The key that ends the input of a terminal at the beginning of a line."""

GIVE_BACK: Final = b"\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1049l\x1b[?25h\x1b[0m"
"""Restores a terminal after an app that ended too early: no mouse, no marked pastes, normal
screen.
"""


class SshDoor(Door):
    """Accepts SSH connections, and connects admitted visitors with their programs."""

    fingerprint = ""
    """The fingerprint that `ssh` shows on the first connection; "" until the door is open."""

    async def open(self, sockets: Sequence[socket.socket], folder: Path) -> None:
        """Accept connections at listening sockets.

        The folder has the door's key, which is created if it is missing.

        Raises:
            DoorError: The key cannot be used.
            UnsafeFolderError: The folder is not safe for a key.
        """
        key = _load_key(folder / FILE)
        self.fingerprint = key.get_fingerprint()
        options = await asyncssh.SSHServerConnectionOptions.construct(
            server_host_keys=[key],
            server_version="Driflamme",
            login_timeout=LOGIN_S,
            keepalive_interval=SILENT_S,
            kex_algs=EXCHANGES,
            signature_algs=SIGNATURES,
            gss_host=None,
            agent_forwarding=False,
            line_editor=False,
            compression_algs=["none"],
            encoding=None,
            window=WINDOW_BYTES,
        )
        self.listen(sockets, partial(self._serve, options), ARRIVING)

    async def _serve(
        self,
        options: asyncssh.SSHServerConnectionOptions,
        accepted: socket.socket,
        machine: str,
        arrived: Callable[[], object],
    ) -> None:
        """Let a visitor log in, and show them a screen until either side ends."""
        login = _Login(self, network_of(machine))
        # Refused visitors and lost connections are not errors, so they are not reported.
        with suppress(asyncssh.Error):
            connection = await asyncssh.run_server(
                accepted, options=options, server_factory=lambda: login
            )
            try:
                async with asyncio.timeout(LOGIN_S):
                    session = await login.session
                arrived()
                await session.visit()
                connection.close()
                await connection.wait_closed()
            finally:
                connection.abort()


def _load_key(path: Path) -> asyncssh.SSHKey:
    """Return the key in a private file; create it if it is missing.

    Raises:
        DoorError: The key cannot be used.
        UnsafeFolderError: The folder is not safe for a key.
    """
    try:
        return asyncssh.import_private_key(kept_secret(path, _make_key))
    except UnsafeFolderError:
        raise
    except (OSError, ValueError) as error:
        # The error message of a damaged key could show part of the key, so it is not used.
        why = error.strerror if isinstance(error, OSError) else None
        raise DoorError(
            "The key of the SSH door, {path}, cannot be used: {why}. Check the permissions of "
            "the file, or delete it for a new key.",
            path=str(path),
            why=why or type(error).__name__,
        ) from None


def _make_key() -> str:
    return asyncssh.generate_private_key("ssh-ed25519").export_private_key().decode()


class _Login(asyncssh.SSHServer):
    """One connection: the identity, login and session of a visitor."""

    def __init__(self, door: SshDoor, network: str) -> None:
        self.door = door
        self.network = network
        self.name = ""
        self.identity = ""
        """The identity that the visitor's proven key gives; "" until a key is proven."""
        self.lines = False
        """True for the line-by-line mode instead of a screen."""
        self.session: asyncio.Future[_Session] = asyncio.get_running_loop().create_future()
        """The future for the session, which the visitor requests after the login."""
        self.may_write = asyncio.Event()
        self.may_write.set()
        self._conn: asyncssh.SSHServerConnection | None = None
        self._session: _Session | None = None
        self._keys = self._wrong = 0

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._conn = conn
        watch(conn, self._proven, self.may_write.clear, self.may_write.set)

    def connection_lost(self, exc: Exception | None) -> None:
        self.may_write.set()
        self.session.cancel()

    def end_soon(self) -> None:
        """End the connection after `LOGIN_S` seconds, even if the visitor reads no more output."""
        assert self._conn is not None
        asyncio.get_running_loop().call_later(LOGIN_S, self._conn.abort)

    def begin_auth(self, username: str) -> bool:
        first, _gap, rest = username.partition("-")
        self.lines = first == LINES
        username = rest if self.lines else username
        problem = name_problem(username)
        # In the line-by-line mode, the player's program asks a visitor without a name for one.
        if problem is not None and (username or not self.lines):
            sentence = refusal_sentence(problem, _)
            self._send_banner(_("{why} Write it before the @.", why=sentence))
            raise asyncssh.PermissionDenied(sentence)
        self.name = username
        return True

    def public_key_auth_supported(self) -> bool:
        return INTACT

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        self._keys += 1
        if self._keys > KEYS:
            raise asyncssh.PermissionDenied("too many keys")
        # Let the visitor prove the first unknown key as well, so that it can be stored with the
        # admission.
        return not self.identity or self._knows(_identity_of(key.public_data))

    def _proven(self, key: bytes) -> bool:
        self.identity = self.identity or _identity_of(key)
        known = self._knows(_identity_of(key))
        if known:
            self.identity = _identity_of(key)
        return known

    def _knows(self, identity: str) -> bool:
        return self.door.codes.remembers(identity, self.name)

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        why = self._check(password)
        if why:
            self._send_banner(why)
        return not why

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Challenge:
        hint = ""
        if not self.identity:
            hint = _(
                "Without an SSH key, a lost connection costs you your seat: ssh-keygen makes a key."
            )
        return self._challenge(hint)

    def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> Challenge:
        why = self._check("".join(responses))
        return self._challenge(why) if why else True

    def _challenge(self, instruction: str) -> Challenge:
        code, invitation = _("The code on the host's screen: "), _("The invitation of this club: ")
        return "", instruction, "", [(invitation if self.door.codes.is_club else code, True)]

    def _check(self, code: str) -> str:
        """Return the reason why a code is refused; "" if the code is right.

        The admission of a visitor with a proven key is stored.

        Raises:
            PermissionDenied: The visitor has sent `TRIES` wrong codes.
        """
        codes, now = self.door.codes, time.monotonic()
        try:
            codes.check(code, self.network, now)
            if self.identity:
                codes.remember(self.identity, self.network, now, time.time())
        except RefusedError as error:
            why = error.sentence(_)
            self._wrong += 1
            if self._wrong >= TRIES:
                self._send_banner(why)
                raise asyncssh.PermissionDenied(why) from None
            return why
        return ""

    def _send_banner(self, sentence: str) -> None:
        assert self._conn is not None
        with suppress(OSError):
            self._conn.send_auth_banner(f"{sentence}\r\n")

    def session_requested(self) -> "_Session | bool":
        if self._session is not None:
            return False
        self._session = _Session(self)
        return self._session


class _Session(asyncssh.SSHServerSession[bytes]):
    """A visitor's screen: it connects the SSH channel with the app."""

    def __init__(self, login: _Login) -> None:
        self._login = login
        self._channel_is_free = asyncio.Event()
        self._channel_is_free.set()
        self._size: Size = (80, 24)
        self._visitor: Visitor | None = None
        self._typed = asyncio.Queue[bytes]()
        """Typed bytes that wait for the app; their number is limited by the channel's window. Empty
        bytes mark the end of the input.
        """
        self._is_gone = asyncio.Event()
        """Set once the visitor has closed the channel."""

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan
        keep_only(chan, ENVIRONMENT)

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: object
    ) -> bool:
        self._size = term_size[:2]
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        return False

    def subsystem_requested(self, subsystem: str) -> bool:
        return False

    def session_started(self) -> None:
        if not self._login.session.done():
            self._login.session.set_result(self)

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._size = width, height
        if self._visitor is not None:
            self._visitor.resize(self._size)

    def data_received(self, data: bytes, datatype: object) -> None:
        self._channel.pause_reading()
        self._typed.put_nowait(data)

    def eof_received(self) -> bool:
        self._typed.put_nowait(b"")
        # Keep the channel open for output: an ssh without input sends its end of input at once.
        return True

    def pause_writing(self) -> None:
        self._channel_is_free.clear()

    def resume_writing(self) -> None:
        self._channel_is_free.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._channel_is_free.set()
        self._is_gone.set()
        if self._visitor is not None:
            self._visitor.hang_up()

    async def visit(self) -> None:
        """Run the app and show its output until the visitor has closed the channel.

        Without a terminal, refuse a visitor who has not chosen the line-by-line mode.
        """
        login, channel = self._login, self._channel
        if channel.get_terminal_type() is None and not login.lines:
            sentence = _("This needs a terminal: connect with ssh -t.")
            channel.write_stderr(f"{sentence}\r\n".encode())
            channel.exit(2)
        else:
            # A visitor without a key gets an identity for this visit only, so they cannot return by
            # it.
            identity = login.identity or f"{ONCE}{secrets.token_hex(16)}"
            try:
                await self._stay(login.door.codes.guest(identity, login.name, login.network))
            finally:
                if not login.identity:
                    rmtree(login.door.codes.folder / identity, ignore_errors=True)
        self._login.end_soon()
        await self._is_gone.wait()

    async def _stay(self, guest: Guest) -> None:
        channel, size, environment = self._channel, self._size, self._channel.get_environment()
        terminal = Terminal(
            channel.get_terminal_type() or DUMB,
            environment.get("LC_ALL") or environment.get("LANG", ""),
            environment.get("COLORTERM", ""),
            self._login.lines,
        )
        try:
            visitor = self._visitor = await self._login.door.visitors.admit(guest, terminal, size)
        except RefusedError as error:
            channel.write(f"{error.sentence(_)}\r\n".encode())
            channel.exit(2)
            return
        if self._is_gone.is_set():
            visitor.hang_up()
        elif self._size != size:
            visitor.resize(self._size)
        # Disconnect a visitor who reads nothing after the app's end.
        visitor.ended.add_done_callback(lambda _: self._login.end_soon())
        typing = asyncio.create_task(self._type(visitor))
        try:
            while drawn := await visitor.read():
                channel.write(drawn)
                await self._login.may_write.wait()
                await self._channel_is_free.wait()
            status = await visitor.ended
            if (visitor.is_hung_up or status < 0) and not self._login.lines:
                # The host has ended, or the app was killed, so restore the terminal here. After a
                # lost connection, writing fails.
                with suppress(BrokenPipeError):
                    channel.write(GIVE_BACK)
            channel.exit(status)
        finally:
            typing.cancel()
            visitor.hang_up()

    async def _type(self, visitor: Visitor) -> None:
        last = b"\n"
        while typed := await self._typed.get():
            last = typed[-1:]
            await visitor.write(typed)
            if self._typed.empty():
                self._channel.resume_reading()
        if self._login.lines:
            await visitor.write(END_OF_INPUT if last in b"\r\n" else b"\n" + END_OF_INPUT)
        else:
            visitor.hang_up()


def _identity_of(key: bytes) -> str:
    return f"key-{sha256(key).hexdigest()[:32]}"
