"""Tests that every text is translated, keeps its values, and fits where space is short."""

import gettext
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import PLURALS
from babel.messages.pofile import read_po, write_po
from rich.cells import cell_len

from driflamme_tui.text.i18n import ENGLISH, available_languages, set_language
from driflamme_tui.wording.game.names import card_name
from engine.cards import CARDS
from scripts.lib import catalogues
from scripts.lib.catalogues import LANGUAGES, forms, po_file, texts_of, untranslated

texts = cache(catalogues.texts)
read = cache(catalogues.read)
"""Reads a language's catalogue only once; no test may change the result."""

each_language = pytest.mark.parametrize("language", LANGUAGES)


def translations(language: str) -> list[tuple[Message, tuple[str, ...]]]:
    """Return the translated messages of a language, each with all its forms."""
    return [
        (message, forms(message)) for message in read(language) if message.id and message.string
    ]


def ids(message: Message) -> tuple[str, ...]:
    """Return a message's English texts: one text, or singular and plural."""
    return tuple(message.id) if isinstance(message.id, list | tuple) else (message.id,)


def placeholders(text: str) -> set[tuple[str, str | None]]:
    return {(field, how) for _, field, _, how in Formatter().parse(text) if field is not None}


def test_every_text_is_translated_and_none_is_left_over() -> None:
    for language in LANGUAGES:
        wanted, there = texts(), read(language)
        missing = list(untranslated(catalogues.updated(language, wanted, there)))
        assert not missing, "\n".join(["run scripts/catalogues and translate:", *missing])
        left_over = [m.id for m in there if m.id and wanted.get(m.id, m.context) is None]
        assert not left_over, f"run scripts/catalogues, which takes out: {left_over}"
    assert not [each.id for each in texts() if "\u2019" in str(each.id)], "English is as typed"


