"""Tests the prompt: every sentence on one position, and that no promise is false."""

import re
from collections.abc import Iterator
from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len
from textual.strip import Strip

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import panel_text
from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.model.knowledge import ambush_possible, knowledge
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.text.cell_widths import wrap_text
from driflamme_tui.text.i18n import _ as translate
from driflamme_tui.text.i18n import available_languages, set_language
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.header import Header
from driflamme_tui.widgets.table.info_panels import CardHelp, KnownCards
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.widgets.table.seats import Seats
from driflamme_tui.wording.choices.prompts import Prompter
from engine.actions import ACTIONS, REVEAL, Action, Copy, Eliminate, Move, Steal
from engine.cards import AMBUSH, HEIR, LORD, UNKNOWN, Seat
from engine.events import AmbushSprung, Discarded, Eliminated, Event, Gained, Revealed, Stole
from engine.game import Game
from engine.position import height, move_top
from engine.views import View, view
from netcode.protocol.fields import NAME_LENGTH
from netcode.protocol.messages import SeatInfo
from tests.driflamme_tui.screens.test_families import WideQueue
from tests.engine.random_games import Played, examples, moments, random_game, viewers
from tests.engine.test_noninterference import traded_action, traded_deal, trades
from tests.support.tables import prompter_of, seen, state_of


def prompt_of(line: str, *choices: str) -> str:
    """Return the prompt's text on the last choice; the earlier choices are confirmed.

    A choice is a token or, in a first step, a card or a position; "-" is none.
    """
    question, prompter = at_step(line, *choices)
    return prompter.consequence(question)


def at_step(line: str, *choices: str, glyphs: Glyphs = UNICODE) -> tuple[Question, Prompter]:
    at = seen(line)
    question = Question(at)
    for number, choice in enumerate(choices, 1):
        question.chosen = None
        if choice != "-":
            assert choose(question, choice), f"{choice} cannot be chosen"
        if number < len(choices):
            question.confirm()
    return question, prompter_of(at, glyphs)


def choose(question: Question, choice: str) -> bool:
    if choice in ACTIONS:
        return question.choose_action(choice)
    if choice.isdecimal():
        return question.choose_position(int(choice))
    return question.choose_card(choice)


# Sentences

TITLES = {
    ("2 4 b* rS,bh1 *r3,b5,g2", "-"): "YOUR TURN — which card?",
    ("2 4 b* rS,bh1 *r3,b5:ALXD,g2", "D -"): "PLACE YOUR ROYAL DECREE — where?",
    ("2 4 b?2 rS,bh1,gl *r3,b5,g2", ""): "YOUR HEIR AT 2 is face down — leave or reveal it?",
    ("2 4 bA2 rS,bA,gl *r3,b5,g2", ""): "YOUR ARCHER AT 2 — eliminate the first or the last card",
    (
        "2 4 bX2 rS,bX,gl *r3,b5,g2",
        "",
    ): "YOUR ASSASSINATION AT 2 — eliminate any card, even itself",
    ("2 4 bS2 rS,bF,gL *r3,b5,g2", ""): "YOUR SHAPESHIFTER AS SOLDIER AT 2 — eliminate a neighbour",
    ("2 4 bD2 rS,bD,gl *r3,b5,g2", ""): "YOUR ROYAL DECREE AT 2 — move which card?",
    ("2 4 bD2 rS,bD,gl *r3,b5,g2", "1 -"): "MOVE ▲r SOLDIER 1 — to which place?",
    ("2 4 bD2 rS,bD,gl *r3,b5,g2", "3 -"): "MOVE ◆g 3 — to which place?",
}

WAITS = {
    "2 4 r* bh1 *r3,b5,g2": (
        "▲r Rosalind places a card",
        "Each player puts one card from hand, face down, at an end or on their own stack.",
    ),
    "2 4 r?1 rs,bh1 *r3,b5,g2": (
        "▲r Rosalind leaves or reveals 1",
        "No influence lies on the card; leaving adds 1.",
    ),
    "2 4 r?1 rs1,bh1 *r3,b5,g2": (
        "▲r Rosalind leaves or reveals 1",
        "1 influence lies on the card; leaving adds 1. Revealed, it gives you what lies on it.",
    ),
    "2 4 gS2 rs,gS,bh *r3,b5,g2": (
        "◆g Gaspard chooses: eliminate a neighbour of 2",
        "Eliminates a card right beside it.",
    ),
    "2 4 gF2 rS,gF,bH *r3,b5,g2": (
        "◆g Gaspard chooses: copy a neighbour of 2",
        "Copies one face-up Character beside it, for this time only.",
    ),
}
"""For each position, the sentences about another player's decision."""

