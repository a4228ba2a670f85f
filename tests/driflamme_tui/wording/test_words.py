"""Tests the program's words for every event, card and ruling, and the space that they need."""

import itertools
import re
from collections.abc import Iterator
from typing import get_args

import pytest
from rich.cells import cell_len

from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.text.i18n import available_languages, pgettext, set_language
from driflamme_tui.text.signs import ASCII, BASIC, UNICODE, Glyphs
from driflamme_tui.wording.game.card_texts import CARD_TEXTS, card_help, card_summary
from driflamme_tui.wording.game.event_words import TableNames, event_sentence
from driflamme_tui.wording.game.help_pages import rules_sections
from driflamme_tui.wording.game.names import (
    bot_called,
    bot_name,
    bot_note,
    card_mark,
    card_name,
    card_name_for,
    card_names_for,
    card_purpose,
    short_bot_name,
)
from driflamme_tui.wording.game.result_words import reason
from driflamme_tui.wording.program.joining_words import joining_command, no_seat_sentence
from driflamme_tui.wording.program.people_words import absence, status_words
from driflamme_tui.wording.program.settings_words import TABLE_SETTINGS, value_name
from driflamme_tui.wording.program.table_setting import TableSetting
from engine.abilities import CHOICES
from engine.bots import bot_names
from engine.cards import CARDS, UNKNOWN
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
from netcode.protocol.fields import FAMILY_LETTERS
from netcode.protocol.messages import Refused
from tests.support.tables import NAMES, lobby, seen

YOU, ROSALIND, GASPARD = 0, 1, 2
TABLE = TableNames("brg", ("Blanche", "Rosalind", "Gaspard"), YOU)


@pytest.fixture(autouse=True, params=available_languages())
def language(request: pytest.FixtureRequest) -> str:
    set_language(request.param)
    return str(request.param)


english = pytest.mark.parametrize("language", ["en"], indirect=True)
"""Marks tests that compare English texts."""


def samples() -> Iterator[Event]:
    """Yield events of each kind, with all differences that change the sentence."""
    seats = (YOU, ROSALIND)
    for seat, other in itertools.product(seats, (YOU, ROSALIND, GASPARD)):
        yield RoundBegan(2, seat)
        for card in ("S", UNKNOWN) if seat != YOU else ("S",):
            yield from (Placed(seat, card, spot, 3, 2) for spot in "<>^")
            yield from (Left(seat, 3, card, influence) for influence in (1, 2))
            yield Uncovered(seat, 3, card, False)
        yield Uncovered(seat, 3, "S", True)
        yield from (Revealed(seat, 3, "C", 2, taken) for taken in (0, 2, 4))
        yield Revealed(seat, 3, "S", 0, 0)
        yield Forced(seat, 3, "F", "S")
        yield NoEffect(seat, 3, "F", "S")
        yield from (Gained(seat, 3, "F", "H", influence) for influence in (0, 2))
        yield from (Gained(seat, 3, card, card, 0) for card in "HC")
        yield from (Gained(seat, 3, card, card, 1) for card in "LM")
        yield Copied(seat, 3, 4, "A")
        yield Eliminated(seat, 3, "S", 4, other, "H", True, 0)
        yield from (Eliminated(seat, 3, "S", 4, other, "H", False, lost) for lost in (0, 2))
        yield AmbushSprung(seat, 4, other)
        yield Discarded(seat, 3, "X")
        yield Stole(seat, 3, "P", other, 0)
        if other != seat:
            yield Stole(seat, 3, "P", other, 1)
        yield Moved(seat, 3, 4, 1, other, "L", True)
        yield Moved(seat, 3, 4, 1, other, "L" if other == YOU else UNKNOWN, False)
        yield Moved(seat, 3, 4, 1, other, "L", False)
        yield Eliminated(seat, 3, "X", 3, seat, "X", True, 0)
    yield ResolutionBegan()
    yield from (GameEnded(winners) for winners in ((0,), (1,), (0, 1), (1, 2), (0, 1, 2)))


def test_the_samples_are_of_every_kind_of_event() -> None:
    assert {type(event) for event in samples()} == set(get_args(Event))


def test_every_event_has_a_sentence() -> None:
    for event in samples():
        sentence = event_sentence(event, TABLE)
        assert sentence, event
        assert not re.search(r"[{}?]|\bNone\b|  ", sentence), sentence


