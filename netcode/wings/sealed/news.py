"""Defines values that a player's own program and its session exchange.

These values are never sent to another program.
"""

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct, field

from netcode.client.interpreted import Extra, MadeRecord, Request
from netcode.client.session import Session
from netcode.protocol.fields import ShownName, Values

if TYPE_CHECKING:
    # Import only for types: the module imports cryptography, which a first table does not need.
    from netcode.wings.sealed.game.game_log import Verdict


Stage: TypeAlias = Literal["sealing", "dealing", "playing", "over", "frozen"]
"""The stage of a sealed game. A `frozen` game stays unfinished."""


CONVICTIONS: Final = frozenset({"false_opening", "card_twice"})
"""The codes of notices that a player has cheated and will be ranked last."""


class Notice(Struct, frozen=True, kw_only=True):
    """A notice about a sealed game: a code of the specification, and the values of its sentence."""

    code: str
    name: str = ""
    """The name of the person whom the event concerns; empty if it concerns no single person."""
    values: Values = field(default_factory=dict)


class SealedNews(Extra, frozen=True, kw_only=True):
    """The state of a sealed game for the session, without the position."""

    stage: Stage
    digits: str | None = None
    """Six digits in two groups, to be read aloud; None before the deal is complete."""
    waiting_for: tuple[str, ...] = ()
    """The names of the persons whose seal, nonce, opening or end is missing."""
    vote_about: str | None = None
    """The owner of the due step, while the player may vote or has voted that it is missing;
    otherwise None.
    """
    is_vote_wanted: bool = False
    """True if the player may still vote about `vote_about`."""
    struck_of: str = ""
    """The owner of an eliminated card whose opening is late; "" if no such opening is late."""
    away: tuple[str, ...] = ()
    """The names of the absent persons about whom the player may choose to vote at once."""
    left_be: tuple[str, ...] = ()
    """The names of the absent persons about whom the player has chosen to vote at once."""
    notices: tuple[Notice, ...] = ()
    broken: int = 0
    """Number of incomplete deals before this deal."""
    verdicts: tuple["Verdict", ...] = ()
    """The verdict of each seat; empty before the end."""
    bot_owner: str = ""
    """The player whose machine plays the bots; empty without bots."""

    @property
    def convictions(self) -> tuple[Notice, ...]:
        """The notices about proven cheating. The game may continue after them."""
        return tuple(each for each in self.notices if each.code in CONVICTIONS)

    @property
    def convicted(self) -> frozenset[str]:
        """The names of all proven cheaters."""
        return frozenset(each.name for each in self.convictions)

    @property
    def missed(self) -> str:
        """The name of the person whose step is missing; "" if no step is missing."""
        return self.vote_about or self.struck_of


class SealedRecord(MadeRecord, frozen=True):
    """The record of a finished or frozen sealed game, with its proof."""


class VoteMissing(Request, frozen=True):
    """Vote that the due step is missing, when the program has asked for this vote."""


class LeaveBe(Request, frozen=True):
    """Choose to vote at once about an absent person from now on, or withdraw that choice."""

    name: ShownName
    chosen: bool


SealedRequest: TypeAlias = VoteMissing | LeaveBe
"""A player's request to their own program at a sealed table."""


def sealed_news(session: Session) -> SealedNews | None:
    """Return the news of a session's sealed game; None without such a game."""
    return session.extra if isinstance(session.extra, SealedNews) else None
