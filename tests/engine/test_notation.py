"""Tests that a round trip changes no position or view, and that other texts are refused."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARDS
from engine.consistency import PositionError
from engine.notation import (
    NotationError,
    format_position,
    parse_action,
    parse_position,
    parse_view,
)
from engine.position import Position
from engine.views import View, view
from tests.engine.lines import in_editions, whole
from tests.engine.random_games import Played, examples, games, moments, viewers

PLACING = "2 3 b* rS,gp2/gL *r3:APHF:LDM:XC,b2:AXDMC:SHF:PL,g2:ASHFX:DMC:-"
RESOLVING = "2 3 b?2 rS,bm1/bP,gh1,ga *r3:APHF:LDM:XC,b2:ALXC:SHF:D,g2:SPFX:DMC:L"
CHOOSING = "1 3 rS2 bm1/bP,rS,gh1,ga *r3:APHF:LDM:XC,b2:ALXC:SHF:D,g2:SPFX:DMC:L"
OVER = "1 6 - bm1/bP,rS,gh1,ga *r3:A:LDM:PHFXC,b2:A:SHF:LXDC,g2:P:DMC:SFLX"
VIEW = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"


def test_every_field_is_read() -> None:
    game = parse_position(RESOLVING)
    assert (game.edition.number, game.round, game.families) == (2, 3, "rbg")
    assert (game.turn, game.question, game.at, game.first) == (1, "?", 1, 0)
    assert game.queue == [
        (0, "S", True, 0, None),
        (1, "M", False, 1, (1, "P", True, 0, None)),
        (2, "H", False, 1, None),
        (2, "A", False, 0, None),
    ]
    assert game.pools == [3, 2, 2]
    assert game.hands == ["APHF", "ALXC", "SPFX"]
    assert game.aside == ["LDM", "SHF", "DMC"]
    assert game.out == ["XC", "D", "L"]
    assert not game.over
    assert parse_position(OVER).over


def test_cards_that_are_out_are_listed_in_the_order_of_the_rules() -> None:
    game = parse_position(RESOLVING)
    game.out[0] = "CX"
    assert format_position(game) == RESOLVING


def test_any_number_of_influence_up_to_a_thousand_million_is_read() -> None:
    line = RESOLVING.replace("gh1", "gh120").replace("b2:", "b0:").replace("g2:", "g999999999:")
    assert format_position(parse_position(line)) == line


FIVE_FIELDS = "Write the five fields EDITION ROUND TURN QUEUE PLAYERS, separated by single spaces."


def refuses_line(line: str, sentence: str) -> None:
    for parse in (parse_position, lambda text: parse_view(text, None)):
        with pytest.raises(PositionError) as refusal:
            parse(line)
        assert str(refusal.value) == refusal.value.sentence() == sentence


def no_turn(text: str) -> str:
    return f"Write a turn like r* r?3 rA3 or -, not {text!r}."


def no_card(text: str) -> str:
    return f"Write a card in the Queue like rS or bm1, not {text!r}."


def no_player(text: str) -> str:
    return f"Write a player like *r3:ALXC:SHF:D, not {text!r}."


def no_order(text: str) -> str:
    return f"Write cards in the order {CARDS}, each once, not {text!r}."


def hand_size(family: str, cards: int, found: int) -> str:
    return f"Write {cards} cards in hand for family {family} now, not {found}."


STACKED = "Do not write {!r} on a card of another family: players stack only on their own cards."
NO_CARD_AT = "Write a turn about a card in the Queue: there is none at position {}."
TEN_CARDS = "Write all ten cards of family {}, each once."
FIVE_FAMILIES = ",v1:ASPH:FLX:DMC,y1:ASPH:FLX:DMC"

WRONG_TEXT = {
    ("b?2", no_turn): ["b?", "b?0", "b?02", "B?2", "bL2", "b*2", "", "?2"],
    ("rS", no_card): ["rZ", "RS", "S", "", "-"],
    ("bm1", no_card): ["bm0", "bm01", "bm-1", "bm1000000000"],
    ("b2:ALXC:SHF:D", no_player): [
        *("b:ALXC:SHF:D", "b02:ALXC:SHF:D", "b-2:ALXC:SHF:D", "x2:ALXC:SHF:D", "**b2:ALXC:SHF:D"),
        *("b2:ALXC:SHF", "b2:ALXC:SHF:", "b2:ALXC:SHF:d", "b2:ALXC:SHF:D:-", ""),
    ],
    ("g2:SPFX:DMC:L", no_player): ["g2:SPFX:DMC:L\n"],
    ("ALXC", no_order): ["AXLC"],
    ("SHF", no_order): ["HSF"],
    ("XC", no_order): ["CX"],
}
"""For each part of RESOLVING and its error, texts that are invalid in the part's place."""

