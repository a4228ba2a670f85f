"""A game between bots, told as text: what `driflamme play` does where there is no terminal.

It is played at a real table, and told by a spectator of it, who knows no more than any other.
"""

from collections.abc import Callable
from contextlib import aclosing

from driflamme_tui.seat.own_table import open_alone
from driflamme_tui.seat.plans import Alone
from driflamme_tui.seat.seat_session import SeatSession
from driflamme_tui.wording.game.event_words import log_lines, table_names
from driflamme_tui.wording.game.result_words import players_line, ranking_lines
from engine.events import RoundBegan
from netcode.client.session import Session
from netcode.protocol.messages import AddBot, ClientMessage, Start, State

NARRATOR = "narrator"


async def tell_game(plan: Alone, write: Callable[[str], None]) -> None:
    """Let the plan's bots play one game and write it line by line, down to the ranking."""
    table = await open_alone(plan, unattended=True)
    session = Session(table.owner_key, table.entry.secret)
    opening: list[ClientMessage] = [AddBot(bot=bot) for bot in plan.bots]
    opening.append(Start())
    spectator = SeatSession(
        NARRATOR, session, table.connect, watch=True, table=table, opening=opening
    )
    told = 0
    try:
        async with aclosing(spectator.news()) as news:
            async for each in news:
                view = session.view
                if not isinstance(each, State) or view is None:
                    continue
                names, owners = session.names(), session.owners()
                if not told:
                    write(players_line(view.families, names))
                lines = log_lines(session.events, table_names(view, names, owners), told)
                for event, (_seat, sentence) in zip(session.events[told:], lines, strict=True):
                    if isinstance(event, RoundBegan):
                        write("")
                    if sentence:
                        write(sentence)
                told = len(session.events)
                if view.over:
                    for line in ("", *ranking_lines(view, names, owners)):
                        write(line)
                    return
    finally:
        await spectator.leave(leaves=True)
        await spectator.close()
