"""Requests news from the servers of all tables at which the player has a seat."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from driflamme_tui.preferences.visits import place_of
from driflamme_tui.seat.seat_keys import stored_key
from driflamme_tui.seat.targets import parse_target, resolve
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.days.turns.known_tables import KnownTable, tables_at
from driflamme_tui.wings.days.turns.returns import KnownSeat, StoredTurn, known_seats, store_news
from engine.texts import ExplainedError
from netcode.client.code_join import ask
from netcode.client.connection import ConnectError
from netcode.wings.days.day_record import UNTOUCHED_S
from netcode.wings.days.messages import MAXIMUM_ROWS, AskTurns, Turn, Turns
from netcode.wings.days.seat_proofs import seat_proof

ANSWER_TIMEOUT_S: Final = 5.0
"""Maximum seconds for the connection to one server and for its answers."""

MISSED_S: Final = UNTOUCHED_S
"""Seconds for which a running game stays in the list although its server does not know it."""


def ask_now(unix_time: Callable[[], float]) -> list[KnownTable]:
    """Run `ask_all` to its end. This blocks for some seconds, so call it on a thread."""
    return asyncio.run(ask_all(unix_time))


async def ask_all(unix_time: Callable[[], float]) -> list[KnownTable]:
    """Ask all servers at once, and store their news.

    Returns the tables, the most urgent first. If a server does not answer, or has lost a running
    game, `why` of its tables has the reason. Other seats that are gone are left out.
    """
    # Rows of an answer differ by their table alone, so ask for one player's seats at a time.
    servers: dict[tuple[str, str], list[KnownTable]] = {}
    before = known_seats()
    for each in tables_at(before):
        servers.setdefault((place_of(each.seat.place), each.seat.name), []).append(each)
    rounds = await asyncio.gather(*(_ask(seats, unix_time) for seats in servers.values()))
    tables = [each for found in rounds for each in found]
    answered = (each for each in tables if not each.why or each.is_absent)
    store_news(before, {each.key: each.news for each in answered})
    now = unix_time()
    there = [each for each in tables if each.news is not None or each.why]
    return sorted(there, key=lambda each: each.urgency(now))


async def _ask(seats: Sequence[KnownTable], unix_time: Callable[[], float]) -> Sequence[KnownTable]:
    """Ask one server about a player's seats, and return the seats with the server's news.

    Seats without a stored key get None as their news. If the request fails, the others keep their
    old news, and `why` has the reason.
    """
    keys = {
        each.key: key
        for each in seats
        if (key := stored_key(each.seat.place, each.seat.name)) is not None
    }
    gone = [each._replace(news=None) for each in seats if each.key not in keys]
    with_keys = [each for each in seats if each.key in keys]
    if not with_keys:
        return gone
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            rows = await _turns(
                with_keys[0].seat, [(each.seat, keys[each.key]) for each in with_keys]
            )
    except TimeoutError:
        why = _("The host does not answer.")
    except ExplainedError as error:
        why = error.sentence(_)
    else:
        now = unix_time()
        found = [(each, _news(_row_of(each.seat, rows), now)) for each in with_keys]
        return [*gone, *(_answered(each, news, now) for each, news in found)]
    return [*gone, *(each._replace(why=why) for each in with_keys)]


def _answered(table: KnownTable, news: StoredTurn | None, now: float) -> KnownTable:
    """Return a table with the news of its server, which may not know the seat.

    A running game may return there, for example once its host resumes it. So it keeps its old news
    for `MISSED_S`, but waits for nobody meanwhile.
    """
    old = table.news
    is_missed = news is None and old is not None and old.turn.phase == "playing"
    if old is not None and is_missed and now - old.received_at < MISSED_S:
        why = _("The host does not have this table now.")
        return table._replace(why=why, news=replace(old, is_absent=True))
    if news is not None and old is not None and news.turn.phase == old.turn.phase:
        news = replace(news, is_seen=old.is_seen)
    return table._replace(news=news)


async def _turns(way: KnownSeat, seats: Sequence[tuple[KnownSeat, bytes]]) -> Sequence[Turn]:
    """Return a server's answer about seats; raises ExplainedError if it gives no such answer."""
    rows: list[Turn] = []
    target = await resolve(parse_target(way.typed, ()))
    channel = await target.connect()
    try:
        for first in range(0, len(seats), MAXIMUM_ROWS):
            batch = [
                seat_proof(seat.prefix or None, key) for seat, key in seats[first:][:MAXIMUM_ROWS]
            ]
            answer = await ask(channel, AskTurns(tuple(batch)))
            if not isinstance(answer, Turns):
                raise ConnectError(
                    "The host does not say whose turn it is: ask the host to upgrade."
                )
            rows += answer.rows
    finally:
        await channel.close()
    return rows


def _row_of(seat: KnownSeat, rows: Sequence[Turn]) -> Turn | None:
    """Return the row of an answer about a seat; None for a seat that is gone.

    The only table of a server may have no known prefix: then every row is about it.
    """
    return next((row for row in rows if seat.prefix in ("", row.prefix)), None)


def _news(row: Turn | None, now: float) -> StoredTurn | None:
    """Return the news in a row of an answer; None for a seat that is gone."""
    return None if row is None else StoredTurn(now, row)
