"""Adds sealed play to the line-by-line mode: votes, and the machine that hosts a table."""

from typing import Annotated, Final

from driflamme_tui.plain.line_player import LineEffect
from driflamme_tui.plain.wing_lines import InGame, WingLines
from driflamme_tui.text.i18n import _
from engine.texts import Text
from netcode.protocol.fields import NAME_LENGTH
from netcode.wings.sealed.messages import AllowTakeover, HandOver
from netcode.wings.sealed.news import LeaveBe, VoteMissing, sealed_news

_WORDS: Final[tuple[Annotated[Text, "typed"], ...]] = (
    "hand over",
    "no takeover",
    "not sealed",
    "sealed",
    "takeover",
    "vote",
    "vote for",
)
"""The commands, and the topic of the help, as they are typed."""

_FOR_HOSTS: Final[tuple[Text, ...]] = (
    "sealed, not sealed: in the lobby, the host makes it a sealed table or an ordinary one.",
    "hand over, and a name: the host of a sealed game hands the table to somebody.",
)

_HELP: Final[tuple[Text, ...]] = (
    "vote: say that an answer is missing (sealed table); vote for, and a name: every time.",
    "takeover, no takeover: allow a sealed table to move to your machine if its host is gone.",
)


def _vote(player: InGame, name: str) -> LineEffect:
    """Return a vote that a step is missing, or the reason why there is nothing to vote about.

    With the name of an absent player, return a message that switches the immediate vote about
    that player.
    """
    news = sealed_news(player.session)
    away = {} if news is None else {each.casefold(): each for each in news.away}
    if news is not None and (whom := away.get(name.casefold())):
        return LeaveBe(name=whom, chosen=whom not in news.left_be)
    if name or news is None or not news.is_vote_wanted:
        return _("There is nothing to vote about now.")
    return VoteMissing()


def _hand_over(_player: InGame, name: str) -> LineEffect:
    return HandOver(name[:NAME_LENGTH])


SEAM: Final = WingLines(
    in_lobby={
        "takeover": AllowTakeover(allowed=True),
        "no takeover": AllowTakeover(allowed=False),
    },
    in_game={"vote": _vote, "vote for *": _vote},
    of_hosts={"hand over *": _hand_over},
    topics={"host": _FOR_HOSTS, "sealed": _HELP},
    messages=(VoteMissing, LeaveBe, AllowTakeover, HandOver),
    words=_WORDS,
)