def test_no_sentence_tells_a_hidden_card() -> None:
    hidden: list[Event] = [
        Placed(ROSALIND, UNKNOWN, "^", 3, 2),
        Left(ROSALIND, 3, UNKNOWN, 2),
        Uncovered(ROSALIND, 3, UNKNOWN, False),
        Moved(ROSALIND, 3, 4, 1, GASPARD, UNKNOWN, False),
        Moved(YOU, 3, 4, 1, GASPARD, UNKNOWN, False),
    ]
    names = {card_name(card) for card in CARDS if card != "D"}
    for event in hidden:
        assert not any(name in event_sentence(event, TABLE) for name in names)


@english
@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (RoundBegan(3, ROSALIND), "Round 3 begins, and Rosalind is first player"),
        (Placed(YOU, "S", "^", 3, 2), "You put your Soldier on your stack at 3, now 2 high"),
        (Placed(ROSALIND, UNKNOWN, ">", 5, 1), "Rosalind puts a card at the end, position 5"),
        (Left(ROSALIND, 4, UNKNOWN, 1), "Rosalind leaves the card at 4: 1 influence on it now"),
        (
            Revealed(ROSALIND, 7, "C", 3, 6),
            "Rosalind reveals the Conspiracy at 7 and takes 6, twice what lay on it",
        ),
        (Revealed(YOU, 7, "M", 3, 0), "You reveal your Ambush at 7 and lose the 3 on it"),
        (Gained(ROSALIND, 5, "F", "L", 2), "Rosalind's Shapeshifter at 5 gains 2 as Lord"),
        (
            Eliminated(YOU, 6, "S", 7, ROSALIND, "H", False, 3),
            "Your Soldier at 6 eliminates Rosalind's face-down Heir at 7 and the 3 on it (+1)",
        ),
        (Stole(ROSALIND, 4, "P", YOU, 1), "Rosalind's Spy at 4 steals 1 from you"),
        (
            Moved(ROSALIND, 5, 11, 4, GASPARD, UNKNOWN, False),
            "Rosalind's Royal Decree at 5 moves Gaspard's face-down card from 11 to 4, as its own "
            "stack",
        ),
        (GameEnded((YOU, GASPARD)), "You share the victory with Gaspard"),
    ],
)
def test_sentences(event: Event, sentence: str) -> None:
    assert event_sentence(event, TABLE) == sentence


def test_a_name_with_braces_is_only_a_name() -> None:
    table = TableNames("brg", ("{card}", "{0}", "%s"), None)
    assert "{0}" in event_sentence(Revealed(ROSALIND, 7, "A", 0, 0), table)
    assert "{card}" in event_sentence(GameEnded((0,)), table)


@pytest.mark.parametrize("card", CARDS)
def test_names_and_purposes_fit_their_room(card: str) -> None:
    for columns in (4, 7, 9, 14, 30):
        assert 0 < len(card_name_for(card, columns)) <= columns
    assert card_name_for(card, 30) == card_name(card)
    assert [len(card_purpose(card, columns)) for columns in (7, 9)] == [1, 2]
    for columns in (7, 9):
        assert all(0 < len(line) <= columns for line in card_purpose(card, columns))


@pytest.mark.parametrize("columns", [4, 7])
def test_short_names_differ(columns: int) -> None:
    assert len({card_name_for(card, columns) for card in CARDS}) == len(CARDS)


@pytest.mark.parametrize("card", CARDS)
def test_a_name_in_4_columns_is_the_beginning_of_the_one_in_7(card: str, language: str) -> None:
    in_four, in_seven = (card_name_for(card, columns) for columns in (4, 7))
    assert in_seven.startswith(in_four)


def test_all_rows_have_names_of_the_same_list() -> None:
    rows = ["SPFD", "SPHL", "X", ""]
    for columns in range(19, 60):
        named = card_names_for(rows, columns)
        assert all(len(" ".join(names)) <= columns for names in named)
        longest = (
            [[card_name_for(card, each) for card in row] for row in rows]
            for each in range(4, columns + 1)
        )
        assert named in longest
    assert card_names_for(rows, 9) == [[*row] for row in rows], "letters, also where names fit"


@pytest.mark.parametrize("card", CARDS)
def test_a_summary_is_one_sentence_of_at_most_75_columns(card: str, language: str) -> None:
    summary = card_summary(card)
    assert len(summary) <= (75 if language == "en" else 100)
    assert summary.endswith(".")
    assert ". " not in summary


def test_a_card_that_leaves_a_choice_says_what_is_asked_and_a_card_that_pays_does_not() -> None:
    for card, texts in CARD_TEXTS.items():
        words = (texts.asks, texts.waits, *texts.forced)
        assert all(words) if card in CHOICES else not any(words)