PROMPTS: dict[str, dict[str, str]] = {
    "2 1 b* - r1,*b1,g1": {
        "L": (
            "Lord: Gains 1, and 1 more for each neighbour of its own family. The Queue is empty: "
            "your card will be the first in it."
        ),
        "L L>": "Your card becomes the Queue.",
    },
    "2 4 b* rS,gl *r3,b5,g2": {
        "-": "It may go to either end; the start is resolved first.",
    },
    "2 4 b* rS,bh1,gl,bm2/bp1 *r3,b5:ASFX,g2": {
        "-": "It may go to either end, or on your own card at 2 or 4.",
    },
    "2 4 b* rS,bh1,gl *r3,b5:ASFX,g2": {
        "A A<": "At the start, before ▲r Soldier 1.",
        "A A>": "At the end, after ◆g 3.",
        "A A^2": (
            "On your stack at 2, then 2 high: only your Archer counts; heir (1 on it) keeps its "
            "influence and waits."
        ),
    },
    "2 4 b* rS,bh1/bP,gl *r3,b5:ASFX,g2": {
        "A A^2": (
            "On your stack at 2, then 3 high: only your Archer counts; heir (1 on it) and Spy "
            "keep their influence and wait."
        ),
    },
    "2 4 b* rS,bP,gl *r3,b5:ASFX,g2": {
        "A A^2": "On your stack at 2, then 2 high: only your Archer counts; Spy waits below it.",
    },
    "2 4 b* rS,bh1/bP/bm,gl *r3,b5:ASFX,g2": {
        "A A^2": (
            "On your stack at 2, then 4 high: only your Archer counts; all 3 below it keep their "
            "influence and wait."
        ),
    },
    "2 6 b?2 rS,bh3,gl *r3,b5,g2": {
        "+": "4 on it then; influence on cards is lost after this round",
        "!": "take the 3; the Heir gains 2",
    },
    "2 4 b?2 rS,bh3,gH *r3,b5,g2": {
        "!": "take the 3; the Heir gains 0, because ◆g Heir 3 is face up",
    },
    "2 4 b?2 rS,bm2,gl *r3,b5,g2": {
        "!": "gain 1, but the 2 on it is lost; the Ambush is discarded",
    },
    "2 4 b?2 rS,bc,gl *r3,b5,g2": {
        "!": "nothing lies on it to take; the Conspiracy is discarded",
    },
    "2 4 b?1 bs2 *r3,b5,g2": {
        "!": "take the 2; there is nothing it can act on, so it has no effect",
    },
    "2 4 b?2 rS,bx,gl *r3,b5,g2": {
        "!": "eliminate any card, itself included; the Assassination is discarded",
    },
    "2 4 b?2 rS,bd,gl *r3,b5,g2": {
        "!": "move a card, and the Decree is discarded",
    },
    "2 4 b?2 rS,bp,gl *r3,b5,g2": {
        "!": "steal 1 from ▲r Rosalind or ◆g Gaspard",
    },
    "2 4 b?2 rS,bf,gL *r3,b5,g2": {
        "!": "copy ▲r Soldier 1 or ◆g Lord 3",
    },
    "2 4 bS2 rH,bS,gl3 *r3,b5,g2": {
        "x1": "1: ▲r Rosalind loses the Heir; you gain 1.",
    },
    "2 4 bS2 rH,bS,gl3 *r3,b5,g2:PHC:ASF:XDM": {
        "x3": "3: ◆g Gaspard loses a face-down card with 3 on it; you gain 1.",
    },
    "2 4 bS2 rH,bS,gl *r3,b5,g2:PHM:ASF:XDC": {
        "x3": (
            "3: ◆g Gaspard loses a face-down card; you gain 1. If it turns out to be an Ambush, "
            "◆g Gaspard gains 4 and your Soldier is discarded."
        ),
    },
    "2 4 bS2 rH,bS/bm2,gl3 *r3,b5,g2:PHM:ASF:XDC": {
        "x3": (
            "3: ◆g Gaspard loses a face-down card with 3 on it; you gain 1. If an Ambush: ◆g "
            "Gaspard gains 4, your Soldier is discarded, your Ambush is active again."
        ),
    },
    "2 4 bX2 rH,bX/bm2,gl3 *r3,b5,g2:PHM:ASF:XDC": {
        "x3": (
            "3: ◆g Gaspard loses a face-down card with 3 on it; you gain 1. If it turns out to "
            "be an Ambush, ◆g Gaspard gains 4."
        ),
    },
    "2 4 bA2 rA,bF,gl *r3,b5,g2:PHM:ASF:XDC": {
        "x3": (
            "3: ◆g Gaspard loses a face-down card; you gain 1. If it turns out to be an Ambush, "
            "◆g Gaspard gains 4 and your Shapeshifter is discarded."
        ),
    },
    "2 4 bS2 rH,bS,bl2 *r3,b5,g2": {
        "x3": "3: your own Lord, with the 2 on it; you gain 1.",
    },
    "2 4 bS2 rH,bS,bm2 *r3,b5,g2": {
        "x3": (
            "3: your own Ambush, with the 2 on it; you gain 1. Your own Ambush does not strike "
            "back."
        ),
    },
    "1 4 bS2 rH,bS,bm2 *r3,b5,g2": {
        "x3": (
            "3: your own Ambush, with the 2 on it; you gain 1. Your Ambush brings 1 more, and "
            "your Soldier is discarded too."
        ),
    },
    "2 4 bX2 rH,bX,gl *r3,b5,g2": {
        "x2": "2: your Assassination itself leaves the Queue; you gain 1.",
    },
    "2 4 bA3 rH,gl,bA/bh1 *r3,b5,g2": {
        "x3": "3: your Archer itself leaves the Queue; you gain 1. Your Heir beneath comes next.",
    },
    "2 4 bP2 rS,bP,gl *r3,b5,g0": {
        "$r": "▲r Rosalind goes from 3 to 2, you from 5 to 6.",
        "$g": "◆g Gaspard has no influence: nothing changes.",
    },
    "2 4 bP2 rS,bP,bl *r3,b5,g0": {
        "$b": "Yourself: nothing changes (allowed).",
    },
    "2 4 bF2 rS,bF,gL *r3,b5,g2": {
        "~1": "▲r Soldier 1: eliminate ▲r Soldier 1 or ◆g Lord 3.",
    },
    "2 4 bF2 rP,bF,gL *r3,b5,g2": {
        "~3": "◆g Lord 3: the Shapeshifter gains 1.",
    },
    "2 4 bF2 rP,bF,gH,yF *r3,b5,g2,y1": {
        "~3": "◆g Heir 3: the Shapeshifter gains 0, because ★y Shapeshifter 4 is face up.",
    },
    "2 4 bF2 rP,bF,gF *r3,b5,g2": {
        "~3": "◆g Shapeshifter 3: copying a Shapeshifter has no effect.",
    },
    "2 4 bD3 rS,bh2,bD,gl/gh1 *r3,b5,g2": {
        "-": "It keeps the influence on it, and never goes onto another card.",
        "2": "●b heir 2, with the 2 on it.",
        "4": "◆g 4; the card beneath it will be resolved this round.",
        "1 -": "Choose where it will stand, as a stack of its own.",
        "1 1>2": "It would stand at 2, between ●b and ●b: not resolved again this round.",
        "1 1>4": "It would stand at 4, an end of the Queue: resolved this round, after the Decree.",
    },
    "2 4 bD3 rS,gl/gh1,bD *r3,b5,g2": {
        "2": "◆g 2; the card beneath it waits for the next round.",
    },
}
"""The prompt's text on the last choice, by position and choices."""


