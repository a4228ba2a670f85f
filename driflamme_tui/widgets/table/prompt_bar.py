"""The prompt: the question in a bar, and under it what the present choice would do."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from textual import events

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import style
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import both, key
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.motion_frames import Weight
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.table.header import WARNING_S, TableBar
from driflamme_tui.widgets.table.side_panels import EVENT_LEFT, LAST_IN_TWO, above, draw_spoken
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.program.joining_words import clock_text
from driflamme_tui.wording.program.people_words import (
    absence,
    paused_title,
    stood_in_sentence,
    stood_in_title,
)
from driflamme_tui.wording.program.sealed_words import (
    notice_sentence,
    vote_words,
    without_one,
)
from engine.actions import LEAVE, REVEAL, Action
from engine.cards import Seat
from engine.ranking import each_alone, ranking_of_owners

TWO_ROWS: Final = 4
"""Rows of the prompt from which the question itself may take two."""


class Prompt(TableBar):
    """The question in one bar, and under it what the present choice would do."""

    ground = "panel"

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the bar and the rows under it."""
        _PromptPainter(canvas, state).paint()

    def on_click(self, event: events.Click) -> None:
        """Confirm at the bar's right half, or choose the row that was clicked."""
        state = self.state
        if state is None:
            return
        if state.question is None and vote_words(state.sealed, state.asked.name)[1]:
            self.post_message(Board.Pressed("vote"))
        if state.view.over or state.stood_in:
            self.post_message(Board.Pressed("confirm"))
            return
        if state.lost:
            self.post_message(Board.Pressed("retry"))
        if state.lost or state.question is None:
            return
        title = state.prompter.title(state.question)
        top = len(_title_rows(title, self.size.width, _rows_for_title(self.size.height)))
        if event.y < top:
            if event.x >= self.size.width // 2 and state.choice is not None:
                self.post_message(Board.Pressed("confirm"))
        elif state.question.step is Step.LEAVE_OR_REVEAL:
            for action, rows in _options(state, top, *self.size):
                if event.y in rows:
                    self.post_message(Board.Pressed(f"promised('{action}')"))


