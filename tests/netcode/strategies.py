"""Any message that the protocol allows, for property tests."""

from dataclasses import fields
from typing import get_args

from hypothesis import strategies as st

from engine.actions import ACTIONS
from engine.cards import CARDS, FAMILIES, MAXIMUM_PLAYERS, MAXIMUM_STACKS, ROUNDS
from engine.events import Event, Left, Moved, Placed, Uncovered
from netcode.messages import (
    MAXIMUM_EVENTS,
    MAXIMUM_PACE_MS,
    MAXIMUM_SPECTATORS,
    NAME_LENGTH,
    Act,
    AddBot,
    BackToLobby,
    ChangeSettings,
    ChooseFamily,
    ClientMessage,
    Goodbye,
    Hello,
    HostMessage,
    Leave,
    Lobby,
    Reason,
    Refused,
    Remove,
    SeatInfo,
    SetReady,
    Start,
    State,
    TableSettings,
    Welcome,
)
from netcode.refusals import SENTENCES, name_problem

families = st.sampled_from(FAMILIES)
numbers = st.integers(0, 999_999_999)
revisions = st.integers(0, 2**31 - 1)
keys = st.binary(min_size=32, max_size=32)
printable = st.characters(categories=["L", "M", "N", "P", "S"], include_characters=" ")
names = st.text(printable, min_size=1, max_size=NAME_LENGTH).filter(
    lambda name: name_problem(name) is None
)
programs = st.text(printable, max_size=40)
tokens = st.sampled_from(list(ACTIONS))
bots = st.from_regex(r"[a-z0-9-]{1,20}", fullmatch=True)
codes = st.sampled_from([*SENTENCES, "rules.soldier_reach", "of_another_version"])
words = st.text(printable, max_size=60)
values = st.dictionaries(
    st.from_regex(r"[a-z]{1,20}", fullmatch=True),
    words | numbers | st.lists(words | numbers, max_size=MAXIMUM_STACKS).map(tuple),
    max_size=6,
)

settings = st.builds(
    TableSettings,
    edition=st.sampled_from((1, 2)),
    first=st.just("random") | families,
    direction=st.sampled_from(("right", "left")),
    pace_ms=st.integers(0, MAXIMUM_PACE_MS),
)
seats = st.builds(
    SeatInfo,
    family=families,
    name=names,
    bot=st.none() | bots,
    ready=st.booleans(),
    present=st.booleans(),
    host=st.booleans(),
)
reasons = st.builds(Reason, code=codes, values=values)

client_messages: st.SearchStrategy[ClientMessage] = st.one_of(
    st.builds(
        Hello,
        protocol=st.just(1),
        program=programs,
        name=names,
        spectator=st.booleans(),
        key=st.none() | keys,
    ),
    st.builds(ChooseFamily, family=families),
    st.builds(SetReady, ready=st.booleans()),
    st.builds(AddBot, bot=bots),
    st.builds(Remove, family=families),
    st.builds(ChangeSettings, settings=settings),
    st.just(Start()),
    st.builds(Act, number=st.integers(1, 2**31 - 1), revision=revisions, action=tokens),
    st.just(BackToLobby()),
    st.just(Leave()),
)

_by_field: dict[str, st.SearchStrategy[object]] = {
    "card": st.sampled_from(CARDS),
    "ability": st.sampled_from(CARDS),
    "victim_card": st.sampled_from(CARDS),
    "spot": st.sampled_from("<>^"),
    "face_up": st.booleans(),
    "winners": st.lists(
        st.integers(0, MAXIMUM_PLAYERS - 1), min_size=1, max_size=MAXIMUM_PLAYERS, unique=True
    ).map(tuple),
    "round": st.integers(1, ROUNDS),
    "height": st.integers(1, ROUNDS),
    "influence": numbers,
    "taken": numbers,
    **dict.fromkeys(("position", "target", "destination"), st.integers(1, MAXIMUM_STACKS)),
    **dict.fromkeys(
        ("seat", "first", "victim", "attacker", "owner"), st.integers(0, MAXIMUM_PLAYERS - 1)
    ),
}

_hiding = {**_by_field, "card": st.sampled_from(CARDS + "?")}

events: st.SearchStrategy[Event] = st.one_of(
    [
        st.builds(
            kind,
            **{
                each.name: (_hiding if kind in (Placed, Left, Moved, Uncovered) else _by_field)[
                    each.name
                ]
                for each in fields(kind)
            },
        )
        for kind in get_args(Event)
    ]
)

host_messages: st.SearchStrategy[HostMessage] = st.one_of(
    st.builds(
        Welcome,
        protocol=st.integers(0, 65_535),
        program=programs,
        family=st.none() | families,
        key=keys,
        host=st.booleans(),
        acted=revisions,
    ),
    st.builds(
        Lobby,
        phase=st.sampled_from(("lobby", "playing", "result")),
        seats=st.lists(seats, max_size=MAXIMUM_PLAYERS).map(tuple),
        spectators=st.lists(names, max_size=MAXIMUM_SPECTATORS).map(tuple),
        settings=settings,
        missing=st.none() | reasons,
        invitation=st.text(printable, max_size=200),
        you=st.none() | families,
        host=st.booleans(),
    ),
    st.builds(
        State,
        revision=revisions,
        view=st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=1000),
        you=st.none() | families,
        first_event=st.integers(0, MAXIMUM_EVENTS),
        events=st.lists(events, max_size=20).map(tuple),
    ),
    st.builds(
        Refused,
        code=codes,
        values=values,
        number=st.none() | st.integers(1, 2**31 - 1),
    ),
    st.builds(Goodbye, code=codes, values=values),
)