MALFORMED = [
    *(
        (RESOLVING, part, instead, sentence(instead))
        for (part, sentence), each in WRONG_TEXT.items()
        for instead in each
    ),
    (RESOLVING, "rS,", "rS/,", no_card("")),
    # fields
    *((PLACING, PLACING, instead, FIVE_FIELDS) for instead in ("", f"{PLACING} ")),
    *((PLACING, "2 3", instead, FIVE_FIELDS) for instead in (" 2 3", "2  3", "2\t3", "2")),
    *(
        (RESOLVING, "2 3", f"{edition} 3", f"Write 1 or 2 for the edition, not '{edition}'.")
        for edition in ("3", "02")
    ),
    *(
        (RESOLVING, "2 3", f"2 {round_}", f"Write 1 to 6 for the round, not '{round_}'.")
        for round_ in ("0", "7", "03")
    ),
    (RESOLVING, "*r", "r", "Mark exactly one family with *: the first player."),
    (RESOLVING, ",b2", ",*b2", "Mark exactly one family with *: the first player."),
    # families
    (RESOLVING, ",g2:SPFX:DMC:L", "", "Write 3 to 5 families, not 2."),
    (
        RESOLVING,
        ",g2",
        FIVE_FAMILIES + ",b1:ASPH:FLX:DMC,g2",
        "Write 3 to 5 families, not 6.",
    ),
    (RESOLVING, ",g2", ",b2", "Write each family once among the players."),
    (RESOLVING, "b?2", "y?2", "Write a turn of a family that is at the table."),
    (RESOLVING, "rS", "yS", "Write the family of 'yS' among the players, or leave the card out."),
    # ten distinct cards
    *((RESOLVING, ":XC,", f":{out},", TEN_CARDS.format("r")) for out in ("C", "-", "XXC", "AC")),
    (RESOLVING, "bm1/bP", "bm1/bA", TEN_CARDS.format("b")),
    (RESOLVING, ",ga", ",gh", TEN_CARDS.format("g")),
    (RESOLVING, ",ga", "", TEN_CARDS.format("g")),
    (RESOLVING, ":APHF:", ":AAPHF:", TEN_CARDS.format("r")),
    # three cards set aside
    (RESOLVING, ":LDM:XC", ":LD:XMC", "Write 3 cards set aside for family r, not 2."),
    (RESOLVING, ":LDM:XC", ":-:LXDMC", "Write 3 cards set aside for family r, not 0."),
    (RESOLVING, ":SHF:D", ":SHFD:-", "Write 3 cards set aside for family b, not 4."),
    # hands that fit the round and the turn
    (RESOLVING, ":APHF:LDM:XC", ":APHFX:LDM:C", hand_size("r", 4, 5)),
    (RESOLVING, ":SPFX:DMC:L", ":SPF:DMC:LX", hand_size("g", 4, 3)),
    (RESOLVING, "2 3", "2 2", hand_size("r", 5, 4)),
    (PLACING, "b*", "g*", hand_size("b", 4, 5)),
    (PLACING, "b*", "r*", hand_size("r", 5, 4)),
    (PLACING, ":AXDMC:SHF:PL", ":AXDM:SHF:PLC", hand_size("b", 5, 4)),
    (OVER, "-", "r*", hand_size("r", 2, 1)),
    (RESOLVING, "b?2", "-", "Write that the game is over only in round 6: it does not end before."),
    # a stack of two families, or influence under a face-up card
    (RESOLVING, "bm1/bP,gh1", "bm1/bP/gh1", STACKED.format("bP")),
    (RESOLVING, "rS,bm1/bP", "rS/bm1/bP", STACKED.format("rS")),
    (RESOLVING, "rS", "rS1", "Do not write influence on 'rS1': it is face up."),
    (RESOLVING, "bP", "bP2", "Do not write influence on 'bP2': it is face up."),
    # a turn that fits no card
    *((RESOLVING, "b?2", f"b?{far}", NO_CARD_AT.format(far)) for far in (5, 999999999)),
    *(
        (line, turn, instead, f"Write a turn that fits the card at position {instead[2]}.")
        for line, turn, others in (
            (RESOLVING, "b?2", ("r?1", "b?1", "r?2", "bP2", "gA4")),
            (CHOOSING, "rS2", ("rA2", "rX2", "bS2")),
        )
        for instead in others
    ),
]


