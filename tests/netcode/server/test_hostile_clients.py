"""Clients that mean ill, at the door and at a table: what they get, and what others notice.

Behind the real server, over pretended connections and without a clock; what only sockets can do
is in `test_hostile_sockets.py`.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgpack
import pytest

from engine.actions import ACTIONS
from netcode.joining import spoken_code
from netcode.joining.spoken_code import SpokenCodeClient
from netcode.limits import (
    FRAMES,
    HOST_LIMITS,
    LINES,
    MAXIMUM_STRIKES,
    NETWORK_GUESSES,
    UPDATE_INTERVAL_S,
    Limits,
)
from netcode.protocol.codec import FROM_CLIENT, encode
from netcode.protocol.fields import MAXIMUM_SPECTATORS
from netcode.protocol.messages import (
    PROTOCOL,
    Act,
    Chat,
    ChooseFamily,
    Goodbye,
    Here,
    Knock,
    Pause,
    Prove,
    Refused,
    SendAway,
    SetReady,
    Start,
    State,
    TableSettings,
    Talk,
    Welcome,
)
from netcode.server.admission import NO_CERTIFICATE
from netcode.server.peers import SEND_TIMEOUT_S
from netcode.table.people.absence import AWAY_GRACE_S
from netcode.transport.outbox import OUTBOX_MESSAGES
from tests.netcode.fuzz.arena import Attacker
from tests.netcode.pretend import Participant, asked, hello, names, play_on, tokens
from tests.netcode.rooms import CODE, SECRET
from tests.netcode.shell import ServerNetwork


@pytest.fixture(autouse=True)
def _all_ends_well(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close the networks of a test behind it."""
    networks: list[ServerNetwork] = []
    begin = ServerNetwork.__init__

    def remembered(self: ServerNetwork, *arguments: Any, **options: Any) -> None:
        begin(self, *arguments, **options)
        networks.append(self)

    monkeypatch.setattr(ServerNetwork, "__init__", remembered)
    yield
    for network in networks:
        with network:
            pass


def playing(names: str = "abc", **options: Any) -> list[Participant]:
    """Return persons in a game that has just begun; the first is the host, and asked first."""
    settings = TableSettings(first="r", **options.pop("settings", {}))
    network = ServerNetwork(Random(1), settings=settings, **options)
    guests = [Participant(network, name) for name in names]
    for participant in guests[1:]:
        participant.say(SetReady(ready=True))
    guests[0].say(Start())
    return guests


def network_of(guests: Sequence[Participant]) -> ServerNetwork:
    network = guests[0].network
    assert isinstance(network, ServerNetwork)
    return network


def state_of(guests: Sequence[Participant]) -> tuple[object, ...]:
    """Return what nobody but those who may can change."""
    table = guests[0].network.table
    return tokens(guests[0]), table.revision, table.settings, names(guests[0])


# Frames


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("a text", "not_binary"),
        (bytes(FROM_CLIENT + 1), "too_long"),
        (b"", "malformed"),
        (b"\x91" * 1000, "malformed"),
        (b"\x81\xa1a" * 300, "malformed"),
        (b"\xdd\x7f\xff\xff\xff", "malformed"),
        (b"\xdf\x00\xff\xff\xff" + b"\xa1a\x01" * 100, "malformed"),
        (b"\x81\xa4type\xdb\xff\xff\xff\xff", "malformed"),
        (b"\x81\xa4type\xc9\xff\xff\xff\xff\x01", "malformed"),
        (msgpack.packb({"type": "chat", "text": "x" * 201}), "bad_field"),
        (msgpack.packb({"type": "welcome"}), "unknown_message"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[:8].hex(),
)
def test_nonsense_is_refused_and_ends_the_connection_when_it_goes_on(
    frame: bytes | str, code: str
) -> None:
    guests = playing("abcd")
    mallory, others, network = guests[3], guests[:3], network_of(guests)
    before, heard = state_of(guests), [len(participant.received) for participant in others]
    for _ in range(MAXIMUM_STRIKES - 1):
        network.put(mallory.connection, frame)
        assert mallory.refusal == code
    assert [len(participant.received) for participant in others] == heard
    network.put(mallory.connection, frame)
    assert mallory.goodbye == "too_many_bad_messages"
    assert mallory.cut_off
    assert state_of(guests) == before
    # The seat of a game stays theirs.
    mallory.come_back()
    assert mallory.session.family == "y"