@pytest.mark.parametrize(("at", "title"), TITLES.items())
def test_the_title_says_what_is_asked(at: tuple[str, str], title: str) -> None:
    question, prompter = at_step(at[0], *at[1].split())
    assert prompter.title(question) == title


def test_ascii_titles_have_the_letter_as_sign() -> None:
    question, prompter = at_step("2 4 bD2 rS,bD,gl *r3,b5,g2", "1", "-", glyphs=ASCII)
    assert prompter.title(question) == "MOVE [r] SOLDIER 1 — to which place?"


@pytest.mark.parametrize("line", WAITS)
def test_others_read_who_is_asked_and_what_they_can_do(line: str) -> None:
    for viewer in ("b", None):
        prompter = prompter_of(seen(line, viewer))
        assert (prompter.waiting(), prompter.may()) == WAITS[line], viewer


@pytest.mark.parametrize("line", PROMPTS)
def test_a_choice_says_what_it_does(line: str) -> None:
    for choices, sentence in PROMPTS[line].items():
        assert prompt_of(line, *choices.split()) == sentence


def with_cursor(state: TableState, cursor: Cursor | None) -> TableState:
    return TableState(state.view, state.players, state.glyphs, state.layout, state.question, cursor)


def taught(state: TableState) -> str:
    panel = panel_text(state)
    return " ".join(filter(None, (panel.title, panel.here, panel.rule, panel.brief)))


