"""What is done where Windows is pretended: all is imported, and every way to play is tried."""

import asyncio
import json
import os
import pkgutil
import re
import signal
import sys
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final
from unittest.mock import patch

from tests.windows.pretended import PACKAGES, pretend

WITHOUT: Final = {
    "driflamme_tui.__main__",  # starts the program
    "engine.arena.pettingzoo_env",  # it is of an extra, which is large
}
"""The modules that are not imported."""

VIEW: Final = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
"""What a bot is asked about, in the notation."""


class Answers(StringIO):
    """Both ends of a game in JSON: whatever asks for an answer has one typed."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[dict[str, Any]] = []
        self._typed: SimpleQueue[str] = SimpleQueue()

    def write(self, text: str) -> int:
        if text.strip():
            self.take(text)
        return len(text)

    def take(self, line: str) -> None:
        """Take a line of a game in, and type what it asks for."""
        self.told.append(json.loads(line))
        answer = _answer(self.told[-1])
        if answer:
            self._typed.put(json.dumps(answer) + "\n")

    def __next__(self) -> Any:
        return self._typed.get()

    @property
    def asked(self) -> str:
        """Who was asked last: a dash, if the game was over."""
        return str([each for each in self.told if each["type"] == "state"][-1]["view"].split()[2])


def _answer(told: dict[str, Any]) -> dict[str, Any] | None:
    if told["type"] == "welcome":
        return {"type": "set_ready", "ready": True}
    if told["type"] == "lobby" and told["phase"] == "result":
        return {"type": "leave"}
    if told["type"] == "lobby" and told["host"] and told["missing"] is None:
        return {"type": "start"}
    if told["type"] == "state" and told["legal"]:
        return {"type": "act", "action": told["legal"][-1]}
    return None


class Watched(StringIO):
    """Is told where a club is open; asks it for its figures, and has it close."""

    def __init__(self) -> None:
        super().__init__()
        self.figures: dict[str, Any] = {}

    def write(self, text: str) -> int:
        if "Ctrl-C" in text:
            Thread(target=self._ask).start()
        return super().write(text)

    def _ask(self) -> None:
        from netcode.server.status import ask_status

        port = re.search(r"port (\d+)", self.getvalue())
        assert port is not None
        self.figures = asyncio.run(ask_status(int(port[1]), "driflamme serve"))
        # As Ctrl-Break does, and closing the window.
        os.kill(os.getpid(), vars(signal)["SIGBREAK"])


def run(
    *line: str, output: StringIO | None = None, typed: StringIO | None = None
) -> tuple[int, str]:
    """Run a command; return its status, and what it complained of."""
    from driflamme_tui.cli.program import app

    complaints = StringIO()
    with ExitStack() as stack:
        stack.enter_context(patch.object(sys, "stdin", typed or StringIO()))
        stack.enter_context(redirect_stdout(output or StringIO()))
        stack.enter_context(redirect_stderr(complaints))
        try:
            app(line, prog_name="driflamme")
        except SystemExit as ended:
            return int(ended.code or 0), complaints.getvalue()
    raise AssertionError("a command ends its process")


def import_all() -> int:
    """Import every module of the program; return how many there are."""
    imported = 0
    for room in ("engine", "netcode", "driflamme_tui"):
        for each in pkgutil.walk_packages(import_module(room).__path__, f"{room}."):
            # Doors stand on terminals and forks, which are not for Windows.
            if each.name not in WITHOUT and not each.name.startswith("driflamme_tui.doors."):
                import_module(each.name)
                imported += 1
    return imported


def system_language() -> str:
    """Return the language that is taken when nothing else is said."""
    from driflamme_tui.text.i18n import language, set_language

    with patch.dict(os.environ):
        for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
            os.environ.pop(name, None)
        set_language(None)
    return language()


def seat_locks() -> list[bool]:
    """Return who has a seat: who came first, the second, and who comes when it is free again."""
    from driflamme_tui.seat.seat_keys import OwnSeat

    first, second = OwnSeat("a table", "Ada"), OwnSeat("a table", "Ada")
    held = [first.held, second.held]
    first.release()
    third = OwnSeat("a table", "Ada")
    held.append(third.held)
    third.release()
    return held


async def thought_elsewhere() -> bool:
    """Return whether a bot answers that thinks in a process of its own, which is ended then."""
    from netcode.workers.worker_main import BotAnswer, BotQuestion
    from netcode.workers.worker_pool import WorkerPool

    pool, answered = WorkerPool(1), asyncio.get_running_loop().create_future()
    pool.ask(BotQuestion("steady", VIEW, (1,), 7), 30.0, answered.set_result)
    answer: BotAnswer = await answered
    await pool.close()
    return bool(answer.token)


async def seated_alone() -> str:
    """Return which screen one sits at, with bots, in the app."""
    from driflamme_tui.app.main_app import DriflammeApp
    from driflamme_tui.hosting.host_plans import Alone
    from netcode.protocol.messages import TableSettings

    app = DriflammeApp(Alone(TableSettings(first="r"), ("random", "random")), "Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(200):
            await pilot.pause()
            if type(app.screen).__name__ == "TableScreen":
                break
        return type(app.screen).__name__


async def host_and_join() -> str:
    """Join a table by its link, and play a game; return who is asked in the end: nobody."""
    from driflamme_tui.hosting.host_plans import LOOPBACK, Host
    from driflamme_tui.hosting.open_table import open_table
    from driflamme_tui.plain.json_player import JsonPlayer
    from driflamme_tui.plain.line_shell import play_lines, typed_lines
    from driflamme_tui.seat.targets import Join
    from netcode.joining.invitation import parse_invitation
    from netcode.protocol.messages import TableSettings

    settings = TableSettings(pace_ms=0)
    plan = Host(LOOPBACK, 0, announce=False, settings=settings, bots=("steady", "random"))
    table, answers = await open_table(plan, owned=False), Answers()
    try:
        join = Join(parse_invitation(table.invitations[0]))
        with patch.object(sys, "stdin", answers):
            why = await play_lines(join, "Ada", JsonPlayer, typed_lines(), answers.take)
        return why or answers.asked
    finally:
        await table.close()


def main() -> None:
    """Do it all, and print what came of it."""
    pretend(*PACKAGES)
    alone, club = Answers(), Watched()
    line = "play", "--json", "--seed", "7", "--bots", "2:steady", "--pace", "0"
    said = {
        "modules": import_all(),
        "language": system_language(),
        "unix": run("--lang", "en", "join", "--unix", "table"),
        "doors": run("--lang", "en", "host", "--headless", "--ssh", "--port", "0"),
        "alone": (*run(*line, output=alone, typed=alone), alone.asked),
        "app": asyncio.run(seated_alone()),
        "club": (*run("serve", "--bind", "127.0.0.1", "--port", "0", output=club), club.figures),
        "joined": asyncio.run(host_and_join()),
        "seats": seat_locks(),
        "worker": asyncio.run(thought_elsewhere()),
    }
    print(json.dumps(said))


if __name__ == "__main__":
    main()
