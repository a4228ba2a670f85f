"""What a seat may not know makes no difference to anything that it is shown.

Take a game up to some moment and a viewer. Whatever the viewer may not know at that moment has
never been face up, so those cards of a family may trade places in the whole history: in the deal
and wherever they were placed since. The game stays a legal one, and everything that the viewer
was shown on the way, every view, every event and every list of answers, must stay the same to
the byte.
"""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.abilities import CHOICES, GAINS
from engine.actions import ACTIONS, Action, Place
from engine.cards import Card, Seat, in_order
from engine.events import Event, Left, Moved, Placed, Uncovered
from engine.game import Deal, Game
from engine.notation import format_position
from engine.position import Position, cards_in
from engine.view import View, Viewer, project, seats_of, view
from tests.engine.random_games import Played, examples, joined_viewers, moments, random_game

Look = Callable[[Game, Viewer], View]
Tell = Callable[[Event, Viewer], Event]
Trade = dict[Card, Card]


def unknown_to(viewer: Viewer, game: Game, seat: Seat) -> str:
    """Return the cards of a seat that a viewer may not know, in order."""
    if seat in seats_of(viewer) or game.over:
        return ""
    hidden = [
        card
        for stack in game.queue
        if stack[0] == seat
        for card, face_up, _ in cards_in(stack)
        if not face_up
    ]
    return in_order(game.hands[seat] + game.aside[seat] + "".join(hidden))


def trades(viewer: Viewer, game: Game, rng: Random) -> list[Trade]:
    """Return, by seat, another card for every card that the viewer may not know."""
    by_seat = []
    for seat in range(game.players):
        cards = list(unknown_to(viewer, game, seat))
        rng.shuffle(cards)
        by_seat.append(dict(zip(cards, cards[1:] + cards[:1], strict=True)))
    return by_seat


def traded_deal(deal: Deal, by_seat: list[Trade]) -> Deal:
    def traded(sets: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            in_order("".join(trade.get(card, card) for card in cards))
            for trade, cards in zip(by_seat, sets, strict=True)
        )

    return deal._replace(hands=traded(deal.hands), aside=traded(deal.aside))


def traded_action(game: Game, action: Action, by_seat: list[Trade]) -> Action:
    if not isinstance(action, Place):
        return action
    card = by_seat[game.turn].get(action.card, action.card)
    return ACTIONS[card + action.token[1:]]


def shown(viewer: Viewer, game: Game, look: Look) -> str:
    """Return, as text, everything that a view says or holds."""
    seen = look(game, viewer)
    held = [getattr(seen, name) for name in (*Position.__slots__, *View.__slots__)]
    return f"{format_position(seen)}\n{held}\n{' '.join(map(str, seen.legal))}"


def interference(
    played: Played,
    index: int,
    viewer: Viewer,
    rng: Random,
    look: Look = view,
    tell: Tell = project,
) -> str:
    """Return the first thing shown to the viewer that depends on what it may not know, or ""."""
    by_seat = trades(viewer, played.games[index], rng)
    twin = Game.start(traded_deal(played.deal, by_seat))
    for game, action, events in zip(
        played.games[: index + 1], played.actions, played.events, strict=False
    ):
        here, there = shown(viewer, game, look), shown(viewer, twin, look)
        if here != there:
            return f"view:\n{here}\n{there}"
        if game is played.games[index]:
            break
        twin_events: list[Event] = []
        twin = twin.play(traded_action(twin, action, by_seat), twin_events)
        ours = [repr(tell(event, viewer)) for event in events]
        theirs = [repr(tell(event, viewer)) for event in twin_events]
        if ours != theirs:
            return f"events:\n{ours}\n{theirs}"
    return ""


@examples(300)
@given(moments(), st.integers(0, 2**32 - 1))
def test_no_view_no_event_and_no_legal_answer_depends_on_what_its_viewer_may_not_know(
    moment: tuple[Played, int], seed: int
) -> None:
    played, index = moment
    rng = Random(seed)
    for viewer in joined_viewers(played.games[index]):
        assert interference(played, index, viewer, rng) == ""


@examples(60)
@given(moments())
def test_the_viewer_who_is_asked_has_exactly_the_legal_answers_of_the_game(
    moment: tuple[Played, int],
) -> None:
    played, index = moment
    game = played.games[index]
    for viewer in joined_viewers(game):
        assert view(game, viewer).legal == (game.legal if game.turn in seats_of(viewer) else ())


