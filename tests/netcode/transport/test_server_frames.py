"""Tests that our server writes the same frames as the library `websockets`."""

import pytest
from websockets.frames import Frame, Opcode

from netcode.transport.websocket import server_frame


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 255, 256, 65_535, 65_536, 100_000])
def test_a_frame_is_the_one_that_the_library_makes(length: int) -> None:
    data = bytes(at % 251 for at in range(length))
    assert server_frame(data) == Frame(Opcode.BINARY, data).serialize(mask=False)
