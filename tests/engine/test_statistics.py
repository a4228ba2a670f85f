"""Tests that known games give known statistics, and that any game agrees with its pools."""

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import ROUNDS
from engine.edition import EDITIONS
from engine.events import Stole
from engine.game import STARTING_INFLUENCE, Deal, Game
from engine.notation import parse_action
from engine.position import PLACE
from engine.ranking import ranking
from engine.record import Holder, Record, RecordedPlayer, RecordError, replay
from engine.statistics import Bank, Kind, Result, Spring, Statistics, Tally
from tests.engine.random_games import Played, examples, games

HANDS = {"r": "ASPHLMC", "b": "ASPHLXC", "g": "ASPHLXM", "y": "ASPHFLC"}
ASIDE = {"r": "FXD", "b": "FDM", "g": "FDC", "y": "XDM"}


def game(wishes: dict[str, str] | None = None, families: str = "rbg", edition: int = 2) -> Record:
    """Return a finished game that is as quiet as the given answers allow.

    A key such as "4 r" is a round and a family; the value has the family's first answers in that
    round. Without such an answer, everybody places the last card of their hand at the end of the
    Queue, leaves face-down cards, and gives the first of several other answers. The first family is
    first player.
    """
    hands, aside = (tuple(cards[family] for family in families) for cards in (HANDS, ASIDE))
    deal = Deal(EDITIONS[edition], families, 0, hands, aside)
    left = {moment: tokens.split() for moment, tokens in (wishes or {}).items()}
    now = Game.start(deal)
    actions = []
    while not now.over:
        tokens = left.get(f"{now.round} {families[now.turn]}")
        if tokens:
            token = tokens.pop(0)
        elif now.question == PLACE:
            token = f"{now.hands[now.turn][-1]}>"
        else:
            token = str(now.legal[0])
        now = now.play(parse_action(token))
        actions.append(token)
    assert not any(left.values()), f"there was no occasion for {left}"
    return Record(deal, tuple(actions))


QUIET = game()
BANK = game({"4 r": "P> !"})
AMBUSH = game({"1 r": "M> +", "1 b": "S> ! x1"})


def of(*records: Record, own: tuple[int, ...] = (0,)) -> Statistics:
    """Return the statistics of some games, numbered from 1."""
    statistics = Statistics()
    for number, record in enumerate(records, 1):
        statistics.add(record, own, number)
    return statistics


def test_without_games_there_is_nothing_to_tell() -> None:
    statistics = Statistics()
    assert statistics.total == Tally(0, 0, 0, 0, 0, None, None)
    assert statistics.cards["A"].each is None
    assert statistics.fields()["best"] is None


def test_a_victory_shared_by_three_counts_as_a_third() -> None:
    total = of(QUIET).total
    assert (total.games, total.wins, total.shared) == (1, 1, 1)
    assert total.share == pytest.approx(1 / 3)
    assert total.expected == pytest.approx(1 / 3)
    assert (total.average_influence, total.average_place) == (1, 1)


def test_a_bank_is_what_was_taken_by_revealing() -> None:
    # The Conspiracy lies in the Queue from round 1, and is left three times.
    statistics = of(BANK)
    conspiracy = statistics.cards["C"]
    assert (conspiracy.placed, conspiracy.revealed, conspiracy.banked) == (1, 1, 6)
    assert (conspiracy.gained, conspiracy.influence, conspiracy.each) == (0, 6, 6)
    assert statistics.longest_bank == Bank(1, 4, "C", 6)
    assert statistics.best == Result(1, 3, 2, 7, 1, 1)
    assert statistics.total.wins == 1
    assert statistics.total.shared == 0
    assert of(BANK, own=(1,)).longest_bank is None


def test_the_longest_bank_is_the_first_of_equal_ones() -> None:
    longer = game({"5 r": "P> !"})
    assert of(BANK, BANK).longest_bank == Bank(1, 4, "C", 6)
    assert of(BANK, longer, BANK).longest_bank == Bank(2, 5, "C", 8)


def test_an_ambush_pays_its_owner_and_its_attacker() -> None:
    owner, attacker = of(AMBUSH), of(AMBUSH, own=(1,))
    assert asdict(owner.cards["M"]) == {
        "placed": 1,
        "revealed": 0,
        "eliminated": 1,
        "eliminations": 0,
        "banked": 0,
        "gained": 4,
    }
    assert owner.best_ambush == Spring(1, 1, "S", 1, 4)
    assert asdict(attacker.cards["S"]) == {
        "placed": 1,
        "revealed": 1,
        "eliminated": 0,
        "eliminations": 1,
        "banked": 0,
        "gained": 1,
    }
    assert attacker.best_ambush is None
    assert [each.results[0].place for each in (owner, attacker, of(AMBUSH, own=(2,)))] == [1, 2, 3]


def test_the_best_ambush_lured_with_most_influence() -> None:
    later = game({"1 r": "M>", "3 b": "S<", "4 b": "H> !"})
    assert of(AMBUSH, later, AMBUSH).best_ambush == Spring(2, 4, "S", 3, 4)


def test_an_own_ambush_is_no_trap_for_its_owner() -> None:
    for edition, gained in ((1, 1), (2, 0)):
        own = game({"1 r": "M>", "2 r": "S< !"}, edition=edition)
        statistics = of(own)
        assert statistics.best_ambush is None
        assert statistics.cards["M"].eliminated == 0
        assert statistics.cards["M"].gained == gained
        assert statistics.cards["S"].gained == statistics.cards["S"].eliminations > 0


