"""Defines the common behaviour of all commands: the language, and errors of one sentence.

Help and errors are in the player's language, including typer's own texts (see `typer_texts`).
"""

import contextlib
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from driflamme_tui.cli.command_list import (
    CORE_COMMANDS,
    ListedCommand,
    all_commands,
    listed_command,
)
from driflamme_tui.cli.declarations import EXAMPLES_OF_WINGS
from driflamme_tui.cli.output import BAD_INPUT, STATUS_FAILED, STATUS_INTERRUPTED, complain
from driflamme_tui.cli.typer_texts import TranslatedHelp, error_sentence
from driflamme_tui.preferences.settings import SettingsError, load
from driflamme_tui.text.i18n import PROGRAM, _, as_typed, comma_list, known_language, set_language
from engine.texts import ExplainedError

LANGUAGE_OPTION: Final = "--lang"
"""The option for the language, which is read before any help is made."""

FOR_ALL: Final = {LANGUAGE_OPTION: True, "--theme": True, "--ascii": False, "--no-animation": False}
"""The program's options that are also allowed after the command. True marks options with a
value.
"""

COMPLETION: Final = "_DRIFLAMME_COMPLETE"
"""The environment variable by which a shell requests completion, however the program was
started.
"""

_COMPLETION_OPTIONS: Final = ("--install-completion", "--show-completion")


class CommandGroup(TranslatedHelp, TyperGroup):
    """All commands, in the player's language. Bad input prints a sentence, not a traceback.

    Help texts are marked in the code and translated here.
    """

    def main(self, args: Sequence[str] | None = None, *more: Any, **options: Any) -> Any:
        """Run a command, and end the process with the command's status.

        Errors that have a sentence for the player are printed. Any other error is raised.
        """
        _print_what_the_terminal_can()
        args = _for_all_first(sys.argv[1:] if args is None else args)
        if _is_completion_wanted(args):
            from driflamme_tui.cli import completion

            completion.prepare()
            options["prog_name"] = PROGRAM
        # Set the language first, since typer makes help texts while it reads options.
        kept = None
        with contextlib.suppress(SettingsError):
            # Ignore an invalid file here. Each command reports it, in the system's language.
            kept = load().catalogue
        set_language(_language_of(args) or kept)
        _translate(self)
        try:
            status = super().main(args, *more, **options | {"standalone_mode": False})
        except (KeyboardInterrupt, typer.Abort):
            status = STATUS_INTERRUPTED
        except ExplainedError as error:
            complain(error.sentence(_))
            status = STATUS_FAILED if error.is_of_machine else BAD_INPUT
        except OSError as error:
            complain(error.strerror or str(error))
            _forget_output()
            status = STATUS_FAILED
        except Exception as error:
            # The base class of typer's errors depends on its version, but all have this method.
            message = getattr(error, "format_message", None)
            if message is None:
                raise
            complain(self._misplaced(error) or error_sentence(message()))
            status = BAD_INPUT
        sys.exit(status if isinstance(status, int) else 0)

    def _misplaced(self, error: Exception) -> str:
        """Return a sentence for an option that belongs after a command; "" for other errors."""
        option, context = getattr(error, "option_name", None), getattr(error, "ctx", None)
        if option is None or context is None or context.command is not self:
            return ""
        names = [
            name
            for name in self.list_commands(context)
            if (command := self.get_command(context, name)) is not None
            and any(option in (*each.opts, *each.secondary_opts) for each in command.params)
        ]
        if not names:
            return ""
        return _(
            "Type {option} after one of these commands: {commands}.",
            option=option,
            commands=comma_list(names),
        )

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **extra: Any) -> Any:
        """Parse a command line.

        For completion, also accept the program's options after the command.
        """
        if extra.get("resilient_parsing"):
            # Completing the value of a program's option needs only that option, wherever it stands.
            is_value = bool(args) and FOR_ALL.get(args[-1], False)
            args = args[-1:] if is_value else _for_all_first(args)
            if language := _language_of(args):
                set_language(language)
        return super().make_context(info_name, args, *more, **extra)

    def format_options(self, context: Any, formatter: Any) -> None:
        """Write a line for each option, then a line for each command."""
        super().format_options(context, formatter)
        self.format_commands(context, formatter)

    def format_commands(self, context: Any, formatter: Any) -> None:
        """Write a line about each command, without loading any."""
        with formatter.section(_("Commands:").removesuffix(":")):
            formatter.write_dl([(each.name, _(each.help)) for each in all_commands().values()])

    def list_commands(self, context: Any) -> list[str]:
        """Return the names of all commands, in the order of the list."""
        return [*all_commands()]

    def get_command(self, context: Any, name: str) -> Any:
        """Return a command with its help in the player's language; None for an unknown name.

        Raises:
            ExplainedError: The module of a wing's command cannot be loaded.
        """
        if name not in self.commands:
            listed = listed_command(name)
            if listed is None:
                # Typer searches this attribute for a similar name.
                self.commands = dict.fromkeys(all_commands(), TyperCommand(None))
                return None
            self.commands[name] = _built(listed)
        return self.commands[name]


