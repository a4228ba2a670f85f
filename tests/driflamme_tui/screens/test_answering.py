"""Tests answers: every key and click without a screen, and each kind once on the screen."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driflamme_tui.drawing.table_state import Cursor
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.model.pending_question import Question
from driflamme_tui.screens.table.answers.answering import Answering
from driflamme_tui.screens.table.table_screen import TableScreen
from engine.actions import END, ON, START, Action, Copy, Eliminate, Move, Place, Steal
from engine.notation import parse_position
from engine.views import view
from netcode.client.session import Session
from netcode.protocol.messages import Act, Refused
from tests.engine.lines import whole
from tests.engine.random_games import Played, examples, moments
from tests.support.by_hand import (
    ARCHER,
    ASSASSINATION,
    DECREE,
    DECREE_ALONE,
    DOWN,
    EDGES,
    EMPTY,
    PLACE,
    SHAPESHIFTER,
    SOLDIER,
    SPY,
    THEIRS,
    chosen,
    click,
    table_app,
)
from tests.support.tables import (
    Hands,
    Pretended,
    SeatedApp,
    gathered,
    in_app,
    lobby,
    prompter_of,
    run_cases,
    seats,
    seen,
    session_at,
    session_at_line,
    state,
    state_of,
)

# Without a screen

KEYS: dict[str, Callable[[Answering], None]] = {
    "left": lambda answering: answering.walk(-1),
    "right": lambda answering: answering.walk(1),
    "up": lambda answering: answering.depth(-1),
    "down": lambda answering: answering.depth(1),
    "home": lambda answering: answering.walk_to(0),
    "end": lambda answering: answering.walk_to(-1),
    "enter": Answering.confirm,
    "escape": Answering.back,
}
"""The methods that keys with a name call."""


class Alone:
    """An `Answering` without a screen, which records the sent answers."""

    def __init__(
        self,
        session: Session,
        *,
        guard_s: float = 0.0,
        second_click_s: float = 0.0,
    ) -> None:
        self.now = 1000.0
        self.player_seat = Pretended(session, "Blaise")
        self.sent = self.player_seat.sent
        terminal = Terminal(lambda _texts: None)
        terminal.clock = lambda: self.now
        terminal.guard_s, terminal.second_click_s = guard_s, second_click_s
        self.answering = Answering(
            self.player_seat,
            terminal,
            lambda: prompter_of(self.answering.view),
            self.player_seat.answer,
        )
        self.answering.ask(Question(self.answering.view))

    @property
    def answers(self) -> str:
        return " ".join(message.action for message in self.sent if isinstance(message, Act))

    @property
    def question(self) -> Question:
        assert self.answering.question is not None
        return self.answering.question

    def press(self, keys: str, pause_s: float = 1.0) -> "Alone":
        """Press keys, and return this object.

        Keys have spaces between them; a number stands for its digits.
        """
        for key in keys.split():
            if key in KEYS:
                KEYS[key](self.answering)
            elif key.isdigit():
                for digit in key:
                    self.answering.digit(digit)
            elif key in (START, END):
                self.answering.side(key)
            elif key == ON:
                self.answering.spot(key)
            elif key in "+!":
                self.answering.choose_action(key)
            else:
                self.answering.letter(key)
            self.now += pause_s
        return self

    def click(self, places: str) -> "Alone":
        """Click places, and return this object.

        Places have commas between them: `hand A`, `stack 3 0.9`, `seat r`, `+`, `bar`.
        """
        for place in places.split(", "):
            kind, *where = place.split()
            if kind in ("hand", "stack"):
                at = state_of(self.answering.view, self.answering.question)
                name, across = where[0], float([*where, "0.5"][1])
                cursor = Cursor(card=name) if kind == "hand" else Cursor(int(name) - 1)
                self.answering.click(at, cursor, across)
            elif kind == "seat":
                self.answering.click_player(where[0])
            elif kind != "bar":
                self.answering.click_answer(kind)
            elif self.question.choice is not None:
                self.answering.confirm()
        return self


def keys_of(action: Action) -> str:
    """Return the keys to press for an answer, in the driver's notation."""
    match action:
        case Place(card=card, spot=spot, position=position):
            return f"{card.lower()} enter {position if spot == ON else spot} enter"
        case Move(position=position, destination=destination):
            return f"{position} enter {destination} enter"
        case Eliminate(position=position) | Copy(position=position):
            return f"{position} enter"
        case Steal(family=family):
            return f"{family} enter"
    return f"{action} enter"


