"""Tests the shown and hidden parts of views, and the event that each viewer gets."""

import gc

import pytest
from hypothesis import given

from engine.cards import CARD_NAMES, CARDS, UNKNOWN, Seat
from engine.events import (
    AmbushSprung,
    Copied,
    Discarded,
    Eliminated,
    Event,
    Forced,
    Gained,
    GameEnded,
    Left,
    Moved,
    NoEffect,
    Placed,
    ResolutionBegan,
    Revealed,
    RoundBegan,
    Stole,
    Uncovered,
)
from engine.game import Game
from engine.notation import format_position, parse_position
from engine.position import Position, cards_in
from engine.ranking import each_alone, owners
from engine.views import owner_parts, project, public_parts, view
from tests.engine.lines import game_at
from tests.engine.random_games import Played, examples, games, random_game, viewers

RED, BLUE, GREEN, SPECTATOR = 0, 1, 2, None


def seen(game: Game, viewer: Seat | None) -> str:
    return format_position(view(game, viewer))


TABLE = "2 4 b?2 rH,bm1/bP/ba,gh1/gs,rd/rl2/rS *r3:AFX:PMC:-,b2:SHF:LXD:C,g2:APF:LXD:MC"


def test_everything_is_open_at_the_end() -> None:
    game = game_at("2 6 - rs/rh2/rA,gp,bm *r1,b1,g1")
    for viewer in viewers(game):
        assert seen(game, viewer) == format_position(game)


def test_a_view_holds_no_way_back_to_the_game() -> None:
    game = parse_position(TABLE)
    for viewer in viewers(game):
        referents = gc.get_referents(view(game, viewer))
        assert not any(isinstance(each, Game) for each in referents)
        mutable = [id(getattr(game, name)) for name in ("queue", "hands", "aside", "out", "pools")]
        assert not any(id(each) in mutable for each in referents)


@examples(60)
@given(games())
def test_the_parts_of_an_owner_are_those_of_their_view(played: Played) -> None:
    seats = len(played.deal.families)
    for game in played.games:
        public = view(game, None)
        for owner in (*each_alone(seats), *owners(seats, two=True), ()):
            seen = view(game, owner)
            parts = tuple(seen.queue), tuple(seen.hands), tuple(seen.aside)
            assert owner_parts(game, public_parts(game), owner) == parts
            for name in {*Position.__slots__} - {"queue", "hands", "aside"}:
                assert getattr(public, name) == getattr(seen, name)


@examples(100)
@given(games())
def test_a_view_hides_exactly_the_cards_of_others_that_are_not_face_up(played: Played) -> None:
    for game in played.games[:-1]:
        for viewer in viewers(game):
            looked = view(game, viewer)
            assert looked.viewer == viewer
            for seat in range(game.players):
                own = seat == viewer
                for ours, theirs in (
                    (game.hands[seat], looked.hands[seat]),
                    (game.aside[seat], looked.aside[seat]),
                ):
                    assert theirs == (ours if own else UNKNOWN * len(ours))
            for stack, shown in zip(game.queue, looked.queue, strict=True):
                assert shown[0] == stack[0]
                assert cards_in(shown) == [
                    (card if face_up or stack[0] == viewer else UNKNOWN, face_up, influence)
                    for card, face_up, influence in cards_in(stack)
                ]


# Each has the owner of the card or None, the event, and the event for other viewers.

SECRETS: list[tuple[Seat, Event, Event]] = [
    (RED, Placed(RED, "S", ">", 3, 1), Placed(RED, "?", ">", 3, 1)),
    (BLUE, Left(BLUE, 2, "C", 4), Left(BLUE, 2, "?", 4)),
    (
        BLUE,
        Moved(RED, 1, 3, 2, BLUE, "H", face_up=False),
        Moved(RED, 1, 3, 2, BLUE, "?", face_up=False),
    ),
    (GREEN, Uncovered(GREEN, 2, "L", face_up=False), Uncovered(GREEN, 2, "?", face_up=False)),
]

OPEN: list[Event] = [
    RoundBegan(2, BLUE),
    ResolutionBegan(),
    Revealed(RED, 1, "C", 2, 4),
    Forced(RED, 1, "F", "S"),
    Gained(RED, 1, "F", "H", 2),
    NoEffect(RED, 1, "S", "S"),
    Copied(RED, 1, 2, "A"),
    Eliminated(RED, 1, "S", 2, BLUE, "H", face_up=False, influence=3),
    AmbushSprung(BLUE, 4, RED),
    Discarded(RED, 1, "X"),
    Stole(RED, 1, "P", BLUE, 1),
    Moved(RED, 1, 3, 2, BLUE, "H", face_up=True),
    Uncovered(GREEN, 2, "L", face_up=True),
    GameEnded((RED, GREEN)),
]


@pytest.mark.parametrize(("owner", "event", "projected"), SECRETS)
def test_only_its_owner_is_told_which_hidden_card_it_was(
    owner: Seat, event: Event, projected: Event
) -> None:
    for viewer in (SPECTATOR, RED, BLUE, GREEN):
        assert project(event, viewer) == (event if viewer == owner else projected)


@pytest.mark.parametrize("event", OPEN)
def test_everybody_is_told_all_about_cards_that_are_open(event: Event) -> None:
    for viewer in (SPECTATOR, RED, BLUE, GREEN):
        assert project(event, viewer) == event


def test_every_kind_of_event_is_tested_here() -> None:
    tested = {type(event) for event in OPEN} | {type(event) for _, event, _ in SECRETS}
    assert tested == set(Event.__args__)


@pytest.mark.parametrize("seed", range(6))
def test_a_game_and_its_views_print_a_line_for_each_stack_and_player(seed: int) -> None:
    for game in random_game(seed).games:
        for position in (game, view(game, None), view(game, game.turn)):
            lines = str(position).splitlines()
            assert len(lines) == 1 + len(game.queue) + game.players
            assert [line[0] for line in lines[1:]].count("*") == 1
        hidden = {CARD_NAMES[card] for card in CARDS} if not game.over else set()
        face_up = {card for stack in game.queue for card, up, _ in cards_in(stack) if up}
        letters = {game.question} & {*CARDS}
        shown = {CARD_NAMES[card] for card in face_up | letters}
        assert not any(name in str(view(game, None)) for name in hidden - shown)
