"""Shows hints in a panel: the teacher's choice, and explanations of decisions."""

from msgspec.structs import replace

from driflamme_tui.drawing.table_state import PanelText, TableState
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.preferences.remembered import BEGINNER, Beginner
from driflamme_tui.screens.table.panels import Panel, PanelTable
from driflamme_tui.seat.teacher_requests import TeacherRequest
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.hints.explanation_setting import is_explained, toggle
from driflamme_tui.wings.hints.explanations import explanation
from driflamme_tui.wings.hints.hint_conditions import against_bots_only, is_useful
from driflamme_tui.wings.hints.table_keys import HintCommands
from engine.actions import ACTIONS
from engine.cards import HEIR, ROUNDS
from engine.position import PLACE
from engine.views import View


class HintsPanel(Panel):
    """Shows a hint below the question, marks the suggested action, and explains the decision."""

    def __init__(self, table: PanelTable) -> None:
        self._table = table
        self._request = TeacherRequest()
        self._is_shown = False
        """True if the hint is shown. The player's next choice hides it."""
        self._stored: Beginner | None = None

    def begins(self, view: View) -> None:
        """Forget the last hint.

        After a game, also forget the data about the player's first games.
        """
        self._request.forget()
        self._is_shown = False
        if view.over and self._table.terminal.helps_beginners:
            self._stored = None

    def chose(self) -> None:
        """Hide the hint after the player's choice."""
        self._is_shown = False

    def close(self) -> None:
        """Stop the teacher when the table closes."""
        self._request.forget()

    def can(self, command: Command) -> bool:
        """Return True if the command is possible now.

        Explanations can always be switched; a hint needs a question, and only bots as opponents.
        """
        if command is not HintCommands.hint:
            return True
        player_seat = self._table.player_seat
        is_possible = (
            self._table.answering.answerable is not None and player_seat.workers is not None
        )
        return is_possible and against_bots_only(player_seat.lobby)

    def run(self, command: str) -> None:
        """Request a hint, or turn explanations of decisions on or off."""
        if command == "hint":
            self._ask()
        elif command == "explain":
            self._toggle()

    def takes_letter(self, letter: str) -> bool:
        """Request a hint by the Heir's letter, if that letter can choose no card now.

        Returns True if the letter was used.
        """
        question = self._table.answering.question
        if letter.upper() != HEIR or question is None or question.view.question == PLACE:
            return False
        self._ask()
        return True

    def present(self, state: TableState) -> TableState:
        """Return the state with the suggested action and the hint. A notice hides the hint.

        While explanations are on, add an explanation until the player has chosen.
        """
        thought = self._request.thought
        state = replace(
            state,
            suggested=None if thought is None else ACTIONS.get(thought.token),
            advice=("", "") if state.notice else self._hint(),
        )
        if not (self._table.player_seat.company and is_explained(self._beginner)):
            return state
        return with_explanation(state)

    # Hints

    def _hint(self) -> tuple[str, str]:
        """Return the hint and its reason, or that the teacher thinks; both "" if none is shown."""
        if not self._is_shown:
            return "", ""
        from driflamme_tui.wings.hints.hint_words import hint_of
        from driflamme_tui.wording.choices.teacher_words import thinking

        thought = self._request.thought
        return (thinking(), "") if thought is None else hint_of(thought, self._table.prompter())

    def _ask(self) -> None:
        """Show the hint, and start the teacher if it has no useful result yet.

        If no hint is possible, show a notice with the reason. For a spectator, or without workers,
        do nothing.
        """
        from driflamme_tui.wings.hints.hint_words import no_question_sentence, others_play

        player_seat, answering = self._table.player_seat, self._table.answering
        pool, lobby = player_seat.workers, player_seat.lobby
        if pool is None or lobby.you is None:
            return
        if not against_bots_only(lobby):
            answering.notice = others_play()
        elif answering.question is None:
            answering.notice = no_question_sentence()
        elif (question := answering.ready()) is not None:
            answering.notice = answering.stood_for = ""
            self._is_shown = True
            if not self._request.thinking and not is_useful(self._request.thought):
                events = player_seat.session.events
                self._request.ask(question.view, events, pool, self._table.show)

    # Explanations

    @property
    def _beginner(self) -> Beginner:
        """The data about the player's first games. They are read once in each game."""
        if self._stored is None:
            helps = self._table.terminal.helps_beginners
            self._stored = BEGINNER.recall() if helps else Beginner(wanted=False)
        return self._stored

    def _toggle(self) -> None:
        self._stored = toggle(self._beginner)
        if self._table.terminal.helps_beginners:
            BEGINNER.keep(self._stored)


def with_explanation(state: TableState) -> TableState:
    """Return the state with an explanation of the due decision, and with card help preferred."""
    return replace(state, prefers_text=True, beside=_explained(state))


def _explained(state: TableState) -> PanelText | None:
    """Return the explanation of a decision that is due; None once the player has chosen."""
    question, at = state.question, state.view.at
    if question is None or question.choice is not None or not state.answerable:
        return None
    resolving = state.view.queue[at][1] if at >= 0 else ""
    text = explanation(question.step, resolving, last=state.view.round == ROUNDS)
    return PanelText(_("What it is about"), "", text, text)
