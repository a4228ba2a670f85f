"""Lists the seams of the network, with the type of the value `SEAM` that wings bring."""


def seam_types() -> dict[str, type[object]]:
    """Return the type of each seam, by name.

    The call imports the modules of all types. Only a check of all wings needs this.
    """
    from netcode.protocol.fields import Messages
    from netcode.protocol.table_settings import WingSettings
    from netcode.server.routes import RouteMaker
    from netcode.table.finished_game import ProvenRecords
    from netcode.table.kinds import KindOfWing
    from netcode.table.parts import TablePartKind

    return {
        "messages": Messages,
        "routes": RouteMaker,
        "settings": WingSettings,
        "table_parts": TablePartKind,
        "kind": KindOfWing,
        "records": ProvenRecords,
    }
