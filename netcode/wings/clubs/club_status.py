"""Reports the status of a club: numbers, without names or cards."""

from typing import Any

from netcode.server.server import Server
from netcode.storage.journal import Journal


def club_status(server: Server, journal: Journal, up_s: float) -> dict[str, Any]:
    """Return the figures of `driflamme serve --status`, except the figures of hosting parts."""
    entries = list(server.registry.entries)
    awake = sum(entry.table is not None for entry in entries)
    return {
        "up_s": round(up_s),
        "tables": {"awake": awake, "asleep": len(entries) - awake},
        "connections": server.connections,
        "wrong_codes": sum(entry.wrong_guesses for entry in entries),
        "moves": server.moves,
        "moves_per_s": round(server.moves_per_s, 2),
        "journal": journal.status(),
    }
