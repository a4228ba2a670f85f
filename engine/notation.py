"""Positions, views and actions as text, both ways.

A position is one line, and an action is one short token. Parsing is strict: it accepts a text only
if formatting the result gives the same text, and only if cards, hands and question fit together.
It does not check that a game can reach the position.
"""

import re
from functools import lru_cache
from typing import Final

from engine.abilities import CHOICES, neighbours
from engine.actions import ACTIONS, Action
from engine.cards import (
    CARDS,
    FAMILIES,
    HAND,
    INTRIGUES,
    MAXIMUM_PLAYERS,
    MINIMUM_PLAYERS,
    ROUNDS,
    SET_ASIDE,
    SHAPESHIFTER,
    UNKNOWN,
    Card,
    in_order,
)
from engine.edition import EDITIONS
from engine.game import Game
from engine.legal import legal_actions
from engine.position import LEAVE_OR_REVEAL, OVER, PLACE, Position, Stack, cards_of
from engine.ranking import Owner, Owners
from engine.texts import ExplainedError
from engine.views import View, Viewer, cards_to_others, seats_of, stack_to_others

NOTHING: Final = "-"
"""The sign for an empty Queue, an empty list of cards and no turn."""

_REMEMBERED: Final = 4096
"""Maximum number of stacks and of lists of cards in each cache: those of some hundred games."""

_NUMBER: Final = "[1-9][0-9]{0,8}"
_TURN: Final = re.compile(rf"([{FAMILIES}])(?:(\*)|([?{''.join(CHOICES)}])({_NUMBER}))")
_QUEUED: Final = re.compile(rf"([{FAMILIES}])([{CARDS}{CARDS.lower()}?])({_NUMBER})?")
_PLAYER: Final = re.compile(
    rf"(\*?)([{FAMILIES}])(0|{_NUMBER}):([{CARDS}?]+|-):([{CARDS}?]+|-):([{CARDS}?]+|-)"
)


class NotationError(ExplainedError):
    """A text is not a valid action, position or view. The sentence says what is wrong."""


