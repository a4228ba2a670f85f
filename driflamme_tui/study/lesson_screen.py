"""The lesson: the real table with a tutor's panel.

The panel stands below the hand and covers nothing. While there is something to read the table
stands still; what the page speaks of is set apart there, and Enter, Space or a click turns it.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final

from msgspec.structs import replace

from driflamme_tui.drawing.layout import COMFORTABLE_HEIGHT
from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.key_bindings import key, label
from driflamme_tui.keymap.table_commands import AloneCommands, TableCommands
from driflamme_tui.model.motion_frames import Effect
from driflamme_tui.model.pending_question import Question
from driflamme_tui.preferences.remembered import remember
from driflamme_tui.screens.base.messages import LeaveTable
from driflamme_tui.screens.base.overlay import ask_to_leave, confirm
from driflamme_tui.screens.table.panels import Panel
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.study.guided_game import GuidedQuestion, Lesson
from driflamme_tui.study.lesson_end import LessonEnd
from driflamme_tui.study.sittings import LocalSitting
from driflamme_tui.study.study_words import how, place_kept
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.lower_panels import LowerPanel, PanelTold
from driflamme_tui.widgets.table.zones import Part, Row
from engine.cards import CARDS
from engine.notation import format_position
from engine.views import View


class LessonCommands(AloneCommands, prefix="lesson"):
    """What can be done in the guided game, beside what the table has."""

    turn = Command(
        "",
        "turn",
        "turn the page of the lesson",
        "go on",
        shares=TableCommands.confirm,
    )
    restart = Command("", "restart", "begin the lesson anew")
    # It leads to no result.
    bar = TableCommands.bar.replace(" result", "")


PANEL_ROWS: Final = 5
"""Rows of the tutor's panel: a title and four rows of text."""
PANEL_ROWS_LOW: Final = 3
"""Rows of that panel on a low screen, where a page is read in pieces."""

WAYS: Final = {"play": "app.play", "host": "app.host", "again": "app.learn(True)"}
"""The actions by which the learner goes on, by their names in `alone_words`; else they leave."""


