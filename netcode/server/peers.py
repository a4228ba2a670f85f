"""Defines the connections of a server: sending, rates, and their number.

No peer waits for another. Unsent messages wait for their receiver alone, and a peer that reads
nothing is disconnected.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator

from netcode.joining.spoken_code import SpokenCodeHost
from netcode.limits import (
    ASSURED_FRAMES,
    FRAME_MS,
    MAXIMUM_STRIKES,
    TURN_MS,
    Buckets,
    Limits,
    TokenBucket,
)
from netcode.protocol.codec import encode
from netcode.protocol.fields import Message, Values
from netcode.protocol.messages import Goodbye, Lobby, Refused
from netcode.server.table_registry import TableEntry
from netcode.transport.address import is_forwarded, network_of
from netcode.transport.channel import Channel
from netcode.transport.running_clock import ScheduledCall


class Budgets:
    """Limits that connections share: the time of each network, and the frames of each table."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.network_ms = Buckets(limits.network_ms)

    def frames_of(self, entry: TableEntry) -> TokenBucket:
        """Return the budget of frames of a table."""
        if entry.frames is None:
            entry.frames = TokenBucket(self.limits.table_frames)
        return entry.frames


class Peer:
    """A connection: its table, its limits, and its send queue."""

    def __init__(self, number: int, channel: Channel, budgets: Budgets) -> None:
        self.number = number
        """The number with which tables refer to the connection. No later connection gets it again.
        """
        self.network = network_of(channel.peer)
        """The network of the peer's address; "" without one, as on a unix socket."""
        self.is_forwarded = is_forwarded(channel.peer)
        """True if the peer's address comes from a forwarder, such as a relay."""
        self.port = channel.ports[1]
        """The port of the other end of the connection; 0 if there is none."""
        self.silent_until = 0.0
        """The time before which the peer's frames are not read, since it has sent too fast."""
        self.entry: TableEntry | None = None
        """The peer's table; None before the peer has joined one."""
        self.is_trusted = False
        """True once the peer has shown a valid secret."""
        self.more_time_s = 0.0
        """Seconds by which the deadline for choosing a table is extended once; 0 for none."""
        self.knocked: tuple[TableEntry, str, SpokenCodeHost] | None = None
        """The knock that waits for its proof, with its table and code; None if there is none."""
        self._strikes = 0
        """Number of strikes so far: invalid messages, names and keys, and refusals before
        admission.
        """
        self._budgets = budgets
        self._pace = TokenBucket(budgets.limits.frames)
        self._share = TokenBucket(ASSURED_FRAMES)
        self.channel = channel
        self._gather_s = budgets.limits.gather_s
        self._gathered: Lobby | None = None
        """The newest Lobby that came too soon after the last one; None if no Lobby waits."""
        self.overdue: ScheduledCall | None = None
        """The timer that ends the connection if no table is joined in time; otherwise None."""
        self._timer: asyncio.Handle | None = None
        """The timer that sends the waiting Lobby; None if the last one was long ago."""
        self._ending: asyncio.Task[None] | None = None
        """The task that closes the connection after everything was sent; None before the end."""
        self.is_closing = False
        """True while closing: nothing is sent, and incoming frames are ignored."""

    def count_frame(self, now: float) -> None:
        """Count a frame, and set `silent_until`, before which the next frame is not read.

        If a network or table is busy, a peer that exceeds its share must wait.
        """
        limits, budgets = self._budgets.limits, self._budgets
        # Bound the debt, so that a flood leaves half of the time to peers that wait.
        most_owed = limits.network_ms.burst / 2
        busy_s = budgets.network_ms.of(self.network, now).take(now, FRAME_MS, most_owed)
        if self.entry is not None:
            most_owed = limits.table_frames.burst
            frames = budgets.frames_of(self.entry)
            busy_s = max(busy_s, frames.take(now, most_owed=most_owed))
        share_s = self._share.take(now, most_owed=ASSURED_FRAMES.burst)
        self.silent_until = now + max(self._pace.take(now), min(share_s, busy_s))

    async def has_turn(self, now: float, code: str) -> bool:
        """Wait until the peer's network has time for an expensive request.

        Return True then, unless the peer's connection is closing. If the network has used too much
        time, refuse the request with `code` and return False.
        """
        rate = self._budgets.limits.network_ms
        network = self._budgets.network_ms.of(self.network, now)
        wait = network.wait(now, TURN_MS)
        if wait * rate.per_s > rate.burst:
            self.answer(self.strike(code, {"seconds": int(wait) + 1}))
            return False
        await asyncio.sleep(network.take(now, TURN_MS))
        return not self.is_closing

    def strike(self, code: str, values: Values | None = None) -> Refused | Goodbye:
        """Count a refused message as a strike.

        Return the refusal, or a Goodbye after too many strikes.
        """
        if self.count_strike():
            return Goodbye(code="too_many_bad_messages")
        return Refused(code=code, values=values or {})

    def count_strike(self) -> bool:
        """Count an invalid message, name or key as a strike; return True after too many."""
        self._strikes += 1
        return self._strikes >= MAXIMUM_STRIKES

    def answer(self, message: Message) -> None:
        """Send a message; after a Goodbye, also close the connection."""
        self.send(message)
        if isinstance(message, Goodbye):
            self.close()

    def send(self, message: Message) -> None:
        """Send a message after all earlier ones.

        A Lobby soon after another has to wait, and a newer Lobby replaces it. While the connection
        is closing, nothing is sent.
        """
        if self.is_closing:
            return
        if not isinstance(message, Lobby):
            if self._gathered is not None:
                self._send_gathered()
        elif self._timer is not None:
            self._gathered = message
            return
        elif self._gather_s:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._gather_s, self._moment_over)
        self.channel.send(encode(message))

    def _moment_over(self) -> None:
        self._timer = None
        gathered, self._gathered = self._gathered, None
        if gathered is not None:
            self.send(gathered)

    def _send_gathered(self) -> None:
        """Send the waiting Lobby now, since another message follows."""
        if self._gathered is not None:
            self.channel.send(encode(self._gathered))
            self._gathered = None

    def dismiss(self, code: str) -> None:
        """Send a Goodbye with a reason from `refusal_sentences.py`, and close the connection."""
        self.answer(Goodbye(code=code))

    def close(self) -> None:
        """Close the connection after everything was sent, including a waiting Lobby."""
        if not self.is_closing:
            self._send_gathered()
            self.is_closing = True
            self._ending = asyncio.create_task(self.channel.close())

    def cut(self) -> None:
        """End the connection at once."""
        self.is_closing = True
        self._gathered = None
        self.channel.abort()

    @property
    def is_stranger(self) -> bool:
        """True if the peer has no table and has shown no valid secret."""
        return self.entry is None and not self.is_trusted

    async def closed(self) -> None:
        """Wait until everything is sent and the connection is closed.

        Returns at once if `close` was not called.
        """
        if self._ending is not None:
            await self._ending


