"""What the table sends to the terminal, in bytes, and how soon it is there.

The real app plays in pseudo-terminals of several sizes, with what an SSH session has for `TERM`.
`driflamme play` is started over and over, in turns with the least app that Textual can be, and
timed from the start of the process to the first table that is complete; `driflamme --help` in turns
with the help of the least program that typer can be, with as many commands that do nothing. For the
rest the app sits at a real host's table on the loopback interface, whose deals are known, among
players who do nothing until they are told to.

What happens is shown in pictures, as it is unless somebody switches them off, and an action of
another player counts with all of them.

A phase is over when nothing has been written for a while, so nobody has to guess how long it
takes. All that was written meanwhile counts. All figures are medians, ratios those of the medians.
"""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from engine.position import PLACE
from netcode.client.connection import Connection
from netcode.client.connectors import Plain, connector
from netcode.client.reconnection import Connected, News, stay_connected
from netcode.client.session import Session
from netcode.protocol.messages import Chat, ClientMessage, SetReady, Start
from netcode.transport.address import Address
from scripts.lib.figures import Figure, percentile
from scripts.lib.pseudo_terminal import ROOT, SilentError, Terminal, environment


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    sizes: tuple[tuple[int, int], ...]
    starts: int
    """Of each app, in each size, and of each program without a screen."""
    warming: int
    """Starts before these, which do not count."""
    still_s: float
    """Of silence end a start: imports can keep it silent between a sign of life and the table."""
    quiet_s: float
    """Of silence end a phase: several times what the app takes from a key to the screen."""
    others: int
    """At the table with the app."""
    moves: int
    """Of the cursor, at each question which card to place."""
    lines: int
    """Of chat."""
    every: int
    """How many actions of the others come before each line."""
    whole: bool
    """Whether the game is played to its end, and not left when there is something of each kind."""
    idle_s: float
    """Time in which nothing happens."""


FULL: Final = Extent(
    sizes=((120, 40), (80, 24)),
    starts=7,
    warming=1,
    still_s=0.8,
    quiet_s=0.3,
    others=4,
    moves=3,
    lines=9,
    every=4,
    whole=True,
    idle_s=5.0,
)
SHORT: Final = Extent(
    sizes=((80, 24),),
    starts=1,
    warming=0,
    still_s=0.1,
    quiet_s=0.1,
    others=2,
    moves=1,
    lines=1,
    every=1,
    whole=False,
    idle_s=0.1,
)

SEED: Final = 7
"""Of the deals, and of what the others choose."""

OTHERS: Final = ("Rosalind", "Gaspard", "Yvette", "Vasco")
PLAYER: Final = "Blaise"

ARRIVAL_QUIET_S: Final = 0.8
"""Of silence end an arrival at a table."""

PACE_S: Final = "5"
"""How long bots think when a start is timed, so that the first table stands still."""

GUARD_S: Final = 0.5
"""After a question the app takes no answer for a little less than this."""

TABLE: Final = re.compile(r"\bHAND [1-9]")
"""Stands on the table from the first view on, and on no other screen; with it come the Queue and
the prompt, and what is drawn after it is waited for."""

MINIMAL: Final = """
from textual.app import App
from textual.widgets import Static

class Minimal(App):
    def compose(self):
        yield Static("ready")

Minimal().run()
"""
MINIMAL_TEXT: Final = re.compile("ready")

RIGHT: Final = "\x1b[C"
ENTER: Final = "\r"

PROGRAM: Final = (sys.executable, "-m", "driflamme_tui")


def measure(short: bool) -> list[Figure]:
    """Return bytes and times, by the size of the terminal."""
    return asyncio.run(_measure(SHORT if short else FULL))


