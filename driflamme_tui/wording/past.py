"""Past games in words: when they were, who played and won."""

from collections.abc import Iterator
from datetime import datetime

from rich.cells import cell_len

from driflamme_tui.i18n import _
from driflamme_tui.widgets.cells import shortened, steady
from driflamme_tui.widgets.glyphs import Glyphs
from driflamme_tui.wording.names import family_name
from netcode.past import PastGame, PastPlayer


def when(game: PastGame, glyphs: Glyphs, *, year: bool = True) -> str:
    """Return date and time, in the time of this machine, at which a game ended."""
    moment = game.began if game.ended is None else game.ended
    if moment is None:
        return glyphs.dash
    try:
        local = datetime.fromtimestamp(moment)
        return f"{local:%Y-%m-%d %H:%M}" if year else f"{local:%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return glyphs.dash


def player_name(player: PastPlayer) -> str:
    """Return what to call somebody, without signs that would shift what stands beside them."""
    return steady(player.name).strip() or family_name(player.family)


def by_place(game: PastGame) -> list[PastPlayer]:
    """Return the players, the best first; those of an abandoned game by their seats."""
    return sorted(game.players, key=lambda player: player.place or 0)


def standing(player: PastPlayer, room: int, glyphs: Glyphs) -> str:
    """Return a player and their score in so many cells, marked if they won."""
    mark = f"{glyphs.won} " if player.place == 1 else ""
    score = f" {player.score}"
    name = shortened(player_name(player), max(1, room - len(mark) - len(score)), glyphs)
    return glyphs.plain(f"{mark}{name}{score}")


def standings_in_rows(game: PastGame, width: int, glyphs: Glyphs) -> Iterator[str]:
    """Yield rows of so many cells with all players, none broken, and what became of the game."""
    parts = [standing(player, width - 1, glyphs) for player in by_place(game)]
    parts = [f"{part}," for part in parts[:-1]] + parts[-1:]
    if game.outcome == "abandoned":
        parts.append(f"({outcome_name(game.outcome)})")
    row = ""
    for part in parts:
        if row and cell_len(row) + 1 + cell_len(part) > width:
            yield row
            row = part
        else:
            row = f"{row} {part}" if row else part
    yield row


def outcome_name(outcome: str) -> str:
    """Return what became of a game."""
    return _("finished") if outcome == "finished" else _("abandoned")


def nothing_yet() -> str:
    """Return how to come by a history."""
    return _("No game is over yet: play one to its end, and it will be here.")


def nothing_found() -> str:
    """Return that no game is as one looks for it."""
    return _("None of the games is like that.")
