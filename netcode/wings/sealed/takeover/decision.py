"""Decides about a takeover after a host has gone: calls, moves to another host, and hosting.

"We" means this person's program.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from netcode.wings.sealed.game.encoding import AddressBody, SealedError
from netcode.wings.sealed.game.parcels import Parcel, signed_parcel
from netcode.wings.sealed.game.sealing import Sealing
from netcode.wings.sealed.takeover.callable_addresses import callable_at

HOST: Final = -1
"""The number that stands for a host that is no person's program, such as a club's server."""

GRACE_S: Final = 3
"""Seconds without a connection before we call other persons than the lost host."""

DIAL_S: Final = 2
"""Seconds after which a call without an answer has failed."""

PATIENCE_S: Final = 6
"""Seconds for each person who comes before us to open a table.

A guest must also have been here for this time before we connect two tables.
"""

ALONE_S: Final = 10
"""Seconds for which we host without guests beside a newer host, before we step back."""

MOST_WAIT_S: Final = 30
"""Maximum seconds between two calls of one person."""

_CALLED_OFTEN: Final = 5
"""Number of calls that we assume for a person whom we do not need, so that the next call is
late.
"""

SPLIT_S: Final = 12
"""Seconds at a table after which missing persons count as players of another table."""

COME_S: Final = MOST_WAIT_S + 2 * PATIENCE_S
"""Seconds after which every person who can join a new host has joined."""

AHEAD_S: Final = 3600
"""Maximum seconds by which the time of another person's signature may be ahead of our clock."""

BEGAN_AHEAD_S: Final = 60
"""Maximum seconds by which another person's start of hosting may be ahead of our clock.

The limit is low, since a start in the future makes that host the newest for a long time.
"""

MOST_ADDRESSES: Final = 8
"""Maximum number of a person's addresses that are called in one game."""

MUTE_S: Final = 15
"""Seconds without an answer after which we leave a host. We then avoid that host equally long, and
twice as long each further time.
"""


class Dial(NamedTuple):
    """Call a person at all of their addresses and log in. `HOST` is called at its usual address.

    Report the outcome within `DIAL_S`, by one call of `reached` or `failed`.
    """

    person: int
    pin: bytes
    """The fingerprint that the person's certificate must have; empty if it is unknown."""
    addresses: tuple[str, ...]


class HangUp(NamedTuple):
    """Close our connection to a person whom we have called."""

    person: int


class Follow(NamedTuple):
    """Play by the connection to a person. Close the former connection if its person is no host."""

    person: int


class GiveUp(NamedTuple):
    """Close the connection to the present host, because it does not answer."""

    person: int


class TakeOver(NamedTuple):
    """Host the table: accept persons who are logged in here already, and later callers."""


class StepBack(NamedTuple):
    """Stop hosting the table, because another person hosts it for everybody."""


class SendAddresses(NamedTuple):
    """Send our addresses by all open connections."""

    parcel: Parcel


Deed: TypeAlias = Dial | HangUp | Follow | GiveUp | TakeOver | StepBack | SendAddresses
"""An action for the program. `advance` assumes that each action except a `Dial` is completed at
once.
"""


@dataclass(slots=True)
class _Peer:
    """The facts that we know about the program of another person, or about the host.

    Its times are by the clock of `TakeoverDecision`.
    """

    calls: int = 0
    """Number of calls since the last answer, the loss of the table, or a change of addresses."""
    called: float = 0
    """The time of our last call to the peer; 0 before the first one."""
    is_being_called: bool = False
    since: float | None = None
    """The time at which our connection to the person opened; None without a connection."""
    decoded: AddressBody | None = None
    parcel: Parcel | None = None
    addresses: tuple[str, ...] = ()
    """The first different addresses that the person has sent, at most `MOST_ADDRESSES`."""
    was_mute: int = 0
    """Number of times that the person hosted but did not answer."""
    mute_until: float = 0
    """The time until which we do not follow the person, who did not answer; 0 for no such time."""


