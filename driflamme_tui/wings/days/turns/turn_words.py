"""Formulates the news of a player's tables: the turn, and the time left."""

from typing import Final

from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _, comma_list, ngettext
from driflamme_tui.wings.days.turns.known_tables import KnownTable
from driflamme_tui.wings.days.turns.returns import StoredTurn
from driflamme_tui.wording.game.names import all_of
from netcode.wings.days.pauses import DAY_S, HOUR_S

MINUTE_S: Final = 60
LEAST_DAYS_S: Final = 2 * DAY_S
"""Minimum seconds of a duration that is shown in days."""
LEAST_HOURS_S: Final = 2 * HOUR_S
"""Minimum seconds of a duration that is shown in hours."""


def duration(seconds: float) -> str:
    """Return a number of seconds in days, hours or minutes.

    A number that is up to a minute short still counts as the whole day or hour.
    """
    seconds += MINUTE_S
    if seconds >= LEAST_DAYS_S:
        return ngettext("{n} day", "{n} days", int(seconds // DAY_S))
    if seconds >= LEAST_HOURS_S:
        return ngettext("{n} hour", "{n} hours", int(seconds // HOUR_S))
    return ngettext("{n} minute", "{n} minutes", max(1, int(seconds // MINUTE_S) - 1))


def table_name(table: KnownTable) -> str:
    """Return the name of a table, by its host or by the prefix of its code, which may be empty."""
    news = table.news
    host = steady((news and news.turn.host) or table.seat.host)
    return _("{host}'s table", host=host) if host else _("Table {prefix}", prefix=table.prefix)


def turn_words(table: KnownTable, now: float) -> str:
    """Return the state of a table: the lobby, the result, or the turn with the time left.

    Without news, return the reason why they are missing.
    """
    news = table.news
    if news is None:
        return table.why
    if news.turn.phase == "lobby":
        return _("in the lobby")
    if news.turn.phase == "result":
        winners = [*map(steady, news.turn.winners)]
        if len(winners) > 1:
            return _("the game is over: {names} share the victory", names=all_of(winners))
        if winners:
            return _("the game is over: {name} has won", name=winners[0])
        return _("the game is over")
    left = None if news.turn.paused else news.left_at(now)
    if not news.turn.mine and (left is None or news.turn.whose is None):
        return waiting_words(news)
    if news.turn.mine:
        if left is None:
            return _("your turn")
        return _("your turn, {time} left", time=duration(left))
    whose = steady(news.turn.whose or "")
    return _("waits for {name}, {time} left", name=whose, time=duration(left or 0))


def waiting_words(news: StoredTurn) -> str:
    """Return the state of a running game without its time: a player's turn, or the pause."""
    if news.turn.paused:
        host = steady(news.turn.host or "")
        return _("paused by {name}", name=host) if host else _("paused")
    if news.turn.whose is None:
        return _("a game is under way")
    return _("waits for {name}", name=steady(news.turn.whose))


def turn_line(table: KnownTable, now: float, *, names_seat: bool = False) -> str:
    """Return a line about a table: its name, players, round, turn and missed chat.

    With `names_seat` the line names the player, because several players of one home have seats.
    """
    news = table.news
    parts = [turn_words(table, now)]
    if news is not None and news.turn.phase == "playing" and news.turn.round:
        parts.insert(0, _("round {number}", number=news.turn.round))
    if news is not None and news.turn.unread:
        parts.append(ngettext("{n} new line of chat", "{n} new lines of chat", news.turn.unread))
    called = table_name(table)
    if names_seat:
        called = _("{table} ({name})", table=called, name=steady(table.seat.name))
    line = _("{table}: {news}", table=called, news=comma_list(parts))
    if news is None:
        return line
    line = _("{line}. Players: {names}", line=line, names=comma_list(map(steady, news.turn.names)))
    return _("{line}. When last asked: {why}", line=line, why=table.why) if table.why else line
