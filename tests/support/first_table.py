"""Starts a game against bots, and prints all modules that are imported once its table appears.

The program imports the app as the command line does, and everything else after it.
"""

import asyncio
import sys

from driflamme_tui.cli.app_start import load_app


async def main() -> None:
    """Begin a game against bots, wait until its table appears, and print all imported modules."""
    app_class = load_app()
    from driflamme_tui.hosting.host_plans import SoloPlan
    from driflamme_tui.screens.table.table_screen import TableScreen
    from netcode.protocol.table_settings import TableSettings

    app = app_class(SoloPlan(TableSettings(), ("steady",) * 3, 7), "Blaise")
    async with app.run_test() as pilot:
        while not isinstance(app.screen, TableScreen):
            await pilot.pause()
        print(*sys.modules)


if __name__ == "__main__":
    asyncio.run(main())