@pytest.mark.parametrize("token", ["S>", "+", "!", "1>2", "r", "<>", "\x1b[2J", "S> "])
def test_nobody_acts_out_of_turn(token: str) -> None:
    guests = playing("abc")
    watcher = Participant(guests[0].network, "watcher", spectator=True)
    before = state_of(guests)
    revision = guests[0].network.table.revision
    for participant in (*guests[1:], watcher):
        for number in (1, 2**31 - 1):
            participant.say(Act(number=number, revision=revision, action=token))
            assert participant.refusal in ("not_your_turn", "not_seated")
    assert state_of(guests) == before
    guests[0].act_somehow()
    assert len(tokens(guests[0])) == 1


def test_what_somebody_else_has_said_can_be_said_again_in_vain() -> None:
    """Who has seen another's frames gets nothing by sending them from a seat of their own."""
    guests = playing("abc")
    network = network_of(guests)
    play_on(guests, 7)
    anna, mallory = guests[0], guests[1]
    before = state_of(guests)
    frames = [encode(act) for act in anna.acts]
    assert len(frames) > 1
    for frame in frames:
        network.put(mallory.connection, frame)
        assert not mallory.cut_off
    assert state_of(guests) == before
    # By anna's own program they count once, too.
    for frame in frames:
        network.put(anna.connection, frame)
    assert state_of(guests) == before


def test_the_key_of_who_was_sent_away_opens_nothing() -> None:
    guests = playing("abc")
    network = network_of(guests)
    anna, bert, _ = guests
    key = bert.session.key
    anna.say(SendAway(name="b"))
    mallory = Attacker(network, "mallory", greet=False)
    received = [len(participant.received) for participant in guests]
    mallory.say(hello("b", key=key))
    assert mallory.refusal == "unknown_key"
    assert [len(participant.received) for participant in guests] == received
    mallory.say(hello("a", key=anna.session.key))
    assert isinstance(mallory.received[-3], Welcome)
    assert anna.goodbye == "replaced"


def test_of_two_connections_with_one_key_the_second_has_the_seat() -> None:
    guests = playing("abc")
    network = network_of(guests)
    anna = guests[0]
    first = network.plugs[anna.connection]
    anna.come_back()
    assert first.ended
    assert anna.goodbye is None
    assert any(isinstance(each, Goodbye) and each.code == "replaced" for each in anna.received)
    before = tokens(anna)
    # What the first connection says now is nothing.
    first.put(encode(Act(number=99, revision=network.table.revision, action="S>")))
    network.wait(1)
    assert tokens(anna) == before
    assert not anna.cut_off
    anna.act_somehow()
    assert len(tokens(anna)) == len(before) + 1


def test_a_wrong_key_disturbs_nobody() -> None:
    guests = playing("abc")
    received = [len(participant.received) for participant in guests]
    for _ in range(3):
        mallory = Attacker(guests[0].network, "a", greet=False)
        for number in range(MAXIMUM_STRIKES):
            mallory.say(hello("a", key=bytes([number]) * 32))
        assert mallory.goodbye == "too_many_bad_messages"
    assert [len(participant.received) for participant in guests] == received
    assert all(not participant.cut_off for participant in guests)


# Floods


def test_a_flood_of_messages_is_listened_to_slowly_and_holds_nobody_up() -> None:
    guests = playing("abcd", limits=HOST_LIMITS)
    network, mallory, bert = network_of(guests), guests[3], guests[1]
    before, since = len(bert.received), network.now
    plug = network.plugs[mallory.connection]
    for each in range(1000):
        plug.put(encode(SetReady(ready=each % 2 == 0)))
        plug.put(encode(Here()))
    guests[0].act_somehow()
    assert isinstance(bert.received[-1], State), "who means well is answered at once"
    network.wait(10)
    answered = len([each for each in mallory.received if isinstance(each, Refused)])
    assert answered <= FRAMES.burst + FRAMES.per_s * (network.now - since) + 1
    assert len(bert.received) == before + 1


