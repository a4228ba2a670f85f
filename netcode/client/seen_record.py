"""Rebuilds the record of a finished game from the events that a client saw.

A client needs this if the host's record contradicts those events. At the end every card is visible,
so the deal is known. A search finds answers that lead to the same events.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from engine.actions import Action
from engine.cards import CARDS
from engine.events import Event, Placed, RoundBegan
from engine.game import Deal, Game
from engine.notation import NotationError, format_position, parse_action
from engine.position import Stack
from engine.record import Record, RecordedPlayer
from engine.views import View, project, view
from netcode.protocol.messages import Lobby

MOST_TRIES: Final = 3000
"""Maximum number of answers that the search tries: some forty times as many as a game has."""

MOST_CORRECTIONS: Final = 60
"""Maximum number of corrected cards: more than a game places."""


def seen_record(
    seen: View,
    events: Sequence[Event],
    lobby: Lobby | None,
    holders: Mapping[str, RecordedPlayer],
    likely: Sequence[str] = (),
) -> Record | None:
    """Return a record of a finished game with the seen events; None if the search finds none.

    Also returns None if the game is not over, or its beginning was not seen. Without a lobby, the
    record has neither settings nor players. `holders` are the seen holders of the seats, by family.

    The search tries the tokens in `likely` first: a host that lies about cards may be right about
    answers.
    """
    if not seen.over or not events or not isinstance(events[0], RoundBegan):
        return None
    deal = _deal(seen, events[0].first)
    if deal is None:
        return None
    game, later = Game.start(deal), events[1:]
    # The likely tokens may mislead the search, so search once more without them.
    actions = _actions(game, seen, later, likely)
    if actions is None:
        actions = _actions(game, seen, later, _corrected(game, seen, later))
    if actions is None:
        return None
    if lobby is None:
        return Record(deal, actions)
    seats = {each: seat for seat in lobby.seats for each in (seat.family, seat.second)}
    players = [
        holders.get(family) or RecordedPlayer(family, seats[family].name, seats[family].bot)
        for family in seen.families
        if family in seats
    ]
    whole = tuple(players) if len(players) == len(seen.families) else ()
    return Record(deal, actions, lobby.settings.beside_edition(), whole)


def _deal(seen: View, first: int) -> Deal | None:
    """Return the deal; None if a family does not have ten different cards."""
    hands = []
    for aside in seen.aside:
        if not set(aside) <= set(CARDS) or len(set(aside)) != len(aside):
            return None
        hands.append("".join(each for each in CARDS if each not in aside))
    return Deal(seen.edition, seen.families, first, tuple(hands), tuple(seen.aside))


def _corrected(game: Game, seen: View, events: Sequence[Event]) -> list[str]:
    """Return answers in which as many face-down cards as possible have their true names.

    If a card turns out to differ from the assumed one, its player must have placed the other card.
    The search then starts again with that card.
    """
    first_tries: list[str] = []
    for _ in range(MOST_CORRECTIONS):
        taken, conflict = _played(game, seen, events, first_tries)
        if conflict is None:
            return taken
        first_tries, begin = list(taken), 0
        seat, supposed, shown = conflict
        swapped = {supposed: shown, shown: supposed}
        # Swap both cards from the last placement of the assumed card on. If the seen card was not
        # in the hand then, swap from that card's own placement on.
        last: dict[str, int] = {}
        placers: list[int] = []
        placed = game
        for step, token in enumerate(taken):
            happened: list[Event] = []
            before, placed = placed, placed.play(parse_action(token), happened)
            first = happened[0]
            if isinstance(first, Placed) and first.seat == seat and first.card in swapped:
                placers.append(step)
                last[first.card] = step
                if first.card == supposed:
                    other = parse_action(shown + token[1:])
                    begin = step if other in before.legal else last.get(shown, step)
        for step in placers:
            if step >= begin:
                first_tries[step] = swapped[taken[step][0]] + taken[step][1:]
    return first_tries


def _played(
    game: Game, seen: View, events: Sequence[Event], first_tries: Sequence[str]
) -> tuple[list[str], tuple[int, str, str] | None]:
    """Play as long as the events equal the seen ones, trying first the given answer of each step.

    Returns the answers, and a conflict or None. A conflict is a seat, the assumed card and the seen
    card.
    """
    known, taken = 0, list[str]()
    while not game.over:
        conflict = None
        for action in _ordered(game, first_tries, len(taken)):
            happened: list[Event] = []
            after = game.play(action, happened)
            projected = [project(each, seen.viewers) for each in happened]
            wanted = events[known : known + len(projected)]
            if projected == list(wanted):
                break
            conflict = conflict or _conflict(projected, wanted)
        else:
            return taken, conflict
        game, known = after, known + len(projected)
        taken.append(action.token)
    return taken, _conflict_at_end(view(game, seen.viewers), seen)


def _conflict_at_end(one: View, other: View) -> tuple[int, str, str] | None:
    """Return the conflict of the first card in the Queue that differs at the end.

    Returns None if no card differs.
    """
    for pair in zip(one.queue, other.queue, strict=False):
        mine: Stack | None
        theirs: Stack | None
        mine, theirs = pair
        while mine is not None and theirs is not None:
            if mine[0] == theirs[0] and mine[1] != theirs[1]:
                return mine[0], mine[1], theirs[1]
            mine, theirs = mine[4], theirs[4]
    return None


def _conflict(projected: Sequence[Event], seen: Sequence[Event]) -> tuple[int, str, str] | None:
    """Return the conflict of the first event that differs.

    Returns None if no event differs, or if it does not differ by a card of the same seat.
    """
    one, other = next(
        (pair for pair in zip(projected, seen, strict=False) if pair[0] != pair[1]), ("", "")
    )
    if type(one) is type(other):
        for seat, card in (("seat", "card"), ("victim", "victim_card")):
            cards = getattr(one, card, "?"), getattr(other, card, "?")
            is_same = getattr(one, seat, None) == getattr(other, seat, None)
            if is_same and cards[0] != cards[1] and "?" not in cards:
                return getattr(one, seat), *cards
    return None


def _actions(
    game: Game, seen: View, events: Sequence[Event], likely: Sequence[str]
) -> tuple[str, ...] | None:
    """Return answers that lead to all seen events; None if `MOST_TRIES` find none.

    A face-down card of an opponent may be any card. The search goes back when a guess proves wrong.
    """
    wanted, tries = format_position(seen), 0
    taken: list[str] = []
    # For each step: the game before it, the number of events before it, and the untried answers.
    steps: list[tuple[Game, int, Iterator[Action]]] = [(game, 0, _ordered(game, likely, 0))]
    while steps:
        before, known, left = steps[-1]
        action = next(left, None)
        if action is None:
            steps.pop()
            if taken:
                taken.pop()
            continue
        tries += 1
        if tries > MOST_TRIES:
            return None
        happened: list[Event] = []
        after = before.play(action, happened)
        projected = [project(each, seen.viewers) for each in happened]
        if projected != list(events[known : known + len(projected)]):
            continue
        known += len(projected)
        taken.append(action.token)
        if not after.over:
            steps.append((after, known, _ordered(after, likely, len(taken))))
        elif known == len(events) and format_position(view(after, seen.viewers)) == wanted:
            return tuple(taken)
        else:
            taken.pop()
    return None


def _ordered(game: Game, likely: Sequence[str], step: int) -> Iterator[Action]:
    """Yield the legal answers, beginning with the likely answer of this step if it is legal."""
    first = None
    with suppress(NotationError, IndexError):
        first = parse_action(likely[step])
    if first in game.legal:
        yield first
    yield from (action for action in game.legal if action != first)
