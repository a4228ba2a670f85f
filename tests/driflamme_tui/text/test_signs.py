"""Tests sets of signs: every sign is one cell wide, and each set suits its terminals."""

from collections.abc import Iterator

import pytest
from msgspec.structs import asdict
from rich.cells import cell_len

from driflamme_tui.text.i18n import available_languages, set_language
from driflamme_tui.text.signs import ASCII, BASIC, UNICODE, Glyphs, suitable_glyphs
from driflamme_tui.widgets.table.seats import signs as legend_of
from driflamme_tui.wording.game.names import first_next_sign, first_sign

WGL4 = "•…‖←↑→↓↔↕√×·░▒▓▀▄█▌▐■□▪▫▲►▼◄◊○●◘◙◦☺☻☼♀♂♠♣♥♦♪♫—─│┌┐└┘├┤┬┴┼═║╒╓╔╕╖╗╘╙╚╛╜╝"
"""Signs of "Windows Glyph List 4", except letters; nearly every font has them."""

HEAVY = "━┃┏┓┗┛"
"""Heavy lines, which bitmap fonts for terminals have too."""


def signs(value: object) -> Iterator[str]:
    """Yield all signs in a value, however deeply they are nested."""
    if isinstance(value, str):
        yield from value
    elif isinstance(value, dict):
        for each in value.values():
            yield from signs(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from signs(each)


@pytest.mark.parametrize("glyphs", [UNICODE, BASIC, ASCII], ids=["unicode", "basic", "ascii"])
def test_every_sign_is_one_cell_wide_and_families_differ(glyphs: Glyphs) -> None:
    assert {cell_len(sign) for sign in signs(asdict(glyphs))} == {1}
    assert len(set(glyphs.families.values())) == len(glyphs.families)
    assert glyphs.unicode or "".join(signs(asdict(glyphs))).isascii()


def test_basic_signs_are_in_nearly_every_font() -> None:
    strange = {sign for sign in signs(asdict(BASIC)) if not sign.isascii()} - {*WGL4, *HEAVY}
    assert strange == set()
    assert not {*signs(asdict(BASIC))} & {*"★⚑▯□▸✕"}


def test_a_basic_sign_and_its_letter_do_not_touch() -> None:
    assert [BASIC.tag(family) for family in "ry"] == ["▲ r", "☼ y"]
    assert UNICODE.tag("r") == "▲r"


@pytest.mark.parametrize(
    ("variables", "is_wide", "glyphs"),
    [
        ({}, False, UNICODE),
        ({"XTERM_VERSION": "XTerm(379)"}, False, BASIC),
        ({"XTERM_VERSION": "XTerm(379)"}, True, ASCII),
        ({}, True, ASCII),
        ({"TERM": "linux"}, False, ASCII),
    ],
)
def test_a_terminal_gets_the_signs_that_it_can_show(
    variables: dict[str, str], is_wide: bool, glyphs: Glyphs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XTERM_VERSION", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("locale.setlocale", lambda *_: "en_GB.UTF-8")
    monkeypatch.setattr("locale.getpreferredencoding", lambda *_: "UTF-8")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert suitable_glyphs(is_wide=is_wide) is glyphs


@pytest.mark.parametrize("glyphs", [BASIC, ASCII], ids=["basic", "ascii"])
def test_words_that_stand_for_signs_are_translated(glyphs: Glyphs) -> None:
    words = set()
    for language in available_languages():
        set_language(language)
        words.add((first_sign(glyphs), first_next_sign(glyphs)))
        assert f"{first_sign(glyphs)} =" in legend_of(glyphs, 200), "it is told from what it means"
    assert len(words) == len(available_languages())
