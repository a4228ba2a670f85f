"""Draws the controls of a replay: buttons, eyes, steps, and the step in a sentence."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import COMFORTABLE_WIDTH
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.text.cell_widths import fit_text, wrap_text
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.progress_chart import Scrubbed
from engine.replaying import ALL, PUBLIC, Eyes

STEPS_ROW: Final = 1
"""The row of the ticks for the steps."""


LEFT_COLUMNS: Final = 1
"""Columns before the contents of each row."""


class ReplayControls(Scrubbed):
    """The buttons, the eyes, the row of ticks for the steps, and the step in a sentence."""

    ground = "panel"

    state: TableState | None = None
    happened = ""
    """The sentence about the decision that led to this step, or that is made at this step."""
    advice: Sequence[str] = ()
    """The teacher's judgement of the decision in `happened`, in several lengths, longest first.

    Empty if there is none.
    """
    coming = ""
    """The sentence about the present question and the asked player, or about the end."""
    notice = ""
    """The result of the last key or click, which replaces the other sentences; "" for none."""
    progress = ""
    """The progress of a review; "" if none is being made."""
    good = False
    """True if the notice is good news."""

    def show(
        self,
        state: TableState,
        happened: str,
        coming: str,
        *,
        advice: Sequence[str],
        notice: str,
        good: bool,
        progress: str = "",
    ) -> None:
        """Store the texts of the present step, and redraw. The attributes describe them."""
        self.state, self.happened, self.coming = state, happened, coming
        self.advice, self.notice, self.good = advice, notice, good
        self.progress = progress
        self.redraw()

    def track(self) -> tuple[int, int]:
        """Return the first column and the number of columns of the steps: the whole row."""
        return LEFT_COLUMNS, max(2, self.size.width - 2 * LEFT_COLUMNS)

    def holds(self, y: int) -> bool:
        """Return True if row `y` shows the ticks."""
        return y == STEPS_ROW

    def draw(self, canvas: Canvas) -> None:
        """Draw buttons, eyes, ticks and sentences; nothing before the first `show`."""
        playback, state = self.playback, self.state
        if playback is None or state is None:
            return
        palette = canvas.palette
        end = self._draw_buttons(canvas)
        narrow = canvas.width < COMFORTABLE_WIDTH
        if narrow:
            self._draw_eyes(canvas, state, LEFT_COLUMNS, STEPS_ROW + 1)
        else:
            end = self._draw_eyes(canvas, state, end + 3, 0)
        speed = _("speed {n}", n=playback.speed) if playback.playing else ""
        beside = speed or self.progress
        x = canvas.width - LEFT_COLUMNS - cell_len(beside)
        if beside and x > end:
            canvas.text(x, 0, beside, canvas.mute)
        self.draw_steps(canvas, STEPS_ROW)
        row = STEPS_ROW + 1 + narrow
        space = canvas.width - 2 * LEFT_COLUMNS
        if self.notice:
            hue = palette.ink if self.good else palette.alert
            lines = [(self.notice, canvas.ink(hue, bold=True))]
        else:
            lines = self._sentences(canvas, state, canvas.height - row)
        for text, ink in lines:
            row = canvas.lines(
                LEFT_COLUMNS, row, fit_text(text, space, canvas.height - row, self.glyphs), ink
            )

    def _sentences(self, canvas: Canvas, state: TableState, rows: int) -> list[tuple[str, Style]]:
        """Return the sentences that fit into a number of rows, with their styles.

        They are the decision, the teacher's judgement and the present question. If decision and
        judgement do not fit together, return the judgement alone.
        """
        space = canvas.width - 2 * LEFT_COLUMNS

        def fits(*texts: str) -> bool:
            return sum(len(wrap_text(text, space, space)) for text in texts) <= rows

        for advice in self.advice:
            if fits(self.happened, advice):
                others = advice, self.coming
                return [(self.happened, canvas.bold), *((text, canvas.mute) for text in others)]
        if self.advice:
            # Show only the judgement, since the list of events has the decision.
            return [(next(filter(fits, self.advice), self.advice[-1]), canvas.bold)]
        both = f"{self.happened} {state.glyphs.separator} {self.coming}"
        if rows == 1 and self.coming and fits(both):
            return [(both, canvas.bold)]
        return [(self.happened, canvas.bold), (self.coming, canvas.mute)]

    def _draw_buttons(self, canvas: Canvas) -> int:
        playback, state = self.playback, self.state
        assert playback is not None
        assert state is not None
        glyphs = state.glyphs
        x = LEFT_COLUMNS
        buttons = (
            (glyphs.end_left * 2, "round(-1)", canvas.bold),
            (glyphs.end_left, "step(-1)", canvas.bold),
            (glyphs.paused, "play", canvas.chosen if playback.playing else canvas.bold),
            (glyphs.end, "step(1)", canvas.bold),
            (glyphs.end * 2, "round(1)", canvas.bold),
        )
        for sign, action, ink in buttons:
            x = canvas.place(x, 0, sign, ink, action) + 1
        step = _("step {step}/{steps}", step=playback.step, steps=playback.replay.last)
        return canvas.text(x + 1, 0, step, canvas.bold)

    def _draw_eyes(self, canvas: Canvas, state: TableState, x: int, y: int) -> int:
        """Draw the eyes that can be chosen, as far as they fit; highlight the present ones.

        Return the column after them.
        """
        playback = self.playback
        assert playback is not None
        choices: list[tuple[Eyes, str, str, Style]] = [(ALL, _("all open"), "all", canvas.mute)]
        for seat, family in enumerate(playback.replay.families):
            hue = canvas.hue(family)
            choices.append((seat, state.prompter.tag(seat), family, hue))
        choices.append((PUBLIC, _("public"), "public", canvas.mute))
        x = canvas.text(x, y, _("view:"), canvas.mute) + 1
        for eyes, label, name, ink in choices:
            chosen = eyes == playback.eyes
            text = label.join(state.glyphs.chosen_mark if chosen else (" ", " "))
            if x + cell_len(text) > canvas.width:
                break
            x = canvas.place(x, y, text, canvas.chosen if chosen else ink, f"eyes('{name}')")
        return x