@each_language
@pytest.mark.parametrize("forms_of_babel", [1, 3, 5])
def test_plural_forms_stay_as_they_are_whichever_babel_renews_them(
    language: str, forms_of_babel: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = read(language)
    counted = there.num_plurals, there.plural_expr
    monkeypatch.setitem(PLURALS, language, (forms_of_babel, "0"))
    renewed = catalogues.updated(language, texts(), there)
    assert (renewed.num_plurals, renewed.plural_expr) == counted
    assert dict(renewed.mime_headers)["Plural-Forms"] == there.plural_forms
    assert not list(untranslated(renewed))


def renewed(english: str, translations_before: dict[str, str]) -> Catalog:
    """Return the French catalogue of one text, updated from these earlier translations."""
    wanted, there = Catalog(), Catalog(locale="fr")
    wanted.add(english)
    for text, translation in translations_before.items():
        there.add(text, translation)
    return catalogues.updated("fr", wanted, there)


def test_a_changed_text_keeps_its_translation_and_waits_for_a_review(tmp_path: Path) -> None:
    before = {"Nobody can sit here.": "Personne ne peut s'asseoir ici.", "Red": "Rouge"}
    catalogue = renewed("Nobody can sit down here.", before)
    assert list(catalogues.unreviewed(catalogue)) == ['"Nobody can sit down here."']
    assert not list(untranslated(catalogue))

    with (tmp_path / "a.po").open("wb") as file:
        write_po(file, catalogue, include_previous=True)
    written = (tmp_path / "a.po").read_text(encoding="utf-8")
    assert '#| msgid "Nobody can sit here."' in written
    with (tmp_path / "a.po").open("rb") as file:
        again = catalogues.updated("fr", catalogue, read_po(file, locale="fr"))
    assert list(catalogues.unreviewed(again)), "it waits until somebody deletes the mark"


@pytest.mark.parametrize("english", ["Nobody can sit here.", "The relay does not answer."])
def test_a_text_that_has_not_changed_or_is_new_needs_no_review(english: str) -> None:
    catalogue = renewed(english, {"Nobody can sit here.": "Personne ne peut s'asseoir ici."})
    assert not list(catalogues.unreviewed(catalogue))


@each_language
def test_no_translation_is_only_a_guess(language: str) -> None:
    there = read(language)
    assert not [message.id for message in there if message.id and message.fuzzy]
    assert not there.obsolete


@each_language
def test_what_the_program_reads_is_what_was_translated(language: str) -> None:
    with po_file(language).with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message, translated in translations(language):
        text, *plural = ids(message)
        if plural:
            found = {compiled.ngettext(text, plural[0], n) for n in range(1, 130)}
        elif message.context:
            found = {compiled.pgettext(message.context, text)}
        else:
            found = {compiled.gettext(text)}
        assert found == set(translated), "run scripts/catalogues"


@each_language
def test_every_form_has_the_placeholders_of_the_text(language: str) -> None:
    for message, translated in translations(language):
        fields = set().union(*map(placeholders, ids(message)))
        for text in translated:
            assert placeholders(text) == fields, text


@each_language
def test_translations_begin_and_end_as_the_texts_do(language: str) -> None:
    """Leading spaces, the sign before examples, and full stops are kept."""
    for message, translated in translations(language):
        for text in translated:
            english = ids(message)[0]
            for end in (" ", "\b\n"):
                assert text.startswith(end) == english.startswith(end), text
            # A short text with a context may be an abbreviation, which ends with a full stop.
            for end in (" ", "…") if message.context else (" ", ".", "…"):
                assert text.endswith(end) == english.endswith(end), text


@each_language
def test_what_must_be_short_is(language: str) -> None:
    measured = 0
    for message, translated in translations(language):
        limit = re.search(r"(\d+) (?:columns|signs)(?:, (\d+) lines)?", message.context or "")
        if limit:
            measured += 1
            lines = translated[0].split("\n")
            assert max(map(cell_len, lines)) <= int(limit[1]), lines
            assert len(lines) == int(limit[2] or 1)
    assert measured >= 40


@each_language
def test_every_character_is_one_cell_wide_and_typed_with_care(language: str) -> None:
    for message, translated in translations(language):
        for text in translated:
            printed = text.replace("\n", "").replace("\b", "")
            assert cell_len(printed) == len(printed), text
            # Straight quotation marks are only for shell commands.
            if not any("driflamme" in each or "{" in each for each in ids(message)):
                assert '"' not in text
            assert not re.search(r"\w'\w", text), text


def test_french_has_its_spaces_which_no_line_breaks_at() -> None:
    for _message, translated in translations("fr"):
        for text in translated:
            assert not re.search(r"[^\s:;!?] [:;!?»](?!\S)|« |\u202f", text), text
            assert not re.search(r"[^\W\d][;!?](?=\s|$)", text), text


UNWANTED_WORDS = {
    "fr": {
        r"(?<![Ee]n cas de )\bproblème": "a puzzle is une énigme",
        r"\b\w{1,2}’\{": "a name may begin with a consonant",
        r"\bque \{(?!newest)": "a name may begin with a vowel",
        r"\bde \{(names?|bot|former|host)\}": "a name may begin with a vowel",
    },
    "pl": {r"\bmaszyn": "a machine is komputer", r"\brodzin": "a family is ród"},
}
"""Words that a language avoids, with the reasons; the glossary has the right words."""


def reasons_against(language: str, text: str) -> list[str]:
    return [why for said, why in UNWANTED_WORDS[language].items() if re.search(said, text, re.I)]


@each_language
def test_words_that_the_glossary_replaces_do_not_occur(language: str) -> None:
    for _message, translated in translations(language):
        for text in translated:
            assert not reasons_against(language, text), text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "Le problème du jour"),
        ("fr", "la carte d’{name}"),
        ("fr", "plus que {name}"),
        ("fr", "la place de {name}"),
        ("pl", "Na tej maszynie"),
        ("pl", "Rodzina {name}"),
    ],
)
def test_a_word_that_is_not_said_is_noticed(language: str, text: str) -> None:
    assert len(reasons_against(language, text)) == 1


NOT_WRITTEN = {
    r"; there (are|were) \{": "an error says what to do: choose one of",
    r"\b(Whoever|Whatever) answers\b": "a machine or a program answers",
    r"\bby yourself\b": "it means alone: you are reconnected",
    r"\bis not written like\b": "an error says what to do: write a card like",
    r"\{(key|watch|enter)\} (sits|watches|leaves)\b": "a key does not sit down: {key} to sit down",
    r"\bgo(es|ing)? on\b(?! (it|top)\b)|\bplays? on from\b": "continue",
    r"\bLikewise\b": "an option is read without the one before it",
    r"\{width\} by \{height\}": "a size has columns and lines",
}
"""Patterns that no English text has, because players read them twice; each with advice."""


def not_written(text: str) -> list[str]:
    return [why for pattern, why in NOT_WRITTEN.items() if re.search(pattern, text)]


def test_english_texts_avoid_what_players_read_twice() -> None:
    for message in texts():
        for text in ids(message):
            assert message.context or not not_written(text), text


@pytest.mark.parametrize(
    "text",
    [
        "No family 'v' is at the table; there are {families}.",
        "Whoever answers at {address} is not the host.",
        "You return by yourself once the table is open.",
        "{card!r} is not written like a card.",
        "You are watching: {key} sits down.",
        "The game goes on without you.",
        "Likewise for --web.",
        "It needs {width} by {height} cells.",
    ],
)
def test_what_is_read_twice_is_noticed(text: str) -> None:
    assert len(not_written(text)) == 1


