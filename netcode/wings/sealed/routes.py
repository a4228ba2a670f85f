"""Admits players of a sealed game to its table by their keys of that game."""

import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Final
from weakref import WeakKeyDictionary

from netcode.protocol.messages import Admitted
from netcode.server.admission import outdated_goodbye
from netcode.server.peers import Peer
from netcode.server.routes import Handlers, RouteMaker
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.server.tables import Runner
from netcode.table.effects import Send
from netcode.wings.sealed.kind import new_key_of, sealing_of
from netcode.wings.sealed.messages import Call, Challenge, LogIn

CHALLENGE_BYTES: Final = 32
"""Number of bytes of the challenge that a caller must sign."""


class LogIns:
    """Answers the calls of sealed games' players at one server."""

    def __init__(self, registry: TableRegistry, runner: Runner, certificate: bytes) -> None:
        """Start without calls. Callers sign the hash of this server's `certificate` too."""
        self._registry = registry
        self._runner = runner
        self._pin = sha256(certificate).digest()
        self._challenged = WeakKeyDictionary[Peer, tuple[TableEntry, bytes]]()
        """For each peer with an open call, the table and the challenge."""

    async def call(self, peer: Peer, call: Call, now: float) -> None:
        """Send a challenge to a peer that calls the table of a sealed game, or refuse the call."""
        goodbye = outdated_goodbye(call.protocol)
        if goodbye is not None:
            peer.answer(goodbye)
            return
        entry = self._registry.called(call.secret)
        sealing = None if entry is None or entry.table is None else sealing_of(entry.table)
        if entry is None or sealing is None or sealing.gid != call.gid:
            peer.answer(peer.strike("no_such_game"))
            return
        challenge = secrets.token_bytes(CHALLENGE_BYTES)
        self._challenged[peer] = entry, challenge
        peer.answer(Challenge(challenge))

    async def log_in(self, peer: Peer, log_in: LogIn, now: float) -> None:
        """Send a new key to a seat to a peer that has the game key of the seat's player.

        Any other peer gets a strike: one without an open call, without a sealed game at its table,
        or with a wrong signature.
        """
        entry, challenge = self._challenged.pop(peer, (None, b""))
        if entry is None:
            peer.answer(peer.strike("say_hello"))
            return
        table = entry.table
        sealing = None if table is None else sealing_of(table)
        if table is None or sealing is None:
            peer.answer(peer.strike("no_such_game"))
            return
        # Import here: these modules import cryptography, which no other message needs.
        from netcode.wings.sealed.game.encoding import LoginBody, SealedError, pack
        from netcode.wings.sealed.game.parcels import Parcel
        from netcode.wings.sealed.game.sealing import logged_in

        body = pack(LoginBody(sealing.gid, log_in.person, challenge, self._pin))
        try:
            person = logged_in(sealing, Parcel(body, log_in.signature), challenge, self._pin)
        except SealedError:
            peer.answer(peer.strike("wrong_game_key"))
            return
        key = new_key_of(table, person)
        if key is None:
            peer.answer(peer.strike("wrong_game_key"))
            return
        # The runner stores the new key in the journal before it sends the key to the peer.
        admitted = Send(peer.number, Admitted(secret=entry.secret, key=key))
        self._runner.execute(entry, [*table.changed(), admitted])


def _routes(
    registry: TableRegistry,
    runner: Runner,
    certificate: bytes,
    unix_time: Callable[[], float],
) -> Handlers:
    log_ins = LogIns(registry, runner, certificate)
    return {Call: log_ins.call, LogIn: log_ins.log_in}


SEAM: Final = RouteMaker(_routes)
