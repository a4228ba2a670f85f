"""Describes the state of the teacher: thinking, or unable to judge."""

from driflamme_tui.text.i18n import _


def thinking(*, failed: bool = False) -> str:
    """Return a sentence: the teacher is thinking, or with `failed`, the teacher cannot judge."""
    if failed:
        return _("The teacher cannot be asked on this machine.")
    return _("The teacher is thinking.")
