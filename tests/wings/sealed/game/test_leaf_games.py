"""Tests games on leaves: the same games, but cards are unknown until their owners open them."""

import json
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import ACTIONS, REVEAL, Action, Place
from engine.bots.worlds import Worlds
from engine.cards import AMBUSH, CARDS, LEAVES, UNKNOWN, Card, Seat, in_order
from engine.edition import EDITIONS
from engine.events import AmbushSprung, Eliminated, Event, GameEnded
from engine.game import Deal, Game
from engine.leaf_game import OPENING, Known, LeafGame, Owed, named_event, named_game
from engine.legal import IllegalAction, legal_actions, why_not
from engine.notation import format_position, parse_view
from engine.position import PLACE, cards_of
from engine.ranking import ranking
from engine.record import Record, RecordError, replay
from engine.replaying import Replay
from engine.statistics import Statistics
from engine.views import project, seats_of, view
from netcode.wings.sealed.game.default_answers import default_answer
from tests.engine.lines import game_at
from tests.engine.random_games import Played, everything, examples, games, joined_viewers


class Seals(NamedTuple):
    """The knowledge of a sealed game: by seat, the card of each leaf."""

    cards: tuple[str, ...]

    @classmethod
    def of(cls, seed: int, seats: int) -> "Seals":
        rng = Random(seed)
        return cls(tuple("".join(rng.sample(CARDS, len(CARDS))) for _ in range(seats)))

    def deal(self, deal: Deal) -> Deal:
        """Replace the cards of a deal by the numbers of their leaves."""
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

    def card(self, seat: Seat, leaf: Card) -> Card:
        return self.cards[seat][int(leaf)]

    def due(self, game: LeafGame) -> str:
        """Return the card that must be opened."""
        seat, leaf, face_up, _, _ = game.queue[game.opening]
        assert seat == game.turn
        assert not face_up
        return self.card(seat, leaf)

    def known(self, seats: tuple[Seat, ...]) -> Known:
        return {seat: self.cards[seat] for seat in seats}


def state_of_game(game: Game) -> tuple[object, ...]:
    """Return all values of a game; assert that a card is due only at an opening."""
    if isinstance(game, LeafGame):
        assert (game.opening, game.owed) == (-1, ()) or game.question == OPENING
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
    eyes = tuple(range(len(seals.cards)))
    everybody = seals.known(eyes)
    game = LeafGame.start(seals.deal(played.deal))
    rng = Random(seed)
    for index, action in enumerate(played.actions):
        before = played.games[index]
        assert state_of_game(named_game(game, everybody)) == state_of_game(before)
        assert {seals.action(before.turn, each) for each in before.legal} == set(game.legal)
        assert {*game.out} <= {*before.out}
        events: list[Event] = []
        values = everything(game)
        following = game.play(seals.action(game.turn, action), events)
        assert everything(game) == values
        while following.question == OPENING:
            values = everything(following)
            assert everything(following.copy()) == values
            opened = following.open(seals.due(following), events)
            assert everything(following) == values
            following = opened
        game = following
        assert [named_event(each, everybody) for each in events] == played.events[index]
        viewer = rng.choice(joined_viewers(game))
        known = seals.known(seats_of(viewer))
        assert [project(named_event(each, known), viewer) for each in events] == [
            project(each, viewer) for each in played.events[index]
        ]
        if not game.over:
            seen = view(named_game(game, known), viewer)
            there = view(played.games[index + 1], viewer)
            assert format_position(seen) == format_position(there)
            assert sorted(map(str, seen.legal)) == sorted(map(str, there.legal))
    assert state_of_game(named_game(game, everybody)) == state_of_game(played.games[-1])
    assert view(named_game(game, everybody), None).queue == played.games[-1].queue


