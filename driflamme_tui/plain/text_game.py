"""A game between bots, told as text: what `driflamme play` does where there is no terminal.

It is played at a real table, and told by a spectator of it, who
knows no more than any other spectator.
"""

from collections.abc import Callable
from contextlib import aclosing

from driflamme_tui.seat.own_table import open_alone
from driflamme_tui.seat.plans import Alone
from driflamme_tui.wording.game.event_words import event_sentence, table_names
from driflamme_tui.wording.game.result_words import players_line, ranking_lines
from engine.events import RoundBegan
from netcode.client.reconnection import Connected, Connection, stay_connected
from netcode.client.session import Session
from netcode.protocol.messages import AddBot, Lobby, Start, State, Welcome

NARRATOR = "narrator"


async def tell_game(plan: Alone, write: Callable[[str], None]) -> None:
    """Let the plan's bots play one game and write it line by line, down to the ranking."""
    table = await open_alone(plan, unattended=True)
    session = Session(table.owner_key, table.entry.secret)
    connection: Connection | None = None
    told = 0
    try:
        stay = stay_connected(table.connect, session, NARRATOR, spectator=True)
        async with aclosing(stay) as news:
            async for each in news:
                if isinstance(each, Connected):
                    connection = each.connection
                elif isinstance(each, Welcome) and connection is not None:
                    for bot in plan.bots:
                        await connection.send(AddBot(bot=bot))
                    await connection.send(Start())
                elif isinstance(each, State) and session.lobby is not None:
                    told = _tell_new(session, session.lobby, told, write)
                    if session.view is not None and session.view.over:
                        _tell_ranking(session, session.lobby, write)
                        return
    finally:
        await table.close()


def _tell_new(session: Session, lobby: Lobby, told: int, write: Callable[[str], None]) -> int:
    view = session.view
    assert view is not None
    names = table_names(view, session.names(), session.owners())
    if not told:
        write(players_line(view.families, session.names()))
    for event in session.events[told:]:
        if isinstance(event, RoundBegan):
            write("")
        write(event_sentence(event, names))
    return len(session.events)


def _tell_ranking(session: Session, lobby: Lobby, write: Callable[[str], None]) -> None:
    view = session.view
    assert view is not None
    write("")
    for line in ranking_lines(view, session.names(), session.owners()):
        write(line)
