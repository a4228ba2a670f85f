"""Formulates the news of a player's tables: whose turn it is, and the time left."""

from typing import Final

from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _, comma_list, ngettext
from driflamme_tui.wings.days.waiting import Waiting

MINUTE_S: Final = 60
HOUR_S: Final = 3600
DAY_S: Final = 24 * HOUR_S
LEAST_DAYS_S: Final = 2 * DAY_S
"""Minimum seconds of a duration that is shown in days."""
LEAST_HOURS_S: Final = 2 * HOUR_S
"""Minimum seconds of a duration that is shown in hours."""


def duration(seconds: float) -> str:
    """Return a time in days, hours or minutes, rounded down after a minute's grace."""
    seconds += MINUTE_S
    if seconds >= LEAST_DAYS_S:
        return ngettext("{n} day", "{n} days", int(seconds // DAY_S))
    if seconds >= LEAST_HOURS_S:
        return ngettext("{n} hour", "{n} hours", int(seconds // HOUR_S))
    return ngettext("{n} minute", "{n} minutes", max(1, int(seconds // MINUTE_S) - 1))


def table_name(waiting: Waiting) -> str:
    """Return the name of a table, by its host or by the prefix of its code."""
    host = steady(waiting.seat.host)
    return (
        _("{host}'s table", host=host) if host else _("Table {prefix}", prefix=waiting.seat.prefix)
    )


def turn_words(waiting: Waiting, now: float) -> str:
    """Return whose turn it is at a table, and how much time is left."""
    news = waiting.news
    if news is None:
        return waiting.why
    if news.phase == "lobby":
        return _("in the lobby")
    if news.phase == "result":
        return _("the game is over")
    left = news.left_at(now)
    if news.mine:
        if left is None:
            return _("your turn")
        return _("your turn, {time} left", time=duration(left))
    if news.whose is None:
        return _("a game is under way")
    if left is None:
        return _("waits for {name}", name=steady(news.whose))
    return _("waits for {name}, {time} left", name=steady(news.whose), time=duration(left))


def turn_line(waiting: Waiting, now: float, *, names_seat: bool = False) -> str:
    """Return a line about a table: its name, players, round, turn and missed chat.

    With `names_seat` it says whose seat is meant, for several players of one home.
    """
    news = waiting.news
    parts = [turn_words(waiting, now)]
    if news is not None and news.phase == "playing" and news.round:
        parts.insert(0, _("round {number}", number=news.round))
    if news is not None and news.unread:
        parts.append(ngettext("{n} new line of chat", "{n} new lines of chat", news.unread))
    table = table_name(waiting)
    if names_seat:
        table = _("{table} ({name})", table=table, name=steady(waiting.seat.name))
    line = _("{table}: {news}", table=table, news=comma_list(parts))
    if news is None:
        return line
    if waiting.why:
        line = _("{line} (when last asked: {why})", line=line, why=waiting.why)
    return _("{line}, with {names}", line=line, names=comma_list(map(steady, news.names)))
