"""What the screens of puzzles and of the analysis board share: a panel with judged answers.

With sessions of their own, they can be laid over any screen of any app, and lead back there.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from rich.cells import cell_len
from textual.app import ComposeResult

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import COMFORTABLE_HEIGHT, COMFORTABLE_WIDTH, PROMPT, TALL
from driflamme_tui.drawing.table_state import Player, TableState
from driflamme_tui.screens.table.table_alone import TableAlone
from driflamme_tui.screens.table.table_answers import GUARD_S, SECOND_CLICK_S
from driflamme_tui.seat.local_table import LocalTable
from driflamme_tui.text.cell_widths import bar, shortened, wrapped
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.table.chat_panel import Draft
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.wording.choices.answer_words import percent
from driflamme_tui.wording.choices.judged_answers import judged
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.game.names import family_name
from engine.actions import Action
from engine.view import View
from netcode.client.session import Session
from netcode.protocol.messages import ClientMessage, HostMessage, State

if TYPE_CHECKING:
    from driflamme_tui.screens.base.app_services import AppServices, PlayServices

PANEL_ROWS: Final = {0: 4, COMFORTABLE_HEIGHT: 6, TALL: 10}
"""Rows that the panel keeps, on screens of so many rows and more."""

MARGIN: Final = 2
"""Columns before and after what the panel shows, and between its halves."""

LONGEST_BAR: Final = 24
"""Maximum width of the bar of an answer, in columns."""

PERCENT: Final = 6
"""Columns of what an answer promises in figures, with a gap before them."""

MARK: Final = 2
"""Columns of the mark of an answer that is the best, or was given."""


class PositionServices:
    """What such a screen asks of an app that may sit at another table, or at none."""

    lost = latency_ms = secure = advisers = None
    draft: Draft | None = None

    def __init__(self, app: "AppServices", table: LocalTable) -> None:
        """Have the session of a position in the place of the app's."""
        self.session = Session()
        self._app, self._table = app, table
        self.guard_s: float = getattr(app, "guard_s", GUARD_S)
        self.second_click_s: float = getattr(app, "second_click_s", SECOND_CLICK_S)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._app, name)

    def say(self, message: ClientMessage) -> None:
        """Tell the table."""
        self._table.receive(message)

    def answer(self, action: Action) -> None:
        """Answer the question that is asked."""
        self.say(self.session.act(action))


class PositionScreen(TableAlone):
    """The table with a panel below the hand, in which answers are judged."""

    def __init__(self, table: LocalTable) -> None:
        """Sit down at a table."""
        self._services = PositionServices(super().services, table)
        super().__init__()
        session = self._services.session
        table.send = session.receive
        table.receive(session.hello("Driflamme"))
        table.send = self._hear

    @property
    def services(self) -> "PlayServices":
        """What may be asked of the app, with the session of this table."""
        return cast("PlayServices", self._services)

    def _hear(self, message: HostMessage) -> None:
        def take_in() -> None:
            self.services.session.receive(message)
            if isinstance(message, State):
                self.session_changed()

        # Later, as from a network: whoever has just answered still draws what was asked.
        self.deliver(take_in)

    def zones(self) -> ComposeResult:
        """The table's zones, and the panel below them."""
        yield from super().zones()
        yield Board(self._draw, ground="panel", id="answers")

    def kept_rows(self) -> int:
        """Return the rows that are kept for the panel."""
        return max(rows for least, rows in PANEL_ROWS.items() if self.size.height >= least)

    def answers(self) -> Sequence[tuple[str, float]]:
        """Return the tokens of the answers and what each promises, once that is to be shown."""
        raise TypeError("a position is judged by the screen that shows it")

    def _draw(self, canvas: Canvas) -> None:
        """Draw the panel."""
        raise TypeError("a panel is drawn by the screen that has it")

    def _players(self, view: View) -> list[Player]:
        return [Player(family_name(family)) for family in view.families]

    def _arrange(self, state: TableState) -> None:
        super()._arrange(state)
        # The panel has the rows of the events.
        self.query_one("#bottom").display = False
        width, height = self.size
        tight = width < COMFORTABLE_WIDTH or height < COMFORTABLE_HEIGHT
        crowded = tight and bool(self.answers()) and state.question is None
        # There the answers say what is in hand, and the prompt has but a sentence to say.
        self.query_one("#middle").display = not crowded
        if crowded:
            self.query_one(Prompt).styles.height = PROMPT
        self.query_one("#answers", Board).redraw()

    def _draw_title(self, canvas: Canvas, title: str, beside: str) -> None:
        """Draw the panel's edge and its first row, the second text if there is room for it."""
        canvas.fill(0, 0, 1, canvas.height, canvas.chosen, " ")
        end = canvas.text(MARGIN, 0, title, canvas.bold)
        if end + MARGIN + cell_len(beside) < canvas.width:
            canvas.text(canvas.width - 1 - cell_len(beside), 0, beside, canvas.mute)

    def _draw_answers(self, canvas: Canvas, given: str, mark_of_given: str) -> int:
        """Draw what each answer promises, and beside it what the best and the given one would do.

        Returns how many rows that takes of those below the title.
        """
        names = [player.name for player in self._players(self.view)]
        prompter = Prompter(self.view, names, canvas.glyphs)
        answers = list(judged(self.answers(), given, prompter, canvas.height - 1))
        room = canvas.width - 3 * MARGIN - 2 * MARK
        bars = min(LONGEST_BAR, room // 6)
        label = min(max(cell_len(each.label) for each in answers), room // 2 - bars)
        right = MARGIN + MARK + label + PERCENT + bars + MARGIN
        beside = 1
        for row, each in enumerate(answers, 1):
            mark, at = " ", MARGIN + MARK
            if each.best or each.given:
                mark = canvas.glyphs.ready if each.best else mark_of_given
                width = canvas.width - right - MARK - MARGIN
                lines = wrapped(each.why, width, width)
                if rest := lines[max(0, canvas.height - beside - 1) :]:
                    lines[-len(rest) :] = [shortened(" ".join(rest), width, canvas.glyphs)]
                canvas.text(right, beside, mark, canvas.bold)
                beside = canvas.lines(right + MARK, beside, lines, canvas.plain)
            ink = canvas.mute if mark == " " else canvas.bold
            canvas.text(MARGIN, row, mark, ink)
            canvas.text(at, row, shortened(each.label, label, canvas.glyphs), ink)
            at = canvas.text(at + label, row, percent(each.share).rjust(PERCENT), ink) + 1
            length = bar(each.share, answers[0].share, bars - 1, canvas.glyphs)
            end = canvas.text(at, row, length, ink)
            canvas.places.append((MARGIN, row, end, f"promised('{each.token}')"))
        return max(len(answers), beside - 1)

    def action_promised(self, token: str) -> None:
        """Choose an answer that was clicked in the panel."""
        if not self._guarded():
            self._choose(lambda asked: asked.choose_answer(token), click=True)

    def action_leave(self) -> None:
        """Leave at once: there is nothing to lose."""
        if len(self.app.screen_stack) > 2:
            self.dismiss()
        else:
            self.app.exit()
