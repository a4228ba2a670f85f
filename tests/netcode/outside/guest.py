"""A guest in one home who tries the ways to tables in others, and prints how each went."""

import asyncio
import json
import sys
from time import perf_counter

from engine.words import ExplainedError
from netcode.client.code_join import invitation_by_code
from netcode.client.connectors import connector
from netcode.joining.invitation import parse_invitation
from netcode.joining.spoken_code import parse_code
from netcode.transport.address import parse_address


async def come(way: list[str]) -> list[object]:
    """Return the milliseconds that a link, or an address and a code, took, and what is said."""
    began = perf_counter()
    said = ""
    try:
        if len(way) == 1:
            invitation = parse_invitation(way[0])
        else:
            invitation = await invitation_by_code(parse_address(way[0]), parse_code(way[1]))
        await (await connector(invitation)()).close()
    except ExplainedError as error:
        said = error.sentence()
    return [round(1_000 * (perf_counter() - began)), said]


async def come_by_all(ways: list[list[str]]) -> list[list[object]]:
    """Try all ways at once."""
    return await asyncio.gather(*map(come, ways))


print(json.dumps(asyncio.run(come_by_all(json.loads(sys.argv[1])))))
