"""Describes the state of the teacher: thinking, or unable to judge."""

from driflamme_tui.text.i18n import _


def thinking(*, failed: bool = False) -> str:
    """Return the sentence that the teacher is thinking, or with `failed` that it cannot judge."""
    if failed:
        return _("The teacher cannot be asked on this machine.")
    return _("The teacher is thinking.")
