"""Finds sealed tables that this machine can take over."""

import secrets
from typing import Final

from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.moved_tables import MovedTables
from driflamme_tui.wings.sealed.takeover_games import can_take_over, unfinished_persons
from netcode.joining.spoken_code import new_code
from netcode.protocol.fields import SECRET_BYTES
from netcode.table.snapshot import Location, Snapshot


def _reopened(plan: Host, name: str) -> Snapshot | None:
    """Return the snapshot of the latest unfinished sealed game of another host.

    The snapshot is made from the player's log. Returns None if no log has such a game.
    """
    if not can_take_over():
        return None
    from netcode.wings.sealed.takeover.takeover_server import takeover_snapshot

    for game, person in unfinished_persons(name):
        if not game.kept and person.sealing is not None and person.me is not None:
            before = Location(port=game.port, announced=None if game.is_announced else False)
            planned = replace(plan, location=before.changed_by(plan.location))
            code = new_code(secrets.token_bytes, ())
            opened = planned.opened(secrets.token_bytes(SECRET_BYTES), code)
            parcels = person.parcels()
            return takeover_snapshot(
                opened, person.sealing, person.me, parcels, game.evening, game.added
            )
    return None


SEAM: Final = MovedTables(can_take_over, _reopened)
