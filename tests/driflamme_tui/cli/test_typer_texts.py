"""Tests that typer's own texts, in help and errors, are in the player's language."""

import re

import pytest

from driflamme_tui.cli.command_list import all_commands
from driflamme_tui.cli.typer_texts import error_sentence
from driflamme_tui.text.i18n import set_language
from tests.driflamme_tui.cli.test_commands import driflamme, refused

OF_TYPER = (
    r"Usage:|Options:|Arguments:|Commands:|\[OPTIONS\]\.|\[default|\brequired\b|<str>|<int|<float"
    r"|Show this message|completion for the current|<=x|x>=|x<="
)
"""A regular expression for typer's English texts in help."""


@pytest.mark.parametrize("language", ["fr", "pl"])
@pytest.mark.parametrize("command", ["", *all_commands()])
def test_help_has_no_text_of_typer(language: str, command: str) -> None:
    result = driflamme("--lang", language, *filter(None, [command]), "--help")
    assert result.exit_code == 0
    assert not re.findall(OF_TYPER, result.stdout)


def test_help_names_ranges_values_and_defaults_in_words() -> None:
    shown = " ".join(driflamme("host", "--help").stdout.split())
    assert "-p, --port NUMBER Port to listen on. [default: 11214; 0 to 65535]" in shown
    assert "-n, --name NAME " in shown
    shown = " ".join(driflamme("--lang", "fr", "arena", "--help").stdout.split())
    assert "[par défaut : 100 ; au moins 1]" in shown
    assert "[obligatoire]" in shown


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("nosuch", "Il n’y a pas de commande 'nosuch'\u00a0: driflamme --help les liste toutes."),
        ("hosst", "Il n’y a pas de commande 'hosst'\u00a0; voulais-tu dire 'host'\u00a0?"),
        ("host --zzz", "Il n’y a pas d’option --zzz\u00a0: ajoute --help pour les lister toutes."),
        (
            "host --prot",
            "Il n’y a pas d’option --prot\u00a0; voulais-tu dire --bots, --port\u00a0?",
        ),
        ("host --port", "Tape une valeur après --port."),
        ("host --headless=1", "Enlève la valeur après --headless\u00a0: il n’en faut pas."),
        ("doctor x y", "Enlève x y\u00a0: cette commande ne prend plus d’argument."),
        ("position", "Ajoute POSITION, qui manque."),
        ("host --think x", "Donne un nombre à --think, pas 'x'."),
        ("host --think nan", "Donne un nombre à --think, pas 'nan'."),
        ("host --port 99999", "Donne à --port un nombre de 0 à 65535, pas 99999."),
        ("replay --step -1", "Donne à --step un nombre d’au moins 0, pas -1."),
        ("host --edition 3", "Donne à --edition une de ces valeurs\u00a0: '1', '2', et pas '3'."),
    ],
)
def test_errors_say_what_to_do_in_the_players_language(line: str, sentence: str) -> None:
    assert refused(driflamme("--lang", "fr", *line.split())) == sentence


def test_an_error_that_is_not_known_stays_as_it_is() -> None:
    set_language("fr")
    assert error_sentence("Something new about 'x'.") == "Something new about 'x'."
