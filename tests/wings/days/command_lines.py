"""The command line that lists a player's tables and turns."""

from collections.abc import Sequence
from typing import Final

import pytest

from driflamme_tui.wings.days.turns import turn_requests
from driflamme_tui.wings.days.turns.returns import KnownSeat
from netcode.client.connection import ConnectError
from netcode.wings.days.messages import Turn
from tests.support.command_lines import CommandLines
from tests.wings.days.waiting_tables import sit_at_two_tables, turn


def _prepare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store seats at two tables; the server of one answers, and the other does not."""
    sit_at_two_tables()

    async def answer(way: KnownSeat, _seats: Sequence[tuple[KnownSeat, bytes]]) -> Sequence[Turn]:
        if way.prefix == "K7Q":
            raise ConnectError("Nobody answers.")
        return [turn("CZR")]

    monkeypatch.setattr(turn_requests, "_turns", answer)


COMMAND_LINES: Final = CommandLines(as_json={"turns": (("turns", "--json"),)}, prepare=_prepare)
