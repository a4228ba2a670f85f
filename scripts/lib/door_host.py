"""The doors of a club, as a process: they let everybody in, each to the table in their name.

The first line on standard input is JSON: `socket`, `folder` and the `secrets` of the tables; the
answer has the `port` for SSH, and `web`, where the page is. Each further line is answered with
`memory_mb`, what the doors and their visitors take.
"""

import asyncio
import json
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from driflamme_tui.doors.ssh_door import SshDoor
from driflamme_tui.doors.table_access import TableAccess
from driflamme_tui.doors.visitors import Limits, Visitor, Visitors
from driflamme_tui.doors.web_door import WebDoor
from driflamme_tui.hosting.host_plans import Doors
from driflamme_tui.hosting.open_doors import Order
from netcode.server.gc_tuning import collect_rarely
from netcode.transport.connection_limits import ConnectionLimits

LIMITS = Limits(visitors=10_000, from_one_network=10_000)
"""None: all come from one address."""


class OpenAccess(TableAccess):
    """Lets everybody in: they come as fast as nobody's friends do."""

    def check(self, said: str, network: str, now: float) -> None:
        """Take any code."""


class TablesOfNames:
    """Visitors, of whom `a3` goes to the fourth table."""

    def __init__(self, visitors: Visitors, secrets: Sequence[bytes]) -> None:
        self._visitors = visitors
        self._secrets = secrets

    async def admit(self, identity: str, name: str, secret: bytes, **rest: Any) -> Visitor:
        """Admit a visitor to their table."""
        return await self._visitors.admit(identity, name, self._secrets[int(name[1:])], **rest)


async def main() -> None:
    """Keep the door until standard input ends."""
    if hasattr(os, "sched_setaffinity"):
        # The visitors are on all cores.
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    asked = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(asked), sys.stdin)
    told = json.loads(await asked.readline())
    order = Order(
        table=told["socket"],
        secret=b"",
        code="",
        bind=None,
        doors=Doors(),
        club=True,
        folder=told["folder"],
        language="en",
    )
    visitors = Visitors.start(LIMITS)
    tables: Any = TablesOfNames(visitors, [bytes.fromhex(each) for each in told["secrets"]])
    door = SshDoor(OpenAccess(order), tables)
    door.limits = ConnectionLimits(10_000, 10_000)
    listening = socket.create_server(("127.0.0.1", 0))
    await door.open([listening], Path(told["folder"]))
    page = socket.create_server(("127.0.0.1", 0))
    origin = f"http://127.0.0.1:{page.getsockname()[1]}"
    await WebDoor(OpenAccess(order), tables, [origin]).open([page], None)
    collect_rarely()
    print(json.dumps({"port": listening.getsockname()[1], "web": origin}), flush=True)
    async for _ in asked:
        print(json.dumps({"memory_mb": memory_mb(os.getpid())}), flush=True)
    os._exit(0)


def memory_mb(pid: int) -> float:
    """Return what a process and all that it has started take; what they share counts once."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    taken = int(rollup.partition("\nPss:")[2].split()[0]) / 1024
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return taken + sum(memory_mb(int(child)) for child in children)


if __name__ == "__main__":
    asyncio.run(main())
