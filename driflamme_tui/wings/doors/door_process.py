"""The process that keeps a host's doors: it is told by the host what to do, and ends with it.

On its standard input are an `Order` and later invitations, on its standard output what became of
it. It holds no game; what it sees of one are the pictures of its visitors' screens.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

import msgspec

from driflamme_tui.app.ending import ENDINGS
from driflamme_tui.text.i18n import _, set_language
from driflamme_tui.wings.doors.door_codes import DoorCodes
from driflamme_tui.wings.doors.open_doors import Opened, Order
from driflamme_tui.wings.doors.spawner import NICENESS
from driflamme_tui.wings.doors.visitors import CLUB_VISITORS, TABLE_VISITORS, Visitors
from engine.words import ExplainedError
from netcode.own_process import tell_starter
from netcode.server.server import collect_rarely
from netcode.transport.sockets import open_tcp


async def keep() -> None:
    """Keep the doors until the host closes them, or is no more."""
    told = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(told), sys.stdin)
    order = msgspec.json.decode(await told.readline(), type=Order)
    set_language(order.language)
    codes = DoorCodes(order)
    visitors = Visitors(
        codes.folder,
        codes.table,
        TABLE_VISITORS if order.code else CLUB_VISITORS,
        # The host, who hears of the end, opens the doors again.
        told.feed_eof,
    )
    ssh_door, web_door, opened = None, None, Opened()
    try:
        if order.doors.ssh is not None:
            from driflamme_tui.wings.doors.ssh_door import SshDoor

            ssh_door = SshDoor(codes, visitors)
            await ssh_door.open(await open_tcp(order.bind, order.doors.ssh), Path(order.folder))
            opened.ssh_port, opened.fingerprint = ssh_door.port, ssh_door.fingerprint
        if order.doors.web is not None:
            from driflamme_tui.wings.doors.web_door import open_web_door

            opened.page, web_door = await open_web_door(order, codes, visitors)
            opened.web_port = web_door.port
    except ExplainedError as error:
        opened.failure = error.sentence(_)
    tell_starter(opened)
    collect_rarely()
    async for line in told:
        order = msgspec.json.decode(line, type=Order)
        codes.renew(order)
        if web_door is not None:
            web_door.renew(order)
    await visitors.close()
    for door in (ssh_door, web_door):
        if door is not None:
            await door.close()


if __name__ == "__main__":
    # What a whole group is told is for the host; its end is this one's, after a goodbye.
    for each in ENDINGS:
        signal.signal(each, signal.SIG_IGN)
    os.umask(0o077)
    # The tables come first, then what is carried to visitors, then their apps.
    os.nice(NICENESS // 2)
    asyncio.run(keep())
