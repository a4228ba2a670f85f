"""Formats and parses positions, views and actions as text.

A position is one line, and an action is one short token. Parsing is strict. It accepts a text only
if formatting the result gives the same text, and only if cards, hands and question fit together. It
does not check that a game can reach the position.
"""

import re
from functools import lru_cache
from typing import Final

from engine.abilities import CHOICES
from engine.actions import ACTIONS, Action
from engine.cards import (
    CARDS,
    FAMILIES,
    ROUNDS,
    UNKNOWN,
    in_order,
)
from engine.consistency import (
    PositionError,
    check_answers,
    check_cards,
    check_families,
    check_position,
    check_view,
)
from engine.edition import EDITIONS
from engine.game import Game
from engine.legal import legal_actions
from engine.position import OVER, Position, Stack, cards_of, top_card
from engine.views import View, Viewer, seats_of

NOTHING: Final = "-"
"""The sign for an empty Queue, an empty list of cards and no turn."""

_REMEMBERED: Final = 4096
"""Maximum number of lists of cards in the cache: enough for about a hundred games."""

_NUMBER: Final = "[1-9][0-9]{0,8}"
_TURN: Final = re.compile(rf"([{FAMILIES}])(?:(\*)|([?{''.join(CHOICES)}])({_NUMBER}))")
_QUEUED: Final = re.compile(rf"([{FAMILIES}])([{CARDS}{CARDS.lower()}?])({_NUMBER})?")
_PLAYER: Final = re.compile(
    rf"(\*?)([{FAMILIES}])(0|{_NUMBER}):([{CARDS}?]+|-):([{CARDS}?]+|-):([{CARDS}?]+|-)"
)


class NotationError(PositionError):
    """Raised if a text is no valid notation of an action, position or view.

    The error's sentence has the reason.
    """


def parse_action(token: str) -> Action:
    """Return the action of a token; raises NotationError if no action has it.

    >>> parse_action("S^3")
    Place(card='S', spot='^', position=3)
    >>> parse_action("S^")
    Traceback (most recent call last):
        ...
    engine.notation.NotationError: Write an action like S< S> S^3 + ! x3 $b ~3 3>1, not 'S^'.
    """
    action = ACTIONS.get(token)
    if action is None:
        raise NotationError(
            "Write an action like S< S> S^3 + ! x3 $b ~3 3>1, not {token!r}.",
            token=token,
        )
    return action


def format_position(position: Position) -> str:
    """Return the line of a position or view.

    >>> from random import Random
    >>> from engine.game import Deal
    >>> print(format_position(Game.start(Deal.shuffled(Random(1), "rbg"))))
    2 1 r* - *r1:SPFLDMC:AHX:-,b1:ASHLXMC:PFD:-,g1:ASPHLXM:FDC:-
    """
    families = position.families
    turn = NOTHING
    if position.question != OVER:
        # No stack resolves in the placement phase.
        turn = f"{families[position.turn]}{position.question}{position.at + 1 or ''}"
    queue = ",".join([_format_stack(families[stack[0]], stack) for stack in position.queue])
    known = (families, position.pools, position.hands, position.aside, position.out)
    players = [
        _format_player("*" if seat == position.first else "", *each)
        for seat, each in enumerate(zip(*known, strict=True))
    ]
    head = f"{position.edition.number} {position.round} {turn}"
    return f"{head} {queue or NOTHING} {','.join(players)}"


def parse_position(text: str) -> Game:
    """Parse a position, and return its game; raises PositionError if the text is invalid.

    >>> game = parse_position(
    ...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
    ... )
    >>> print(*game.legal)
    x1 x3
    >>> print(format_position(game.play(parse_action("x3"))))
    2 5 b* gc2,rS,bL r4:APH:LXD:FMC,*b3:ASP:HFX:DMC,g4:SPH:FLX:ADM
    """
    game = Game()
    _parse_into(game, text)
    if any(UNKNOWN in cards_of(game, seat) for seat in range(game.players)):
        raise NotationError("Write every card: {text!r} is a player's view.", text=text)
    game.legal = legal_actions(game)
    if not game.over:
        check_answers(len(game.legal))
    return game


