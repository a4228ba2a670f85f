"""Builds sentences about the league of a club: its seasons, and its players' results."""

from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.history_words import rated_name, rating_note
from netcode.wings.clubs.messages import ALL_SEASONS, League, LeagueRow, Season


def season_words(season: Season) -> str:
    """Return the words for a season: a quarter of a year, or all seasons together."""
    if season == ALL_SEASONS:
        return _("all seasons")
    return _("quarter {n} of {year}", n=1 + season % 4, year=season // 4)


def league_name(row: LeagueRow) -> str:
    """Return a person's name, or a bot's level with a note that it is a bot."""
    return rated_name(row.name, row.place is None)


def league_note() -> str:
    """Return the meaning of the columns for points and ratings."""
    points = _("One point for each player you finished ahead of, if at least two people played.")
    return f"{points} {rating_note()}"


def duels_words(league: League, row: LeagueRow) -> str:
    """Return a sentence about a player's results against each other player.

    It has the numbers of games in which the player finished before and after the other one.
    """
    met = [
        f"{league_name(league.rows[other])} {ahead}:{behind}"
        for one, two, before, after in league.duels
        for first, other, ahead, behind in ((one, two, before, after), (two, one, after, before))
        if league.rows[first] is row
    ]
    return _(
        "{name} against each player, games ahead and behind: {others}",
        name=league_name(row),
        others=", ".join(met),
    )
