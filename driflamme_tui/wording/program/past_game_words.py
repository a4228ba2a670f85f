"""Describes a past game: its players, its time, and a summary for others."""

import time
from collections.abc import Iterator

from driflamme_tui.replay.playback import Playback
from driflamme_tui.text.i18n import comma_list
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import (
    edition_name,
    family_name,
)
from driflamme_tui.wording.game.result_words import headline, tie_break, turning_point
from engine.ranking import owners_of, places, ranking_of_owners, total
from engine.record import LATEST, Record
from engine.replaying import PUBLIC, Replay


def player_names(record: Record, step: int = LATEST) -> tuple[str, ...]:
    """Return the players' names after a step, by seat. An unknown player has the family's name.

    By default the step is the last one.
    """
    if record.players:
        return tuple(player.holder_at(step).name for player in record.players)
    return tuple(family_name(family) for family in record.deal.families)


def names_at_decision(record: Record, step: int) -> tuple[str, ...]:
    """Return the players' names, by seat, at the time of the decision that led to a step."""
    return player_names(record, max(0, step - 1))


def game_time(record: Record) -> str:
    """Return the local time at which the game ended, or else at which it began.

    Returns "" if the times are unknown.
    """
    at = record.ended if record.ended is not None else record.began
    return "" if at is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def heading(record: Record) -> list[str]:
    """Return the edition, and the time of the game if it is known."""
    return [part for part in (edition_name(record.deal.edition.number), game_time(record)) if part]


def shared_text(replay: Replay, glyphs: Glyphs) -> Iterator[str]:
    """Yield the winner, everybody's score with its course, and the turning points."""
    names, families = player_names(replay.record), replay.families
    owners = owners_of(replay.record.settings, len(families))
    end = replay.seen(replay.last, PUBLIC)
    yield f"Driflamme ({comma_list(heading(replay.record))}): {headline(end, names, owners)}"
    shown = [replay.pools(step) for step in (*replay.rounds, replay.last)]
    most = max(sum(pools[seat] for seat in own) for pools in shown for own in owners)
    for shared in ranking_of_owners(end, owners):
        for own in shared:
            way = (sum(pools[seat] for seat in own) for pools in shown)
            signs = "".join(glyphs.families[families[seat]] for seat in own)
            place, tie = places(end, owners)[own[0]], tie_break(end, own, owners)
            line = f"{place}. {signs} {names[own[0]]} {total(end, own)} {spark(way, most, glyphs)}"
            yield glyphs.plain(f"{line} ({tie})" if tie else line)
    for step, point in Playback(replay).turning_points.items():
        then = names_at_decision(replay.record, step)
        yield glyphs.plain(" ".join(turning_point(point, then, families, owners)))


def spark(values: Iterator[int], most: int, glyphs: Glyphs) -> str:
    """Return a column for each value, the highest for `most`.

    >>> from driflamme_tui.text.signs import UNICODE
    >>> spark(iter([0, 7, 14]), 14, UNICODE)
    '▁▄█'
    """
    columns = glyphs.upwards[1:]
    return "".join(columns[value * (len(columns) - 1) // max(1, most)] for value in values)
