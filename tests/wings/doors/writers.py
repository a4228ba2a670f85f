"""The files that doors store for a player."""

from driflamme_tui.preferences.data_folders import data_folders
from driflamme_tui.wings.doors.door_codes import DoorCodes
from tests.wings.doors.test_ssh_door import order


def _let_in() -> None:
    *_, data = data_folders()
    DoorCodes(order(data)).remember("key-adaadaada", "", 0.0, 0.0)


WRITERS = [_let_in]

ELSEWHERE = {
    # Files of the kernel in /proc, which exist already.
    ("wings/doors/visitor_spawner.py", "write_text("),
}
"""Modules that may create files with other functions than the program's own, each with its call."""
