"""What all commands have in common: the language, and one sentence when something is wrong.

Our help is in the player's language; what typer itself says in help and complaints is in English.
"""

import contextlib
import itertools
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from inspect import Parameter, Signature, signature
from typing import Any, Final, TypeVar, get_type_hints

import typer
from typer.core import TyperGroup
from typer.main import get_group
from typer.models import OptionInfo

from driflamme_tui.cli import completion
from driflamme_tui.cli.output import BAD_INPUT, FAILED, INTERRUPTED, complain
from driflamme_tui.preferences.settings import SettingsError, load
from driflamme_tui.text.i18n import PROGRAM, _, known_language, set_language
from engine.words import ExplainedError, Text

LANGUAGE_OPTION: Final = "--lang"
"""The option that is read before any help is made."""

FOR_ALL: Final = {LANGUAGE_OPTION: True, "--theme": True, "--ascii": False, "--no-animation": False}
"""The program's options that may stand after the command too, and whether each has a value."""

DOORS: Final = {"--ssh": 11215, "--web": 11216}
"""The options of doors, and where these listen unless told otherwise."""

RELAY_PORT: Final = 11217
"""The same of a club that is a relay too."""

MODULES: Final = {
    "learn": "host_command",
    "host": "host_command",
    "play": "host_command",
    "join": "join_command",
    "watch": "join_command",
    "serve": "club_commands",
    "relay": "relay_command",
    "tables": "club_commands",
    "history": "past_games_commands",
    "replay": "replay_command",
    "verify": "verify_command",
    "board": "position_commands",
    "stats": "past_games_commands",
    "puzzle": "position_commands",
    "rules": "rules_command",
    "help": "rules_command",
    "keys": "rules_command",
    "simulate": "contest_commands",
    "arena": "contest_commands",
    "position": "position_commands",
    "doctor": "doctor_command",
}
"""Where in `commands` each command stands, in the order of the help: a line loads only its own."""

_TYPE: Final = re.compile("a valid (int|float)( range)?")
"""What typer calls a number."""

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., object])


def option(help: Text, *names: str, usual: object = None, **more: Any) -> Any:
    """Return what makes a parameter an option, which is called like it unless names are given."""
    return typer.Option(usual, *names, help=help, **more)


def flag(help: Text, *names: str) -> Any:
    """Return what makes a parameter an option that one gives or does not give, without a value."""
    return typer.Option(False, *names, help=help)


def argument(help: Text, metavar: str, usual: object = None, **more: Any) -> Any:
    """Return what makes a parameter an argument, which has no name on the command line."""
    return typer.Argument(usual, metavar=metavar, help=help, **more)


class OptionGroup:
    """Options that go together: each field of a class like this one is an option."""

    def __init__(self, **said: Any) -> None:
        """Know what was said, by the names of the fields."""
        vars(self).update(said)


def _option_by_option(function: Callable[..., object]) -> Callable[..., object]:
    """Return a function that takes the options of its groups one by one."""
    single: list[Parameter] = []
    groups: dict[str, tuple[type[OptionGroup], Iterable[str]]] = {}
    for name, each in signature(function).parameters.items():
        group = each.annotation
        if isinstance(group, type) and issubclass(group, OptionGroup):
            fields = get_type_hints(group, include_extras=True)
            groups[name] = group, fields
            single += [_parameter(field, getattr(group, field), of) for field, of in fields.items()]
        else:
            single.append(_parameter(name, each.default, each.annotation))

    def run(**said: Any) -> object:
        for name, (group, fields) in groups.items():
            said[name] = group(**{field: said.pop(field) for field in fields})
        return function(**said)

    vars(run)["__signature__"] = Signature(single)
    return run


def _parameter(name: str, default: Any, annotation: Any) -> Parameter:
    if isinstance(default, OptionInfo) and default.default is False and not default.param_decls:
        # There is no option for what is so anyway.
        default.param_decls = (f"--{name.replace('_', '-')}",)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


class Commands(typer.Typer):
    """The commands of a module, with plain help."""

    def __init__(self) -> None:
        super().__init__(rich_markup_mode=None, pretty_exceptions_enable=False)

    def described(
        self, name: str, help: Text, examples: Text
    ) -> Callable[[CommandFunction], CommandFunction]:
        """Return what makes a function the command of a name; it may take groups of options."""

        def declare(function: CommandFunction) -> CommandFunction:
            self.command(name, help=help, epilog=examples)(_option_by_option(function))
            return function

        return declare