# In any game: no sentence fails, is cut off, or reveals a card


def choices_of(question: Question) -> Iterator[None]:
    """Choose all options step by step, beginning with none; yield after each choice."""
    question.chosen = None
    yield
    for index in range(len(question.options)):
        question.choose(index)
        yield
        if question.choice is not None and question.choice.action is None:
            question.confirm()
            yield from choices_of(question)
            while question.picked is not None:
                question.back()


def texts(at: View, size: tuple[int, int] = (80, 24)) -> Iterator[str]:
    """Yield all texts and drawings of a view, for all choices."""
    prompter = prompter_of(at)
    if not at.over:
        yield prompter.waiting()
        yield prompter.may()
    question = Question(at) if at.legal else None
    state = state_of(at, question, size)
    for index, stack in enumerate(at.queue):
        for depth in range(height(stack)):
            yield taught(with_cursor(state, Cursor(index, depth)))
    if question is None:
        return
    for _ in choices_of(question):
        yield prompter.title(question)
        yield prompter.verb(question)
        yield prompter.consequence(question)
        yield taught(state)


@examples(40)
@given(moments())
def test_every_choice_of_every_question_can_be_worded_for_everybody(
    moment: tuple[Played, int],
) -> None:
    played, index = moment
    for viewer in viewers(played.games[index]):
        for text in texts(view(played.games[index], viewer)):
            assert "{" not in text
            assert "  " not in text
            assert UNKNOWN not in text.removesuffix("?"), "only a title ends with one"


@examples(60)
@given(moments())
def test_no_prompt_is_cut_off_at_80_columns_in_any_language(moment: tuple[Played, int]) -> None:
    played, index = moment
    at = view(played.games[index], played.games[index].turn)
    anybody = SeatInfo(family="b", name="N" * NAME_LENGTH)
    named = replace(state_of(at), players=[anybody] * at.players)
    prompter = named.prompter
    for language in available_languages():
        set_language(language)
        assert cell_len(prompter.waiting()) <= 78
        question = Question(at)
        for _ in choices_of(question):
            assert cell_len(prompter.title(question)) <= 78
            say = partial(Prompter.consequence, question=question)
            space = 78
            if question.step is Step.LEAVE_OR_REVEAL:
                # The effects of leaving and revealing stand beside both keys.
                ways = [translate(way, key="!") for way in ("{key} Leave", "{key} Reveal")]
                space = 80 - 6 - max(map(cell_len, ways))
            sentence = named.fitting(say, space, 2)
            assert len(wrap_text(sentence, space, space)) <= 2, sentence


@examples(25)
@given(moments(), st.integers(0, 2**32 - 1))
def test_nothing_that_is_said_or_drawn_depends_on_what_its_reader_may_not_know(
    moment: tuple[Played, int], seed: int
) -> None:
    played, index = moment
    game = played.games[index]
    for viewer in Random(seed).sample(viewers(game), 2):
        twin = game_with_other_cards(played, index, viewer, Random(seed))
        here, there = view(game, viewer), view(twin, viewer)
        assert list(texts(here)) == list(texts(there))
        for seat in range(game.players):
            assert knowledge(here, seat) == knowledge(there, seat)
        assert drawn(here) == drawn(there)


def game_with_other_cards(played: Played, index: int, viewer: Seat | None, rng: Random) -> Game:
    """Return the same game with other cards in place of those hidden from the viewer."""
    by_seat = trades(viewer, played.games[index], rng)
    twin = Game.start(traded_deal(played.deal, by_seat))
    for action in played.actions[:index]:
        twin = twin.play(traded_action(twin, action, by_seat))
    return twin


def drawn(at: View, size: tuple[int, int] = (120, 40)) -> list[Strip]:
    """Return the drawing of the table's widgets."""
    question = Question(at) if at.legal else None
    state = state_of(at, question, size)
    widgets = (Header(), Seats(), WideQueue(), Prompt(), Hand(), CardHelp(), KnownCards())
    rows: list[Strip] = []
    for widget in widgets:
        canvas = Canvas(size[0], 16)
        widget.state = state
        widget.draw(canvas)
        rows += canvas.strips()
    return rows


