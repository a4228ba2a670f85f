"""`driflamme join` and `watch`: everything that goes to a table which somebody has opened.

Textual and the network are imported when a command runs, so that the rest of the command line
starts without them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from driflamme_tui.cli.app_start import has_terminal, run_app, run_lines
from driflamme_tui.cli.exits import fail
from driflamme_tui.cli.shared_options import (
    AsciiSigns,
    Insecure,
    Json,
    Name,
    NoAnimation,
    Plain,
    Theme,
    Unix,
    checked_name,
    looks,
)
from driflamme_tui.text.i18n import _
from engine.words import N_

if TYPE_CHECKING:
    from driflamme_tui.seat.plans import Spoken
    from netcode.client.connectors import Target

Where = Annotated[
    str | None,
    typer.Argument(
        metavar="[LINK|HOST[:PORT]]",
        help=N_("The invitation, or an address; without it, tables are looked for."),
    ),
]
Code = Annotated[
    str | None,
    typer.Argument(metavar="[CODE]", help=N_("The table's spoken code, with an address.")),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        "join",
        help=N_("Sit down at a table that somebody has opened."),
        epilog=N_(
            "\b\n"
            "Examples:\n"
            "  driflamme join\n"
            "  driflamme join driflamme://192.168.1.20/…\n"
            "  driflamme join 192.168.1.20 K7Q-F2MXR\n"
            "  driflamme join table.example:4000 --name Gaspard\n"
            "  driflamme join --insecure localhost\n"
            "  driflamme join --plain 192.168.1.20 K7Q-F2MXR"
        ),
    )(_command(watch=False))
    app.command(
        "watch",
        help=N_("Watch a table; you see what everybody sees."),
        epilog=N_("\b\nExample:\n  driflamme watch driflamme://192.168.1.20/…"),
    )(_command(watch=True))


def _command(*, watch: bool) -> Callable[..., None]:
    """Return what sits down at somebody's table, or what watches it."""

    def command(
        where: Where = None,
        code: Code = None,
        name: Name = None,
        insecure: Insecure = False,
        unix: Unix = None,
        plain: Plain = False,
        as_json: Json = False,
        theme: Theme = None,
        ascii_signs: AsciiSigns = False,
        no_animation: NoAnimation = False,
    ) -> None:
        from driflamme_tui.seat.plans import Join

        settings = looks(theme, ascii_signs, no_animation)
        by_lines = plain or as_json
        target = _parse_target(where, code, insecure, unix)
        if not has_terminal() and not by_lines:
            fail(_("Without a terminal, sit down with --plain, or with --json for programs."))
        player = checked_name(name)
        if target is not None and by_lines:
            run_lines(Join(target, watch), player, as_json=as_json)
            return
        if target is None and (watch or by_lines):
            fail(_("Which table? driflamme tables lists those of the local network."))
        run_app(None if target is None else Join(target, watch), player, settings)

    return command


def _parse_target(
    where: str | None, code: str | None, insecure: bool, unix: Path | None
) -> "Target | Spoken | None":
    """Return what leads to a table; None if one is to be looked for."""
    from driflamme_tui.seat.plans import Spoken
    from netcode.client.connectors import Plain, Unix
    from netcode.joining.invitation import is_invitation, parse_invitation
    from netcode.joining.spoken_code import parse_code
    from netcode.transport.address import parse_address

    if unix is not None:
        if where is not None or insecure:
            fail(_("A table at --unix PATH has no address."))
        return Unix(unix.absolute())
    if where is None:
        if insecure:
            fail(_("Where is the table? driflamme join --insecure HOST[:PORT]"))
        return None
    if is_invitation(where):
        if insecure:
            fail(_("An invitation is for encrypted tables: leave --insecure out."))
        return parse_invitation(where)
    address = parse_address(where)
    if insecure:
        return Plain(address)
    if code is None:
        if not has_terminal():
            fail(_("Sitting at a table needs a terminal, which is not here."))
        code = typer.prompt(_("The table's spoken code, as the host sees it"))
    return Spoken(address, parse_code(code))