async def _measure(extent: Extent) -> list[Figure]:
    with TemporaryDirectory(prefix="driflamme-bench-") as folder:
        home = Path(folder)
        playing = asyncio.gather(*(measure_game(size, home, extent) for size in extent.sizes))
        if extent.whole:
            # So that nothing else goes on while starts are timed.
            await playing
        figures = measure_help(extent, home)
        starts = [await measure_starts(size, home, extent) for size in extent.sizes]
        for size, game, (ours, minimal) in zip(extent.sizes, await playing, starts, strict=True):
            start_s, minimal_s = (
                median(each.seconds for each in started) for started in (ours, minimal)
            )
            values = [
                ("start", 1000 * start_s, "ms"),
                ("start_of_least", 1000 * minimal_s, "ms"),
                ("start_ratio", start_s / minimal_s, ""),
                ("start_bytes", median(each.written for each in ours), "bytes"),
                ("cursor", median(game.cursor), "bytes"),
                ("action", median(game.action), "bytes"),
                ("action_p90", percentile(game.action, 90), "bytes"),
                ("action_most", max(game.action), "bytes"),
                ("chat_line", median(game.log), "bytes"),
                ("idle", game.idle, "bytes"),
            ]
            figures += [
                Figure("{}_{}x{}".format(name, *size), round(value, 3), unit)
                for name, value, unit in values
            ]
    return figures


LEAST_COMMAND_LINE: Final = """
import typer

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
for number in range(15):
    app.command(f"command-{number}", help="Nothing.")(lambda: None)
app(["--help"])
"""
"""The least program that typer can be with as many commands as there are."""


def measure_help(extent: Extent, home: Path) -> list[Figure]:
    """Return how long `driflamme --help` takes, and how many times that of a least program."""
    seconds: dict[str, list[float]] = {"help": [], "least": []}
    commands = {
        "help": (*PROGRAM, "--help"),
        "least": (sys.executable, "-c", LEAST_COMMAND_LINE),
    }
    for _ in range(extent.warming + extent.starts):
        for name, command in commands.items():
            begun = perf_counter()
            subprocess.run(
                command, cwd=ROOT, env=environment(home), stdout=subprocess.DEVNULL, check=True
            )
            seconds[name].append(perf_counter() - begun)
    help_s, least_s = (median(each[extent.warming :]) for each in seconds.values())
    return [
        Figure("help", round(1000 * help_s, 1), "ms"),
        Figure("help_of_least", round(1000 * least_s, 1), "ms"),
        Figure("help_ratio", round(help_s / least_s, 3)),
    ]


@dataclass(frozen=True, slots=True)
class Started:
    """What one start of an app took."""

    seconds: float
    """From the start of the process to the last byte of what is shown first."""
    written: int


async def measure_starts(
    size: tuple[int, int], home: Path, extent: Extent
) -> tuple[list[Started], list[Started]]:
    """Start `driflamme play` and the least app in turns; return what each start took."""
    play = (*PROGRAM, "play", "--seed", str(SEED), "--pace", PACE_S, "--name", PLAYER)
    minimal = (sys.executable, "-c", MINIMAL)
    starts = [
        (
            await start(play, size, home, TABLE, extent.still_s),
            await start(minimal, size, home, MINIMAL_TEXT, extent.still_s),
        )
        for _ in range(extent.warming + extent.starts)
    ][extent.warming :]
    return [ours for ours, _ in starts], [least for _, least in starts]


async def start(
    command: Sequence[str],
    size: tuple[int, int],
    home: Path,
    shown: re.Pattern[str],
    still_s: float,
) -> Started:
    """Start an app and wait until what it shows is complete and stands still."""
    async with Terminal(command, size, home, still_s) as terminal:
        await terminal.says(shown)
        await terminal.quiet()
        return Started(terminal.written_at - terminal.started_at, len(terminal.written))


@dataclass(slots=True)
class Game:
    """What a game has brought: bytes of each thing that happened."""

    cursor: list[int] = field(default_factory=list)
    action: list[int] = field(default_factory=list)
    log: list[int] = field(default_factory=list)
    idle: int = 0


class Other:
    """A player who stays at the table and does what they are told."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.session = Session()
        self.seated = asyncio.Event()
        self._connection: Connection | None = None

    async def stay(self, port: int) -> None:
        """Sit down and take in what the host says, until cancelled."""
        way = connector(Plain(Address("127.0.0.1", port)))

        def take(news: News) -> None:
            if isinstance(news, Connected):
                self._connection = news.connection
            elif self.session.lobby is not None and not self.seated.is_set():
                self.seated.set()
                assert self._connection is not None
                self._connection.say(SetReady(ready=True))

        await stay_connected(way, self.session, self.name, take)

    async def say(self, message: ClientMessage) -> None:
        """Send a message."""
        assert self._connection is not None
        self._connection.say(message)

    @property
    def is_asked(self) -> bool:
        """Whether it is this player's turn."""
        view = self.session.view
        return view is not None and bool(view.legal) and self.session.pending is None


