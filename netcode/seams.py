"""Names the type of the value `SEAM` that a wing brings to each seam, as module and name."""

from typing import Final

SEAMS: Final[dict[str, str]] = {
    "messages": "netcode.protocol.fields:Messages",
    "routes": "netcode.server.routes:RouteMaker",
    "settings": "netcode.protocol.table_settings:WingSettings",
    "table_parts": "netcode.table.parts:TablePartKind",
    "kind": "netcode.table.kinds:KindOfWing",
    "records": "netcode.table.finished_game:ProvenRecords",
}
