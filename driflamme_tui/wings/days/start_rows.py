"""Adds rows to the start screen: tables that wait for the player, and their other games."""

import time
from collections.abc import Sequence
from functools import partial
from typing import Final

from driflamme_tui.preferences.remembered import forget_back
from driflamme_tui.screens.start_rows import AddedRow, StartRows, join
from driflamme_tui.seat.seat_keys import is_free, way_back
from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.days.turns.known_tables import KnownTable, last_news
from driflamme_tui.wings.days.turns.returns import store_seat
from driflamme_tui.wings.days.turns.turn_words import duration, turn_words, waiting_words
from driflamme_tui.wording.program.start_words import PLAY, VISITED_GROUP, Row

MOST_ROWS: Final = 3
"""Maximum number of rows above the menu: as many as there are keys."""


def waiting() -> Sequence[AddedRow]:
    """Return a row for each table that waits for the player, the most urgent first.

    Then come games with an end that the player has not seen. If there is room, the last row is the
    running game that the player has left last. There are at most `MOST_ROWS` rows.
    """
    now, news, back = time.time(), last_news(), way_back()
    # Another program may sit at a table that waits: then the table waits for that program.
    calling = [each for each in news if each.is_mine or each.has_unseen_end]
    calling = [each for each in calling if is_free(each.seat.place, each.seat.name)]
    mine = sorted((each for each in calling if each.is_mine), key=lambda w: w.urgency(now))
    ended = [each for each in calling if each.has_unseen_end]
    seat = None if back is None else (back.place, back.name)
    left = [
        each
        for each in news
        if _is_running(each) and not each.is_mine and (each.seat.place, each.seat.name) == seat
    ]
    rows = [_row(f"turn-{n}", each, now) for n, each in enumerate([*mine, *ended][:MOST_ROWS])]
    if len(rows) < MOST_ROWS:
        rows += [_row(f"left-{n}", each, now, is_back=True) for n, each in enumerate(left[:1])]
    return rows


def _is_running(table: KnownTable) -> bool:
    return table.news is not None and table.news.turn.phase == "playing"


def game_rows(_today: int) -> Sequence[AddedRow]:
    """Return a row for each other running game in which the player has a seat."""
    now = time.time()
    others = [each for each in last_news() if _is_running(each) and not each.is_mine]
    return [_row(f"game-{n}", each, now) for n, each in enumerate(others)]


def refresh() -> bool:
    """Request news from the servers of all tables, and store them.

    Returns True if the rows may have changed. Waits for the servers, so run it on a thread.
    """
    before = last_news()
    if not before:
        return False
    from driflamme_tui.wings.days.turns.turn_requests import ask_now

    ask_now(time.time)
    return last_news() != before


def _is_shared(table: KnownTable) -> bool:
    """Return True if another player of this account has a seat at the same table."""
    here = {each.seat.name for each in last_news() if each.seat.place == table.seat.place}
    return len(here) > 1


def _forget(table: KnownTable, *, is_back: bool) -> None:
    """Remove a table from the list, and the way back to it if this was its row."""
    if is_back:
        forget_back(way_back())
    store_seat(table.key, None)


def _row(name: str, table: KnownTable, now: float, *, is_back: bool = False) -> AddedRow:
    """Return the row of a table. With `is_back` the player has left this table last."""
    seat, news = table.seat, table.news
    host = steady((news and news.turn.host) or seat.host)
    left = None if news is None else news.left_at(now)
    state = "" if left is None else duration(left)
    if table.is_mine:
        label = _("Your turn at {host}'s table", host=host) if host else _("Your turn")
        about = _(
            "The game waits for you. Enter takes you to your seat, and shows what has happened."
        )
    elif table.has_unseen_end:
        label = _("The end at {host}'s table", host=host) if host else _("The end of your game")
        words = turn_words(table, now)
        about = _("You have not seen it yet: {news}. Enter takes you there.", news=words)
    else:
        label = _("{host}'s table", host=host) if host else _("Your game")
        words = turn_words(table, now)
        if is_back:
            label = _("Back to {host}'s table", host=host) if host else _("Back to your seat")
            state = "" if news is None else waiting_words(news)
        about = _("Your seat in this game is kept: {news}. Enter takes you there.", news=words)
    waits = table.is_mine or table.has_unseen_end or is_back
    row = Row(name, PLAY if waits else VISITED_GROUP, label, about, state, waits=waits)
    return AddedRow(
        row,
        partial(join, seat.typed),
        partial(_forget, table, is_back=is_back),
        name=seat.name,
        place=seat.place,
        is_shared=_is_shared(table),
    )


SEAM: Final = StartRows(waiting=waiting, visited=game_rows, refresh=refresh)
"""The rows of tables at which the player has a seat."""
