"""Tests the reactions of a session to a host's messages, also to wrong messages."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.actions import ACTIONS
from engine.events import (
    Event,
    GameEnded,
    Left,
    Moved,
    Placed,
    RoundBegan,
    Stole,
    Uncovered,
)
from engine.game import Deal
from engine.notation import parse_view
from engine.ranking import Owners
from engine.record import Record
from netcode.client.interpreted import Extra, MadeRecord, SeenState
from netcode.client.session import MAXIMUM_TALK, ContradictionError, ProtocolError, Session
from netcode.protocol.fields import BeforeTable, Message, checked_struct
from netcode.protocol.messages import (
    PROTOCOL,
    Act,
    Admitted,
    Clock,
    Knocked,
    Line,
    Lobby,
    Refused,
    SeatInfo,
    State,
    Talk,
    Welcome,
)
from netcode.protocol.table_settings import TableSettings
from netcode.protocol.wire_views import WireView
from tests.engine.random_games import examples
from tests.support.pretend import OWNER_KEY
from tests.support.strategies import host_messages

VIEW = "2 1 r* - *r1:ASPHFLX:DMC:-,b1:???????:???:-,g1:???????:???:-"
NEXT = "2 1 b* rs *r1:APHFLX:DMC:-,b1:???????:???:-,g1:???????:???:-"


def welcome(**fields: object) -> Welcome:
    return checked_struct(
        {
            "protocol": PROTOCOL,
            "program": "p",
            "family": "r",
            "key": bytes(32),
            "host": True,
            **fields,
        },
        Welcome,
    )


def lobby(**fields: object) -> Lobby:
    return checked_struct(
        {
            "phase": "lobby",
            "seats": (SeatInfo(family="r", name="a"),),
            "spectators": (),
            "settings": TableSettings(),
            "missing": None,
            "invitation": "",
            "you": "r",
            "host": False,
            **fields,
        },
        Lobby,
    )


def wire(line: str, **fields: object) -> WireView:
    """Return the data of a line of the notation, with these fields replaced."""
    return replace(WireView.of(parse_view(line, None)), **fields)


def state(
    events: tuple[Event, ...] = (RoundBegan(1, 0),), view: str | WireView = VIEW, **fields: object
) -> State:
    seen = wire(view) if isinstance(view, str) else view
    about = {"revision": 1, "view": seen, "you": "r", "first_event": 0, "events": ()}
    return replace(checked_struct({**about, **fields}, State), events=events)


def placed() -> State:
    return state(revision=2, view=NEXT, first_event=1, events=(Placed(0, "S", ">", 1, 1),))


def pending(session: Session) -> Act | None:
    return session.pending


def clock_of(session: Session) -> Clock | None:
    return session.clock


def record_of(session: Session) -> Record | None:
    return session.record


def in_game() -> Session:
    session = Session()
    seats = tuple(SeatInfo(family=family, name=family) for family in ("r", "b", "g"))
    for message in (welcome(), lobby(phase="playing", seats=seats), state()):
        session.receive(message)
    return session


def test_a_session_says_hello_with_the_key_that_it_has() -> None:
    session = Session()
    assert session.hello("a").key is None
    session.receive(welcome(key=b"k" * 32))
    hello = session.hello("a", spectator=True)
    assert (hello.key, hello.spectator) == (b"k" * 32, True)
    assert (session.name, session.spectator) == ("a", True)
    assert Session(OWNER_KEY).hello("a").key == OWNER_KEY


FOUR = VIEW + ",y1:???????:???:-"


@pytest.mark.parametrize(
    ("view", "two", "owners"),
    [
        (VIEW, False, ((0,), (1,), (2,))),
        # After a game of three, the lobby may have become one for two players.
        (VIEW, True, ((0,), (1,), (2,))),
        (FOUR, False, ((0,), (1,), (2,), (3,))),
        (FOUR, True, ((0, 2), (1, 3))),
    ],
)
def test_two_have_two_families_each_where_four_play_and_the_lobby_says_so(
    view: str, two: bool, owners: Owners
) -> None:
    session = Session()
    assert session.owners() == ()
    for message in (welcome(), lobby(settings=TableSettings(two=two)), state(view=view)):
        session.receive(message)
    assert session.owners() == owners


class Choice(BeforeTable, frozen=True):
    """A message that asks the player to choose a table."""


def test_whoever_has_to_choose_enters_a_table_by_its_secret_and_the_key_to_a_seat() -> None:
    session = Session(secret=b"of the house")
    session.hello("anna")
    session.receive(Choice())
    hello = session.enter(b"of the table", key=OWNER_KEY)
    assert (hello.name, hello.secret, hello.key) == ("anna", b"of the table", OWNER_KEY)
    assert session.before_table is None


def test_a_session_knows_who_it_is() -> None:
    session = in_game()
    assert (session.family, session.is_host) == ("r", False)
    assert session.view is not None
    assert session.view.viewer == 0
    assert len(session.view.legal) == 7
    session.receive(lobby(host=True))
    assert session.is_host


def test_an_act_is_pending_until_a_later_state() -> None:
    session = in_game()
    act = session.act(ACTIONS["S>"])
    assert act == Act(number=1, revision=1, action="S>")
    assert pending(session) == act
    session.receive(lobby(phase="playing"))
    session.receive(state(first_event=1, events=()))
    assert pending(session) == act
    session.receive(placed())
    assert pending(session) is None
    assert session.act(ACTIONS["A>"]).number == 2


def test_a_refused_act_is_pending_no_more() -> None:
    session = in_game()
    session.act(ACTIONS["S>"])
    session.receive(Refused(code="late", number=7))
    assert pending(session) is not None
    session.receive(Refused(code="late", number=1))
    assert pending(session) is None
    assert session.refusal == Refused(code="late", number=1)
    session.act(ACTIONS["S>"])
    assert session.refusal is None


def test_events_are_those_of_the_whole_game_and_the_fresh_ones_are_known() -> None:
    session = in_game()
    session.receive(placed())
    assert session.events == [RoundBegan(1, 0), Placed(0, "S", ">", 1, 1)]
    assert session.fresh == 1
    again = (*session.events, Placed(1, "?", "<", 1, 1))
    session.receive(welcome())
    session.receive(state(revision=3, view=NEXT, events=again))
    assert session.fresh == 2
    session.receive(state(revision=4))
    assert session.fresh == 0, "another game"


def test_acts_count_on_from_what_the_host_has_counted() -> None:
    session = Session()
    session.receive(welcome(acted=41))
    session.receive(state())
    assert session.act(ACTIONS["S>"]).number == 42
    session.receive(welcome(acted=0))
    assert session.act(ACTIONS["S>"]).number == 43


@pytest.mark.parametrize(("own", "left"), [(None, [None]), (OWNER_KEY, [OWNER_KEY, None])])
def test_a_key_that_opens_nothing_is_thrown_away_the_owners_last(
    own: bytes | None, left: list[bytes | None]
) -> None:
    session = Session(own)
    session.receive(welcome())
    for key in left:
        session.receive(Refused(code="unknown_key"))
        assert session.hello("a").key == key


def test_the_lobby_ends_the_game() -> None:
    session = in_game()
    session.act(ACTIONS["S>"])
    session.receive(lobby())
    assert (session.view, session.events, session.fresh, session.pending) == (None, [], 0, None)


def test_a_host_that_has_begun_anew_is_believed_after_its_welcome() -> None:
    session = in_game()
    session.receive(state(revision=50, first_event=1, events=()))
    session.receive(welcome())
    session.receive(state())
    assert session.revision == 1


class Known(Extra, frozen=True):
    """Data that an invented interpreter adds to the game's."""


