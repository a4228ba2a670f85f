"""Tests that, for any input in any order, a table answers with effects and hides cards."""

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.actions import ACTIONS
from engine.position import OVER
from engine.record import replay
from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    Absent,
    AddBot,
    Chat,
    Clock,
    EndGame,
    Here,
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
    Talk,
)
from netcode.protocol.table_settings import TableSettings
from netcode.table.effects import Effect
from netcode.table.people.absence import AWAY_GRACE_S
from netcode.table.people.host_role import HOST_AWAY_S
from tests.engine.random_games import examples
from tests.support.kept import assert_comes_back
from tests.support.pretend import OWNER_KEY, Network, Participant, decider
from tests.support.strategies import families, table_messages, typed

PEERS = 6

SOMETIMES = ("greet", "drop", "wait", "start", "alarm", "crash")
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
"""Messages that are valid more often than random ones."""


class Restoring(Network):
    """A table that is restored after every input; the restored table must be equal."""

    tried = 0

    def execute(self, effects: list[Effect]) -> None:
        super().execute(effects)
        # Compare after the last effects only, because effects may cause more effects.
        if self.kept and self.table._kept is self.kept[-1].snapshot:
            assert_comes_back(self.table, self.kept[-1])
            self.tried += 1


class Chaos:
    """Peers that send anything at any time, over the pretend network."""

    def __init__(self, seed: int, owner_key: bytes | None, clock_s: int) -> None:
        self.rng = Random(seed)
        self.owner_key = owner_key
        self.network = Restoring(
            Random(seed),
            owner_key=owner_key,
            settings=TableSettings(clock_s=clock_s),
        )
        self.peers = [self._connect(number, owner_key) for number in range(PEERS)]
        self.said: dict[int, Line] = {}
        """All chat lines sent since the host began."""

    def _connect(self, number: int, key: bytes | None) -> Participant:
        return Participant(self.network, f"p{number}", spectator=number == 5, key=key, greet=False)

    def step(self, number: int, what: str, message: TableMessage) -> None:
        peer = self.peers[number]
        if peer.is_closed():
            peer = self.peers[number] = self._connect(number, peer.session.key)
        network = self.network
        revision, record = network.table.games.revision, network.table.record()
        if what in OFTEN and not peer.received and self.rng.random() < 0.9:
            peer.greet()
        match what:
            case "say" if not peer.is_closed():
                peer.send(message)
            case "greet":
                peer.greet()
            case "act":
                self._act(decider([each for each in self.peers if not each.is_closed()]) or peer)
            case "drop":
                peer.drop()
                self.peers[number] = self._connect(number, peer.session.key)
            case "wait":
                network.wait(self.rng.choice((0.0, 1.0, AWAY_GRACE_S, HOST_AWAY_S)))
            case "alarm":
                network.execute(network.table.alarm(network.now))
            case "start":
                self.start()
            case "crash":
                self._crash()
        after = network.table.record()
        if network.table.games.revision == revision and after is not None:
            assert record is not None
            # Ignore the players: if a bot takes a leaving player's seat, the record then has both.
            assert after._replace(players=record.players) == record
            first = [[each.holders[0] for each in one.players] for one in (record, after)]
            assert first[0] == first[1]
        self._check_lobbies()

    def _act(self, peer: Participant) -> None:
        view = peer.session.view
        legal = view.legal if view is not None else ()
        if not legal or self.rng.random() < 0.2:
            legal = tuple(ACTIONS.values())
        peer.send(peer.session.act(self.rng.choice(legal)))

    def _crash(self) -> None:
        if self.network.kept:
            self.check()
            self.said.clear()
            self.network.restart(self.owner_key)
            for number, peer in enumerate(self.peers):
                self.peers[number] = self._connect(number, peer.session.key)

    def start(self) -> None:
        """Let everybody try to join and start a game."""
        for peer in self.peers:
            for message in (
                peer.session.hello(peer.name, spectator=peer.spectator),
                SetReady(ready=True),
                AddBot(bot="random"),
                Start(),
            ):
                if not peer.is_closed():
                    peer.send(message)

    def _check_lobbies(self) -> None:
        """Assert that all players received the same valid lobby."""
        there = [each for each in self.peers if each in self.network.guests.values()]
        lobbies = [each.lobby() for each in there if each.session.lobby and not each.cut_off]
        for lobby in lobbies:
            assert sum(seat.host for seat in lobby.seats) <= 1
            names = [seat.name for seat in lobby.seats] + list(lobby.spectators)
            assert len(set(names)) == len(names)
            assert set(lobby.muted) <= set(names)
            assert lobby.phase == "playing" or not lobby.paused
            for seat in lobby.seats:
                # In a sealed game nobody answers for an absent player.
                sealed = lobby.settings.sealed and lobby.phase == "playing"
                gone = ("no",) if sealed else ("grace", "wait", "bot")
                assert seat.away in (("no", "bot") if seat.present else gone)
                assert seat.bot is None or (seat.present, seat.away) == (True, "no")
        everybodys = [replace(lobby, you=None, host=False) for lobby in lobbies]
        assert all(one == other for one, other in pairwise(everybodys))

    def check(self) -> None:
        """Assert the invariants of the table; the network has checked every view already."""
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


def assert_clocks_fit(received: list[Message]) -> None:
    """Assert that a clock follows each State with a question, if the table has a clock."""
    lobby, awaited = None, None
    for message in received:
        match message:
            case Lobby():
                lobby = message
            case State():
                assert awaited is None
                assert lobby is not None
                if lobby.settings.clock_s and message.view.question != OVER:
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
    st.lists(steps, min_size=30, max_size=70),
)
def test_any_sequence_gives_effects_keeps_secrets_and_comes_back(
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
    assert chaos.network.tried or not begun
