"""The process of a host's doors: it receives the host's orders, and ends with the host.

The process reads an `Order`, and later changed orders, from its standard input. It writes one
`DoorsAnswer` to its standard output. It has no game, and sees only the screens of its visitors.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

import msgspec

from driflamme_tui.app.exit_signals import ENDINGS
from driflamme_tui.text.i18n import _, set_language
from driflamme_tui.wings.doors.door_codes import DoorCodes
from driflamme_tui.wings.doors.open_doors import DoorsAnswer, Order
from driflamme_tui.wings.doors.visitor_spawner import NICENESS
from driflamme_tui.wings.doors.visitors import CLUB_VISITORS, TABLE_VISITORS, Visitors
from engine.texts import ExplainedError
from netcode.child_process import send_to_parent
from netcode.server.server import collect_rarely
from netcode.transport.sockets import open_tcp


async def keep() -> None:
    """Run the doors until the host closes them or ends, then disconnect all visitors."""
    stdin = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdin), sys.stdin)
    order = msgspec.json.decode(await stdin.readline(), type=Order)
    set_language(order.language)
    codes = DoorCodes(order)
    visitors = Visitors(
        codes.folder,
        codes.table,
        TABLE_VISITORS if order.code else CLUB_VISITORS,
        # If the visitors' process is lost, this one ends too. The host then opens the doors again.
        stdin.feed_eof,
    )
    ssh_door, web_door, opened = None, None, DoorsAnswer()
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
    send_to_parent(opened)
    collect_rarely()
    async for line in stdin:
        order = msgspec.json.decode(line, type=Order)
        codes.renew(order)
        if web_door is not None:
            web_door.renew(order)
    await visitors.close()
    for door in (ssh_door, web_door):
        if door is not None:
            await door.close()


if __name__ == "__main__":
    # A signal to the whole process group is meant for the host. This process ends after the host.
    for each in ENDINGS:
        signal.signal(each, signal.SIG_IGN)
    os.umask(0o077)
    # The tables have priority over the doors' traffic, and the traffic has priority over the apps.
    os.nice(NICENESS // 2)
    asyncio.run(keep())
