"""Starts the app as the command line does, and prints the number of results in its palette."""

import asyncio

from driflamme_tui.cli.app_start import load_app


async def main() -> None:
    app = load_app()(None, "Blaise")
    async with app.run_test() as pilot:
        await pilot.pause()
        app.action_commands()
        await pilot.pause()
        from textual.command import CommandList
        from textual.widgets import Input

        app.screen.query_one(Input).value = "optio"
        await pilot.pause()
        print(app.screen.query_one(CommandList).option_count)


if __name__ == "__main__":
    asyncio.run(main())
