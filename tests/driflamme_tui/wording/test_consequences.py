"""Tests that texts about an answer agree with the rules, for all hidden cards.

For every answer in random positions the engine plays on, once with each possible hidden card. An
effect on the acting card is certain if it always happens, and possible otherwise. `promises.py`
parses the sentences, which must say exactly this.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

import pytest
from hypothesis import given
from msgspec.structs import replace

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.option_rows import label_of, text_column, with_space_for_options
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.model.pending_question import Question
from driflamme_tui.text.i18n import available_languages, set_language
from driflamme_tui.text.signs import ASCII
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.choices.spoken_prompter import SpokenPrompter
from driflamme_tui.wording.game.event_words import event_sentences, forced_sentence, table_names
from driflamme_tui.wording.game.names import card_name
from engine.actions import LEAVE, REVEAL, Action, Copy, Eliminate, Leave, Move, Reveal, Steal
from engine.cards import CARDS, INTRIGUES, UNKNOWN
from engine.events import (
    AmbushSprung,
    Copied,
    Discarded,
    Eliminated,
    Event,
    Gained,
    Left,
    Moved,
    NoEffect,
    Placed,
    Revealed,
    Stole,
    Uncovered,
)
from engine.game import Game
from engine.notation import parse_position
from engine.position import unseen_cards
from engine.views import View, view
from tests.driflamme_tui.wording.promises import Fact, Promise, of_answer, of_panel
from tests.engine.lines import whole
from tests.engine.random_games import Played, examples, moments, viewers
from tests.support.tables import prompter_of, state_of

SCREENS: Final = ((60, 20), (80, 24), (120, 40))
"""Screen sizes for every prompt."""

QUESTIONS: Final = 10
"""Number of tested questions of a game, from a random one on."""


def worlds(game: Game, at: View) -> Iterator[Game]:
    """Yield the game, and copies in which one hidden top card is a possible card.

    A card is possible if the reader has not seen it elsewhere. A copy may have the card twice, but
    no ability depends on its other place.
    """
    yield game
    for index, (seat, card, *_rest) in enumerate(at.queue):
        for candidate in unseen_cards(at, seat) if card == UNKNOWN else "":
            world = game.copy()
            _seat, _card, *hidden = game.queue[index]
            world.queue[index] = (seat, candidate, *hidden)  # type: ignore[assignment]
            yield world


def of_the_card_that_acts(events: Sequence[Event]) -> Iterator[Event]:
    """Yield the events until the acting card has been resolved, or a player must decide."""
    resolved = False
    for event in events:
        if resolved and not isinstance(event, AmbushSprung | Discarded | Uncovered):
            return
        yield event
        ends = isinstance(event, Gained | NoEffect | Eliminated | Stole | Moved | Left | Placed)
        resolved |= ends or (isinstance(event, Copied) and event.ability == "F")
        if isinstance(event, Uncovered):
            return


def facts(game: Game, action: Action, *, reveals: bool) -> frozenset[Fact]:
    """Return the gains and losses of an answer in one world.

    An Intrigue is discarded after its effect. That counts for the answer that reveals the card, and
    for no later answer.
    """
    happened: list[Event] = []
    following = game.play(action, happened)
    found: set[Fact] = set()
    acting = game.queue[game.at] if game.at >= 0 else None
    events = [*of_the_card_that_acts(happened)]
    for event in events:
        match event:
            case Revealed(seat, _position, _card, influence, taken):
                found |= {Fact("gain", seat, taken)} if taken else set()
                found |= {Fact("spilt", 0, influence)} if influence and not taken else set()
            case Gained(seat=seat, influence=influence) if influence:
                found.add(Fact("gain", seat, influence))
            case Eliminated(seat=seat, target=target, victim=victim, influence=influence):
                found |= {Fact("gain", seat, 1), Fact("out", victim, target)}
                found |= {Fact("spilt", target, influence)} if influence else set()
            case AmbushSprung(seat, influence):
                found.add(Fact("ambush", seat, influence))
            case Stole(seat=seat, victim=victim, influence=influence) if influence:
                found |= {Fact("gain", seat, 1), Fact("robbed", victim, 1)}
            case Left(influence=influence):
                found.add(Fact("left", 0, influence))
            case Discarded(seat, card=card) if reveals or card not in INTRIGUES:
                found.add(Fact("discarded", seat, CARDS.index(card)))
    if (
        reveals
        and acting is not None
        and following.question == acting[1]
        and acting[1] in INTRIGUES
    ):
        # Count the loss now: any later answer discards the card, or lets it eliminate itself.
        found.add(Fact("discarded", acting[0], CARDS.index(acting[1])))
    return frozenset(found)


def truth(game: Game, at: View, action: Action) -> Promise:
    """Return the certain and possible effects of an answer, for the reader of a view."""
    reveals = isinstance(action, Reveal)
    found = [facts(world, action, reveals=reveals) for world in worlds(game, at)]
    certain = frozenset.intersection(*found)
    return Promise(certain, frozenset.union(*found) - certain)


def eyes(game: Game) -> Iterator[View]:
    """Yield two views of the deciding player: one with one family, one with two."""
    yield view(game, game.turn)
    yield view(game, (game.turn, (game.turn + 1) % game.players))


def answers(game: Game) -> Iterator[Action]:
    for action in game.legal:
        if isinstance(action, Leave | Reveal | Eliminate | Steal | Copy | Move):
            yield action


def prompters(at: View) -> Iterator[Prompter]:
    """Yield the prompters of the screen, with and without names, and of the line-by-line mode."""
    named = prompter_of(at)
    yield named
    yield replace(named, names=[""] * at.players)
    yield SpokenPrompter(at, named.names, ASCII)


@examples(150)
@given(moments())
def test_an_answer_names_each_certain_gain_and_loss_and_each_possible_one_and_nothing_else(
    moment: tuple[Played, int],
) -> None:
    played, index = moment
    for game in played.games[index : index + QUESTIONS]:
        for at in eyes(game):
            for action in answers(game):
                so = truth(game, at, action)
                for prompter in prompters(at):
                    said = prompter.effect(action)
                    assert of_answer(said, at, action) == so, (action, said)


@examples(150)
@given(moments())
def test_the_panel_says_the_same_of_revealing_a_card(moment: tuple[Played, int]) -> None:
    played, index = moment
    for game in played.games[index : index + QUESTIONS]:
        for at in eyes(game) if REVEAL in game.legal else ():
            so = truth(game, at, REVEAL)
            for prompter in prompters(at):
                said = prompter.here(game.at)
                assert of_panel(said, at, game.at) == so, said


HIDDEN: Final = {
    # A Soldier with one neighbour, which may be an Ambush, and is one.
    "2 4 r?1 rs,bm,gl,rp,bL,gH *r5:AHF:LXD:MC,b5:ASP:HFX:DC,g5:ASP:FXD:MC": (
        "eliminate ●b 2 (+1); if an Ambush: ●b Blaise +4, your Soldier is discarded"
    ),
    # The player's own Ambush, in both editions.
    "2 4 r?1 rs,rm1 *r5,b5,g5": "eliminate ▲r ambush 2 and the 1 on it (+1)",
    "1 4 r?1 rs,rm1 *r5,b5,g5": (
        "eliminate ▲r ambush 2 and the 1 on it (+1); your Ambush +1, your Soldier is discarded too"
    ),
    # An Archer and an Assassination alone in the Queue.
    "2 4 r?1 ra1 *r5,b5,g5": "take the 1; eliminate itself (+1)",
    "2 4 r?1 rx *r5,b5,g5": "eliminate itself (+1)",
    # A Shapeshifter that copies an Heir for nothing, and one that copies a Soldier.
    "2 4 r?2 bH,rf,gF *r5,b5,g5": "copy ●b Heir 1 or ◆g Shapeshifter 3",
    "2 4 r?1 rf,bH,gF *r5,b5,g5": (
        "copy ●b Heir 2: the Shapeshifter gains 0, because ◆g Shapeshifter 3 is face up"
    ),
    "2 4 r?1 rf2,bS *r5,b5,g5": "take the 2; copy ●b Soldier 2: eliminate ●b Soldier 2 (+1)",
    "2 4 r?1 rf,bF *r5,b5,g5": "copy ●b Shapeshifter 2, which has no effect",
    # A Spy without neighbours with influence, or beside its own family only.
    "2 4 r?1 rp,bl *r5,b0,g5": "no other family beside it has influence, so nothing changes",
    "2 4 r?1 rp,rl,bh *r5,b5,g5": "no other family beside it has influence, so nothing changes",
    "2 4 r?1 rp,bl *r5,b1,g5": "steal 1 from ●b Blaise",
    # A Royal Decree with at most one card to move, to one place.
    "2 4 r?1 rd,bl *r5,b5,g5": ("move ●b 2 to 1: not resolved this round; the Decree is discarded"),
    "2 4 r?2 bl,rd *r5,b5,g5": "move ●b 1 to 2: resolved after the Decree, which is discarded",
    "2 4 r?1 rd *r5,b5,g5": "there is no other card to move; the Decree is discarded",
}
"""Effects of revealing where the rules leave no choice afterwards."""


@pytest.mark.parametrize("line", HIDDEN)
def test_revealing_says_what_the_rules_do_without_asking(line: str) -> None:
    game = parse_position(whole(line))
    at = view(game, game.turn)
    said = prompter_of(at).effect(REVEAL)
    assert said == HIDDEN[line]
    assert of_answer(said, at, REVEAL) == truth(game, at, REVEAL)
    assert of_panel(prompter_of(at).here(game.at), at, game.at) == truth(game, at, REVEAL)


@examples(100)
@given(moments())
def test_what_revealing_does_is_read_whole_on_every_screen(moment: tuple[Played, int]) -> None:
    played, index = moment
    for game in played.games[index : index + QUESTIONS]:
        if REVEAL in game.legal:
            for size, language in product(SCREENS, available_languages()):
                set_language(language)
                assert_read_whole(view(game, game.turn), size)


@pytest.mark.parametrize("line", HIDDEN)
@pytest.mark.parametrize("language", available_languages())
@pytest.mark.parametrize("size", SCREENS)
def test_a_forced_consequence_is_read_whole_on_every_screen(
    line: str, language: str, size: tuple[int, int]
) -> None:
    set_language(language)
    game = parse_position(whole(line))
    assert_read_whole(view(game, game.turn), size)


@pytest.mark.parametrize("line", HIDDEN)
@pytest.mark.parametrize("size", SCREENS)
def test_advice_and_notices_stand_below_both_answers_and_replace_none(
    line: str, size: tuple[int, int]
) -> None:
    game = parse_position(whole(line))
    at = view(game, game.turn)
    for notes in ({"advice": ("A bot would leave.", "It gains more.")}, {"notice": "Not now."}):
        state = with_space_for_options(replace(state_of(at, Question(at), size), **notes))
        canvas = drawn_prompt(state)
        assert [target for target, _label, _text in prompted(state)] == ["+", "!"]
        below = " ".join(strip.text for strip in canvas.strips())
        assert "A bot would leave." in below or "Not now." in below


def assert_read_whole(at: View, size: tuple[int, int]) -> None:
    """Assert that the prompt shows each answer's whole text, and that a click there chooses it."""
    for chosen in (None, LEAVE, REVEAL):
        question = Question(at)
        question.choose_action(str(chosen))
        state = with_space_for_options(state_of(at, question, size))
        assert state.layout.events_height >= 0
        shown = prompted(state)
        assert [each[:2] for each in shown] == [
            (str(action), label_of(state, action)) for action in (LEAVE, REVEAL)
        ]
        answers: tuple[Action, ...] = (LEAVE, REVEAL)
        for action, (_target, _label, text) in zip(answers, shown, strict=True):
            ways = (state.prompter, replace(state, brief=True).prompter)
            assert text in [" ".join(way.effect(action).split()) for way in ways]


