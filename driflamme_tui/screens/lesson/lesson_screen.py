"""The lesson: the real table with a tutor's panel, and the summary at its end.

The panel stands below the hand and covers nothing. While there is something to read the table
stands still; what the page speaks of is set apart there, and Enter, Space or a click turns it.
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace
from textual.app import ComposeResult

from driflamme_tui.alone.guided_game import GuidedQuestion, Lesson
from driflamme_tui.drawing.layout import COMFORTABLE_HEIGHT
from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.keymap.command_type import Entry
from driflamme_tui.keymap.key_bindings import key, label
from driflamme_tui.keymap.table_commands import LessonCommands, TableCommands
from driflamme_tui.model.motion_frames import Effect
from driflamme_tui.model.pending_question import Question
from driflamme_tui.screens.base.messages import LeaveTable
from driflamme_tui.screens.lesson.lesson_end import LessonEnd
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.seat.sitting import LocalSitting
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.lower_panels import LessonPanel, TutorText
from driflamme_tui.widgets.table.side_panels import CardHelp
from driflamme_tui.wording.program.alone_words import how, place_kept
from engine.notation import format_position
from engine.view import View

PANEL_ROWS: Final = 5
"""Rows of the tutor's panel: a title and four rows of text."""
PANEL_ROWS_LOW: Final = 3
"""Rows of that panel on a low screen, where a page is read in pieces."""

WAYS: Final = {"play": "app.play", "host": "app.host", "again": "app.learn(True)"}
"""The actions by which the learner goes on, by their names in `alone_words`; else they leave."""


