"""Tests the help on the card under the cursor: its effect in general, and here and now."""

import re

import pytest
from msgspec.structs import replace

from driflamme_tui.drawing.cards import card_of, panel_text
from driflamme_tui.drawing.table_state import Cursor, PanelText
from driflamme_tui.model.pending_question import Question
from driflamme_tui.wording.game.card_texts import card_help
from engine.actions import ACTIONS
from engine.cards import UNKNOWN
from engine.position import cards_in
from tests.support.tables import seen, state_of


def panel_of(line: str, cursor: Cursor, viewer: str | None = "b") -> PanelText:
    return panel_text(replace(state_of(seen(line, viewer)), cursor=cursor))


def placing(line: str, token: str) -> str:
    """Return the help that a player sees while choosing a place for a card."""
    at = seen(line)
    question = Question(at)
    question.choose_card(token[0])
    question.confirm()
    assert question.choose_action(str(ACTIONS[token]))
    here = panel_text(state_of(at, question)).here
    assert here.endswith(OTHERS), "Gaspard has not placed yet"
    return here.removesuffix(OTHERS)


OTHERS = " Others may still change that."

QUEUE = "2 4 r?1 rs1,bh1/bS,gl2/gP,bL,gA *r3,b5,g2"


@pytest.mark.parametrize(
    ("cursor", "title"),
    [
        (Cursor(0), "▲r Rosalind, face down at 1, with 1 on it"),
        (Cursor(1), "Heir (yours, face down at 2, with 1 on it)"),
        (Cursor(1, 1), "Soldier (●b Blaise, covered at 2, with 0 on it)"),
        (Cursor(2), "◆g Gaspard, face down at 3, with 2 on it"),
        (Cursor(3), "Lord (yours, face up at 4)"),
        (Cursor(4), "Archer (◆g Gaspard, face up at 5)"),
        (Cursor(card="A"), "Archer (yours, in hand)"),
        (Cursor(card="X"), "Assassination (yours, set aside)"),
        (Cursor(seat=2), "◆g Gaspard"),
    ],
)
def test_the_title_names_what_the_cursor_is_on(cursor: Cursor, title: str) -> None:
    assert panel_of(QUEUE, cursor).title == title


@pytest.mark.parametrize(
    ("red", "letters", "names", "warning"),
    [
        (
            "r3:APH:FXD:MC",
            "A S P H F L X D",
            "Archer, Soldier, Spy, Heir, Shapeshifter, Lord, Assassination, Royal Decree",
            "",
        ),
        (
            "r3:APH:FXM:DC",
            "A S P H F L X M",
            "Archer, Soldier, Spy, Heir, Shapeshifter, Lord, Assassination, Ambush",
            "It may be an Ambush.",
        ),
    ],
)
def test_of_an_unknown_card_it_is_counted_what_it_may_be(
    red: str, letters: str, names: str, warning: str
) -> None:
    card = panel_of(f"2 4 r?1 rs1,bh1,rl *{red},b5,g2", Cursor(0))
    assert (
        card.brief
        == f"▲r Rosalind, not seen yet: {letters}; 2 in the Queue, 3 in hand, 3 set aside."
    )
    assert (
        card.rule == f"▲r Rosalind, not seen yet: {names}; 2 in the Queue, 3 in hand, 3 set aside."
    )
    assert card.here == warning


def test_a_spectator_is_not_warned_of_an_ambush() -> None:
    assert panel_of("2 4 r?1 rs,bh,bL,gA *r3,b5,g2", Cursor(0), None).here == ""


