"""Describes changes of the players who have a seat during a game."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias, Union

from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.wording.game.names import all_of, short_bot_name
from engine.record import Holder, RecordedPlayer

if TYPE_CHECKING:
    # Import only for types: a record can be shown without the network's modules.
    from netcode.table.finished_game import PastHolder, PastPlayer

AnyHolder: TypeAlias = Union[Holder, "PastHolder"]
AnyPlayer: TypeAlias = Union[RecordedPlayer, "PastPlayer"]


def holder_name(holder: AnyHolder) -> str:
    """Return the name of a holder, and the level of a bot: `Berthe (Steady)`."""
    if holder.bot is None:
        return holder.name
    return _("{name} ({level})", name=holder.name, level=short_bot_name(holder.bot))


def level_of(holder: AnyHolder | AnyPlayer) -> str:
    """Return the level of a bot; "" for a person."""
    return "" if holder.bot is None else short_bot_name(holder.bot)


def holder_sentences(players: Iterable[AnyPlayer]) -> list[str]:
    """Return a sentence for each change of a seat's holder, in order of time."""
    # At a table for two, both seats of a player change hands together, so count that once.
    changes: dict[tuple[int, str, str], None] = {}
    for player in players:
        holders: Sequence[AnyHolder] = player.holders
        for earlier, later in pairwise(holders):
            changes[later.step, holder_name(earlier), holder_name(later)] = None
    return [
        ngettext(
            "After {n} decision {name} took the seat of {former}.",
            "After {n} decisions {name} took the seat of {former}.",
            step,
            name=name,
            former=former,
        )
        for step, former, name in sorted(changes, key=lambda change: change[0])
    ]


def with_former(name: str, former: Sequence[AnyHolder]) -> str:
    """Return the name of a seat's last holder, followed by earlier holders if there are any."""
    if not former:
        return name
    return _("{name} (before: {former})", name=name, former=all_of([*map(holder_name, former)]))
