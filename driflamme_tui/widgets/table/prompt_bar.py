"""The prompt: the question in a bar, and under it what the present choice would do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import style
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.key_bindings import both, key
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.pending_question import Step
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.table.header import WARNING_S
from driflamme_tui.widgets.table.table_bar import TableBar
from driflamme_tui.wording.game.result_words import headline
from driflamme_tui.wording.game.result_words import reason as result_reason
from driflamme_tui.wording.program.connection_words import clock_text, lost_sentence
from driflamme_tui.wording.program.people_words import (
    absence,
    paused_title,
    stood_in_sentence,
    stood_in_title,
)
from engine.actions import LEAVE, REVEAL, Action
from engine.cards import Seat
from engine.ranking import each_alone, ranking_of_owners

TWO_ROWS: Final = 4
"""Rows of the prompt from which the question itself may take two."""


class Prompt(TableBar):
    """The question in one bar, and under it what the present choice would do."""

    ground = "panel"

    class Confirmed(Message):
        """The right end of the bar was clicked."""

    @dataclass(eq=False, repr=False)
    class OptionPressed(Message):
        """One of the rows to leave or to reveal was clicked."""

        token: str

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the bar and its two rows."""
        if state.view.over:
            names = [player.name for player in state.players]
            owners = state.owners or each_alone(state.view.players)
            winner = ranking_of_owners(state.view, owners)[0][0][0]
            hint = state.after
            if hint is None:
                hint = _("{key} shows the result").format(
                    key=key(TableCommands.confirm, state.glyphs)
                )
            hints = [hint] if hint else []
            top = self._draw_bar(canvas, state, winner, headline(state.view, names, owners), hints)
            self._draw_below(canvas, top, result_reason(state.view, names, owners))
            return
        if state.lost or state.paused or state.stood_in:
            self._draw_stopped(canvas, state)
            return
        question = state.question
        prompter = state.prompter
        if state.telling and state.log:
            seat, sentence = state.log[-1]
            asked = state.view.turn if seat is None else seat
            # What has happened may take the room of a notice that there is not.
            rows = max(canvas.height - 1, 1) if not state.notice else 1
            top = self._draw_bar(canvas, state, asked, sentence, [], rows)
            self._draw_below(canvas, top, "", notice=state.notice)
            return
        if question is None:
            top = self._draw_bar(canvas, state, state.view.turn, prompter.waiting(), [])
            text = self._meanwhile(state)
        else:
            hints = [_("Sent…")] if state.sent else self._hints(state)
            top = self._draw_bar(canvas, state, state.view.turn, prompter.title(question), hints)
            if question.step is Step.LEAVE_OR_REVEAL and not (state.notice or state.hint[0]):
                self._draw_two_options(canvas, state, top)
                return
            text = prompter.consequence(question)
        shorter = text
        if question is not None and state.hint[0]:
            text, shorter = " ".join(state.hint).strip(), state.hint[0]
        elif question is None or question.choice is None:
            # What was decided without asking stands before the rest.
            text, shorter = f"{state.forced} {text}".strip(), state.forced or text
        self._draw_below(canvas, top, text, shorter, state.notice)

    def on_click(self, event: events.Click) -> None:
        """Confirm at the bar's right half, or choose the row that was clicked."""
        state = self.state
        if state is None:
            return
        if state.view.over or state.stood_in:
            self.post_message(self.Confirmed())
            return
        if state.lost:
            self.post_message(Board.Pressed("retry"))
        if state.lost or state.question is None:
            return
        title = state.prompter.title(state.question)
        top = len(_title_rows(title, self.size.width, _rows_for_title(self.size.height)))
        if event.y < top:
            if event.x >= self.size.width // 2:
                self.post_message(self.Confirmed())
        elif state.question.step is Step.LEAVE_OR_REVEAL:
            for action, rows in self._options(state, top, *self.size):
                if event.y in rows:
                    self.post_message(self.OptionPressed(str(action)))

    def _draw_stopped(self, canvas: Canvas, state: TableState) -> None:
        """Say why nothing can be answered at this moment, and what was asked before."""
        palette = canvas.palette
        if state.lost:
            ink = canvas.ink(palette.alert, bold=True)
            hint = _("{key} tries at once").format(key=key(TableCommands.retry, state.glyphs))
            top = self._draw_row(canvas, state, state.lost, ink, canvas.bold, [hint])
            text = lost_sentence()
        elif state.paused:
            ink = style(palette.ink, palette.line, bold=True)
            title = f"{state.glyphs.paused} {paused_title(state.host)}"
            hint = _("{key} goes on").format(key=key(TableCommands.pause, state.glyphs))
            hints = [hint] if state.host else []
            top = self._draw_row(canvas, state, title, ink, ink, hints)
            text = self._before_the_pause(state)
        else:
            seat = state.view.turn if state.you is None else state.you
            hue = palette.families[state.view.families[seat]].hue
            ink = canvas.ink(hue, bold=True)
            hints = [_("{key} takes it back").format(key=key(TableCommands.confirm, state.glyphs))]
            top = self._draw_row(canvas, state, stood_in_title(), ink, canvas.bold, hints)
            text = stood_in_sentence(state.taking_back)
        self._draw_below(canvas, top, text, notice=state.notice)

    def _before_the_pause(self, state: TableState) -> str:
        question = state.question
        asked = state.prompter.waiting() if question is None else state.prompter.title(question)
        return _("The clock stands still too. Next: {asked}").format(asked=asked)

    def _meanwhile(self, state: TableState) -> str:
        """Say what the player who is asked can do, or that they are away."""
        asked = state.players[state.view.turn]
        away = absence(asked.name, asked.present, asked.away) if asked.bot is None else ""
        return away or state.prompter.may()

    def _draw_bar(
        self,
        canvas: Canvas,
        state: TableState,
        seat: Seat,
        title: str,
        hints: Sequence[str],
        rows: int | None = None,
    ) -> int:
        """Draw the bar in a family's colour, in at most `rows` rows; return how many it took."""
        palette = canvas.palette
        yours = state.question is not None or state.view.over
        hue = palette.families[state.view.families[seat]].hue
        if yours:
            ground = ink = style(palette.on_colour, hue, bold=True)
        else:
            ground, ink = canvas.plain, canvas.ink(hue, bold=True)
        return self._draw_row(canvas, state, title, ink, ground, hints, rows)

    def _draw_row(
        self,
        canvas: Canvas,
        state: TableState,
        title: str,
        ink: Style,
        ground: Style,
        hints: Sequence[str],
        at_most: int | None = None,
    ) -> int:
        """Draw the bar, with as many of the hints as it has room for; return its rows."""
        if at_most is None:
            at_most = _rows_for_title(canvas.height)
        rows = _title_rows(title, canvas.width, at_most)
        canvas.fill(0, 0, canvas.width, len(rows), ground, " ")
        end, below = canvas.width, len(rows) - 1
        for row, line in enumerate(rows):
            end = canvas.text(1, row, line, ink, min(cell_len(line), canvas.width - 1))
        # Where there is no room for all hints, those that matter most stand last and stay.
        for first in range(len(hints)):
            text = f" {state.glyphs.separator} ".join(hints[first:])
            if end + 2 + cell_len(text) < canvas.width:
                canvas.text(canvas.width - 1 - cell_len(text), below, text, ground)
                break
        return len(rows)

    def _hints(self, state: TableState) -> list[str]:
        question, glyphs = state.question, state.glyphs
        assert question is not None
        if state.looking:
            return [_("{key} stops looking").format(key=key(TableCommands.back, glyphs))]
        arrows = both(TableCommands.left, TableCommands.right, glyphs)
        words = [_("{arrows} choose").format(arrows=arrows)]
        if question.step is Step.SPOT:
            words = [
                _("{key} start").format(key=key(TableCommands.start, glyphs)),
                _("{key} end").format(key=key(TableCommands.end, glyphs)),
                _("{arrows} spots").format(arrows=arrows),
            ]
        confirm = key(TableCommands.confirm, glyphs)
        words.append(_("{key} {verb}").format(key=confirm, verb=state.prompter.verb(question)))
        if question.picked:
            words.append(_("{key} other card").format(key=key(TableCommands.back, glyphs)))
        if state.time_runs and state.time_left is not None and state.time_left <= WARNING_S:
            words.append(_("{time} left").format(time=clock_text(state.time_left)))
        return words

    def _options(
        self, state: TableState, top: int, width: int, height: int
    ) -> Iterator[tuple[Action, dict[int, str]]]:
        """Yield to leave and to reveal, with what either would do in rows from `top` on."""
        room = width - _option_width(state.glyphs) - 3
        for action, _label in _option_labels(state.glyphs):
            lines = wrapped(state.prompter.effect(action), room, room)
            # The bar's hints say in other words what is cut here: only a tiny screen cuts.
            lines = lines[: max(1, height - top - (action == LEAVE))]
            yield action, dict(enumerate(lines, top))
            top += len(lines)

    def _draw_two_options(self, canvas: Canvas, state: TableState, top: int) -> None:
        palette = canvas.palette
        question, glyphs = state.question, state.glyphs
        assert question is not None
        labels, width = dict(_option_labels(glyphs)), _option_width(glyphs)
        for action, rows in self._options(state, top, canvas.width, canvas.height):
            chosen = question.choice is not None and question.choice.action == action
            ink = canvas.ink(palette.ink, bold=True, under=action == state.hinted)
            if chosen:
                ink = canvas.chosen
            mark = glyphs.turn if chosen else " "
            canvas.text(1, min(rows), f"{mark} {labels[action]}", ink, width)
            for row, line in rows.items():
                canvas.text(width + 2, row, line, canvas.plain)

    def _draw_below(
        self, canvas: Canvas, top: int, text: str, shorter: str = "", notice: str = ""
    ) -> None:
        """Draw a text, or a shorter one where it has no room; a notice takes its place."""
        room = canvas.width - 2
        if shorter and len(wrapped(text, room, room)) > canvas.height - top:
            text = shorter
        alert = canvas.ink(canvas.palette.alert, bold=True)
        ink = alert if notice else canvas.plain
        canvas.lines(1, top, wrapped(notice or text, room, room), ink)


def _rows_for_title(height: int) -> int:
    """Return how many rows the question itself may have."""
    return 2 if height >= TWO_ROWS else 1


def _title_rows(title: str, width: int, at_most: int) -> list[str]:
    """Return the rows of the bar: several only if it is longer than one, and may have several."""
    if cell_len(title) <= width - 1 or at_most < 2:
        return [title]
    return wrapped(title, width - 2, width - 2)[:at_most]


def _option_labels(glyphs: Glyphs) -> tuple[tuple[Action, str], ...]:
    return (
        (LEAVE, _("{key} Leave").format(key=key(TableCommands.leave, glyphs))),
        (REVEAL, _("{key} Reveal").format(key=key(TableCommands.reveal, glyphs))),
    )


def _option_width(glyphs: Glyphs) -> int:
    return max(cell_len(label) for _action, label in _option_labels(glyphs)) + 3
