"""`driflamme host`, `join`, `watch` and `play`: everything that sits down at a table.

Textual and the network are imported when a command runs, so that the rest of the command line
starts without them.
"""

import asyncio
import getpass
import signal
import sys
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from driflamme_tui.cli.group import fail
from driflamme_tui.i18n import _
from engine.bots import BOTS, DEFAULT_BOT
from engine.cards import MAXIMUM_PLAYERS, MINIMUM_PLAYERS
from engine.words import N_

if TYPE_CHECKING:
    from driflamme_tui.plans import Host, Plan
    from netcode.address import Address

BOTS_ALONE = 3
"""Opponents of somebody who plays alone."""
BOTS_UNWATCHED = 4
"""Players of a game that is only told."""
DEFAULT_PORT = 11214
"""`netcode.address.DEFAULT_PORT`, which a test compares, without importing the network."""


class EditionOption(StrEnum):
    """The editions, as an option's values."""

    FIRST = "1"
    SECOND = "2"


class DirectionOption(StrEnum):
    """The directions in which the Queue may be shown, as an option's values."""

    RIGHT = "right"
    LEFT = "left"


Name = Annotated[
    str | None,
    typer.Option("--name", "-n", help=N_("Your name at the table; otherwise that of last time.")),
]
Port = Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help=N_("Where to listen."))]
Bind = Annotated[
    str | None,
    typer.Option("--bind", help=N_("Listen on this address of this machine only.")),
]
Bots = Annotated[
    str | None,
    typer.Option("--bots", "-b", help=N_("Bots: a number, 3:steady, or steady,random.")),
]
Edition = Annotated[
    EditionOption, typer.Option("--edition", "-e", help=N_("Which edition's rules."))
]
Direction = Annotated[
    DirectionOption,
    typer.Option("--direction", help=N_("Towards which side the Queue is shown to go on.")),
]
Pace = Annotated[
    float | None,
    typer.Option(
        "--pace",
        min=0,
        max=5,
        help=N_("Seconds that bots take for an answer, so that people can follow."),
        show_default="0.9",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", help=N_("Repeat the deals of this number; others can guess them.")),
]
Where = Annotated[
    str,
    typer.Argument(metavar="HOST[:PORT]", help=N_("What the host was shown, or an address.")),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        "host",
        help=N_(
            "Open a table for others, and sit down at it.\n\n"
            "The lobby shows what the others type. Without a terminal, or with --headless, the"
            " table is open until Ctrl-C and the first to sit down is its host. What happens at"
            " the table is kept on this machine until it is closed, so that a game which was cut"
            " short can be resumed."
        ),
        epilog=N_(
            "\b\n"
            "Examples:\n"
            "  driflamme host\n"
            "  driflamme host --name Rosalind --bots 2:steady\n"
            "  driflamme host --headless --port 4000\n"
            "  driflamme host --resume"
        ),
    )(host)
    app.command(
        "join",
        help=N_("Sit down at a table that somebody has opened."),
        epilog=N_(
            "\b\n"
            "Examples:\n"
            "  driflamme join 192.168.1.20\n"
            "  driflamme join table.example:4000 --name Gaspard"
        ),
    )(join)
    app.command(
        "watch",
        help=N_("Watch a table; you see what everybody sees."),
        epilog=N_("\b\nExample:\n  driflamme watch 192.168.1.20"),
    )(watch)
    app.command(
        "play",
        help=N_(
            "Play against bots, on this machine only.\n\n"
            "Without a terminal, bots play one whole game and it is printed as text."
        ),
        epilog=N_(
            "\b\n"
            "Examples:\n"
            "  driflamme play\n"
            "  driflamme play --bots 4:steady --edition 1\n"
            "  driflamme play --bots steady,random,random"
        ),
    )(play)


def host(
    name: Name = None,
    port: Port = DEFAULT_PORT,
    bind: Bind = None,
    bots: Bots = None,
    edition: Edition = EditionOption.SECOND,
    direction: Direction = DirectionOption.RIGHT,
    pace: Pace = None,
    headless: Annotated[
        bool, typer.Option("--headless", help=N_("Only keep the table open; sit nowhere."))
    ] = False,
    seed: Seed = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help=N_("Reopen the latest unfinished table, with the port and the seats it had."),
        ),
    ] = False,
) -> None:
    """Open a table for others."""
    wanted = _parse_bots(bots, 0, most=MAXIMUM_PLAYERS - 1)
    plan = _plan(edition, direction, wanted, seed, bind=bind, port=port, pace=pace)
    if resume:
        plan = replace(plan, resume=True, bots=())
    if headless or not _has_terminal():
        if not headless:
            typer.echo(_("There is no terminal here, so the table is opened headless."))
        _serve(plan)
    else:
        _run_app(plan, _checked_name(name))


def join(address: Where, name: Name = None) -> None:
    """Sit down at somebody's table."""
    _join(address, name, watch=False)


def watch(address: Where, name: Name = None) -> None:
    """Watch somebody's table."""
    _join(address, name, watch=True)


