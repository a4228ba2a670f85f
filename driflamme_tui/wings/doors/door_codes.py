"""Admits visitors of a door if they send the table's code, or were admitted before.

Visitors send the code itself, over a connection that the door encrypts. Doors and table together
accept as many guesses as a table without doors.

Each visitor has a folder that stores the tables to which they were admitted. If there are too many
folders, those without a seat are removed first. After a new invitation, visitors with a key to a
seat may return, as at any table: the table decides whether the key is valid.
"""

import hmac
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from socket import socket
from typing import Final

from driflamme_tui.seat.seat_keys import has_any_key, has_key, seat_at
from driflamme_tui.wings.doors.door_limits import BESIDE_A_DOOR
from driflamme_tui.wings.doors.door_target import DOOR
from driflamme_tui.wings.doors.open_doors import Order
from driflamme_tui.wings.doors.visitors import TOO_MANY_VISITORS, Guest, RefusedError, Visitors
from engine.texts import Text
from netcode.joining.invitation import SCHEME, InvitationError, is_invitation, parse_invitation
from netcode.joining.spoken_code import CodeError, parse_code
from netcode.limits import GUESSES, Buckets, Guesses, Rate, TokenBucket, spend
from netcode.private_files import make_private_folder, open_private_file
from netcode.protocol.refusal_sentences import SENTENCES
from netcode.transport.listener import HandshakeLimits, Listener, ServeSocket

VISITORS: Final = "visitors"
"""The name of the folder that contains all visitors' folders."""

ONCE: Final = "once-"
"""The beginning of the name of a folder that is removed when its visitor leaves.

Such a visitor cannot return to the seat.
"""

LET_IN: Final = "let-in"
"""The folder within a visitor's folder with a file for each table that admitted the visitor."""

MOST_FOLDERS: Final = 1000
"""Maximum number of visitors' folders.

If there are more, some of the older half are removed: first folders without a seat, then the
oldest. So a flood of newcomers takes nobody's seat, and a newcomer has time to take one.
"""

NEW_VISITORS: Final = Rate(1 / 30, burst=100.0)
"""New folders per second for newcomers from one network. The burst is enough for a club that meets
in one place.
"""

ARRIVING: Final = 64, 32
"""Maximum number of a door's connections without a screen: in all, and from one network."""