def test_a_flood_of_what_everybody_is_told_reaches_them_at_a_pace() -> None:
    network = ServerNetwork(limits=HOST_LIMITS)
    anna, mallory = Participant(network, "anna"), Participant(network, "mallory")
    before, since = len(anna.received), network.now
    plug = network.plugs[mallory.connection]
    for each in range(1000):
        plug.put(encode(ChooseFamily(family="v" if each % 2 else "y")))
    network.wait(5)
    told = len(anna.received) - before
    assert told <= (network.now - since) / UPDATE_INTERVAL_S + 1
    anna.say(SetReady(ready=True))
    network.wait(UPDATE_INTERVAL_S)
    assert anna.lobby().seats[0].ready


def test_chat_reaches_others_as_fast_as_they_can_read() -> None:
    guests = playing("abc")
    network, bert, mallory = network_of(guests), guests[1], guests[2]
    since = network.now
    for number in range(100):
        mallory.say(Chat(text=f"buy {number}"))
        if number % 10 == 9:
            assert mallory.refusal == "chat_too_fast"
            # A new connection does not make a new person.
            mallory.drop()
            mallory.come_back()
    lines = [each for each in bert.received if isinstance(each, Talk)]
    assert len(lines) <= LINES.burst + LINES.per_s * (network.now - since) + 1


def test_a_host_who_toggles_a_pause_leaves_one_question_to_a_bot() -> None:
    guests = playing("abc", settings={"clock_s": 600})
    network = network_of(guests)
    for _ in range(50):
        guests[0].say(Pause(paused=True))
        guests[0].say(Pause(paused=False))
    bot_runner = network.server._bot_runner
    assert len(bot_runner._scheduled) == 1
    network.wait(601)
    assert len(tokens(guests[0])) == 1


# Slow readers


def test_who_stops_reading_is_let_go_and_comes_back_to_their_seat() -> None:
    guests = playing("abcd", settings={"pace_ms": 0})
    network, slow, others = network_of(guests), guests[3], guests[:3]
    plug = network.plugs[slow.connection]
    plug.stalled = True
    heard = len(slow.received)
    (peer,) = [each for each in network.server._peers if each.channel is plug]
    for number in range(200):
        participant = asked(others)
        if participant is None:
            break
        participant.act_somehow()
        others[number % 3].say(Chat(text=f"line {number}"))
        assert len(peer._outbox._waiting) <= 4, "of each kind of message one waits"
    assert len(slow.received) == heard
    network.wait(SEND_TIMEOUT_S)
    assert slow.cut_off
    network.wait(AWAY_GRACE_S + 1)
    done = len(tokens(guests[0]))
    play_on(others, 3)
    assert len(tokens(guests[0])) > done, "the game goes on without them"
    slow.come_back()
    assert slow.session.family == "y"
    assert slow.session.revision == network.table.revision


def test_who_reads_again_in_time_has_missed_nothing() -> None:
    guests = playing("abcd", settings={"clock_s": 60})
    network, slow, others = network_of(guests), guests[3], guests[:3]
    plug = network.plugs[slow.connection]
    plug.stalled = True
    for number in range(3):
        participant = asked(others)
        assert participant is not None
        participant.act_somehow()
        guests[0].say(Chat(text=f"line {number}"))
    heard = len(slow.received)
    plug.go_on()
    network.wait(1)
    assert len(slow.received) - heard == 3
    assert len(slow.session.events) == len(guests[0].session.events)
    assert [line.text for line in slow.session.talk] == ["line 0", "line 1", "line 2"]


def test_who_asks_without_reading_is_cut_off() -> None:
    guests = playing("abc")
    network, mallory = network_of(guests), guests[2]
    network.plugs[mallory.connection].stalled = True
    for _ in range(OUTBOX_MESSAGES + 1):
        network.say(mallory.connection, Start())
    assert mallory.cut_off
    assert not guests[0].cut_off


# At the door


def test_after_the_goodbye_nothing_counts() -> None:
    """Whoever does not agree to the end of the connection has no more tries for it."""
    network = ServerNetwork(is_open=False)
    _, plug = network.plug()

    async def never_ends(code: int = 1000) -> None:
        pass

    plug.close = never_ends  # type: ignore[method-assign]
    for _ in range(MAXIMUM_STRIKES):
        plug.put(encode(hello("mallory", secret=bytes(12))))
    plug.put(encode(hello("mallory", secret=SECRET)))
    network.wait(1)
    assert sent(plug)[-1] == {"type": "goodbye", "code": "too_many_bad_messages", "values": {}}
    assert network.table.names == ()


