from tests.driflamme_tui.conftest import _plain_terminal, no_waiting

__all__ = ["_plain_terminal", "no_waiting"]
