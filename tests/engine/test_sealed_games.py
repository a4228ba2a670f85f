"""A game on leaves: the same game, in which nobody knows a card until its owner opens it."""

from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import ACTIONS, REVEAL, Action, Place
from engine.cards import AMBUSH, CARDS, LEAVES, Seat, in_order
from engine.events import Eliminated, Event
from engine.game import Deal, Game, Owed
from engine.legal import IllegalAction, default_answer, legal_actions, why_not
from engine.notation import format_position, parse_view
from engine.position import OPENING
from engine.ranking import ranking
from engine.view import Known, named, named_event, project, seats_of, view
from tests.engine.random_games import Played, examples, games, joined_viewers


class Seals(NamedTuple):
    """Who knows what of a sealed game: by seat, the card of each leaf."""

    cards: tuple[str, ...]

    @classmethod
    def of(cls, seed: int, seats: int) -> "Seals":
        rng = Random(seed)
        return cls(tuple("".join(rng.sample(CARDS, len(CARDS))) for _ in range(seats)))

    def deal(self, deal: Deal) -> Deal:
        """Return a deal in leaves."""
        hands, aside = (
            tuple(
                in_order("".join(str(own.index(card)) for card in cards))
                for own, cards in zip(self.cards, pile, strict=True)
            )
            for pile in (deal.hands, deal.aside)
        )
        return Deal(deal.edition, deal.families, deal.first, hands, aside)

    def action(self, seat: Seat, action: Action) -> Action:
        """Return an answer in leaves."""
        if not isinstance(action, Place):
            return action
        return ACTIONS[f"{self.cards[seat].index(action.card)}{str(action)[1:]}"]

    def due(self, game: Game) -> str:
        """Return the card that has to be opened."""
        seat, leaf, face_up, _, _ = game.queue[game.opening]
        assert seat == game.turn
        assert not face_up
        return self.cards[seat][int(leaf)]

    def known(self, seats: tuple[Seat, ...]) -> Known:
        return {seat: self.cards[seat] for seat in seats}


def told(game: Game) -> tuple[object, ...]:
    """Return all that a game says, and that an open game has none of what sealed ones have."""
    assert (game.opening, game.owed) == (-1, ()) or game.asked == OPENING
    return (
        format_position(game),
        game.out,
        tuple(game.hands),
        tuple(game.aside),
        sorted(map(str, game.legal)),
    )


@examples(120)
@given(games(), st.integers(0, 2**32 - 1))
def test_a_sealed_game_is_the_open_game_at_every_step(played: Played, seed: int) -> None:
    seals = Seals.of(seed, len(played.deal.families))
    everybody = seals.known(tuple(range(len(seals.cards))))
    game = Game.start(seals.deal(played.deal))
    rng = Random(seed)
    for index, action in enumerate(played.actions):
        before = played.games[index]
        assert told(named(game, everybody)) == told(before)
        assert {seals.action(before.turn, each) for each in before.legal} == set(game.legal)
        assert {*game.out} <= {*before.out}
        events: list[Event] = []
        held = repr(everything(game))
        following = game.play(seals.action(game.turn, action), events)
        assert repr(everything(game)) == held
        while following.asked == OPENING:
            held = repr(everything(following))
            opened = following.open(seals.due(following), events)
            assert repr(everything(following)) == held
            following = opened
        game = following
        assert [named_event(each, everybody) for each in events] == played.events[index]
        viewer = rng.choice(joined_viewers(game))
        known = seals.known(seats_of(viewer))
        assert [project(each, viewer, known) for each in events] == [
            project(each, viewer) for each in played.events[index]
        ]
        if not game.over:
            seen = view(game, viewer, known)
            there = view(played.games[index + 1], viewer)
            assert format_position(seen) == format_position(there)
            assert sorted(map(str, seen.legal)) == sorted(map(str, there.legal))
    assert told(named(game, everybody)) == told(played.games[-1])
    assert view(game, None, everybody).queue == played.games[-1].queue


def everything(game: Game) -> dict[str, object]:
    names = [name for kind in type(game).__mro__ for name in getattr(kind, "__slots__", ())]
    return {name: getattr(game, name) for name in names}


@examples(120)
@given(games(), st.integers(0, 2**32 - 1))
def test_a_game_goes_on_to_its_end_whatever_stays_unopened(played: Played, seed: int) -> None:
    rng = Random(seed)
    deal = played.deal
    seals = Seals.of(seed, len(deal.families))
    everybody = seals.known(tuple(range(len(seals.cards))))
    game, asked = Game.start(seals.deal(deal)), 0
    unopened: list[Owed] = []
    while not game.over:
        asked += 1
        assert asked < 200
        assert game.legal == legal_actions(game)
        events: list[Event] = []
        action = default_answer(game) if rng.random() < 0.2 else rng.choice(game.legal)
        assert action in game.legal
        game = game.play(action, events)
        while game.asked == OPENING:
            assert game.legal == ()
            refusal = why_not(game, REVEAL)
            assert refusal is not None
            assert refusal.code == "opening_due"
            card: str | None = seals.due(game)
            striker = game.queue[game.at][0]
            if game.opening == game.at:
                with pytest.raises(IllegalAction):
                    game.open(None)
            elif rng.random() < 0.5:
                card = None
                gain = 4
                if striker == game.turn:
                    gain = deal.edition.ambush_gain_from_own_attacker
                unopened.append(Owed(game.turn, game.queue[game.opening][1], gain))
            pools = list(game.pools)
            first = len(events)
            before = game
            game = game.open(card, events)
            if card is None:
                struck = events[first]
                assert isinstance(struck, Eliminated)
                assert struck.victim_card == unopened[-1].card
                assert game.out[before.turn].count(struck.victim_card) == 1
                if not game.over and len(events) == first + 1:
                    pools[striker] += 1
                    assert game.pools == pools
        assert [each._replace(card=each.card) for each in game.owed] == unopened
        # Somebody who knows nothing sees a position that can be written and read.
        if not game.over:
            line = format_position(view(game, None, {}))
            assert format_position(parse_view(line, None)) == line
            owner = game.turn
            mine = format_position(view(game, owner, seals.known((owner,))))
            assert format_position(parse_view(mine, owner)) == mine
    paid = [0] * len(deal.families)
    for seat, leaf, gain in unopened:
        card = seals.cards[seat][int(leaf)]
        paid[seat] += gain * (card == AMBUSH)
        late = game.open_owed(seat, leaf, card)
        assert late.out[seat] == game.out[seat].replace(leaf, card)
        assert named(late, everybody).pools == named(game, everybody).pools
        assert [each.card in LEAVES for each in late.owed].count(True) == len(unopened) - 1
    counted = named(game, everybody)
    assert [after - before for after, before in zip(counted.pools, game.pools, strict=True)] == paid
    # Who does not show everything stands behind all who do.
    shy = rng.randrange(game.players)
    last = ranking(view(game, None, {s: c for s, c in everybody.items() if s != shy}))[-1]
    assert last == (shy,)
