"""Who looks elsewhere is told that it is their turn, as far as they want to be."""

from collections.abc import Iterable

import pytest

from driflamme_tui.preferences.attention import (
    BELL,
    KEEP_TITLE,
    RESTORE_TITLE,
    Attention,
    clean,
    notice,
)
from driflamme_tui.preferences.settings import Settings
from tests.support.tables import Hands, SeatedApp, run_app, seen, session_at_line, state

QUIET = Settings(title=False)
TITLED = [KEEP_TITLE, "\x1b]2;* your turn - Driflamme\x1b\\"]


def test_the_bell_rings_once_at_once_for_whoever_looks_elsewhere() -> None:
    attention = Attention(focused=False)
    assert list(attention.update(1, 100, None, QUIET)) == [BELL]
    assert list(attention.update(1, 200, None, QUIET)) == []
    assert list(attention.update(2, 201, None, QUIET)) == [BELL]


def test_who_is_there_hears_it_after_ten_seconds_and_again_when_ten_are_left() -> None:
    attention = Attention()
    assert list(attention.update(1, 100, 60, QUIET)) == []
    assert attention.next_change(100, 60) == 10
    assert list(attention.update(1, 110, 50, QUIET)) == [BELL]
    assert attention.next_change(110, 50) == 40
    assert list(attention.update(1, 150, 10, QUIET)) == [BELL]
    assert attention.next_change(150, 10) is None
    assert list(attention.update(1, 155, 5, QUIET)) == []


def test_a_short_time_rings_once() -> None:
    attention = Attention()
    assert list(attention.update(1, 100, 8, QUIET)) == [BELL]
    assert attention.next_change(100, 8) is None


@pytest.mark.parametrize("bell", ["off", "bell", "notice"])
def test_nothing_wakes_the_screen_twice_for_the_same_whatever_is_muted(bell: str) -> None:
    attention, wanted = Attention(), Settings(bell=bell, title=False)
    list(attention.update(1, 100, None, wanted))
    sent = list(attention.update(1, 110, None, wanted))
    assert attention.next_change(110, None) is None
    assert len(sent) == ["off", "bell", "notice"].index(bell)


def test_the_title_says_it_while_it_is_so_and_is_given_back() -> None:
    attention, wanted = Attention(), Settings(bell="off")
    assert list(attention.update(1, 0, None, wanted)) == TITLED
    assert list(attention.update(2, 0, None, wanted)) == []
    assert list(attention.update(None, 0, None, wanted)) == [RESTORE_TITLE]
    assert list(attention.update(3, 0, None, wanted)) == TITLED
    assert list(attention.leave()) == [RESTORE_TITLE]
    assert list(attention.leave()) == []
    assert list(attention.update(4, 0, None, QUIET)) == []


def test_a_notice_gets_through_tmux_and_says_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    assert notice("It is\x1b]0;your\x07 turn.") == "\x1b]9;It is]0;your turn.\a"
    monkeypatch.setenv("TMUX", "/tmp/tmux")
    assert notice("Now") == "\x1bPtmux;\x1b\x1b]9;Now\a\x1b\\"
    assert clean("a\nb\x9b") == "ab"


def test_the_table_calls_its_reader_and_nobody_who_is_not_asked() -> None:
    class Recorded(SeatedApp):
        def signal(self, sent: Iterable[str]) -> None:
            self.hooked.extend(sent)

    async def steps(app: Recorded, hands: Hands) -> None:
        assert app.hooked == TITLED
        app.app_focus = False
        await hands.pause()
        assert app.hooked == [*TITLED, BELL]
        await hands.hear(state(seen("2 4 rS2 gc2,rS,rm1,bL *r3,b2,g4", "b"), 2))
        assert app.hooked == [*TITLED, BELL, RESTORE_TITLE]

    run_app(Recorded(session_at_line("2 4 bS2 gc2,bS,rm1,bL r3,*b2,g4", "b")), steps)