@pytest.mark.parametrize(
    ("line", "position", "sentence"),
    [
        # The Archer at each place.
        ("2 4 r?1 rs,bh,bA,gl *r3,b5,g2", 3, "Here it could eliminate ▲r 1 or ◆g 4."),
        ("2 4 b?1 ba *r3,b5,g2", 1, "Here it would have to eliminate itself (+1)."),
        # The Soldier.
        ("2 4 r?1 rs,bh,bS *r3,b5,g2", 3, "Here it would have to eliminate ●b heir 2 (+1)."),
        ("2 4 b?1 bs/bh *r3,b5,g2", 1, "Here it has no card beside it, so no effect."),
        # The Spy: the owners of influence beside it.
        ("2 4 r?1 rs,bP,gL *r3,b5,g0", 2, "Here it could steal 1 from ▲r Rosalind."),
        (
            "2 4 r?1 rs,bh,bP *r3,b5,g0",
            3,
            "Here no other family beside it has influence, so it would steal nothing.",
        ),
        # The Heir.
        ("2 4 r?1 rs,bH *r3,b5,g2", 2, "Here it would gain 2."),
        (
            "2 4 b?1 bh,rs,gH *r3,b5,g2",
            1,
            "Here it would gain nothing, since ◆g Heir 3 is face up.",
        ),
        # The Shapeshifter, and the card that it copies.
        ("2 4 r?1 ra,bF,gL *r3,b5,g2", 2, "Here it would copy ◆g Lord 3 and gain 1."),
        ("2 4 r?1 ra,bF,gF *r3,b5,g2", 2, "Here it would copy ◆g Shapeshifter 3, to no effect."),
        ("2 4 b?2 rS,bf,gA *r3,b5,g2", 2, "Here it could copy ▲r Soldier 1 or ◆g Archer 3."),
        # The Lord: the editions differ beside a stack of its own family.
        ("2 4 r?1 rs,bL,gA *r3,b5,g2", 2, "Here it would gain 1; no card of its family beside it."),
        (
            "2 4 b?1 bs/bc,bL,bh *r3,b5,g2",
            2,
            "Here it would gain 3, 2 of it for its family beside it.",
        ),
        (
            "1 4 b?1 bs/bc,bL,bh *r3,b5,g2",
            2,
            "Here it would gain 4, 3 of it for its family beside it.",
        ),
        # The Intrigues.
        ("2 4 r?1 rs,bx *r3,b5,g2", 2, "Here it could eliminate any top card, itself too."),
        ("2 4 r?1 rs,bd,gl *r3,b5,g2", 2, "Here it could move any other top card."),
        (
            "2 4 r?1 rs,bd *r3,b5,g2",
            2,
            "Here it would have to move ▲r 1 to 2, where that is resolved next.",
        ),
        ("2 4 b?1 bd *r3,b5,g2", 1, "Here it has no other card to move, so no effect."),
        (
            "2 4 r?1 rs,bm3 *r3,b5,g2",
            2,
            "Eliminated by an opponent it brings 4; revealed, 1, and the 3 on it is lost.",
        ),
        (
            "2 4 r?1 rs,bc *r3,b5,g2",
            2,
            "Revealed here at once, it would bring nothing; each time it is left, it is worth "
            "2 more.",
        ),
    ],
)
def test_a_card_says_what_it_would_do_where_it_is(line: str, position: int, sentence: str) -> None:
    assert panel_of(line, Cursor(position - 1)).here == sentence


@pytest.mark.parametrize(
    ("token", "sentence"),
    [
        # The sentences count positions on the screen, where the new card is not yet in the Queue.
        ("A<", "Here it could eliminate ◆g 4 or itself."),
        ("A>", "Here it could eliminate ▲r Soldier 1 or itself."),
        ("A^2", "Here it could eliminate ▲r Soldier 1 or ◆g 4."),
        ("S<", "Here it would have to eliminate ▲r Soldier 1 (+1)."),
        (
            "S>",
            "Here it would have to eliminate ◆g 4 (+1). If that is an Ambush, ◆g Gaspard gains 4 "
            "and the Soldier is discarded.",
        ),
        ("S^2", "Here it could eliminate ▲r Soldier 1 or ◆g Archer 3."),
        ("P>", "Here it would steal 1 from ◆g Gaspard."),
        ("F>", "Here it has no face-up Character beside it, so no effect."),
        ("F^2", "Here it could copy ▲r Soldier 1 or ◆g Archer 3."),
        ("L<", "Here it would gain 1; no card of its family beside it."),
    ],
)
def test_a_card_of_the_hand_says_what_it_would_do_at_the_chosen_place(
    token: str, sentence: str
) -> None:
    card = token[0]
    rest = "".join(other for other in "ASPFLXDMC" if other != card)[:3]
    hand = "".join(sorted(card + rest, key="ASPHFLXDMC".index))
    line = f"2 4 b* rS,bh1,gA,gl *r3,b5:{hand},g2"
    assert placing(line, token) == sentence


