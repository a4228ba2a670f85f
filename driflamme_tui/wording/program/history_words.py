"""Past games in words: when they were, who played and won."""

from datetime import datetime
from typing import Final, NamedTuple

from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import all_of, family_name
from engine.ranking import SEATS_OF_TWO, each_alone, owners
from netcode.protocol.fields import ALL_SEASONS, Season
from netcode.storage.past_evenings import PastEvening
from netcode.table.finished_game import PastGame


def when(game: PastGame, glyphs: Glyphs, *, year: bool = True) -> str:
    """Return date and time, in the time of this machine, at which a game ended."""
    moment = game.began if game.ended is None else game.ended
    return glyphs.dash if moment is None else moment_words(moment, glyphs, year=year)


def moment_words(moment: int, glyphs: Glyphs, *, year: bool = True) -> str:
    """Return date and time of some Unix seconds, in the time of this machine."""
    try:
        local = datetime.fromtimestamp(moment)
        return f"{local:%Y-%m-%d %H:%M}" if year else f"{local:%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return glyphs.dash


def format_words(past: PastEvening) -> str:
    """Return how many games were to decide an evening, and who won it; "" if any number were."""
    if not past.best_of:
        return ""
    if not past.is_decided:
        return _("best of {n}, not decided", n=past.best_of)
    names = [steady(each.name) for each in past.evening.leaders]
    return _("best of {n}, won by {names}", n=past.best_of, names=all_of(names))


def season_words(season: Season) -> str:
    """Return what a season of a league is called."""
    if season == ALL_SEASONS:
        return _("all seasons")
    return _("quarter {n} of {year}", n=1 + season % 4, year=season // 4)


class Side(NamedTuple):
    """Who played for themselves: a player with a seat, or with two at a table for two."""

    families: str
    name: str
    """The player's name, without signs that would shift what stands beside them."""
    score: int
    """The influence of all their seats."""
    place: int | None
    """Their place, from 1; None in a game that was not finished."""


def sides(game: PastGame) -> list[Side]:
    """Return who played, the best first; of a game that was not finished, by their seats."""
    everybody = each_alone(len(game.players))
    names = [player.name for player in game.players]
    together = owners(len(names), two=len(names) == SEATS_OF_TWO)
    # Nobody else has two seats at a table, or another's name.
    if all(len({names[seat] for seat in owner}) == 1 for owner in together) and "" not in names:
        everybody = together
    found = []
    for owner in everybody:
        first = game.players[owner[0]]
        found.append(
            Side(
                "".join(game.players[seat].family for seat in owner),
                steady(first.name).strip() or family_name(first.family),
                sum(game.players[seat].score for seat in owner),
                first.place,
            )
        )
    return sorted(found, key=lambda side: side.place or 0)


WHOLE: Final = "\ue000"
"""Stands for a space at which a row is not to be broken."""


def players_words(game: PastGame, glyphs: Glyphs) -> str:
    """Return all players and their scores, who won marked, and what became of the game."""
    marks = {1: f"{glyphs.won} "}
    parts = [f"{marks.get(each.place or 0, '')}{each.name} {each.score}" for each in sides(game)]
    parts = [f"{part}," for part in parts[:-1]] + parts[-1:]
    if game.outcome != "finished":
        parts.append(f"({outcome_name(game.outcome)})")
    return " ".join(part.replace(" ", WHOLE) for part in parts)


def outcome_name(outcome: str) -> str:
    """Return what became of a game."""
    names = {"finished": _("finished"), "abandoned": _("abandoned"), "cheated": _("cheated")}
    return names[outcome]


def nothing_yet() -> str:
    """Return how to come by a history."""
    return _("No game is over yet: play one to its end, and it will be here.")


def nothing_found() -> str:
    """Return that no game is as one looks for it."""
    return _("No game matches.")
