"""Shows the lesson: the real table with a tutor's panel.

The panel stands below the hand and covers nothing. While there is a page to read, the table does
not change, and the thing that the page explains is marked. Enter, Space or a click turns the page.
"""

from collections.abc import Callable, Mapping
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
from driflamme_tui.screens.table.panels import Panels
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.screens.table.table_zones import TableZones
from driflamme_tui.study.guided_game import GuidedQuestion, Lesson
from driflamme_tui.study.lesson_end import LessonEnd
from driflamme_tui.study.local_seats import LocalSeat
from driflamme_tui.study.study_words import how, place_kept
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.study_panel import LowerPanel, PanelContents
from driflamme_tui.widgets.table.zone_layout import Part, Row
from engine.cards import CARDS
from engine.notation import format_position
from engine.views import View


class LessonCommands(AloneCommands, prefix="lesson"):
    """Commands of the guided game: turn the open page, or begin again."""

    turn = Command(
        "",
        "turn",
        "turn the page of the lesson",
        "continue",
        shares=TableCommands.confirm,
    )
    # A lesson needs no pause, so the key of the pause turns the page.
    turn_too = Command(
        "space",
        "turn",
        "turn the page of the lesson",
        row=turn,
        listed=False,
        follows=TableCommands.pause,
    )
    restart = Command("", "restart", "start the lesson over")
    # Omit the key to the result, since a lesson has no result.
    bar = TableCommands.bar.replace(" result*", "")


PANEL_ROWS: Final = 5
"""Rows of the tutor's panel: a title and four rows of text."""
PANEL_ROWS_LOW: Final = 3
"""Rows of the panel on a low screen, where a page is shown in several pieces."""

WAYS: Final = {"play": "app.play", "host": "app.host", "again": "app.learn(True)"}
"""The actions of the next steps, by name in `ways_on`. Other names mean leaving."""


class LessonZones(TableZones):
    """The zones of a table, and the tutor's panel below the hand."""

    def __init__(
        self,
        lesson: Lesson,
        is_looking: Callable[[], bool],
        contents: Callable[[TableState], PanelContents],
    ) -> None:
        """Make the zones.

        Args:
            lesson: The lesson.
            is_looking: Returns True while the learner looks at cards.
            contents: Returns the tutor's text for a state of the table.
        """
        self.tutor = LowerPanel(id="lesson")
        super().__init__(others=(self.tutor,))
        self._lesson, self._is_looking, self._panel_contents = lesson, is_looking, contents

    def kept_rows(self, height: int) -> int:
        """Return the number of rows for the tutor, on a screen of `height` rows."""
        return PANEL_ROWS if height >= COMFORTABLE_HEIGHT else PANEL_ROWS_LOW

    def beside_hand(self, state: TableState) -> list[Part]:
        """Return the card help. Return [] while a page about anything but a card is open.

        A learner who looks at cards always gets the help.
        """
        of_a_card = self._lesson.target[-1].isupper()
        elsewhere = self._lesson.reading and not of_a_card and not self._is_looking()
        return [] if elsewhere else super().beside_hand(state)

    def bottom(self, state: TableState) -> list[Row]:
        """Return the events and the tutor's panel.

        If only one of them fits, return the panel, or the events while the panel is empty.
        """
        rows = self.kept_rows(state.layout.height)
        tutor: list[Row] = [(rows, [(self.tutor, None)])]
        if state.layout.events_height:
            return [*super().bottom(state), *tutor]
        return tutor if self._panel_contents(state).title else [(None, [(self.events, None)])]


