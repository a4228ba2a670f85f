"""Tests that a world is a game which the viewer cannot distinguish from the real one."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.bots.learned_weights import MASTER_WEIGHTS
from engine.bots.worlds import Worlds
from engine.cards import UNKNOWN
from engine.notation import format_position, parse_position
from engine.position import cards_in, unseen_cards
from engine.views import View, view
from tests.engine.lines import game_at
from tests.engine.random_games import Played, examples, games


def check_worlds(seen: View, rng: Random, number: int = 2) -> None:
    """Assert that sampled worlds are complete games with the same view."""
    line = format_position(seen)
    for beliefs in (None, MASTER_WEIGHTS.beliefs):
        worlds = Worlds(seen, rng, beliefs)
        for _ in range(number):
            world = worlds.sample()
            assert format_position(view(world, seen.viewer)) == line
            whole = format_position(world)
            assert UNKNOWN not in whole.split(" ", 3)[3]
            assert format_position(parse_position(whole)) == whole
            assert world.legal == seen.legal
    assert format_position(seen) == line


@examples(15)
@given(games(), st.integers(0, 999))
def test_a_world_gives_the_seat_the_same_view_to_the_byte(played: Played, seed: int) -> None:
    rng = Random(seed)
    for game in played.games[seed % 3 : -1 : 3]:
        check_worlds(view(game, game.turn), rng)


@examples(10)
@given(games(), st.integers(0, 999))
def test_a_second_family_that_a_view_knows_stays_as_it_is(played: Played, seed: int) -> None:
    rng = Random(seed)
    for game in played.games[:-1:4]:
        partner = (game.turn + 2) % game.players
        seen = view(game, game.turn)
        seen.hands[partner] = game.hands[partner]
        seen.aside[partner] = game.aside[partner]
        seen.queue = [
            real if real[0] == partner else stack
            for real, stack in zip(game.queue, seen.queue, strict=True)
        ]
        for beliefs in (None, MASTER_WEIGHTS.beliefs):
            world = Worlds(seen, rng, beliefs).sample()
            assert world.hands[partner] == game.hands[partner]
            assert world.aside[partner] == game.aside[partner]
            assert [stack for stack in world.queue if stack[0] == partner] == [
                stack for stack in game.queue if stack[0] == partner
            ]


def test_what_has_been_seen_is_nowhere_else() -> None:
    game = game_at("2 3 b?2 rS,bm1/bP,gh1,gl *r3:AHLD:PFM:XC,b2:ALXC:SHF:D,g2:ASPF:XDM:C")
    seen = view(game, 1)
    assert unseen_cards(seen, 0) == "APHFLDM"
    assert unseen_cards(seen, 1) == ""
    assert unseen_cards(seen, 2) == "ASPHFLXDM"


def test_every_deal_is_as_likely_as_the_next_without_beliefs() -> None:
    game = game_at("2 3 b?2 rS,bm1/bP,gh1,gl *r3:AHLD:PFM:XC,b2:ALXC:SHF:D,g2:ASPF:XDM:C")
    worlds = Worlds(view(game, 1), Random(1))
    found = Counter(worlds.sample().queue[2][1] for _ in range(1800))
    assert set(found) == set("ASPHFLXDM")
    assert all(140 < times < 260 for times in found.values())


def test_by_beliefs_a_card_that_stood_down_a_soldier_is_often_an_ambush() -> None:
    game = game_at("2 4 b?3 gm2,rS,bl,gp3 *r3:AHL:PFD:XMC,b2:AXC:SHF:PDM,g2:ASF:HXD:LC")
    for beliefs, least, most in ((None, 0.05, 0.2), (MASTER_WEIGHTS.beliefs, 0.25, 1.0)):
        worlds = Worlds(view(game, 1), Random(1), beliefs)
        ambushes = sum(worlds.sample().queue[0][1] == "M" for _ in range(400)) / 400
        assert least < ambushes < most


def test_a_world_can_be_played_without_changing_the_next_one() -> None:
    game = game_at("2 3 b?2 rS,bm1/bP,gh1,gl *r3:AHLD:PFM:XC,b2:ALXC:SHF:D,g2:ASPF:XDM:C")
    seen = view(game, 1)
    before = format_position(seen)
    worlds = Worlds(seen, Random(2))
    world = worlds.sample()
    rng = Random(3)
    while world.legal:
        world.advance(rng.choice(world.legal))
    assert format_position(seen) == before
    assert format_position(view(worlds.sample(), 1)) == before
    assert sum(len(cards_in(stack)) for stack in worlds.sample().queue) == 5
