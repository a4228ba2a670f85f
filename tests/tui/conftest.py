from pathlib import Path

import pytest

# The helpers assert too; let their failures show what was compared.
pytest.register_assert_rewrite("tests.tui.tables")


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Draw the same whatever terminal the tests are run from, and touch nobody's files."""
    for name in ("NO_COLOR", "TEXTUAL_ANIMATIONS", "TEXTUAL_FPS", "TEXTUAL_COLOR_SYSTEM"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