@asynccontextmanager
async def hosted(home: Path) -> AsyncIterator[int]:
    """Keep a host's process without a terminal, and yield the port of its table."""
    options = ("--headless", "--insecure", "--bind", "127.0.0.1", "--port", "0")
    process = subprocess.Popen(
        [*PROGRAM, "host", *options, "--seed", str(SEED), "--pace", "0"],
        cwd=ROOT,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        while (found := re.search(r"port ([0-9]+)", process.stdout.readline())) is None:
            if process.poll() is not None:
                raise SilentError("the host's process has ended")
        yield int(found[1])
    finally:
        process.kill()
        process.communicate()


async def measure_game(size: tuple[int, int], home: Path, extent: Extent) -> Game:
    """Play with the app at the table, and return what it wrote."""
    game = Game()
    rng = Random(SEED)
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(hosted(home))
        others = [Other(name) for name in OTHERS[: extent.others]]
        tasks = []
        for other in others:
            tasks.append(asyncio.create_task(other.stay(port)))
            stack.callback(tasks[-1].cancel)
            await other.seated.wait()
        command = (*PROGRAM, "join", "--insecure", f"127.0.0.1:{port}", "--name", PLAYER)
        terminal = await stack.enter_async_context(Terminal(command, size, home, extent.quiet_s))
        await terminal.says(re.compile(PLAYER))
        await terminal.quiet(ARRIVAL_QUIET_S)
        terminal.press(ENTER)
        await terminal.quiet()
        host = others[0]
        await host.say(Start())
        await terminal.says(TABLE)
        await terminal.quiet(extent.still_s)
        # The first line of a chat makes room for it, once in a game.
        await host.say(Chat(text="Good evening!"))
        await terminal.phase()
        chosen = False
        while host.session.view is not None and not host.session.view.over:
            asked = next((other for other in others if other.is_asked), None)
            if asked is None:
                chosen = await move_cursor(terminal, host.session, game, extent.moves)
            else:
                assert asked.session.view is not None
                await asked.say(asked.session.act(rng.choice(asked.session.view.legal)))
                game.action.append(await terminal.phase())
                if len(game.action) % extent.every == 0 and len(game.log) < extent.lines:
                    await host.say(Chat(text=f"That was number {len(game.action)} of you."))
                    game.log.append(await terminal.phase())
                    if len(game.log) == extent.lines:
                        await terminal.quiet(extent.still_s)
                        before = len(terminal.written)
                        await asyncio.sleep(extent.idle_s)
                        game.idle = len(terminal.written) - before
            if not extent.whole and game.cursor and game.log:
                break
            if asked is None:
                await answer(terminal, host.session, chosen)
    return game


async def move_cursor(terminal: Terminal, watched: Session, game: Game, moves: int) -> bool:
    """Move the cursor about if the app is asked which card to place; return whether it is.

    Args:
        terminal: The app's.
        watched: Another player's session.
        game: Takes what each move wrote.
        moves: How many; one before them shows the cursor.
    """
    assert watched.view is not None
    await asyncio.sleep(GUARD_S)
    if watched.view.asked != PLACE or watched.view.round == 6:
        return False
    terminal.press(RIGHT)
    await terminal.phase()
    for _ in range(moves):
        terminal.press(RIGHT)
        game.cursor.append(await terminal.phase())
    return True


async def answer(terminal: Terminal, watched: Session, chosen: bool) -> None:
    """Answer what the app is asked, by keys.

    Args:
        terminal: The app's.
        watched: Another player's session, which tells when the question has been answered.
        chosen: Whether the cursor stands on an answer.
    """
    revision = watched.revision
    if chosen:
        terminal.press(ENTER)
        await terminal.quiet()
    for _ in range(9):
        if watched.revision != revision:
            return
        terminal.press(RIGHT)
        await terminal.quiet()
        terminal.press(ENTER)
        await terminal.quiet()
    raise SilentError(terminal.text())