def test_cards_are_credited_with_what_their_abilities_bring() -> None:
    record = game(
        {
            "1 b": "H> !",
            "2 b": "L^2 !",
            "3 b": "P^2 ! $r",
        }
    )
    statistics = of(record, own=(1,))
    cards = statistics.cards
    # Heir and Lord were covered before they could pay again; Red had one influence to lose.
    assert [cards[card].gained for card in "HLP"] == [2, 1, 1]
    assert statistics.results[0].influence == STARTING_INFLUENCE + 4


def test_what_a_shapeshifter_copies_is_its_own() -> None:
    record = game({"1 b": "H> !", "1 y": "F> !"}, "bygr")
    cards = of(record, own=(1,)).cards
    assert cards["F"].gained == 2 * ROUNDS
    assert cards["H"].gained == 0


def test_kinds_of_tables_are_told_apart() -> None:
    four = game({"4 b": "H> !"}, "rbgy", edition=1)
    kinds = of(QUIET, four, BANK).kinds
    assert {kind: (tally.games, tally.wins) for kind, tally in kinds.items()} == {
        Kind(3, 2): (2, 2),
        Kind(4, 1): (1, 0),
    }
    assert kinds[Kind(3, 2)].average_influence == 4


def test_streaks_end_with_a_game_that_others_win() -> None:
    lost = game({"4 b": "P> !"})
    statistics = of(BANK, QUIET, BANK, lost, BANK)
    assert (max(statistics.streaks), statistics.streaks[-1]) == (3, 1)
    assert of(BANK, lost).streaks[-1] == 0


def test_a_game_broken_off_is_counted_and_no_more() -> None:
    half = Record(BANK.deal, BANK.actions[:20])
    statistics = of(half, Record(BANK.deal), BANK)
    assert statistics.unfinished == 2
    assert statistics.total == of(BANK).total
    assert statistics.cards == of(BANK).cards


def test_a_record_that_breaks_the_rules_leaves_no_trace() -> None:
    statistics = of(BANK)
    with pytest.raises(RecordError, match="Step 21"):
        statistics.add(Record(BANK.deal, (*BANK.actions[:20], "x9")), (0,))
    assert statistics == of(BANK)


@pytest.mark.parametrize("own", [(), (3,), (-1,), (0, 5)])
def test_seats_that_nobody_has_are_refused(own: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="has no seats"):
        of(BANK, own=own)


def test_cards_that_another_player_of_the_seat_placed_are_not_counted() -> None:
    record = game()
    players = [RecordedPlayer(family, family) for family in record.deal.families]
    assert placed_in(record._replace(players=tuple(players))) == ROUNDS
    second = next(step.number for step in replay(record) if step.after.round == 2)
    taken = players[0].taken_by(Holder("late", None, second, 60))
    assert placed_in(record._replace(players=(taken, *players[1:]))) == ROUNDS - 1


def placed_in(record: Record) -> int:
    return sum(card["placed"] for card in of(record).fields()["cards"].values())


def test_at_a_table_for_two_the_sum_of_both_seats_counts() -> None:
    # Red has 7 and Green 1, Blue 5 and Yellow 1.
    record = game({"4 r": "P> !", "3 b": "P> !"}, "rbgy")._replace(settings={"two": True})
    statistics = of(record, own=(0, 2))
    assert statistics.results == [Result(1, 2, 2, 8, 1, 1)]
    assert statistics.total.expected == 0.5
    assert sum(figures.placed for figures in statistics.cards.values()) == 2 * ROUNDS
    assert of(record, own=(1, 3)).results == [Result(1, 2, 2, 6, 2, 1)]


def test_as_data_it_is_json_of_a_known_shape() -> None:
    fields = json.loads(json.dumps(of(BANK, AMBUSH, QUIET).fields()))
    assert (fields["format"], fields["version"]) == ("driflamme-statistics", 1)
    assert (fields["games"], fields["wins"], fields["shared"]) == (3, 3, 1)
    assert fields["share"] == 2.333
    assert fields["average_influence"] == 4.333
    assert fields["longest_bank"] == {"game": 1, "round": 4, "card": "C", "influence": 6}
    assert fields["best_ambush"] == {
        "game": 2,
        "round": 1,
        "attacker": "S",
        "bait": 1,
        "influence": 4,
    }
    assert [table["players"] for table in fields["tables"]] == [3]
    assert fields["cards"]["C"]["each"] == 2
    assert [result["influence"] for result in fields["results"]] == [7, 5, 1]


@examples(60)
@given(games(), st.data())
def test_what_cards_brought_is_what_came_into_the_pool(played: Played, data: st.DataObject) -> None:
    seat = data.draw(st.integers(0, len(played.deal.families) - 1))
    statistics = of(Record(played.deal, tuple(map(str, played.actions))), own=(seat,))
    end = played.games[-1]
    brought = sum(figures.influence for figures in statistics.cards.values())
    stolen = sum(
        event.influence
        for events in played.events
        for event in events
        if isinstance(event, Stole) and event.victim == seat
    )
    assert STARTING_INFLUENCE + brought - stolen == end.pools[seat]
    assert sum(figures.placed for figures in statistics.cards.values()) == ROUNDS
    (result,) = statistics.results
    places = ranking(end)
    assert result.influence == end.pools[seat]
    assert result.winners == len(places[0])
    assert result.won == (seat in places[0])
    assert result.place == 1 + sum(
        len(place) for place in places[: next(n for n, p in enumerate(places) if seat in p)]
    )