def parse_action(token: str) -> Action:
    """Return the action of a token; raises NotationError if no action has it.

    >>> parse_action("S^3")
    Place(card='S', spot='^', position=3)
    >>> parse_action("S^")
    Traceback (most recent call last):
        ...
    engine.notation.NotationError: 'S^' is not an action, such as S< S> S^3 + ! x3 $b ~3 3>1.
    """
    action = ACTIONS.get(token)
    if action is None:
        raise NotationError(
            "{token!r} is not an action, such as S< S> S^3 + ! x3 $b ~3 3>1.",
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
    stacks = [own for own, _ in _stacks(position)]
    return _join(_beginning(position), stacks, [own for own, _ in _players(position)])


def view_lines(game: Game, owners: Owners) -> dict[Owner, str]:
    """Return the line of each owner's view, and of the spectators' view, whose owner is ().

    Each line equals `format_position(view(game, owner))`. This function formats the public part
    of a stack or player only once and caches it, since an action leaves most of them unchanged.

    >>> game = parse_position(
    ...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
    ... )
    >>> print(view_lines(game, ((0, 1), (2,)))[0, 1])
    2 4 rS2 g?2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:???:???:ADM
    >>> print(view_lines(game, ())[()])
    2 4 rS2 g?2,rS,r?1,bL *r3:???:???:FC,b2:???:???:DMC,g4:???:???:ADM
    """
    if game.over:
        return dict.fromkeys((*owners, ()), format_position(game))
    beginning, stacks, players = _beginning(game), _stacks(game), _players(game)
    queue, known = [others for _, others in stacks], [others for _, others in players]
    found: dict[Owner, str] = {(): _join(beginning, queue, known)}
    for owner in owners:
        player_queue, player_known = queue.copy(), known.copy()
        for at, stack in enumerate(game.queue):
            if stack[0] in owner:
                player_queue[at] = stacks[at][0]
        for seat in owner:
            player_known[seat] = players[seat][0]
        found[owner] = _join(beginning, player_queue, player_known)
    return found


def parse_position(text: str) -> Game:
    """Return the game of a line, ready to be continued; raises NotationError.

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
        raise NotationError("A position shows every card; {text!r} is a player's view.", text=text)
    game.legal = legal_actions(game)
    if not game.over:
        _check_answers(len(game.legal))
    return game


def parse_view(text: str, viewer: Viewer | str) -> View:
    """Return the view of a line as seen by `viewer`; raises NotationError.

    `viewer` may be a text with the letters of the viewer's families.

    >>> seen = parse_view(
    ...     "2 4 rS2 g?2,rS,rm1,bL *r3:APH:LXD:FC,b2:???:???:DMC,g4:???:???:ADM", 0
    ... )
    >>> print(*seen.legal)
    x1 x3
    """
    seen = View()
    _parse_into(seen, text)
    own = map(seen.families.find, viewer) if isinstance(viewer, str) else seats_of(viewer)
    seen.viewers = tuple(own)
    for seat in seen.viewers:
        if not 0 <= seat < seen.players:
            raise NotationError("There is no seat {seat} at this table.", seat=seat)
        if UNKNOWN in cards_of(seen, seat):
            raise NotationError("Players know their own cards.")
    if seen.turn in seen.viewers and not seen.over:
        _check_answers(len(seen.legal))
    return seen


def _join(beginning: str, stacks: list[str], players: list[str]) -> str:
    return f"{beginning} {','.join(stacks) or NOTHING} {','.join(players)}"


def _beginning(position: Position) -> str:
    """Format the part that is the same in all views: edition, round and turn."""
    turn = NOTHING
    if position.question != OVER:
        # No stack resolves in the placement phase.
        turn = f"{position.families[position.turn]}{position.question}{position.at + 1 or ''}"
    return f"{position.edition.number} {position.round} {turn}"


def _stacks(position: Position) -> list[tuple[str, str]]:
    """Return the text of each stack for its owner, and for everybody else."""
    families = position.families
    return [_stack(families[stack[0]], stack) for stack in position.queue]


@lru_cache(_REMEMBERED)
def _stack(family: str, stack: Stack) -> tuple[str, str]:
    return _format_stack(family, stack), _format_stack(family, stack_to_others(stack))


def _format_stack(family: str, stack: Stack) -> str:
    _, card, face_up, influence, covered = stack
    text = f"{family}{card}" if face_up else f"{family}{card.lower()}{influence or ''}"
    return text if covered is None else f"{text}/{_format_stack(family, covered)}"


def _players(position: Position) -> list[tuple[str, str]]:
    """Return the text of each player for that player, and for everybody else."""
    known = (position.families, position.pools, position.hands, position.aside, position.out)
    return [
        _player("*" if seat == position.first else "", *each)
        for seat, each in enumerate(zip(*known, strict=True))
    ]


@lru_cache(_REMEMBERED)
def _player(mark: str, family: str, pool: int, hand: str, aside: str, out: str) -> tuple[str, str]:
    head, gone = f"{mark}{family}{pool}", _cards(out)
    hidden = f"{cards_to_others(hand) or NOTHING}:{cards_to_others(aside)}"
    return f"{head}:{_cards(hand)}:{_cards(aside)}:{gone}", f"{head}:{hidden}:{gone}"


@lru_cache(_REMEMBERED)
def _cards(cards: str) -> str:
    return in_order(cards) or NOTHING


def _parse_into(position: Position, text: str) -> None:
    fields = text.split(" ")
    if len(fields) != 5:
        raise NotationError(
            "A position has five fields, EDITION ROUND TURN QUEUE PLAYERS, separated by single "
            "spaces."
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
    _check_turn(position)
    _check_cards(position)


def _parse_players(position: Position, text: str) -> None:
    players = []
    for player in text.split(","):
        match = _PLAYER.fullmatch(player)
        if match is None:
            raise NotationError(
                "{player!r} is not written like a player, such as *r3:ALXC:SHF:D.", player=player
            )
        players.append(match.groups())
    families = "".join(player[1] for player in players)
    if not MINIMUM_PLAYERS <= len(families) <= MAXIMUM_PLAYERS:
        raise NotationError("A game has 3 to 5 families, not {families}.", families=len(families))
    if len(set(families)) < len(families):
        raise NotationError("A family is listed twice among the players.")
    marks = [seat for seat, player in enumerate(players) if player[0]]
    if len(marks) != 1:
        raise NotationError("Mark exactly one family with *: the first player.")
    position.families = families
    position.first = marks[0]
    position.pools = [int(player[2]) for player in players]
    position.hands, position.aside, position.out = (
        [_parse_cards(player[column], mixed=column == 5) for player in players]
        for column in (3, 4, 5)
    )


def _parse_cards(text: str, *, mixed: bool) -> str:
    if text == NOTHING:
        return ""
    if text != in_order(text) or (not mixed and UNKNOWN in text and set(text) != {UNKNOWN}):
        raise NotationError(
            "Write cards in the order {order}, each once, not {cards!r}.",
            order=CARDS,
            cards=text,
        )
    return text


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
        raise NotationError(
            "{card!r} is not written like a card in the Queue, such as rS or bm1.", card=text
        )
    family, letter, number = match.groups()
    if family not in position.families:
        raise NotationError("{card!r} is of a family that is not at the table.", card=text)
    seat = position.seat_of(family)
    if covered is not None and covered[0] != seat:
        raise NotationError("{card!r} lies on a card of another family.", card=text)
    face_up = letter.isupper()
    if face_up and number:
        raise NotationError("{card!r} is face up, so no influence lies on it.", card=text)
    if covered is not None and covered[2] and covered[1] in INTRIGUES:
        raise NotationError("A face-up Intrigue cannot be covered.")
    return (seat, letter.upper(), face_up, int(number or 0), covered)


def _parse_turn(position: Position, text: str) -> None:
    position.at = -1
    if text == NOTHING:
        position.question = OVER
        position.turn = position.first
        return
    match = _TURN.fullmatch(text)
    if match is None:
        raise NotationError(
            "{turn!r} is not written like a turn, such as r* r?3 rA3 or -.", turn=text
        )
    family, place, question, number = match.groups()
    if family not in position.families:
        raise NotationError("It is the turn of a family that is not at the table.")
    position.turn = position.seat_of(family)
    position.question = place or question
    if number:
        position.at = int(number) - 1


def _check_turn(position: Position) -> None:
    """Check that the question fits the resolving card, and that no other Intrigue is face up."""
    if position.question == OVER and position.round != ROUNDS:
        raise NotationError("A game is over after round 6 and not before.")
    resolving = None
    if position.at >= 0:
        if position.at >= len(position.queue):
            raise NotationError(
                "The turn is about position {position}, where no card is.",
                position=position.at + 1,
            )
        seat, card, face_up, _, _ = position.queue[position.at]
        if position.question == LEAVE_OR_REVEAL:
            fits = not face_up
        else:
            fits = face_up and _may_apply(position, card, position.question)
        if seat != position.turn or not fits:
            raise NotationError(
                "The turn does not fit the card at position {position}.",
                position=position.at + 1,
            )
        resolving = position.at
    for index, (_, card, face_up, _, _) in enumerate(position.queue):
        if face_up and card in INTRIGUES and index != resolving:
            raise NotationError(
                "The Intrigue at position {position} is face up without being resolved.",
                position=index + 1,
            )


def _may_apply(position: Position, card: Card, ability: str) -> bool:
    if card == ability:
        return True
    return card == SHAPESHIFTER and any(
        position.queue[beside][2] and position.queue[beside][1] == ability
        for beside in neighbours(position, position.at)
    )


def _check_cards(position: Position) -> None:
    """Check that each family has ten distinct cards: three aside, and a hand of the right size."""
    after = HAND - position.round
    placed = position.players
    if position.question == PLACE:
        placed = (position.turn - position.first) % position.players
    for seat, family in enumerate(position.families):
        if len(position.aside[seat]) != SET_ASIDE:
            raise NotationError(
                "Family {family} must have 3 cards set aside, not {cards}.",
                family=family,
                cards=len(position.aside[seat]),
            )
        cards = cards_of(position, seat)
        known = [card for card in cards if card != UNKNOWN]
        if len(cards) != len(CARDS) or len(set(known)) != len(known):
            raise NotationError(
                "Family {family} does not have its ten distinct cards.", family=family
            )
        order = (seat - position.first) % position.players
        needed, found = after if order < placed else after + 1, len(position.hands[seat])
        if found != needed:
            raise NotationError(
                "Family {family} must have {cards} cards in hand now, not {found}.",
                family=family,
                cards=needed,
                found=found,
            )


def _check_answers(answers: int) -> None:
    if answers < 2:
        raise NotationError("The position has fewer than two answers, so nobody is asked.")
