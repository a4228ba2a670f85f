"""Defines the ten cards, one function each.

For a card that lets its owner choose, the function returns the legal answers. For a card that pays,
the function returns the influence. No function changes the position, or reads a card that the owner
cannot see. So the same functions serve a game, a view and a preview. `game.py` asks the questions,
pays the influence and executes the answers.

Each function takes the position and the index, from 0, of the stack whose top card is resolving.

>>> from engine.notation import parse_position
>>> game = parse_position(
...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
... )
>>> print(*soldier(game, 1))
x1 x3
>>> print(*spy(game, 1))
$g $r
>>> lord(game, 3)
1
"""

from collections.abc import Callable
from typing import Final

from engine.actions import COPY, ELIMINATE, STEAL, Action, eliminate_any, moves_from
from engine.cards import (
    AMBUSH,
    ARCHER,
    ASSASSINATION,
    CHARACTERS,
    CONSPIRACY,
    HEIR,
    LORD,
    ROYAL_DECREE,
    SHAPESHIFTER,
    SOLDIER,
    SPY,
    Card,
)
from engine.position import Position, height


def archer(position: Position, at: int) -> tuple[Action, ...]:
    """Return the answers: to eliminate the first or the last card of the Queue.

    A Queue of one stack allows a single answer.
    """
    last = len(position.queue)
    return (ELIMINATE[1], ELIMINATE[last]) if last > 1 else (ELIMINATE[1],)


def soldier(position: Position, at: int) -> tuple[Action, ...]:
    """Return the answers: to eliminate an adjacent card; () if no card is adjacent."""
    before = (ELIMINATE[at],) if at > 0 else ()
    after = (ELIMINATE[at + 2],) if at + 1 < len(position.queue) else ()
    return before + after


def spy(position: Position, at: int) -> tuple[Action, ...]:
    """Return the answers: to steal from each owner of an adjacent card; () if no card is adjacent.

    The Spy's own family counts too. An owner of both adjacent cards is listed once.
    """
    families = position.families
    owners = [families[position.queue[beside][0]] for beside in neighbours(position, at)]
    return tuple(STEAL[family] for family in dict.fromkeys(owners))


def heir(position: Position, at: int) -> int:
    """Return the gain: 2, or 0 if another card of the same name is face up and uncovered.

    A Shapeshifter keeps its own name: copying an Heir, it looks only at other Shapeshifters.

    >>> from engine.notation import parse_position
    >>> game = parse_position(
    ...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
    ... )
    >>> heir(game, 1)
    2
    """
    name = position.queue[at][1]
    for index, (_, card, face_up, _, _) in enumerate(position.queue):
        if card == name and face_up and index != at:
            return 0
    return 2


def shapeshifter(position: Position, at: int) -> tuple[Action, ...]:
    """Return the answers: to copy an adjacent Character that is face up and uncovered.

    Another Shapeshifter is a legal choice. Without such a Character the result is ().
    """
    queue = position.queue
    return tuple(
        COPY[beside + 1]
        for beside in neighbours(position, at)
        if queue[beside][2] and queue[beside][1] in CHARACTERS
    )


def lord(position: Position, at: int) -> int:
    """Return the gain: 1, and 1 for each adjacent card of its own family.

    In the first edition, every card of an adjacent stack of its family counts; in the second, only
    the top card.
    """
    queue = position.queue
    seat = queue[at][0]
    gain = 1
    for beside in neighbours(position, at):
        if queue[beside][0] == seat:
            gain += height(queue[beside]) if position.edition.lord_counts_covered_cards else 1
    return gain


def assassination(position: Position, at: int) -> tuple[Action, ...]:
    """Return the answers: to eliminate any top card, even the Assassination itself."""
    return eliminate_any(len(position.queue))


def royal_decree(position: Position, at: int) -> tuple[Action, ...]:
    """Return the answers: to move another top card, alone, to any other place.

    A card that stands alone may go to the position of any other stack. The top card of a taller
    stack leaves its stack behind, so the Queue grows by one position. The card may go to any
    position then, also to either side of its old stack.

    >>> from engine.notation import parse_position
    >>> game = parse_position(
    ...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
    ... )
    >>> print(*royal_decree(game, 1))
    1>2 1>3 1>4 3>1 3>2 3>4 4>1 4>2 4>3
    """
    stacks = len(position.queue)
    moves: list[Action] = []
    for index, (_, _, _, _, covered) in enumerate(position.queue):
        if index == at:
            continue
        if covered is None:
            moves += moves_from(index + 1, stacks, index + 1)
        else:
            moves += moves_from(index + 1, stacks + 1, 0)
    return tuple(moves)


def ambush(position: Position, at: int) -> int:
    """Return the gain: 1 when its owner reveals it.

    The influence on the card is lost (see `REVEALING_TAKES`).
    """
    return 1


def conspiracy(position: Position, at: int) -> int:
    """Return the gain: 0.

    Revealing a Conspiracy has already taken twice its influence (`REVEALING_TAKES`).
    """
    return 0


def neighbours(position: Position, at: int) -> tuple[int, ...]:
    """Return the indices, from 0, of the stacks beside the one at index `at`.

    >>> from engine.notation import parse_position
    >>> game = parse_position(
    ...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
    ... )
    >>> neighbours(game, 0)
    (1,)
    """
    if at == 0:
        return (1,) if len(position.queue) > 1 else ()
    return (at - 1, at + 1) if at + 1 < len(position.queue) else (at - 1,)


CHOICES: Final[dict[Card, Callable[[Position, int], tuple[Action, ...]]]] = {
    ARCHER: archer,
    SOLDIER: soldier,
    SPY: spy,
    SHAPESHIFTER: shapeshifter,
    ASSASSINATION: assassination,
    ROYAL_DECREE: royal_decree,
}
"""The abilities whose owner chooses. Each function returns the legal answers."""

GAINS: Final[dict[Card, Callable[[Position, int], int]]] = {
    HEIR: heir,
    LORD: lord,
    AMBUSH: ambush,
    CONSPIRACY: conspiracy,
}
"""The abilities that pay. Each function returns the influence gained."""

REVEALING_TAKES: Final[dict[Card, int]] = {AMBUSH: 0, CONSPIRACY: 2}
"""The factor for the influence that an owner takes from a card by revealing it; 1 for cards not
listed here.
"""

AMBUSH_GAIN: Final = 4
"""Influence that an Ambush gains when an opponent's card eliminates it."""
