"""Draws the prompt: the question in a bar, and below it the effect of the present choice."""

from functools import partial

from rich.cells import cell_len
from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.option_rows import (
    TWO_ROWS,
    extra_lines,
    option_rows,
    text_column,
)
from driflamme_tui.drawing.palette import style
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import both, key
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.motion_frames import Weight
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.text.cell_widths import wrap_text
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.header import WARNING_S, TableBar
from driflamme_tui.widgets.table.info_panels import EVENT_LEFT, LAST_IN_TWO, above, draw_spoken
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.program.joining_words import clock_text
from driflamme_tui.wording.program.people_words import (
    absence,
    paused_title,
    stood_in_sentence,
    stood_in_title,
)
from engine.cards import Seat
from engine.ranking import each_alone, ranking_of_owners


class Prompt(TableBar):
    """The question in a bar, and below it the effect of the present choice."""

    ground = "panel"

    def choice_of(self, state: TableState) -> object:
        """Return the whole choice."""
        return state.choice_made

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the bar and the rows under it."""
        _PromptPainter(canvas, state).paint()


class _PromptPainter:
    """Draws the prompt of one moment."""

    def __init__(self, canvas: Canvas, state: TableState) -> None:
        self.canvas, self.palette = canvas, canvas.palette
        self.state, self.glyphs = state, state.glyphs
        self.view, self.prompter = state.view, state.prompter
        self.top = 0
        """The row below the bar."""
        self.rows = 2 if canvas.height >= TWO_ROWS else 1
        """Number of rows for the question itself."""

    def paint(self) -> None:
        """Draw the bar and the rows under it."""
        state = self.state
        if self.view.over:
            self._result()
        elif state.lost or state.paused or state.halted or state.stood_in:
            self._stopped()
        elif state.is_animated and state.log:
            self._draw_event(*state.log[-1])
        elif state.question is None:
            self._waiting()
        else:
            self._draw_question(state.question)

    def _result(self) -> None:
        """Draw the winner and the reason. A click anywhere confirms."""
        from driflamme_tui.wording.game.result_words import headline, reason

        view, after = self.view, self.state.after
        names = [player.name for player in self.state.players]
        owners = self.state.owners or each_alone(view.players)
        if after is None:
            after = self._by(_("{key} shows the result"), TableCommands.confirm)
        winner = ranking_of_owners(view, owners)[0][0][0]
        self._bar(winner, headline(view, names, owners), _dropping([after] if after else []))
        self._below(reason(view, names, owners), notice="")
        self.canvas.target("confirm")

    def _stopped(self) -> None:
        """Draw the reason why nothing can be answered now, and the open question."""
        state, canvas, prompter = self.state, self.canvas, self.prompter
        ink, ground, ways, click = canvas.alert, canvas.bold, [], ""
        if state.lost:
            title, click = state.lost, "retry"
            ways = [self._by(_("{key} tries at once"), TableCommands.retry)]
            text = _(
                "The table is shown as it last was; the game may continue without you "
                "until the connection is back."
            )
            if state.is_closed:
                text = _(
                    "Nobody plays meanwhile. You are reconnected as soon as the host "
                    "reopens the table."
                )
            if state.question is not None and (state.question.choice or state.question.picked):
                text = f"{text} {_('Your choice is kept.')}"
        elif state.paused:
            ink = ground = style(self.palette.ink, self.palette.line, bold=True)
            title = f"{self.glyphs.paused} {paused_title(is_host=state.host)}"
            ways = [self._by(_("{key} resumes"), TableCommands.pause)] if state.host else []
            heading = prompter.title(state.question) if state.question else prompter.waiting()
            text = _("Next: {asked}", asked=heading)
            if state.has_clock:
                text = _("The clock is stopped too. Next: {asked}", asked=heading)
        elif state.halted is not None:
            title, text = state.halted
        else:
            seat = self.view.turn if state.you is None else state.you
            title, ink, click = stood_in_title(), canvas.hue(self.view.families[seat]), "confirm"
            ways = [self._by(_("{key} to take it back"), TableCommands.confirm)]
            text = stood_in_sentence(is_taking_back=state.taking_back)
        self._row(title, ink, ground, _dropping(ways))
        self._below(text)
        if click:
            canvas.target(click)

    def _draw_event(self, seat: Seat | None, sentence: str) -> None:
        """Draw the last event; a surprise is emphasised."""
        state = self.state
        # If there is no notice, use its row too.
        self.rows = max(self.canvas.height - 1, 1) if not state.notice else 1
        if seat is not None:
            sentence = f"{self.prompter.tag(seat)} {sentence}"
        self._bar(self.view.turn if seat is None else seat, sentence, [])
        sentences = []
        if state.frame is not None and state.frame.leads and seat is not None:
            leads = _("You take the lead.") if state.is_yours(seat) else _("{name} takes the lead.")
            sentences.append(leads.format(name=state.players[seat].name))
        if state.again:
            next_key = key(TableCommands.since, state.glyphs)
            sentences.append(
                _("Since your last answer. {key}: next. Any other key: end.", key=next_key)
            )
        self._below(" ".join(sentences))

    def _waiting(self) -> None:
        """Draw the player who must answer, and the reason why the answer may take long."""
        state, waiting = self.state, self.state.waiting
        player = state.players[self.view.turn]
        title = waiting.title or state.fitting(Prompter.waiting, self.canvas.width - 2)
        self._bar(self.view.turn, title, _dropping([waiting.way] if waiting.way else []))
        away = absence(player.name, player.away, is_present=player.present)
        self._below(waiting.text or away or state.forced or self.prompter.may())
        if waiting.action:
            self.canvas.target(waiting.action)

    def _draw_question(self, question: Question) -> None:
        """Draw the question and the effect of the choice.

        A click at the end of the bar confirms.
        """
        state, canvas = self.state, self.canvas
        ways = [[_("Sent…")]] if state.sent else self._ways(question)
        self._bar(self.view.turn, self.prompter.title(question), ways)
        if question.choice is not None:
            half = canvas.width // 2
            canvas.target("confirm", half, 0, canvas.width - half, self.top)
        if question.step is Step.LEAVE_OR_REVEAL and self._options_fit():
            self._two_options(question)
        elif state.advice[0]:
            self._below(" ".join(state.advice).strip(), state.advice[0])
        elif question.choice is None and state.forced:
            self._below(state.forced)
        else:
            sentence_of = partial(Prompter.consequence, question=question)
            rows = max(1, canvas.height - self.top)
            self._below(state.fitting(sentence_of, canvas.width - 2, rows))

    def _bar(self, seat: Seat, title: str, ways: list[list[str]]) -> None:
        """Draw the bar in a family's colour, with commands at its end.

        A question, a result and a surprise fill the whole bar with the colour.
        """
        family, frame = self.view.families[seat], self.state.frame
        ground, ink = self.canvas.plain, self.canvas.hue(family)
        surprise = frame is not None and frame.weight is not Weight.ORDINARY
        if self.state.question is not None or self.view.over or surprise:
            ground = ink = style(self.palette.on_colour, self.palette.bar(family), bold=True)
        self._row(title, ink, ground, ways)

    def _row(self, title: str, ink: Style, ground: Style, ways: list[list[str]]) -> None:
        """Draw the bar with the first list of commands that fits.

        The last command of a list is a button.
        """
        canvas, state = self.canvas, self.state
        lines = [title]
        if cell_len(title) > canvas.width - 1 and self.rows > 1:
            lines = wrap_text(title, canvas.width - 2, canvas.width - 2)[: self.rows]
        self.top, end = len(lines), canvas.width
        canvas.fill(0, 0, canvas.width, self.top, ground, " ")
        for row, line in enumerate(lines):
            end = canvas.text(1, row, line, ink, min(cell_len(line), canvas.width - 1))
        question = state.question
        # Draw confirming as a button, unless it is only one of several commands.
        next_one = self.view.over or state.lost or state.paused or state.stood_in or not question
        if question and question.choice and not (state.sent or state.looking):
            next_one = True
        tried = [(each[:-1], each[-1], next_one) for each in ways]
        if tried and self._time():
            tried[-1] = ([], self._time(), False)
        for words, last, is_button in tried:
            # Mark the button. Without colours it would look like the rest of the bar.
            edges = "[]" if canvas.chosen == ground else "  "
            last = last.join(edges) if is_button else f"{last} "
            between = "  " if is_button else f" {self.glyphs.separator} "
            text = f" {self.glyphs.separator} ".join(words) + between * bool(words)
            x = canvas.width - 1 - cell_len(text + last)
            if end < x - (not is_button or bool(words)):
                x = canvas.text(x, self.top - 1, text, ground)
                canvas.text(x, self.top - 1, last, canvas.chosen if is_button else ground)
                break

    def _time(self) -> str:
        """Return the time left for the answer if it is short; otherwise ""."""
        left = self.state.time_left
        if self.state.question is None or not self.state.time_runs or left is None:
            return ""
        return _("{time} left", time=clock_text(left)) if left <= WARNING_S else ""

    def _by(self, words: str, command: Command) -> str:
        """Return a text with the key of a command in place of `{key}`."""
        return words.format(key=key(command, self.glyphs))

    def _ways(self, question: Question) -> list[list[str]]:
        """Return lists of the present commands: first all of them, then fewer for less space."""
        if self.state.looking:
            return [[self._by(_("{key} to stop looking"), TableCommands.back)]]
        arrows = both(TableCommands.left, TableCommands.right, self.glyphs)
        confirm, verb = key(TableCommands.confirm, self.glyphs), self.prompter.verb(question)
        last = [self._time()] if self._time() else []
        last.append(_("{key} {verb}", key=confirm, verb=verb))
        back = [self._by(_("{key} other card"), TableCommands.back)] if question.picked else []
        if question.step not in (Step.SPOT, Step.DESTINATION):
            return _dropping([_("{arrows} choose", arrows=arrows), *back, *last])
        left, right = TableCommands.start, TableCommands.end
        sides = _("{key} start"), _("{key} end")
        words = sides[::-1] if self.state.mirrored else sides
        ends = [self._by(words[0], left), self._by(words[1], right)]
        spots = _("{arrows} spots", arrows=arrows)
        both_ends = _("{keys} ends", keys=f"{key(left, self.glyphs)} {key(right, self.glyphs)}")
        # Leave out the command that goes back before the others: the key bar also has it.
        fewer = [[*ends, *back, *last], [*ends, *last], [both_ends, *last]]
        if question.choice is None:
            fewer.append([both_ends, _("{key} {verb}", key=confirm, verb=_("choose"))])
        return [[*ends, spots, *back, *last], *fewer, *_dropping(last)]

    def _two_options(self, question: Question) -> None:
        """Draw the effects of leaving and of revealing. A click on an effect chooses that answer.

        Below the effects stands a notice or a panel's advice.
        """
        canvas, state, row = self.canvas, self.state, self.top
        chosen = None if question.choice is None else question.choice.action
        column = text_column(state)
        for option in option_rows(state, canvas.height - row):
            action = option.action
            mark, ink = (
                " ",
                canvas.ink(self.palette.ink, bold=True, under=action == state.suggested),
            )
            if action == chosen:
                mark, ink = self.glyphs.turn, canvas.chosen
            canvas.text(1, row, f"{mark} {option.label}", ink, column - 2)
            canvas.target(f"promised('{action}')", 0, row, canvas.width, len(option.lines))
            row = canvas.lines(column, row, option.lines, canvas.plain)
        ink = canvas.alert if state.notice else canvas.plain
        canvas.lines(1, row, extra_lines(state, canvas.height - row), ink)

    def _options_fit(self) -> bool:
        """Return True if both answers fit, with a notice or a panel's advice below them."""
        rows = self.canvas.height - self.top
        options = sum(len(option.lines) for option in option_rows(self.state, rows))
        return options + len(extra_lines(self.state, rows - options)) <= rows

    def _below(self, text: str, shorter: str = "", notice: str | None = None) -> None:
        """Draw a notice, or without one a text, below the bar.

        If the text does not fit, draw its `shorter` form, if there is one. The default notice is
        that of the state. The event that stays in sight follows if it fits.
        """
        canvas, space = self.canvas, self.canvas.width - 2
        notice = self.state.notice if notice is None else notice
        if shorter and len(wrap_text(text, space, space)) > canvas.height - self.top:
            text = shorter
        ink = canvas.alert if notice else canvas.plain
        row = canvas.lines(1, self.top, wrap_text(notice or text, space, space), ink)
        self._stays(row)

    def _stays(self, row: int) -> None:
        """Draw the last chat line and the event that stays in sight, if no other widget shows them.

        `row` is the first free row.
        """
        canvas, state = self.canvas, self.state
        space, bottom = state.layout.events_height, canvas.height
        shown = state.spoken_last or above(state, space)[1]
        if state.spoken and not (space and shown) and row < bottom:
            bottom -= 1
            draw_spoken(canvas, 1, bottom, state)
        if state.stays is None or space >= LAST_IN_TWO:
            return
        seat, sentence = state.stays
        line = sentence if seat is None else f"{self.prompter.tag(seat)} {sentence}"
        fits = cell_len(line) < canvas.width - EVENT_LEFT
        whole = space and fits and state.stays == state.log[-1] and not state.spoken_last
        lines = [] if whole else wrap_text(line, canvas.width - 2, canvas.width - 2)
        if lines and row + len(lines) <= bottom:
            canvas.lines(1, bottom - len(lines), lines, canvas.mute)


def _dropping(ways: list[str]) -> list[list[str]]:
    """Return lists of commands, each shorter than the one before.

    The last commands stay longest.
    """
    return [ways[first:] for first in range(len(ways))]
