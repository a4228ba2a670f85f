"""Tests a club in the line-by-line mode: its tables have numbers."""

import pytest

from netcode.client.session import Session
from netcode.protocol.messages import Hello, Refused
from netcode.protocol.table_settings import TableSettings
from netcode.wings.clubs.messages import Club, OpenTable, TableInfo
from tests.driflamme_tui.plain.test_line_shell import Seat, Shell


class SeatInClub(Seat):
    """A pretended seat whose player can also open tables in a club."""

    def open_table(self) -> None:
        self.send(OpenTable(settings=TableSettings()))


async def test_a_club_is_heard_as_numbers_of_its_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(monkeypatch, Session(secret=b"c" * 12), SeatInClub)
    shell.seat.session.hello("Bo")
    playing = shell.play()
    await shell.receive(Club(tables=()))
    await shell.type("open")
    playing_there = TableInfo(
        prefix="K72", secret=b"2" * 12, phase="playing", edition=1, names=("Ada", "Gaspard")
    )
    gathering = TableInfo(prefix="K73", secret=b"3" * 12, phase="lobby", edition=1, names=())
    await shell.receive(Club(tables=(playing_there, gathering)))
    assert "1: K72, playing, first edition: Ada, Gaspard" in shell.sentences
    assert "2: K73, gathering, first edition: nobody" in shell.sentences
    await shell.type("3", "2", "tables")
    # A player whom a table refuses is still in the club.
    await shell.receive(Refused(code="name_taken", values={"name": "Bo"}))
    await shell.type("name Cleo", "watch 1")
    opened, entered, _listed, renamed, watched = shell.seat.sent
    assert isinstance(opened, OpenTable)
    assert [
        (each.name, each.secret, each.spectator)
        for each in (entered, renamed, watched)
        if isinstance(each, Hello)
    ] == [("Bo", b"3" * 12, False), ("Cleo", b"3" * 12, False), ("Cleo", b"2" * 12, True)]
    await shell.type("quit")
    assert await playing == ""


@pytest.mark.parametrize("code", ["game_under_way", "table_full"])
async def test_a_member_watches_a_clubs_table_without_a_free_seat_line_by_line(
    monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    shell = Shell(monkeypatch, Session(secret=b"c" * 12), SeatInClub)
    shell.seat.session.hello("Bo")
    playing = shell.play()
    table = TableInfo(prefix="K72", secret=b"2" * 12, phase="playing", edition=1, names=("Ada",))
    await shell.receive(Club(tables=(table,)))
    await shell.type("1")
    await shell.receive(Refused(code=code, values={"seats": 5}))
    _entered, watched = shell.seat.sent
    assert isinstance(watched, Hello)
    assert (watched.secret, watched.spectator) == (b"2" * 12, True)
    await shell.type("quit")
    assert await playing == ""
