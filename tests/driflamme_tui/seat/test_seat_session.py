"""Tests the way to a seat: connections to a host, forgotten keys, and the stored result."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from driflamme_tui.preferences.remembered import recall, remember_back
from driflamme_tui.seat import targets
from driflamme_tui.seat.seat_keys import LockedSeat, way_back
from driflamme_tui.seat.seat_session import SeatSession
from driflamme_tui.seat.targets import ResolvedTarget
from netcode.client.connection import ConnectError
from netcode.client.connectors import Plain, Target, Unix
from netcode.client.session import Session
from netcode.joining.invitation import Invitation, parse_invitation
from netcode.protocol.fields import KEY_BYTES, SECRET_BYTES
from netcode.protocol.messages import Lobby, Refused, Welcome
from netcode.transport.address import Address
from netcode.transport.certificate import PIN_BYTES
from netcode.transport.channel import Channel
from tests.support.tables import lobby, welcome


async def test_whoever_has_no_seat_any_more_after_a_new_invitation_forgets_its_key() -> None:
    async def unreachable() -> Channel:
        raise ConnectError("Nobody is there.")

    secret, key = b"s" * SECRET_BYTES, b"k" * KEY_BYTES
    target = ResolvedTarget(unreachable, secret, "typed", "place", True)
    before = LockedSeat(target.seat_at(secret), "Blaise")
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
@pytest.mark.parametrize("has_secret", [False, True], ids=["", "the lobby has the secret"])
async def test_the_way_back_survives_a_new_invitation_a_new_code_and_new_addresses(
    is_clubs: bool, has_secret: bool
) -> None:
    first, moved = Address("192.0.2.1", 1), Address("192.0.2.2", 2)
    link = Invitation((first,), bytes(PIN_BYTES), b"s" * SECRET_BYTES)
    target = await targets.resolve(link)
    secret = b"t" * SECRET_BYTES if is_clubs else link.secret
    seat = SeatSession("Bea", Session(secret=secret), target.connect, target=target)
    seat._hold(secret)

    def receive(*news: Lobby | Welcome) -> None:
        for each in news:
            seat.session.receive(each)
            seat._receive(each)

    now = replace(link, secret=secret)
    sent_lobby = lobby("rb", "b", invitation=str(now), code="ABCDEFGH")
    receive(welcome("b"), sent_lobby)
    changes = [
        replace(now, secret=b"u" * SECRET_BYTES),
        replace(now, secret=b"u" * SECRET_BYTES, addresses=(moved,)),
        replace(now, secret=b"v" * SECRET_BYTES, addresses=(moved,)),
    ]
    for now in changes:
        secret_now = now.secret if has_secret else None
        receive(msgspec.structs.replace(sent_lobby, invitation=str(now), secret=secret_now))
        back = seat.way_back()
        assert back is not None
        way = parse_invitation(back.typed)
        assert way.secret == now.secret == seat.session.secret
        assert way.addresses[0] == now.addresses[0]
        assert not LockedSeat(back.place, "Bea").is_locked, (
            "no other program takes the seat meanwhile"
        )
        remember_back(back)
    latest = seat.way_back()
    seat.release_seat()
    assert latest is not None
    assert way_back() == latest, "there is a key"
    clubs = replace(link, addresses=parse_invitation(latest.typed).addresses)
    assert target.typed_now == (str(clubs) if is_clubs else latest.typed)
    old = LockedSeat(target.seat_at(secret), "Bea")
    assert old.recall() == seat.session.key, "the old link leads back, too"
    old.release()
    await seat.close()


@pytest.mark.parametrize(
    ("target", "is_encrypted"),
    [
        (Invitation((Address("192.0.2.1"),), bytes(PIN_BYTES), bytes(SECRET_BYTES)), True),
        (Unix(Path("socket")), False),
        (Plain(Address("192.0.2.1")), False),
    ],
)
async def test_whether_the_way_there_(target: Target, is_encrypted: bool) -> None:
    resolved = await targets.resolve(target)
    assert resolved.secure == is_encrypted
    seat = SeatSession("Blaise", Session(), resolved.connect, target=resolved)
    assert seat.latency_ms is None
    seat._connection = cast(Any, SimpleNamespace(latency=0.0384))
    assert seat.latency_ms == 38


@pytest.mark.parametrize("is_stored", [False, True])
@pytest.mark.parametrize("phase", ["lobby", "playing", "result"])
async def test_a_game_that_nobody_can_resume_goes_into_the_history_when_its_table_closes(
    phase: str, is_stored: bool
) -> None:
    abandoned: list[object] = []

    async def done(**_: object) -> None:
        pass

    games = SimpleNamespace(phase=phase)
    table = SimpleNamespace(games=games, record=lambda: "the game so far")
    own: Any = SimpleNamespace(
        entry=SimpleNamespace(table=table),
        server=SimpleNamespace(is_stored=lambda _entry: is_stored),
        listening=None,
        close=done,
        secure=True,
    )
    seat = SeatSession("Blaise", Session(), cast(Any, None))
    seat.table = own
    seat._history_writer = cast(
        Any, SimpleNamespace(abandon=lambda *sent: abandoned.append(sent[0]), settled=done)
    )
    await seat.close()
    assert abandoned == ["the game so far"] * (phase == "playing" and not is_stored)


async def test_only_a_player_with_a_seat_keeps_it_when_its_address_has_another_table() -> None:
    target = await targets.resolve(
        Invitation((Address("192.0.2.1"),), bytes(PIN_BYTES), b"s" * SECRET_BYTES)
    )
    seat = SeatSession("Bea", Session(secret=target.secret), target.connect, target=target)
    assert not seat.keeps_seat("no_such_table"), "the invitation leads nowhere"
    for each in (welcome("b"), lobby("rb", "b")):
        seat.session.receive(each)
        seat._receive(each)
    assert seat.keeps_seat("no_such_table")
    for code in ("invitation_renewed", "game_under_way", "host_quit"):
        assert not seat.keeps_seat(code)
    await seat.close()
    own = SeatSession("Bea", Session(), target.connect)
    assert not own.keeps_seat("no_such_table")
    await own.close()


async def test_a_new_name_is_stored_for_later_evenings() -> None:
    seat = SeatSession("Bea", Session(), cast(Any, None))
    seat._renamed("Beatrix")
    assert seat.name == seat.session.name == recall().name == "Beatrix"
    await seat.close()
