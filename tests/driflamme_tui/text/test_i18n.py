"""Tests that the language of the texts can change at run time, and falls back to English."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from typer.testing import CliRunner

from driflamme_tui.cli.program import app
from driflamme_tui.preferences.settings import config_file
from driflamme_tui.seat.targets import parse_target
from driflamme_tui.text import i18n
from driflamme_tui.text.i18n import (
    _,
    as_typed,
    available_languages,
    language,
    ngettext,
    pgettext,
    set_language,
)
from driflamme_tui.wording.game.names import card_name, card_name_for
from netcode.client.connectors import Plain
from netcode.transport.address import Address


@pytest.fixture
def french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = Catalog(locale="fr")
    # Babel's French has three plural forms from version 2.19 on.
    there.mime_headers = [("Plural-Forms", "nplurals=2; plural=(n > 1);")]
    there.add("Heir", "Héritier")
    there.add("Heir", "Hérit.", context="card in 7 columns")
    there.add(("{n} game", "{n} games"), ("{n} partie", "{n} parties"))
    there.add("Print the rules, or all about one card.", "Affiche les règles, ou une carte.")
    file = tmp_path / "fr" / "LC_MESSAGES" / "driflamme.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as compiled:
        write_mo(compiled, there)
    monkeypatch.setattr(i18n, "LOCALE_DIRECTORY", tmp_path)


@pytest.mark.usefixtures("french")
def test_texts_follow_the_language() -> None:
    assert available_languages() == ["en", "fr"]
    assert card_name("H") == "Heir"
    set_language("fr")
    assert card_name("H") == "Héritier"
    assert [card_name_for("H", columns) for columns in (8, 7, 4)] == ["Héritier", "Hérit.", "Héri"]
    assert [ngettext("{n} game", "{n} games", n) for n in (1, 2)] == ["1 partie", "2 parties"]
    assert pgettext("anything else", "Heir") == "Heir"
    set_language("en")
    assert card_name("H") == "Heir"


@pytest.mark.usefixtures("french")
def test_what_is_not_translated_is_english() -> None:
    set_language("fr")
    assert _("No such text") == "No such text"
    set_language("tlh")
    assert card_name("H") == "Heir"


@pytest.mark.usefixtures("french")
def test_none_is_the_language_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "fr")
    set_language(None)
    assert card_name("H") == "Héritier"


@pytest.mark.parametrize(
    ("languages", "spoken"),
    [
        ("en:fr", "en"),
        ("en_GB:fr:pl", "en"),
        ("en_US.UTF-8:fr", "en"),
        ("EN-us:fr", "en"),
        ("en@quot:fr", "en"),
        ("C:fr", "en"),
        ("de:en:fr", "en"),
        ("de", "en"),
        ("de:fr:en", "fr"),
        ("fr_CA.UTF-8:en", "fr"),
        ("pl:fr", "pl"),
        (":pl", "pl"),
    ],
)
@pytest.mark.parametrize("variable", ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"])
def test_the_first_language_of_the_environment_that_there_is_is_spoken(
    variable: str, languages: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(variable, languages)
    set_language(None)
    assert language() == spoken
    assert card_name("H") == {"en": "Heir", "fr": "Héritier", "pl": "Dziedzic"}[spoken]


@pytest.mark.usefixtures("french")
def test_the_command_line_speaks_the_language_of_the_environment() -> None:
    result = CliRunner().invoke(app, ["rules", "--help"], env={"LANGUAGE": "fr"})
    assert "Affiche les règles" in result.stdout
    assert (
        "Héritier" in CliRunner().invoke(app, ["rules", "héritier"], env={"LANGUAGE": "fr"}).stdout
    )


def output_of(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == status, result.output
    return result.output


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("fr", "Héritier (H), Personnage"),
        ("pl", "Dziedzic (H), Postać"),
        ("pl_PL.UTF-8", "Dziedzic (H), Postać"),
        ("FR-ca", "Héritier (H), Personnage"),
        ("en", "Heir (H), Character"),
    ],
)
def test_an_option_anywhere_chooses_the_language(named: str, words: str) -> None:
    assert output_of("--lang", named, "rules", "H").startswith(words)
    assert output_of("rules", "H", "--lang", named).startswith(words)
    assert output_of("rules", f"--lang={named}", "H").startswith(words)
    assert output_of(f"--lang={named}", "rules", "H").startswith(words)


def test_a_language_that_there_is_not_is_refused_in_one_sentence() -> None:
    sentence = "driflamme: There is no language 'tlh': choose one of en, fr, pl.\n"
    assert output_of("--lang", "tlh", "rules", "H", status=2) == sentence
    assert output_of("--lang=tlh", status=2) == sentence


def test_the_option_goes_before_the_settings_which_go_before_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANGUAGE", "fr")
    output_of("rules", "H")
    assert language() == "fr"
    config_file().parent.mkdir(parents=True)
    config_file().write_text('language = "pl"', encoding="utf-8")
    output_of("rules", "H")
    assert language() == "pl"
    output_of("--lang", "en", "rules", "H")
    assert language() == "en"


def test_what_is_to_be_typed_begins_as_the_program_was_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = {each: output_of("--lang", each, "join", "--help") for each in available_languages()}
    monkeypatch.setattr(i18n, "_started_as", "scripts/driflamme")
    for each, before in shown.items():
        assert "  scripts/driflamme join --insecure" in output_of("--lang", each, "join", "--help")
        assert "scripts/" not in before
    line = as_typed("driflamme join driflamme://[::1]/x")
    assert line == "scripts/driflamme join driflamme://[::1]/x"
    assert parse_target(f"{as_typed('driflamme join')} --insecure host", ()) == Plain(
        Address("host")
    )


def test_our_help_is_in_the_language() -> None:
    shown = output_of("--lang", "pl", "--help")
    for polish in ("Gra karciana Oriflamme", "Wypisz wersję.", "Przykłady:"):
        assert polish in shown


@pytest.mark.parametrize(
    "arguments",
    ["--nope", "host --pa 3", "nope", "position", "host --port x", "host --edition 7", "tables x"],
)
def test_what_typer_complains_of_is_one_line(arguments: str) -> None:
    output = output_of("--lang", "pl", *arguments.split(), status=2)
    assert output.startswith("driflamme: ")
    assert output.count("\n") == 1
