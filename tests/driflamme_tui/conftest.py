from collections.abc import Iterator

import pytest

from driflamme_tui.text.i18n import ENGLISH, set_language
from tests.driflamme_tui.rest import no_waiting

__all__ = ["no_waiting"]


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Draw the same in every terminal; after the test, restore English."""
    for name in ("NO_COLOR", "TEXTUAL_ANIMATIONS", "TEXTUAL_FPS", "TEXTUAL_COLOR_SYSTEM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
    yield
    set_language(ENGLISH)
