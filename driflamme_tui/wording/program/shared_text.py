"""A finished game as a few lines to paste into a chat."""

from collections.abc import Iterator

from driflamme_tui.replay.playback import Playback
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.result_words import headline, tie_break
from driflamme_tui.wording.game.turning_points import turning_point
from driflamme_tui.wording.program.replay_words import heading, player_names
from engine.ranking import owners_of, places, ranking_of_owners, total
from engine.replaying import PUBLIC, Replay


def shared_text(replay: Replay, glyphs: Glyphs) -> Iterator[str]:
    """Yield who won, everybody's score with its way there, and what decided the game."""
    names, families = player_names(replay.record), replay.families
    owners = owners_of(replay.record.settings, len(families))
    end = replay.seen(replay.last, PUBLIC)
    yield f"Driflamme ({', '.join(heading(replay.record))}): {headline(end, names, owners)}"
    shown = [replay.pools(step) for step in (*replay.rounds, replay.last)]
    most = max(sum(pools[seat] for seat in own) for pools in shown for own in owners)
    for shared in ranking_of_owners(end, owners):
        for own in shared:
            way = (sum(pools[seat] for seat in own) for pools in shown)
            signs = "".join(glyphs.families[families[seat]] for seat in own)
            place, tie = places(end, owners)[own[0]], tie_break(end, own, owners)
            line = f"{place}. {signs} {names[own[0]]} {total(end, own)} {spark(way, most, glyphs)}"
            yield glyphs.plain(f"{line} ({tie})" if tie else line)
    for point in Playback(replay).turning_points.values():
        yield glyphs.plain(" ".join(turning_point(point, names, families, owners)))


def spark(values: Iterator[int], most: int, glyphs: Glyphs) -> str:
    """Return a column for each value, the highest for `most`.

    >>> from driflamme_tui.text.signs import UNICODE
    >>> spark(iter([0, 7, 14]), 14, UNICODE)
    '▁▄█'
    """
    columns = glyphs.upwards[1:]
    return "".join(columns[value * (len(columns) - 1) // max(1, most)] for value in values)
