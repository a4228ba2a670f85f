"""Shows the table of a sealed game, with its digits, votes and convictions."""

from msgspec.structs import replace

from driflamme_tui.drawing.table_state import TableState, Waiting
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.model.pending_question import Question
from driflamme_tui.screens.table.live_screen import LiveScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.sealed.keys import SealedCommands
from driflamme_tui.wings.sealed.sealed_words import vote_words
from driflamme_tui.wings.sealed.table_words import (
    absence_sentence,
    convicted_marks,
    first_sentence,
    frozen_words,
)
from engine.views import View
from netcode.protocol.messages import SeatInfo
from netcode.wings.sealed.news import LeaveBe, SealedNews, VoteMissing, sealed_news


class SealedScreen(LiveScreen, commands=SealedCommands, inherit_bindings=False):
    """The screen of a table where no machine has another player's hidden cards."""

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now; voting needs a vote that may be cast."""
        match command:
            case SealedCommands.vote:
                return self.may_vote
        return super().is_possible(command)

    @property
    def _sealed(self) -> SealedNews | None:
        """The news of the reader's own program; None until the program has sent any."""
        return sealed_news(self.player_seat.session)

    @property
    def _is_frozen(self) -> bool:
        return self._sealed is not None and self._sealed.stage == "frozen"

    def question(self, view: View) -> Question | None:
        """Return the reader's question; None if the reader is not asked, or the game is frozen."""
        return None if self._is_frozen else super().question(view)

    def sync(self) -> None:
        """Update the screen. Remove the question if the game was frozen meanwhile."""
        if self._is_frozen:
            self.answering.question = None
        super().sync()

    def decided_sentence(self, *, was_lost: bool) -> str:
        """Return "" in a sealed game, where no bot of the host decides for a player.

        Returns the usual sentence until the reader's own program has sent news.
        """
        return super().decided_sentence(was_lost=was_lost) if self._sealed is None else ""

    def heading(self) -> list[str]:
        """Return the texts at the right of the header, including the digits of the deal."""
        digits = "" if self._sealed is None or self._sealed.digits is None else self._sealed.digits
        return [_("sealed {digits}", digits=digits).strip(), *super().heading()]

    def present(self, state: TableState) -> TableState:
        """Return the state with the news from the reader's own program."""
        state, news = super().present(state), self._sealed
        if news is None:
            return state
        is_shown = state.frame is not None
        question, forced = state.question, state.forced
        if not is_shown:
            # An answer is incomplete until the eliminated card is opened, so ask nothing meanwhile.
            if state.sent and vote_words(news, "")[0]:
                question = None
            forced = forced or first_sentence(news, state.view)
        return replace(
            state,
            question=question,
            forced=forced,
            # Mark nobody as absent, because no bot answers for anybody.
            players=[replace(player, away="no") for player in state.players],
            marks=dict.fromkeys(news.convicted, convicted_marks()),
            halted=frozen_words(news) if self._is_frozen and not state.view.over else None,
            waiting=_waiting(news, state),
        )

    @property
    def may_vote(self) -> bool:
        """True if the reader can vote that an answer is missing."""
        state = self.state()
        return state.question is None and bool(state.waiting.way)

    def action_vote(self) -> None:
        """Vote that a step is missing, or switch the immediate vote about an absent player.

        Do nothing while no vote is possible.
        """
        news = self._sealed
        if news is None or not self.can(SealedCommands.vote):
            return
        name = news.missed or _answerer(news, self.state()).name
        if name in news.away:
            self.player_seat.send(LeaveBe(name=name, chosen=name not in news.left_be))
        else:
            self.player_seat.send(VoteMissing())


def _answerer(news: SealedNews, state: TableState) -> SeatInfo:
    """Return the player whose program must answer the present question.

    The owner of a bot's machine answers for the bot.
    """
    on_turn = state.players[state.view.turn]
    owner = "" if on_turn.bot is None else news.bot_owner
    return next((player for player in state.players if player.name == owner), on_turn)


def _waiting(news: SealedNews, state: TableState) -> Waiting:
    """Return the texts about the player who must answer, and about the reader's vote."""
    player = _answerer(news, state)
    text, hint = vote_words(news, player.name)
    return Waiting(
        title=_("Waiting for {name}", name=news.missed) if news.missed else "",
        text=text or absence_sentence(player, state.players),
        way=hint.format(key=key(SealedCommands.vote)),
        action="vote" if hint else "",
    )
