"""A further process of a club that does what its argument says, and has no tables."""

import sys

from netcode.own_process import tell_starter
from netcode.protocol.club_messages import TableInfo
from netcode.server.club_processes import DidOpen, Listens, Note, Report

TABLE = TableInfo(room="K7Q", secret=bytes(12), phase="lobby", edition=2, names=("anna",))


def main() -> None:
    what = sys.argv[1]
    if what == "fails":
        tell_starter(Note("The port is taken."))
        return
    tell_starter(Listens())
    tell_starter(Note("hello"))
    tell_starter(Report((TABLE,), 1, {"moves": 1}))
    if what == "babbles":
        sys.stdout.write("what?\n")
        sys.stdout.flush()
    for _ in sys.stdin:
        if what == "dies":
            return
        tell_starter(DidOpen(bytes(12)))


if __name__ == "__main__":
    main()