class Gaps(NamedTuple):
    """A sealed game in which some eliminated cards stayed closed."""

    seals: Seals
    games: list[LeafGame]
    """Every position with a question, and the end."""
    tokens: list[str]
    """The answer in each position except the last, in leaves."""
    opened: set[tuple[Seat, Card]]
    """The leaves that were opened when due."""
    owed: list[Owed]
    """The owed cards, as this test computes them."""

    @property
    def end(self) -> LeafGame:
        return self.games[-1]

    @property
    def everybody(self) -> tuple[Seat, ...]:
        return tuple(range(len(self.seals.cards)))


def play_with_gaps(deal: Deal, rng: Random) -> Gaps:
    """Return a random sealed game in which some eliminated cards stay unopened."""
    seals = Seals.of(rng.randrange(2**32), len(deal.families))
    game = LeafGame.start(seals.deal(deal))
    played = Gaps(seals, [game], [], set(), [])
    while game.legal:
        action = default_answer(game) if rng.random() < 0.2 else rng.choice(game.legal)
        assert action in game.legal
        played.tokens.append(str(action))
        events: list[Event] = []
        game = game.play(action, events)
        while game.question == OPENING:
            game = open_or_not(played, game, events, rng)
        played.games.append(game)
    return played


def open_or_not(played: Gaps, game: LeafGame, events: list[Event], rng: Random) -> LeafGame:
    """Open the due card or leave it closed, at random; return the game.

    Asserts that both follow the rules.
    """
    refusal = why_not(game, REVEAL)
    assert refusal is not None
    assert (refusal.code, game.legal, legal_actions(game)) == ("opening_due", (), ())
    assert refusal.sentence() == "The game is waiting for a card to be shown."
    leaf, striker = game.queue[game.opening][1], game.queue[game.at][0]
    if game.opening == game.at:
        with pytest.raises(IllegalAction, match="is waiting for a card to be shown"):
            game.open(None)
    elif rng.random() < 0.4:
        count = len(events)
        following = game.open(None, events)
        assert isinstance(struck := events[count], Eliminated)
        assert (struck.seat, struck.victim, struck.victim_card) == (striker, game.turn, leaf)
        assert not any(isinstance(each, AmbushSprung) for each in events[count:])
        assert following.out[game.turn].count(leaf) == 1
        own = game.edition.ambush_gain_from_own_attacker
        owed = Owed(game.turn, leaf, own if striker == game.turn else 4)
        played.owed.append(owed)
        if striker == game.turn:
            # A closed card does not save its attacker: it counts as an Ambush, which pays later.
            opened = game.open(AMBUSH)
            paid = following.pools.copy()
            paid[game.turn] += owed.gain
            assert (following.queue, paid) == (opened.queue, opened.pools)
        return following
    played.opened.add((game.turn, leaf))
    return game.open(played.seals.due(game), events)


@examples(80)
@given(games(), st.integers(0, 2**32 - 1))
def test_a_game_goes_on_to_its_end_whatever_stays_unopened(played: Played, seed: int) -> None:
    rng = Random(seed)
    gaps = play_with_gaps(played.deal, rng)
    for game in gaps.games:
        # Views can be written and parsed, and agree with cards that nobody has shown.
        everybodys = format_position(view(named_game(game, {}), None))
        assert format_position(parse_view(everybodys, None)) == everybodys
        own = view(named_game(game, gaps.seals.known((game.turn,))), game.turn)
        line = format_position(own)
        assert format_position(parse_view(line, game.turn)) == line
        if game.over:
            break
        world = Worlds(own, rng).sample()
        assert all(in_order(cards_of(world, seat)) == CARDS for seat in gaps.everybody)
        assert world.legal == own.legal
    end = gaps.end
    assert list(end.owed) == gaps.owed
    paid = list(end.pools)
    for seat, leaf, gain in gaps.owed:
        card = gaps.seals.card(seat, leaf)
        paid[seat] += gain * (card == AMBUSH)
        opened = end.open_owed(seat, leaf, card)
        assert opened.out[seat] == end.out[seat].replace(leaf, card)
        end = opened
    assert [each.card for each in end.owed] == [gaps.seals.card(*each[:2]) for each in gaps.owed]
    everybody = gaps.seals.known(gaps.everybody)
    assert named_game(end, everybody).pools == named_game(gaps.end, everybody).pools == paid
    # A player who does not show all cards ranks behind all who do.
    shy = rng.choice(gaps.everybody)
    showing = gaps.seals.known(tuple(set(gaps.everybody) - {shy}))
    assert ranking(view(named_game(gaps.end, showing), None))[-1] == (shy,)