def drawn_prompt(state: TableState) -> Canvas:
    widget, canvas = Prompt(), Canvas(state.layout.width, state.layout.prompt)
    widget.state = state
    widget.draw(canvas)
    return canvas


def prompted(state: TableState) -> list[tuple[str, str, str]]:
    """For each answer in the prompt, return the action that a click chooses, its label and text."""
    canvas = drawn_prompt(state)
    rows = [strip.text for strip in canvas.strips()]
    read = {
        str(what): rows[place.y : place.bottom]
        for place, what in canvas.places
        if place.y < canvas.height
    }
    column = text_column(state)
    return [
        (
            target.removeprefix("promised('").removesuffix("')"),
            lines[0][:column].strip(" ▸"),
            " ".join(" ".join(line[column:] for line in lines).split()),
        )
        for target, lines in read.items()
        if target.startswith("promised")
    ]


@examples(150)
@given(moments())
def test_whoever_waits_reads_what_revealing_may_do_with_the_influence(
    moment: tuple[Played, int],
) -> None:
    played, index = moment
    words = {0: "loses", 1: "gives you what lies on it", 2: "twice"}
    for game in played.games[index : index + QUESTIONS]:
        if REVEAL not in game.legal or not game.queue[game.at][3]:
            continue
        for viewer in viewers(game):
            at = view(game, viewer)
            times = set()
            for world in worlds(game, at):
                events: list[Event] = []
                world.play(REVEAL, events)
                assert isinstance(events[0], Revealed)
                times.add(events[0].taken // events[0].influence)
            said = prompter_of(at).may()
            assert {each for each, word in words.items() if word in said} == times, said


@pytest.mark.parametrize("influence", ["", "3"])
def test_a_conspiracy_is_said_to_bring_what_it_has_brought(influence: str) -> None:
    game = parse_position(whole(f"2 4 r?1 rc{influence},bl *r5,b5,g5"))
    events: list[Event] = []
    game.play(REVEAL, events)
    table = table_names(view(game, 0), ["Rosalind", "Blaise", "Gaspard"])
    assert event_sentences(events, table)[:2] == [
        "You reveal your Conspiracy at 1 and take 6, twice what lay on it"
        if influence
        else "You reveal your Conspiracy at 1",
        "Your Conspiracy at 1 has no further effect",
    ]


@pytest.mark.parametrize("language", available_languages())
@pytest.mark.parametrize("line", ["2 4 r?1 rp,rl,bh *r5,b5,g5", "2 4 r?1 rp,bl *r5,b0,g5"])
def test_a_spy_without_a_choice_is_not_said_to_rob_somebody_who_loses_nothing(
    line: str, language: str
) -> None:
    set_language(language)
    game = parse_position(whole(line))
    events: list[Event] = []
    game.play(REVEAL, events)
    assert Stole in map(type, events)
    table = table_names(view(game, 0), ["Rosalind", "Blaise", "Gaspard"])
    sentence = forced_sentence(events, table)
    assert sentence
    assert not re.search(r"\b(robs|volé|okrada|traci)\b", sentence), sentence


@examples(150)
@given(moments())
def test_all_languages_name_the_same_cards_players_and_numbers(moment: tuple[Played, int]) -> None:
    played, index = moment
    for game in played.games[index : index + QUESTIONS]:
        at = view(game, game.turn)
        for action in answers(game):
            names = {}
            for language in available_languages():
                set_language(language)
                prompter = prompter_of(at)
                sentences = [prompter.effect(action)]
                sentences += [prompter.here(game.at)] if isinstance(action, Reveal) else []
                names[language] = [named(sentence) for sentence in sentences]
            assert all(each == names["en"] for each in names.values()), (action, names)


def named(sentence: str) -> dict[str, int]:
    """Return the number of times that each number, family sign and card name is in a sentence."""
    parts = re.findall(r"\d+|[▲●◆★■]\w", sentence)
    for card in CARDS:
        parts += [card] * len(re.findall(rf"\b{stem(card)}", sentence.casefold()))
    return {part: parts.count(part) for part in parts}


def stem(card: str) -> str:
    """Return the part of a card's name that every sentence contains, such as Decree."""
    words = card_name(card).casefold().split()
    word = next((word for word in words if word.startswith(("decr", "décr", "dekr"))), words[0])
    return word[: max(4, len(word) - 2)]