# Promises come true


@examples(150)
@given(moments())
def test_what_is_promised_of_a_revelation_is_paid(moment: tuple[Played, int]) -> None:
    """The prompt and the help on the card under the cursor have the numbers that the game pays."""
    played, index = moment
    for game in (each for each in played.games[index:] if each.question == "?"):
        prompter = prompter_of(view(game, game.turn))
        sentence, here = prompter.effect(REVEAL), prompter.here(game.at)
        events: list[Event] = []
        game.play(REVEAL, events)
        revealed = events[0]
        assert isinstance(revealed, Revealed)
        taken = [revealed.taken] if revealed.taken else []
        lost = [revealed.influence] if revealed.influence else []
        gained = [each.influence for each in events[1:2] if isinstance(each, Gained)]
        match revealed.card:
            case "C":
                assert numbers(sentence) == [*taken, *lost]
                promise = f"would bring {revealed.taken}," if taken else ""
            case "M":
                assert numbers(sentence) == [*gained, *lost]
                promise = f"the {revealed.influence} on it is lost" if lost else ""
            case card:
                assert sentence.startswith(f"take the {revealed.taken}; ") == bool(taken)
                promise = f"brings the {revealed.taken} on it" if taken else ""
                if card in (LORD, HEIR):
                    assert numbers(sentence)[: len(taken) + 1] == [*taken, *gained]
                    assert f"would gain {gained[0] or 'nothing'}" in here
        assert promise in here


def numbers(sentence: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", sentence)]


@examples(150)
@given(moments())
def test_the_choices_of_an_ability_do_what_the_prompt_says(moment: tuple[Played, int]) -> None:
    played, index = moment
    for game in played.games[index:]:
        at = view(game, game.turn)
        for action in game.legal:
            if isinstance(action, Eliminate | Steal | Copy | Move):
                sentence = prompter_of(at).effect(action)
                events: list[Event] = []
                game.play(action, events)
                check(game, action, sentence, events)


def check(game: Game, action: Action, sentence: str, events: list[Event]) -> None:
    seat = game.turn
    match action:
        case Eliminate(position):
            eliminated = events[0]
            assert isinstance(eliminated, Eliminated)
            assert "you gain 1." in sentence
            prompter = prompter_of(view(game, seat))
            if game.question == game.queue[game.at][1] != "X":
                is_own = position == game.at + 1
                here = prompter.here(game.at)
                assert ("itself" if is_own else prompter.at(position)) in here
            if eliminated.influence and position != game.at + 1:
                assert f"{eliminated.influence} on it" in sentence
            sprung = [event for event in events[1:3] if isinstance(event, AmbushSprung)]
            if sprung and sprung[0].seat != seat:
                assert "Ambush" in sentence
                assert f"gains {sprung[0].influence}" in sentence
            if sprung and sprung[0].seat == seat:
                assert f"brings {sprung[0].influence} more" in sentence
                assert any(isinstance(event, Discarded) for event in events)
        case Steal():
            stole = events[0]
            assert isinstance(stole, Stole)
            before = game.pools
            if stole.influence:
                assert numbers(sentence) == [
                    before[stole.victim],
                    before[stole.victim] - 1,
                    before[seat],
                    before[seat] + 1,
                ]
            else:
                assert "nothing changes" in sentence
        case Copy(position):
            if game.queue[position - 1][1] in (LORD, HEIR):
                gained = next(event for event in events if isinstance(event, Gained))
                assert f"the Shapeshifter gains {gained.influence}" in sentence
        case Move(position, destination):
            queue = list(game.queue)
            at = move_top(queue, game.at, position - 1, destination - 1)
            comes = destination - 1 > at
            assert ("after the Decree" in sentence) == comes
            assert ("not resolved" in sentence) != comes
            assert f"stand at {destination}," in sentence
            ends = destination in (1, len(queue))
            assert ("an end of the Queue" in sentence) == ends


def test_an_ambush_is_warned_of_unless_it_is_known_to_be_elsewhere() -> None:
    """Without a warning, the sentence promises that this card is no Ambush."""
    for seed in range(25):
        for game in random_game(seed).games:
            for viewer in viewers(game):
                at = view(game, viewer)
                for stack, truth in zip(at.queue, game.queue, strict=True):
                    hidden = stack[1] == UNKNOWN
                    if hidden and truth[1] == AMBUSH:
                        assert ambush_possible(at, stack[0])