def play(
    name: Name = None,
    bots: Bots = None,
    edition: Edition = EditionOption.SECOND,
    direction: Direction = DirectionOption.RIGHT,
    pace: Pace = None,
    seed: Seed = None,
) -> None:
    """Play against bots."""
    from driflamme_tui.plans import LOOPBACK

    if _has_terminal():
        wanted = _parse_bots(bots, BOTS_ALONE, MINIMUM_PLAYERS - 1, MAXIMUM_PLAYERS - 1)
        plan = _plan(edition, direction, wanted, seed, bind=LOOPBACK, begin=True, pace=pace)
        _run_app(plan, _checked_name(name))
    else:
        wanted = _parse_bots(bots, BOTS_UNWATCHED, MINIMUM_PLAYERS, MAXIMUM_PLAYERS)
        _tell(_plan(edition, direction, wanted, seed, bind=LOOPBACK, begin=True, pace=0))


def begin() -> bool:
    """Show the start screen, if there is a terminal to show it on."""
    if not _has_terminal():
        return False
    _run_app(None, _default_name())
    return True


def _join(where: str, name: str | None, *, watch: bool) -> None:
    address = _parse_address(where)
    if not _has_terminal():
        fail(_("Sitting at a table needs a terminal, which is not here."))
    from driflamme_tui.plans import Join

    _run_app(Join(address, watch), _checked_name(name))


def _plan(
    edition: EditionOption,
    direction: DirectionOption,
    bots: tuple[str, ...],
    seed: int | None,
    *,
    bind: str | None,
    port: int = 0,
    begin: bool = False,
    pace: float | None = None,
) -> "Host":
    from driflamme_tui.plans import Host
    from netcode.messages import DEFAULT_PACE_MS, TableSettings

    settings = TableSettings(
        edition=int(edition.value),
        direction=direction.value,
        pace_ms=DEFAULT_PACE_MS if pace is None else round(pace * 1000),
    )
    return Host(bind, port, settings, bots, begin=begin, seed=seed)


def _run_app(plan: "Plan | None", name: str) -> None:
    from driflamme_tui.app import DriflammeApp

    app = DriflammeApp(plan, name)
    app.run()
    if app.failure:
        fail(app.failure)
    raise typer.Exit(app.return_code or 0)


def _serve(plan: "Host") -> None:
    from driflamme_tui.hosting import open_table
    from netcode.keeping import StoreError
    from netcode.server import ServerError

    async def serve() -> None:
        table = await open_table(plan, owned=False, tell=typer.echo)
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for ending in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(ending, stop.set)
        typer.echo(_("A table is open on port {port}.").format(port=table.server.port))
        for invitation in table.invitations:
            typer.echo(_("Others join with: {command}").format(command=invitation))
        if plan.resume:
            typer.echo(_("Those who sat here have their seats again. Ctrl-C closes the table."))
        else:
            typer.echo(_("The first to sit down is the host. Ctrl-C closes the table."))
        sys.stdout.flush()
        await stop.wait()
        await table.close()
        typer.echo(_("The table is closed."))

    try:
        asyncio.run(serve())
    except (ServerError, StoreError) as error:
        fail(error.sentence(_))


def _tell(plan: "Host") -> None:
    from driflamme_tui.account import tell_game
    from netcode.client import ConnectError
    from netcode.server import ServerError

    try:
        asyncio.run(tell_game(plan, typer.echo))
    except (ServerError, ConnectError) as error:
        fail(error.sentence(_))


def _parse_address(text: str) -> "Address":
    from netcode.address import AddressError, parse_address

    try:
        return parse_address(text)
    except AddressError as error:
        fail(error.sentence(_))


def _parse_bots(text: str | None, default: int, least: int = 0, most: int = 0) -> tuple[str, ...]:
    """Return bots by name for `3`, `3:steady` or `steady,random`."""
    if text is None:
        return (DEFAULT_BOT,) * default
    number, colon, name = text.partition(":")
    if number.isdecimal() and number.isascii():
        if int(number) > most:
            fail(_("At most {most} bots have room at this table.").format(most=most))
        bots = [name if colon else DEFAULT_BOT] * int(number)
    else:
        bots = [each.strip() for each in text.split(",")]
    for bot in bots:
        if bot not in BOTS:
            fail(
                _("There is no bot called {bot!r}; there are {bots}.").format(
                    bot=bot, bots=", ".join(BOTS)
                )
            )
    if not least <= len(bots) <= most:
        fail(
            _("This table takes {least} to {most} bots, not {n}.").format(
                least=least, most=most, n=len(bots)
            )
        )
    return tuple(bots)


def _checked_name(name: str | None) -> str:
    from netcode.refusals import name_problem, refusal_sentence

    if name is None:
        return _default_name()
    problem = name_problem(name)
    if problem is not None:
        fail(refusal_sentence(problem.code, problem.values, _))
    return name


def _default_name() -> str:
    """Return the name of last time, or else the user's with this machine, if it will do."""
    from driflamme_tui.remembered import recall
    from netcode.refusals import name_problem

    try:
        user = getpass.getuser().strip().capitalize()
    except (OSError, KeyError, ImportError):
        user = ""
    names = (recall().name, user)
    return next((name for name in names if name_problem(name) is None), _("Player"))


def _has_terminal() -> bool:
    # Textual reads from the first and writes to the last.
    return sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()