def test_a_heir_and_a_lord_of_the_hand_reckon_with_the_place() -> None:
    assert placing("2 4 b* rS,bl1,gA,gh *r3,b5:ASHX,g2", "H>") == "Here it would gain 2."
    up = "Here it would gain nothing, since ◆g Heir 3 is face up."
    assert placing("2 4 b* rS,bl1,gH *r3,b5:ASHX,g2", "H<") == up
    kin = "Here it would gain {n}, {kin} of it for its family beside it."
    for edition, gain in (("1", 3), ("2", 2)):
        line = f"{edition} 4 b* rS,gA,bh1/bc *r3,b5:ASLX,g2"
        assert placing(line, "L>") == kin.format(n=gain, kin=gain - 1)
        assert placing(line, "L^3").startswith("Here it would gain 1;")


def test_nothing_is_said_of_a_place_before_one_is_chosen() -> None:
    at = seen("2 4 b* rS,bh1,gA *r3,b5:ASLX,g2")
    question = Question(at)
    question.choose_card("L")
    assert panel_text(state_of(at, question)).here == ""


def test_a_covered_card_waits() -> None:
    waits = "Covered: it does not count until it is on top again."
    assert panel_of(QUEUE, Cursor(1, 1)).here == waits


def test_whoever_places_last_is_not_told_of_others() -> None:
    at = seen("2 4 b* rS,gh,bh1 r3,b5:ASLX,*g2")
    question = Question(at)
    question.choose_card("L")
    question.confirm()
    question.choose_action("L>")
    assert panel_text(state_of(at, question)).here.endswith("its family beside it.")


@pytest.mark.parametrize(("card", "sentence"), [("C", "2 more."), ("M", "revealed, 1.")])
def test_others_cannot_change_what_brings_its_owner_the_same_beside_any_neighbour(
    card: str, sentence: str
) -> None:
    question = Question(seen("2 4 b* rS,bh1 *r3,b5:SFMC,g2"))
    question.choose_card(card)
    question.confirm()
    assert question.choose_action(f"{card}>")
    assert panel_text(state_of(question.view, question)).here.endswith(sentence)


@pytest.mark.parametrize("viewer", ["b", "g", None])
def test_only_the_readers_own_cards_are_explained_to_you(viewer: str | None) -> None:
    at = seen(QUEUE, viewer)
    for index, stack in enumerate(at.queue):
        for depth, (card, _up, _influence) in enumerate(cards_in(stack)):
            if card == UNKNOWN:
                continue
            text = panel_of(QUEUE, Cursor(index, depth), viewer).rule
            is_own = viewer is not None and stack[0] == at.viewer
            assert (text == card_help(card)) is is_own
            assert is_own or not re.search(r"\byours?\b|\byou\b", text)


@pytest.mark.parametrize(
    ("cursor", "card"),
    [
        (Cursor(index=0), "S"),
        (Cursor(index=1), "H"),
        (Cursor(index=1, depth=1), "P"),
        (Cursor(index=1, depth=9), "P"),
        (Cursor(index=2), UNKNOWN),
        (Cursor(index=3), ""),
        (Cursor(index=-1), ""),
        (Cursor(card="X"), "X"),
    ],
)
def test_the_card_under_a_cursor_is_in_the_queue_or_the_hand_or_nowhere(
    cursor: Cursor, card: str
) -> None:
    state = state_of(seen("2 4 b?2 rS,bh1/bP,gl *r3,b5,g2"))
    assert card_of(state, cursor) == card