@each_language
def test_a_catalogue_names_no_person_and_no_day(language: str) -> None:
    head = po_file(language).read_text(encoding="utf-8").partition("\n\n")[0]
    assert not re.search(r"@|Translator|Date|Team|Babel|/home|/work|[A-Z]:", head)


def test_there_is_a_catalogue_for_every_language() -> None:
    assert available_languages() == [ENGLISH, *LANGUAGES]


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("fr", "Archer Soldat Espion Héritier Changeforme Seigneur Assassinat Décret+royal"),
        ("pl", "Łucznik Żołnierz Szpieg Dziedzic Impostor Lord Zlecenie+zabójstwa"),
    ],
)
def test_cards_have_the_names_that_are_printed_on_them(language: str, names: str) -> None:
    set_language(language)
    for card, name in zip(CARDS, names.replace("+", "_").split(), strict=False):
        assert card_name(card) == name.replace("_", " ")


def test_texts_are_found_wherever_they_stand() -> None:
    source = """
A: Final[dict[str, Text]] = {"a": "in a table"}
B: Final[tuple[tuple[str, Annotated[Text, "short"]], ...]] = (("no text", "b"),)
print(f"head {_('in an f-string')}", _(A["a"]), ngettext("one", "many", n, a=1))
say(_("joined " "of two"), pgettext("short", "c"))
"""
    assert set(texts_of(source)) == {
        (None, "in a table"),
        ("short", "b"),
        (None, "in an f-string"),
        (None, ("one", "many")),
        (None, "joined of two"),
        ("short", "c"),
    }


def test_what_stands_where_a_text_is_taken_is_found() -> None:
    taking = """
@dataclass
class Row:
    id: str
    text: Text
    label: Annotated[Text, "short"] = ""

def row(id: str, *, text: Text) -> Row:
    return Row(id, text)

class FileError(ExplainedError): ...

class ExplainedError(ValueError):
    def __init__(self, template: words.Text, **values: str) -> None: ...
"""
    using = """
ROWS = [Row("a", "one" " text"), Row("b", "another", label="b"), Row("c", x)]
LAST = row("d", text="a third")
def why(name: str) -> FileError:
    template: Text = "a fourth" if name else ""
    if name == "other":
        template = "a fifth"
    return FileError(template) if template else FileError("a sixth")
"""
    assert set(texts_of(taking, using)) == {
        (None, "one text"),
        (None, "another"),
        ("short", "b"),
        *((None, f"a {each}") for each in ("third", "fourth", "fifth", "sixth")),
    }
    assert set(texts_of(using)) == {(None, "a fourth"), (None, "a fifth")}


def test_prose_in_files_is_found_by_paragraph_and_title(tmp_path: Path) -> None:
    folder = tmp_path / catalogues.PROSE
    folder.mkdir(parents=True)
    (folder / "tale.md").write_text("# A tale\n\nOf two\nlines.\n\nThe second.\n")
    of_wing = tmp_path / "driflamme_tui" / "wings" / "sun" / "prose"
    of_wing.mkdir(parents=True)
    (of_wing / "rays.md").write_text("# Rays\n")
    found = {message.id for message in catalogues.texts(tmp_path) if message.id}
    assert found == {"A tale", "Of two lines.", "The second.", "Rays"}


def test_a_text_that_cannot_be_found_by_its_context_is_not_overlooked() -> None:
    with pytest.raises(ValueError, match="line 2: "):
        list(texts_of('C = "short"\nsay(pgettext(C, "text"))\n'))
    assert not list(texts_of('say(pgettext("short", TABLE["a"]), _(word))'))


@each_language
def test_every_button_with_a_key_begins_with_a_capital(language: str) -> None:
    buttons = [
        text
        for message, translated in translations(language)
        for text in (*ids(message), *translated)
        if text.endswith(" ({key})")
    ]
    assert buttons
    assert not [text for text in buttons if not text[0].isupper()]


def words_to_type(text: str, words: Iterable[str]) -> list[str]:
    """Return the typed words that a text tells the reader to type."""
    return [each for each in words if re.search(rf"\b[Tt]ype {each}\b(?! code| a )", text)]


@each_language
def test_a_word_to_type_is_the_word_of_the_language(language: str) -> None:
    compared = 0
    typed = {str(each.id): str(each.string) for each in read(language) if each.context == "typed"}
    for message, translated in translations(language):
        longest_first = sorted(typed, key=len, reverse=True)
        for word in words_to_type(ids(message)[0], longest_first)[:1]:
            compared += 1
            assert all(re.search(rf"\b{typed[word]}\b", each) for each in translated), translated
    assert compared >= 15
