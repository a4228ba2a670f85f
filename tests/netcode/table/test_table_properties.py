"""Whatever comes, in whatever order, the table answers with effects and keeps its secrets."""

import sys
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.actions import ACTIONS
from engine.notation import format_position, parse_view
from engine.record import replay
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import (
    Absent,
    AddBot,
    Chat,
    Clock,
    EndGame,
    Here,
    HostMessage,
    Line,
    Lobby,
    Mute,
    NewInvitation,
    Pause,
    SendAway,
    SetReady,
    Silence,
    Start,
    State,
    TableMessage,
    TableSettings,
    Talk,
)
from netcode.protocol.refusal_sentences import SENTENCES
from netcode.table.effects import Effect
from netcode.table.people.absence import AWAY_GRACE_S
from netcode.table.people.host_role import HOST_AWAY_S
from tests.engine.random_games import examples
from tests.support.kept import assert_comes_back
from tests.support.pretend import OWNER_KEY, Network, Participant, asked, play_on, playing
from tests.support.strategies import families, table_messages, typed

PEERS = 6

SOMETIMES = ("greet", "drop", "malformed", "wait", "start", "alarm", "crash")
OFTEN = ("say", "act")

to_the_point: st.SearchStrategy[TableMessage] = st.one_of(
    st.builds(Chat, text=typed),
    st.builds(Mute, name=st.sampled_from([f"p{n}" for n in range(PEERS)]), muted=st.booleans()),
    st.builds(Pause, paused=st.booleans()),
    st.builds(Absent, family=families, choice=st.sampled_from(("wait", "bot"))),
    st.builds(SendAway, name=st.sampled_from([f"p{n}" for n in range(PEERS)])),
    st.builds(Silence, silenced=st.booleans()),
    st.just(NewInvitation()),
    st.just(EndGame()),
    st.just(Here()),
    st.builds(SetReady, ready=st.booleans()),
)
"""What has a meaning more often than what is drawn from all messages alike."""


class Chaos:
    """Peers that say anything at any time, to a table whose answers the pretend network checks."""

    def __init__(self, seed: int, owner_key: bytes | None, clock_s: int) -> None:
        self.rng = Random(seed)
        self.owner_key = owner_key
        self.network = Network(
            Random(seed),
            owner_key=owner_key,
            settings=TableSettings(clock_s=clock_s),
        )
        self.peers = [self._connect(number, owner_key) for number in range(PEERS)]
        self.said: dict[int, Line] = {}
        """All lines of chat, as they were passed on to anybody, since the host began."""

    def _connect(self, number: int, key: bytes | None) -> Participant:
        return Participant(self.network, f"p{number}", spectator=number == 5, key=key, greet=False)

    def step(self, number: int, what: str, message: TableMessage) -> None:
        peer = self.peers[number]
        if peer.is_closed():
            peer = self.peers[number] = self._connect(number, peer.session.key)
        network = self.network
        revision, record = network.table.revision, network.table.record()
        if what in OFTEN and not peer.received and self.rng.random() < 0.9:
            peer.greet()
        match what:
            case "say" if not peer.is_closed():
                peer.say(message)
            case "greet":
                peer.greet()
            case "act":
                self._act(asked([each for each in self.peers if not each.is_closed()]) or peer)
            case "drop":
                peer.drop()
                self.peers[number] = self._connect(number, peer.session.key)
            case "malformed":
                code = self.rng.choice(sorted(SENTENCES))
                network.carry_out(network.table.malformed(peer.connection, code, network.now))
            case "wait":
                network.wait(self.rng.choice((0.0, 1.0, AWAY_GRACE_S, HOST_AWAY_S)))
            case "alarm":
                network.carry_out(network.table.alarm(network.now))
            case "start":
                self.start()
            case "crash":
                self._crash()
        if network.table.revision == revision and network.table.record() is not None:
            assert network.table.record() == record
        self._check_lobbies()

    def _act(self, peer: Participant) -> None:
        view = peer.session.view
        legal = view.legal if view is not None else ()
        if not legal or self.rng.random() < 0.2:
            legal = tuple(ACTIONS.values())
        peer.say(peer.session.act(self.rng.choice(legal)))

    def _crash(self) -> None:
        if self.network.kept:
            self.check()
            self.said.clear()
            self.network.restart(self.owner_key)
            for number, peer in enumerate(self.peers):
                self.peers[number] = self._connect(number, peer.session.key)

    def start(self) -> None:
        """Have everybody try to come in and to begin a game."""
        for peer in self.peers:
            for message in (
                peer.session.hello(peer.name, peer.spectator),
                SetReady(ready=True),
                AddBot(bot="random"),
                Start(),
            ):
                if not peer.is_closed():
                    peer.say(message)

    def _check_lobbies(self) -> None:
        """Assert that all who are there were told the same of the table, and something sensible."""
        there = [each for each in self.peers if each in self.network.guests.values()]
        lobbies = [each.lobby() for each in there if each.session.lobby and not each.cut_off]
        for lobby in lobbies:
            assert sum(seat.host for seat in lobby.seats) <= 1
            names = [seat.name for seat in lobby.seats] + list(lobby.spectators)
            assert len(set(names)) == len(names)
            assert set(lobby.muted) <= set(names)
            assert lobby.phase == "playing" or not lobby.paused
            for seat in lobby.seats:
                # In a sealed game nobody answers for whoever is away.
                sealed = lobby.settings.sealed and lobby.phase == "playing"
                gone = ("no",) if sealed else ("grace", "wait", "bot")
                assert seat.away in (("no", "bot") if seat.present else gone)
                assert seat.bot is None or (seat.present, seat.away) == (True, "no")
        everybodys = [replace(lobby, you=None, host=False) for lobby in lobbies]
        assert all(one == other for one, other in pairwise(everybodys))

    def check(self) -> None:
        """Assert what must hold; that no view told too much has been checked on the way."""
        for peer in self.peers:
            states = [each for each in peer.received if isinstance(each, State)]
            assert all(one.revision <= next_.revision for one, next_ in pairwise(states))
            assert_clocks_fit(peer.received)
            for message in peer.received:
                if isinstance(message, Talk):
                    for index, line in enumerate(message.lines, message.first):
                        assert self.said.setdefault(index, line) == line
        record = self.network.table.record()
        if record is not None:
            assert len(list(replay(record))) == len(record.actions)