def test_what_an_interpreter_knows_is_of_one_game() -> None:
    session = in_game()
    session.receive(Known())
    assert session.extra == Known()
    session.receive(lobby())
    assert session.extra is None


def test_a_position_of_an_interpreter_is_seen_like_that_of_a_host() -> None:
    seen = parse_view(NEXT, 0)
    sent = placed()
    session = in_game()
    fields = {name: getattr(sent, name) for name in State.__struct_fields__}
    shown = SeenState(**fields, seen=seen)
    assert shown.sent() == sent
    session.receive(shown)
    assert session.view is seen
    assert (session.revision, session.fresh) == (2, 1)


def test_a_record_that_an_interpreter_made_is_of_the_position_that_is_shown() -> None:
    record = Record(Deal.shuffled(Random(1), "rbg"))
    session = in_game()
    session.receive(MadeRecord(revision=7, line=record.to_json()))
    assert session.record is None
    session.receive(MadeRecord(revision=1, line=record.to_json()))
    assert record_of(session) == record


def clock(revision: int = 1, left_ms: int = 30_000) -> Clock:
    return Clock(revision=revision, left_ms=left_ms, running=True)


def test_a_clock_is_for_the_position_that_is_shown() -> None:
    session = in_game()
    session.receive(clock(revision=7))
    assert clock_of(session) is None
    session.receive(clock())
    assert clock_of(session) == clock()
    session.receive(clock(left_ms=5))
    session.receive(state())
    assert clock_of(session) == clock(left_ms=5)
    session.receive(placed())
    assert clock_of(session) is None


