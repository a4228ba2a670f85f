"""Tests that replaying a game gives the same positions, views and events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Eliminated, RoundBegan
from engine.notation import format_position
from engine.ranking import TWO
from engine.record import Record, RecordedPlayer, RecordError
from engine.replaying import ALL, PUBLIC, Eyes, Replay, beyond
from engine.views import project, view
from tests.engine.random_games import Played, examples, games, random_game


def record_of(played: Played) -> Record:
    players = tuple(
        RecordedPlayer(family, f"Player {family}", "steady" if seat else None)
        for seat, family in enumerate(played.deal.families)
    )
    tokens = tuple(map(str, played.actions))
    return Record(played.deal, tokens, {"pace_ms": 900}, players, 1_700_000_000, 1_700_001_000)


@examples(40)
@given(games())
def test_any_record_replays_to_the_positions_views_and_events_of_its_game(played: Played) -> None:
    record = record_of(played)
    read = Record.from_json(record.to_json())
    assert read == record
    replay = Replay.of(read)
    assert list(replay.actions) == played.actions
    assert replay.last == len(played.games) - 1
    assert replay.over
    happened = [[RoundBegan(1, played.deal.first)], *played.events]
    for step, (game, events) in enumerate(zip(played.games, happened, strict=True)):
        assert replay.line(step) == format_position(game)
        assert replay.legal(step) == game.legal
        assert list(replay.events_at(step, ALL)) == events
        for eyes in (PUBLIC, *range(game.players)):
            seat = replay.viewer(eyes)
            assert replay.line(step, eyes) == format_position(view(game, seat))
            assert list(replay.events_at(step, eyes)) == [project(event, seat) for event in events]
            assert seat == (None if eyes is PUBLIC else (eyes,))


@examples(20)
@given(games(), st.data())
def test_what_eyes_cannot_know_makes_no_difference_to_a_decision_they_see(
    played: Played, data: st.DataObject
) -> None:
    replay = Replay.of(record_of(played))
    step = data.draw(st.integers(1, replay.last))
    turn = played.games[step - 1].turn
    eyes: Eyes = data.draw(st.sampled_from([PUBLIC, *range(len(played.deal.families))]))
    token = str(played.actions[step - 1])
    hidden = "<" in token or ">" in token[1:2] or "^" in token
    placed = hidden and not token[0].isdigit()
    if placed and eyes != turn:
        assert replay.token(step, eyes) == f"?{token[1:]}"
    else:
        assert replay.token(step, eyes) == token
    assert replay.token(step) == token
    assert bool(replay.legal(step - 1, eyes)) == (eyes == turn)


def test_a_player_of_two_seats_looks_back_with_the_eyes_of_both() -> None:
    played = next(game for game in map(random_game, range(99)) if len(game.deal.families) == 4)
    tokens = tuple(map(str, played.actions))
    replay = Replay.of(Record(played.deal, tokens, {TWO: True}))
    assert replay.viewer(0) == replay.viewer(2) == (0, 2)
    for step, game in enumerate(played.games[:-1]):
        assert replay.line(step, 2) == format_position(view(game, (0, 2)))
        assert bool(replay.legal(step, 2)) == (game.turn in (0, 2))


def test_the_marks_of_a_game_are_its_rounds_and_its_eliminations() -> None:
    played = random_game(11)
    replay = Replay.of(record_of(played))
    assert len(replay.rounds) == 6
    assert replay.rounds[0] == 0
    for number, step in enumerate(replay.rounds, 1):
        assert played.games[step].round == number
        assert step == 0 or played.games[step - 1].round == number - 1
    assert replay.eliminations == tuple(
        step
        for step, events in enumerate(played.events, 1)
        if any(isinstance(event, Eliminated) for event in events)
    )


def test_one_goes_from_round_to_round_and_back() -> None:
    replay = Replay.of(record_of(random_game(11)))
    second, third = replay.rounds[1:3]
    assert replay.another_round(0, 1) == second
    assert replay.another_round(second, 1) == third
    assert replay.another_round(second + 1, -1) == second
    assert replay.another_round(second, -1) == 0
    assert replay.another_round(replay.last, 1) == replay.last
    assert replay.another_round(0, -1) == 0


@pytest.mark.parametrize(
    ("step", "by", "reached"), [(0, 1, 3), (3, 1, 7), (7, 1, 9), (9, -1, 7), (4, -1, 3), (3, -1, 0)]
)
def test_beyond_the_last_mark_is_the_end_and_before_the_first_the_deal(
    step: int, by: int, reached: int
) -> None:
    assert beyond((3, 7), step, by, 9) == reached


def test_a_decision_is_found_by_its_token_and_by_its_beginning() -> None:
    replay = Replay.of(record_of(random_game(11)))
    steps = range(1, replay.last + 1)
    left = [step for step in steps if replay.token(step) == "+"]
    assert replay.find("+", 0) == left[0]
    assert replay.find("+", left[0]) == left[1]
    assert replay.find("+", replay.last) == left[0]
    killed = [step for step in steps if replay.token(step).startswith("x")]
    assert replay.find("x", 0) == killed[0]
    assert replay.find("x99", 0) is None
    assert replay.find("", 0) is None
    placed = replay.token(1)
    assert replay.find(placed, 0, PUBLIC) is None
    assert replay.find(f"?{placed[1:]}", replay.last, PUBLIC) == 1


def test_a_record_that_breaks_the_rules_is_no_replay() -> None:
    record = record_of(random_game(11))
    with pytest.raises(RecordError, match=r"^Step 1 of the record, '!', breaks the rules: "):
        Replay.of(Record(record.deal, ("!",)))


def test_a_game_that_was_not_ended_is_seen_as_far_as_it_went() -> None:
    played = random_game(11)
    record = record_of(played)
    replay = Replay.of(Record(record.deal, record.actions[:5]))
    assert (replay.last, replay.over) == (5, False)
    assert replay.line(5) == format_position(played.games[5])
    assert Replay.of(Record(record.deal)).rounds == (0,)
