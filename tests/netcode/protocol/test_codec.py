"""Tests that messages and events survive a round trip, and that other frames are refused."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, get_args

import msgpack
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.events import Event, GameEnded, Placed, ResolutionBegan, RoundBegan
from engine.position import Position
from engine.ranking import SEATS_OF_TWO
from engine.views import View, Viewer, project, view
from netcode.protocol.codec import (
    FROM_CLIENT,
    FROM_HOST,
    CodecError,
    decode_client,
    decode_host,
    encode,
)
from netcode.protocol.fields import CHAT_LENGTH, MAXIMUM_LINES, NAME_LENGTH, letters_of
from netcode.protocol.messages import (
    PROTOCOL,
    Chat,
    ClientMessage,
    Hello,
    HostMessage,
    Line,
    State,
    Talk,
)
from netcode.protocol.refusal_sentences import SENTENCES
from netcode.protocol.table_settings import TableSettings
from netcode.protocol.wire_events import to_wire
from netcode.protocol.wire_views import WireView
from netcode.table.live_game import LiveGame
from tests.engine.random_games import (
    Played,
    examples,
    games,
    joined_viewers,
    viewers,
)
from tests.support.strategies import client_messages, events, host_messages

VIEW = [1, "rbg", 1, 0, 0, "*", -1, [], [""] * 3, ["???"] * 3, [""] * 3, [1] * 3]

HELLO = {"type": "hello", "protocol": PROTOCOL, "program": "p", "name": "n"}


def pack(data: object) -> bytes:
    frame: bytes = msgpack.packb(data)
    return frame


def code(frame: bytes | str) -> str:
    """Return the code of the error for a client's frame."""
    with pytest.raises(CodecError) as caught:
        decode_client(frame)
    return caught.value.code


def message_or_error(decode: Callable[[bytes], object], frame: bytes) -> str | None:
    """Return the code of a refused frame, or None for a valid one; no other error is allowed."""
    reason = None
    try:
        decode(frame)
    except CodecError as error:
        reason = error.code
    assert reason is None or reason in SENTENCES
    return reason


