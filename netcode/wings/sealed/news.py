"""Values between a sealed game's own program and its session. They are never sent."""

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct, field

from netcode.client.interpreted import Extra, MadeRecord, Request
from netcode.client.session import Session
from netcode.protocol.fields import ShownName, Values

if TYPE_CHECKING:
    # It imports cryptography, which a first table does not need.
    from netcode.wings.sealed.game.game_log import Verdict


Stage: TypeAlias = Literal["sealing", "dealing", "playing", "over", "frozen"]
"""The stage of a sealed game; a `frozen` game stays unfinished."""


CONVICTIONS: Final = frozenset({"false_opening", "card_twice"})
"""The codes of notices that somebody has cheated, and will be ranked last."""


class Notice(Struct, frozen=True, kw_only=True):
    """An event, as a code of the specification with the values of its sentence."""

    code: str
    name: str = ""
    """The name of the person concerned; empty if there is none."""
    values: Values = field(default_factory=dict)


class SealedNews(Extra, frozen=True, kw_only=True):
    """A person's program's information about a sealed game besides the game."""

    stage: Stage
    digits: str | None = None
    """Six digits in two groups, to be read aloud; None before the deal is complete."""
    waiting_for: tuple[str, ...] = ()
    """The names of the persons whose seal, deal, opening or end is missing."""
    vote_about: str | None = None
    """The person about whose step the player may vote; None if there is none."""
    is_vote_wanted: bool = False
    """True if the player has not voted about it yet."""
    struck_of: str = ""
    """The owner of a struck card if only that card is missing and delayed; otherwise empty."""
    away: tuple[str, ...] = ()
    """The absent persons about whom the player may choose to vote at once."""
    left_be: tuple[str, ...] = ()
    """The absent persons about whom the player has chosen to vote at once."""
    notices: tuple[Notice, ...] = ()
    """All notices, in order."""
    broken: int = 0
    """Number of deals that were broken off before this one."""
    verdicts: tuple["Verdict", ...] = ()
    """The verdict of each seat at the end; empty before."""
    bot_owner: str = ""
    """The player whose machine plays the bots; empty without bots."""

    @property
    def convictions(self) -> tuple[Notice, ...]:
        """The notices of proven cheating, even if the game continues."""
        return tuple(each for each in self.notices if each.code in CONVICTIONS)

    @property
    def convicted(self) -> frozenset[str]:
        """The names of all proven cheaters."""
        return frozenset(each.name for each in self.convictions)

    @property
    def missed(self) -> str:
        """The person whose step is missing, even after a struck card; empty if unknown."""
        return self.vote_about or self.struck_of


class SealedRecord(MadeRecord, frozen=True):
    """The record of a finished sealed game, with its proof."""


class VoteMissing(Request, frozen=True):
    """Vote that the due step is missing, after a request."""


class LeaveBe(Request, frozen=True):
    """Choose to vote at once about an absent person from now on, or cancel that choice."""

    name: ShownName
    chosen: bool


SealedRequest: TypeAlias = VoteMissing | LeaveBe
"""A player's request to their own program at a sealed table."""


def sealed_news(session: Session) -> SealedNews | None:
    """Return the news of a session's sealed game; None without one."""
    return session.extra if isinstance(session.extra, SealedNews) else None
