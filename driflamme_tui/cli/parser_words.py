"""What typer says by itself, in help and in complaints, in the player's language.

Typer has some of its words translated, by gettext, and the others in English only. The former
come from our catalogue; the latter are replaced: in help by attributes, in complaints by sentences
that are made of the fields of typer's exception. A complaint not known here stays as typer has it.
"""

import difflib
from collections.abc import Iterable
from typing import Any, Final

from typer import core
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from driflamme_tui.cli.exits import fail
from driflamme_tui.text.i18n import _
from engine.words import N_

TRANSLATED_BY_TYPER: Final = (
    N_("Arguments"),
    N_("Options"),
    N_("Commands"),
    N_("required"),
    N_("default: {default}"),
)
"""Texts that typer looks up itself, in the catalogue that it is given."""

COMPLETION: Final = {
    "install_completion": N_("Let this shell complete the command line from now on."),
    "show_completion": N_("Print what lets this shell complete it, to copy or to change."),
}
"""Help for the options that typer adds, by their parameter's name."""


class ParserWords:
    """What a command says in the player's language: before typer's own class among the bases."""

    def format_usage(self: Any, context: Any, formatter: Any) -> None:
        """Write the line that begins with `Usage:`."""
        pieces = " ".join(self.collect_usage_pieces(context))
        formatter.write_usage(context.command_path, pieces, prefix=f"{_('Usage:')} ")

    def get_help_option(self, context: Any) -> Any:
        """Return the option `--help`."""
        option = super().get_help_option(context)  # type: ignore[misc]
        if option is not None:
            option.help = _("Print this help.")
        return option

    def parse_args(self, context: Any, args: list[str]) -> Any:
        """Read the arguments; what is wrong with them ends the command with one sentence."""
        given = list(args)
        try:
            return super().parse_args(context, args)  # type: ignore[misc]
        except Exception as error:
            sentence = _complaint(error, context, given)
            if sentence is None:
                raise
            fail(sentence)


class Command(ParserWords, TyperCommand):
    """A command in the player's language."""


def no_such_command(name: str, commands: Iterable[str]) -> str:
    """Return the complaint that there is no such command, and which may be meant."""
    near = ", ".join(map(repr, difflib.get_close_matches(name, commands)))
    if not near:
        return _("There is no command {command}: driflamme --help lists all there are.").format(
            command=repr(name)
        )
    return _("There is no command {command}; is {others} meant?").format(
        command=repr(name), others=near
    )


def translate(command: TyperCommand | TyperGroup) -> None:
    """Have the help of a command in the player's language, our words and typer's."""
    # Its own is the system's gettext, which neither knows our words nor the language asked for.
    setattr(core, "_", _)  # noqa: B010 - no part of what typer promises
    command.help = _(command.help) if command.help else None
    command.epilog = _(command.epilog) if command.epilog else None
    command.options_metavar = _("[OPTIONS]")
    if isinstance(command, TyperGroup):
        command.subcommand_metavar = _("COMMAND [ARGUMENTS]...")
    for parameter in command.params:
        _translate_parameter(parameter)


def _translate_parameter(parameter: Any) -> None:
    if isinstance(parameter, TyperOption | TyperArgument):
        help_ = COMPLETION.get(parameter.name or "", parameter.help)
        parameter.help = _(help_) if help_ else None
        if isinstance(parameter, TyperOption) and parameter.metavar is None:
            kind = parameter.type.name
            if kind in ("str", "text"):
                parameter.metavar = _("TEXT")
            elif kind.startswith(("int", "float")):
                parameter.metavar = _("NUMBER")


def _complaint(error: Any, context: Any, args: list[str]) -> str | None:
    """Return what typer complains about as a sentence of ours, if it is known here."""
    kind = type(error).__name__
    if kind == "NoSuchOption":
        near = ", ".join(sorted(error.possibilities or ()))
        known = N_("There is no option {option}; is {others} meant? {help} lists all there are.")
        unknown = N_("There is no option {option}: {help} lists those there are.")
        return _(known if near else unknown).format(
            option=error.option_name, others=near, help=f"{context.command_path} --help"
        )
    if kind == "BadOptionUsage":
        flags = {name for each in context.command.params if each.is_flag for name in each.opts}
        takes = error.option_name not in flags
        return _(N_("{option} needs a value.") if takes else N_("{option} takes no value.")).format(
            option=repr(error.option_name)
        )
    if kind == "MissingParameter":
        return _("{parameter} is missing.").format(parameter=error.param.get_error_hint(context))
    if kind not in ("BadParameter", "UsageError"):
        return None
    read, rest, _order = context.command.make_parser(context).parse_args(args)
    if kind == "UsageError":
        return _("That is too much: {arguments}").format(arguments=" ".join(rest)) if rest else None
    return _no_such_value(error.param, read[error.param.name], error.param.get_error_hint(context))


def _no_such_value(parameter: Any, value: str, hint: str) -> str | None:
    """Return the sentence that an option or an argument cannot have this value, and why."""
    known = parameter.type
    if hasattr(known, "choices"):
        values = ", ".join(repr(str(each)) for each in known.choices)
        return _("{parameter}: {value} is not one of {values}.").format(
            parameter=hint, value=repr(value), values=values
        )
    if not known.name.startswith(("int", "float")):
        return None
    try:
        number = float(value) if "float" in known.name else int(value)
    except ValueError:
        return _("{parameter}: {value} is not such a number.").format(
            parameter=hint, value=repr(value)
        )
    within = f"x>={known.min}" if known.max is None else f"{known.min}<=x<={known.max}"
    return _("{parameter}: {value} is not in the range {range}.").format(
        parameter=hint, value=number, range=within
    )
