"""Tests the messages that a client's connection accepts before a session receives them."""

import msgpack
import pytest

from netcode.client.connection import Connection
from netcode.client.session import ProtocolError
from netcode.protocol.codec import encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import Goodbye, Lobby
from netcode.protocol.table_settings import TableSettings
from netcode.transport.channel import memory_channel
from tests.netcode.client.test_session import welcome
from tests.netcode.joining.test_invitation import HOSTILE, LINE


def lobby(invitation: str) -> Lobby:
    return Lobby(
        phase="lobby",
        seats=(),
        spectators=(),
        settings=TableSettings(),
        missing=None,
        invitation=invitation,
        you=None,
        host=False,
    )


async def taken(*sent: Message) -> list[Message]:
    """Return the messages that a client's connection yields when a host sends these."""
    near, far = memory_channel()
    for message in sent:
        far.send(encode(message))
    await far.close()
    heard: list[Message] = []
    await Connection(near).listen(heard.append)
    return heard


@pytest.mark.parametrize("hostile", [each for each in HOSTILE if each.isprintable()])
async def test_no_host_dictates_what_guests_paste_into_their_shells(hostile: str) -> None:
    """The connection parses each invitation before the program shows, copies or prints it."""
    assert await taken(lobby(hostile), lobby(LINE)) == [lobby(""), lobby(LINE)]


OF_NO_WING = msgpack.packb({"type": "of_no_wing_here", "value": 1})


async def test_what_is_no_message_ends_the_connection() -> None:
    near, far = memory_channel()
    far.send(b"nonsense")
    with pytest.raises(ProtocolError):
        await Connection(near).listen(lambda _message: None)


async def test_a_message_of_a_wing_that_this_program_lacks_is_ignored() -> None:
    near, far = memory_channel()
    far.send(encode(welcome()))
    far.send(OF_NO_WING)
    far.send(encode(lobby(LINE)))
    await far.close()
    heard: list[Message] = []
    await Connection(near).listen(heard.append)
    assert heard == [welcome(), lobby(LINE)]


async def test_a_host_that_answers_a_greeting_by_a_part_unknown_here_is_left() -> None:
    near, far = memory_channel()
    far.send(OF_NO_WING)
    far.send(encode(welcome()))
    heard: list[Message] = []
    await Connection(near).listen(heard.append)
    assert heard == [Goodbye(code="host_part_missing")]
