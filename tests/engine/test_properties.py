"""Tests invariants of every game, besides the referee's checks."""

from random import Random

from hypothesis import given

from engine.events import (
    AmbushSprung,
    Eliminated,
    Gained,
    GameEnded,
    Left,
    Revealed,
    Stole,
)
from engine.game import Game
from engine.position import cards_in
from engine.ranking import ranking
from tests.engine.random_games import Played, everything, examples, games, moments


def influence_on_cards(game: Game) -> int:
    return sum(influence for stack in game.queue for _, _, influence in cards_in(stack))


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
