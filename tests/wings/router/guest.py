"""A guest in one home who tries the ways to tables in other homes, and prints the results."""

import asyncio
import json
import sys
from typing import Final

from engine.texts import ExplainedError
from netcode.client.code_join import invitation_by_code
from netcode.client.connectors import CONNECT_TIMEOUT_S, connector
from netcode.joining.invitation import parse_invitation
from netcode.joining.spoken_code import parse_code
from netcode.transport.address import parse_address

PATIENCE_S: Final = 2.0
"""Maximum seconds for a way that should fail; other ways have their usual time."""


async def come(way: list[str], patience: float = CONNECT_TIMEOUT_S) -> list[object]:
    """Join by a link, or by an address and a code; return the milliseconds, and the error or ""."""
    clock = asyncio.get_running_loop().time
    began = clock()
    said = ""
    try:
        if len(way) == 1:
            invitation = parse_invitation(way[0])
        else:
            invitation = await invitation_by_code(
                parse_address(way[0]), parse_code(way[1]), timeout=patience
            )
        await (await connector(invitation, timeout=patience)()).close()
    except ExplainedError as error:
        said = error.sentence()
    return [round(1_000 * (clock() - began)), said]


async def come_by_all(open_ways: list[list[str]], barred: list[list[str]]) -> list[list[object]]:
    """Return the results of the ways that should be open, then those of the barred ways.

    Open ways are tried one after another, and barred ways at the same time.
    """
    came = [await come(way) for way in open_ways]
    return came + await asyncio.gather(*(come(way, PATIENCE_S) for way in barred))


print(json.dumps(asyncio.run(come_by_all(*json.loads(sys.argv[1])))))
