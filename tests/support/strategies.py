"""Any message that the protocol allows, for property tests."""

from typing import get_args

from hypothesis import strategies as st

from engine.actions import ACTIONS
from engine.cards import CARDS, FAMILIES, MAXIMUM_PLAYERS, MAXIMUM_STACKS, ROUNDS
from engine.events import Event, Left, Moved, Placed, Uncovered
from netcode.protocol.evening import MAXIMUM_STANDINGS, Evening, Standing
from netcode.protocol.fields import (
    CHAT_LENGTH,
    KEY_BYTES,
    MAXIMUM_CLOCK_S,
    MAXIMUM_COUNT_S,
    MAXIMUM_EVENTS,
    MAXIMUM_PACE_MS,
    MAXIMUM_SPECTATORS,
    MAXIMUM_THINK_MS,
    MINIMUM_THINK_MS,
    NAME_LENGTH,
    PROOF_BYTES,
    SECRET_BYTES,
    SHARE_BYTES,
    PhraseName,
)
from netcode.protocol.messages import (
    PROTOCOL,
    Absent,
    Act,
    AddBot,
    AdmissionMessage,
    Admitted,
    AskLeague,
    BackToLobby,
    Call,
    Carry,
    CarryOn,
    Challenge,
    ChangeBot,
    ChangeSettings,
    Chat,
    ChooseFamily,
    Clock,
    Club,
    EndGame,
    GameRecord,
    Goodbye,
    HandOver,
    Hello,
    Here,
    HostMessage,
    Knock,
    Knocked,
    League,
    LeagueRow,
    Leave,
    Line,
    Lobby,
    LogAt,
    LogIn,
    Mute,
    NewInvitation,
    OpenTable,
    Pause,
    Prove,
    Reason,
    Refused,
    RelayPass,
    Remove,
    Rename,
    Sealed,
    SeatInfo,
    SendAway,
    SetReady,
    Silence,
    Start,
    State,
    StopCount,
    TableInfo,
    TableMessage,
    TableSettings,
    Talk,
    Welcome,
)
from netcode.protocol.refusal_sentences import SENTENCES, name_problem

families = st.sampled_from(FAMILIES)
numbers = st.integers(0, 999_999_999)
revisions = st.integers(0, 2**31 - 1)
numbered = st.integers(1, 2**31 - 1)


def exactly(length: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=length, max_size=length)


keys = exactly(KEY_BYTES)
secrets = exactly(SECRET_BYTES)
shares = exactly(SHARE_BYTES)
proofs = exactly(PROOF_BYTES)
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
    think_ms=st.integers(MINIMUM_THINK_MS, MAXIMUM_THINK_MS),
    clock_s=st.integers(0, MAXIMUM_CLOCK_S),
    two=st.booleans(),
    best_of=st.sampled_from((0, 3, 5, 7)),
    sealed=st.booleans(),
)
seats = st.builds(
    SeatInfo,
    family=families,
    second=st.none() | families,
    name=names,
    bot=st.none() | bots,
    ready=st.booleans(),
    present=st.booleans(),
    away=st.sampled_from(("no", "grace", "wait", "bot")),
    host=st.booleans(),
)
reasons = st.builds(Reason, code=codes, values=values)