def clicks_of(action: Action, stacks: int, *, alone: bool) -> str:
    """Return clicks that give an answer; `alone` is True if a moving card is its whole stack."""
    match action:
        case Place(card=card, spot=spot, position=position):
            end = f"stack {stacks} 1" if stacks else "stack 0"
            at = {START: "stack 1 0", END: end, ON: f"stack {position}"}[spot]
            # Choose the card; if it has only one place, this chooses the place too.
            return f"hand {card}, {at}, bar" if stacks else f"hand {card}, {at}"
        case Move(position=position, destination=to):
            past = to > stacks or (alone and to > position)
            at = f"stack {min(to, stacks)} {1 if past else 0}"
            return f"stack {position}, stack {position}, {at}, bar"
        case Eliminate(position=position) | Copy(position=position):
            return f"stack {position}, stack {position}"
        case Steal(family=family):
            return f"seat {family}, seat {family}"
    return f"{action}, bar"


@examples(60)
@given(moments())
def test_every_answer_can_be_given_by_keys_and_by_clicks(moment: tuple[Played, int]) -> None:
    game = moment[0].games[moment[1]]
    at = view(game, game.turn)
    for action in game.legal:
        alone = not isinstance(action, Move) or at.queue[action.position - 1][4] is None
        clicks = clicks_of(action, len(at.queue), alone=alone)
        assert len(keys_of(action).split()) <= 4
        assert Alone(session_at(at)).press(keys_of(action)).answers == str(action)
        assert Alone(session_at(at)).click(clicks).answers == str(action), clicks


@examples(60)
@given(moments(), st.integers(0, 2**32 - 1))
def test_any_keys_and_clicks_send_one_legal_answer_at_most(
    moment: tuple[Played, int], seed: int
) -> None:
    game, rng = moment[0].games[moment[1]], Random(seed)
    at = view(game, game.turn)
    stacks = [f"stack {index} {across}" for index in range(len(at.queue) + 1) for across in (0, 1)]
    clicks = [*stacks, *(f"hand {card}" for card in at.hands[at.turn]), "+", "!", "bar"]
    clicks += [f"seat {family}" for family in at.families]
    keys = [*KEYS, "enter", *"<>^+!12390asphflxdmcrbgyv"]
    alone = Alone(session_at(at))
    for _ in range(40):
        if rng.random() < 0.5:
            alone.press(rng.choice(keys), 0.3)
        else:
            alone.click(rng.choice(clicks))
    assert [token in map(str, game.legal) for token in alone.answers.split()] in ([], [True])


def test_the_view_remains_when_the_session_goes_to_a_lobby_before_it_is_drawn() -> None:
    player_seat = Pretended(session_at_line(ARCHER), "Blaise")
    shown = player_seat.session.view
    assert shown is not None
    answering = Answering(
        player_seat, Terminal(lambda _texts: None), lambda: prompter_of(shown), print
    )
    player_seat.session = gathered("bg", "b")
    assert answering.view is shown


@pytest.mark.parametrize(
    ("line", "keys", "answer"),
    [
        (PLACE, "F enter right right enter", "F^2"),
        (PLACE, "end enter home enter", "X<"),
        (PLACE, "a enter < s enter > enter", "S>"),
        (PLACE, "a < escape escape right right enter < enter", "S<"),
        (PLACE, "a escape escape escape enter", ""),
        (EMPTY, "x < enter", "X>"),
        (DOWN, "up enter", "!"),
        (DOWN, "2 a < enter", ""),
        (ARCHER, "2 enter enter", "x1"),
        (ARCHER, "+ ! a r", ""),
        (SPY, "v s enter", ""),
        (SHAPESHIFTER, "4 enter", ""),
        (DECREE, "1 enter escape 3 enter home enter", "3>1"),
        (DECREE, "3 > < enter", "3>1"),
        (DECREE, "1 enter < ^ > enter", "1>3"),
    ],
)
def test_keys_in_a_row(line: str, keys: str, answer: str) -> None:
    assert Alone(session_at_line(line)).press(keys).answers == answer


@pytest.mark.parametrize(
    ("line", "keys", "answer"),
    [
        (ASSASSINATION, "right enter", "x3"),
        (SPY, "right enter", "$g"),
        (PLACE, "right enter left enter", "A<"),
        (PLACE, "right right enter right enter", "S>"),
        (PLACE, "a < enter", "A>"),
        (PLACE, "a > enter", "A<"),
        (EMPTY, "x > enter", "X>"),
        (DECREE, "1 enter < enter", "1>3"),
        (DECREE, "3 enter > enter", "3>1"),
        (DOWN, "right enter", "+"),
        (DECREE_ALONE, "right enter right enter", "4>3"),
    ],
)
def test_keys_go_screen_wise_when_the_queue_is_mirrored(line: str, keys: str, answer: str) -> None:
    assert (
        Alone(session_at_line(line, settings={"direction": "left"})).press(keys).answers == answer
    )