class LessonScreen(TableScreen, commands=LessonCommands, inherit_bindings=False):
    """The table of a lesson, with the tutor's panel below the hand."""

    zones: LessonZones

    def __init__(self, lesson: Lesson, name: str) -> None:
        """Continue a lesson for a learner with this name, and store the name for later starts."""
        remember(name=name)
        self.lesson = lesson
        zones = LessonZones(lesson, lambda: self.look.on, self._panel_contents)
        super().__init__(LocalSeat(lesson, name), zones)

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. Turning the page needs an open page."""
        match command:
            case LessonCommands.turn:
                return self.lesson.reading
        return super().is_possible(command)

    # Drawing

    def question(self, view: View) -> Question:
        """Return the learner's question at a view; a `GuidedQuestion` if there is a task."""
        return self.lesson.question(view)

    @property
    def _guided(self) -> GuidedQuestion | None:
        """The present question if a task guides it; otherwise None."""
        question = self.answering.question
        return question if isinstance(question, GuidedQuestion) else None

    def present(self, state: TableState) -> TableState:
        """Return the state for the lesson. While a page is shown, the state has no question."""
        lesson, question = self.lesson, self.answering.question
        # Set this label only at the end: before, the panel shows which key turns its pages.
        shows = _("{key} shows what you know now")
        confirm = key(TableCommands.confirm, state.glyphs)
        after = shows.format(key=confirm) if lesson.over else ""
        declined = "" if question is None else lesson.declined(question)
        notice = declined or state.notice
        state = replace(state, heading=(_("lesson"),), after=after, notice=notice)
        if state.is_animated or not lesson.reading or self._ahead():
            return state
        cursor, effect = _pointed(lesson.target, state.view)
        return replace(
            state,
            question=None,
            is_animated=not state.view.over,
            cursor=state.cursor or cursor,
            effect=effect,
        )

    def draw_others(self, state: TableState) -> None:
        """Draw the tutor's panel."""
        self.zones.tutor.show(self._panel_contents(state), self.prompter())

    def _ahead(self) -> bool:
        """Return True if the tutor explains an answer that the table does not show yet."""
        return format_position(self.lesson.view) != format_position(self.view)

    def _panel_contents(self, state: TableState) -> PanelContents:
        """Return the open page, or the task or the advice for the present question.

        The contents are empty without these, and while the table still shows events.
        """
        lesson, question = self.lesson, self.answering.question
        if self.animation.reel.frame is not None or self._ahead():
            return PanelContents()
        if lesson.reading:
            title, text = lesson.page
            turn = key(LessonCommands.turn, state.glyphs)
            return PanelContents(title, _("{key} continues", key=turn), text, is_turned=True)
        if question is None or self.player_seat.session.pending is not None:
            return PanelContents()
        text = lesson.task(question)
        if (guided := self._guided) is not None:
            keys = how(guided, guided.suggested, state.glyphs)
            return PanelContents(_("Try it"), text=text, how=keys)
        return PanelContents(_("Your choice"), text=text) if text else PanelContents()

    # Actions

    def blocked(self) -> str:
        """Return the sentence stating that a page must be read first; "" if everything was read."""
        if not self.lesson.reading:
            return ""
        turn = key(LessonCommands.turn, self.glyphs)
        return _("Read the rest first: {key} turns the page.", key=turn)

    @property
    def may_confirm(self) -> bool:
        """True if there is something to confirm, or a page to turn by Enter."""
        return self.lesson.reading or super().may_confirm

    @property
    def panels(self) -> Panels:
        """The panels of wings; no panels at a task, since the task itself has the advice."""
        return super().panels if self._guided is None else Panels()

    def first_entries(self) -> Mapping[Entry, str]:
        """Return the first entries of the key bar, each with its label.

        At the end the entry shows the summary; while a page is open, the entry turns it.
        """
        if self.lesson.over:
            return {TableCommands.confirm: _("what you know now")}
        if self.lesson.reading and not self.look.on:
            return {LessonCommands.turn: label(LessonCommands.turn)}
        return super().first_entries()

    def action_turn(self) -> None:
        """Turn the tutor's page. Do nothing without a page, or just after a change of the table."""
        if not self.lesson.reading or self.answering.guarded:
            return
        if not self.zones.tutor.turn() and self.lesson.turn():
            # A key that was meant for the page must not answer the question that appears now.
            self.writing_ended()
        self.notice = ""
        self.show()

    def action_confirm(self) -> None:
        """Turn the open page if there is one.

        If no page is open, confirm the present choice, or show the summary after the lesson. While
        looking at cards, only stop looking, or show the result after the game.
        """
        if self.lesson.reading and not self.look.on:
            self.action_turn()
        elif self.lesson.over and not self.look.on:
            self.app.push_screen(LessonEnd(), self._follow_choice)
        else:
            super().action_confirm()

    async def _follow_choice(self, way: str | None) -> None:
        if way in WAYS:
            await self.run_action(WAYS[way])
        elif way:
            self._leave()

    def _leave(self) -> None:
        self.app.post_message(LeaveTable())

    def action_restart(self) -> None:
        """Begin the lesson again.

        Before its end, first ask for confirmation: the progress is lost.
        """
        begin = partial(self.app.run_action, WAYS["again"])
        if self.lesson.over:
            self.deliver(begin)
            return
        question = _("Start the lesson over? Your progress is lost.")
        confirm(
            self.app,
            question,
            lambda: self.deliver(begin),
            no="Cancel ({key})",
            yes="Start over ({key})",
        )

    def action_leave(self) -> None:
        """Ask whether to leave the lesson, whose progress is stored."""
        ask_to_leave(self.app, self.leaving_question(), self._leave)

    def leaving_question(self) -> str:
        """Return a sentence about the stored progress, and the question whether to leave."""
        return place_kept()


def _pointed(at: str, view: View) -> tuple[Cursor | None, Effect]:
    """Return the cursor and the highlight for a place as in `TOPICS`.

    A place that the Queue does not have gets neither.
    """
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
