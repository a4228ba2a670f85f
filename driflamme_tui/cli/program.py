"""Defines the `driflamme` command and its common options."""

from typing import Literal, TypeAlias

import typer

from driflamme_tui.cli.command_group import LANGUAGE_OPTION, CommandGroup
from driflamme_tui.cli.declarations import flag, option
from driflamme_tui.cli.output import fail
from driflamme_tui.cli.run_settings import change_looks
from driflamme_tui.preferences.settings import load
from driflamme_tui.text.i18n import available_languages, known_language

ThemeOption: TypeAlias = Literal["auto", "dark", "light", "contrast"]
"""The themes as values of an option: the choices of `theme` in `settings.SETTINGS`."""

app = typer.Typer(
    name="driflamme",
    cls=CommandGroup,
    help="The card game Oriflamme, at a table on the network, in a terminal.",
    epilog="\b\n"
    "Examples:\n"
    "  driflamme                   ask what to do\n"
    "  driflamme learn             a guided first game\n"
    "  driflamme play              a game against bots\n"
    "  driflamme host              a table for others\n"
    "  driflamme join              find one and sit down\n"
    "  driflamme puzzle            the puzzle of the day\n"
    "  driflamme rules             all the rules\n"
    "  driflamme rules ambush      one card\n"
    "  driflamme arena --help      more on a command",
    invoke_without_command=True,
    # Plain help starts faster without rich, and is readable in any terminal.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if not wanted:
        return
    from netcode.protocol.version import VERSION

    typer.echo(f"driflamme {VERSION}")
    raise typer.Exit


def _check_language(wanted: str | None) -> None:
    # A known language is already set, so only report an unknown one here.
    if wanted is not None and known_language(wanted) is None:
        fail(
            "There is no language {language!r}: choose one of {languages}.",
            language=wanted,
            languages=", ".join(available_languages()),
        )


def _languages(incomplete: str) -> list[str]:
    from driflamme_tui.cli import completion

    return completion.languages(incomplete)


@app.callback()
def driflamme(
    context: typer.Context,
    version: bool = option(
        "Print the version.", "--version", usual=False, callback=_print_version, is_eager=True
    ),
    language: str | None = option(
        "The language of all texts; by default that of the options or the system.",
        LANGUAGE_OPTION,
        callback=_check_language,
        is_eager=True,
        metavar="en|fr|pl",
        autocompletion=_languages,
    ),
    theme: ThemeOption | None = option(
        "The colours for this run; by default those of the options.",
        metavar="auto|dark|light|contrast",
    ),
    ascii_signs: bool = flag("Use only ASCII characters for this run.", "--ascii"),
    no_animation: bool = flag("No animation for this run.", "--no-animation"),
) -> None:
    """Apply the common options. Without a command, show the start screen.

    If there is no terminal, print the help instead.
    """
    # Load the settings first, so that an invalid file is always reported.
    load()
    looks = {
        "theme": theme,
        "glyphs": "ascii" if ascii_signs else None,
        "animation": False if no_animation else None,
    }
    change_looks({name: value for name, value in looks.items() if value is not None})
    if context.invoked_subcommand is not None:
        return
    from driflamme_tui.cli.commands.host_command import begin

    if not begin():
        typer.echo(context.get_help())
