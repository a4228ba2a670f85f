"""The program of a further process of a club: has some of its tables, and ends with the club."""

import signal
import sys

import msgspec

from driflamme_tui.cli.app_start import run_server
from driflamme_tui.seat.open_club import OpenClub, open_shard
from driflamme_tui.seat.plans import Serve
from driflamme_tui.text.i18n import _, set_language
from engine.words import ExplainedError
from netcode.own_process import tell_starter
from netcode.server.club_processes import Listens, Note, Report, obey
from netcode.server.gc_tuning import collect_rarely


def main() -> None:
    """Serve the tables of a shard until the standard input ends."""
    # Ctrl-C in a terminal is for the process that started this one, whose end is this one's.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    plan, index, spoken = msgspec.json.decode(sys.argv[1], type=tuple[Serve, int, str])
    set_language(spoken)

    async def serve() -> None:
        try:
            club = await open_shard(plan, index, lambda sentence: tell_starter(Note(sentence)))
        except ExplainedError as error:
            tell_starter(Note(error.sentence(_)))
            return
        tell_starter(Listens())
        collect_rarely()
        await obey(club.server.open_one, lambda: _report(club))
        await club.close()

    run_server(serve)


def _report(club: OpenClub) -> Report:
    registry = club.server.registry
    # A table that was opened just now is for who asked for it, to come there first.
    tables = tuple(info for info in registry.infos() if info.names)
    return Report(tables, len(registry.rooms), club.metrics())


if __name__ == "__main__":
    main()