@pytest.mark.parametrize("glyphs", [UNICODE, BASIC, ASCII], ids=["unicode", "basic", "ascii"])
def test_a_mark_is_four_cells_at_most_and_no_two_cards_share_one(glyphs: Glyphs) -> None:
    marks = [card_mark(card, glyphs) for card in CARDS]
    assert all(0 < cell_len(mark) <= 4 for mark in marks)
    assert len(set(marks)) == len(CARDS)
    assert glyphs.unicode or all(mark.isascii() for mark in marks)


def test_the_rules_hold_every_part() -> None:
    sections = rules_sections()
    assert len(sections) == 10
    assert len({title for title, _ in sections}) == 10
    assert all(paragraph for _, paragraphs in sections for paragraph in paragraphs)
    cards = next(paragraphs for _, paragraphs in sections if len(paragraphs) == len(CARDS))
    for card, paragraph in zip(CARDS, cards, strict=True):
        assert card_name(card) in paragraph
        assert card_help(card) in paragraph


def test_of_somebody_who_is_there_nothing_is_said() -> None:
    assert status_words(None, "no", 15, UNICODE, is_present=True) == ""
    assert absence("Ada", "no", is_present=True) == ""
    assert status_words(None, "no", 15, UNICODE, is_present=False) == "◌" + pgettext(
        "seat in 5 columns", "away"
    )


@pytest.mark.parametrize("bot", bot_names())
def test_a_seat_shows_the_level_of_its_bot_as_long_as_there_are_columns(bot: str) -> None:
    shown = [status_words(bot, "no", columns, UNICODE, is_present=True) for columns in (15, 8, 5)]
    assert shown[0] == bot_name(bot)
    assert shown[1] in (bot_name(bot), short_bot_name(bot))
    assert len(shown[2]) <= 5
    assert shown[1].startswith(shown[2].rstrip("."))
    assert len(
        {status_words(each, "no", 5, UNICODE, is_present=True) for each in bot_names()}
    ) == len(bot_names()), "the short forms differ"


def test_a_bot_of_another_package_goes_by_its_own_name_and_nothing_is_known_of_it() -> None:
    assert (bot_name("hasty"), bot_called("Hasty"), bot_note("hasty")) == ("hasty", "", "")


@pytest.mark.parametrize(
    ("invitation", "typed"),
    [
        ("driflamme://192.0.2.2/abc", "driflamme join driflamme://192.0.2.2/abc"),
        ("driflamme://h,[fd00::2]/abc", 'driflamme join "driflamme://h,[fd00::2]/abc"'),
        ("driflamme join --insecure [::1]", "driflamme join --insecure [::1]"),
    ],
)
def test_a_link_can_be_pasted_into_any_shell(invitation: str, typed: str) -> None:
    assert joining_command(invitation) == typed


@pytest.mark.parametrize(
    ("code", "names_watch"), [("table_full", True), ("game_under_way", True), ("left", False)]
)
def test_who_gets_no_seat_reads_how_to_watch(code: str, names_watch: bool) -> None:
    sentence = no_seat_sentence(Refused(code=code, values={"seats": 5}))
    assert ("driflamme watch" in sentence) is names_watch


@pytest.mark.parametrize("setting", TABLE_SETTINGS.values(), ids=lambda setting: setting.field)
def test_a_setting_is_typed_as_it_is_written(setting: TableSetting) -> None:
    typed = [setting.typed(word.casefold()) for word in setting.written().split(", ")]
    others = FAMILY_LETTERS if setting.field == "first" else ()
    assert sorted(map(str, typed)) == sorted(map(str, (*setting.values, *others)))


def test_two_who_are_second_together_are_joined_by_and() -> None:
    sentence = reason(seen("2 6 - rS,bL,gH r2,b2,*g9", None), NAMES)
    assert "Rosalind" in sentence
    assert "Blaise" in sentence
    assert "Rosalind, Blaise" not in sentence


def test_seconds_have_the_decimal_sign_of_the_language() -> None:
    bots_take = TABLE_SETTINGS[LobbyCommands.pace]
    for language, sign in (("en", "."), ("fr", ","), ("pl", ",")):
        set_language(language)
        assert value_name(0.9).startswith(f"0{sign}9")
        assert bots_take.value(lobby("rb", "b", settings={"pace_ms": 900})).startswith(f"0{sign}9")
