"""Hints: what a strong bot would do in the reader's place. The choice stays the reader's."""

from collections.abc import Callable

from driflamme_tui.screens.table.answering import Answering
from driflamme_tui.seat.hint_requests import HintRequest, against_bots_only, is_useful
from driflamme_tui.seat.sitting import Sitting
from driflamme_tui.wording.choices.prompts import Prompter
from engine.actions import ACTIONS, Action
from netcode.protocol.messages import Lobby


class Hints:
    """The hint on the question that is asked, from when it is wanted until the next choice."""

    def __init__(self, sitting: Sitting, answering: Answering, tell: Callable[[], object]) -> None:
        """Want none yet; `tell` is called when one has come."""
        self._sitting, self._answering, self._tell = sitting, answering, tell
        self._request = HintRequest()

    def forget(self) -> None:
        """Want none any more: the question is another, or the screen is gone."""
        self._request.forget()

    def may_be_asked(self, lobby: Lobby) -> bool:
        """Whether a bot can be asked what it would do."""
        asked = self._answering.answerable is not None and self._sitting.workers is not None
        return asked and against_bots_only(lobby)

    def ask(self, lobby: Lobby) -> None:
        """Have a bot think about the question, or tell again what it has said, or why it is not."""
        from driflamme_tui.wording.choices.hint_words import not_asked, others_play

        pool, answering = self._sitting.workers, self._answering
        if pool is None or lobby.you is None:
            return
        if not against_bots_only(lobby):
            answering.notice = others_play()
        elif answering.question is None:
            answering.notice = not_asked()
        elif (question := answering.ready()) is not None:
            answering.notice, answering.hint_shown = "", True
            if not self._request.thinking and not is_useful(self._request.thought):
                self._request.ask(question.view, self._sitting.session.events, pool, self._tell)

    @property
    def action(self) -> Action | None:
        """What the bot would do, once it has thought."""
        thought = self._request.thought
        return None if thought is None else ACTIONS.get(thought.token)

    def told(self, prompter: Callable[[], Prompter]) -> tuple[str, str]:
        """Return the hint that is to be shown, and the reason for it; or nothing."""
        if not self._answering.hint_shown or self._answering.notice:
            return "", ""
        from driflamme_tui.wording.choices.hint_words import hint_of
        from driflamme_tui.wording.program.replay_words import thinking

        thought = self._request.thought
        return (thinking(), "") if thought is None else hint_of(thought, prompter())
