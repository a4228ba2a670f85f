"""The record of a finished game, made of what a client saw of it alone.

For a host whose own record contradicts that: at the end every card is seen, so the deal is known,
and each answer is one whose events are those that were seen.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from engine.actions import Action
from engine.cards import CARDS
from engine.events import Event, RoundBegan
from engine.game import Deal, Game
from engine.notation import NotationError, format_position, parse_action
from engine.record import Record, RecordedPlayer
from engine.views import View, project, view
from netcode.protocol.messages import Lobby

MOST_TRIES: Final = 3000
"""Maximum number of answers that are tried: some forty times as many as a game has."""


def seen_record(
    seen: View, events: Sequence[Event], lobby: Lobby | None, likely: Sequence[str] = ()
) -> Record | None:
    """Return the record of a game that is over, as it was seen; None if no game is like that.

    The tokens in `likely` are tried first: a host that lies about cards may be right about answers.
    """
    if not seen.over or not events or not isinstance(events[0], RoundBegan):
        return None
    deal = _deal(seen, events[0].first)
    if deal is None:
        return None
    # What is likely may lead astray.
    tried = (_actions(Game.start(deal), seen, events[1:], tokens) for tokens in (likely, ()))
    actions = next(filter(None, tried), None)
    if actions is None:
        return None
    if lobby is None:
        return Record(deal, actions)
    seats = {each: seat for seat in lobby.seats for each in (seat.family, seat.second)}
    players = [
        RecordedPlayer(family, seats[family].name, seats[family].bot)
        for family in seen.families
        if family in seats
    ]
    whole = tuple(players) if len(players) == len(seen.families) else ()
    return Record(deal, actions, lobby.settings.beside_edition(), whole)


def _deal(seen: View, first: int) -> Deal | None:
    """Return the deal; None if a family has not ten different cards."""
    hands = []
    for aside in seen.aside:
        if not set(aside) <= set(CARDS) or len(set(aside)) != len(aside):
            return None
        hands.append("".join(each for each in CARDS if each not in aside))
    return Deal(seen.edition, seen.families, first, tuple(hands), tuple(seen.aside))


def _actions(
    game: Game, seen: View, events: Sequence[Event], likely: Sequence[str]
) -> tuple[str, ...] | None:
    """Return answers that lead to the events and the end that were seen; None if none are found.

    A face-down card of an opponent may be any: a wrong choice is taken back when it shows.
    """
    wanted, tries = format_position(seen), 0
    taken: list[str] = []
    # Before each answer: the game, the number of events until then, and the answers that are left.
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
        told = [project(each, seen.viewers) for each in happened]
        if told != list(events[known : known + len(told)]):
            continue
        known += len(told)
        taken.append(action.token)
        if not after.over:
            steps.append((after, known, _ordered(after, likely, len(taken))))
        elif known == len(events) and format_position(view(after, seen.viewers)) == wanted:
            return tuple(taken)
        else:
            taken.pop()
    return None


def _ordered(game: Game, likely: Sequence[str], step: int) -> Iterator[Action]:
    """Yield the legal answers, the likely one of a step first."""
    first = None
    with suppress(NotationError, IndexError):
        first = parse_action(likely[step])
    if first in game.legal:
        yield first
    yield from (action for action in game.legal if action != first)
