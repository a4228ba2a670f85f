"""Who takes over when a host is gone: whom to call, whom to follow, when to open and step back."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from netcode.wings.sealed.game.encoding import AddressBody, SealedError
from netcode.wings.sealed.game.parcels import Parcel, signed
from netcode.wings.sealed.game.sealing import Sealing
from netcode.wings.sealed.takeover.callable_addresses import callable_at

HOST: Final = -1
"""Stands among persons for a host that is no person's program, such as a club's server."""

GRACE_S: Final = 3
"""Seconds without a line after which others than the one that is lost are called."""

DIAL_S: Final = 2
"""Seconds after which a call that is not answered has failed."""

PATIENCE_S: Final = 6
"""Seconds that each who comes before has to open, and before one makes a bridge for a guest."""

ALONE_S: Final = 10
"""Seconds for which a host beside a newer host waits for guests, then steps back."""

MOST_WAIT_S: Final = 30
"""Longest time between two calls of one person."""

_CALLED_OFTEN: Final = 5
"""As often as one counts to have called who is not needed: they are called again late."""

SPLIT_S: Final = 12
"""Seconds at one table after which those who have not come there play elsewhere, or not at all."""

COME_S: Final = MOST_WAIT_S + 2 * PATIENCE_S
"""Seconds in which everybody who can comes to a new host."""

AHEAD_S: Final = 3600
"""How far what others sign may be dated ahead of one's own clock."""

BEGAN_AHEAD_S: Final = 60
"""How far ahead they may date when they began to host: a date far ahead would hold for long."""

MOST_ADDRESSES: Final = 8
"""At how many addresses a person is called in one game, however often they tell others."""

MUTE_S: Final = 15
"""Seconds after which a host is left that does not answer; it is followed no more for as long as
this, and twice as long each time."""


class Dial(NamedTuple):
    """Call a person at all of their addresses, and log in; `HOST` as it was always called.

    It must be answered by one `reached` or `failed`, the latter after `DIAL_S` at the latest.
    """

    person: int
    pin: bytes
    """The fingerprint that their certificate must have; empty where none is known."""
    addresses: tuple[str, ...]


class HangUp(NamedTuple):
    """Close the line that one has called somebody by."""

    person: int


class Follow(NamedTuple):
    """Play on over the line to a person, and close the one before if they host nothing."""

    person: int


class GiveUp(NamedTuple):
    """Close the line to the person who hosted: they do not answer."""

    person: int


class TakeOver(NamedTuple):
    """Host the table from now on: take in who is logged in here, and who calls."""


class StepBack(NamedTuple):
    """Host the table no more: another does for all."""


class Tell(NamedTuple):
    """Tell where one may be called: whom one plays at, all who have told; all, if one hosts."""

    parcel: Parcel


Deed: TypeAlias = Dial | HangUp | Follow | GiveUp | TakeOver | StepBack | Tell
"""What a program is to do; the machine takes it as done, but for a call."""


@dataclass(slots=True)
class _Peer:
    """What is known of another person's program, or of the host's."""

    calls: int = 0
    """How often it was called since the line was lost, or since it was last reached."""
    called: float = 0
    """When it was called last."""
    is_being_called: bool = False
    since: float | None = None
    """Since when a line stands by which one has called it; None if none does."""
    said: AddressBody | None = None
    parcel: Parcel | None = None
    addresses: tuple[str, ...] = ()
    """The first that they have told."""
    was_mute: int = 0
    """How often they hosted and did not answer."""
    mute_until: float = 0
    """Until when they are not to be followed, since they did not answer."""