HALVES = "2 4 b* rS,bh1,gl *r3,b5:ASFX,g2"


@pytest.mark.parametrize(
    ("line", "clicks", "answer"),
    [
        (EDGES, "hand F, stack 1 0.2, bar", "F<"),
        (EDGES, "hand F, stack 1 0.5, bar", "F^1"),
        (EDGES, "hand F, stack 4 0.9, bar", "F>"),
        (EDGES, "hand F, stack 4 0.5, bar", "F^4"),
        (HALVES, "hand F, stack 1 0.3, bar", "F<"),
        (HALVES, "hand F, stack 1 0.9, bar", ""),
        (HALVES, "hand F, stack 3 0.8, bar", "F>"),
        (HALVES, "hand F, stack 3 0.1, bar", ""),
        (PLACE, "hand A, hand X, stack 4 1, bar", "X>"),
        (PLACE, "hand A, hand A, hand A", ""),
        (PLACE, "hand A, bar", ""),
        (DOWN, "+, !, +", ""),
        (DOWN, "stack 2, stack 2", ""),
        (ARCHER, "seat r, seat r, seat g", ""),
        (SPY, "stack 3, seat g", "$g"),
        (SPY, "seat y, bar", ""),
        (DECREE_ALONE, "stack 4, bar, stack 1 0.9, bar", "4>2"),
        (DECREE_ALONE, "stack 1, stack 1, stack 4 0.1, stack 4 0.9, bar", "1>4"),
        (DECREE, "stack 3, stack 3, stack 3 0.1, bar", "3>3"),
        (DECREE, "stack 3, stack 3, stack 1 0.9, stack 4 0.9, stack 4", "3>4"),
    ],
)
def test_clicks_in_a_row(line: str, clicks: str, answer: str) -> None:
    assert Alone(session_at_line(line)).click(clicks).answers == answer


@pytest.mark.parametrize(
    ("line", "keys", "why"),
    [
        (PLACE, "a enter 1", "The card at position 1 is not yours"),
        (PLACE, "c", "You do not have that card in hand."),
        (PLACE, "^", "Choose a card first."),
        ("2 4 b* rS,gl *r3,b5:ASFX,g2", "a ^", "You can stack only on your own top card."),
        (SOLDIER, "4", "Your Soldier must eliminate a neighbour: position 1 or 3"),
        (SPY, "y", "Your Spy must steal from the owner of a neighbour: ▲r Rosalind or ◆g Gaspard"),
        (SPY, "4", "Your Spy must steal from the owner of a neighbour: ▲r Rosalind or ◆g Gaspard"),
        (DECREE, "<", "Choose a card first."),
        (DECREE_ALONE, "2", "The Royal Decree cannot move itself."),
        (DECREE_ALONE, "1 enter 1", "The card at position 1 stands there already."),
    ],
)
def test_what_cannot_be_chosen_says_why_until_something_else_is(
    line: str, keys: str, why: str
) -> None:
    alone = Alone(session_at_line(line)).press(keys)
    assert alone.answering.notice.startswith(why)
    assert alone.question.choice is None or chosen(alone.question).isalpha()
    alone.press("right")
    assert alone.answering.notice == ""
    assert alone.answers == ""


def test_two_quick_digits_are_one_number() -> None:
    line = "2 6 bX12 rA,rS,rp,gA,gS,gp,yA,yS,yp,bA,bs,bX,vA *r3,b5,g2,y2,v2"
    many = view(parse_position(whole(line)), 1)
    for keys, pause_s, answer in (
        ("1 3", 0.1, "x13"),
        ("1 3", 1.0, "x3"),
        ("1 0", 0.1, "x10"),
        ("9 9", 0.1, "x9"),
        ("0 7", 0.1, "x7"),
    ):
        alone = Alone(session_at(many)).press(keys, pause_s).press("enter")
        assert alone.answers == answer


