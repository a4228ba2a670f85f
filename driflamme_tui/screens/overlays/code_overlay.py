"""Asks for the spoken code of a found table, or for another name."""

from driflamme_tui.screens.base.overlay import InputOverlay
from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.joining_words import CODE_SIGNS, PREFIX_SIGNS
from engine.texts import ONLY_WHY, ExplainedError, Text
from netcode.joining.spoken_code import parse_code
from netcode.protocol.fields import NAME_LENGTH
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence
from netcode.transport.address import Address


def whole_code(typed: str, prefix: str) -> str | None:
    """Return the whole code with a prefix from typed text; None if its length is wrong.

    The player may leave the prefix out, since the list shows it. The characters are not checked
    here.
    """
    signs = "".join(sign for sign in typed.upper() if sign.isalnum())
    if len(signs) == CODE_SIGNS - PREFIX_SIGNS:
        return prefix + signs
    return signs if len(signs) == CODE_SIGNS else None


class CodeOverlay(InputOverlay):
    """Asks for a code. Returns the whole code; None if the reader gives up."""

    done: Text = "Join ({key})"
    longest = 20

    def __init__(
        self, address: Address, prefix: str, name: str = "", *, typed: str = "", wrong: str = ""
    ) -> None:
        """Ask for the code with a prefix, or ask again.

        `name` is the host's name, if it is known.
        """
        title = _("{name}'s table at {address}") if name else _("The table at {address}")
        super().__init__(
            _("The host can read its code to you from their screen."),
            title.format(name=steady(name), address=steady(str(address))),
            f"{prefix} - ",
            typed=typed,
            wrong=wrong,
        )
        self.prefix = prefix

    def parsed(self, typed: str) -> str | None:
        """Return the whole code."""
        code = whole_code(typed, self.prefix)
        if code is None:
            sentence: Text = "Type the five characters after {prefix}, or all {n}."
            raise ExplainedError(sentence, prefix=self.prefix, n=CODE_SIGNS)
        return parse_code(code)


class NameOverlay(InputOverlay):
    """Asks for another name. Returns the name; None if the reader gives up."""

    done = "Join ({key})"
    longest = NAME_LENGTH

    def __init__(
        self, name: str, wrong: str = "", done: Text = done, *, at_table: bool = True
    ) -> None:
        self.done = done
        question = _("What is your name at this table?") if at_table else _("What is your name?")
        super().__init__(question, typed=name, wrong=wrong)

    def parsed(self, typed: str) -> str | None:
        """Return the name if it is valid."""
        problem = name_problem(typed.strip())
        if problem is not None:
            raise ExplainedError(ONLY_WHY, why=refusal_sentence(problem, _))
        return typed.strip()