def record_of(gaps: Gaps, proven: tuple[Seat, ...], late: tuple[Seat, ...]) -> Record:
    """Return the record of a game.

    At the end, the seats `proven` showed all cards except owed ones, and the seats `late` showed
    the owed cards.
    """
    deal = gaps.games[0]
    owed = {each[:2] for each in gaps.owed}

    def shown(seat: Seat, leaf: Card) -> Card:
        here = (seat, leaf)
        open_now = here in gaps.opened or (seat in proven and here not in owed)
        return gaps.seals.card(seat, leaf) if open_now else leaf

    hands, aside = (
        tuple(
            in_order("".join(shown(seat, leaf) for leaf in cards))
            for seat, cards in enumerate(pile)
        )
        for pile in (deal.hands, deal.aside)
    )
    tokens = [
        shown(game.turn, token[0]) + token[1:] if game.question == PLACE else token
        for game, token in zip(gaps.games, gaps.tokens, strict=False)
    ]
    cards = {
        deal.families[seat]: {
            leaf: gaps.seals.card(seat, leaf) for owner, leaf, _ in gaps.owed if owner == seat
        }
        for seat in late
    }
    there = Deal(deal.edition, deal.families, deal.first, hands, aside)
    return Record(there, tuple(tokens), seal="c2VhbGVk", late=cards)


@examples(60)
@given(games(), st.integers(0, 2**32 - 1))
def test_the_record_of_a_sealed_game_is_played_through_as_the_game_was(
    played: Played, seed: int
) -> None:
    rng = Random(seed)
    gaps = play_with_gaps(played.deal, rng)
    proven, late = (tuple(seat for seat in gaps.everybody if rng.random() < 0.6) for _ in range(2))
    for showing, owing in ((gaps.everybody, gaps.everybody), (proven, late)):
        record = record_of(gaps, showing, owing)
        assert Record.from_json(record.to_json()) == record
        replayed = Replay.of(record)
        known = {
            seat: "".join(
                card if str(leaf) in played_by(gaps, seat, owing, showing) else UNKNOWN
                for leaf, card in enumerate(gaps.seals.cards[seat])
            )
            for seat in gaps.everybody
        }
        for step, game in enumerate(gaps.games):
            assert format_position(replayed.games[step]) == format_position(named_game(game, known))
            assert all(LEAVES.find(sign) < 0 for sign in "".join(replayed.games[step].out))
        placed = [str(each)[:1] for each in replayed.actions if isinstance(each, Place)]
        assert {*placed} <= {*CARDS, UNKNOWN}
        statistics = Statistics()
        statistics.add(record, own=(0,), game=1)
        assert statistics.total.games == 1
        last = replayed.happened[-1][-1]
        assert last == GameEnded(ranking(replayed.games[-1])[0])
        shown = {*showing} & {*owing}
        assert all(UNKNOWN not in cards_of(replayed.games[-1], seat) for seat in shown)


def played_by(gaps: Gaps, seat: Seat, late: tuple[Seat, ...], proven: tuple[Seat, ...]) -> str:
    """Return the leaves of a seat that everybody can name at the end."""
    owed = [leaf for owner, leaf, _ in gaps.owed if owner == seat]
    opened = [leaf for owner, leaf in gaps.opened if owner == seat]
    rest = [leaf for leaf in LEAVES if leaf not in owed] if seat in proven else []
    return "".join((*opened, *rest, *(owed if seat in late else ())))