@examples(60)
@given(moments())
def test_what_a_card_could_do_depends_on_nothing_that_its_owner_may_not_know(
    moment: tuple[Played, int],
) -> None:
    played, index = moment
    game = played.games[index]
    for at, (owner, _, _, _, _) in enumerate(game.queue):
        seen = view(game, owner)
        for choices in CHOICES.values():
            assert choices(seen, at) == choices(game, at)
        for gain in GAINS.values():
            assert gain(seen, at) == gain(game, at)


def test_the_trades_are_real_ones() -> None:
    """The property above says nothing if nothing is hidden: another deal, and other cards down."""
    rng = Random(2)
    for seed in range(30):
        played = random_game(seed)
        index = len(played.actions) * 2 // 3
        for viewer in joined_viewers(played.games[index]):
            by_seat = trades(viewer, played.games[index], rng)
            assert sum(map(bool, by_seat)) == len(by_seat) - len(seats_of(viewer))
            assert all(card != other for trade in by_seat for card, other in trade.items())
            twin = traded_deal(played.deal, by_seat)
            for seat, trade in enumerate(by_seat):
                assert (twin.hands[seat] != played.deal.hands[seat]) == any(
                    other not in played.deal.hands[seat]
                    for card, other in trade.items()
                    if card in played.deal.hands[seat]
                )


# Planted leaks: each of these must be caught.


def sees_set_aside(game: Game, viewer: Viewer) -> View:
    seen = view(game, viewer)
    seen.aside = list(game.aside)
    return seen


def sees_hands(game: Game, viewer: Viewer) -> View:
    seen = view(game, viewer)
    seen.hands = list(game.hands)
    return seen


def sees_the_queue(game: Game, viewer: Viewer) -> View:
    seen = view(game, viewer)
    seen.queue = list(game.queue)
    return seen


def sees_covered_cards(game: Game, viewer: Viewer) -> View:
    seen = view(game, viewer)
    seen.queue = [(*top[:4], stack[4]) for top, stack in zip(seen.queue, game.queue, strict=True)]
    return seen


def sees_one_hidden_card(game: Game, viewer: Viewer) -> View:
    """An Ambush at the end of the Queue is one influence too heavy."""
    seen = view(game, viewer)
    if seen.queue and game.queue[-1][1:3] == ("M", False):
        seat, card, face_up, influence, covered = seen.queue[-1]
        seen.queue[-1] = (seat, card, face_up, influence + 1, covered)
    return seen


class EverybodysAnswers(View):
    """A view that lists what the asked player may do, whoever looks."""

    __slots__ = ("answers",)

    answers: tuple[Action, ...]

    @property
    def legal(self) -> tuple[Action, ...]:
        return self.answers


def sees_answers_of_others(game: Game, viewer: Viewer) -> View:
    seen = view(game, viewer)
    leaky = EverybodysAnswers()
    for name in (*Position.__slots__, *View.__slots__):
        setattr(leaky, name, getattr(seen, name))
    leaky.answers = game.legal
    return leaky


def is_told_all_of(kind: type[Event]) -> Tell:
    def tell(event: Event, viewer: Viewer) -> Event:
        return event if isinstance(event, kind) else project(event, viewer)

    return tell


@pytest.mark.parametrize(
    ("look", "tell"),
    [
        pytest.param(sees_set_aside, project, id="set aside"),
        pytest.param(sees_hands, project, id="hands"),
        pytest.param(sees_the_queue, project, id="face-down cards"),
        pytest.param(sees_covered_cards, project, id="covered cards"),
        pytest.param(sees_one_hidden_card, project, id="influence"),
        pytest.param(sees_answers_of_others, project, id="answers"),
        *[
            pytest.param(view, is_told_all_of(kind), id=kind.__name__)
            for kind in (Placed, Left, Moved, Uncovered)
        ],
    ],
)
def test_a_planted_leak_is_caught(look: Look, tell: Tell) -> None:
    def caught(seed: int) -> bool:
        rng = Random(seed)
        played = random_game(seed)
        index = len(played.actions) // 2
        return any(
            interference(played, index, viewer, rng, look, tell)
            for viewer in joined_viewers(played.games[index])
        )

    assert any(caught(seed) for seed in range(40))
