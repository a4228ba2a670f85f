"""Declares the commands by which a player answers, and decides when each has an effect."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.screens.table.answers.answering import Answering
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import card_name

_POSSIBLE: Final[Mapping[Command, Callable[[Answering], bool]]] = {
    TableCommands.left: lambda answering: answering.may_walk,
    TableCommands.right: lambda answering: answering.may_walk,
    TableCommands.first: lambda answering: answering.may_walk,
    TableCommands.last: lambda answering: answering.may_walk,
    TableCommands.back: lambda answering: answering.may_go_back,
    TableCommands.start: lambda answering: answering.may_choose_end,
    TableCommands.end: lambda answering: answering.may_choose_end,
    TableCommands.stack: lambda answering: answering.may_stack,
    TableCommands.leave: lambda answering: answering.can_reveal,
    TableCommands.reveal: lambda answering: answering.can_reveal,
    TableCommands.up: lambda answering: answering.may_go_down,
    TableCommands.down: lambda answering: answering.may_go_down,
    TableCommands.look_on: lambda answering: answering.may_look_on,
    TableCommands.other_hand: lambda answering: answering.has_other_hand,
}


def has_effect(command: Command, answering: Answering) -> bool:
    """Return True if a command has an effect now, or is no command for answering."""
    is_possible = _POSSIBLE.get(command)
    return is_possible is None or is_possible(answering)


def option_sentences(question: Question, state: TableState) -> Iterator[str]:
    """Yield the options of a question as sentences. Leaving and revealing have no sentences."""
    if question.step is Step.LEAVE_OR_REVEAL:
        return
    for option in question.options:
        if option.card is not None:
            yield _("choose your {card}", card=card_name(option.card))
        elif option.action is not None:
            yield state.prompter.effect(option.action)
        else:
            yield _("choose {card}", card=state.prompter.at(option.position))
