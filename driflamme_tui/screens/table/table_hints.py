"""Hints at the table: asked for with a key, thought out elsewhere, shown where the question stands.

The choice stays the reader's: nothing is chosen, and the next choice takes the hint off the screen.
"""

from functools import partial

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.table.table_mouse import TableMouse
from driflamme_tui.seat.hint_requests import HintRequest, against_bots_only, is_useful
from driflamme_tui.wording.choices.prompts import Prompter
from engine.actions import ACTIONS, Action
from engine.cards import HEIR
from engine.position import PLACE
from engine.view import View


class TableHints(TableMouse):
    """Asks the teacher what it would do, if the reader wants to know."""

    def __init__(self) -> None:
        super().__init__()
        self._hints = HintRequest()
        self._hint_shown = False

    def ask(self, view: View) -> None:
        """Begin with a new view, for which an older hint is none."""
        self._hints.forget()
        self._hint_shown = False
        super().ask(view)

    def on_unmount(self) -> None:
        """Let nobody think for a screen that is gone."""
        self._hints.forget()

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        if command == TableCommands.hint:
            return (
                against_bots_only(self.lobby)
                and self._answerable() is not None
                and self.services.advisers is not None
            )
        return super().can(command)

    def action_letter(self, letter: str) -> None:
        """Choose by a letter; the Heir's asks for a hint where no letter chooses a card."""
        question = self.question
        if letter.upper() == HEIR and question is not None and question.view.asked != PLACE:
            self.action_hint()
        else:
            super().action_letter(letter)

    def action_hint(self) -> None:
        """Ask what a strong bot would do here, or show what it has said."""
        from driflamme_tui.wording.choices.hint_words import not_asked, others_play

        pool = self.services.advisers
        if pool is None or self.lobby.you is None:
            return
        if not against_bots_only(self.lobby):
            self._refuse(others_play())
            return
        if self.question is None:
            self._refuse(not_asked())
            return
        question = self._ready()
        if question is None:
            return
        self.notice, self._hint_shown = "", True
        if not self._hints.thinking and not is_useful(self._hints.thought):
            told = partial(self.deliver, self._show_hint)
            self._hints.ask(question.view, self.services.session.events, pool, told)
        self.show()

    def _show_hint(self) -> None:
        if self._hint_shown:
            self.show()

    def _changed(self) -> None:
        self._hint_shown = False
        super()._changed()

    def hint(self, prompter: Prompter) -> tuple[str, str]:
        """Return the hint that is to be shown, and the reason for it; or nothing."""
        if not self._hint_shown or self.notice:
            return "", ""
        from driflamme_tui.wording.choices.hint_words import hint_of
        from driflamme_tui.wording.program.replay_words import thinking

        thought = self._hints.thought
        return (thinking(), "") if thought is None else hint_of(thought, prompter)

    def hinted(self) -> Action | None:
        """Return the answer that has been hinted at, shown or not."""
        thought = self._hints.thought
        return None if thought is None else ACTIONS.get(thought.token)
