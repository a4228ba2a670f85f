"""Tests the list of turns that a host sends for a player's keys, without waking a table."""

import hmac
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from driflamme_tui.wings.days.turns import turn_requests
from driflamme_tui.wings.days.turns.returns import known_seats
from driflamme_tui.wings.days.turns.turn_requests import ask_all
from netcode.limits import NETWORK_MS, TURN_MS
from netcode.protocol.codec import decode_client, decode_host, encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import Chat, Pause, Refused, Welcome
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry
from netcode.table.parts import stored_notes
from netcode.table.people.seats import NONE, KeyRing, key_hash
from netcode.table.snapshot import Snapshot, TableAccess
from netcode.transport import channel
from netcode.transport.channel import Channel
from netcode.wings.days.messages import MAXIMUM_LEFT_S, MAXIMUM_ROWS, AskTurns, Turn, Turns
from netcode.wings.days.seat_proofs import PURPOSE, proves_key, seat_proof
from tests.support.pretend import Network, Participant, decider, hello, play_on
from tests.support.servers import CODE, SECRET, server_of
from tests.wings.days.calling_tables import HOUR, Calling, begun
from tests.wings.days.waiting_tables import sit

PREFIX = CODE[:3]


class Asking:
    """A connection that requests turns."""

    def __init__(self, server: Server) -> None:
        self.channel: Channel = server.connect()

    def send(self, message: Message) -> None:
        self.channel.send(encode(message))

    async def receive(self) -> Message:
        return decode_host(await self.channel.receive())


async def rows_of(server: Server, *seats: tuple[str | None, bytes]) -> tuple[Turn, ...]:
    asking = Asking(server)
    asking.send(AskTurns(seats=tuple([seat_proof(*each) for each in seats])))
    answer = await asking.receive()
    assert isinstance(answer, Turns)
    return answer.rows


def opened(network: Network) -> list[tuple[str, bytes]]:
    """Begin a game at an opened table; return the prefix and key of each person's seat."""
    network.execute(network.table.open(TableAccess(SECRET, CODE)))
    begun(network)
    return [(PREFIX, key_of(each)) for each in people(network)]


def people(network: Network) -> list[Participant]:
    return sorted(network.guests.values(), key=lambda each: each.name)


def key_of(participant: Participant) -> bytes:
    key = participant.session.key
    assert key is not None
    return key


def entry_of(server: Server) -> TableEntry:
    (entry,) = server.registry.entries
    return entry


def put_to_sleep(server: Server) -> None:
    """Drop the table from memory, as a keeper of sleeping tables does."""
    entry = entry_of(server)
    assert entry.table is not None
    assert entry.table.kept is not None
    entry.notes, entry.table = stored_notes(entry.table.kept), None


@pytest.fixture
def network() -> Calling:
    """Return a table of a host that calls players."""
    return Calling()


@pytest.mark.parametrize("sleeps", [False, True])
async def test_a_player_learns_what_waits_for_them_and_the_table_stays_asleep(
    network: Calling, sleeps: bool
) -> None:
    seats = opened(network)
    async with server_of(network.table, unix_time=network.unix_time) as server:
        if sleeps:
            put_to_sleep(server)
        network.now += HOUR
        first, second, third = await rows_of(server, *seats)
        assert (entry_of(server).table is None) is sleeps
    assert (first.prefix, first.names) == (PREFIX, ("a", "b", "c"))
    assert (first.phase, first.round, first.whose) == ("playing", 1, "a")
    assert (first.mine, second.mine, third.mine) == (True, False, False)
    assert first.left_s == 23 * HOUR
    network.now += 25 * HOUR
    async with server_of(network.table, unix_time=network.unix_time) as server:
        (row,) = await rows_of(server, seats[0])
    assert row.left_s == 0 < MAXIMUM_LEFT_S