class TakeoverDecision:
    """Decides for one person's program in a sealed game, from its knowledge of all others.

    Report events by `receive_addresses`, `reached`, `failed`, `lost`, `joined`, `left` and `see`.
    Call `advance` after each event, and every second; it returns the actions. If `me` is `HOST`,
    this is the decision of no person's program, and only collects addresses to forward.

    Its times, as the argument `now`, are seconds of one monotonic clock. Only `began` is Unix time.
    """

    def __init__(
        self,
        sealing: Sealing,
        me: int,
        secret: bytes,
        pin: bytes,
        addresses: tuple[str, ...],
        plays_at: int | None,
    ) -> None:
        """Start with our secret key of the game, our certificate's fingerprint and our addresses.

        Without addresses nobody can call us, and we host only on request. `plays_at` is the host of
        our table: we, a person or `HOST`. It is None if there is no connection at the start.
        """
        self.sealing: Final = sealing
        self.me: Final = me
        self.plays_at = plays_at
        """The host of the table at which we play; None while there is no connection."""
        self.began = sealing.decoded.began if plays_at == me else 0
        """The Unix time at which we began to host, as in `AddressBody`; 0 if we do not host."""
        self._secret: Final = secret
        self._pin: Final = pin
        self._addresses: Final = addresses
        self._own: Parcel | None = None
        self._time = 0
        self._has_reported = not addresses
        self._peers: Final = defaultdict[int, _Peer](_Peer)
        if plays_at is not None and plays_at != me:
            self._peers[plays_at].since = 0
        self._guests: Final[dict[int, float]] = {}
        self._lost: int | None = None
        self._lost_at: float | None = None
        """The time of our table's last loss, or else of the first `advance`; None before both."""
        self._alone_since: float | None = None
        self._is_requested = False
        self._was_there = plays_at is not None
        self.unanswered_since: float | None = None
        """The time at which the host began to owe us an answer; None if it owes none."""
        self._now = 0.0
        self.split: frozenset[int] = frozenset()
        """The persons of a lost table who do not play at our present table."""
        self._there: frozenset[int] = frozenset()
        """The other persons at our table, according to the last report."""
        self._missing: frozenset[int] = frozenset()
        """The persons of former tables who have not joined the present one."""
        self._settled_at = 0.0
        """The time at which we came to the present table; 0 before the first move."""
        self._follows: int | None = None
        """The person that we named as followed when we last sent our addresses; None for nobody."""
        self._unreached: dict[int, float] = {}
        """The guests who host a later table that we have not reached.

        Each has the time at which we noticed this.
        """
        self._called_by_all_since: float | None = None
        """The time at which everybody had called here although the table is split.

        It is None while the table is whole, or a person has not called.
        """
        self._callers: set[int] = set()
        """The persons who have called here, or have joined the table that we host."""

    @property
    def possible_hosts(self) -> tuple[int, ...]:
        """The persons who allow the table to continue at their machines, in order."""
        known = {
            person
            for person, peer in self._peers.items()
            if peer.decoded and peer.decoded.addresses
        }
        return tuple(sorted(known | ({self.me} if self._addresses else set())))

    def parcels(self) -> list[Parcel]:
        """Return the known addresses of all persons.

        Send them only to persons who may know them.
        """
        known = [self._own, *(peer.parcel for peer in self._peers.values())]
        return [parcel for parcel in known if parcel is not None]

    def ask_to_open(self) -> None:
        """Make the next `advance` host the table, even beside another host."""
        self._is_requested = True

    # Events

    def receive_addresses(self, parcel: Parcel, unix_s: int) -> bool:
        """Handle a person's addresses. Return True if they are new and must be forwarded.

        Addresses that come before the first `advance` were stored, and may be old. Raises
        SealedError for an invalid parcel, and for a time too far ahead of our clock.
        """
        body = self.sealing.read(parcel)
        if not isinstance(body, AddressBody) or body.time > unix_s + AHEAD_S:
            raise SealedError("malformed")
        if body.began > unix_s + BEGAN_AHEAD_S:
            raise SealedError("malformed")
        if body.person == self.me:
            # The host sent back our own addresses from an earlier start, perhaps by a clock that
            # was ahead. Our next addresses need a later time.
            if self._own is None or body.time > self._time:
                self._time, self._has_reported = body.time, False
            return False
        peer = self._peers[body.person]
        if peer.decoded is not None and body.time <= peer.decoded.time:
            return False
        is_remembered = self._lost_at is None
        if body.person == self.plays_at and not (peer.decoded or body.began or is_remembered):
            # The person who seemed to be the host is not, so the host is no person's program.
            self.plays_at, self._peers[HOST].since, peer.since = HOST, peer.since, None
        known = dict.fromkeys((*peer.addresses, *body.addresses))
        addresses = tuple(known)[:MOST_ADDRESSES]
        if addresses != peer.addresses:
            peer.addresses, peer.calls = addresses, 0
        peer.decoded, peer.parcel = body, parcel
        return True

    def expect_answer(self, now: float) -> None:
        """Record that the host owes us an answer from now on.

        Parcels and a `LogAt` from the host count as an answer.
        """
        self.unanswered_since = now if self.unanswered_since is None else self.unanswered_since

    def reached(self, person: int, now: float) -> None:
        """Record that a call succeeded: we are logged in, and have the person's addresses."""
        peer = self._peers[person]
        peer.is_being_called, peer.calls, peer.since = False, 0, now

    def failed(self, person: int) -> None:
        """Record that a call failed."""
        if person in self._peers:
            self._peers[person].is_being_called = False

    def lost(self, person: int, now: float) -> None:
        """Record the loss of a connection: to a called person, or to the host."""
        self._peers[person].since = None
        if person == self.plays_at:
            self._leave_table()
            self._missing -= {person}
            self.plays_at, self._lost, self._lost_at, self.unanswered_since = (
                None,
                person,
                now,
                None,
            )
            for peer in self._peers.values():
                peer.calls = 0

    def joined(self, person: int, now: float) -> None:
        """Record that a person has called and logged in here."""
        self._guests[person] = now
        self._callers.add(person)

    def left(self, person: int) -> None:
        """Record the loss of a caller's connection."""
        if self._guests.pop(person, None) is not None and self.plays_at == self.me:
            self._see_gone({person})

    def see(self, persons: Collection[int]) -> None:
        """Record the other persons who are now at our table."""
        before, self._there = self._there, frozenset(persons)
        self._see_gone(before - self._there)

    # Actions

    def advance(self, now: float, unix_s: int) -> list[Deed]:
        """Return the actions that are due.

        The caller must complete each, except a `Dial`, at once.
        """
        deeds: list[Deed] = []
        self._now = now
        at = self.plays_at
        if at is not None and at != self.me:
            if self.unanswered_since is not None and now - self.unanswered_since >= MUTE_S:
                peer, self.unanswered_since = self._peers[at], None
                peer.mute_until = now + MUTE_S * 2**peer.was_mute
                peer.was_mute = min(peer.was_mute + 1, 8)
                deeds.append(GiveUp(at))
                self.lost(at, now)
            elif not self._hosts(at):
                # The host has stepped back because it had no guests, so we have no table.
                self.plays_at, self._lost_at = None, now
        self._lost_at = now if self._lost_at is None else self._lost_at
        waited = now - self._lost_at
        reached = [person for person, peer in self._peers.items() if peer.since is not None]
        best = max(filter(self._hosts, reached), key=self._rank, default=None)
        if best is not None and best != self.plays_at and self._is_newer(best):
            self._leave_table()
            self.plays_at, self._was_there, self.unanswered_since = best, True, None
            self._settled_at = now
            deeds.append(Follow(best))
        is_overtaking = self._is_to_overtake(now)
        if is_overtaking or self._is_to_open(now, waited):
            is_bridge = not (self._is_requested or is_overtaking) and self.plays_at is not None
            answering = [one for one, peer in self._peers.items() if now >= peer.mute_until]
            newest = max(map(self._rank, answering), default=(0, 0))[0]
            if self.plays_at is not None and is_bridge:
                # The value `began` of a follower must be less than that of the person it follows,
                # so that followers cannot form a circle.
                self.began = self._rank(self.plays_at)[0] - 1
            else:
                self._leave_table()
                self.began, self.plays_at = max(unix_s, newest + 1, self.began + 1), self.me
                self._settled_at = now
            self._is_requested = self._has_reported = False
            deeds.append(TakeOver())
        if self._is_to_step_back(now):
            self.began, self._has_reported = 0, False
            deeds.append(StepBack())
        self._look_for_split(now)
        for person, peer in self._peers.items():
            deeds += self._call(person, peer, now, waited)
        is_following = self.began and self.plays_at not in (None, self.me, HOST)
        follows = self.plays_at if is_following else None
        if not self._has_reported or follows != self._follows:
            self._follows = follows
            self._has_reported, self._time = True, max(unix_s, self._time + 1)
            body = AddressBody(
                self.sealing.gid,
                self.me,
                self._pin,
                self._time,
                self.began,
                self._addresses,
                follows,
            )
            self._own = signed_parcel(self._secret, body)
            deeds.append(SendAddresses(self._own))
        return deeds

    def _hosts(self, person: int) -> bool:
        """Return True if a person hosts, as far as we know, and we do not avoid them.

        The first host counts as hosting until it has sent its addresses.
        """
        peer = self._peers[person]
        is_mute = self._now < peer.mute_until
        return not is_mute and (peer.decoded is None or peer.decoded.began > 0)

    def _has_report(self, person: int) -> bool:
        """Return True if a person has sent their addresses."""
        return person in self._peers and self._peers[person].decoded is not None

    def _rank(self, person: int) -> tuple[int, int]:
        """Return the sort key of a host: the host that began last has the highest."""
        if person == self.me:
            return self.began, -person
        body = self._peers[person].decoded
        return (self.sealing.decoded.began if body is None else body.began), -person

    def _is_newer(self, person: int) -> bool:
        """Return True if a person hosts, and began later than the host of our table."""
        if not self._hosts(person):
            return False
        mine = self.me if self.plays_at is None else self.plays_at
        return self._rank(person) > self._rank(mine)

    def _is_to_open(self, now: float, waited: float) -> bool:
        if self._is_requested:
            return True
        if not self._addresses and not self.began:
            return False
        if self.plays_at is not None:
            waiting = [now - since >= PATIENCE_S for since in self._guests.values()]
            return not self.began and any(waiting)
        before = [peer for person, peer in self._peers.items() if self._comes_before(person)]
        have_failed = all(
            peer.calls and not peer.is_being_called and peer.since is None for peer in before
        )
        # A program that has just started may not know the host yet, so wait longer.
        patience = GRACE_S if self._was_there else GRACE_S + PATIENCE_S
        waits_for = 0 if have_failed else PATIENCE_S * len(before)
        return waited >= patience + waits_for

    def _is_to_overtake(self, now: float) -> bool:
        """Return True if we should host for everybody, because the table is split without need.

        The split is needless if a later host has called here but cannot be called. It is also
        needless if everybody has called here, including persons who play elsewhere.
        """
        at = self.plays_at
        waiting = {one for one, since in self._guests.items() if now - since >= PATIENCE_S}
        unreached = {one for one in waiting if self._is_unreached(one)}
        self._unreached = {one: self._unreached.get(one, now) for one in unreached}
        if at is None or not (self._addresses or self.began):
            return False
        for person, since in self._unreached.items():
            # A later host is called only rarely, so it counts only after we have called it.
            was_called = not self._is_newer(person) or self._peers[person].called >= since
            if was_called and now - since >= PATIENCE_S:
                return True
        all_others = {*self._followed(), *self._at_table(), *self.split}
        is_split = at not in (self.me, HOST) and self.split and now - self._settled_at >= COME_S
        if not is_split or not all_others <= self._callers:
            self._called_by_all_since = None
            return False
        # Other persons may be about to follow a host, so wait before overtaking.
        self._called_by_all_since = self._called_by_all_since or now
        return now - self._called_by_all_since >= PATIENCE_S

    def _is_unreached(self, person: int) -> bool:
        """Return True if a guest hosts a later table, which we neither follow nor have reached.

        A table is later if its host would rank above us if we hosted beside our own host.
        """
        at = self.plays_at
        if at is None or not self._has_report(person) or not self._hosts(person):
            return False
        if person in self._followed():
            return False
        if self._peers[person].since is not None:
            return False
        # The rank that this program would have if it began to host now.
        mine = self.began or self._rank(at)[0] - 1
        return self._rank(person) > (mine, -self.me)

    def _followed(self) -> list[int]:
        """Return the host of our table, the host that this host follows, and so on."""
        followed: list[int] = []
        at = self.plays_at
        while at is not None and at != self.me and at not in followed:
            followed.append(at)
            body = self._peers[at].decoded
            at = None if body is None else body.follows
        return followed

    def _at_table(self) -> frozenset[int]:
        """Return the other persons at our table, except later hosts that have called."""
        at = self.plays_at
        if at is None:
            return frozenset()
        there = {*self._guests} if at == self.me else {*self._there, at}
        later = {
            each
            for each in there - {at}
            if self._has_report(each) and self._hosts(each) and self._rank(each) > self._rank(at)
        }
        return frozenset(there - later)

    def _leave_table(self) -> None:
        """Record the persons of the table that we leave as missing, until they join us again."""
        self._missing = (self._missing | self._at_table()) - {self.me, HOST}
        self._there = frozenset()

    def _see_gone(self, persons: Collection[int]) -> None:
        """Record persons who have left as missing, if they may have moved to another table."""
        if self.split or (self._settled_at and self._now - self._settled_at < SPLIT_S):
            self._missing |= {*persons}

    def _look_for_split(self, now: float) -> None:
        """Update the persons who play elsewhere, after everybody had time to join."""
        # A new caller may host a table and report this next. Until then they stay missing.
        calling = {one for one, since in self._guests.items() if now - since < DIAL_S}
        self._missing -= self._at_table() - calling
        is_settled = self.plays_at is not None and now - self._settled_at >= SPLIT_S
        self.split = self._missing if is_settled else self.split & self._missing
        if self.plays_at == self.me and now - self._settled_at >= COME_S:
            # A person who has not joined by now cannot join, so they no longer count as a caller.
            self._callers &= {*self._guests}

    def _comes_before(self, person: int) -> bool:
        """Return True if a person should open a table before us.

        It is the person with the lower number, or the only one of us who can call the other. The
        address of a person behind a tunnel is valid only on their own machine.
        """
        body = self._peers[person].decoded
        if person < 0 or body is None or not (body.addresses and self._addresses):
            return 0 <= person < self.me
        can_call = bool(callable_at(body.addresses, self._addresses))
        can_be_called = bool(callable_at(self._addresses, body.addresses))
        return person < self.me if can_call is can_be_called else can_call

    def _is_to_step_back(self, now: float) -> bool:
        if not self.began or self.plays_at in (None, self.me) or self._guests:
            self._alone_since = None
            return False
        if self._alone_since is None:
            self._alone_since = now
        return now - self._alone_since >= ALONE_S

    def _call(self, person: int, peer: _Peer, now: float, waited: float) -> list[Deed]:
        """Return the action for a person: a call, the end of a connection, or none."""
        if peer.since is not None:
            is_needed = self.plays_at in (None, person) or (
                self.plays_at == self.me
                and person not in self._guests
                and (self._hosts(person) or now - peer.since < 2 * PATIENCE_S)
            )
            if is_needed:
                return []
            peer.since, peer.called, peer.calls = None, now, _CALLED_OFTEN
            return [HangUp(person)]
        if self.plays_at is None:
            is_wanted = person == self._lost or waited >= GRACE_S
        else:
            # Programs that opened tables at the same time call each other, to find out which of
            # them can.
            is_uncalled = person not in self._guests or (self._lost is not None and not peer.calls)
            is_wanted = self._is_newer(person) or (self.plays_at == self.me and is_uncalled)
        is_early = peer.calls and now - peer.called < min(MOST_WAIT_S, 2**peer.calls)
        if not is_wanted or peer.is_being_called or is_early:
            return []
        peer.is_being_called, peer.called, peer.calls = True, now, peer.calls + 1
        if peer.decoded is None:
            return [Dial(person, b"", ())]
        callable_now = tuple(each for each in peer.decoded.addresses if each in peer.addresses)
        return [Dial(person, peer.decoded.pin, callable_now)]
