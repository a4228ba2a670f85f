"""Tables that last for days, whose host calls players."""

from random import Random

from netcode.protocol.fields import PartMessage
from netcode.protocol.messages import SetReady, Start
from netcode.protocol.table_settings import TableSettings
from netcode.table.effects import Effect, Report
from netcode.wings.days.day_record import DaysRecord, decode_record
from netcode.wings.days.settings import HOURS, NAME
from netcode.wings.days.table_parts import CallForgotten, CallReport
from netcode.wings.days.turn_notes import TurnNote, note_of
from tests.support.pretend import Network, Participant, decider, seated

HOUR = 3600.0
DAY = 24 * HOUR


class Calling(Network):
    """A table whose host calls players. This network records the reported calls."""

    def __init__(self, **settings: object) -> None:
        super().__init__(Random(1), settings=TableSettings.of({HOURS: 24, **settings}))
        self.calls: list[CallReport] = []
        self.forgotten: list[CallForgotten] = []
        self.confirms = True
        """True if the host's part makes each call at once."""
        self.now = 10 * DAY
        self.table.serve_host_parts([NAME])

    def execute(self, effects: list[Effect]) -> None:
        reports = [each for each in effects if isinstance(each, Report)]
        super().execute([each for each in effects if not isinstance(each, Report)])
        for each in reports:
            if isinstance(each.value, CallForgotten):
                self.forgotten.append(each.value)
                continue
            assert isinstance(each.value, CallReport)
            self.calls.append(each.value)
            if self.confirms:
                self.execute(self.table.report_done(NAME, each.value, self.now))

    def restart(self, owner_key: bytes | None = None) -> None:
        super().restart(owner_key)
        self.table.serve_host_parts([NAME])
        self.execute(self.table.alarm(self.now))

    @property
    def record(self) -> DaysRecord:
        kept = self.table.kept
        assert kept is not None
        return decode_record(kept.table.wings[NAME].data)

    @property
    def phase(self) -> str:
        return self.table.games.phase

    @property
    def moves(self) -> int:
        play = self.table.games.play
        return 0 if play is None else len(play.saved().actions)


def begun(network: Network, names: str = "abc") -> list[Participant]:
    """Return the players of a game that has just begun."""
    guests = seated(network, names)
    for each in guests[1:]:
        each.send(SetReady(ready=True))
    guests[0].send(Start())
    return guests


def awaited(guests: list[Participant]) -> Participant:
    found = decider(guests)
    assert found is not None
    return found


def messages(participant: Participant, kind: type[PartMessage]) -> list[PartMessage]:
    return [each for each in participant.received if isinstance(each, kind)]


def shown(participant: Participant) -> dict[str, object]:
    return {**participant.lobby().parts[NAME]}


def note(network: Network) -> tuple[float, TurnNote]:
    kept = network.table.kept
    assert kept is not None
    stored = note_of(kept)
    assert isinstance(stored.value, TurnNote)
    return stored.wakes_at, stored.value
