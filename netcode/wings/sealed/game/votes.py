"""Decides on a person's votes: that a step has come, or that it is missing.

Persons open a card only after enough votes that the last step has come.
"""

from collections.abc import Set
from dataclasses import dataclass
from typing import Final, Literal

from engine.position import LEAVE_OR_REVEAL
from netcode.wings.sealed.game.encoding import MissingBody
from netcode.wings.sealed.game.game_log import SealedLog

GONE_S: Final = 20
"""Seconds to wait before a vote that a step is missing, if it is an opening or its owner is
absent.
"""

STALLED_S: Final = 60
"""Seconds to wait before a vote that any step is missing."""

SILENT_S: Final = 10
"""Seconds to wait before a vote about an owner whose last step became a default."""

AFTER_CLOCK_S: Final = 5
"""Seconds after the clock has run out until the program votes without asking the person."""

AWAY_S: Final = 1
"""Seconds to wait before a vote about an absent person, if the voter has chosen to vote at once."""

PAUSED_S: Final = 900
"""Seconds of a pause after which persons may vote in spite of the pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The facts besides the log that a vote depends on."""

    waited_s: float
    """Seconds for which the step has been due, without the time in which the program was
    stopped.
    """
    agreeing: Set[int]
    """The persons who have reported an identical log in the last 10 s."""
    connected: Set[int]
    paused_s: float = 0
    """Seconds for which the host has paused the game; 0 if it has not."""
    left_be: Set[int] = frozenset()
    """The absent persons about whom the voter has chosen to vote at once."""


def owed_seen(log: SealedLog, me: int) -> list[int]:
    """Return the steps, in order, whose arrival person `me` has still to confirm by a vote."""
    height = log.height
    steps = {
        n
        for (n, prev), votes in log.votes.items()
        if n <= height
        and log.tip_of(n - 1) == prev
        and any(isinstance(vote.decoded, MissingBody) for vote in votes.values())
    }
    due, author = log.due, log.entries[-1].author if height else None
    # Persons open a card only if the last step is certain, so that step needs this vote.
    is_waited_for = due is None or (
        due.owner != me
        and (
            due.opening is not None
            or (
                log.game.question == LEAVE_OR_REVEAL
                and (len(log.sealing.keys) == 5 or due.owner == author)
            )
        )
    )
    if height and is_waited_for:
        steps.add(height)
    return [
        n
        for n in sorted(steps)
        if log.entries[n - 1].author not in (None, me) and me not in log.votes_on(n)
    ]


def may_open(log: SealedLog) -> bool:
    """Return True if an opening may be sent, because the last step can no longer be replaced."""
    return log.locked == log.height


def missing_vote(log: SealedLog, me: int, now: Situation) -> Literal["no", "offer", "sign"]:
    """Return the permission of person `me` to vote that the due step is missing.

    "no": not now. "offer": only if the person agrees. "sign": without asking the person.
    """
    due, quorum = log.due, log.sealing.quorum
    if due is None or quorum is None or log.frozen:
        return "no"
    owner = due.owner
    if (
        owner == me
        or me in log.votes_on(log.height + 1)
        or 0 < now.paused_s <= PAUSED_S
        or len((now.agreeing | {me}) - {owner}) < quorum
    ):
        return "no"
    clock_s = log.sealing.settings.clock_s
    if clock_s and now.waited_s >= clock_s + AFTER_CLOCK_S:
        return "sign"
    gone, is_away = owner not in now.connected, away(log, owner)
    owes = owner in log.cheated and due.opening is not None
    if owner in now.left_be and ((gone and is_away) or owes) and now.waited_s >= AWAY_S:
        return "sign"
    if is_away and now.waited_s >= SILENT_S:
        return "offer"
    if log.is_spent or now.waited_s >= STALLED_S:
        return "offer"
    if now.waited_s >= GONE_S and (gone or due.opening is not None):
        return "offer"
    return "no"


def away(log: SealedLog, person: int) -> bool:
    """Return True if the last step that a person owed has become a default."""
    for entry in reversed(log.entries):
        if entry.due.owner == person:
            return entry.author is None
    return False
