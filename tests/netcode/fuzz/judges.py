"""What must be true of whatever is made of a frame, whoever sent it."""

from collections.abc import Callable
from typing import Final, TypeVar, get_args

from netcode.client.session import ProtocolError, Session
from netcode.protocol.codec import FROM_HOST, CodecError, decode_client, decode_host, encode
from netcode.protocol.messages import ClientMessage, HostMessage
from netcode.protocol.refusal_sentences import SENTENCES, refusal_sentence
from tests.netcode.fuzz.frames import conversations

Message = TypeVar("Message", ClientMessage, HostMessage)

FIELDS: Final = {
    name
    for kind in (*get_args(ClientMessage), *get_args(HostMessage))
    for name in ("type", *kind.__struct_fields__)
}


def judge_client(frame: bytes | str) -> ClientMessage | None:
    """Read a frame as a host does; return the message, if it is one."""
    return _judged(frame, decode_client)


def judge_host(frame: bytes | str) -> HostMessage | None:
    """Read a frame as a client does; return the message, if it is one."""
    message = _judged(frame, decode_host)
    if message is not None:
        assert len(encode(message)) <= FROM_HOST
    return message


_session = Session()


def judge_session(frame: bytes) -> None:
    """Let a client that is at a table hear a frame; what makes no sense changes nothing."""
    global _session
    message = judge_host(frame)
    if message is None:
        return
    before = dict(vars(_session))
    events, talk = list(_session.events), list(_session.talk)
    try:
        _session.receive(message)
    except ProtocolError:
        assert vars(_session) == before
        assert (_session.events, _session.talk) == (events, talk)
        # Who is told such things leaves.
        _session = Session()
        for known in conversations()[1][:20]:
            _session.receive(decode_host(known))
    for refusal in (_session.refusal, _session.goodbye):
        if refusal is not None:
            assert refusal_sentence(refusal.code, refusal.values)


def _judged(frame: bytes | str, decode: Callable[[bytes | str], Message]) -> Message | None:
    try:
        message = decode(frame)
    except CodecError as error:
        _judge_refusal(error)
        return None
    assert decode(encode(message)) == message
    return message


def _judge_refusal(error: CodecError) -> None:
    assert error.code in SENTENCES
    assert refusal_sentence(error.code, error.values)
    # Nothing that was sent is repeated, but the name of a field that there is.
    assert set(error.values) <= {"field"}
    assert error.values.get("field", "type") in FIELDS