def assert_clocks_fit(received: list[HostMessage]) -> None:
    """Assert that a clock follows each State in which somebody is asked, if there is a clock."""
    lobby, awaited = None, None
    for message in received:
        match message:
            case Lobby():
                lobby = message
            case State():
                assert awaited is None
                assert lobby is not None
                if lobby.settings.clock_s and not parse_view(message.view, None).over:
                    awaited = message.revision
            case Clock():
                assert lobby is not None
                assert message.left_ms <= lobby.settings.clock_s * 1000
                assert awaited in (None, message.revision)
                awaited = None
            case _:
                pass
    assert awaited is None


steps = st.tuples(
    st.integers(0, PEERS - 1),
    st.sampled_from(SOMETIMES + 4 * OFTEN),
    table_messages | to_the_point,
)


@examples(100)
@given(
    st.integers(0, 2**32 - 1),
    st.none() | st.just(OWNER_KEY),
    st.booleans(),
    st.sampled_from((0, 0, 3, 60)),
    st.lists(steps, min_size=30, max_size=80),
)
def test_any_sequence_gives_effects_and_keeps_secrets(
    seed: int,
    owner_key: bytes | None,
    begun: bool,
    clock_s: int,
    sequence: list[tuple[int, str, TableMessage]],
) -> None:
    chaos = Chaos(seed, owner_key, clock_s)
    if begun:
        chaos.start()
    for step in sequence:
        chaos.step(*step)
    chaos.check()


class Restoring(Network):
    """A table of which it is tried after every input whether it would come back as it is."""

    tried = 0

    def carry_out(self, effects: list[Effect]) -> None:
        super().carry_out(effects)
        # What is to be done may bring more to be done.
        if self.kept and self.table._kept is self.kept[-1].snapshot:
            assert_comes_back(self.table, self.kept[-1])
            self.tried += 1