def _built(listed: ListedCommand) -> Any:
    """Return a command of the list with its help in the player's language."""
    command = _module_of(listed).commands.build(listed.name)
    _translate(command)
    command.epilog = command.epilog.replace(EXAMPLES_OF_WINGS, as_typed(command.examples_of_wings))
    # Without a short help, completion would cut the long one.
    command.short_help = _(listed.help)
    command.help = "\n\n".join(filter(None, (command.short_help, command.help)))
    return command


def _module_of(listed: ListedCommand) -> ModuleType:
    """Return the module of a command.

    Raises ExplainedError if the module of a wing cannot be loaded.
    """
    try:
        return import_module(listed.module, "driflamme_tui.cli.commands")
    except Exception as error:
        if listed.name in CORE_COMMANDS:
            raise
        from netcode.tracebacks import error_line, wing_of

        wing, why = wing_of(listed.module) or listed.name, error_line(error)
        raise ExplainedError(
            "The optional part {part} cannot be loaded, so reinstall the program: {why}",
            part=wing,
            why=why,
        ) from error


def _translate(command: Any) -> None:
    """Translate the help of a command and of its options, and insert the names of bots."""
    for part in (command, *command.params):
        for name in ("help", "epilog"):
            if text := getattr(part, name, None):
                text = _(text)
                if "{bots}" in text:
                    from engine.bots import BOTS

                    text = text.replace("{bots}", ", ".join(BOTS))
                setattr(part, name, text)


def _for_all_first(args: Sequence[str]) -> list[str]:
    """Return a command line with the program's options moved to the front."""
    first: list[str] = []
    rest: list[str] = []
    left = iter(args)
    for option in left:
        takes_value = FOR_ALL.get(option.partition("=")[0])
        if option == "--":
            rest += [option, *left]
        elif takes_value is None:
            rest.append(option)
        elif takes_value and "=" not in option:
            first.append(f"{option}={next(left, '')}")
        else:
            first.append(option)
    return first + rest


def _is_completion_wanted(args: Sequence[str]) -> bool:
    """Return True if a shell requests candidates, or a person requests the completion script."""
    names = (each.partition("=")[0] in _COMPLETION_OPTIONS for each in args)
    return COMPLETION in os.environ or any(names)


def _language_of(args: Sequence[str]) -> str | None:
    """Return the language in the last `--lang=` of a command line; None if missing or unknown."""
    given = [each for each in args if each.startswith(f"{LANGUAGE_OPTION}=")]
    return known_language(given[-1].partition("=")[2]) if given else None


def _print_what_the_terminal_can() -> None:
    """Print question marks for letters that the output cannot encode, instead of failing.

    On Windows, use UTF-8: the encoding of pipes and files has only 200 letters there.
    """
    streams, encoding = [sys.stdout], None
    if sys.platform == "win32":
        streams, encoding = [sys.stdin, sys.stdout, sys.stderr], "utf-8"
    for stream in streams:
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding=encoding, errors="replace")  # type: ignore[union-attr]


def _forget_output() -> None:
    """Discard output that could not be written, so that Python does not try again."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