signs = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Of spoken codes."""
rooms = st.text(signs, min_size=3, max_size=3)
spoken_codes = st.text(signs, min_size=8, max_size=8)

said = st.text(printable, min_size=1, max_size=CHAT_LENGTH)
"""What comes from a host in a line of chat."""
typed = said | st.text(st.characters(codec="utf-8"), min_size=1, max_size=CHAT_LENGTH)
"""What may come from a client in one: anything."""

phrases = st.sampled_from(get_args(PhraseName))

tallies = st.integers(0, 1_000_000_000)

league_rows = st.builds(
    LeagueRow,
    name=names,
    place=st.none() | tallies,
    games=tallies,
    wins=tallies,
    points=tallies,
    rating=st.integers(-1_000_000, 1_000_000),
    uncertainty=tallies,
)

door_messages: st.SearchStrategy[AdmissionMessage] = st.one_of(
    st.builds(Knock, protocol=st.just(PROTOCOL), room=rooms, share=shares),
    st.builds(Prove, proof=proofs),
    st.builds(OpenTable, settings=settings),
    st.builds(AskLeague, season=st.none() | st.integers(0, 40_000)),
    st.builds(Call, protocol=st.just(PROTOCOL), gid=keys, secret=st.none() | secrets),
    st.builds(LogIn, person=st.integers(0, MAXIMUM_PLAYERS - 1), signature=exactly(64)),
)

table_messages: st.SearchStrategy[TableMessage] = st.one_of(
    st.builds(
        Hello,
        protocol=st.just(PROTOCOL),
        program=programs,
        name=names,
        spectator=st.booleans(),
        key=st.none() | keys,
        secret=st.none() | secrets,
    ),
    st.builds(ChooseFamily, family=families),
    st.builds(Rename, name=names),
    st.builds(SetReady, ready=st.booleans(), game_key=st.none() | keys),
    st.builds(AddBot, bot=bots),
    st.builds(ChangeBot, family=families, bot=bots),
    st.builds(Remove, family=families),
    st.builds(ChangeSettings, settings=settings),
    st.builds(Start, count_s=st.integers(0, MAXIMUM_COUNT_S), game_key=st.none() | keys),
    st.just(StopCount()),
    st.builds(Act, number=numbered, revision=revisions, action=tokens),
    st.builds(Chat, text=typed),
    st.builds(Chat, phrase=phrases),
    st.builds(Mute, name=names, muted=st.booleans()),
    st.builds(Pause, paused=st.booleans()),
    st.builds(Silence, silenced=st.booleans()),
    st.builds(SendAway, name=names),
    st.just(NewInvitation()),
    st.just(EndGame()),
    st.builds(Absent, family=families, choice=st.sampled_from(("wait", "bot"))),
    st.just(Here()),
    st.builds(LogAt, gid=keys, n=st.integers(0, 2**32 - 1), tip=keys),
    st.just(BackToLobby()),
    st.builds(Carry, allowed=st.booleans()),
    st.builds(HandOver, name=names),
    st.just(Leave()),
)

parcels = st.tuples(st.binary(min_size=1, max_size=200), st.just(b"") | exactly(64))

sealed_messages: st.SearchStrategy[TableMessage] = st.builds(
    Sealed, parcels=st.lists(parcels, min_size=1, max_size=8).map(tuple)
)
"""What is too long for any table that is not sealed."""

client_messages = door_messages | table_messages

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

cards = st.text(CARDS, min_size=1, max_size=len(CARDS))

lines = st.builds(Line, name=names, family=st.none() | families, text=said) | st.builds(
    Line, name=names, family=st.none() | families, phrase=phrases
)
counts = st.integers(0, 1_000_000)
standings = st.builds(
    Standing, name=names, games=counts, wins=counts, influence=counts, places=counts
)
evenings = st.builds(
    Evening, games=counts, standings=st.lists(standings, max_size=MAXIMUM_STANDINGS).map(tuple)
)
tables = st.builds(
    TableInfo,
    room=rooms,
    secret=secrets,
    phase=st.sampled_from(("lobby", "playing", "result")),
    edition=st.sampled_from((1, 2)),
    names=st.lists(names, max_size=MAXIMUM_PLAYERS).map(tuple),
    asleep=st.booleans(),
)

lobbies = st.builds(
    Lobby,
    phase=st.sampled_from(("lobby", "playing", "result")),
    seats=st.lists(seats, max_size=MAXIMUM_PLAYERS).map(tuple),
    spectators=st.lists(names, max_size=MAXIMUM_SPECTATORS).map(tuple),
    settings=settings,
    missing=st.none() | reasons,
    muted=st.lists(names, max_size=MAXIMUM_PLAYERS + MAXIMUM_SPECTATORS).map(tuple),
    silenced=st.booleans(),
    paused=st.booleans(),
    count_s=st.none() | st.integers(1, MAXIMUM_COUNT_S),
    evening=evenings,
    invitation=st.text(printable, max_size=200),
    code=st.none() | spoken_codes,
    secret=st.none() | secrets,
    ended_by=st.none() | names,
    dealing=st.none() | st.lists(names, max_size=MAXIMUM_PLAYERS).map(tuple),
    carriers=st.lists(names, max_size=MAXIMUM_PLAYERS).map(tuple),
    you=st.none() | families,
    host=st.booleans(),
)
host_messages: st.SearchStrategy[HostMessage] = st.one_of(
    st.builds(Knocked, share=shares),
    st.builds(Admitted, secret=secrets, proof=st.none() | proofs),
    st.builds(Club, tables=st.lists(tables, max_size=4).map(tuple)),
    st.builds(
        League,
        season=st.integers(0, 40_000),
        rows=st.lists(league_rows, min_size=3, max_size=4).map(tuple),
        duels=st.lists(st.tuples(*[st.integers(0, 2)] * 2, *[tallies] * 2), max_size=4).map(tuple),
    ),
    st.builds(
        Welcome,
        protocol=st.integers(0, 65_535),
        program=programs,
        family=st.none() | families,
        key=keys,
        host=st.booleans(),
        acted=revisions,
    ),
    lobbies,
    st.builds(
        State,
        revision=revisions,
        view=st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=1000),
        you=st.none() | families,
        second=st.none() | families,
        first_event=st.integers(0, MAXIMUM_EVENTS),
        events=st.lists(events, max_size=20).map(tuple),
    ),
    st.builds(
        GameRecord,
        revision=revisions,
        settings=settings,
        families=st.from_regex(r"[rbgyv]{3,5}", fullmatch=True),
        first=st.integers(0, MAXIMUM_PLAYERS - 1),
        hands=st.lists(cards, max_size=MAXIMUM_PLAYERS).map(tuple),
        aside=st.lists(cards, max_size=MAXIMUM_PLAYERS).map(tuple),
        names=st.lists(names, max_size=MAXIMUM_PLAYERS).map(tuple),
        bots=st.lists(st.none() | bots, max_size=MAXIMUM_PLAYERS).map(tuple),
        actions=st.lists(tokens, max_size=100).map(tuple),
    ),
    st.builds(
        Clock,
        revision=revisions,
        left_ms=st.integers(0, MAXIMUM_CLOCK_S * 1000),
        running=st.booleans(),
    ),
    st.builds(Talk, first=revisions, lines=st.lists(lines, max_size=4).map(tuple)),
    st.builds(Sealed, parcels=st.lists(parcels, min_size=1, max_size=40).map(tuple)),
    st.builds(Challenge, challenge=keys),
    st.just(CarryOn()),
    st.builds(RelayPass, link=words),
    st.builds(
        LogAt,
        gid=keys,
        n=st.integers(0, 2**32 - 1),
        tip=keys,
        person=st.none() | st.integers(0, MAXIMUM_PLAYERS - 1),
    ),
    st.builds(Refused, code=codes, values=values, number=st.none() | numbered),
    st.builds(Goodbye, code=codes, values=values),
)
