"""Describes past games: their time, their players and winners."""

from datetime import datetime
from typing import Final, NamedTuple

from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _, with_decimal_sign
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import all_of, family_name, short_bot_name
from driflamme_tui.wording.program.holder_words import level_of, with_former
from engine.ranking import SEATS_OF_TWO, each_alone, owners
from netcode.storage.past_evenings import PastEvening
from netcode.table.finished_game import PastGame, PastHolder


def game_time(game: PastGame, glyphs: Glyphs, *, year: bool = True) -> str:
    """Return the local date and time at which a game ended, or else at which it began.

    Returns a dash if the times are unknown. With `year` False, the date has no year.
    """
    moment = game.began if game.ended is None else game.ended
    return glyphs.dash if moment is None else moment_words(moment, glyphs, year=year)


def moment_words(moment: int, glyphs: Glyphs, *, year: bool = True) -> str:
    """Return the local date and time of a Unix time; a dash if this machine cannot convert it.

    With `year` False, the date has no year.
    """
    try:
        local = datetime.fromtimestamp(moment)
        return f"{local:%Y-%m-%d %H:%M}" if year else f"{local:%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return glyphs.dash


def format_words(past: PastEvening) -> str:
    """Return the number of games that decide an evening, and its winners if it is decided.

    Returns "" for an evening without a limit.
    """
    if not past.best_of:
        return ""
    if not past.is_decided:
        return _("best of {n}, not decided", n=past.best_of)
    names = [steady(each.name) for each in past.evening.leaders]
    return _("best of {n}, won by {names}", n=past.best_of, names=all_of(names))


class Side(NamedTuple):
    """A player of a past game, with one seat or, at a table for two, with two."""

    families: str
    name: str
    """The player's name, without signs that would shift texts after it."""
    score: int
    """The sum of influence in all their seats."""
    place: int | None
    """The player's place, from 1; None in an unfinished game."""
    former: tuple[PastHolder, ...] = ()
    """Earlier holders of the player's seat."""
    level: str = ""
    """The level of a bot; "" for a person."""

    @property
    def name_and_level(self) -> str:
        """The name of the player.

        For a bot that has had the seat from the beginning, add its level.
        """
        if self.former or not self.level:
            return self.name
        return _("{name} ({level})", name=self.name, level=self.level)


def sides(game: PastGame) -> list[Side]:
    """Return the players, best first; in an unfinished game, by seat."""
    everybody = each_alone(len(game.players))
    names = [player.name for player in game.players]
    together = owners(len(names), two=len(names) == SEATS_OF_TWO)
    # Only at a table for two, a player has two seats. So combine seats of one name.
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
                first.former,
                level_of(first),
            )
        )
    return sorted(found, key=lambda side: side.place or 0)


UNBROKEN_SPACE: Final = "\ue000"
"""Stands for a space at which a row must not be broken."""


def players_words(game: PastGame, glyphs: Glyphs) -> str:
    """Return all players with scores, the winners marked, and the outcome of an unfinished game.

    Spaces within a part are `UNBROKEN_SPACE`.
    """
    marks = {1: f"{glyphs.won} "}
    names = {side: steady(with_former(side.name_and_level, side.former)) for side in sides(game)}
    parts = [f"{marks.get(side.place or 0, '')}{name} {side.score}" for side, name in names.items()]
    parts = [f"{part}," for part in parts[:-1]] + parts[-1:]
    if game.outcome != "finished":
        parts.append(f"({outcome_name(game.outcome)})")
    return " ".join(part.replace(" ", UNBROKEN_SPACE) for part in parts)


def outcome_name(outcome: str) -> str:
    """Return the name of a game's outcome."""
    names = {
        "finished": _("finished"),
        "abandoned": _("unfinished"),
        "cheated": _("cheated"),
        "left": _("left before the end"),
        "removed": _("sent away before the end"),
    }
    return names[outcome]


def nothing_yet() -> str:
    """Return the sentence stating that the history is empty, with the way to get games."""
    return _("No game is over yet: play one to its end, and it will be here.")


def nothing_found() -> str:
    """Return the sentence stating that no game matches the search."""
    return _("No game matches.")


def decimal(value: float | None, glyphs: Glyphs) -> str:
    """Return a number with one decimal, or a dash for None."""
    if value is None:
        return glyphs.dash
    return with_decimal_sign(f"{value:.1f}")


def rating_note() -> str:
    """Return the explanation of ratings."""
    return _("Everybody begins with 25. The true strength is within the margin 19 times in 20.")


def rated_name(name: str, is_bot: bool) -> str:
    """Return a person's name, or a bot's level with a note that it is a bot."""
    return _("{level} (bot)", level=short_bot_name(name)) if is_bot else steady(name)