class DoorCodes:
    """Decides on the admission of visitors at the doors of a table or club."""

    def __init__(self, order: Order) -> None:
        self.table = Path(order.table)
        """The path of the host's socket."""
        self.folder = Path(order.folder) / VISITORS
        """The folder that contains all visitors' folders."""
        with suppress(FileNotFoundError):
            # A host that was killed has left these folders, so remove them.
            for each in os.scandir(self.folder):
                if each.name.startswith(ONCE):
                    _remove_unless_locked(each)
        self.is_club = not order.code
        """True if there is no code, because the members of a club have the invitation."""
        self.renew(order)
        self._guesses = Guesses()
        self._wrong_ones = TokenBucket(GUESSES)
        self._newcomers = Buckets(NEW_VISITORS)

    @property
    def _wrong(self) -> str:
        other: Text = "This is not the invitation of this club: ask for it again."
        return other if self.is_club else SENTENCES["wrong_code"]

    def renew(self, order: Order) -> None:
        """Use a changed order from now on.

        After a new invitation, earlier visitors may return only if they have a seat.
        """
        self._secret, self._former, self._code = order.secret, order.former, order.code

    def guest(self, identity: str, name: str, network: str) -> Guest:
        """Return the data of an admitted guest, with the secret by which the guest joins."""
        return Guest(identity, name, self._secret_of(identity, name) or self._secret, network)

    def check(self, code: str, network: str, now: float) -> None:
        """Accept the code or the invitation from a visitor.

        A text that is no invitation counts as a guess. `now` is a time of the monotonic clock.

        Raises:
            RefusedError: The text admits nobody, or too many guesses were wrong.
        """
        secret = _secret_of(code)
        if secret is not None:
            if not hmac.compare_digest(secret, self._secret):
                raise RefusedError(self._wrong)
            return
        wait = self._guesses.wait(self._wrong_ones, network, now)
        if wait > 0:
            raise RefusedError(SENTENCES["too_many_knocks"], seconds=int(wait) + 1)
        # Count the text as a wrong guess until it proves right.
        self._guesses.count(self._wrong_ones, network, now, BESIDE_A_DOOR)
        try:
            right = hmac.compare_digest(parse_code(code), self._code)
        except CodeError:
            right = False
        if not right:
            raise RefusedError(self._wrong)
        self._guesses.count(self._wrong_ones, network, now, -BESIDE_A_DOOR)

    def remembers(self, identity: str, name: str) -> bool:
        """Return True if a visitor was admitted before, and may return."""
        return self._secret_of(identity, name) is not None

    def _secret_of(self, identity: str, name: str) -> bytes | None:
        """Return the secret by which a visitor joins, or None for a visitor who may not return.

        It is the secret of the invitation under which they have a seat. A visitor without a seat
        needs to be admitted under the present secret.
        """
        folder, all_there_were = self.folder / identity, (self._secret, *self._former)
        known = [each for each in all_there_were if self._mark(identity, each).exists()]
        seated = (each for each in known if has_key(folder, f"{name} @ {seat_at(DOOR, each)}"))
        return next(seated, self._secret if self._secret in known else None)

    def remember(self, identity: str, network: str, now: float, date: float) -> None:
        """Store that a visitor was admitted.

        `now` is a time of the monotonic clock, and `date` the Unix time of the visit. Surplus
        folders of other visitors are removed.

        Raises:
            RefusedError: Too many newcomers have come from that network.
        """
        folder, mark = self.folder / identity, self._mark(identity, self._secret)
        if not folder.exists() and spend(now, self._newcomers.of(network, now)):
            raise RefusedError(TOO_MANY_VISITORS)
        make_private_folder(self.folder)
        make_private_folder(mark.parent)
        os.close(open_private_file(mark))
        os.utime(folder, (date, date))
        self._remove_surplus()

    def _remove_surplus(self) -> None:
        """Remove folders above the maximum number, except folders that an app has locked."""
        known = list(os.scandir(self.folder))
        surplus = len(known) - MOST_FOLDERS
        if surplus <= 0:
            return
        known.sort(key=lambda each: each.stat().st_mtime)
        older = known[: len(known) - MOST_FOLDERS // 2]
        # Use a generator: in a flood the first few have no seat, so the others need not be
        # searched.
        seatless = (each for each in older if not has_any_key(Path(each)))
        removed = list(islice(seatless, surplus))
        removed += [each for each in older if each not in removed][: surplus - len(removed)]
        for each in removed:
            _remove_unless_locked(each)

    def _mark(self, identity: str, secret: bytes) -> Path:
        return self.folder / identity / LET_IN / sha256(secret).hexdigest()


class Door:
    """A server that listens at sockets, and admits visitors to a table or club."""

    def __init__(self, codes: DoorCodes, visitors: Visitors) -> None:
        """Begin without sockets. `codes` decides on admission, and `visitors` runs the programs."""
        self.codes = codes
        self.visitors = visitors
        self._listeners: list[Listener] = []

    @property
    def port(self) -> int:
        """The port of the door's first socket."""
        address = self._listeners[0].address
        assert address is not None
        return address.port

    def listen(self, sockets: Iterable[socket], serve: ServeSocket, most: tuple[int, int]) -> None:
        """Serve connections at these sockets.

        `most` has the maximum numbers of connections without a screen: in all, and from one
        network.
        """
        limits = HandshakeLimits(*most)
        self._listeners += [Listener(serve, each, limits=limits, collects=True) for each in sockets]

    async def close(self) -> None:
        """Stop listening, and end all connections."""
        for listener in self._listeners:
            await listener.close()


def _secret_of(code: str) -> bytes | None:
    """Return the secret in an invitation, or in the part after its last slash.

    Returns None without a secret.
    """
    link = code if is_invitation(code) else f"{SCHEME}door/{code.strip()}"
    try:
        return parse_invitation(link).secret
    except InvitationError:
        return None


def _remove_unless_locked(folder: os.DirEntry[str]) -> None:
    """Remove a visitor's folder unless an app of any host has locked it."""
    # Import here: systems without terminals lack this module.
    import fcntl

    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder)
        finally:
            os.close(descriptor)
