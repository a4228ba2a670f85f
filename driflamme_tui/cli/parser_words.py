"""What typer says by itself, in help and in complaints, in the player's language.

Typer has some of its words translated, by gettext, and the others in English only. The former
come from our catalogue; the latter are replaced: in help by attributes, in complaints by sentences
of our own. A complaint that is not known here stays as typer has it.
"""

import re
from functools import partial
from typing import Any, Final

from typer import core
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from driflamme_tui.text.i18n import _
from engine.words import N_

TRANSLATED_BY_TYPER: Final = (
    N_("Arguments"),
    N_("Options"),
    N_("Commands"),
    N_("required"),
    N_("default: {default}"),
)

METAVARS: Final = {
    "str": N_("TEXT"),
    "text": N_("TEXT"),
    "int": N_("NUMBER"),
    "integer": N_("NUMBER"),
    "int range": N_("NUMBER"),
    "integer range": N_("NUMBER"),
    "float": N_("NUMBER"),
    "float range": N_("NUMBER"),
}
"""By what typer calls the type of an option's value."""

COMPLETION: Final = {
    "install_completion": N_("Let this shell complete the command line from now on."),
    "show_completion": N_("Print what lets this shell complete it, to copy or to change."),
}

_PARAMETER: Final = r"(?:Invalid value for )?(?P<parameter>.+?)"
COMPLAINTS: Final = tuple(
    (re.compile(pattern), sentence)
    for pattern, sentence in (
        (
            r"No such option: (?P<option>\S+) \(Possible options: (?P<others>.+)\)",
            N_("There is no option {option}; there are {others}."),
        ),
        (
            r"No such option: (?P<option>\S+) Did you mean (?P<others>.+)\?",
            N_("There is no option {option}; there are {others}."),
        ),
        (r"No such option: (?P<option>\S+)", N_("There is no option {option}.")),
        (
            r"No such command (?P<command>.+)\. Did you mean (?P<others>.+)\?",
            N_("There is no command {command}; is {others} meant?"),
        ),
        (r"No such command (?P<command>.+)\.", N_("There is no command {command}.")),
        (
            r"Missing (?:argument|option|parameter) (?P<parameter>.+?)\..*",
            N_("{parameter} is missing."),
        ),
        (
            _PARAMETER + r": (?P<value>.+) is not a valid (?:int|float)\S*(?: range)?\.",
            N_("{parameter}: {value} is not such a number."),
        ),
        (
            _PARAMETER + r": (?P<value>.+) is not in the range (?P<range>.+)\.",
            N_("{parameter}: {value} is not in the range {range}."),
        ),
        (
            _PARAMETER + r": (?P<value>.+) is not one of (?P<values>.+)\.",
            N_("{parameter}: {value} is not one of {values}."),
        ),
        (r"Option (?P<option>.+) requires an argument\.", N_("{option} needs a value.")),
        (r"Option (?P<option>.+) does not take a value\.", N_("{option} takes no value.")),
        (
            r"Got unexpected extra arguments?(?:\(s\))? \((?P<arguments>.+)\)",
            N_("That is too much: {arguments}"),
        ),
    )
)
"""Typer's complaints, and what is said instead."""


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
    setattr(command, "format_usage", partial(_format_usage, command))  # noqa: B010 - a method
    setattr(command, "get_help_option", partial(_help_option, command))  # noqa: B010


def complaint(message: str) -> str:
    """Return a complaint of typer's as a sentence in the player's language."""
    message = " ".join(message.split())
    for pattern, sentence in COMPLAINTS:
        match = pattern.fullmatch(message)
        if match:
            return _(sentence).format(**match.groupdict())
    return message


def _translate_parameter(parameter: Any) -> None:
    if isinstance(parameter, TyperOption | TyperArgument):
        help_ = COMPLETION.get(parameter.name or "", parameter.help)
        parameter.help = _(help_) if help_ else None
        if isinstance(parameter, TyperOption) and parameter.metavar is None:
            metavar = METAVARS.get(parameter.type.name)
            parameter.metavar = _(metavar) if metavar else None


def _format_usage(command: TyperCommand | TyperGroup, context: Any, formatter: Any) -> None:
    pieces = " ".join(command.collect_usage_pieces(context))
    formatter.write_usage(context.command_path, pieces, prefix=f"{_('Usage:')} ")


def _help_option(command: TyperCommand | TyperGroup, context: Any) -> Any:
    option = type(command).get_help_option(command, context)
    if option is not None:
        option.help = _("Print this help.")
    return option
