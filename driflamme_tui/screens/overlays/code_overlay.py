"""Asks for the spoken code of a found table, or for another name."""

from driflamme_tui.screens.base.overlay import InputOverlay
from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.joining_words import code_again
from engine.texts import ONLY_WHY, ExplainedError, Text
from netcode.protocol.fields import NAME_LENGTH
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence
from netcode.transport.address import Address


class CodeOverlay(InputOverlay):
    """Asks for a code. Returns the whole code; None if the reader gives up."""

    done: Text = "Join ({key})"
    longest = 20

    def __init__(
        self, address: Address, prefix: str, name: str = "", *, typed: str = "", wrong: str = ""
    ) -> None:
        """Ask for the rest of a code that begins with `prefix`.

        Args:
            address: The address of the found table.
            prefix: The prefix that the table announces.
            name: The host's name; "" if it is unknown.
            typed: The text that was typed before; "" for an empty input.
            wrong: The error in the text that was typed before; "" for none.
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
        """Return the whole code; raises ExplainedError if the text is no code."""
        return code_again(typed, self.prefix)


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
        """Return the name without spaces around it; raises ExplainedError if it is invalid."""
        problem = name_problem(typed.strip())
        if problem is not None:
            raise ExplainedError(ONLY_WHY, why=refusal_sentence(problem, _))
        return typed.strip()
