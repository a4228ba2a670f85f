"""Computes the league of a club: the results of its games in one season, or in all.

Like the history, it identifies people by name and bots by level, because a club does not verify
identities.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import combinations

from engine.record import LATEST
from netcode.protocol.fields import NAME_LENGTH
from netcode.storage.past_evenings import counts, history_ratings, seats_and_places
from netcode.table.finished_game import PastGame
from netcode.wings.clubs.messages import (
    ALL_SEASONS,
    MAXIMUM_DUELS,
    MAXIMUM_RANKED,
    League,
    LeagueRow,
    Season,
)


def season_of(at: float) -> Season:
    """Return the season of a Unix time. A time outside 1970 to 9999 gives the nearest season.

    >>> season_of(0) == 4 * 1970, season_of(1_798_761_599), season_of(1_798_761_600)
    (True, 8107, 8108)
    >>> season_of(-1) == season_of(0), season_of(10**18) == 4 * 9999 + 3
    (True, True)
    """
    date = datetime.fromtimestamp(min(max(at, 0), LATEST), UTC)
    return 4 * date.year + (date.month - 1) // 3


def nearest_season(games: Sequence[PastGame], season: Season | None, now: float) -> Season:
    """Return the season nearest to `season` between the first game and the present.

    None means the present season. `ALL_SEASONS` is returned as it is. `games` are in the order of
    their ends.
    """
    if season == ALL_SEASONS:
        return season
    present = season_of(now)
    first = season_of(games[0].ended or now) if games else present
    return min(max(first, season or present), present)


def league_of(games: Iterable[PastGame], season: Season) -> League:
    """Return the league of a season, from its finished games with at least two people.

    `ALL_SEASONS` stands for all games.
    """
    played = [
        game
        for game in games
        if counts(game)
        and season in (ALL_SEASONS, season_of(game.ended or 0))
        and len({player.name for player in game.players if player.bot is None}) > 1
    ]
    results = defaultdict[tuple[str, bool], Counter[str]](Counter)
    before = Counter[tuple[tuple[str, bool], tuple[str, bool]]]()
    for game in played:
        # Count all bots of one level as one player, and a person with two seats by their better
        # place.
        seats, places = seats_and_places(game)
        best = dict(sorted(zip(seats, places, strict=True), reverse=True))
        others = {player.name: player.place or 0 for player in game.players}.values()
        for player, place in best.items():
            points = sum(place < other for other in others)
            results[player].update(games=1, wins=int(place == 1), points=points)
            before.update((player, other) for other in best if place < best[other])
    merits = {player: (-each["points"], -each["wins"]) for player, each in results.items()}
    first = sorted(results, key=lambda player: (merits[player], player))[:MAXIMUM_RANKED]
    people = sorted(merit for (_name, is_bot), merit in merits.items() if not is_bot)
    ratings = {each.player: each for each in history_ratings(played)}
    rows = tuple(
        LeagueRow(
            name=player[0][:NAME_LENGTH],
            place=None if player[1] else 1 + bisect_left(people, merits[player]),
            **{name: results[player][name] for name in ("games", "wins", "points")},
            rating=round(100 * ratings[player].mu),
            uncertainty=round(196 * ratings[player].sigma),
        )
        for player in first
    )
    duels = [
        (one, other, before[first[one], first[other]], before[first[other], first[one]])
        for one, other in combinations(range(len(first)), 2)
    ]
    duels = sorted((each for each in duels if each[2] + each[3]), key=lambda each: -sum(each[2:]))
    return League(season, rows, tuple(duels[:MAXIMUM_DUELS]))
