"""Gets the invitation to a table, by proving the table's spoken code to the host.

The client trusts nothing from the host before the host has proven the code too (`spoken_code.py`).
That proof includes the certificate that the host presented.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from engine.texts import Translate, untranslated
from netcode.client.connection import ConnectError
from netcode.client.connectors import CONNECT_TIMEOUT_S, connect_tcp
from netcode.joining.invitation import Invitation
from netcode.joining.spoken_code import CodeExchangeError, SpokenCodeClient, prefix_of
from netcode.protocol.codec import CodecError, decode_host, encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    PROTOCOL,
    Admitted,
    Goodbye,
    Knock,
    Knocked,
    Prove,
    Refused,
)
from netcode.protocol.refusal_sentences import refusal_sentence
from netcode.transport.address import Address
from netcode.transport.certificate import client_context, pin_of, server_name
from netcode.transport.channel import Channel, ChannelClosedError

ANSWER_TIMEOUT_S: Final = 10.0
"""Maximum seconds for both answers of the host, which computes them in some ten milliseconds."""


class NotAdmittedError(ConnectError):
    """Raised if the host refused the exchange, with a reason from `refusal_sentences.py`."""

    def __init__(self, refusal: Refused | Goodbye) -> None:
        super().__init__("{reason}", reason=refusal_sentence(refusal))
        self._refusal, self.code = refusal, refusal.code

    def sentence(self, translate: Translate = untranslated) -> str:
        """Return the reason as one sentence."""
        return refusal_sentence(self._refusal, translate)


async def invitation_by_code(
    address: Address, code: str, *, timeout: float = CONNECT_TIMEOUT_S
) -> Invitation:
    """Get the invitation to a table from its host, by proving the table's code.

    `code` is a result of `parse_code`. Raises ConnectError if the host cannot be reached, refuses,
    stops answering, or does not prove the code.
    """
    channel = await connect_tcp(
        address, client_context(None), timeout, server_name(prefix_of(code))
    )
    certificate = channel.certificate
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            secret = await exchange_code(channel, code, certificate, str(address))
    except TimeoutError:
        raise ConnectError(
            "{address} stopped answering: try again, or ask the host whether the table is "
            "still open.",
            address=str(address),
        ) from None
    finally:
        await channel.close()
    return Invitation((address,), pin_of(certificate), secret)


async def invitation_by_any(addresses: Sequence[Address], code: str) -> Invitation:
    """Return the invitation to the table of a code at one of several addresses.

    Raises ConnectError if no host at these addresses proves the code. All addresses are tried at
    once. Anybody on a local network can announce a table with the public part of another code. Only
    the right host can prove the whole code.
    """
    tasks = [asyncio.ensure_future(invitation_by_code(each, code)) for each in addresses]
    try:
        for answer in asyncio.as_completed(tasks):
            with suppress(ConnectError):
                return await answer
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if len(tasks) == 1:
        tasks[0].result()
    none = ConnectError(
        "{n} tables on this network have codes that begin with {prefix}, but none has this"
        " code: type it again, or ask the host for the link.",
        n=len(tasks),
        prefix=prefix_of(code),
    )
    none.code = next((each.code for each in map(_why, tasks) if each and each.code), "")
    raise none


def _why(task: asyncio.Future[Invitation]) -> ConnectError | None:
    error = None if task.cancelled() else task.exception()
    return error if isinstance(error, ConnectError) else None


async def exchange_code(channel: Channel, code: str, certificate: bytes, where: str) -> bytes:
    """Prove a code to a host, and return the secret of its table.

    Call it before any message is sent on the channel. `where` names the server in errors.
    `certificate` is in DER, and empty without encryption. Raises ConnectError if the host refuses,
    ends the connection, breaks the protocol or does not prove the code.
    """
    exchange = SpokenCodeClient(code, certificate)
    knocked = await ask(
        channel, Knock(protocol=PROTOCOL, prefix=exchange.prefix, share=exchange.share)
    )
    if not isinstance(knocked, Knocked):
        raise _nonsense(where)
    try:
        proof = exchange.prove(knocked.share)
    except CodeExchangeError:
        raise _nonsense(where) from None
    admitted = await ask(channel, Prove(proof=proof))
    if not isinstance(admitted, Admitted):
        raise _nonsense(where)
    if admitted.proof is None or not exchange.accepts(admitted.proof):
        raise ConnectError(
            "The machine that answers at {address} does not know the code: somebody "
            "may be intercepting the connection, so ask the host for a link.",
            address=where,
        )
    return admitted.secret


async def ask(channel: Channel, message: Message) -> Message:
    """Send a message and return the next message of the host.

    Raises NotAdmittedError if the host answers with a Refused or a Goodbye. Raises ConnectError if
    the connection ends, or if the answer is no valid message.
    """
    channel.send(encode(message))
    try:
        answer = decode_host(await channel.receive())
    except ChannelClosedError:
        raise ConnectError("The table has ended the connection: try again.") from None
    except CodecError:
        raise ConnectError(
            "This program cannot read the table's answer: upgrade the older of the two."
        ) from None
    if isinstance(answer, Refused | Goodbye):
        raise NotAdmittedError(answer)
    return answer


def _nonsense(where: str) -> ConnectError:
    return ConnectError(
        "A program answers at {address}, but it does not know spoken codes: ask the "
        "host for the link.",
        address=where,
    )
