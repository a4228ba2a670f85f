"""Tests the table of the analysis board: answers, undo, and visible cards."""

import asyncio
from random import Random

import pytest

from driflamme_tui.study.local_table import LocalTable, PuzzleTable, board_at, board_of
from engine.arena.contest import Series, simulate
from engine.cards import UNKNOWN
from engine.consistency import PositionError
from engine.events import Placed
from engine.notation import format_position, parse_position
from engine.record import Record
from engine.replaying import Replay
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import Act, Start
from tests.driflamme_tui.boards import LINE, VIEW, board


def replayed(seed: int, players: int) -> Replay:
    """Return a game between bots that answer at random."""
    series = Series(games=1, players=players, edition=2, seed=seed, bots=("random",))
    (game,) = simulate(series)
    return Replay.of(Record(game.deal, tuple(map(str, game.actions))))


def seated(table: LocalTable) -> Session:
    """Log a session in to a board, and return it."""
    session = Session()

    def receive(message: Message) -> None:
        session.receive(message)

    table.send = receive
    table.receive(session.hello("Blaise"))
    return session


def answer(table: LocalTable, session: Session, token: str) -> None:
    """Send an answer to the table as a client does."""
    assert session.view is not None
    table.receive(session.act(next(each for each in session.view.legal if str(each) == token)))
    assert session.pending is None


@pytest.mark.parametrize("seed", range(3))
def test_an_answer_that_is_taken_back_and_given_again_leads_to_the_same(seed: int) -> None:
    rng, replay = Random(seed), replayed(seed, 3 + seed)
    table = board_of(replay, rng.randrange(replay.last // 2))
    assert table.names == tuple(player.name for player in replay.record.players)
    session = seated(table)
    stood: list[tuple[str, int]] = []
    for _ in range(120):
        assert session.view is not None
        assert format_position(session.view) == format_position(table.game)
        if stood and (table.game.over or rng.random() < 0.4):
            given, before = session.view, stood.pop()
            assert table.undo()
            assert (format_position(table.game), len(session.events)) == before
            assert session.view is not given
        else:
            stood.append((format_position(table.game), len(session.events)))
            token = str(rng.choice(table.game.legal))
            answer(table, session, token)
            reached, events = format_position(table.game), list(session.events)
            assert table.undo()
            answer(table, session, token)
            assert (format_position(table.game), session.events) == (reached, events)
    assert table.can_undo == bool(stood)


def test_with_all_cards_open_the_reader_answers_for_everybody() -> None:
    table, workers = board()
    session = seated(table)
    assert session.family == "r"
    answer(table, session, "x1")
    answer(table, session, "+")
    assert session.family == "b"
    assert UNKNOWN not in format_position(table.game).split()[4]
    assert not workers.pending
    assert not board()[0].undo()


async def test_with_the_cards_of_one_family_bots_answer_for_the_others_by_what_they_see() -> None:
    table, workers = board(seat="g")
    session = seated(table)
    assert session.view is not None
    while session.view.turn != 2:
        await asyncio.sleep(0)
    assert [each.eyes for each in workers.pending] == [(0,), (0,), (1,)]
    assert all(UNKNOWN in each.view for each in workers.pending)
    assert session.view.hands[0] == UNKNOWN * 3
    assert Placed(1, UNKNOWN, "<", 1, 1) in session.events
    assert not table.can_undo
    before = format_position(table.game)
    answer(table, session, str(table.game.legal[0]))
    while session.view.round == 5 and session.view.turn != 2:
        await asyncio.sleep(0)
    # Undo the answer, and the answers of bots after it.
    assert table.undo()
    assert format_position(table.game) == before
    table.change_eyes()
    assert format_position(session.view) == before
    table.change_eyes()
    assert table.seat == 2


async def test_a_bot_that_fails_is_replaced_for_that_decision() -> None:
    table, workers = board(seat="b")
    workers.trouble = True
    session = seated(table)
    while session.view is None or session.view.turn != 1:
        await asyncio.sleep(0)


def test_what_is_not_asked_changes_nothing() -> None:
    table, _workers = board()
    session = seated(table)
    for stale, token in ((1, "x1"), (0, "x2"), (0, "??")):
        table.receive(Act(number=1, revision=table.revision - stale, action=token))
    assert format_position(table.game) == LINE
    assert session.revision == 4


def test_hidden_cards_of_a_view_are_imagined_and_unknown_to_its_reader() -> None:
    table = board_at(VIEW)
    assert table.imagined
    assert format_position(parse_position(format_position(table.game))) == format_position(
        table.game
    )
    session = seated(table)
    assert session.view is not None
    assert format_position(session.view) == VIEW
    for nonsense in (VIEW.replace("ALXC", "ALX"), VIEW.replace("2 3 b?2", "2 3 b?1"), "2 3"):
        with pytest.raises(PositionError):
            board_at(nonsense)
    # A view without known hands belongs to no seat.
    assert board_at(VIEW.replace("ALXC:SHF", "????:???").replace("bm1/bP", "b?1/bP")).seat is None


def test_the_first_answer_to_a_puzzle_counts_and_the_next_is_one_that_is_open() -> None:
    table = PuzzleTable(day=3, rng=Random(1))
    first, best = table.number, table.puzzle.best
    wrong = next(token for token, _share in table.puzzle.answers if token != best)
    assert not table.take(Act(number=1, revision=0, action="??"))
    for token in (wrong, best):
        table.take(Act(number=1, revision=0, action=token))
    assert (table.given, table.progress.solved, table.progress.streak) == (wrong, (), 0)
    assert table.take(Start())
    assert table.number != first
    assert table.take(Act(number=1, revision=0, action=table.puzzle.best))
    assert table.progress.solved == (table.number,)
    # Answer twice: only the first answer to the day's puzzle counts.
    again = PuzzleTable(day=4)
    assert again.take(Act(number=1, revision=0, action=again.puzzle.best))
    assert again.progress.streak == 1
    assert set(again.progress.solved) == {table.number, again.number}
