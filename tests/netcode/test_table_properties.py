"""Whatever comes, in whatever order, the table answers with effects and keeps its secrets."""

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.actions import ACTIONS
from engine.notation import format_position
from engine.record import replay
from netcode.away import AWAY_GRACE_S
from netcode.messages import AddBot, ClientMessage, SetReady, Start, State
from netcode.refusals import SENTENCES
from tests.engine.random_games import examples
from tests.netcode.pretend import OWNER_KEY, Guest, Network, asked, play_on, playing
from tests.netcode.strategies import client_messages

PEERS = 6

SOMETIMES = ("greet", "drop", "malformed", "overdue", "wait", "start")
OFTEN = ("say", "act")


class Chaos:
    """Peers that say anything at any time, to a table whose answers the pretend network checks."""

    def __init__(self, seed: int, owner_key: bytes | None, unattended: bool) -> None:
        self.rng = Random(seed)
        self.network = Network(Random(seed), owner_key=owner_key, unattended=unattended)
        self.peers = [self._connect(number, owner_key) for number in range(PEERS)]

    def _connect(self, number: int, key: bytes | None) -> Guest:
        return Guest(self.network, f"p{number}", spectator=number == 5, key=key, greet=False)

    def step(self, number: int, what: str, message: ClientMessage) -> None:
        peer = self.peers[number]
        if peer.is_closed():
            peer = self.peers[number] = self._connect(number, peer.session.key)
        network = self.network
        revision, record = network.table.revision, network.table.record()
        match what:
            case "say":
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
            case "overdue":
                network.carry_out(network.table.hello_overdue(peer.connection))
            case "wait":
                network.wait(self.rng.choice((0.0, 1.0, AWAY_GRACE_S)))
            case "start":
                self.start()
        if network.table.revision == revision and network.table.record() is not None:
            assert network.table.record() == record

    def _act(self, peer: Guest) -> None:
        view = peer.session.view
        legal = view.legal if view is not None else ()
        if not legal or self.rng.random() < 0.2:
            legal = tuple(ACTIONS.values())
        peer.say(peer.session.act(self.rng.choice(legal)))

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

    def check(self) -> None:
        """Assert what must hold; that no view told too much has been checked on the way."""
        for peer in self.peers:
            lobby = peer.session.lobby
            if lobby is not None:
                assert sum(seat.host for seat in lobby.seats) <= 1
                names = [seat.name for seat in lobby.seats] + list(lobby.spectators)
                assert len(set(names)) == len(names)
            states = [each for each in peer.received if isinstance(each, State)]
            assert all(one.revision <= next_.revision for one, next_ in pairwise(states))
        record = self.network.table.record()
        if record is not None:
            assert len(list(replay(record))) == len(record.actions)


steps = st.tuples(
    st.integers(0, PEERS - 1), st.sampled_from(SOMETIMES + 4 * OFTEN), client_messages
)


@examples(100)
@given(
    st.integers(0, 2**32 - 1),
    st.none() | st.just(OWNER_KEY),
    st.booleans(),
    st.booleans(),
    st.lists(steps, min_size=10, max_size=60),
)
def test_any_sequence_gives_effects_and_keeps_secrets(
    seed: int,
    owner_key: bytes | None,
    unattended: bool,
    begun: bool,
    sequence: list[tuple[int, str, ClientMessage]],
) -> None:
    chaos = Chaos(seed, owner_key, unattended)
    if begun:
        chaos.start()
    for step in sequence:
        chaos.step(*step)
    chaos.check()


@examples(20)
@given(st.integers(0, 2**32 - 1))
def test_through_any_troubles_a_game_comes_to_the_same_end_for_all(seed: int) -> None:
    rng = Random(seed)
    guests = playing("abcde"[: rng.randint(3, 5)], rng, edition=rng.choice((1, 2)), pace_ms=0)
    network = guests[0].network
    away: set[Guest] = set()
    for _ in range(250):
        guest = rng.choice(guests)
        what = rng.choices(("act", "again", "go", "return", "wait", "steal"), (20, 3, 1, 3, 3, 1))
        match what:
            case ["act"] if player := asked([each for each in guests if each not in away]):
                view = player.session.view
                assert view is not None
                player.act(rng.choice(view.legal).token)
            case ["again"] if guest not in away and guest.acts:
                guest.say(rng.choice(guest.acts))
            case ["go"] if guest not in away:
                away.add(guest)
                guest.drop()
            case ["return"] if guest in away:
                away.remove(guest)
                guest.come_back()
            case ["wait"]:
                network.wait(rng.choice((0, 1, AWAY_GRACE_S)))
            case ["steal"]:
                thief = Guest(network, "thief", key=rng.randbytes(32))
                assert thief.refusal == "unknown_key"
                thief.drop()
    for guest in away:
        guest.come_back()
    play_on(guests)
    record = network.table.record()
    assert record is not None
    *_, last = replay(record)
    end = format_position(last.after)
    for guest in guests:
        assert guest.phase() == "result"
        assert guest.session.view is not None
        assert format_position(guest.session.view) == end
