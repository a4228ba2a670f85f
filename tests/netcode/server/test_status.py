"""Tests that the server reports its status only to the user who started it."""

import stat
import sys

import pytest

from engine.texts import ExplainedError
from netcode.server.status import StatusSocket, ask_status, status_path


async def test_its_user_alone_is_told_by_the_port_until_it_is_closed() -> None:
    path = status_path(7)
    answers = iter((1, 2))
    answering = await StatusSocket.open(path, lambda: {"up_s": next(answers)})
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert await ask_status(7, "driflamme serve") == {"up_s": 1}
    assert await ask_status(7, "driflamme serve") == {"up_s": 2}
    await answering.close()
    assert not path.exists()
    with pytest.raises(ExplainedError, match="No server of yours listens on port 7: "):
        await ask_status(7, "driflamme serve")


async def test_what_somebody_else_answers_there_is_no_status() -> None:
    path = status_path(7)
    path.parent.mkdir(parents=True, exist_ok=True)
    answering = await StatusSocket.open(path, lambda: [1])  # type: ignore[arg-type, return-value]
    with pytest.raises(ExplainedError, match="start one with driflamme relay"):
        await ask_status(7, "driflamme relay")
    await answering.close()
