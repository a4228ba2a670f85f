"""Adds to the start screen a row for each club that the player has visited."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from driflamme_tui.preferences.visits import Visit
from driflamme_tui.screens.start_rows import AddedRow, StartRows, join
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.clubs.visited_clubs import CLUBS
from driflamme_tui.wording.program.start_words import VISITED_GROUP, Row, days_ago


def club_rows(today: int) -> Sequence[AddedRow]:
    """Return a row for each visited club, the latest visit first."""
    return [
        AddedRow(
            _row(f"club-{n}", visit, today),
            partial(join, visit.typed),
            partial(CLUBS.forget, place),
        )
        for n, (place, visit) in enumerate(CLUBS.latest().items())
    ]


def _row(name: str, visit: Visit, today: int) -> Row:
    about = _(
        "You have the link of this club. Enter shows its tables: sit down at one, watch one, or "
        "open another."
    )
    label = _("Club at {where}", where=visit.host)
    return Row(name, VISITED_GROUP, label, about, days_ago(visit.day, today))


SEAM: Final = StartRows(visited=club_rows)
"""The rows of clubs, below the tables of this network."""