async def test_chat_that_a_player_has_missed_is_counted(network: Calling) -> None:
    seats = opened(network)
    ada, bo, cy = people(network)
    bo.drop()
    for text in ("Hail!", "Where are you?"):
        ada.send(Chat(text=text))
    for each in (ada, cy):
        each.drop()
    async with server_of(network.table, unix_time=network.unix_time) as server:
        assert [each.unread for each in await rows_of(server, *seats)] == [0, 2, 0]
        bo.come_back()
        put_to_sleep(server)
        assert [each.unread for each in await rows_of(server, *seats)] == [0, 0, 0]


@pytest.mark.parametrize("sleeps", [False, True])
async def test_a_paused_game_waits_for_nobody_and_names_its_host(
    network: Calling, sleeps: bool
) -> None:
    seats = opened(network)
    people(network)[0].send(Pause(paused=True))
    async with server_of(network.table, unix_time=network.unix_time) as server:
        if sleeps:
            put_to_sleep(server)
        rows = await rows_of(server, *seats)
    assert {(row.mine, row.paused, row.host, row.whose) for row in rows} == {
        (False, True, "a", "a")
    }


@pytest.mark.parametrize("sleeps", [False, True])
async def test_a_finished_game_names_its_winner(network: Calling, sleeps: bool) -> None:
    seats = opened(network)
    while (player := decider(people(network))) is not None:
        player.act(player.view().legal[-1].token)
    play = network.table.games.play
    assert play is not None
    places = play.ending().places
    assert places is not None
    best = tuple(name for name, place in zip("abc", places, strict=True) if place == 1)
    async with server_of(network.table, unix_time=network.unix_time) as server:
        if sleeps:
            put_to_sleep(server)
        rows = await rows_of(server, *seats)
    assert {(row.phase, row.winners) for row in rows} == {("result", best)}


@pytest.mark.parametrize("sleeps", [False, True])
async def test_other_keys_and_other_tables_have_no_rows(network: Calling, sleeps: bool) -> None:
    seats = opened(network)
    async with server_of(network.table, unix_time=network.unix_time) as server:
        if sleeps:
            put_to_sleep(server)
        assert await rows_of(server, (PREFIX, bytes(32)), ("000", seats[0][1])) == ()


@pytest.mark.parametrize("sleeps", [False, True])
async def test_a_table_of_one_evening_says_whose_turn_it_is_too(sleeps: bool) -> None:
    network = Network()
    seats = opened(network)
    play_on(people(network), 4)
    decider = network.table.games.deciding_seat
    assert decider is not None
    async with server_of(network.table, unix_time=network.unix_time) as server:
        if sleeps:
            put_to_sleep(server)
        rows = await rows_of(server, *seats)
    assert {(row.phase, row.round, row.whose, row.left_s) for row in rows} == {
        ("playing", 1, decider.name, None)
    }
    assert [name for row, name in zip(rows, "abc", strict=True) if row.mine] == [decider.name]


async def test_a_damaged_table_that_sleeps_says_no_more_than_its_players() -> None:
    network = Network()
    seats = opened(network)
    kept = network.table.kept
    assert kept is not None
    async with server_of(network.table, unix_time=network.unix_time) as server:
        game = replace(kept.game, actions=("x9",))
        entry_of(server).notes = stored_notes(Snapshot(kept.table, game))
        entry_of(server).table = None
        (row,) = await rows_of(server, seats[0])
    assert (row.phase, row.whose, row.mine, row.names) == ("playing", None, False, ("a", "b", "c"))


async def test_a_seat_at_the_only_table_of_a_server_needs_no_code(network: Calling) -> None:
    seats = opened(network)
    async with server_of(network.table, unix_time=network.unix_time) as server:
        (row,) = await rows_of(server, (None, seats[0][1]))
        assert (row.prefix, row.mine) == (PREFIX, True)
        assert await rows_of(server, (None, bytes(32))) == ()