def texts_in(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each map or list that contains a text, with the position of the text."""
    for at, value in data.items() if isinstance(data, dict) else enumerate(data):
        if isinstance(value, str):
            yield data, at
        elif isinstance(value, dict | list):
            yield from texts_in(value)


@given(client_messages)
def test_every_message_of_a_client_goes_and_comes_back(message: ClientMessage) -> None:
    frame = encode(message)
    assert len(frame) <= FROM_CLIENT
    assert decode_client(frame) == message


@given(host_messages)
def test_every_message_of_a_host_goes_and_comes_back(message: HostMessage) -> None:
    frame = encode(message)
    assert decode_host(frame) == message
    assert encode(decode_host(frame)) == frame
    # The bytes are those that msgpack writes.
    fields = msgpack.unpackb(frame)
    assert list(fields) == ["type", *message.__struct_fields__]
    assert msgpack.packb(fields) == frame


@given(st.binary(max_size=FROM_CLIENT))
@example(b"\xc1")
@example(b"\xc7\x00\x01")
@example(b"\xc7\x00\xff")
@example(b"\x81\xc0\xc0")
def test_any_bytes_give_a_message_or_a_codec_error(frame: bytes) -> None:
    message_or_error(decode_client, frame)
    message_or_error(decode_host, frame)


def test_frames_that_are_refused_and_why() -> None:
    """The file of frames is a reference for other programs. A few frames are of maximum length."""
    assert assert_refused_as_written(Path(__file__).with_name("frames.json"), FROM_CLIENT) > 100


def assert_refused_as_written(path: Path, most: int) -> int:
    """Assert that each frame of a file is refused as written there; return the number of frames.

    A frame of a client has at most `most` bytes.
    """
    frames = json.loads(path.read_text())
    for each in frames:
        decode = decode_host if each["to"] == "client" else partial(decode_client, most=most)
        code, values = None, dict[str, object]()
        try:
            decode(bytes.fromhex(each["frame"]))
        except CodecError as error:
            code, values = error.code, {**error.values}
        assert (code, values.get("field")) == (each["code"], each.get("field")), each["why"]
        # Errors repeat no unknown text.
        assert code != "malformed" or not values, each["why"]
    return len(frames)


def test_a_field_may_be_left_out_only_if_it_has_a_default() -> None:
    assert decode_client(pack(HELLO)) == Hello(protocol=PROTOCOL, program="p", name="n")
    assert code(pack({"type": "hello", "protocol": PROTOCOL, "name": "n"})) == "bad_field"


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({**HELLO, "name": " `$.key`"}, "name"),
        ({**HELLO, "program": "\x07"}, "program"),
        # In Python, `$` also matches before a final newline.
        ({"type": "knock", "protocol": PROTOCOL, "prefix": "K7Q\n", "share": bytes(33)}, "prefix"),
        # msgspec would otherwise decode bytes from Base64.
        ({**HELLO, "key": b64encode(bytes(32)).decode()}, "key"),
    ],
)
def test_a_refusal_names_the_field_that_is_wrong(data: object, field: str) -> None:
    with pytest.raises(CodecError) as caught:
        decode_client(pack(data))
    assert (caught.value.code, caught.value.values) == ("bad_field", {"field": field})


@given(host_messages, st.data())
def test_nothing_that_a_host_says_shows_a_sign_that_cannot_be(
    message: HostMessage, data: st.DataObject
) -> None:
    """The odd sign may be in any field, so the test covers messages of later versions too."""
    fields = msgpack.unpackb(encode(message))
    holder, at = data.draw(st.sampled_from(list(texts_in(fields))))
    holder[at] = "\x1b" + holder[at][1:]
    try:
        shown = msgpack.unpackb(encode(decode_host(pack(fields))))
    except CodecError:
        return
    assert all(holder[at].isprintable() for holder, at in texts_in(shown))


def test_what_others_typed_may_hold_anything_but_shows_nothing_odd() -> None:
    """A host accepts unprintable characters in chat, and a client replaces them.

    Neither closes the connection, since their versions of Unicode may differ.
    """
    odd = "a\x1b[2J\u202eb\n\U000e0fff"
    assert decode_client(encode(Chat(text=odd))) == Chat(text=odd)
    line = {"name": "n\x07", "family": None, "text": odd}
    talk = decode_host(pack({"type": "talk", "first": 0, "lines": [line]}))
    shown = Line(name="n\ufffd", family=None, text="a\ufffd[2J\ufffdb\ufffd\ufffd")
    assert talk == Talk(first=0, lines=(shown,))


def test_the_longest_lines_of_chat_fit_a_frame_in_any_alphabet() -> None:
    longest = "\U0001d573" * CHAT_LENGTH
    assert len(encode(Chat(text=longest))) <= FROM_CLIENT
    assert decode_client(encode(Chat(text=longest))) == Chat(text=longest)
    line = Line(name="\U0001d573" * NAME_LENGTH, family="r", text=longest)
    talk = Talk(first=0, lines=(line,) * MAXIMUM_LINES)
    assert decode_host(encode(talk)) == talk


def test_a_frame_has_a_length() -> None:
    assert code(bytes(FROM_CLIENT + 1)) == "too_long"
    with pytest.raises(CodecError, match="too_long"):
        decode_host(bytes(FROM_HOST + 1))


@pytest.mark.parametrize("deep", [3, 900])
def test_what_is_nested_as_no_message_is_none(deep: int) -> None:
    fields = {"type": "state", "revision": 1, "view": VIEW, "you": None, "first_event": 0}
    events = pack({**fields, "events": []})[:-1]
    for around in (b"\x82\xa4type\xa5lobby\xa5seats", b"\x82\xa4type\xa3act\xa5seats", events):
        for decode in (decode_client, decode_host):
            with pytest.raises(CodecError):
                decode(around + b"\x91" * deep + b"\x01")


@pytest.mark.parametrize("protocol", [0, PROTOCOL + 1, 65_535])
def test_of_a_hello_in_another_version_the_version_is_read(protocol: int) -> None:
    frame = pack({"type": "hello", "protocol": protocol, "future": "fields"})
    message = decode_client(frame)
    assert isinstance(message, Hello)
    assert message.protocol == protocol


@examples(30)
@given(games(), st.booleans())
def test_everybody_is_told_their_own_view_and_events(played: Played, two: bool) -> None:
    two = two and len(played.deal.families) == SEATS_OF_TWO
    play = LiveGame(1, played.deal, TableSettings(two=two))
    events_seen: list[Event] = [RoundBegan(1, played.deal.first)]
    for index, game in enumerate(played.games):
        everybody: list[Viewer] = [None, (0, 2), (1, 3)] if two else [*viewers(game)]
        for viewer in everybody:
            state = play.state(viewer, None, index, since=max(0, len(events_seen) - 2))
            second = played.deal.families[viewer[1]] if isinstance(viewer, tuple) else None
            assert state.second == second
            assert state.view == WireView.of(view(game, viewer))
            assert list(state.events) == [project(event, viewer) for event in events_seen[-2:]]
        if not game.over:
            play.act(played.actions[index].token)
            events_seen += played.events[index]


@examples(60)
@given(games(), st.data())
def test_a_client_gets_the_view_that_its_seat_may_see(played: Played, data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(played.games))
    viewer = data.draw(st.sampled_from(joined_viewers(game)))
    seen = view(game, viewer)
    you, second = (*(letters_of(game.families)[seat] for seat in seen.viewers), None, None)[:2]
    sent = State(
        revision=1, view=WireView.of(seen), you=you, second=second, first_event=0, events=()
    )
    received = decode_host(encode(sent))
    assert isinstance(received, State)
    got = received.view.seen_by((received.you or "") + (received.second or ""))
    for name in (*Position.__slots__, *View.__slots__):
        assert getattr(got, name) == getattr(seen, name)
    assert got.legal == seen.legal


def event_of(data: object) -> Event:
    """Return the event in a frame; raises CodecError if the event is invalid."""
    state = {"type": "state", "revision": 1, "view": VIEW, "you": None, "first_event": 0}
    message = decode_host(pack(state | {"events": [data]}))
    assert isinstance(message, State)
    return message.events[0]


@given(events)
def test_every_event_goes_and_comes_back(event: Event) -> None:
    assert event_of(to_wire(event)) == event


def test_an_event_is_its_name_and_its_fields() -> None:
    assert to_wire(Placed(0, "?", ">", 3, 1)) == ("Placed", 0, "?", ">", 3, 1)
    assert to_wire(ResolutionBegan()) == ("ResolutionBegan",)
    assert to_wire(GameEnded((0, 2))) == ("GameEnded", (0, 2))


@given(
    st.sampled_from([kind.__name__ for kind in get_args(Event)]),
    st.lists(st.none() | st.booleans() | st.integers(-5, 40) | st.text(max_size=2), max_size=9),
)
def test_what_is_taken_for_an_event_is_one(name: str, values: list[object]) -> None:
    try:
        event = event_of((name, *values))
    except CodecError:
        return
    assert to_wire(event) == (name, *values)
    assert all(type(each) in (int, str, bool) for each in event)
