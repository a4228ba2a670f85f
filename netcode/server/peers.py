"""The connections of a server: what is sent on each, how fast each may speak, how many there are.

No peer waits for another: what one does not read waits for it alone, and one that does not read at
all is cut off by its line.
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
    """What connections share: the time of each network, and the frames of each table."""

    def __init__(self, limits: Limits) -> None:
        """Begin with all that there may be."""
        self.limits = limits
        self.network_ms = Buckets(limits.network_ms)
        self.table_frames = Buckets(limits.table_frames)
        """By the table's number."""


class Peer:
    """One connection: the table to which it has come, its budget, and what waits to be sent."""

    def __init__(self, number: int, channel: Channel, budgets: Budgets) -> None:
        self.number = number
        """What tables know it by; it never comes again."""
        self.network = network_of(channel.peer)
        """Where it comes from; empty if that means nothing."""
        self.is_forwarded = is_forwarded(channel.peer)
        """Whether only a forwarder, such as a relay, says where it comes from."""
        self.port = channel.ports[1]
        """The port at its end, as seen here; 0 if that means nothing."""
        self.silent_until = 0.0
        """When something from it is taken again; before, it spoke too fast."""
        self.entry: TableEntry | None = None
        """The table to which it has come; None before that."""
        self.is_trusted = False
        """True once it has shown a secret, also if that was no table's."""
        self.more_time_s = 0.0
        """Seconds that it has to come to a table beyond the usual time."""
        self.knocked: tuple[TableEntry, str, SpokenCodeHost] | None = None
        """The knock that waits for its proof, and the code that it is about."""
        self._strikes = 0
        """How many of its messages were none, or were refused before a table had let it in."""
        self._budgets = budgets
        self._pace = TokenBucket(budgets.limits.frames)
        self._share = TokenBucket(ASSURED_FRAMES)
        self.channel = channel
        """What carries it."""
        self._gather_s = budgets.limits.gather_s
        self._gathered: Lobby | None = None
        """The newest Lobby of those that came too soon after the last."""
        self.overdue: ScheduledCall | None = None
        """Ends it if it comes to no table in time."""
        self._timer: asyncio.Handle | None = None
        """Runs for a moment after one was sent."""
        self._ending: asyncio.Task[None] | None = None
        """Ends the connection once everything has been sent."""
        self.is_closing = False
        """Whether nothing more is sent to it, and what it says does not count."""

    def count_frame(self, now: float) -> None:
        """Count a frame that came from it, which may have been too soon.

        Who says more than their share waits for a network or a table that is too busy.
        """
        limits, budgets = self._budgets.limits, self._budgets
        # A flood of frames leaves half of the time to the peers that wait for their turn.
        most_owed = limits.network_ms.burst / 2
        busy_s = budgets.network_ms.of(self.network, now).take(now, FRAME_MS, most_owed)
        if self.entry is not None:
            most_owed = limits.table_frames.burst
            frames = budgets.table_frames.of(str(self.entry.number), now)
            busy_s = max(busy_s, frames.take(now, most_owed=most_owed))
        share_s = self._share.take(now, most_owed=ASSURED_FRAMES.burst)
        self.silent_until = now + max(self._pace.take(now), min(share_s, busy_s))

    async def has_turn(self, now: float, code: str) -> bool:
        """Wait until its network has time for what costs much, or refuse that if it owes."""
        rate = self._budgets.limits.network_ms
        network = self._budgets.network_ms.of(self.network, now)
        wait = network.wait(now, TURN_MS)
        if wait * rate.per_s > rate.burst:
            self.answer(self.strike(code, {"seconds": int(wait) + 1}))
            return False
        await asyncio.sleep(network.take(now, TURN_MS))
        return not self.is_closing

    def strike(self, code: str, values: Values | None = None) -> Refused | Goodbye:
        """Count a message that is refused, and return why it is, or the goodbye after too many."""
        if self.count_strike():
            return Goodbye(code="too_many_bad_messages")
        return Refused(code=code, values=values or {})

    def count_strike(self) -> bool:
        """Count something without sense, a name or a key; return whether it was the last try."""
        self._strikes += 1
        return self._strikes >= MAXIMUM_STRIKES

    def answer(self, message: Message) -> None:
        """Send a message, and end the connection if it is a Goodbye."""
        self.send(message)
        if isinstance(message, Goodbye):
            self.close()

    def send(self, message: Message) -> None:
        """Send a message after those before it.

        A Lobby that comes soon after another waits for a moment, and a newer one takes its place.
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
        """Send what waits, since something is to come after it."""
        if self._gathered is not None:
            self.channel.send(encode(self._gathered))
            self._gathered = None

    def dismiss(self, code: str) -> None:
        """Say goodbye with a code of `refusal_sentences.py`, and end the connection."""
        self.answer(Goodbye(code=code))

    def close(self) -> None:
        """End the connection once everything has been sent."""
        if not self.is_closing:
            self._send_gathered()
            self.is_closing = True
            self._ending = asyncio.create_task(self.channel.close())

    def cut(self) -> None:
        """End the connection without asking the peer."""
        self.is_closing = True
        self._gathered = None
        self.channel.abort()

    @property
    def is_stranger(self) -> bool:
        """Whether it has not shown yet that it belongs here."""
        return self.entry is None and not self.is_trusted

    async def closed(self) -> None:
        """Wait until nothing is left to be sent or closed."""
        if self._ending is not None:
            await self._ending


class Peers:
    """All connections of a server, by their numbers."""

    def __init__(self, limits: Limits) -> None:
        self._budgets = Budgets(limits)
        self.by_number: dict[int, Peer] = {}
        """Those that have not ended."""
        self._from = Counter[str]()
        """How many come from each network."""
        self._count = 0

    def __len__(self) -> int:
        return len(self.by_number)

    def __iter__(self) -> Iterator[Peer]:
        # A copy: what is done to one may end it.
        return iter(list(self.by_number.values()))

    def make_room_for(self, channel: Channel) -> bool:
        """Whether there may be another connection from there, maybe instead of a stranger's."""
        limits, network = self._budgets.limits, network_of(channel.peer)
        if network and self._from[network] >= limits.from_one_address:
            crowd = [peer for peer in self.by_number.values() if peer.network == network]
        elif is_forwarded(channel.peer):
            # A forwarder may make guests up, so they take only each other's places.
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
        """Return a new connection."""
        self._count += 1
        peer = self.by_number[self._count] = Peer(self._count, channel, self._budgets)
        self._from[peer.network] += 1
        return peer

    def remove(self, peer: Peer) -> None:
        """Forget a connection that has ended, if that has not been done."""
        if self.by_number.pop(peer.number, None) is None:
            return
        self._from[peer.network] -= 1
        if not self._from[peer.network]:
            del self._from[peer.network]
