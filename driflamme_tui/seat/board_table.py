"""Local tables at positions out of nowhere: a step of a game, a line of the notation, a puzzle.

Each answer may be taken back there. With all cards the reader answers for everybody; with one
family's, bots answer for the others, who like the reader see only what they would see at a table.
"""

from random import Random

from driflamme_tui.seat.local_table import LocalTable
from engine.bots.worlds import Worlds, unseen
from engine.cards import Seat
from engine.game import Game
from engine.notation import format_position, parse_position, parse_view
from engine.ranking import owners_of
from engine.replaying import ALL, Replay
from engine.view import View


def board_of(replay: Replay, step: int, seat: Seat | None = None) -> LocalTable:
    """Return the board of a step of a game, and of what had happened until then."""
    owners = owners_of(replay.record.settings, len(replay.families))
    events = replay.told_until(step, ALL)
    board = LocalTable(replay.games[step], seat, events=events, owners=owners)
    board.names = tuple(player.name for player in replay.record.players)
    return board


def board_at(line: str) -> LocalTable:
    """Return the board of a position or a view in notation; raises NotationError.

    A view is seen by the family whose cards it knows; the others are imagined, as a bot would.

    >>> line = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
    >>> board = board_at(line)
    >>> board.state().view == line, board.imagined, board.game.families[board.seat or 0]
    (True, True, 'b')
    """
    seen = parse_view(line, None)
    known = [seat for seat in range(seen.players) if not unseen(seen, seat)]
    if len(known) == seen.players:
        return LocalTable(parse_position(line))
    board = LocalTable(imagined(seen), seen.turn if seen.turn in known else next(iter(known), None))
    board.imagined = True
    return board


def imagined(seen: View) -> Game:
    """Return a game that a view may be of; raises NotationError if there is none."""
    # What is not known is dealt as the rules allow it, or the line makes no sense.
    return parse_position(format_position(Worlds(seen, Random(0)).sample()))
