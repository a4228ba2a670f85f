"""Adds hints to the line-by-line mode, for people and for programs."""

import json
from collections.abc import Sequence
from typing import Annotated, Final

from driflamme_tui.plain.line_player import LineEffect, Reply, Weighing
from driflamme_tui.plain.wing_lines import InGame, WingLines
from driflamme_tui.wings.hints.hint_conditions import against_bots_only
from driflamme_tui.wings.hints.hint_words import hint_of, no_question_sentence, others_play
from driflamme_tui.wording.choices.teacher_words import thinking
from engine.texts import Text
from netcode.client.session import Session
from netcode.workers.questions import BotAnswer

_WORDS: Final[tuple[Annotated[Text, "typed"], ...]] = ("hint",)
"""The command as it is typed."""


def _hint(player: InGame) -> LineEffect:
    """Return a reply that asks the teacher for a hint, or the reason why there is no hint."""
    lobby, question = player.session.lobby, player.pending()
    if isinstance(question, str) or lobby is None:
        return question if isinstance(question, str) else ""
    if not against_bots_only(lobby):
        return others_play()
    view = question.view

    def lines(thought: BotAnswer) -> Sequence[str]:
        return [" ".join(hint_of(thought, player.prompter(view))).strip()]

    return Reply([thinking()], weighing=Weighing(view, player.session.events, lines))


def _hint_for_program(session: Session) -> LineEffect:
    """Return a reply that asks the teacher, or the reason why there is no hint.

    The program receives a line of JSON with the chance of victory of each answer.
    """
    view, lobby = session.view, session.lobby
    if view is None or lobby is None or not view.legal:
        return no_question_sentence()
    if not against_bots_only(lobby):
        return others_play()
    return Reply(weighing=Weighing(view, session.events, _weights))


def _weights(thought: BotAnswer) -> Sequence[str]:
    weights = [{"action": token, "share": share} for token, share, _tried in thought.weights]
    return [json.dumps({"type": "hint", "weights": weights}, separators=(",", ":"))]


SEAM: Final = WingLines(
    commands=dict.fromkeys(_WORDS, _hint),
    help=("hint: against bots, what a strong bot would do in your place.",),
    requests={"hint": _hint_for_program},
)