class Peers:
    """All connections of a server, by number."""

    def __init__(self, limits: Limits) -> None:
        self._budgets = Budgets(limits)
        self.by_number: dict[int, Peer] = {}
        """The open connections."""
        self._from = Counter[str]()
        """Number of connections of each network."""
        self._count = 0

    def __len__(self) -> int:
        return len(self.by_number)

    def __iter__(self) -> Iterator[Peer]:
        # Iterate over a copy, since an action on one connection may end it.
        return iter(list(self.by_number.values()))

    def make_space_for(self, channel: Channel) -> bool:
        """Return True if the server has a place for a new connection.

        If it is full, end the connection of a stranger to make space: the oldest forwarded one, or
        else the oldest of all. If the network of the new connection has too many, only strangers
        from that network count. For a forwarded connection, only forwarded strangers count, and
        their number has a limit of its own. Return False if no such stranger is connected.
        """
        limits, network = self._budgets.limits, network_of(channel.peer)
        if network and self._from[network] >= limits.from_one_address:
            crowd = [peer for peer in self.by_number.values() if peer.network == network]
        elif is_forwarded(channel.peer):
            # A forwarder may invent guests, so let them replace only each other.
            crowd = self._forwarded()
            strangers = sum(peer.is_stranger for peer in crowd)
            if len(self) < limits.connections and strangers < limits.forwarded:
                return True
        elif len(self) >= limits.connections:
            crowd = self._forwarded() + list(self)
        else:
            return True
        oldest = next((peer for peer in crowd if peer.is_stranger), None)
        if oldest is None:
            return False
        oldest.cut()
        self.remove(oldest)
        return True

    def _forwarded(self) -> list[Peer]:
        return [peer for peer in self.by_number.values() if peer.is_forwarded]

    def add(self, channel: Channel) -> Peer:
        """Add a new connection and return its peer."""
        self._count += 1
        peer = self.by_number[self._count] = Peer(self._count, channel, self._budgets)
        self._from[peer.network] += 1
        return peer

    def remove(self, peer: Peer) -> None:
        """Remove an ended connection. Does nothing if it was removed before."""
        if self.by_number.pop(peer.number, None) is None:
            return
        self._from[peer.network] -= 1
        if not self._from[peer.network]:
            del self._from[peer.network]
