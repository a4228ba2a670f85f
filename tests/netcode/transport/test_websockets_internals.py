"""The undocumented parts of the websockets library on which `websockets_internals.py` relies.

A failure here says what has changed; the module says how to go on without it.
"""

import asyncio
import inspect

from websockets.asyncio.server import ServerConnection, serve

from tests.netcode.rooms import opened, raw, runs


def test_a_server_connection_is_a_protocol_whose_steps_can_be_extended() -> None:
    assert issubclass(ServerConnection, asyncio.Protocol)
    steps = {
        name: list(inspect.signature(getattr(ServerConnection, name)).parameters)
        for name in ("connection_made", "data_received", "connection_lost")
    }
    assert steps == {
        "connection_made": ["self", "transport"],
        "data_received": ["self", "data"],
        "connection_lost": ["self", "exc"],
    }


def test_serve_makes_the_protocol_of_a_socket_by_create_connection() -> None:
    assert "create_connection" in inspect.signature(serve).parameters


@runs
async def test_a_connection_has_what_is_used_of_it() -> None:
    async with opened() as server, raw(server):
        (listener,) = server._listeners
        (connection,) = listener._served.present
        assert isinstance(connection.transport, asyncio.Transport)
        assert connection.loop is asyncio.get_running_loop()
        assert connection.request is not None
        assert connection.response is not None
        assert not connection.request.headers
        assert not connection.response.headers
