"""The SSH door: a shell with a screen, and nothing else.

The user's name is the player's, or `plain` for whoever wants lines and no screen; the password is
the table's code; a key proves who comes back. A key that is not known yet is proven too, and the
code asked for then. Commands, files, forwarded ports, agents and displays are refused.
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
from driflamme_tui.wings.doors.spawner import DUMB, Terminal
from driflamme_tui.wings.doors.visitors import Guest, RefusedError, Size, Visitor
from netcode.own_files import UnsafeFolderError
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence
from netcode.transport.address import network_of
from netcode.whole_file import kept_secret

FILE: Final = "ssh_host_key.pem"
"""The name of the file with the door's key."""

LOGIN_S: Final = 30
"""Seconds in which somebody is to have logged in, and then to have asked for a screen."""

TRIES: Final = 3
"""Codes that may be tried on one connection."""

KEYS: Final = 20
"""Keys that may be shown on one connection: an agent may hold many."""

SILENT_S: Final = 15
"""Seconds of silence after which a connection is asked whether it is there, up to three times."""

WINDOW_BYTES: Final = 1 << 15
"""How much a visitor may type, or paste, before the app has read what came before."""


EXCHANGES: Final = (
    "mlkem768x25519-sha256",
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
)
"""How a line is encrypted: not by what takes the door tens of milliseconds whenever it is asked."""

ENVIRONMENT: Final = frozenset({b"LANG", b"LC_ALL", b"COLORTERM"})
"""What is taken of a visitor's environment."""

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
"""How a visitor's key may prove itself: not by SHA-1."""

LINES: Final = "plain"
"""The name, or what stands before a - and the name, of who wants lines instead of a screen."""

Challenge: TypeAlias = bool | tuple[str, str, str, Sequence[tuple[str, bool]]]
"""Whether somebody is let in, or what they are asked: title, text, language, and prompts."""

END_OF_INPUT: Final = b"\x04"
"""What is typed at a terminal to end the input, at the beginning of a line."""

GIVE_BACK: Final = b"\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1049l\x1b[?25h\x1b[0m"
"""Gives a terminal back which an app has had no time to: no mouse, no pastes, its own screen."""


class SshDoor(Door):
    """The door, with all who have come by it."""

    fingerprint = ""
    """What `ssh` shows of this machine at first."""

    async def open(self, sockets: Sequence[socket.socket], folder: Path) -> None:
        """Let people in who connect to sockets that listen; raises DoorError.

        The door's key lies in the folder, and is made if there is none.
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
        """Have somebody log in, and show them a screen until either side has had enough."""
        login = _Login(self, network_of(machine))
        # Who is not let in, or gone, is no error.
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
    """Return the key in a file that nobody else may read, made if need be; raises DoorError."""
    try:
        return asyncssh.import_private_key(kept_secret(path, _make_key))
    except UnsafeFolderError:
        raise
    except (OSError, ValueError) as error:
        # Of a key that is damaged nothing is said that may be in it.
        why = error.strerror if isinstance(error, OSError) else None
        raise DoorError(
            "The key of the SSH door, {path}, cannot be used: {why}.",
            path=str(path),
            why=why or type(error).__name__,
        ) from None


def _make_key() -> str:
    return asyncssh.generate_private_key("ssh-ed25519").export_private_key().decode()


class _Login(asyncssh.SSHServer):
    """One connection: who it is, and whether they are let in."""

    def __init__(self, door: SshDoor, network: str) -> None:
        self.door = door
        self.network = network
        self.name = ""
        self.identity = ""
        """What the key makes of who proved to have it; empty without one."""
        self.lines = False
        """Whether lines are wanted instead of a screen."""
        self.session: asyncio.Future[_Session] = asyncio.get_running_loop().create_future()
        """The screen that they ask for, once they do."""
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
        """End the connection, whether all that was said on it is read by then or not."""
        assert self._conn is not None
        asyncio.get_running_loop().call_later(LOGIN_S, self._conn.abort)

    def begin_auth(self, username: str) -> bool:
        first, _gap, rest = username.partition("-")
        self.lines = first == LINES
        username = rest if self.lines else username
        problem = name_problem(username)
        # Who has said nothing else is asked for a name in the first line.
        if problem is not None and (username or not self.lines):
            sentence = refusal_sentence(problem, _)
            self._say(_("{why} Write it before the @.", why=sentence))
            raise asyncssh.PermissionDenied(sentence)
        self.name = username
        return True

    def public_key_auth_supported(self) -> bool:
        return INTACT

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        self._keys += 1
        if self._keys > KEYS:
            raise asyncssh.PermissionDenied("too many keys")
        # One that is not known is proven, once, so that it is known from then on.
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
            self._say(why)
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

    def _challenge(self, said: str) -> Challenge:
        code, invitation = _("The code that the host sees: "), _("The invitation of this club: ")
        return "", said, "", [(invitation if self.door.codes.is_club else code, True)]

    def _check(self, said: str) -> str:
        """Return why what was said lets nobody in, or nothing if it does."""
        codes, now = self.door.codes, time.monotonic()
        try:
            codes.check(said, self.network, now)
            if self.identity:
                codes.remember(self.identity, self.network, now, time.time())
        except RefusedError as error:
            why = error.sentence(_)
            self._wrong += 1
            if self._wrong >= TRIES:
                self._say(why)
                raise asyncssh.PermissionDenied(why) from None
            return why
        return ""

    def _say(self, sentence: str) -> None:
        assert self._conn is not None
        with suppress(OSError):
            self._conn.send_auth_banner(f"{sentence}\r\n")

    def session_requested(self) -> "_Session | bool":
        if self._session is not None:
            return False
        self._session = _Session(self)
        return self._session


class _Session(asyncssh.SSHServerSession[bytes]):
    """A visitor's screen, from the line to the app and back."""

    def __init__(self, login: _Login) -> None:
        self._login = login
        self._channel_is_free = asyncio.Event()
        self._channel_is_free.set()
        self._size: Size = (80, 24)
        self._visitor: Visitor | None = None
        self._typed = asyncio.Queue[bytes]()
        """No more than the window of the channel allows: it is paused while there is any.

        Empty bytes are the end of the input."""
        self._is_gone = asyncio.Event()
        """Set once the other side has closed the channel."""

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
        # The channel stays open for what is to be shown: of ssh without input this comes first.
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
        """Have the app run, and show what it draws, until one of the two ends."""
        login, channel = self._login, self._channel
        if channel.get_terminal_type() is None and not login.lines:
            said = _("This needs a terminal: connect with ssh -t.")
            channel.write_stderr(f"{said}\r\n".encode())
            channel.exit(2)
        else:
            # Who has no key comes back as nobody.
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
        # Who reads nothing does not stay on the line of an app that has ended.
        visitor.ended.add_done_callback(lambda _: self._login.end_soon())
        typing = asyncio.create_task(self._type(visitor))
        try:
            while drawn := await visitor.read():
                channel.write(drawn)
                await self._login.may_write.wait()
                await self._channel_is_free.wait()
            status = await visitor.ended
            if (visitor.is_hung_up or status < 0) and not self._login.lines:
                # By the host's end, or killed; where the line has ended nothing can be written.
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
