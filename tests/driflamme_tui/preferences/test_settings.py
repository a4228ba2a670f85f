"""Tests the config file: valid values, sentences about invalid ones, and the options."""

from pathlib import Path
from typing import get_args

import pytest
from platformdirs import user_config_path

from driflamme_tui.cli.program import ThemeOption
from driflamme_tui.cli.program import app as command_line
from driflamme_tui.drawing.layout import CHOICES
from driflamme_tui.drawing.palette import THEMES
from driflamme_tui.preferences.settings import (
    AUTO,
    SETTINGS,
    Settings,
    SettingsError,
    change,
    config_file,
    judge_keys,
    load,
    parse,
)
from driflamme_tui.screens.base.messages import Settle
from driflamme_tui.screens.overlays.options_overlay import OptionsOverlay
from driflamme_tui.text.signs import ASCII
from netcode.client.session import Session
from tests.support.tables import Hands, SeatedApp, gathered, in_app, run_app, session_at_line

HERE = Path("config.toml")

MOVED = "2 4 rS2 gc2,rS,rm1,bL *r3,b2,g4"


def write(text: str) -> None:
    config_file().parent.mkdir(parents=True, exist_ok=True)
    config_file().write_text(text, encoding="utf-8")


def test_without_a_file_all_is_as_usual() -> None:
    assert load() == Settings()


