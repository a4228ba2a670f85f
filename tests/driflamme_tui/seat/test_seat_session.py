"""The way to a seat: how often a host is called, whose key is forgotten, what is kept at last."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from driflamme_tui.hosting import takeover_games
from driflamme_tui.preferences.remembered import remember_back
from driflamme_tui.seat import targets
from driflamme_tui.seat.seat_keys import OwnSeat, seat_at, way_back
from driflamme_tui.seat.seat_session import SeatSession, sit_down
from driflamme_tui.seat.targets import DOOR, Join, ResolvedTarget
from netcode.client.code_join import NotAdmittedError
from netcode.client.connection import ConnectError
from netcode.client.connectors import Plain, Target, Unix
from netcode.client.session import Session
from netcode.joining.invitation import Invitation, parse_invitation
from netcode.protocol.fields import KEY_BYTES, SECRET_BYTES, FamilyLetter
from netcode.protocol.messages import Lobby, Refused, Remove, Rename, Welcome
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import Opened
from netcode.table.table import Table
from netcode.transport.address import Address
from netcode.transport.certificate import PIN_BYTES
from netcode.transport.channel import Channel, memory_channel
from netcode.transport.sockets import open_unix
from tests.support.tables import lobby, welcome


async def test_whoever_has_no_seat_any_more_after_a_new_invitation_forgets_its_key() -> None:
    async def unreachable() -> Channel:
        raise ConnectError("Nobody is there.")

    secret, key = b"s" * SECRET_BYTES, b"k" * KEY_BYTES
    target = ResolvedTarget(unreachable, secret, "typed", "place", True)
    before = OwnSeat(target.seat_at(secret), "Blaise")
    before.remember(key)
    before.release()
    seat = SeatSession("Blaise", Session(secret=secret), unreachable, target=target)
    assert seat.session.key == key
    for code, kept in (("game_under_way", key), ("invitation_renewed", None)):
        seat._receive(Refused(code=code))
        assert seat._seat is not None
        assert seat._seat.recall() == kept
    await seat.close()


@pytest.mark.parametrize("is_clubs", [False, True])
async def test_the_way_back_survives_a_new_invitation_a_new_code_and_new_addresses(
    is_clubs: bool,
) -> None:
    first, moved = Address("192.0.2.1", 1), Address("192.0.2.2", 2)
    link = Invitation((first,), bytes(PIN_BYTES), b"s" * SECRET_BYTES)
    target = await targets.resolve(link)
    secret = b"t" * SECRET_BYTES if is_clubs else link.secret
    seat = SeatSession("Bea", Session(secret=secret), target.connect, target=target)
    seat._hold(secret)

    def hear(*news: Lobby | Welcome) -> None:
        for each in news:
            seat.session.receive(each)
            seat._receive(each)

    now = replace(link, secret=secret)
    told = lobby("rb", "b", invitation=str(now), code="ABCDEFGH")
    hear(welcome("b"), told)
    changes = [
        replace(now, secret=b"u" * SECRET_BYTES),
        replace(now, secret=b"u" * SECRET_BYTES, addresses=(moved,)),
        replace(now, secret=b"v" * SECRET_BYTES, addresses=(moved,)),
    ]
    for now in changes:
        hear(msgspec.structs.replace(told, invitation=str(now)))
        back = seat.way_back()
        assert back is not None
        way = parse_invitation(back.typed)
        assert way.secret == now.secret == seat.session.secret
        assert way.addresses[0] == now.addresses[0]
        assert not OwnSeat(back.place, "Bea").held, "no other program takes the seat meanwhile"
        remember_back(back)
    latest = seat.way_back()
    seat.release_seat()
    assert latest is not None
    assert way_back() == latest, "there is a key"
    clubs = replace(link, addresses=parse_invitation(latest.typed).addresses)
    assert target.typed_now == (str(clubs) if is_clubs else latest.typed)
    old = OwnSeat(target.seat_at(secret), "Bea")
    assert old.recall() == seat.session.key, "the old link leads back, too"
    old.release()
    await seat.close()


async def test_who_came_by_a_door_and_was_renamed_has_their_seat_by_either_name_until_sent_away(
    tmp_path: Path,
) -> None:
    table = Table(Random(1), lambda: secrets.token_bytes(KEY_BYTES))
    entry = TableEntry(1, Opened(b"s" * SECRET_BYTES, "ABCDEFGH"), table)
    door = Join(Unix(tmp_path / "table", entry.secret))

    def is_seated(seat: SeatSession) -> bool:
        return seat.session.lobby is not None

    async def visit(name: str, enough: Callable[[SeatSession], bool]) -> FamilyLetter | None:
        """Come by a door, and lose the line as soon as it is enough; return whose seat it was."""
        seat = await sit_down(door, name)
        await seat.stay(lambda _news: not enough(seat))
        await seat.leave(leaves=False)
        await seat.close()
        lobby = seat.session.lobby
        return None if lobby is None else lobby.you

    def is_renamed(seat: SeatSession) -> bool:
        if seat.session.lobby is None or seat.session.lobby.own_seat is None:
            return False
        if seat.session.lobby.own_seat.name == "Anna":
            seat.say(Rename(name="Ada"))
        return seat.session.lobby.own_seat.name == "Ada"

    async with Server(TableRegistry([entry])) as server:
        await server.listen([open_unix(tmp_path / "table")])
        host = await sit_down(door, "Bob")
        hosting = asyncio.create_task(host.stay(lambda _news: None))
        while not is_seated(host):
            await asyncio.sleep(0)
        own = await visit("Anna", is_renamed)
        assert own is not None
        assert [await visit(name, is_seated) for name in ("Anna", "Ada")] == [own, own]

        def is_sent_away(seat: SeatSession) -> bool:
            if is_seated(seat) and seat.session.goodbye is None:
                host.say(Remove(family=own))
            return False

        await visit("Anna", is_sent_away)
        keys = [OwnSeat(seat_at(DOOR, entry.secret), name).recall() for name in ("Anna", "Ada")]
        assert keys == [None, None]
        await host.leave(leaves=False)
        await hosting
        await host.close()


@pytest.mark.parametrize(
    ("target", "is_encrypted"),
    [
        (Invitation((Address("192.0.2.1"),), bytes(PIN_BYTES), bytes(SECRET_BYTES)), True),
        (Unix(Path("door"), bytes(SECRET_BYTES)), True),
        (Unix(Path("socket")), False),
        (Plain(Address("192.0.2.1")), False),
    ],
)
async def test_whether_the_way_there_is_encrypted_is_said_and_how_long_it_is_unless_it_is_a_door(
    target: Target, is_encrypted: bool
) -> None:
    resolved = await targets.resolve(target)
    assert resolved.secure == is_encrypted
    seat = SeatSession("Blaise", Session(), resolved.connect, target=resolved)
    assert seat.latency_ms is None
    seat._connection = cast(Any, SimpleNamespace(latency=0.0384))
    assert seat.latency_ms == (None if resolved.place == DOOR else 38)


@pytest.mark.parametrize("phase", ["lobby", "playing", "result"])
async def test_who_closes_their_table_keeps_the_game_that_nobody_will_go_on_with(
    phase: str,
) -> None:
    abandoned: list[object] = []

    async def done(**_: object) -> None:
        pass

    games = SimpleNamespace(phase=phase)
    table = SimpleNamespace(games=games, record=lambda: "the game so far")
    own: Any = SimpleNamespace(entry=SimpleNamespace(table=table), close=done, secure=True)
    seat = SeatSession("Blaise", Session(), cast(Any, None))
    seat.table = own
    seat._client_history = cast(
        Any, SimpleNamespace(abandon=lambda *told: abandoned.append(told[0]), settled=done)
    )
    await seat.close()
    assert abandoned == ["the game so far"] * (phase == "playing")


@pytest.mark.parametrize("is_there", [True, False])
async def test_a_host_is_called_for_each_unfinished_game_until_one_admits_or_nobody_is_there(
    is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    async def unreachable() -> Channel:
        raise ConnectError("Nobody is there.")

    async def resolved(_target: object) -> ResolvedTarget:
        return ResolvedTarget(unreachable, None, "typed", "place", True)

    async def called(_sealing: object, me: int, *_way: object) -> tuple[Channel, bytes, bytes]:
        calls.append(me)
        if not is_there:
            raise ConnectError("Nobody is there.")
        if me == 0:
            raise NotAdmittedError(Refused(code="no_such_table"))
        return memory_channel()[0], bytes([me]) * SECRET_BYTES, bytes([me]) * KEY_BYTES

    parts = [SimpleNamespace(sealing=object(), me=me, secret=bytes(32)) for me in range(3)]
    monkeypatch.setattr(targets, "resolve", resolved)
    monkeypatch.setattr("netcode.takeover.calls.call_host", called)
    games = [(None, part) for part in parts]
    monkeypatch.setattr(takeover_games, "unfinished_persons", lambda _name: games)
    seat = await sit_down(Join(Plain(Address("192.0.2.1", 1))), "Blaise")
    with pytest.raises(ConnectError, match="Nobody is there"):
        await seat.stay(lambda _news: None)
    await seat.close()
    assert calls == ([0, 1] if is_there else [0])
    assert seat.session.key == (b"\1" * KEY_BYTES if is_there else None)
