"""Who may come in by a door: whoever says the table's code, or was let in to it before.

Codes are said here and not proven, over a line that the door encrypts; doors and table together
listen to as many as a table without doors. A folder of each visitor remembers to which tables they
were let in; of too many folders those without a seat go first. After a new invitation those come
back who have the key to a seat, as at any table: it is the table that knows the key, or has
forgotten it.
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
from driflamme_tui.wings.doors.visitors import NO_ROOM, Guest, RefusedError, Visitors
from engine.words import Text
from netcode.joining.invitation import SCHEME, InvitationError, is_invitation, parse_invitation
from netcode.joining.spoken_code import CodeError, parse_code
from netcode.limits import GUESSES, Buckets, Guesses, Rate, TokenBucket, spend
from netcode.own_files import open_own, own_folder
from netcode.protocol.refusal_sentences import SENTENCES
from netcode.transport.listener import HandshakeLimits, Listener, ServeSocket

VISITORS: Final = "visitors"
"""The name of the folder in which those of all visitors are."""

ONCE: Final = "once-"
"""How the name of a folder begins that goes with its visitor, who has no key to come back with."""

LET_IN: Final = "let-in"
"""The name of the folder in which there is a file for each table, in that of a visitor."""

MOST_FOLDERS: Final = 1000
"""Maximum number of visitors' folders.

Of more, the older half loses those of visitors without a seat first, then the oldest: a flood of
newcomers takes nobody's seat, and a newcomer has time to sit down."""

NEW_VISITORS: Final = Rate(1 / 30, burst=100.0)
"""How fast newcomers of one network get a folder: at once as many as a club that meets there."""

ARRIVING: Final = 64, 32
"""How many connections without a screen a door may have at once; and how many of one network."""


class DoorCodes:
    """The invitation of a host's table or club, for those who come by a door."""

    def __init__(self, order: Order) -> None:
        self.table = Path(order.table)
        """The host's socket."""
        self.folder = Path(order.folder) / VISITORS
        """Where each visitor has a folder."""
        with suppress(FileNotFoundError):
            # Of a host that was killed.
            for each in os.scandir(self.folder):
                if each.name.startswith(ONCE):
                    _remove_unless_held(each)
        self.is_club = not order.code
        """Whether there is no code, and members have the invitation."""
        self.renew(order)
        self._guesses = Guesses()
        self._wrong_ones = TokenBucket(GUESSES)
        self._newcomers = Buckets(NEW_VISITORS)

    @property
    def _wrong(self) -> str:
        other: Text = "That is not the invitation of this club: ask for it once more."
        return other if self.is_club else SENTENCES["wrong_code"]

    def renew(self, order: Order) -> None:
        """Take this code from now on, and of those who were let in before who has a seat."""
        self._secret, self._former, self._code = order.secret, order.former, order.code

    def guest(self, identity: str, name: str, network: str) -> Guest:
        """Return somebody who was let in, by the invitation with which they come to the table."""
        return Guest(identity, name, self._secret_of(identity, name) or self._secret, network)

    def check(self, said: str, network: str, now: float) -> None:
        """Raise RefusedError unless the code was said, or the invitation, which nobody guesses."""
        secret = _secret_of(said)
        if secret is not None:
            if not hmac.compare_digest(secret, self._secret):
                raise RefusedError(self._wrong)
            return
        wait = self._guesses.wait(self._wrong_ones, network, now)
        if wait > 0:
            raise RefusedError(SENTENCES["too_many_knocks"], seconds=int(wait) + 1)
        # Until it turns out right it was a guess.
        self._guesses.count(self._wrong_ones, network, now, BESIDE_A_DOOR)
        try:
            right = hmac.compare_digest(parse_code(said), self._code)
        except CodeError:
            right = False
        if not right:
            raise RefusedError(self._wrong)
        self._guesses.count(self._wrong_ones, network, now, -BESIDE_A_DOOR)

    def remembers(self, identity: str, name: str) -> bool:
        """Whether somebody was let in before, and may come in again."""
        return self._secret_of(identity, name) is not None

    def _secret_of(self, identity: str, name: str) -> bytes | None:
        """Return the secret with which somebody was let in: one that leads to a seat, or else ours.

        None if neither is so.
        """
        folder, all_there_were = self.folder / identity, (self._secret, *self._former)
        known = [each for each in all_there_were if self._mark(identity, each).exists()]
        seated = (each for each in known if has_key(folder, f"{name} @ {seat_at(DOOR, each)}"))
        return next(seated, self._secret if self._secret in known else None)

    def remember(self, identity: str, network: str, now: float, date: float) -> None:
        """Let somebody in again without the code; they have come at `date`, of the wall clock.

        Raises RefusedError for a newcomer if too many newcomers have come from that network.
        """
        folder, mark = self.folder / identity, self._mark(identity, self._secret)
        if not folder.exists() and spend(now, self._newcomers.of(network, now)):
            raise RefusedError(NO_ROOM)
        own_folder(self.folder)
        own_folder(mark.parent)
        os.close(open_own(mark))
        os.utime(folder, (date, date))
        self._remove_surplus()

    def _remove_surplus(self) -> None:
        """Remove folders beyond the maximum number, except those that an app holds."""
        known = list(os.scandir(self.folder))
        surplus = len(known) - MOST_FOLDERS
        if surplus <= 0:
            return
        known.sort(key=lambda each: each.stat().st_mtime)
        older = known[: len(known) - MOST_FOLDERS // 2]
        # Lazy: in a flood the first few have no seat, and no other is searched for keys.
        seatless = (each for each in older if not has_any_key(Path(each)))
        removed = list(islice(seatless, surplus))
        removed += [each for each in older if each not in removed][: surplus - len(removed)]
        for each in removed:
            _remove_unless_held(each)

    def _mark(self, identity: str, secret: bytes) -> Path:
        return self.folder / identity / LET_IN / sha256(secret).hexdigest()


class Door:
    """A door, at sockets that listen."""

    def __init__(self, codes: DoorCodes, visitors: Visitors) -> None:
        """Let nobody in yet; `codes` judges who may come in, `visitors` runs their programs."""
        self.codes = codes
        self.visitors = visitors
        self._listeners: list[Listener] = []

    @property
    def port(self) -> int:
        """Where it listens."""
        address = self._listeners[0].address
        assert address is not None
        return address.port

    def listen(self, sockets: Iterable[socket], serve: ServeSocket, most: tuple[int, int]) -> None:
        """Have whoever connects served; `most` says how many may be there without a screen."""
        limits = HandshakeLimits(*most)
        self._listeners += [Listener(serve, each, limits=limits, collects=True) for each in sockets]

    async def close(self) -> None:
        """Let nobody in any more, and end the connections that are left."""
        for listener in self._listeners:
            await listener.close()


def _secret_of(said: str) -> bytes | None:
    """Return the secret of an invitation, or of what stands behind its last slash."""
    link = said if is_invitation(said) else f"{SCHEME}door/{said.strip()}"
    try:
        return parse_invitation(link).secret
    except InvitationError:
        return None


def _remove_unless_held(folder: os.DirEntry[str]) -> None:
    """Remove a visitor's folder, if no app of theirs holds it, of whatever host."""
    # Not at the top: no system without terminals has it.
    import fcntl

    with suppress(OSError):
        held = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder)
        finally:
            os.close(held)
