"""Builds the rows of the prompt with the effects of leaving and of revealing a card.

Each answer has rows of its own, so that a click on its text chooses it. If both need more rows than
the prompt has, the prompt takes rows first from the events and then from the hand.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len

from driflamme_tui.drawing.layout import HAND_SIZES, Layout
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.pending_question import Step
from driflamme_tui.text.cell_widths import fit_text, wrap_text
from driflamme_tui.text.i18n import _
from engine.actions import LEAVE, REVEAL, Action

_BESIDE: Final = 3
"""Columns of the mark before a label, and of the edge beside a text."""


class OptionRows(Struct, frozen=True):
    """One answer as the prompt shows it."""

    action: Action
    label: str
    lines: Sequence[str]


def label_of(state: TableState, action: Action) -> str:
    """Return an answer's label with its key."""
    if action == LEAVE:
        return _("{key} Leave", key=key(TableCommands.leave, state.glyphs))
    return _("{key} Reveal", key=key(TableCommands.reveal, state.glyphs))


def text_column(state: TableState) -> int:
    """Return the column at which the effects of the answers begin."""
    return max(cell_len(label_of(state, action)) for action in (LEAVE, REVEAL)) + _BESIDE + 2


def option_rows(state: TableState, rows: int) -> list[OptionRows]:
    """Return both answers in at most `rows` rows, each in at least one.

    If there are too few rows, the chosen answer, or else Reveal, gets the rows that it needs. The
    other answer is cut.
    """
    space = state.layout.width - text_column(state) - 1
    texts: dict[Action, list[str]] = {
        action: _option_text(state, action, space) for action in (LEAVE, REVEAL)
    }
    chosen = state.question.choice.action if state.question and state.question.choice else None
    first = REVEAL if chosen is None else chosen
    second = LEAVE if first == REVEAL else REVEAL
    given: dict[Action, int] = {first: min(len(texts[first]), max(1, rows - 1))}
    given[second] = min(len(texts[second]), max(1, rows - given[first]))
    spare = rows - sum(given.values())
    spare -= len(extra_lines(state, spare))
    options = []
    for action in (LEAVE, REVEAL):
        # Full names get only the rows that remain.
        most = given[action] + max(0, spare)
        text = " ".join(_option_text(state, action, space, most))
        lines = fit_text(text, space, most, state.glyphs)
        spare -= len(lines) - given[action]
        options.append(OptionRows(action, label_of(state, action), lines))
    return options


def extra_lines(state: TableState, rows: int) -> list[str]:
    """Return a notice or a panel's advice in at most `rows` rows, but at least one.

    If the advice does not fit, return its first sentence. If there is neither, return [].
    """
    space = state.layout.width - 2
    text = state.notice or " ".join(state.advice).strip()
    if not text:
        return []
    whole = wrap_text(text, space, space)
    if len(whole) > rows and not state.notice:
        text = state.advice[0]
    return fit_text(text, space, max(1, rows), state.glyphs)


def with_space_for_options(state: TableState) -> TableState:
    """Return the table with a prompt high enough to show both answers in full, if possible.

    A table with another question is returned unchanged.
    """
    question, layout = state.question, state.layout
    if question is None or question.step is not Step.LEAVE_OR_REVEAL:
        return state
    space = layout.width - text_column(state) - 1
    title = wrap_text(state.prompter.title(question), layout.width - 2, layout.width - 2)
    needed = sum(len(_option_text(state, action, space)) for action in (LEAVE, REVEAL))
    needed += 1 if layout.prompt < TWO_ROWS else min(2, len(title))
    layout = _with_prompt(layout, needed)
    spare = layout.prompt - needed + layout.events_height
    lines = len(extra_lines(state, spare))
    if lines <= spare and needed + lines > layout.prompt:
        layout = _with_prompt(layout, needed + lines)
    return replace(state, layout=layout)


TWO_ROWS: Final = 4
"""Minimum rows of the prompt for a question of two rows."""


def _with_prompt(layout: Layout, rows: int) -> Layout:
    """Return a layout with at least `rows` rows of prompt, if possible.

    The rows are taken from the events, then from the hand.
    """
    more = max(0, rows - layout.prompt)
    taken = max(0, more - layout.events_height)
    if taken and not layout.watching:
        height = max(1, layout.hand_card.height - taken)
        size = next(size for size in HAND_SIZES if size.height <= height)
        pitch = max(size.pitch, layout.hand_card.pitch)
        size = replace(size, pitch=pitch)
        more = min(more, layout.events_height + layout.hand_card.height - size.height)
        layout = replace(layout, hand_card=size)
    return replace(layout, prompt=layout.prompt + more)


def _option_text(state: TableState, action: Action, space: int, rows: int = 1) -> list[str]:
    """Return the rows of an answer's effect. If they are more than `rows`, leave names out."""
    text = state.fitting(lambda prompter: prompter.effect(action), space, rows)
    return wrap_text(text, space, space)
