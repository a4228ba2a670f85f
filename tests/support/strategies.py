"""Strategies for any valid message, derived from the types of its fields."""

from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from msgspec import Meta, Struct

from engine.actions import ACTIONS
from engine.cards import CARDS, FAMILIES, MAXIMUM_PLAYERS, MAXIMUM_STACKS, ROUNDS
from engine.events import Event, Left, Moved, Placed, Uncovered
from engine.views import view
from netcode.protocol.codec import messages_from_client, messages_from_host
from netcode.protocol.fields import (
    CHAT_LENGTH,
    NAME_LENGTH,
    BeforeTable,
    Code,
    Message,
    Name,
    PhraseName,
    Values,
)
from netcode.protocol.messages import PROTOCOL, Act, Chat, Hello, Knock, Line, State
from netcode.protocol.refusal_sentences import name_problem, sentences
from netcode.protocol.wire_views import WireView
from tests.engine.random_games import moments, viewers
from tests.support.wings import modules

MOST: Final = 20
"""Maximum length of generated lists; longer lists test nothing new."""

families = st.sampled_from(FAMILIES)
numbers = st.integers(0, 999_999_999)
printable = st.characters(categories=["L", "M", "N", "P", "S"], include_characters=" ")
names = st.text(printable, min_size=1, max_size=NAME_LENGTH).filter(
    lambda name: name_problem(name) is None
)
codes = st.sampled_from([*sentences(), "rules.soldier_reach", "of_another_version"])
words = st.text(printable, max_size=60)
values = st.dictionaries(
    st.from_regex(r"[a-z]{1,20}", fullmatch=True),
    words | numbers | st.lists(words | numbers, max_size=MAXIMUM_STACKS).map(tuple),
    max_size=6,
)
printable_text = st.text(printable, min_size=1, max_size=CHAT_LENGTH)
"""Texts that a host sends in a line of chat."""
typed = printable_text | st.text(st.characters(codec="utf-8"), min_size=1, max_size=CHAT_LENGTH)
"""Texts that a client sends in a line of chat: any characters."""

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
                name: (_hiding if kind in (Placed, Left, Moved, Uncovered) else _by_field)[name]
                for name in kind._fields
            },
        )
        for kind in get_args(Event)
    ]
)


@st.composite
def seen_views(draw: st.DrawFn) -> WireView:
    """Draw the view of a seat or a spectator at a moment of a random game."""
    played, index = draw(moments())
    game = played.games[index]
    return WireView.of(view(game, draw(st.sampled_from(viewers(game)))))


_TYPES: Final[dict[Any, st.SearchStrategy[Any]]] = {
    Name: names,
    Code: codes,
    Values: values,
    bool: st.booleans(),
    NoneType: st.none(),
    None: st.none(),
}
"""Strategies for types whose bounds are incomplete or not useful."""


@cache
def anything(kind: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for a type of field, or for a kind of message."""
    if kind in _TYPES:
        return _TYPES[kind]
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _bounded(parts[0], parts[1])
    if origin in (Union, UnionType):
        return st.one_of([anything(each) for each in parts])
    if origin is Literal:
        return st.sampled_from(parts)
    if origin is tuple and parts[-1] is not Ellipsis:
        return st.tuples(*map(anything, parts))
    if issubclass(kind, Struct):
        return build(kind)
    return _bounded(kind, Meta())


def _bounded(kind: Any, meta: Meta) -> st.SearchStrategy[Any]:
    """Return a strategy for a type within bounds."""
    least, most = meta.min_length or 0, meta.max_length
    if kind is int:
        return st.integers(meta.ge, meta.le if meta.lt is None else int(meta.lt) - 1)  # type: ignore[arg-type]
    if kind is bytes:
        return st.binary(min_size=least, max_size=most)
    if get_origin(kind) is dict:
        name, value = map(anything, get_args(kind))
        return st.dictionaries(name, value, min_size=least, max_size=most)
    if kind is not str:
        item, _ = get_args(kind)
        bound = MOST if most is None else min(MOST, most)
        return st.lists(anything(item), min_size=least, max_size=bound).map(tuple)
    if meta.pattern is None:
        return st.text(printable, min_size=least, max_size=most)
    matching = st.from_regex(meta.pattern)
    return matching if most is None else matching.filter(lambda text: len(text) <= most)


def build(kind: type[Struct], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for messages of a kind, with these strategies for some fields."""
    types = get_type_hints(kind, include_extras=True)
    every = {name: anything(types[name]) for name in kind.__struct_fields__ if name not in fields}
    return st.builds(kind, **every, **fields)


_ours: Final = st.just(PROTOCOL)

_TYPES.update((kind, build(kind, protocol=_ours)) for kind in (Hello, Knock))
_TYPES.update(
    {
        Act: build(Act, action=st.sampled_from(list(ACTIONS))),
        Chat: st.builds(Chat, text=typed) | st.builds(Chat, phrase=anything(PhraseName)),
        Line: build(Line, text=printable_text, phrase=st.none())
        | build(Line, text=st.just(""), phrase=anything(PhraseName)),
        State: build(State, view=seen_views(), events=st.lists(events, max_size=MOST).map(tuple))
        | build(State, events=st.lists(events, max_size=MOST).map(tuple)),
    }
)

for _wing in modules("strategies"):
    _TYPES.update(_wing.types(build, numbers))

_before: Final = [each for each in messages_from_client() if issubclass(each, BeforeTable)]
_long: Final = [kind for wing in modules("strategies") for kind in wing.LONG]
_at_table: Final = [each for each in messages_from_client() if each not in (*_before, *_long)]

table_messages: st.SearchStrategy[Message] = st.one_of(list(map(anything, _at_table)))

client_messages = st.one_of(list(map(anything, _before))) | table_messages

host_messages: st.SearchStrategy[Message] = st.one_of(
    [anything(kind) for kind in messages_from_host()]
)
