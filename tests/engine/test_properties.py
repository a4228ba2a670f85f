"""What holds in every game that can be played."""

import pickle
from random import Random

from hypothesis import given

from engine.cards import CARDS, in_order
from engine.events import (
    AmbushSprung,
    Eliminated,
    Event,
    Gained,
    GameEnded,
    Left,
    Revealed,
    Stole,
)
from engine.game import Game
from engine.legal import legal_actions
from engine.notation import format_position, parse_position
from engine.position import Position, cards_in
from engine.ranking import ranking
from tests.engine.random_games import Played, examples, games, moments


def everything(game: Game) -> dict[str, object]:
    """Return all that a game holds, by name, as values that do not change with it."""
    held = {name: getattr(game, name) for name in (*Position.__slots__, *Game.__slots__)}
    return {name: tuple(each) if isinstance(each, list) else each for name, each in held.items()}


def influence_on_cards(game: Game) -> int:
    return sum(influence for stack in game.queue for _, _, influence in cards_in(stack))


@examples(150)
@given(games())
def test_ten_distinct_cards_of_each_family_are_always_accounted_for(played: Played) -> None:
    for game in played.games:
        for seat in range(game.players):
            queued = [
                card for stack in game.queue if stack[0] == seat for card, _, _ in cards_in(stack)
            ]
            assert game.aside[seat] == played.deal.aside[seat]
            cards = game.hands[seat] + game.aside[seat] + game.out[seat] + "".join(queued)
            assert in_order(cards) == CARDS


@examples(150)
@given(games())
def test_two_answers_or_more_are_legal_while_the_game_is_on_and_none_after(played: Played) -> None:
    for game in played.games[:-1]:
        assert len(set(game.legal)) == len(game.legal) >= 2
        assert game.legal == legal_actions(game)
        assert not game.over
    assert played.games[-1].over
    assert played.games[-1].legal == ()


@examples(100)
@given(games())
def test_every_game_takes_six_rounds_and_the_first_player_moves_on_clockwise(
    played: Played,
) -> None:
    rounds = [(game.round, game.first) for game in played.games]
    expected = [
        (number, (played.deal.first + number - 1) % len(played.deal.families))
        for number in range(1, 7)
    ]
    assert list(dict.fromkeys(rounds)) == expected


@examples(100)
@given(moments())
def test_play_leaves_the_original_as_it_was(moment: tuple[Played, int]) -> None:
    played, index = moment
    game = played.games[index]
    before = everything(game)
    for action in game.legal:
        game.play(action)
    assert everything(game) == before


@examples(100)
@given(moments())
def test_a_copy_goes_its_own_way(moment: tuple[Played, int]) -> None:
    played, index = moment
    game = played.games[index]
    before = everything(game)
    twin = game.copy()
    assert everything(twin) == before
    rng = Random(index)
    while twin.legal:
        twin.advance(rng.choice(twin.legal))
    assert everything(game) == before


@examples(100)
@given(games())
def test_advance_in_place_and_without_events_comes_to_the_same_as_play(played: Played) -> None:
    game = Game.start(played.deal)
    for action, following in zip(played.actions, played.games[1:], strict=True):
        game.advance(action)
        assert everything(game) == everything(following)


@examples(100)
@given(games())
def test_every_position_can_be_parsed_back_and_continued_to_the_same_next_one(
    played: Played,
) -> None:
    for index, action in enumerate(played.actions):
        parsed = parse_position(format_position(played.games[index]))
        assert sorted(map(str, parsed.legal)) == sorted(map(str, played.games[index].legal))
        events: list[Event] = []
        following = parsed.play(action, events)
        assert format_position(following) == format_position(played.games[index + 1])
        assert events == played.events[index]


@examples(150)
@given(games())
def test_pools_change_by_what_the_events_say_and_by_nothing_else(played: Played) -> None:
    pools = [1] * len(played.deal.families)
    for events, game in zip(played.events, played.games[1:], strict=True):
        for event in events:
            match event:
                case Revealed(seat=seat, taken=gain) | Gained(seat=seat, influence=gain):
                    pools[seat] += gain
                case Eliminated(seat=seat):
                    pools[seat] += 1
                case AmbushSprung(seat=seat, influence=gain):
                    pools[seat] += gain
                case Stole(seat=seat, victim=victim, influence=gain):
                    pools[seat] += gain
                    pools[victim] -= gain
                case _:
                    pass
        assert game.pools == pools
        assert min(pools) >= 0


@examples(150)
@given(games())
def test_influence_on_cards_comes_by_leaving_and_goes_by_revealing_and_eliminating(
    played: Played,
) -> None:
    lying = 0
    for events, game in zip(played.events, played.games[1:], strict=True):
        for event in events:
            match event:
                case Left():
                    lying += 1
                case Revealed(influence=influence) | Eliminated(influence=influence):
                    lying -= influence
                case _:
                    pass
        assert influence_on_cards(game) == lying


@examples(150)
@given(games())
def test_the_end_is_told_once_with_the_winners(played: Played) -> None:
    ends = [event for events in played.events for event in events if isinstance(event, GameEnded)]
    assert ends == [GameEnded(ranking(played.games[-1])[0])]
    assert played.events[-1][-1] == ends[0]


@examples(150)
@given(games())
def test_the_ranking_is_by_influence_then_by_own_cards_in_the_queue(played: Played) -> None:
    end = played.games[-1]
    places = ranking(end)
    assert sorted(seat for place in places for seat in place) == list(range(end.players))
    standing = [
        {
            (end.pools[seat], sum(len(cards_in(s)) for s in end.queue if s[0] == seat))
            for seat in place
        }
        for place in places
    ]
    assert all(len(shared) == 1 for shared in standing)
    order = [value for shared in standing for value in shared]
    assert order == sorted(set(order), reverse=True)


@examples(50)
@given(moments())
def test_an_equal_action_does_the_same_wherever_it_was_made(moment: tuple[Played, int]) -> None:
    played, index = moment
    game = played.games[index]
    for action in game.legal:
        remade = pickle.loads(pickle.dumps(action))
        assert remade == action
        assert format_position(game.play(remade)) == format_position(game.play(action))
