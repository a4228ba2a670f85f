"""`driflamme keys`: every command of the screens, with its keys, as the config file has them."""

import typer

from driflamme_tui.cli.command_group import Commands

commands = Commands()


@commands.described(
    "keys",
    "Print every key, in the form in which the config file changes it.",
    "\b\nExamples:\n  driflamme keys\n  driflamme keys | grep table",
)
def keys() -> None:
    """Print a line of TOML for each command whose keys can be changed."""
    from driflamme_tui.keymap.command_registry import COMMANDS
    from driflamme_tui.keymap.key_bindings import keys_written, sentence

    typer.echo("[keys]")
    for command in COMMANDS.values():
        if not command.fixed:
            line = f'"{command.id}" = "{keys_written(command)}"'
            typer.echo(f"{line:44} # {sentence(command)}")
