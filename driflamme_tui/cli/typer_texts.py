"""Translates typer's own texts into the player's language: parts of the help, and errors.

Typer has no catalogue, so its texts are recognised and replaced. Texts of another version of typer
that are not recognised stay in English.
"""

import re
from typing import Any, Final

from driflamme_tui.text.i18n import _
from engine.texts import Text

_COMPLETION: Final[tuple[Text, ...]] = (
    "Install completion for the current shell.",
    "Show completion for the current shell, to copy it or customize the installation.",
)
"""The help of typer's options, which is translated like the help of other options."""

_PLACES: Final[dict[str, Text]] = {
    "[OPTIONS]": "[OPTIONS]",
    "COMMAND [ARGS]...": "COMMAND [ARGS]...",
}
"""The parts of a usage line that are translated."""

_NUMBER: Final = r"(?<= )(<(int|float)( range)?>|(INTEGER|FLOAT)( RANGE)?)$"
_STRING: Final = r"(?<= )(<str>|TEXT)$"
"""Matches the placeholder of a text after an option's names, such as `<str>`. `_NUMBER` matches the
placeholder of a number, such as `INTEGER RANGE`.
"""

_NOTES: Final = r"\s*\[([^\[\]]+)\]$"
"""Matches the end of an option's help: its default value, or the range of its values."""

_RANGE: Final = r"(?:(?P<from>[\d.]+)<=)?x(?:(?:<=(?P<to>[\d.]+))|(?:>=(?P<least>[\d.]+)))?"

_NAME: Final = r"'?(?P<name>[^':]+)'?(?: / '[^']+')*"
"""Matches the names of an option or argument in an error. The group `name` has the first name."""

_VALUE: Final = r"(?P<value>'.*'|\S+)"

_ERRORS: Final[tuple[tuple[str, Text], ...]] = (
    (
        r"No such command '(?P<name>.*)'\. Did you mean (?P<near>.*)\?",
        "There is no command {name!r}; did you mean {near}?",
    ),
    (
        r"No such command '(?P<name>.*)'\.",
        "There is no command {name!r}: driflamme --help lists all.",
    ),
    (
        r"No such option:? '?(?P<name>[^ ']+)'?\.? \(?(?:Possible options:|Did you mean) "
        r"(?P<near>[^?)]*)[?)]*",
        "There is no option {name}; did you mean {near}?",
    ),
    (
        r"No such option:? '?(?P<name>[^ ']+)'?\.?",
        "There is no option {name}: add --help to list all.",
    ),
    (rf"Option {_NAME} requires an argument\.", "Type a value after {name}."),
    (rf"Option {_NAME} does not take a value\.", "Omit the value after {name}: it takes none."),
    (
        r"Got unexpected extra arguments?(?:\(s\))? \((?P<extra>.*)\)",
        "Omit {extra}: this command takes no more arguments.",
    ),
    (rf"Missing (?:argument|option|parameter) {_NAME}\..*", "Add {name}: it is missing."),
    (
        rf"Invalid value for {_NAME}: {_VALUE} is not a (?:valid (?:int|float).*|finite number)\.",
        "Give {name} a number, not {value}.",
    ),
    (
        rf"Invalid value for {_NAME}: {_VALUE} is not in the range"
        r" (?P<least>[\d.]+)<=x<=(?P<most>[\d.]+)\.",
        "Give {name} a number from {least} to {most}, not {value}.",
    ),
    (
        rf"Invalid value for {_NAME}: {_VALUE} is not in the range x>=(?P<least>[\d.]+)\.",
        "Give {name} a number of at least {least}, not {value}.",
    ),
    (
        rf"Invalid value for {_NAME}: {_VALUE} is not one of (?P<choices>.*)\.",
        "Give {name} one of {choices}, not {value}.",
    ),
)
"""Patterns of typer's errors, each with its sentence. The first pattern that matches counts."""


def error_sentence(message: str) -> str:
    """Return the sentence for an error of typer; the message itself if it is unknown."""
    for pattern, text in _ERRORS:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return _(text, **found.groupdict())
    return message


def _note(note: str) -> str:
    """Return the translation of a note after an option's help; an unknown note unchanged."""
    if note == "required":
        return _("required")
    if note.startswith("default: "):
        value = note.removeprefix("default: ")
        return _("default: {value}", value=re.sub(r"^\((.*)\)$", r"\1", value))
    if found := re.fullmatch(_RANGE, note):
        if found["to"] and found["from"]:
            return _("{least} to {most}", least=found["from"], most=found["to"])
        if found["least"]:
            return _("at least {least}", least=found["least"])
    return note


def _row(names: str, help: str) -> tuple[str, str]:
    """Return a row of the help, translated: an option or argument, and its meaning."""
    names = re.sub(_STRING, _("TEXT"), re.sub(_NUMBER, _("NUMBER"), names))
    found = re.search(_NOTES, help)
    if found is None:
        return names, help
    notes = _("; ").join(map(_note, found[1].split("; ")))
    gap = "  " if found.start() else ""
    return names, f"{help[: found.start()]}{gap}[{notes}]"


class TranslatedHelp:
    """A mixin for typer's classes, which writes help in the player's language."""

    def get_help_option(self, context: Any) -> Any:
        """Return the option for help, with a translated text; None if the command has none."""
        option = super().get_help_option(context)  # type: ignore[misc]
        if option is not None:
            option.help = _("Show this help.")
        return option

    def format_usage(self, context: Any, formatter: Any) -> None:
        """Write the usage line of the command."""
        parts = self.collect_usage_pieces(context)  # type: ignore[attr-defined]
        written = " ".join(_(_PLACES[each]) if each in _PLACES else each for each in parts)
        formatter.write_usage(context.command_path, written, prefix=f"{_('Usage:')} ")

    def format_options(self, context: Any, formatter: Any) -> None:
        """Write a row for each argument and option."""
        parameters = self.get_params(context)  # type: ignore[attr-defined]
        for heading, kind in ((_("Arguments:"), "argument"), (_("Options:"), "option")):
            records = (
                each.get_help_record(context) for each in parameters if each.param_type_name == kind
            )
            if rows := [_row(*each) for each in records if each is not None]:
                with formatter.section(heading.removesuffix(":")):
                    formatter.write_dl(rows)
