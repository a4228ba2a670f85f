"""`driflamme join` and `watch`: go to an open table."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from driflamme_tui.cli import shared_options as options
from driflamme_tui.cli.app_start import has_terminal, run_app, run_lines
from driflamme_tui.cli.declarations import Commands, flag
from driflamme_tui.cli.output import echo, fail, go_not_together
from driflamme_tui.cli.run_settings import looks
from driflamme_tui.text.i18n import _

if TYPE_CHECKING:
    from driflamme_tui.seat.targets import CodeTarget, ResolvedTarget
    from netcode.client.connectors import Target

Where = Annotated[
    str | None,
    typer.Argument(
        metavar="[LINK|HOST[:PORT]]",
        help="The invitation, or an address; - reads it from standard input. If omitted, tables "
        "on the network are listed.",
    ),
]
Code = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[CODE]",
        help="The table's spoken code; on this network it needs no address.",
    ),
]


commands = Commands()


@commands.described(
    "watch",
    examples="\b\nExample:\n  driflamme watch driflamme://192.168.1.20/…",
)
@commands.described(
    "join",
    "If all seats are taken or a game is under way, you watch, and can take the seat of a bot if"
    " the host agrees. With driflamme watch you only watch.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme join\n"
    "  driflamme join --list\n"
    "  driflamme join driflamme://192.168.1.20/…\n"
    "  driflamme join K7Q-F2MXR\n"
    "  driflamme join 192.168.1.20 K7Q-F2MXR\n"
    "  driflamme join table.example:4000 --name Gaspard\n"
    "  driflamme join --insecure localhost\n"
    "  driflamme join --plain 192.168.1.20 K7Q-F2MXR",
)
def join(
    context: typer.Context,
    where: Where = None,
    code: Code = None,
    name: options.Name = None,
    insecure: options.Insecure = False,
    unix: options.Unix = None,
    plain: options.Plain = False,
    as_json: options.Json = False,
    lists: bool = flag("List the tables announced on this network, and exit.", "--list"),
) -> None:
    """Take a seat at a table, or watch it. With `lists`, only print the tables of the network."""
    from driflamme_tui.seat.targets import Join

    go_not_together({"--plain": plain, "--json": as_json})
    if lists:
        from driflamme_tui.cli.commands.tables_command import list_tables

        go_not_together({"--list": lists, "LINK": where})
        go_not_together({"--list": lists, "--plain": plain, "--unix": unix, "--name": name})
        list_tables(as_json)
        return
    watch = context.command.name == "watch"
    settings = looks()
    by_lines = plain or as_json
    target: Target | CodeTarget | ResolvedTarget | None
    target = _parse_target(where, " ".join(code or ()), insecure, unix)
    if target is None and plain and not (watch or as_json or _must_choose(name)):
        target, name = _way_back(name)
    goes_back = False
    if target is None and name is not None and not (watch or by_lines):
        target = _waiting_seat(name)
        goes_back = target is not None
    if not has_terminal() and not by_lines:
        fail("Without a terminal, sit down with --plain, or with --json for programs.")
    is_named = as_json or options.is_named(name)
    if target is None and plain and is_typed_at():
        target, name = _ask_table(name)
        is_named = is_named or name is not None
    # On a screen the app asks for the name, since only the table knows which names are free.
    in_lines = by_lines and not is_named and is_typed_at()
    player = options.ask_name() if in_lines else options.checked_name(name)
    if target is not None and by_lines:
        run_lines(Join(target, watch), player, as_json=as_json)
        return
    if target is None and (watch or by_lines):
        fail(
            "Which table? Type its link, its code, or its address and its code; driflamme "
            "join --list lists those of the local network."
        )
    plan = None if target is None else Join(target, watch)
    run_app(
        plan,
        settings,
        player,
        joins=True,
        asks_name=plan is not None and not is_named,
        is_named=name is not None,
        goes_back=goes_back,
    )


def is_typed_at() -> bool:
    """Return True if standard input is a terminal, so that a person can answer questions."""
    return sys.stdin.isatty()


def _must_choose(name: str | None) -> bool:
    """Return True if a wing's row leads to a seat other than the one that the player left last.

    The player must then choose from a list of tables.

    Returns False if the player has typed a name, or cannot answer questions.
    """
    from driflamme_tui.screens.start_rows import refresh_rows, waiting_rows
    from driflamme_tui.seat.seat_keys import way_back

    if name is not None or not is_typed_at():
        return False
    refresh_rows()
    back = way_back()
    seat = None if back is None else (back.place, back.name)
    return any(each.seat != seat for each in waiting_rows())


def _ask_table(
    name: str | None,
) -> "tuple[Target | CodeTarget | ResolvedTarget, str | None]":
    """List tables and ask for one: waiting tables, tables on this network, and earlier visits.

    Returns the table, and the player's name there: the name stored for the chosen row, or else the
    argument `name`.
    """
    import asyncio

    from driflamme_tui import local_date
    from driflamme_tui.screens.start_rows import visited_rows, waiting_rows
    from driflamme_tui.seat.targets import Join, parse_target
    from netcode.joining.discovery import SEARCH_S, find_tables

    found = asyncio.run(find_tables(SEARCH_S))
    waiting = waiting_rows()
    seats = [each.seat for each in waiting if each.seat is not None]
    visited = [*waiting, *visited_rows(local_date.today(), except_at=seats)]
    lines = [f"{number}: {row.row.label}, {row.row.state}" for number, row in enumerate(visited, 1)]
    for line in lines[: len(waiting)]:
        echo(line)
    for each in found:
        line = _("{name}, on this network: its code begins with {prefix}")
        echo(line.format(name=each.name or _("Somebody"), prefix=each.prefix))
    for line in lines[len(waiting) :]:
        echo(line)
    question = _("Which table? Its link, its code, or a number of this list")
    question = question if visited else _("Which table? Its link, or its code")
    text = str(typer.prompt(question, default="1" if waiting else None))
    numbered = {str(number): row for number, row in enumerate(visited, 1)}
    if text.strip() in numbered:
        plan = numbered[text.strip()].plan()
        assert isinstance(plan, Join)
        return plan.target, numbered[text.strip()].name or name
    return parse_target(text, found), name


def _way_back(name: str | None) -> "tuple[Target | CodeTarget | None, str | None]":
    """Return the table of the player's former seat, and the player's name there.

    Without such a seat for this name, return None and the name.
    """
    from driflamme_tui.seat.seat_keys import way_back
    from driflamme_tui.seat.targets import parse_target

    back = way_back(name or "")
    return (None, name) if back is None else (parse_target(back.typed, ()), back.name)


def _waiting_seat(name: str) -> "Target | CodeTarget | ResolvedTarget | None":
    """Return the table where a seat of the player with this name waits; None without one.

    It is the table that the player left last, or else the most urgent one of a wing's rows.
    """
    from driflamme_tui.screens.start_rows import waiting_rows
    from driflamme_tui.seat.targets import Join

    target, _name = _way_back(name)
    if target is not None:
        return target
    own = (each for each in waiting_rows() if each.name == name)
    plan = next((each.plan() for each in own), None)
    return plan.target if isinstance(plan, Join) else None


def _parse_target(
    where: str | None, code: str, insecure: bool, unix: Path | None
) -> "Target | CodeTarget | None":
    """Return the table that the arguments name; None if they name none.

    If arguments contradict each other, end the command. An invalid address, link or code raises an
    ExplainedError.
    """
    from driflamme_tui.seat.targets import code_alone, parse_target
    from netcode.client.connectors import Plain, Unix
    from netcode.joining.invitation import is_invitation
    from netcode.transport.address import parse_address

    if unix is not None:
        if where is not None or insecure:
            fail("A table at --unix PATH has no address: omit the address.")
        return Unix(unix.absolute())
    if where == "-":
        where, _gap, code = sys.stdin.readline().strip().partition(" ")
        where = where or None
    if where is None:
        if insecure:
            fail("Which table? Type driflamme join --insecure HOST[:PORT].")
        return None
    if insecure:
        if is_invitation(where):
            fail("An invitation is for encrypted tables: omit --insecure.")
        return Plain(parse_address(where))
    if is_invitation(where):
        # A link that was copied with a space in it arrives in pieces.
        return parse_target(f"{where} {code}", ())
    if code_alone(f"{where} {code}"):
        import asyncio

        from netcode.joining.discovery import SEARCH_S, find_tables

        return parse_target(f"{where} {code}", asyncio.run(find_tables(SEARCH_S)))
    address = parse_address(where)
    if not code and has_terminal():
        code = typer.prompt(_("The table's spoken code, as shown on the host's screen"))
    return parse_target(f"{address} {code}", ())