class TakeoverDecision:
    """One person's program, of a game that was sealed, and all that it knows of the others'.

    It is told what happens (`hear`, `reached`, `failed`, `lost`, `joined`, `left`) and says with
    `advance` what to do: after each of these, and every second. A host that is nobody's (`me` is
    `HOST`) is told what it hears, to pass it on, and no more.
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
        """Begin with the game key's secret half, one's own certificate's fingerprint and addresses.

        Without addresses nobody may call here, and one never begins to host unasked. At whose table
        one `plays_at` is oneself, a person or `HOST`; None after a start without a line.
        """
        self.sealing: Final = sealing
        self.me: Final = me
        self.plays_at = plays_at
        """At whose table one plays; None while there is no line."""
        self.began = sealing.said.began if plays_at == me else 0
        """Since when one hosts, as in `AddressBody`."""
        self._secret: Final = secret
        self._pin: Final = pin
        self._addresses: Final = addresses
        self._own: Parcel | None = None
        self._time = 0
        self._is_told = not addresses
        self._peers: Final = defaultdict[int, _Peer](_Peer)
        if plays_at is not None and plays_at != me:
            self._peers[plays_at].since = 0
        self._guests: Final[dict[int, float]] = {}
        self._lost: int | None = None
        self._lost_at: float | None = None
        """Since when there is no line, while there is none; at first since one has begun."""
        self._alone_since: float | None = None
        self._is_asked = False
        self._was_there = plays_at is not None
        self.unanswered_since: float | None = None
        """Since when an answer of the host is waited for."""
        self._now = 0.0
        self.split: frozenset[int] = frozenset()
        """Persons of the table that one has lost who do not play where one plays now."""
        self._there: frozenset[int] = frozenset()
        """The others at the table where one plays, as last told."""
        self._missing: frozenset[int] = frozenset()
        """Those of the tables that one has lost who have not come to the present one."""
        self._settled_at = 0.0
        """When one began to play where one plays."""
        self._follows: int | None = None
        """Whose relay one has told to follow."""
        self._unreached: dict[int, float] = {}
        """Since when guests host who follow nobody here, and whom no call has reached."""
        self._called_by_all_since: float | None = None
        """Since when the table is split although everybody has called here."""
        self._callers: set[int] = set()
        """Persons who have called here, or have come to be at the table here."""

    @property
    def possible_hosts(self) -> tuple[int, ...]:
        """The persons who allow that the table goes on at their machines, in order."""
        known = {
            person for person, peer in self._peers.items() if peer.said and peer.said.addresses
        }
        return tuple(sorted(known | ({self.me} if self._addresses else set())))

    def parcels(self) -> list[Parcel]:
        """Return where all can be called, as far as is known, for those alone who may know it."""
        known = [self._own, *(peer.parcel for peer in self._peers.values())]
        return [parcel for parcel in known if parcel is not None]

    def ask_to_open(self) -> None:
        """Host with the next `advance`, whoever else does: by hand, or as the host hands over."""
        self._is_asked = True

    # What happens

    def hear(self, parcel: Parcel, unix_s: int) -> bool:
        """Take where somebody can be called; return whether it was news, to be passed on.

        What is heard before the first `advance` is what was remembered, and may be old.
        """
        said = self.sealing.read(parcel)
        if not isinstance(said, AddressBody) or said.time > unix_s + AHEAD_S:
            raise SealedError("malformed")
        if said.began > unix_s + BEGAN_AHEAD_S:
            raise SealedError("malformed")
        if said.person == self.me:
            # Told before a restart, maybe by a clock that ran ahead.
            if self._own is None or said.time > self._time:
                self._time, self._is_told = said.time, False
            return False
        peer = self._peers[said.person]
        if peer.said is not None and said.time <= peer.said.time:
            return False
        is_remembered = self._lost_at is None
        if said.person == self.plays_at and not (peer.said or said.began or is_remembered):
            # They are host at a table that is not at their machine, but at one that is nobody's.
            self.plays_at, self._peers[HOST].since, peer.since = HOST, peer.since, None
        known = dict.fromkeys((*peer.addresses, *said.addresses))
        addresses = tuple(known)[:MOST_ADDRESSES]
        if addresses != peer.addresses:
            peer.addresses, peer.calls = addresses, 0
        peer.said, peer.parcel = said, parcel
        return True

    def expect_answer(self, now: float) -> None:
        """Store that the host was asked where its log ends, and has to answer."""
        self.unanswered_since = now if self.unanswered_since is None else self.unanswered_since

    def reached(self, person: int, now: float) -> None:
        """A call was answered, both are logged in, and what the other had to tell was heard."""
        peer = self._peers[person]
        peer.is_being_called, peer.calls, peer.since = False, 0, now

    def failed(self, person: int) -> None:
        """A call was not answered."""
        if person in self._peers:
            self._peers[person].is_being_called = False

    def lost(self, person: int, now: float) -> None:
        """A line is gone by which one had called somebody, or over which one played."""
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
        """Somebody has called and logged in here."""
        self._guests[person] = now
        self._callers.add(person)

    def left(self, person: int) -> None:
        """The line of somebody who had called is gone."""
        if self._guests.pop(person, None) is not None and self.plays_at == self.me:
            self._see_gone({person})

    def see(self, persons: Collection[int]) -> None:
        """Store which others are at the table where one plays."""
        before, self._there = self._there, frozenset(persons)
        self._see_gone(before - self._there)

    # What is to be done

    def advance(self, now: float, unix_s: int) -> list[Deed]:
        """Return what to do by now; all but a call is taken as done."""
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
                # They have stepped back, as nobody was there.
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
            is_bridge = not (self._is_asked or is_overtaking) and self.plays_at is not None
            heard = [one for one, peer in self._peers.items() if now >= peer.mute_until]
            newest = max(map(self._rank, heard), default=(0, 0))[0]
            if self.plays_at is not None and is_bridge:
                # Whoever follows is older than whom they follow: nobody follows in a circle.
                self.began = self._rank(self.plays_at)[0] - 1
            else:
                self._leave_table()
                self.began, self.plays_at = max(unix_s, newest + 1, self.began + 1), self.me
                self._settled_at = now
            self._is_asked = self._is_told = False
            deeds.append(TakeOver())
        if self._is_to_step_back(now):
            self.began, self._is_told = 0, False
            deeds.append(StepBack())
        self._look_for_split(now)
        for person, peer in self._peers.items():
            deeds += self._call(person, peer, now, waited)
        is_following = self.began and self.plays_at not in (None, self.me, HOST)
        follows = self.plays_at if is_following else None
        if not self._is_told or follows != self._follows:
            self._follows = follows
            self._is_told, self._time = True, max(unix_s, self._time + 1)
            said = AddressBody(
                self.sealing.gid,
                self.me,
                self._pin,
                self._time,
                self.began,
                self._addresses,
                follows,
            )
            self._own = signed(self._secret, said)
            deeds.append(Tell(self._own))
        return deeds

    def _hosts(self, person: int) -> bool:
        """Return whether a person hosts as far as is known; the first host does."""
        peer = self._peers[person]
        is_mute = self._now < peer.mute_until
        return not is_mute and (peer.said is None or peer.said.began > 0)

    def _has_told(self, person: int) -> bool:
        """Return whether a person has told where they can be called."""
        return person in self._peers and self._peers[person].said is not None

    def _rank(self, person: int) -> tuple[int, int]:
        """Return by what a host comes before another: the one that has begun last holds."""
        if person == self.me:
            return self.began, -person
        said = self._peers[person].said
        return (self.sealing.said.began if said is None else said.began), -person

    def _is_newer(self, person: int) -> bool:
        """Return whether a person hosts since later than the host where one plays."""
        if not self._hosts(person):
            return False
        mine = self.me if self.plays_at is None else self.plays_at
        return self._rank(person) > self._rank(mine)

    def _is_to_open(self, now: float, waited: float) -> bool:
        if self._is_asked:
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
        # Whoever has just started may not know yet who hosts.
        patience = GRACE_S if self._was_there else GRACE_S + PATIENCE_S
        waits_for = 0 if have_failed else PATIENCE_S * len(before)
        return waited >= patience + waits_for

    def _is_to_overtake(self, now: float) -> bool:
        """Return whether to host for all, since the table is split and need not be.

        Somebody has called here who hosts since later, but whom no call from here reaches; or
        everybody has called here, those who play elsewhere too.
        """
        at = self.plays_at
        waiting = {one for one, since in self._guests.items() if now - since >= PATIENCE_S}
        unreached = {one for one in waiting if self._is_unreached(one)}
        self._unreached = {one: self._unreached.get(one, now) for one in unreached}
        if at is None or not (self._addresses or self.began):
            return False
        for person, since in self._unreached.items():
            # It may be called only now and then.
            was_called = not self._is_newer(person) or self._peers[person].called >= since
            if was_called and now - since >= PATIENCE_S:
                return True
        all_others = {*self._followed(), *self._at_table(), *self.split}
        is_split = at not in (self.me, HOST) and self.split and now - self._settled_at >= COME_S
        if not is_split or not all_others <= self._callers:
            self._called_by_all_since = None
            return False
        # Others may be about to follow somebody.
        self._called_by_all_since = self._called_by_all_since or now
        return now - self._called_by_all_since >= PATIENCE_S

    def _is_unreached(self, person: int) -> bool:
        """Return whether a guest hosts who follows nobody here, and whom no call has reached."""
        at = self.plays_at
        if at is None or not self._has_told(person) or not self._hosts(person):
            return False
        if person in self._followed():
            return False
        if self._peers[person].since is not None:
            return False
        # It would be a bridge if it began now.
        mine = self.began or self._rank(at)[0] - 1
        return self._rank(person) > (mine, -self.me)

    def _followed(self) -> list[int]:
        """Return at whose relay one plays, whose that one follows, and so on."""
        followed: list[int] = []
        at = self.plays_at
        while at is not None and at != self.me and at not in followed:
            followed.append(at)
            said = self._peers[at].said
            at = None if said is None else said.follows
        return followed

    def _at_table(self) -> frozenset[int]:
        """Return the others who play where one plays: a later host who has called does not."""
        at = self.plays_at
        if at is None:
            return frozenset()
        there = {*self._guests} if at == self.me else {*self._there, at}
        later = {
            each
            for each in there - {at}
            if self._has_told(each) and self._hosts(each) and self._rank(each) > self._rank(at)
        }
        return frozenset(there - later)

    def _leave_table(self) -> None:
        """Take note of who was where one plays no more: they are to be met again."""
        self._missing = (self._missing | self._at_table()) - {self.me, HOST}
        self._there = frozenset()

    def _see_gone(self, persons: Collection[int]) -> None:
        """Take note of who has gone, maybe to a table that others play at since a host was lost."""
        if self.split or (self._settled_at and self._now - self._settled_at < SPLIT_S):
            self._missing |= {*persons}

    def _look_for_split(self, now: float) -> None:
        """Decide whether others play elsewhere, once they have had the time to come."""
        # Whoever has just called may host the table themselves, and tells so next.
        calling = {one for one, since in self._guests.items() if now - since < DIAL_S}
        self._missing -= self._at_table() - calling
        is_settled = self.plays_at is not None and now - self._settled_at >= SPLIT_S
        self.split = self._missing if is_settled else self.split & self._missing
        if self.plays_at == self.me and now - self._settled_at >= COME_S:
            # Whoever has not come by now cannot.
            self._callers &= {*self._guests}

    def _comes_before(self, person: int) -> bool:
        """Return whether a person opens before one: the lower, unless only one can call the other.

        Whoever has come through a tunnel has an address that means something on their machine only.
        """
        said = self._peers[person].said
        if person < 0 or said is None or not (said.addresses and self._addresses):
            return 0 <= person < self.me
        can_call = bool(callable_at(said.addresses, self._addresses))
        can_be_called = bool(callable_at(self._addresses, said.addresses))
        return person < self.me if can_call is can_be_called else can_call

    def _is_to_step_back(self, now: float) -> bool:
        if not self.began or self.plays_at in (None, self.me) or self._guests:
            self._alone_since = None
            return False
        if self._alone_since is None:
            self._alone_since = now
        return now - self._alone_since >= ALONE_S

    def _call(self, person: int, peer: _Peer, now: float, waited: float) -> list[Deed]:
        """Return whether to call somebody, or to hang up."""
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
            # Whoever opened at once calls all others too, so that each knows who can call there.
            is_uncalled = person not in self._guests or (self._lost is not None and not peer.calls)
            is_wanted = self._is_newer(person) or (self.plays_at == self.me and is_uncalled)
        is_early = peer.calls and now - peer.called < min(MOST_WAIT_S, 2**peer.calls)
        if not is_wanted or peer.is_being_called or is_early:
            return []
        peer.is_being_called, peer.called, peer.calls = True, now, peer.calls + 1
        if peer.said is None:
            return [Dial(person, b"", ())]
        told = tuple(each for each in peer.said.addresses if each in peer.addresses)
        return [Dial(person, peer.said.pin, told)]