@pytest.mark.parametrize("home", [None, "", "somewhere", "/home/ann", "/home/ann/"])
@pytest.mark.parametrize(
    "configs", [None, "", " ", "relative", "~/conf", "/etc/conf", "/etc/conf/"]
)
def test_the_file_stands_where_platformdirs_says(
    home: str | None, configs: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("HOME", home), ("XDG_CONFIG_HOME", configs)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    assert config_file() == user_config_path("driflamme", appauthor=False) / "config.toml"


def test_all_that_may_be_settled_can_stand_in_the_file() -> None:
    text = """
        theme = "light"
        glyphs = "ascii"
        language = "pl"
        animation = false
        reading = 0.4
        cards = "minimal"
        calls = "turn"
        [keys]
        "table.look" = "j, f5"
        table.known = ["f6"]
    """
    assert parse(text, HERE) == Settings(
        theme="light",
        glyphs="ascii",
        language="pl",
        animation=False,
        reading=0.4,
        cards="minimal",
        calls="turn",
        keys={"table.look": "j, f5", "table.known": "f6"},
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '# colours\n\n"theme" = "blue"',
            'config.toml, line 3: choose theme from "auto", "dark", "light", "contrast".',
        ),
        ("animation = 1", "config.toml, line 1: choose animation from true, false."),
        ("\nreading = []", "config.toml, line 2: choose reading from 0, 0.4, 1."),
        (
            'theme = "dark"\nlanguage = "tlh"',
            'config.toml, line 2: choose language from "auto", "en", "fr", "pl".',
        ),
        (
            '[keys]\n[colours]\ntheme = "dark"',
            "config.toml, line 2: there is no setting colours; choose one of "
            f"{', '.join(Settings._fields)}.",
        ),
        ("[keys", "config.toml, line 1: this cannot be read; write [keys]."),
        (
            'theme = "dark"\ncards = "',
            'config.toml, line 2: this cannot be read; write, for instance, theme = "light".',
        ),
        (
            'keys = "u"',
            'config.toml, line 1: write keys as a table: [keys], then "table.look" = "l".',
        ),
        (
            "[keys]\ntable.look = 5",
            'config.toml, line 2: write the keys of table.look as text, such as "f5, u".',
        ),
        (
            'animation = false\n[keys]\n"table.known" = "z"\n"table.lok" = "u"',
            "config.toml, line 4: There is no command table.lok to give a key to; did you mean"
            " table.look?",
        ),
        (
            '[keys]\n\n"table.look" = "k"',
            "config.toml, line 3: The key k would do two things on one screen: change that of"
            " table.look or table.known.",
        ),
    ],
)
def test_what_makes_no_sense_is_told_with_its_line_and_what_is_allowed(
    text: str, sentence: str
) -> None:
    write(text)
    with pytest.raises(SettingsError) as error:
        judge_keys(parse(text, HERE).keys)
    assert error.value.sentence().removeprefix(f"{config_file().parent}/") == sentence


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[" * 5000, b"theme"])
def test_no_file_is_too_strange_to_be_told_about(content: bytes) -> None:
    write("")
    config_file().write_bytes(content)
    with pytest.raises(SettingsError, match=r"config\.toml"):
        load()


def test_a_change_leaves_what_the_player_wrote_as_it_is() -> None:
    write('# mine\ntheme = "dark"  # at night\n\n[keys]\n"table.look" = "j"\n')
    change("theme", "light")
    change("reading", 0.4)
    text = config_file().read_text(encoding="utf-8")
    assert '# mine\ntheme = "light"  # at night\n' in text
    assert load() == Settings("light", reading=0.4, keys={"table.look": "j"})


def test_a_file_that_cannot_be_written_is_told_and_the_setting_holds_meanwhile() -> None:
    config_file().parent.parent.mkdir(parents=True, exist_ok=True)
    config_file().parent.write_text("in the way", encoding="utf-8")

    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.on_settle(Settle("theme", "light"))
        await hands.pause()
        assert app.terminal.palette.name == "light"
        (notices,) = app._notifications
        assert "cannot be written" in notices.message

    run_app(SeatedApp(gathered("rb", "b")), steps, (120, 40))


def test_the_command_line_ends_with_the_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    write('theme = "blue"')
    with pytest.raises(SystemExit) as ended:
        command_line(["rules"], prog_name="driflamme")
    assert ended.value.code == 2
    sentence = capsys.readouterr().err
    assert sentence.startswith(f"driflamme: {config_file()}, line 1: choose theme from")
    assert "Traceback" not in sentence


def test_choices_are_those_of_the_rest_of_the_program() -> None:
    assert set(SETTINGS["theme"].choices) == {AUTO, *THEMES} == set(get_args(ThemeOption))
    assert SETTINGS["cards"].choices == CHOICES


@in_app(lambda: SeatedApp(session_at_line(MOVED, "r")))
async def test_everything_visible_follows_the_language_at_once_and_the_file_keeps_it(
    app: SeatedApp, hands: Hands
) -> None:
    assert app.shows("Resolution")
    await hands.type("o down down right right")
    assert isinstance(app.screen, OptionsOverlay)
    assert app.terminal.settings.language == load().language == "fr"
    # Wait: the app redraws the screen below a little later.
    await hands.until(lambda: app.shows("Résolution"))
    await hands.press("escape")
    await hands.until(lambda: app.shows("aide"))
    assert not app.shows("Eliminate")


def test_the_start_screen_follows_the_language_and_keeps_what_was_typed() -> None:
    class AtTheStart(SeatedApp):
        def on_ready(self) -> None:
            pass

    async def steps(app: AtTheStart, hands: Hands) -> None:
        await hands.press("right")
        await hands.press("x", "f3")
        app.on_settle(Settle("language", "fr"))
        await hands.press("escape")
        await hands.pause()
        assert app.shows("Apprendre le jeu")
        assert not app.shows("Learn the game")
        assert app.shows("x")
        assert app.focused is not None
        assert app.focused.id == "address"

    run_app(AtTheStart(Session()), steps, (60, 20))


@in_app(lambda: SeatedApp(session_at_line(MOVED, "r")), (80, 24))
async def test_theme_signs_and_cards_change_by_mouse_and_are_seen_at_once(
    app: SeatedApp, hands: Hands
) -> None:
    size = app.table.state().layout.card
    await hands.press("o")
    rows = app.rows()
    at = app.screen.query_one("#overlay").region.offset
    for name, value in (("Colours", "light"), ("Symbols", "ASCII"), ("Cards", "small")):
        y = next(y for y, row in enumerate(rows) if name in row)
        await hands.click_at("#overlay", rows[y].index(value) + 1 - at.x, y - at.y)
    assert app.terminal.palette.name == "light"
    assert app.terminal.glyphs is ASCII
    assert "\n".join(app.rows()).isascii()
    assert app.table.state().layout.card != size
    assert load() == Settings("light", "ascii", cards="minimal")
    await hands.press("o")
    assert not isinstance(app.screen, OptionsOverlay)