@examples(30)
@given(
    st.integers(0, 2**32 - 1),
    st.none() | st.just(OWNER_KEY),
    st.booleans(),
    st.lists(steps, min_size=20, max_size=50),
)
def test_after_every_input_what_is_kept_brings_the_table_back_that_there_is(
    seed: int, owner_key: bytes | None, begun: bool, sequence: list[tuple[int, str, TableMessage]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[__name__], "Network", Restoring)
        chaos = Chaos(seed, owner_key, 0)
        if begun:
            chaos.start()
        for step in sequence:
            chaos.step(*step)


@examples(5)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_through_any_troubles_what_is_kept_brings_the_table_back_that_there_is(
    seed: int, owned: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.support.pretend.Network", Restoring)
        evening = Evening(seed, OWNER_KEY if owned else None)
        for _ in range(150):
            evening.trouble()
    assert isinstance(evening.network, Restoring)
    assert evening.network.tried > 30


class Evening:
    """Persons who play a game through troubles of all kinds."""

    def __init__(self, seed: int, owner_key: bytes | None = None) -> None:
        self.rng = Random(seed)
        settings: dict[str, Any] = {
            "edition": self.rng.choice((1, 2)),
            "pace_ms": 0,
            "clock_s": self.rng.choice((0, 0, 5, 60)),
        }
        number = self.rng.randint(3, 5)
        self.guests = playing("abcde"[:number], self.rng, owner_key=owner_key, **settings)
        self.network = self.guests[0].network
        self.away: set[Participant] = set()

    @property
    def there(self) -> list[Participant]:
        return [participant for participant in self.guests if participant not in self.away]

    def trouble(self) -> None:
        rng, participant = self.rng, self.rng.choice(self.guests)
        host = next((each for each in self.there if each.session.is_host), participant)
        kinds: dict[str, float] = {
            "act": 20,
            "again": 3,
            "go": 1,
            "return": 3,
            "wait": 3,
            "steal": 1,
        }
        kinds |= {"pause": 1, "go on": 3, "decide": 2, "chat": 1, "here": 1, "crash": 0.3}
        match rng.choices(list(kinds), list(kinds.values())):
            case ["act"] if player := asked(self.there):
                player.act(rng.choice(player.view().legal).token)
            case ["again"] if participant not in self.away and participant.acts:
                participant.say(rng.choice(participant.acts))
            case ["go"] if participant not in self.away:
                self.away.add(participant)
                participant.drop()
            case ["return"] if participant in self.away:
                self.come_back(participant)
            case ["wait"]:
                self.network.wait(rng.choice((0, 1, AWAY_GRACE_S)))
            case ["steal"]:
                thief = Participant(self.network, "thief", key=rng.randbytes(32))
                assert thief.refusal == "unknown_key"
                thief.drop()
            case ["pause"] if host not in self.away:
                host.say(Pause(paused=True))
            case ["go on"] if host not in self.away:
                host.say(Pause(paused=False))
            case ["decide"] if host not in self.away:
                family: FamilyLetter = rng.choice(host.lobby().seats).family
                host.say(Absent(family=family, choice="wait" if rng.random() < 0.5 else "bot"))
            case ["chat"] if participant not in self.away:
                participant.say(Chat(text="so what"))
            case ["here"] if participant not in self.away:
                participant.say(Here())
            case ["crash"]:
                self.away.update(self.guests)
                self.network.restart(OWNER_KEY if self.guests[0].session.owner_key else None)

    def come_back(self, participant: Participant) -> None:
        self.away.discard(participant)
        participant.come_back()
        if participant.refusal == "unknown_key":
            # A new host knows the owner by the owner's key alone.
            participant.greet()


@examples(20)
@given(st.integers(0, 2**32 - 1))
def test_through_any_troubles_a_game_comes_to_the_same_end_for_all(seed: int) -> None:
    evening = Evening(seed)
    for _ in range(250):
        evening.trouble()
    for participant in list(evening.away):
        evening.come_back(participant)
    for participant in evening.guests:
        participant.say(Pause(paused=False))
    play_on(evening.guests)
    record = evening.network.table.record()
    assert record is not None
    *_, last = replay(record)
    end = format_position(last.after)
    for participant in evening.guests:
        assert participant.phase() == "result"
        assert format_position(participant.view()) == end


@examples(30)
@given(st.integers(0, 2**32 - 1), st.none() | st.just(OWNER_KEY))
def test_one_who_stays_can_always_play_to_the_end(seed: int, owner_key: bytes | None) -> None:
    evening = Evening(seed, owner_key)
    for _ in range(60):
        evening.trouble()
    *_, last = evening.guests
    for participant in evening.guests:
        if participant is not last and participant not in evening.away:
            participant.drop()
    if last in evening.away:
        evening.come_back(last)
    for _ in range(500):
        if last.phase() == "result":
            break
        if last.session.is_host:
            last.say(Pause(paused=False))
            for seat in last.lobby().seats:
                if seat.away == "wait":
                    last.say(Absent(family=seat.family, choice="bot"))
        play_on([last], 1)
        last.network.wait(AWAY_GRACE_S)
    assert last.phase() == "result"
