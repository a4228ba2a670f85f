"""What passes between a sealed game's own program and its session: never on the wire."""

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct, field

from netcode.client.interpreted import Extra, MadeRecord, Request
from netcode.client.session import Session
from netcode.protocol.fields import ShownName, Values

if TYPE_CHECKING:
    # It brings cryptography along, which the first table does not need.
    from netcode.wings.sealed.game.game_log import Verdict


Stage: TypeAlias = Literal["sealing", "dealing", "playing", "over", "frozen"]
"""How far a sealed game has come; `frozen` is one that stays unfinished."""


CONVICTIONS: Final = frozenset({"false_opening", "card_twice"})
"""The codes of notices that somebody has cheated, and will finish last."""


class Notice(Struct, frozen=True, kw_only=True):
    """Something that happened, as a code of the specification and what its sentence needs."""

    code: str
    name: str = ""
    """Whom it is about; empty if nobody."""
    values: Values = field(default_factory=dict)


class SealedNews(Extra, frozen=True, kw_only=True):
    """What a person's program knows of a sealed game, besides the game."""

    stage: Stage
    digits: str | None = None
    """Six digits in two groups, to be read aloud; None before all is dealt."""
    waiting_for: tuple[str, ...] = ()
    """The names of those whose seal, deal, opening or end has not come."""
    vote_about: str | None = None
    """Whose step one is asked to vote missing; None if nobody's."""
    is_vote_wanted: bool = False
    """Whether one has not yet voted about it."""
    struck_of: str = ""
    """Whose struck card is all that is missing, and does not come at once; empty if nobody's."""
    away: tuple[str, ...] = ()
    """The persons about whom one may choose to vote at once."""
    left_be: tuple[str, ...] = ()
    """The persons about whom one has chosen so."""
    notices: tuple[Notice, ...] = ()
    """All that happened, in order."""
    broken: int = 0
    """How many deals were broken off before this one."""
    verdicts: tuple["Verdict", ...] = ()
    """By seat, what is proven at the end; none before."""
    bot_owner: str = ""
    """Whose machine plays the bots; empty if there are none."""

    @property
    def convictions(self) -> tuple[Notice, ...]:
        """The notices that somebody is proven to have cheated, although the game goes on."""
        return tuple(each for each in self.notices if each.code in CONVICTIONS)

    @property
    def convicted(self) -> frozenset[str]:
        """The names of all who are proven to have cheated."""
        return frozenset(each.name for each in self.convictions)

    @property
    def missed(self) -> str:
        """Whose step does not come, whoever was asked before; empty if that is not known."""
        return self.vote_about or self.struck_of


class SealedRecord(MadeRecord, frozen=True):
    """The record of a sealed game that is over, with what proves it."""


class VoteMissing(Request, frozen=True):
    """Vote that the step that is due has not come, as one is asked to."""


class LeaveBe(Request, frozen=True):
    """Choose to vote at once, from now on, about somebody who is away; or not to, after all."""

    name: ShownName
    chosen: bool


SealedRequest: TypeAlias = VoteMissing | LeaveBe
"""What a person may ask of their own program at a sealed table."""


def sealed_news(session: Session) -> SealedNews | None:
    """Return what the interpreter of a session knows of its sealed game; None without one."""
    return session.extra if isinstance(session.extra, SealedNews) else None
