"""The teacher in words, while it thinks."""

from typing import TYPE_CHECKING

from driflamme_tui.text.i18n import _

if TYPE_CHECKING:
    pass


def thinking(*, failed: bool = False) -> str:
    """Return what is said while there is no judgement, or why there is none."""
    if failed:
        return _("The teacher cannot be asked on this machine.")
    return _("The teacher is thinking.")