def parse_view(text: str, viewer: Viewer) -> View:
    """Parse the view of `viewer`; raises PositionError if the text is invalid.

    >>> seen = parse_view(
    ...     "2 4 rS2 g?2,rS,rm1,bL *r3:APH:LXD:FC,b2:???:???:DMC,g4:???:???:ADM", 0
    ... )
    >>> print(*seen.legal)
    x1 x3
    """
    seen = View()
    _parse_into(seen, text)
    seen.viewers = seats_of(viewer)
    check_view(seen)
    return seen


def _format_stack(family: str, stack: Stack) -> str:
    text, covered = top_card(family, stack), stack[4]
    return text if covered is None else f"{text}/{_format_stack(family, covered)}"


def _format_player(mark: str, family: str, pool: int, hand: str, aside: str, out: str) -> str:
    return f"{mark}{family}{pool}:{_cards(hand)}:{_cards(aside)}:{_cards(out)}"


@lru_cache(_REMEMBERED)
def _cards(cards: str) -> str:
    return in_order(cards) or NOTHING


def _parse_into(position: Position, text: str) -> None:
    fields = text.split(" ")
    if len(fields) != 5:
        raise NotationError(
            "Write the five fields EDITION ROUND TURN QUEUE PLAYERS, separated by single spaces."
        )
    edition, round_, turn, queue, players = fields
    if edition not in map(str, EDITIONS):
        raise NotationError("Write 1 or 2 for the edition, not {edition!r}.", edition=edition)
    position.edition = EDITIONS[int(edition)]
    if round_ not in map(str, range(1, ROUNDS + 1)):
        raise NotationError("Write 1 to 6 for the round, not {round!r}.", round=round_)
    position.round = int(round_)
    _parse_players(position, players)
    position.queue = [] if queue == NOTHING else _parse_queue(position, queue)
    _parse_turn(position, turn)
    check_position(position)


def _parse_players(position: Position, text: str) -> None:
    players = []
    for player in text.split(","):
        match = _PLAYER.fullmatch(player)
        if match is None:
            raise NotationError(
                "Write a player like *r3:ALXC:SHF:D, not {player!r}.", player=player
            )
        players.append(match.groups())
    families = "".join(player[1] for player in players)
    check_families(families)
    marks = [seat for seat, player in enumerate(players) if player[0]]
    if len(marks) != 1:
        raise NotationError("Mark exactly one family with *: the first player.")
    position.families = families
    position.first = marks[0]
    position.pools = [int(player[2]) for player in players]
    position.hands, position.aside, position.out = (
        ["" if player[column] == NOTHING else player[column] for player in players]
        for column in (3, 4, 5)
    )
    for out in position.out:
        check_cards(out, mixed=True)


def _parse_queue(position: Position, text: str) -> list[Stack]:
    queue = []
    for cards in text.split(","):
        stack: Stack | None = None
        for card in reversed(cards.split("/")):
            stack = _parse_card(position, card, stack)
        assert stack is not None
        queue.append(stack)
    return queue


def _parse_card(position: Position, text: str, covered: Stack | None) -> Stack:
    match = _QUEUED.fullmatch(text)
    if match is None:
        raise NotationError("Write a card in the Queue like rS or bm1, not {card!r}.", card=text)
    family, letter, number = match.groups()
    if family not in position.families:
        raise NotationError(
            "Write the family of {card!r} among the players, or leave the card out.", card=text
        )
    seat = position.seat_of(family)
    return (seat, letter.upper(), letter.isupper(), int(number or 0), covered)


def _parse_turn(position: Position, text: str) -> None:
    position.at = -1
    if text == NOTHING:
        position.question = OVER
        position.turn = position.first
        return
    match = _TURN.fullmatch(text)
    if match is None:
        raise NotationError("Write a turn like r* r?3 rA3 or -, not {turn!r}.", turn=text)
    family, place, question, number = match.groups()
    if family not in position.families:
        raise NotationError("Write a turn of a family that is at the table.")
    position.turn = position.seat_of(family)
    position.question = place or question
    if number:
        position.at = int(number) - 1