@pytest.mark.parametrize(
    ("line", "clicks", "taken"),
    [
        (PLACE, "hand A, hand A", ""),
        (DOWN, "!, !", "!"),
        (SPY, "seat r, stack 1", "$r"),
        (ARCHER, "stack 3, stack 3", "x3"),
        (DECREE, "stack 1, stack 1", ""),
    ],
)
def test_enter_and_clicks_do_nothing_right_after_a_question(
    line: str, clicks: str, taken: str
) -> None:
    alone = Alone(session_at_line(line), guard_s=0.4).press("enter enter", 0).click(clicks)
    assert (alone.question.chosen, alone.question.picked) == (None, None)
    alone.press("right", 0)
    assert alone.question.chosen == 0, "choosing is harmless"
    alone.press("escape", 0)
    alone.now += 0.5
    alone.click(clicks)
    assert alone.answers == taken
    assert alone.question.picked is not None or taken
    alone.answering.ask(Question(alone.answering.view))
    assert not chosen(alone.question)
    alone.press("right enter", 0)
    assert (alone.question.picked, alone.answers) == (None, taken), "the next one is guarded again"


def test_a_double_click_only_chooses() -> None:
    alone = Alone(session_at_line(ARCHER), second_click_s=0.3).click("stack 3")
    alone.now += 0.2
    assert alone.click("stack 3").answers == ""
    alone.now += 0.2
    assert alone.click("stack 3").answers == "x3"


def test_nothing_can_be_done_while_an_answer_is_on_its_way() -> None:
    alone = Alone(session_at_line(ARCHER)).press("1 enter right 3 enter escape home")
    alone.click("stack 3, stack 3, bar")
    assert alone.answers == "x1"
    assert chosen(alone.question) == "x1"


# On the screen


BY_KEYS = (
    (PLACE, "f enter ^ enter", "F^2"),
    (DOWN, "! enter", "!"),
    (ARCHER, "left enter", "x3"),
    (SPY, "G enter", "$g"),
    (SHAPESHIFTER, "3 enter", "~3"),
    (DECREE, "1 enter 3 enter", "1>3"),
)

BY_CLICKS = (
    (PLACE, "hand A, stack 1 0.1, bar", "A<"),
    (EDGES, "hand F, end, end", "F>"),
    (EMPTY, "hand L, stack 1", "L>"),
    (DOWN, "row 1, row 2, bar", "!"),
    (ASSASSINATION, "stack 1, stack 3, stack 3", "x3"),
    (SPY, "seat g, bar", "$g"),
    (SHAPESHIFTER, "stack 1, bar", "~1"),
    (DECREE_ALONE, "stack 1, stack 1, stack 3 0.9, stack 3", "1>3"),
)


def test_a_question_of_each_kind_is_answered_by_keys() -> None:
    async def steps(app: SeatedApp, hands: Hands, case: tuple[str, str, str]) -> None:
        await hands.type(case[1])
        assert app.answers == case[2]

    run_cases(BY_KEYS, lambda case: session_at_line(case[0]), steps)


@pytest.mark.parametrize(("direction", "size"), [("right", (80, 24)), ("left", (120, 40))])
def test_a_question_of_each_kind_is_answered_by_clicks(
    direction: str, size: tuple[int, int]
) -> None:
    async def steps(app: SeatedApp, hands: Hands, case: tuple[str, str, str]) -> None:
        for where in case[1].split(", "):
            await click(app, hands, where)
        assert app.answers == case[2]

    settings = {"direction": direction}
    run_cases(BY_CLICKS, lambda case: session_at_line(case[0], settings=settings), steps, size)


@in_app(lambda: table_app(ARCHER))
async def test_a_refusal_is_told_until_the_next_choice_and_not_again(
    app: SeatedApp, hands: Hands
) -> None:
    late = "The game has moved on since you saw that position: look again."
    await hands.type("1 enter")
    await hands.receive(Refused(code="late", number=1))
    assert app.shows(late)
    assert not app.shows("Sent…")
    await hands.receive(lobby("rbg", "b", seats=seats("rbg", away="g")))
    assert app.shows(late), "not read yet, perhaps"
    await hands.type("3")
    assert not app.shows(late)
    await hands.receive(lobby("rbg", "b"))
    assert not app.shows(late)
    await hands.receive(state(seen(THEIRS), 2))
    assert not app.shows(late)
    assert app.shows("◆g Gaspard leaves or reveals 3")


@in_app(lambda: SeatedApp(gathered("rbg", "b", host=True)))
async def test_a_refusal_from_the_lobby_is_not_told_at_the_table(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.receive(Refused(code="table_full", values={"seats": 5}))
    assert app.shows("The table is full: all 5 seats are taken.")
    await hands.receive(lobby("rbg", "b"), state(seen(DOWN)))
    assert isinstance(app.screen, TableScreen)
    assert not app.shows("The table is full")
