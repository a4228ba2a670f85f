"""Tests that hidden cards have no effect on anything that a seat sees.

Take a moment of a game and a viewer. The cards hidden from the viewer have never been face up. So
hidden cards of one family can trade places in the deal and in all later placements: the game stays
legal, and every view, event and list of answers for the viewer must stay exactly the same.
"""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.views
from engine.abilities import CHOICES, GAINS
from engine.actions import ACTIONS, Action, Place
from engine.cards import Card, Seat, in_order
from engine.events import Event
from engine.game import Deal, Game
from engine.notation import format_position
from engine.position import Position, cards_in
from engine.views import View, Viewer, project, seats_of, view
from tests.engine.random_games import Played, examples, joined_viewers, moments, random_game
from tests.support.planted import Bug, Wrong, plant

Trade = dict[Card, Card]


def unknown_to(viewer: Viewer, game: Game, seat: Seat) -> str:
    """Return the cards of a seat that are hidden from a viewer, in order.

    Return "" for a seat of the viewer, and after the end of the game.
    """
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
    """Return, by seat, a replacement for each card hidden from the viewer."""
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


def shown(viewer: Viewer, game: Game) -> str:
    """Return everything that a view contains, as text."""
    seen = engine.views.view(game, viewer)
    values = [getattr(seen, name) for name in (*Position.__slots__, *View.__slots__)]
    return f"{format_position(seen)}\n{values}\n{' '.join(map(str, seen.legal))}"


def interference(played: Played, index: int, viewer: Viewer, rng: Random) -> str:
    """Return the first view or event that depends on hidden cards; "" if none does."""
    by_seat = trades(viewer, played.games[index], rng)
    twin = Game.start(traded_deal(played.deal, by_seat))
    for game, action, events in zip(
        played.games[: index + 1], played.actions, played.events, strict=False
    ):
        here, there = shown(viewer, game), shown(viewer, twin)
        if here != there:
            return f"view:\n{here}\n{there}"
        if game is played.games[index]:
            break
        twin_events: list[Event] = []
        twin = twin.play(traded_action(twin, action, by_seat), twin_events)
        ours = [repr(engine.views.project(event, viewer)) for event in events]
        theirs = [repr(engine.views.project(event, viewer)) for event in twin_events]
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
    """The property in this module is useful only if the traded cards are really hidden."""
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


class EverybodysAnswers(View):
    """A leaking view that shows the deciding player's answers to every viewer."""

    __slots__ = ("answers",)

    answers: tuple[Action, ...]

    @property
    def legal(self) -> tuple[Action, ...]:
        return self.answers


def everybody_sees_the_answers(patch: pytest.MonkeyPatch) -> None:
    def leaky(game: Game, viewer: Viewer) -> View:
        seen, seen_now = EverybodysAnswers(), view(game, viewer)
        for name in (*Position.__slots__, *View.__slots__):
            setattr(seen, name, getattr(seen_now, name))
        seen.answers = game.legal
        return seen

    plant(Wrong(view, lambda _right: leaky), patch)


def leaky_view(leak: Callable[[View, Game], None]) -> Wrong:
    """Return a planted bug: views with this leak."""

    def make(right: Callable[[Game, Viewer], View]) -> Callable[[Game, Viewer], View]:
        def leaky(game: Game, viewer: Viewer) -> View:
            seen = right(game, viewer)
            leak(seen, game)
            return seen

        return leaky

    return Wrong(view, make)


def show_what_is_set_aside(seen: View, game: Game) -> None:
    seen.aside = list(game.aside)


def show_hands(seen: View, game: Game) -> None:
    seen.hands = list(game.hands)


def show_face_down_cards(seen: View, game: Game) -> None:
    seen.queue = list(game.queue)


def show_covered_cards(seen: View, game: Game) -> None:
    pairs = zip(seen.queue, game.queue, strict=True)
    seen.queue = [(*shown[:4], stack[4]) for shown, stack in pairs]


def weigh_an_ambush(seen: View, game: Game) -> None:
    """Leak: show one influence more on a face-down Ambush at the end of the Queue."""
    if game.queue and game.queue[-1][1:3] == ("M", False):
        seat, card, face_up, influence, covered = seen.queue[-1]
        seen.queue[-1] = (seat, card, face_up, influence + 1, covered)


def untouched(kind: str) -> Wrong:
    """Return a planted bug: a projection that shows one kind of event completely."""

    def make(right: Callable[[Event, Viewer], Event]) -> Callable[[Event, Viewer], Event]:
        return lambda event, viewer: event if type(event).__name__ == kind else right(event, viewer)

    return Wrong(project, make)


LEAKS: dict[str, Bug] = {
    "set aside": leaky_view(show_what_is_set_aside),
    "hands": leaky_view(show_hands),
    "face-down cards": leaky_view(show_face_down_cards),
    "covered cards": leaky_view(show_covered_cards),
    "influence": leaky_view(weigh_an_ambush),
    "answers": everybody_sees_the_answers,
    **{kind: untouched(kind) for kind in ("Placed", "Left", "Moved", "Uncovered")},
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(LEAKS[name], monkeypatch)

    def caught(seed: int) -> bool:
        rng = Random(seed)
        played = random_game(seed)
        index = len(played.actions) // 2
        return any(
            interference(played, index, viewer, rng)
            for viewer in joined_viewers(played.games[index])
        )

    assert any(caught(seed) for seed in range(40))