@pytest.mark.parametrize(
    ("line", "part", "instead", "sentence"),
    MALFORMED,
    ids=[f"{part!r} as {instead!r}" for _, part, instead, _ in MALFORMED],
)
def test_a_position_is_malformed(line: str, part: str, instead: str, sentence: str) -> None:
    assert part in line
    refuses_line(line.replace(part, instead, 1), sentence)


IDLE = "Write the Intrigue at position {} face down: it is not being resolved."
UNFIT = "Write a turn that fits the card at position {}."
FEWER = "Write a position with two answers or more: with fewer, nobody is asked."


@pytest.mark.parametrize(
    ("sentence", "lines"),
    [
        (IDLE.format(1), ["5 rX2 bX,rF,gH *r1,b1,g1"]),
        (
            IDLE.format(2),
            [
                *("5 r?1 rh,gX *r1,b1,g1", "5 r* rh,gC *r1,b1,g1"),
                *("6 - rh,gM *r1,b1,g1", "5 rX1 rX,gD *r1,b1,g1"),
            ],
        ),
        (
            "Do not write a card on a face-up Intrigue: it cannot be covered.",
            ["5 r?1 rh,gs/gX *r1,b1,g1"],
        ),
        # A Shapeshifter offers only its own ability, or that of an uncovered face-up neighbour.
        (UNFIT.format(1), ["5 rF1 bS,rF,gH,gP,rA *r1,b1,g1"]),
        (
            UNFIT.format(2),
            [
                *(
                    f"5 {turn} bS,rF,gH,gP,rA *r1,b1,g1"
                    for turn in ["rA2", "rX2", "rD2", "rP2", "bS2"]
                ),
                *("5 rS2 bs,rF,gH *r1,b1,g1", "5 rS2 bh/bS,rF,gH *r1,b1,g1"),
                "5 rA2 bA,rS,gH *r1,b1,g1",
            ],
        ),
        (
            FEWER,
            [
                *("5 rA1 rA *r1,b1,g1", "5 rS1 rS,bh,gh *r1,b1,g1", "5 rS1 rS *r1,b1,g1"),
                *("5 rP2 bs,rP,bh *r1,b1,g1", "5 rP1 rP *r1,b1,g1", "5 rF2 bH,rF,gh *r1,b1,g1"),
                *("5 rF2 bh,rF,gh *r1,b1,g1", "5 rX1 rX *r1,b1,g1", "5 rD1 rD,bs *r1,b1,g1"),
                *("5 rD1 rD/rs *r1,b1,g1", "5 rS1 rF,bS *r1,b1,g1"),
            ],
        ),
    ],
)
def test_a_turn_must_fit_the_queue(sentence: str, lines: list[str]) -> None:
    for each in chain.from_iterable(map(in_editions, lines)):
        # Parse as a game, and as the view of the deciding player or else of the first player.
        for parse in (parse_position, lambda text: parse_view(text, 0)):
            with pytest.raises(PositionError) as refusal:
                parse(whole(each))
            assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("part", "instead"),
    [("gh1", "g?1"), ("bP", "b?"), (":APHF:", ":????:"), (":LDM:", ":???:")],
)
def test_a_position_knows_every_card(part: str, instead: str) -> None:
    line = RESOLVING.replace(part, instead)
    with pytest.raises(PositionError) as refusal:
        parse_position(line)
    assert str(refusal.value) == f"Write every card: {line!r} is a player's view."


def test_the_view_of_the_notation_is_read_and_printed() -> None:
    seen = parse_view(VIEW, 1)
    assert format_position(seen) == VIEW
    assert (seen.viewer, seen.turn) == (1, 1)
    assert list(map(str, seen.legal)) == ["+", "!"]
    assert parse_view(VIEW, None).legal == ()


