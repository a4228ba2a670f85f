"""The analysis board: the table at any position, and what a bot thinks of each answer."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace
from textual.app import ComposeResult

from driflamme_tui.alone.local_table import LocalTable
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import SessionCommands
from driflamme_tui.keymap.table_commands import BoardCommands, TableCommands
from driflamme_tui.screens.overlays.replay_overlays import PositionOverlay
from driflamme_tui.screens.table.table_screen import ALONE, TableScreen
from driflamme_tui.seat.hint_requests import HintRequest
from driflamme_tui.seat.sitting import LocalSitting
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.lower_panels import JudgedAnswers, Judgement
from driflamme_tui.wording.game.event_words import TableNames
from driflamme_tui.wording.program.alone_words import (
    board_heading,
    nothing_to_undo,
    what_is_thought,
)
from driflamme_tui.wording.program.replay_words import thinking
from engine.notation import format_position
from engine.view import View
from netcode.workers.worker_main import Weight


class BoardScreen(TableScreen, commands=BoardCommands):
    """The table of the analysis board."""

    # The key of the chat is the teacher's, as in a replay.
    unused = tuple(each for each in ALONE if each != SessionCommands.talk)

    def __init__(self, table: LocalTable, *, taught: bool = False) -> None:
        """Show a board; `taught` is whether it is said at once what a bot thinks."""
        self.table = table
        super().__init__(LocalSitting(table))
        self.panel = JudgedAnswers(id="answers")
        self.taught = taught
        self._thoughts = HintRequest()
        self._weights: dict[str, tuple[Weight, ...]] = {}
        """What the teacher thinks of answers, by what was known of the position."""
        self._line = ""
        """What whoever is asked knows of the position."""

    # What is shown

    def zones(self) -> ComposeResult:
        """The table's zones, and the panel below them."""
        yield from super().zones()
        yield self.panel

    def kept_rows(self) -> int:
        """Return the rows that are kept for the panel, while it is wanted."""
        return self.panel.kept_rows(self.size.height) if self.taught else 0

    def answers(self) -> Sequence[tuple[str, float]]:
        """Return what the teacher thinks of each answer, once it has thought."""
        is_shown = self.taught and self.sitting.session.revision == self.table.revision
        weights = self._weights.get(self._line, ()) if is_shown else ()
        # What was tried little may look better than what it thinks best.
        most = weights[0][1] if weights else 0.0
        shares = [(token, min(share, most)) for token, share, tried in weights if tried]
        return [*shares[:1], *sorted(shares[1:], key=lambda each: -each[1])]

    def ask(self, view: View) -> None:
        """Begin with a new view, of which nobody has thought anything yet."""
        super().ask(view)
        self._thoughts.forget()
        self._line = format_position(self.table.seen())
        self._teach()

    def _teach(self) -> None:
        """Have the teacher think, unless it has thought of the same before."""
        wanted = self.taught and self.answering.question is not None
        if wanted and self._line not in self._weights:
            told = partial(self.deliver, self._show_thought)
            self._thoughts.ask(self.table.seen(), (), self.table.workers, told)

    def _show_thought(self) -> None:
        if self._thoughts.thought is not None:
            self._weights[self._line] = self._thoughts.thought.weights
        self.show()

    def state(self) -> TableState:
        """Return the present moment; a game that is over leads to no result."""
        undo = key(BoardCommands.undo, self.glyphs)
        after = _("{key} takes an answer back").format(key=undo)
        return replace(super().state(), heading=board_heading(self.table), after=after)

    def share_out(self, state: TableState) -> None:
        """Show whose knowledge it is, and what the teacher thinks of each answer."""
        super().share_out(state)
        self.panel.display = self.taught
        if self.taught:
            waits = "" if self.view.over else thinking(failed=self._line in self._weights)
            title, knowledge = what_is_thought(self.table)
            mark = self.glyphs.chosen_mark[0]
            judgement = Judgement(title, knowledge, waits, self.answers(), self._chosen(), mark)
            self.panel.show(judgement, self.prompter(), asked=state.question is not None)

    def _table_names(self, view: View, names: Sequence[str]) -> TableNames:
        table = super()._table_names(view, names)
        # Who answers for everybody is nobody in particular in what has happened.
        return table if self.table.seat is not None else replace(table, you=None)

    def _chosen(self) -> str:
        """Return the answer that is chosen, or the best with the card that is; "" for none."""
        choice = None if self.answering.question is None else self.answering.question.choice
        if choice is None:
            return ""
        if choice.action is not None:
            return str(choice.action)
        begin = choice.card or f"{choice.position}>"
        return next((token for token, _share in self.answers() if token.startswith(begin)), "")

    # What is done

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        no_company = (SessionCommands.talk, TableCommands.other_hand)
        return command not in no_company and super().can(command)

    def is_news(self, entry: Entry) -> bool:
        """Whether the teacher is there."""
        return entry == BoardCommands.think and self.taught

    @property
    def may_undo(self) -> bool:
        """Whether there is an answer to take back."""
        return self.table.can_undo

    @property
    def may_confirm(self) -> bool:
        """Whether there is something to confirm: a game that is over leads to no result."""
        return self.look.on if self.view.over else super().may_confirm

    def _anew(self, change: Callable[[], object]) -> None:
        """Show the board otherwise: what was asked is asked no more, and all is worded anew."""
        self.answering.question, self._worded = None, ([], [])
        change()

    def action_undo(self) -> None:
        """Take the last answer back."""
        if self.table.can_undo:
            self._anew(self.table.undo)
        else:
            self.notice = nothing_to_undo()
            self.show()

    def action_eyes(self) -> None:
        """Show the cards of one family, and answer for it alone; or all cards again."""
        self._anew(self.table.change_eyes)

    def action_other_hand(self) -> None:
        """Do the same by the key that shows the other hand at a table for two."""
        self.action_eyes()

    def action_think(self) -> None:
        """Say what the teacher thinks of each answer, or stop saying so."""
        self.taught = not self.taught
        if not self.taught:
            self._thoughts.forget()
        self._teach()
        self.show()

    def action_talk(self) -> None:
        """Do the same by the key of the chat, which nobody would read."""
        self.action_think()

    def action_position(self) -> None:
        """Show the position in notation, and copy it."""
        line = format_position(self.view)
        self.app.copy_to_clipboard(line)
        whole = self.table.seat is None
        self.lay_over(PositionOverlay(replace(self.state(), laid_open=whole), line))

    def action_confirm(self) -> None:
        """Confirm the present choice; a game that is over leads to no result."""
        if not self.view.over or self.look.on:
            super().action_confirm()