@pytest.mark.parametrize("message", [welcome(), lobby()])
def test_a_clock_ends_with_the_connection_and_with_the_game(message: Message) -> None:
    session = in_game()
    session.receive(clock())
    session.receive(message)
    assert session.clock is None


def talk(first: int, *texts: str) -> Talk:
    lines = tuple(Line(name="a", family=None, text=text) for text in texts)
    return Talk(first=first, lines=lines)


def chat_after(*messages: Talk) -> str:
    """Return the chat that a session knows after these messages."""
    session = Session()
    for message in messages:
        session.receive(message)
    return " ".join(line.text for line in session.talk)


def test_talk_goes_on_and_what_is_known_comes_once() -> None:
    assert chat_after(talk(0, "a", "b"), talk(2, "c"), talk(0, "a", "b", "c", "d")) == "a b c d"


def test_talk_of_a_host_that_has_lost_it_is_added_to_what_is_known() -> None:
    assert chat_after(talk(0, "a", "b", "c"), talk(0, "d"), talk(1, "e")) == "a b c d e"
    assert chat_after(talk(0, "a", "b"), talk(0), talk(0, "c"), talk(0, "c", "d")) == "a b c d"


def test_of_endless_talk_the_end_is_kept() -> None:
    texts = [str(number) for number in range(MAXIMUM_TALK + 10)]
    session = Session()
    for number, text in enumerate(texts):
        session.receive(talk(number, text))
    assert [line.text for line in session.talk] == texts[10:]
    assert len(session._chat_lines) == MAXIMUM_TALK
    session.receive(talk(0, "again"))
    assert [line.text for line in session.talk] == [*texts[11:], "again"]


@pytest.mark.parametrize(
    "message",
    [
        welcome(protocol=PROTOCOL - 1),
        Knocked(share=bytes(33)),
        Admitted(secret=bytes(12)),
        Choice(),
        lobby(you="b"),
        lobby(seats=(SeatInfo(family="r", name="a"), SeatInfo(family="r", name="b"))),
        lobby(seats=(SeatInfo(family="r", name="a", second="r"),)),
        lobby(seats=tuple(SeatInfo(family=each, name=each, second="g") for each in ("r", "b"))),
        state(revision=0),
        state(revision=2, first_event=3),
        state(revision=2, view=VIEW.replace("ASPHFLX:DMC", "???????:???")),
        state(revision=2, you="v"),
        # Lists of other lengths than the number of families, and seats outside the table.
        *(
            state(revision=2, view=wire(VIEW, **{name: getattr(wire(VIEW), name)[:2] + more}))
            for name, no_item in (("hands", "?" * 7), ("aside", "???"), ("out", ""), ("pools", 1))
            for more in ((), (no_item, no_item))
        ),
        state(revision=2, view=wire(VIEW, families="rbb")),
        state(revision=2, view=wire(VIEW, first=3)),
        state(revision=2, view=wire(VIEW, turn=4)),
        state(revision=2, view=wire(NEXT, queue=((3, "S", False, 0, None),))),
        # A question without a card, and a placement with one.
        state(revision=2, view=wire(VIEW, question="?")),
        state(revision=2, view=wire(VIEW, question="A")),
        state(revision=2, view=wire(NEXT, at=0)),
        state(revision=2, view=wire(NEXT, at=29, question="?")),
        # Cards that are impossible in the Queue, and hands in a wrong order.
        state(revision=2, view=wire(NEXT, queue=((0, "?", True, 0, None),))),
        state(revision=2, view=wire(NEXT, queue=((0, "S", True, 1, None),))),
        state(revision=2, view=wire(NEXT, queue=((0, "S", False, 0, (1, "?", False, 0, None)),))),
        state(revision=2, view=wire(VIEW, hands=("SAPHFLX", "?" * 7, "?" * 7))),
        state(revision=2, view=wire(VIEW, hands=("ASPHFLX", "A??????", "?" * 7))),
        # A hidden card in the Queue that the player placed, and must know.
        state(revision=2, view="2 1 r?1 r?,b?,g? *r1:SPHFLX:DMC:-,b1:??????:???:-,g1:??????:???:-"),
        state(revision=2, second="r"),
        state(revision=2, you=None, second="r"),
    ],
)
def test_a_host_that_contradicts_itself_is_not_believed(message: Message) -> None:
    session = in_game()
    before = dict(vars(session))
    with pytest.raises(ProtocolError):
        session.receive(message)
    assert vars(session) == before


