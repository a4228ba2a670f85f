"""A further process of a club that does what its argument says, and has no tables."""

import sys

from netcode.protocol.club_messages import TableInfo
from netcode.server.club_processes import DidOpen, Listens, Note, Report, tell

TABLE = TableInfo(room="K7Q", secret=bytes(12), phase="lobby", edition=2, names=("anna",))


def main() -> None:
    what = sys.argv[1]
    if what == "fails":
        tell(Note("The port is taken."))
        return
    tell(Listens())
    tell(Note("hello"))
    tell(Report((TABLE,), 1, {"moves": 1}))
    if what == "babbles":
        sys.stdout.write("what?\n")
        sys.stdout.flush()
    for _ in sys.stdin:
        if what == "dies":
            return
        tell(DidOpen(bytes(12)))


if __name__ == "__main__":
    main()