class LessonScreen(TableScreen, commands=LessonCommands, inherit_bindings=False):
    """The table of a lesson, with what the tutor says below the hand."""

    def __init__(self, lesson: Lesson, name: str) -> None:
        """Go on with a lesson, for a learner of that name."""
        remember(name=name)
        super().__init__(LocalSitting(lesson, name))
        self.lesson = lesson
        self._widget = LowerPanel(id="lesson")
        self.others = (self._widget,)

    def is_possible(self, command: Command) -> bool:
        """Return whether what a command needs is true now."""
        match command:
            case LessonCommands.turn:
                return self.lesson.reading
        return super().is_possible(command)

    def kept_rows(self) -> int:
        """Return the rows that are kept for the tutor."""
        return PANEL_ROWS if self.size.height >= COMFORTABLE_HEIGHT else PANEL_ROWS_LOW

    # What is shown

    def question(self, view: View) -> Question:
        """Return what is asked, which may be guided."""
        return self.lesson.question(view)

    @property
    def _guided(self) -> GuidedQuestion | None:
        """What is asked, if it is guided."""
        question = self.answering.question
        return question if isinstance(question, GuidedQuestion) else None

    def present(self, state: TableState) -> TableState:
        """Return the present moment; while there is something to read, nothing is asked."""
        lesson, question = self.lesson, self.answering.question
        # The panel says by itself how its pages are turned.
        shows = _("{key} shows what you know now")
        confirm = key(TableCommands.confirm, state.glyphs)
        after = shows.format(key=confirm) if lesson.over else ""
        declined = "" if question is None else lesson.declined(question)
        notice = declined or state.notice
        state = replace(state, heading=(_("lesson"),), after=after, notice=notice)
        if state.telling or not lesson.reading or self._ahead():
            return state
        cursor, effect = _pointed(lesson.target, state.view)
        return replace(
            state,
            question=None,
            telling=not state.view.over,
            cursor=state.cursor or cursor,
            effect=effect,
        )

    def draw_others(self, state: TableState) -> None:
        """Show what the tutor says."""
        self._widget.show(self._told(state), self.prompter())

    def beside_hand(self, state: TableState) -> list[Part]:
        """Return the help: what the page speaks of is explained there, and nothing else."""
        of_a_card = self.lesson.target[-1].isupper()
        elsewhere = self.lesson.reading and not of_a_card and not self.look.on
        return [] if elsewhere else super().beside_hand(state)

    def bottom(self, state: TableState) -> list[Row]:
        """Return the events, and the tutor's panel; without room for both what has to be told."""
        tutor: list[Row] = [(self.kept_rows(), [(self._widget, None)])]
        if state.layout.events_height:
            return [*super().bottom(state), *tutor]
        return tutor if self._told(state).title else [(None, [(self.events, None)])]

    def _ahead(self) -> bool:
        """Whether the tutor knows already of what the table has not been told yet."""
        return format_position(self.lesson.view) != format_position(self.view)

    def _told(self, state: TableState) -> PanelTold:
        """Return what the tutor says at this moment."""
        lesson, question = self.lesson, self.answering.question
        if self.pictures.reel.frame is not None or self._ahead():
            return PanelTold()
        if lesson.reading:
            title, text = lesson.page
            turn = key(LessonCommands.turn, state.glyphs)
            return PanelTold(title, _("{key} goes on", key=turn), text, is_turned=True)
        if question is None or self.sitting.session.pending is not None:
            return PanelTold()
        text = lesson.task(question)
        if (guided := self._guided) is not None:
            keys = how(guided, guided.suggested, state.glyphs)
            return PanelTold(_("Try it"), text=text, how=keys)
        return PanelTold(_("Your choice"), text=text) if text else PanelTold()

    # What is done

    def blocked(self) -> str:
        """Return that there is something to read first, if so."""
        if not self.lesson.reading:
            return ""
        turn = key(LessonCommands.turn, self.glyphs)
        return _("Read the rest first: {key} turns the page.", key=turn)

    @property
    def may_confirm(self) -> bool:
        """Whether there is something to confirm, or to read, which Enter turns."""
        return self.lesson.reading or super().may_confirm

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The panels once the learner is free: elsewhere the task says what to do."""
        return super().panels if self._guided is None else ()

    def first_entries(self) -> Mapping[Entry, str]:
        """Return what turns the page, or ends the lesson."""
        if self.lesson.over:
            return {TableCommands.confirm: _("what you know now")}
        if self.lesson.reading and not self.look.on:
            return {LessonCommands.turn: label(LessonCommands.turn)}
        return super().first_entries()

    def action_turn(self) -> None:
        """Turn the tutor's page."""
        if not self.lesson.reading or self.answering.guarded:
            return
        if not self._widget.turn() and self.lesson.turn():
            # One key too many is not for the question that appears now.
            self.writing_ended()
        self.notice = ""
        self.show()

    # Nobody but the learner is waited for here.
    action_pause = action_turn

    def action_confirm(self) -> None:
        """Turn the page or, with nothing to read, confirm the present choice."""
        if self.lesson.reading and not self.look.on:
            self.action_turn()
        elif self.lesson.over and not self.look.on:
            self.app.push_screen(LessonEnd(), self._go_on)
        else:
            super().action_confirm()

    async def _go_on(self, way: str | None) -> None:
        if way in WAYS:
            await self.run_action(WAYS[way])
        elif way:
            self._leave()

    def _leave(self) -> None:
        self.app.post_message(LeaveTable())

    def action_restart(self) -> None:
        """Begin the lesson anew, once the learner is sure to lose their place in it."""
        begin = partial(self.app.run_action, WAYS["again"])
        if self.lesson.over:
            self.deliver(begin)
            return
        asked = _("Begin the lesson anew? Your place in it is lost.")
        confirm(
            self.app,
            asked,
            lambda: self.deliver(begin),
            no="Not now ({key})",
            yes="Begin anew ({key})",
        )

    def action_leave(self) -> None:
        """Ask whether to leave, and say that the place is kept."""
        ask_to_leave(self.app, self.leaving_question(), self._leave)

    def leaving_question(self) -> str:
        """Return that the place in the lesson is kept, and ask whether to leave."""
        return place_kept()


def _pointed(at: str, view: View) -> tuple[Cursor | None, Effect]:
    """Return where a page points, for the panel beside the hand and for the eye."""
    if at in CARDS:
        return Cursor(card=at), Effect(card=at)
    if at in view.families:
        seat = view.seat_of(at)
        return Cursor(seat=seat), Effect(counted=frozenset({seat}))
    names = [view.families[seat] + card for seat, card, *_others in view.queue]
    position = int(at) if at.isdigit() else names.index(at) + 1 if at in names else 0
    if not 0 < position <= len(names):
        return None, Effect()
    return Cursor(position - 1), Effect(lit=position)
