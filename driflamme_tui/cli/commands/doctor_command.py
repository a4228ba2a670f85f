"""`driflamme doctor`: checks whether this machine can play and host, with advice."""

import shutil
import sys

import typer

from driflamme_tui.cli.declarations import Commands
from driflamme_tui.cli.findings import Finding, WingChecks
from driflamme_tui.cli.output import STATUS_FAILED, AsJson
from driflamme_tui.cli.run_settings import looks
from driflamme_tui.text.i18n import _
from engine.texts import Text

commands = Commands()


@commands.described(
    "doctor",
    "One line per check, with what to do about it. Nothing is changed, and no other machine is"
    " contacted. The exit status is 1 if something keeps you from playing.",
    examples="\b\nExamples:\n  driflamme doctor\n{wings}  driflamme doctor --json",
)
def doctor(
    added: tuple[WingChecks, ...],
    as_json: AsJson = False,
) -> None:
    """Print all findings. If this machine cannot play, end with the status `STATUS_FAILED`."""
    import json

    from msgspec.structs import asdict

    from driflamme_tui.cli.machine_checks import examine

    found = list(examine(added))
    plays = all(each.level != "trouble" for each in found)
    if as_json:
        checks = [asdict(each) for each in found]
        typer.echo(json.dumps({"plays": plays, "checks": checks}))
    else:
        _print(found)
    if not plays:
        raise typer.Exit(STATUS_FAILED)


def _print(found: list[Finding]) -> None:
    """Print a line for each finding, wrapped with an indent; then a sentence about all findings."""
    from driflamme_tui.text.cell_widths import wrap_text
    from driflamme_tui.text.signs import glyphs_of

    glyphs = glyphs_of(looks().glyphs)
    marks = {"fine": glyphs.ready, "hint": "!", "trouble": glyphs.cross}
    indent = max(len(each.label) for each in found) + 4
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
    for each in found:
        first, *others = wrap_text(each.text, columns - indent, columns - indent)
        typer.echo(glyphs.plain(f"{marks[each.level]} {each.label:{indent - 2}}{first}"))
        for row in others:
            typer.echo(glyphs.plain(" " * indent + row))
    levels = [each.level for each in found]
    sentence: Text = "All is well for playing and for hosting."
    if "trouble" in levels:
        sentence = "The problems marked with {mark} keep you from playing here."
    elif "hint" in levels:
        sentence = "You can play; look at the lines marked with {mark} before you host."
    mark = marks["trouble" if "trouble" in levels else "hint"]
    for row in wrap_text(_(sentence, mark=mark), columns, columns):
        typer.echo(glyphs.plain(row))