SEALED = Record(
    Deal(EDITIONS[2], "rbg", 0, ("ASP0124", "0123456", "ASPHFLX"), ("789", "789", "DMC")),
    ("0>", "3>", "A>"),
    seal="c2VhbGVk",
    late={"r": {"7": "M", "8": "C"}},
)


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(SEALED.to_json()), **fields})


def with_hand(cards: str) -> str:
    deal = json.loads(SEALED.to_json())["deal"]
    return changed(deal={**deal, "hands": {**deal["hands"], "r": cards}})


def test_what_proves_a_game_stands_at_the_end_of_its_record() -> None:
    assert Record.from_json(SEALED.to_json()) == SEALED
    ending = ',"late":{"r":{"7":"M","8":"C"}},"seal":"c2VhbGVk"}'
    assert SEALED.to_json().endswith(ending)
    long = SEALED._replace(seal="A" * 390_000)
    assert Record.from_json(long.to_json()) == long


@pytest.mark.parametrize(
    "text",
    [
        with_hand("ASP1024"),
        with_hand("012ASP4"),
        with_hand("ASP0127"),
        with_hand("ASP012?"),
        with_hand("ASP0122"),
    ],
)
def test_a_deal_of_leaves_is_one_only_in_order(text: str) -> None:
    with pytest.raises(RecordError, match="The deal of the record is not valid"):
        Record.from_json(text)


@pytest.mark.parametrize(
    "late",
    [
        None,
        [],
        {"v": {}},
        {"": {}},
        {"r": []},
        {"r": {"3": "M"}},
        {"r": {"78": "M"}},
        {"r": {"A": "M"}},
        {"r": {"7": "A"}},
        {"r": {"7": "MC"}},
        {"r": {"7": []}},
        {"r": {"7": "M", "8": "M"}},
    ],
)
def test_late_cards_are_only_of_leaves_of_the_deal(late: object) -> None:
    with pytest.raises(RecordError, match="The cards shown late in the record are not"):
        Record.from_json(changed(late=late))


def test_a_sealed_record_without_its_seal_is_said_to_be_one() -> None:
    with pytest.raises(RecordError, match="has no seal"):
        Record.from_json(changed(seal=None))


@pytest.mark.parametrize("seal", ["", "a b", "=", "A===", 7, ["A"], True])
def test_a_seal_is_text(seal: object) -> None:
    with pytest.raises(RecordError, match="has a seal that is not valid"):
        Record.from_json(changed(seal=seal))


def test_only_a_sealed_record_may_be_long() -> None:
    with pytest.raises(RecordError, match="too long"):
        Record.from_json(SEALED._replace(seal="A" * 400_000).to_json())
    open_deal = Record(Deal.shuffled(Random(1), "rbg"), settings={"a": "b" * 100_000})
    with pytest.raises(RecordError, match="too long"):
        Record.from_json(open_deal.to_json())


def test_a_card_that_is_revealed_must_have_been_opened() -> None:
    with pytest.raises(RecordError, match="Step 4 of the record, '!', breaks the rules"):
        list(replay(SEALED._replace(actions=(*SEALED.actions, "!"))))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("2 6 r* - *r1:AX,b1,g1", "A>"),
        ("2 6 r* bs *r1:AX,b1,g1", "A>"),
        ("2 5 r?1 rs,bs *r1,b1,g1", "+"),
        ("2 5 rA2 bh,rA,gh *r1,b1,g1", "x1"),
        ("2 5 rS2 bh,rS,gh *r1,b1,g1", "x1"),
        ("2 5 rP2 bh,rP,gh *r1,b1,g1", "$b"),
        ("2 5 rF2 bH,rF,gH *r1,b1,g1", "~1"),
        ("2 5 rX2 bh,rX,gh *r1,b1,g1", "x1"),
        ("2 5 rD2 bh,rD,gh *r1,b1,g1", "1>2"),
    ],
)
def test_an_answer_that_is_not_given_is_this_one(line: str, answer: str) -> None:
    """The default answers are a rule of sealed games, like the order of legal answers."""
    assert str(default_answer(game_at(line))) == answer