class CommandGroup(TyperGroup):
    """The commands, in the player's language, never ending in a traceback for bad input.

    Texts of help are marked where they stand and translated here.
    """

    def main(self, args: Sequence[str] | None = None, *more: Any, **options: Any) -> Any:
        """Run a command and end the process with its status."""
        _print_what_the_terminal_can()
        args = _with_ports(_for_all_first(sys.argv[1:] if args is None else args))
        if completion.is_wanted(args):
            completion.prepare()
            options["prog_name"] = PROGRAM
        # The help is made while the options are read, so the language must be known before.
        kept = None
        with contextlib.suppress(SettingsError):
            # What is wrong with the file is said by the commands, in the system's language.
            kept = load().catalogue
        set_language(_language_of(args) or kept)
        _translate(self)
        # Whether one is mistyped or listed, all names are known, and none is loaded.
        not_loaded: dict[str, Any] = dict.fromkeys(MODULES)
        self.commands = not_loaded
        try:
            status = super().main(args, *more, **options | {"standalone_mode": False})
        except (KeyboardInterrupt, typer.Abort):
            status = INTERRUPTED
        except ExplainedError as error:
            complain(error.sentence(_))
            status = FAILED if error.is_of_machine else BAD_INPUT
        except OSError as error:
            complain(error.strerror or str(error))
            _forget_output()
            status = FAILED
        except Exception as error:
            # Typer's own complaints have had different bases, but all have this method.
            message = getattr(error, "format_message", None)
            if message is None:
                raise
            complain(_TYPE.sub("a number", message()))
            status = BAD_INPUT
        sys.exit(status if isinstance(status, int) else 0)

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **extra: Any) -> Any:
        """Read a line; one to be completed has its options in any order, as one to be run has."""
        if extra.get("resilient_parsing"):
            # An option whose value is to be completed is the program's, whatever stands before it.
            is_value = bool(args) and FOR_ALL.get(args[-1], False)
            args = args[-1:] if is_value else _with_ports(_for_all_first(args))
            if language := _language_of(args):
                set_language(language)
        return super().make_context(info_name, args, *more, **extra)

    def format_commands(self, context: Any, formatter: Any) -> None:
        """Write what each command does: making all their options would take longer."""
        infos = [
            info
            for module in dict.fromkeys(MODULES.values())
            for info in _commands_of(module).registered_commands
        ]
        helps = {info.name: info.help or "" for info in infos}
        with formatter.section("Commands"):
            formatter.write_dl([(name, _first_sentence(_(helps[name]))) for name in MODULES])

    def get_command(self, context: Any, name: str) -> Any:
        """Find a command by its name, and have it in the player's language."""
        if name in MODULES and self.commands.get(name) is None:
            # Making the options of all commands of a module would take longer.
            alone, beside = Commands(), _commands_of(MODULES[name]).registered_commands
            alone.registered_commands = [info for info in beside if info.name == name]
            command = self.commands[name] = get_group(alone).commands[name]
            _translate(command)
            # What completion shows would be cut otherwise.
            command.short_help = _first_sentence(command.help or "")
        return super().get_command(context, name)


def _translate(command: Any) -> None:
    """Have our help of a command in the player's language."""
    for said in (command, *command.params):
        for name in ("help", "epilog"):
            if text := getattr(said, name, None):
                text = _(text)
                if "{bots}" in text:
                    from engine.bots import BOTS

                    text = text.replace("{bots}", ", ".join(BOTS))
                setattr(said, name, text)


def _commands_of(module: str) -> Commands:
    commands = import_module(f"driflamme_tui.cli.commands.{module}").commands
    assert isinstance(commands, Commands)
    return commands


def _first_sentence(text: str) -> str:
    first, stop, _rest = " ".join(text.split("\n\n")[0].split()).partition(". ")
    return f"{first}." if stop else first


def _for_all_first(args: Sequence[str]) -> list[str]:
    """Return a line that begins with the options that hold for all commands."""
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


def _with_ports(args: Sequence[str]) -> list[str]:
    """Return a line in which each door has a port, also where none was said."""
    line: list[str] = []
    # Who hosts says by whose relay.
    ports = DOORS | ({"--relay": RELAY_PORT} if "serve" in args else {})
    for option, after in itertools.zip_longest(args, args[1:], fillvalue=""):
        needs_port = option in ports and not after.isdecimal()
        line += [option, str(ports[option])] if needs_port else [option]
    return line


def _language_of(args: Sequence[str]) -> str | None:
    """Return the language that a line asks for, if there is such a one."""
    said = [each for each in args if each.startswith(f"{LANGUAGE_OPTION}=")]
    return known_language(said[-1].partition("=")[2]) if said else None


def _print_what_the_terminal_can() -> None:
    """Let a terminal that lacks a letter show a question mark rather than fail.

    Windows' own terminals take every letter; in pipes and files there would be only 200.
    """
    streams, encoding = [sys.stdout], None
    if sys.platform == "win32":
        streams, encoding = [sys.stdin, sys.stdout, sys.stderr], "utf-8"
    for stream in streams:
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding=encoding, errors="replace")  # type: ignore[union-attr]


def _forget_output() -> None:
    """Keep Python from trying once more, when it ends, to write what could not be written."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
