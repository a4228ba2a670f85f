"""Tests a table's connection to a pretended relay."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from driflamme_tui.hosting.hosted_table import OpenServer
from driflamme_tui.wings.relay.open_relay import ConnectionToRelay
from netcode.transport.address import Address
from netcode.wings.relay import relay_connection
from netcode.wings.relay.messages import RelayPass
from netcode.wings.relay.relay_link import RelayLink, parse_relay_link
from netcode.wings.relay.relay_messages import Registered

LINK = RelayLink((Address("198.51.100.7", 4000),), bytes(32), bytes(12))


@pytest.mark.parametrize("by_code", [True, False])
@pytest.mark.parametrize("evening_pass", [None, bytes(range(12))])
async def test_the_relay_of_a_table_says_by_what_others_come_and_when_it_is_gone(
    monkeypatch: pytest.MonkeyPatch, by_code: bool, evening_pass: bytes | None
) -> None:
    class PretendedConnection:
        registered: Registered | None = None
        is_replaced = False

        def __init__(self, *sentences: Any) -> None:
            self.changed: Callable[[], None] = sentences[-1]

        async def open(self) -> None:
            self.registered = Registered(by_code=by_code, evening_pass=evening_pass)

    monkeypatch.setattr(relay_connection, "RelayConnection", PretendedConnection)
    passes: list[RelayPass] = []
    sentences: list[str] = []
    listening: Any = SimpleNamespace(identity=object())
    entry: Any = SimpleNamespace(prefix="ABC", table=None)
    server: Any = SimpleNamespace(
        adopt=None, set_notice=lambda _entry, notice: passes.append(notice)
    )
    part = ConnectionToRelay(str(LINK))
    part.start(listening)
    part.add_table(entry)
    await part.open(OpenServer(server=server, listening=listening, notify=sentences.append))
    connection: Any = part.connection
    assert listening.indirect == LINK.addresses
    assert part.saved_record() == str(LINK)
    assert [parse_relay_link(each.link).secret for each in passes] == [evening_pass] * bool(
        evening_pass
    )
    assert any("has a code like yours" in each for each in sentences) != by_code
    sentences.clear()
    connection.registered = None
    connection.changed()
    connection.registered = Registered(by_code=True)
    connection.changed()
    connection.is_replaced = True
    connection.changed()
    assert [each.partition(" 198")[0] for each in sentences] == [
        "The connection to the relay at",
        "The relay at",
        "Another table of yours now uses the relay at",
    ]