def test_wrong_secrets_get_nowhere_however_many() -> None:
    network = ServerNetwork(is_open=False)
    rng = Random(1)
    for _ in range(20):
        _, plug = network.plug()
        for _ in range(MAXIMUM_STRIKES):
            plug.put(encode(hello("mallory", secret=rng.randbytes(12))))
        network.wait(0.1)
        codes = [each["code"] for each in sent(plug)]
        assert codes == ["no_such_table"] * (MAXIMUM_STRIKES - 1) + ["too_many_bad_messages"]
        assert plug.ended
    participant = Participant(network, "anna", greet=False)
    participant.session.secret = SECRET
    participant.greet()
    assert participant.session.family == "r"


def test_knocks_in_masses_cost_little_and_shut_the_link_out_for_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each answered knock costs the host twelve milliseconds and is a guess."""
    answered = 0
    finish = spoken_code._finish

    def counted(spake: Any, share: bytes) -> bytes:
        nonlocal answered
        answered += 1
        return finish(spake, share)

    monkeypatch.setattr(spoken_code, "_finish", counted)
    network = ServerNetwork(is_open=False)
    knocker = SpokenCodeClient(CODE, NO_CERTIFICATE)
    knock = encode(Knock(protocol=PROTOCOL, room="K7Q", share=knocker.share))
    for _ in range(40):
        _, plug = network.plug("192.0.2.1")
        for _ in range(MAXIMUM_STRIKES):
            plug.put(knock)
        network.wait(1)
    assert answered <= NETWORK_GUESSES.burst
    participant = Participant(network, "anna", greet=False)
    participant.session.secret = SECRET
    participant.greet()
    assert participant.session.family == "r"


def test_a_proof_of_another_exchange_is_none() -> None:
    network = ServerNetwork(is_open=False)
    one, other = SpokenCodeClient(CODE, NO_CERTIFICATE), SpokenCodeClient(CODE, NO_CERTIFICATE)
    shares = []
    plugs = [network.plug()[1] for _ in range(2)]
    for plug, knocker in zip(plugs, (one, other), strict=True):
        plug.put(encode(Knock(protocol=PROTOCOL, room=knocker.room, share=knocker.share)))
        network.wait(0.1)
        shares.append(sent(plug)[-1]["share"])
    proof = one.prove(shares[0])
    plugs[1].put(encode(Prove(proof=proof)))
    network.wait(0.1)
    assert sent(plugs[1])[-1]["code"] == "wrong_code"
    plugs[0].put(encode(Prove(proof=proof)))
    network.wait(0.1)
    assert sent(plugs[0])[-1]["type"] == "admitted"


def sent(plug: Any) -> list[dict[str, Any]]:
    """Return what the host has sent on a connection."""
    return [msgpack.unpackb(frame) for _, how, frame in plug.heard if how == "frame"]


# Crowds


def test_spectators_are_as_many_as_there_is_room_for() -> None:
    guests = playing("abc")
    network = network_of(guests)
    watchers = [
        Participant(network, f"watcher {number}", spectator=True)
        for number in range(MAXIMUM_SPECTATORS)
    ]
    for number in range(30):
        late = Attacker(network, f"late {number}", spectator=True)
        assert late.refusal == "too_many_spectators"
    assert all(not each.cut_off for each in watchers)
    play_on(guests, 3)
    assert watchers[0].session.revision == network.table.revision


def from_there(network: ServerNetwork, address: str) -> Any:
    """Connect from an address, without saying anything."""
    _, plug = network.plug(address)
    return plug


def test_strangers_take_each_others_places_only() -> None:
    limits = Limits(connections=6, from_one_address=100)
    network = ServerNetwork(limits=limits)
    guests = [Participant(network, name) for name in "abc"]
    strangers = [from_there(network, f"192.0.2.{number}") for number in range(20)]
    assert [each.ended for each in strangers] == [True] * 17 + [False] * 3
    assert all(not participant.cut_off for participant in guests)
    late = Participant(network, "late")
    assert late.session.family == "y"
    assert strangers[17].ended


def test_a_crowd_from_one_network_takes_no_place_of_another() -> None:
    limits = Limits(connections=10, from_one_address=3)
    network = ServerNetwork(limits=limits)
    neighbour = from_there(network, "198.51.100.1")
    strangers = [from_there(network, f"2001:db8::{number:x}") for number in range(1, 20)]
    assert sum(not each.ended for each in strangers) == 3
    assert not neighbour.ended


def test_when_all_places_are_of_those_who_belong_there_nobody_else_comes_in() -> None:
    network = ServerNetwork(limits=Limits(connections=3, from_one_address=100))
    guests = [Participant(network, name) for name in "abc"]
    late = from_there(network, "192.0.2.1")
    assert late.heard[-1][1] == "closed with 1013"
    assert all(not participant.cut_off for participant in guests)
    guests[2].drop()
    assert not from_there(network, "192.0.2.1").ended


# What others get to see


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[2J\x1b[1;1Hgone",
        "\x1b]0;title\x07x",
        "\x9b2Jx",
        "\x90q#0~\x9cx",
        "a\r\nb\tc",
        "\u202egnp.exe",
        "\u2066\u2067\u2068\u2069x",
        "a\u200b\u200c\u200d\u2060\ufeffb",
        "Z\u0301" + "\u0301" * 190,
        "\u115f\u1160\u3164\uffa0 x",
        "x\x00\x01\x7f\x80\x9f",
        "\U000e0041\U000e0042x",
        "\ufff9a\ufffab\ufffbx",
        "e\u0301\u0301\u0301\u0301\u0301",
        "\u2028\u2029x",
        "x" * 200,
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    ],
    ids=lambda text: text[:6].encode("unicode_escape").decode(),
)
def test_what_is_said_reaches_others_as_one_line_that_can_be_printed(text: str) -> None:
    guests = playing("abc")
    guests[2].say(Chat(text=text))
    line = guests[0].session.talk[-1].text
    assert line.isprintable()
    assert line == line.strip()
    assert len(line) <= len(text)
    assert "\x1b" not in line
    marks = most = 0
    for sign in line:
        marks = marks + 1 if unicodedata.category(sign)[0] == "M" else 0
        most = max(most, marks)
    assert most <= 3


@pytest.mark.parametrize(
    "name",
    [
        *("\x1b[2Jx", "a\u202eb", "a\u200bb", "a\xadb", "\u3164", "\u2800", "Z\u0301\u0302\u0303"),
        *("a  b", " a", "a\n", "a\u2028b", "\U000e0041", "..", "\ufffc", "a\ufe0f"),
    ],
    ids=lambda text: text.encode("unicode_escape").decode(),
)
def test_a_name_that_would_deceive_is_none(name: str) -> None:
    network = ServerNetwork()
    _, plug = network.plug()
    plug.put(msgpack.packb({"type": "hello", "protocol": PROTOCOL, "program": "p", "name": name}))
    network.wait(0.1)
    assert sent(plug)[-1]["code"] == "bad_field"
    assert network.table.names == ()


@pytest.mark.parametrize(
    "name", ["ANNA", "\uff21nna", "anna", "ａｎｎａ", "Aɴɴa".replace("ɴ", "n")]
)
def test_nobody_gets_to_be_called_like_somebody_else(name: str) -> None:
    network = ServerNetwork()
    anna = Participant(network, "Anna")
    mallory = Attacker(network, name)
    assert mallory.refusal == "name_taken"
    assert names(anna) == "r:Anna*"


def test_no_refusal_repeats_what_was_sent_unless_it_can_be_printed() -> None:
    guests = playing("abc")
    network, mallory = network_of(guests), guests[2]
    for fields in (
        {"type": "\x1b[2J"},
        {"type": "start", "\x1b[2J": 1},
        {"type": "add_bot", "bot": "\x1b[2J"},
        {"type": "mute", "name": "\x1b[2J", "muted": True},
        {"type": "act", "number": 1, "revision": 1, "action": "\x1b[2J"},
    ):
        network.put(mallory.connection, msgpack.packb(fields))
        frames = [frame for _, _, frame in network.heard[mallory]]
        assert b"\x1b" not in frames[-1]


def test_every_legal_token_is_refused_to_those_who_are_not_asked() -> None:
    guests = playing("abc")
    before = state_of(guests)
    for token in list(ACTIONS)[:40]:
        guests[1].act(token)
        assert guests[1].refusal == "not_your_turn"
    assert state_of(guests) == before