class LessonScreen(TableScreen, commands=LessonCommands):
    """The table of the lesson."""

    def __init__(self, lesson: Lesson, name: str) -> None:
        """Go on with a lesson, for a learner of that name."""
        super().__init__(LocalSitting(lesson, name))
        self.lesson = lesson
        self.answering.hold = self._why_held

    def zones(self) -> ComposeResult:
        """The table's zones, and the tutor's panel below them."""
        yield from super().zones()
        yield LessonPanel(id="lesson")

    def kept_rows(self) -> int:
        """Return the rows that are kept for the tutor."""
        return PANEL_ROWS if self.size.height >= COMFORTABLE_HEIGHT else PANEL_ROWS_LOW

    # What is shown

    def question_of(self, view: View) -> Question:
        """Return what is asked, which may be guided."""
        return self.lesson.question(view)

    def state(self) -> TableState:
        """Return the present moment; while there is something to read, nothing is asked."""
        state = super().state()
        # The panel says by itself how its pages are turned.
        shows = _("{key} shows what you know now")
        confirm = key(TableCommands.confirm, state.glyphs)
        after = shows.format(key=confirm) if self.lesson.over else ""
        state = replace(state, heading=(_("lesson"),), after=after)
        if state.telling or not self.lesson.reading or self._ahead():
            return state
        cursor, effect = _pointed(self.lesson, state.view)
        return replace(
            state,
            question=None,
            telling=not state.view.over,
            cursor=state.cursor or cursor,
            effect=effect,
        )

    def show(self) -> None:
        """Draw the present moment, and what the tutor says about it."""
        question = self.answering.question
        if question is not None:
            self.notice = self.lesson.declined(question) or self.notice
        super().show()

    def share_out(self, state: TableState) -> None:
        """Share the screen out, and draw a moment on it."""
        super().share_out(state)
        told = self._told(state)
        panel = self.query_one(LessonPanel)
        events = state.layout.events_height
        # Where there is no room for both, the events have the rows while nothing is to be said.
        panel.display = bool(told.title) or events > 0
        panel.styles.height = self.kept_rows()
        self.query_one("#bottom").display = events > 0 or not panel.display
        # What the page speaks of is explained there, and nothing else beside it.
        target = self.lesson.target
        if self.lesson.reading and not (target and target.card) and not self.look.on:
            self.query_one(CardHelp).display = False
        panel.show(told)

    def _ahead(self) -> bool:
        """Whether the tutor knows already of what the table has not been told yet."""
        return format_position(self.lesson.view) != format_position(self.view)

    def _told(self, state: TableState) -> TutorText:
        """Return what the tutor says at this moment."""
        lesson, question = self.lesson, self.answering.question
        if self._reel.frame is not None or self._ahead():
            return TutorText()
        if lesson.reading:
            title, text = lesson.page
            turn = key(LessonCommands.turn, state.glyphs)
            return TutorText(title, text, hint=_("{key} goes on").format(key=turn))
        if question is None or self.sitting.session.pending is not None:
            return TutorText()
        text = lesson.task(question)
        if isinstance(question, GuidedQuestion):
            keys = how(question, question.suggested, state.glyphs)
            return TutorText(_("Try it"), text, keys)
        return TutorText(_("Your choice"), text) if text else TutorText()

    # What is done

    def _why_held(self) -> str:
        """Return that there is something to read first, if so."""
        if not self.lesson.reading:
            return ""
        turn = key(LessonCommands.turn, self.glyphs)
        return _("Read the rest first: {key} turns the page.").format(key=turn)

    @property
    def has_page(self) -> bool:
        """Whether there is something to read."""
        return self.lesson.reading

    @property
    def may_confirm(self) -> bool:
        """Whether there is something to confirm, or to read."""
        return self.lesson.reading or super().may_confirm

    @property
    def may_be_hinted(self) -> bool:
        """Whether the learner is free: elsewhere the task is a hint."""
        is_guided = isinstance(self.answering.question, GuidedQuestion)
        return not is_guided and super().may_be_hinted

    def first_entries(self) -> Mapping[Entry, str]:
        """Return what turns the page, or ends the lesson."""
        if self.lesson.over:
            return {TableCommands.confirm: _("what you know now")}
        if self.lesson.reading and not self.look.on:
            return {LessonCommands.turn: label(LessonCommands.turn)}
        return super().first_entries()

    def entry_words(self, entry: Entry) -> str:
        """Return what the key bar calls something now: the lesson leads to no result."""
        return "" if entry == TableCommands.result else super().entry_words(entry)

    def action_turn(self) -> None:
        """Turn the tutor's page."""
        if not self.lesson.reading or self.answering.guarded:
            return
        if not self.query_one(LessonPanel).turn() and self.lesson.turn():
            # One key too many is not for the question that appears now.
            self.writing_ended()
        self.notice = ""
        self.show()

    def action_pause(self) -> None:
        """Turn the page: nobody but the learner is waited for here."""
        self.action_turn()

    def action_confirm(self) -> None:
        """Turn the page or, with nothing to read, confirm the present choice."""
        if self.look.on:
            super().action_confirm()
        elif self.lesson.reading:
            self.action_turn()
        elif self.lesson.over:
            self.app.push_screen(LessonEnd(), self._go_on)
        else:
            super().action_confirm()

    async def _go_on(self, way: str | None) -> None:
        if way in WAYS:
            await self.run_action(WAYS[way])
        elif way:
            self.app.post_message(LeaveTable())

    async def action_restart(self) -> None:
        """Begin the lesson anew."""
        await self._go_on("again")

    def action_leave(self) -> None:
        """Ask whether to leave, and say that the place is kept."""
        from driflamme_tui.screens.overlays.table_overlays import LeaveOverlay

        self.app.push_screen(
            LeaveOverlay(place_kept()), lambda sure: self._go_on("start" if sure else "")
        )

    def action_hint(self) -> None:
        """Give a hint where the learner is free: elsewhere the task is one."""
        if not isinstance(self.answering.question, GuidedQuestion):
            super().action_hint()


def _pointed(lesson: Lesson, view: View) -> tuple[Cursor | None, Effect]:
    """Return where the open page points, for the panel beside the hand and for the eye."""
    target = lesson.target
    if target is None:
        return None, Effect()
    if target.card and target.seat < 0:
        return Cursor(card=target.card), Effect(card=target.card)
    index = target.position - 1
    if target.card:
        index = next(
            (
                index
                for index, (seat, card, _up, _on, _covered) in enumerate(view.queue)
                if (seat, card) == (target.seat, target.card)
            ),
            -1,
        )
    elif target.seat >= 0:
        return Cursor(seat=target.seat), Effect(counted=frozenset({target.seat}))
    if not 0 <= index < len(view.queue):
        return None, Effect()
    return Cursor(index), Effect(lit=index + 1)