LATER = "2 1 r?1 rs,b?,g? *r1:APHFLX:DMC:-,b1:??????:???:-,g1:??????:???:-"


@pytest.mark.parametrize(
    "event",
    [
        Placed(3, "?", ">", 1, 1),
        RoundBegan(1, 4),
        GameEnded((0, 1, 2, 3)),
        Placed(0, "?", ">", 1, 1),
        Left(0, 1, "?", 1),
        Uncovered(0, 1, "?", False),
        Uncovered(1, 1, "?", True),
        Moved(1, 1, 2, 3, 0, "?", False),
        Moved(0, 1, 2, 3, 1, "?", True),
        Stole(0, 1, "P", 0, 1),
        GameEnded((0, 0)),
    ],
)
def test_an_event_that_cannot_be_is_refused_and_nothing_changes(event: Event) -> None:
    session = in_game()
    before = dict(vars(session)), [*session.events]
    message = state(revision=2, view=LATER, first_event=1)
    with pytest.raises(ProtocolError):
        session.receive(replace(message, events=(event,)))
    assert (vars(session), session.events) == before
    honest = Placed(0, "S", ">", 1, 1), Placed(1, "?", ">", 2, 1), Left(1, 2, "?", 1)
    session.receive(replace(message, events=honest))
    assert tuple(session.events[1:]) == honest


SMALLER = "2 1 r* - *r1:ASPHFLX:DMC:-,b1:???????:???:-"


@pytest.mark.parametrize(
    "fields",
    [
        {"view": VIEW + ",y1:???????:???:-"},
        {"view": VIEW + ",y1:???????:???:-", "first_event": 0, "events": (RoundBegan(1, 0),)},
        {"view": VIEW.replace("g1", "y1")},
        {"view": "1" + VIEW[1:]},
        {"view": NEXT, "revision": 1},
    ],
)
def test_a_state_that_does_not_follow_the_one_before_is_refused(fields: dict[str, Any]) -> None:
    session = in_game()
    before = dict(vars(session))
    about = {"revision": 2, "first_event": 1, "events": (), **fields}
    with pytest.raises(ContradictionError):
        session.receive(state(**about))
    assert vars(session) == before


def test_events_of_the_game_before_are_never_kept_beside_another_game() -> None:
    session = in_game()
    session.receive(welcome())
    other = VIEW.replace("g1", "y1")
    with pytest.raises(ContradictionError):
        session.receive(state(view=other, first_event=1, events=()))
    # The host may have restarted since the last connection, and sends the whole game.
    session.receive(state(view=other))
    assert session.view is not None
    assert session.view.families == "rby"


@examples(30)
@given(st.lists(host_messages, max_size=5))
def test_any_messages_change_the_session_or_raise_a_protocol_error(
    messages: list[Message],
) -> None:
    session = Session()
    for message in messages:
        before = dict(vars(session))
        try:
            session.receive(message)
        except ProtocolError:
            assert vars(session) == before
