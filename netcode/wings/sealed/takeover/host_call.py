"""Calls the machine that hosts our sealed game after a takeover, and logs in by our game key."""

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from engine.texts import Text
from netcode.client.code_join import ANSWER_TIMEOUT_S, ask
from netcode.client.connection import Connect, ConnectError
from netcode.client.connectors import reaching
from netcode.joining.invitation import INDIRECT
from netcode.protocol.messages import PROTOCOL, Admitted
from netcode.transport.address import AddressError, parse_address
from netcode.transport.certificate import PIN_BYTES
from netcode.transport.channel import Channel
from netcode.wings.sealed.game.sealing import Sealing, log_in
from netcode.wings.sealed.messages import Call, Challenge, LogIn
from netcode.wings.sealed.takeover.decision import DIAL_S

NOBODY: Final[Text] = "Nobody has taken over the table yet."
"""The reason why there is no connection if the host of the table has gone."""


async def call_host(
    sealing: Sealing, me: int, key: bytes, connect: Connect, secret: bytes | None = None
) -> tuple[Channel, bytes, bytes]:
    """Log in to a host by our key of the game.

    Returns the connection, the table's secret and the key to our seat. `secret` is needed only for
    a host with several tables. Raises ConnectError if the host does not answer in time, or does not
    admit us.
    """
    channel = await connect()
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            challenge = await ask(channel, Call(protocol=PROTOCOL, gid=sealing.gid, secret=secret))
            if not isinstance(challenge, Challenge):
                raise ConnectError(NOBODY)
            # The signature includes the certificate that we see, so that a man in the middle cannot
            # use it.
            pin = sha256(channel.certificate).digest()
            signed = log_in(sealing, me, key, challenge.challenge, pin)
            answer = await ask(channel, LogIn(person=me, signature=signed.signature))
            if not isinstance(answer, Admitted) or answer.key is None:
                raise ConnectError(NOBODY)
    except TimeoutError:
        channel.abort()
        raise ConnectError(NOBODY) from None
    except BaseException:
        channel.abort()
        raise
    return channel, answer.secret, answer.key


def any_of(addresses: Sequence[str], pin: bytes) -> Connect:
    """Return a function that connects to the first address whose server has the pinned certificate.

    The function tries direct addresses before relays, and raises ConnectError if none connects.
    """

    async def connect() -> Channel:
        try:
            direct, relays = (
                [
                    parse_address(each.lstrip(INDIRECT))
                    for each in addresses
                    if each.startswith(INDIRECT) is is_relay
                ]
                for is_relay in (False, True)
            )
            return await reaching(pin[:PIN_BYTES], direct, relays, DIAL_S)()
        except (AddressError, ConnectError):
            raise ConnectError(NOBODY) from None

    return connect