class _PromptPainter:
    """Draws the prompt of one moment."""

    def __init__(self, canvas: Canvas, state: TableState) -> None:
        self.canvas, self.palette = canvas, canvas.palette
        self.state, self.glyphs = state, state.glyphs
        self.view, self.prompter = state.view, state.prompter
        self.top = 0
        """The row below the bar."""

    def paint(self) -> None:
        """Draw the bar and the rows under it."""
        state = self.state
        if self.view.over:
            self._result()
        elif state.lost or state.paused or state.frozen or state.stood_in:
            self._stopped()
        elif state.telling and state.log:
            self._telling(*state.log[-1])
        elif state.question is None:
            asked = state.asked
            stalls, hint = vote_words(state.sealed, asked.name)
            title = self._fitting(Prompter.waiting, 1)
            if state.sealed is not None and state.sealed.missed:
                title = _("Waiting for {name}", name=state.sealed.missed)
            self._bar(self.view.turn, title, [hint] if hint else [])
            sealed = state.sealed is not None
            away = absence(asked.name, asked.present, asked.away, sealed=sealed)
            if sealed and away:
                people = {player.name for player in state.players if player.bot is None}
                away = f"{away} {without_one(len(people))}"
            self._below(stalls or away or state.forced or self.prompter.may(), notice=state.notice)
        else:
            self._asked(state.question)

    def _telling(self, seat: Seat | None, sentence: str) -> None:
        """Say what has just happened, a surprise louder than the rest."""
        state = self.state
        # It may take the room of a notice that there is not.
        rows = max(self.canvas.height - 1, 1) if not state.notice else 1
        if seat is not None:
            sentence = f"{self.prompter.tag(seat)} {sentence}"
        self._bar(self.view.turn if seat is None else seat, sentence, [], rows)
        told = []
        if state.frame is not None and state.frame.leads and seat is not None:
            leads = _("You take the lead.") if state.is_yours(seat) else _("{name} takes the lead.")
            told.append(leads.format(name=state.players[seat].name))
        if state.again:
            told.append(_("Since your last answer. Any key goes on."))
        self._below(" ".join(told), notice=state.notice)

    def _result(self) -> None:
        """Say how the game ended."""
        from driflamme_tui.wording.game.result_words import headline, reason

        view, after = self.view, self.state.after
        names = [player.name for player in self.state.players]
        owners = self.state.owners or each_alone(view.players)
        if after is None:
            after = self._by(_("{key} shows the result"), TableCommands.confirm)
        winner = ranking_of_owners(view, owners)[0][0][0]
        self._bar(winner, headline(view, names, owners), [after] if after else [])
        self._below(reason(view, names, owners))

    def _asked(self, question: Question) -> None:
        """Ask, and say what the present choice would do."""
        state = self.state
        hints = [_("Sent…")] if state.sent else self._hints(question)
        self._bar(self.view.turn, self.prompter.title(question), hints)
        text = self._fitting(partial(Prompter.consequence, question=question))
        if state.hint[0]:
            self._below(" ".join(state.hint).strip(), state.hint[0], state.notice)
        elif question.step is Step.LEAVE_OR_REVEAL and not state.notice:
            self._two_options(question)
        elif question.choice is None:
            self._below(state.forced or text, notice=state.notice)
        else:
            self._below(text, notice=state.notice)

    def _stopped(self) -> None:
        """Say why nothing can be answered at this moment, and what was asked before."""
        state, canvas, palette = self.state, self.canvas, self.palette
        if state.lost:
            hints = [self._by(_("{key} tries at once"), TableCommands.retry)]
            self._row(state.lost, canvas.alert, canvas.bold, hints)
            text = _(
                "The table is shown as it last was; the game may go on without you until the "
                "connection is back. Your choice is kept."
            )
        elif state.paused:
            ink = style(palette.ink, palette.line, bold=True)
            hints = [self._by(_("{key} goes on"), TableCommands.pause)] if state.host else []
            self._row(f"{self.glyphs.paused} {paused_title(state.host)}", ink, ink, hints)
            question, prompter = state.question, self.prompter
            asked = prompter.waiting() if question is None else prompter.title(question)
            text = _("The clock stands still too. Next: {asked}", asked=asked)
        elif state.sealed is not None and state.frozen:
            self._row(_("THE GAME CANNOT GO ON"), canvas.alert, canvas.bold, [])
            text = " ".join(map(notice_sentence, state.sealed.notices[-1:]))
        else:
            seat = self.view.turn if state.you is None else state.you
            hints = [self._by(_("{key} takes it back"), TableCommands.confirm)]
            ink = canvas.hue(self.view.families[seat])
            self._row(stood_in_title(), ink, canvas.bold, hints)
            text = stood_in_sentence(state.taking_back)
        self._below(text, notice=state.notice)

    def _bar(self, seat: Seat, title: str, hints: list[str], rows: int | None = None) -> None:
        """Draw the bar in a family's colour, in at most `rows` rows."""
        family = self.view.families[seat]
        ground, ink = self.canvas.plain, self.canvas.hue(family)
        frame = self.state.frame
        surprise = frame is not None and frame.weight is not Weight.ORDINARY
        if self.state.question is not None or self.view.over or surprise:
            ground = ink = style(self.palette.on_colour, self.palette.bar(family), bold=True)
        self._row(title, ink, ground, hints, rows)

    def _row(
        self, title: str, ink: Style, ground: Style, hints: list[str], rows: int | None = None
    ) -> None:
        """Draw the bar, with as many of the hints as it has room for; the last is a button."""
        canvas = self.canvas
        lines = _title_rows(title, canvas.width, rows or _rows_for_title(canvas.height))
        self.top, end = len(lines), canvas.width
        canvas.fill(0, 0, canvas.width, self.top, ground, " ")
        for row, line in enumerate(lines):
            end = canvas.text(1, row, line, ink, min(cell_len(line), canvas.width - 1))
        # Where there is no room for all hints, those that matter most stand last and stay.
        shown = [hints[first:] for first in range(len(hints))]
        if shown and self._time():
            shown[-1] = [self._time()]
        for words in shown:
            text = f" {self.glyphs.separator} ".join(words) + " "
            x, y = canvas.width - 1 - cell_len(text), self.top - 1
            if end < x - 1:
                canvas.text(x, y, text, ground)
                if self._next() and words[-1] == hints[-1]:
                    x = canvas.width - 3 - cell_len(hints[-1])
                    if words[1:]:
                        canvas.text(x - 2, y, "  ", ground)
                    # Where there are no colours, a button looks like the rest of the bar.
                    edges = "[]" if canvas.chosen == ground else "  "
                    canvas.text(x, y, hints[-1].join(edges), canvas.chosen)
                break

    def _next(self) -> bool:
        """Whether the last hint is what comes next, and not one of several ways on."""
        state, question = self.state, self.state.question
        if self.view.over or state.lost or state.paused or state.stood_in or question is None:
            return True
        return question.choice is not None and not (state.sent or state.looking)

    def _time(self) -> str:
        """Return the time that is left to answer, once it is short."""
        left = self.state.time_left
        if self.state.question is None or not self.state.time_runs or left is None:
            return ""
        return _("{time} left", time=clock_text(left)) if left <= WARNING_S else ""

    def _by(self, words: str, command: Command) -> str:
        """Return words about a command, with its key."""
        return words.format(key=key(command, self.glyphs))

    def _hints(self, question: Question) -> list[str]:
        state = self.state
        if state.looking:
            return [self._by(_("{key} stops looking"), TableCommands.back)]
        arrows = both(TableCommands.left, TableCommands.right, self.glyphs)
        words = [_("{arrows} choose", arrows=arrows)]
        if question.step in (Step.SPOT, Step.DESTINATION):
            words = [
                self._by(_("{key} start"), TableCommands.start),
                self._by(_("{key} end"), TableCommands.end),
                _("{arrows} spots", arrows=arrows),
            ]
        if question.picked:
            words.append(self._by(_("{key} other card"), TableCommands.back))
        words += [self._time()] if self._time() else []
        confirm, verb = key(TableCommands.confirm, self.glyphs), self.prompter.verb(question)
        return [*words, _("{key} {verb}", key=confirm, verb=verb)]

    def _two_options(self, question: Question) -> None:
        """Draw what to leave and to reveal would do."""
        canvas = self.canvas
        labels, width = dict(_option_labels(self.glyphs)), _option_width(self.glyphs)
        for action, rows in _options(self.state, self.top, canvas.width, canvas.height):
            mark = " "
            ink = canvas.ink(self.palette.ink, bold=True, under=action == self.state.hinted)
            if question.choice is not None and question.choice.action == action:
                mark, ink = self.glyphs.turn, canvas.chosen
            canvas.text(1, min(rows), f"{mark} {labels[action]}", ink, width)
            canvas.lines(width + 2, min(rows), rows.values(), canvas.plain)

    def _fitting(self, say: Callable[[Prompter], str], rows: int = 0) -> str:
        """Return what the prompter says in so many rows, or in those below the bar."""
        rows = rows or max(1, self.canvas.height - self.top)
        return self.state.fitting(say, self.canvas.width - 2, rows)

    def _below(self, text: str, shorter: str = "", notice: str = "") -> None:
        """Draw a text, or a shorter one where it has no room; a notice takes its place."""
        canvas, room = self.canvas, self.canvas.width - 2
        if shorter and len(wrapped(text, room, room)) > canvas.height - self.top:
            text = shorter
        ink = canvas.alert if notice else canvas.plain
        row = canvas.lines(1, self.top, wrapped(notice or text, room, room), ink)
        self._stays(row)

    def _stays(self, row: int) -> None:
        """Say what is to stay in sight, where the events have no room to say it whole."""
        canvas, state = self.canvas, self.state
        room, bottom = state.layout.events_height, canvas.height
        shown = state.spoken_last or above(state, room)[1]
        if state.spoken and not (room and shown) and row < bottom:
            bottom -= 1
            draw_spoken(canvas, 1, bottom, state)
        if state.stays is None or room >= LAST_IN_TWO:
            return
        seat, sentence = state.stays
        told = sentence if seat is None else f"{self.prompter.tag(seat)} {sentence}"
        fits = cell_len(told) < canvas.width - EVENT_LEFT
        whole = room and fits and state.stays == state.log[-1] and not state.spoken_last
        lines = [] if whole else wrapped(told, canvas.width - 2, canvas.width - 2)
        if lines and row + len(lines) <= bottom:
            canvas.lines(1, bottom - len(lines), lines, canvas.mute)


def _options(
    state: TableState, top: int, width: int, height: int
) -> Iterator[tuple[Action, dict[int, str]]]:
    """Yield to leave and to reveal, with what either would do in rows from `top` on."""
    room = width - _option_width(state.glyphs) - 3
    for action in (LEAVE, REVEAL):
        lines = wrapped(state.fitting(partial(Prompter.effect, action=action), room), room, room)
        # The bar's hints say in other words what is cut here: only a tiny screen cuts.
        lines = lines[: max(1, height - top - (action == LEAVE))]
        yield action, dict(enumerate(lines, top))
        top += len(lines)


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
        (LEAVE, _("{key} Leave", key=key(TableCommands.leave, glyphs))),
        (REVEAL, _("{key} Reveal", key=key(TableCommands.reveal, glyphs))),
    )


def _option_width(glyphs: Glyphs) -> int:
    return max(cell_len(label) for _action, label in _option_labels(glyphs)) + 3
