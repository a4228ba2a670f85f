"""Tests that a player who looks elsewhere is called for turns and news, as settings say."""

from collections.abc import Iterable

import pytest

from driflamme_tui.preferences.player_calls import (
    BELL,
    KEEP_TITLE,
    RESTORE_TITLE,
    PlayerCalls,
    clean,
    notice,
    title,
)
from driflamme_tui.preferences.settings import ALL, NONE, TURN, Settings
from tests.support.tables import Hands, SeatedApp, run_app, seen, session_at_line, state

USUAL = Settings()
TITLED = [KEEP_TITLE, "\x1b]2;* your turn - Driflamme\x1b\\"]
JOINS = "Berta joins the table."


@pytest.fixture(autouse=True)
def _no_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the terminal has no desktop notices."""
    for name in ("TERM", "TERM_PROGRAM", "LC_TERMINAL", "TMUX", "KITTY_WINDOW_ID", "WEZTERM_PANE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("GHOSTTY_RESOURCES_DIR", raising=False)


def calls(sent: Iterable[str]) -> list[str]:
    """Return everything that was sent, without titles of the window."""
    return [each for each in sent if each not in (*TITLED, RESTORE_TITLE)]


def test_the_bell_rings_once_at_once_for_whoever_looks_elsewhere() -> None:
    player_calls = PlayerCalls(focused=False)
    assert calls(player_calls.update(1, 100, None, USUAL)) == [BELL]
    assert calls(player_calls.update(1, 200, None, USUAL)) == []
    assert calls(player_calls.update(2, 201, None, USUAL)) == [BELL]


def test_who_is_there_hears_it_after_ten_seconds_and_again_when_ten_are_left() -> None:
    player_calls = PlayerCalls()
    assert calls(player_calls.update(1, 100, 60, USUAL)) == []
    assert player_calls.next_change(100, 60) == 10
    assert calls(player_calls.update(1, 110, 50, USUAL)) == [BELL]
    assert player_calls.next_change(110, 50) == 40
    assert calls(player_calls.update(1, 150, 10, USUAL)) == [BELL]
    assert player_calls.next_change(150, 10) is None
    assert calls(player_calls.update(1, 155, 5, USUAL)) == []


def test_a_short_time_rings_once() -> None:
    player_calls = PlayerCalls()
    assert calls(player_calls.update(1, 100, 8, USUAL)) == [BELL]
    assert player_calls.next_change(100, 8) is None


@pytest.mark.parametrize("wanted", [ALL, TURN, NONE])
def test_nothing_wakes_the_screen_twice_for_the_same_whatever_is_muted(wanted: str) -> None:
    player_calls, settings = PlayerCalls(), Settings(calls=wanted)
    list(player_calls.update(1, 100, None, settings))
    sent = list(player_calls.update(1, 110, None, settings))
    assert player_calls.next_change(110, None) is None
    assert sent == [BELL] * (wanted != NONE)


def test_the_title_says_it_while_it_is_so_and_is_given_back() -> None:
    player_calls = PlayerCalls()
    assert list(player_calls.update(1, 0, None, USUAL)) == TITLED
    assert list(player_calls.update(2, 0, None, USUAL)) == []
    assert list(player_calls.update(None, 0, None, USUAL)) == [RESTORE_TITLE]
    assert list(player_calls.update(3, 0, None, USUAL)) == TITLED
    assert list(player_calls.leave()) == [RESTORE_TITLE]
    assert list(player_calls.leave()) == []
    assert list(player_calls.update(4, 0, None, Settings(calls=NONE))) == []


@pytest.mark.parametrize("wanted", [ALL, TURN, NONE])
def test_news_call_only_who_looks_elsewhere_and_wants_them(wanted: str) -> None:
    player_calls, settings = PlayerCalls(), Settings(calls=wanted)
    assert list(player_calls.report(JOINS, settings)) == []
    list(player_calls.look(settings, focused=False))
    expected = (
        [BELL, KEEP_TITLE, title("* Berta joins the table - Driflamme")] if wanted == ALL else []
    )
    assert list(player_calls.report(JOINS, settings)) == expected
    assert list(player_calls.look(settings, focused=True)) == [RESTORE_TITLE] * bool(expected)
    assert list(player_calls.report(JOINS, settings)) == []


def test_the_title_says_first_whose_turn_it_is() -> None:
    player_calls = PlayerCalls(focused=False)
    list(player_calls.report(JOINS, USUAL))
    assert list(player_calls.update(1, 0, None, USUAL)) == [BELL, TITLED[1]]
    assert list(player_calls.report("Berta writes in the chat.", USUAL)) == [BELL]
    sent = list(player_calls.update(None, 0, None, USUAL))
    assert sent == [title("* Berta writes in the chat - Driflamme")]
    assert list(player_calls.look(USUAL, focused=True)) == [RESTORE_TITLE]


@pytest.mark.parametrize(
    ("environment", "sent"),
    [
        ({"TERM": "xterm-256color"}, []),
        ({"TERM": "xterm-kitty"}, ["\x1b]99;i=driflamme:o=unfocused;Now; go\x1b\\"]),
        ({"TERM": "foot"}, ["\x1b]777;notify;Driflamme;Now, go\a"]),
        ({"TERM": "rxvt-unicode-256color"}, ["\x1b]777;notify;Driflamme;Now, go\a"]),
        ({"TERM_PROGRAM": "ghostty"}, ["\x1b]777;notify;Driflamme;Now, go\a"]),
        ({"TERM_PROGRAM": "iTerm.app"}, ["\x1b]9;Driflamme: Now; go\a"]),
        (
            {"TMUX": "x", "TERM": "tmux-256color", "LC_TERMINAL": "iTerm2"},
            ["\x1bPtmux;\x1b\x1b]9;Driflamme: Now; go\a\x1b\\"],
        ),
        ({"TMUX": "x", "TERM": "tmux-256color"}, []),
    ],
)
def test_a_notice_is_sent_as_the_terminal_knows_it(
    environment: dict[str, str], sent: list[str]
) -> None:
    assert list(notice("Now; go", environment)) == sent


@pytest.mark.parametrize("kind", ["xterm-kitty", "foot", "iterm"])
def test_no_name_ends_a_sequence_or_begins_another_command(kind: str) -> None:
    environment = {"TERM": kind, "TERM_PROGRAM": "iTerm.app" if kind == "iterm" else ""}
    for text in ("4;1;50", "It is\x1b]0;your\x07 turn.", "a\nb\x9bc\x9c", "4;3\a\x1b\\"):
        (sent,) = notice(text, environment)
        assert sent.count("\x1b") == 1 + sent.endswith("\x1b\\")
        assert sent.count("\a") == sent.endswith("\a")
        assert not sent.startswith("\x1b]9;4")
        assert clean(sent) == sent.replace("\x1b", "").replace("\a", "")
    assert clean("a\nb\x9b") == "ab"


class Recorded(SeatedApp):
    """An app at a pretended table that records everything sent to its terminal."""

    def signal(self, sent: Iterable[str]) -> None:
        self.hooked.extend(sent)


def test_the_table_calls_its_reader_and_nobody_who_is_not_asked() -> None:
    async def steps(app: Recorded, hands: Hands) -> None:
        assert app.hooked == TITLED
        app.app_focus = False
        await hands.pause()
        assert app.hooked == [*TITLED, BELL]
        await hands.receive(state(seen("2 4 rS2 gc2,rS,rm1,bL *r3,b2,g4", "b"), 2))
        assert app.hooked == [*TITLED, BELL, RESTORE_TITLE]

    run_app(Recorded(session_at_line("2 4 bS2 gc2,bS,rm1,bL r3,*b2,g4", "b")), steps)


def test_the_focus_takes_news_from_the_title() -> None:
    async def steps(app: Recorded, hands: Hands) -> None:
        app.hooked.clear()
        app.app_focus = False
        await hands.pause()
        app.hooked.clear()
        app.terminal.call(JOINS)
        assert app.hooked == [BELL]
        app.app_focus = True
        await hands.pause()
        assert app.hooked == [BELL]
        assert app.terminal.calls.focused

    run_app(Recorded(session_at_line("2 4 bS2 gc2,bS,rm1,bL r3,*b2,g4", "b")), steps)