async def test_a_player_with_more_seats_than_fit_into_one_question_learns_of_all(
    network: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = opened(network)
    async with server_of(network.table) as server:

        async def connect() -> Channel:
            return server.connect()

        async def resolve(_target: object) -> object:
            return SimpleNamespace(connect=connect)

        monkeypatch.setattr(turn_requests, "resolve", resolve)
        # The program requests the turns of the newest seats first.
        sit("pin1/0123456789abcdef", PREFIX, "", key=seats[0][1])
        for number in range(2 * MAXIMUM_ROWS):
            sit(f"pin1/{number:016x}", f"0{number:02}", "")
        found = await ask_all(lambda: network.now)
    assert [(each.seat.prefix, each.why, each.is_mine) for each in found] == [(PREFIX, "", True)]
    assert [each.prefix for seen in known_seats().values() if (each := seen.seat)] == [PREFIX]


async def test_a_program_that_asks_reveals_no_key_to_a_stranger_on_the_hosts_port(
    network: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = opened(network)
    sent: list[bytes] = []
    async with server_of(network.table) as server:

        async def connect() -> Channel:
            found = server.connect()
            send = found.send

            def record(frame: bytes) -> None:
                sent.append(frame)
                send(frame)

            monkeypatch.setattr(found, "send", record)
            return found

        async def resolve(_target: object) -> object:
            return SimpleNamespace(connect=connect)

        monkeypatch.setattr(turn_requests, "resolve", resolve)
        sit("pin1/0123456789abcdef", PREFIX, "", key=seats[0][1])
        found = await ask_all(lambda: network.now)
        assert [each.is_mine for each in found] == [True]
        ((frame,), key) = sent, seats[0][1]
        for secret in (key, key_hash(key), key.hex().encode()):
            assert secret not in frame
        # With everything that it has received, the stranger gets no seat.
        stranger = Asking(server)
        (seat,) = checked(decode_client(frame)).seats
        stranger.send(hello("a", key=seat.proof))
        assert isinstance(await stranger.receive(), Refused)


def checked(message: object) -> AskTurns:
    assert isinstance(message, AskTurns)
    return message


def test_a_proof_is_the_same_in_every_version() -> None:
    proof = seat_proof(PREFIX, bytes(range(32))).proof
    assert proof.hex() == "17323ebe662b82db3c70ad98cc6b742d696fac8a6f9bc4944cc651e82134670c"


@pytest.mark.parametrize("is_offered", [False, True])
def test_only_the_proof_of_a_key_fits_to_its_seat(is_offered: bool) -> None:
    key, other = bytes(range(32)), bytes(32)
    keys = KeyRing.of(other).offering(key) if is_offered else KeyRing.of(key)
    assert proves_key(keys, seat_proof(None, key).proof)
    nothing = hmac.digest(NONE, PURPOSE, "sha256")
    for wrong in (key, key_hash(key), NONE, nothing, seat_proof(None, b"x" * 32).proof):
        assert not proves_key(keys, wrong)
    assert not proves_key(KeyRing(), nothing), "a seat without a key"


async def test_one_network_cannot_ask_without_end(
    network: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel._MemoryChannelEnd, "peer", "192.0.2.1")
    opened(network)
    async with server_of(network.table, unix_time=network.unix_time) as server:
        asking = [Asking(server) for _ in range(2 * int(NETWORK_MS.burst / TURN_MS) + 2)]
        for each in asking:
            each.send(AskTurns(seats=()))
        refused = await asking[-1].receive()
    assert isinstance(refused, Refused)
    assert refused.code == "asked_turns_often"


async def test_a_player_who_has_asked_can_join_on_the_same_connection(network: Calling) -> None:
    seats = opened(network)
    for each in people(network):
        each.drop()
    async with server_of(network.table, unix_time=network.unix_time) as server:
        asking = Asking(server)
        asking.send(AskTurns(seats=(seat_proof(*seats[1]),)))
        assert isinstance(await asking.receive(), Turns)
        asking.send(hello("b", key=seats[1][1]))
        welcome = await asking.receive()
        assert isinstance(welcome, Welcome)
        asking.send(AskTurns(seats=()))
        while not isinstance(answer := await asking.receive(), Refused):
            pass
    assert answer.code == "another_table"