def test_a_view_lists_the_answers_of_its_viewer_only() -> None:
    line = "2 6 b* rS,b?/bP *r3:?:???:APHFX,b2:AX:SHF:LDC,g2:??:???:SPFXD"
    assert format_position(parse_view(line, None)) == line
    assert parse_view(line, None).legal == ()
    line = line.replace("b?", "bm")
    assert sorted(map(str, parse_view(line, 1).legal)) == ["A<", "A>", "A^2", "X<", "X>", "X^2"]


@pytest.mark.parametrize(
    ("line", "viewer", "sentence"),
    [
        (VIEW, 3, "There is no seat 3 at this table: choose one of its players."),
        (VIEW, 0, "Write the player's own cards instead of ?: players know their own cards."),
        (VIEW, 2, "Write the player's own cards instead of ?: players know their own cards."),
        (
            VIEW.replace(":SHF:", ":???:"),
            1,
            "Write the player's own cards instead of ?: players know their own cards.",
        ),
        (VIEW.replace("????", "A???", 1), 1, no_order("A???")),
        (VIEW.replace("g?1", "g?1/G?"), 1, no_card("G?")),
        (VIEW.replace(":XC", ":C?X"), 1, no_order("C?X")),
        (VIEW.replace("b?2", "?"), 1, no_turn("?")),
    ],
)
def test_a_view_is_malformed(line: str, viewer: int, sentence: str) -> None:
    with pytest.raises(PositionError) as refusal:
        parse_view(line, viewer)
    assert str(refusal.value) == sentence


def test_what_is_wrong_can_be_said_in_another_language() -> None:
    with pytest.raises(PositionError) as refusal:
        parse_view(VIEW, 3)
    polish = {
        "There is no seat {seat} at this table: choose one of its players.": (
            "Przy tym stole nie ma miejsca {seat}."
        )
    }
    assert refusal.value.sentence(polish.__getitem__) == "Przy tym stole nie ma miejsca 3."


@examples(150)
@given(games())
def test_every_position_of_every_game_goes_to_text_and_back(played: Played) -> None:
    for game in played.games:
        line = format_position(game)
        parsed = parse_position(line)
        assert format_position(parsed) == line
        for name in set(Position.__slots__) - {"out", "turn"}:
            assert getattr(parsed, name) == getattr(game, name)
        assert list(map(sorted, parsed.out)) == list(map(sorted, game.out))
        assert game.over or parsed.turn == game.turn


@examples(150)
@given(games())
def test_every_view_of_every_game_goes_to_text_and_back(played: Played) -> None:
    for game in played.games[::3]:
        for viewer in viewers(game):
            seen = view(game, viewer)
            parsed = parse_view(format_position(seen), viewer)
            assert format_position(parsed) == format_position(seen)
            assert sorted(map(str, parsed.legal)) == sorted(map(str, seen.legal))
            for name in {*Position.__slots__, *View.__slots__} - {"out", "turn"}:
                assert getattr(parsed, name) == getattr(seen, name)


def accepted(line: str) -> bool:
    """Return True if a text is a position, or a view of some viewer.

    Asserts that a valid text is printed again as it was.
    """
    welcome = False
    for viewer in ("game", None, 0, 2):
        try:
            if isinstance(viewer, str):
                parsed: Position = parse_position(line)
            else:
                parsed = parse_view(line, viewer)
        except PositionError:
            continue
        assert format_position(parsed) == line
        welcome = True
    return welcome


@examples(200)
@given(st.text())
def test_any_text_is_refused_with_a_sentence(text: str) -> None:
    assert not accepted(text)
    with pytest.raises(NotationError):
        parse_action(text + "é")


@examples(200)
@given(
    moments(),
    st.lists(
        st.tuples(
            st.integers(0, 400),
            st.integers(0, 2),
            st.sampled_from("rbgyvASPHFLXDMCasphflxdmc?*-,/: 0123456789é") | st.just(""),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_a_spoiled_line_is_refused_or_printed_as_it_was_read(
    moment: tuple[Played, int], changes: list[tuple[int, int, str]]
) -> None:
    played, index = moment
    line = format_position(played.games[index])
    for at, length, instead in changes:
        at %= len(line)
        line = line[:at] + instead + line[at + length :]
    accepted(line)
