"""Tests the screen of a club's tables, and the ways to a table."""

from textual.events import Mount

from driflamme_tui.screens.base.messages import LeaveTable
from driflamme_tui.screens.overlays.help_overlay import HelpOverlay
from driflamme_tui.seat.seat_session import SeatSession
from driflamme_tui.text.signs import UNICODE, Glyphs
from driflamme_tui.wings.clubs.club_screen import ClubScreen, what_to_do
from netcode.client.connection import ConnectError
from netcode.client.session import Session
from netcode.protocol.fields import Message, checked_struct
from netcode.protocol.messages import Refused
from netcode.transport.channel import Channel
from netcode.wings.clubs.messages import Club, OpenTable, TableInfo
from tests.support.by_hand import click
from tests.support.tables import Hands, SeatedApp, in_app


def a_table(prefix: str, names: tuple[str, ...] = (), **fields: object) -> TableInfo:
    given = {"phase": "lobby", "edition": 2, **fields}
    secret = prefix.encode().ljust(12)
    return checked_struct({"prefix": prefix, "secret": secret, "names": names, **given}, TableInfo)


LONG = ("Wolfram Eschenbacher", "Maximiliane Sturmhub", "漢字名前漢字名前漢字名前", "Bo", "Ada")

TABLES = (
    a_table("K7Q", ("Rosalind", "Gaspard")),
    a_table("B2C", LONG, phase="playing", edition=1),
    a_table("XYZ", ("Ada",), phase="result"),
    a_table("4H9", ("Yvette", "Vasco", "Zoe"), phase="playing", asleep=True),
    a_table("777"),
)


class ClubApp(SeatedApp):
    """The app in a club, which only records its plans."""

    def __init__(self, tables: tuple[TableInfo, ...] = TABLES, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(Session(), glyphs)
        self.club = Club(tables=tables)
        self.player_seat.answer_to = self._note_opening

    def _note_opening(self, message: object) -> None:
        if isinstance(message, OpenTable):
            self.hooked.append("open")

    async def on_mount(self, event: Mount) -> None:  # type: ignore[override]
        event.prevent_default()
        await self.push_screen(ClubScreen(self.club))

    def on_ready(self) -> None:
        pass

    def on_leave_table(self, message: LeaveTable | None = None) -> None:
        super().on_leave_table(message)
        self.hooked.append("leave")

    def receive(self, *messages: Message) -> None:
        for message in messages:
            for part in self.place._all_parts:
                part.receive(message)

    @property
    def club_screen(self) -> ClubScreen:
        screen = self.screen_stack[1]
        assert isinstance(screen, ClubScreen)
        return screen

    @property
    def selected(self) -> str:
        chosen = self.club_screen.chosen
        return "" if chosen is None else chosen.prefix


@in_app(ClubApp)
async def test_each_table_has_a_line_and_is_gone_to_by_keys(app: ClubApp, hands: Hands) -> None:
    rows = [" ".join(row.split()) for row in app.rows()]
    for line in (
        "K7Q gathering second edition Rosalind, Gaspard",
        "B2C playing first edition Wolfram Eschenbacher,",
        "XYZ game over second edition Ada",
        "4H9 asleep second edition Yvette, Vasco, Zoe",
        "777 gathering second edition nobody",
    ):
        assert any(line in row for row in rows), line
    for keys, there in (
        ("enter", ("K7Q", "sit")),
        ("w", ("K7Q", "watch")),
        ("down enter", ("B2C", "sit")),
        ("end w", ("777", "watch")),
        ("home w", ("K7Q", "watch")),
        ("end enter", ("777", "sit")),
        ("n", "open"),
        ("u", "refresh"),
        ("q", "leave"),
        ("escape", "leave"),
    ):
        app.hooked.clear()
        await hands.type(keys)
        assert app.hooked == [there], keys
    await hands.type("?")
    assert isinstance(app.screen, HelpOverlay)


@in_app(ClubApp)
async def test_a_click_selects_and_another_goes_there(app: ClubApp, hands: Hands) -> None:
    await hands.click_on("game over")
    assert app.selected == "XYZ"
    assert app.hooked == []
    await hands.click_on("game over")
    assert app.hooked == [("XYZ", "sit")]
    for key, there in (
        ("Enter", ("XYZ", "sit")),
        ("w", ("XYZ", "watch")),
        ("n", "open"),
        ("u", "refresh"),
        ("q", "leave"),
    ):
        app.hooked.clear()
        await click(app, hands, f"key {key}")
        assert app.hooked == [there], key


@in_app(lambda: ClubApp(()))
async def test_a_club_without_tables_asks_for_one(app: ClubApp, hands: Hands) -> None:
    assert app.shows("Nobody has opened a table yet: n opens one.")
    await hands.type("enter w up down home end pageup pagedown")
    assert app.hooked == []
    await hands.click_on("n opens one")
    assert app.hooked == ["open"]


@in_app(ClubApp)
async def test_news_keep_the_choice_and_what_went_wrong_is_told_until_there_is_another(
    app: ClubApp, hands: Hands
) -> None:
    app.club_screen.show_notice("The table is full: all 5 seats are taken.")
    await hands.pause()
    assert app.shows("The table is full")
    await hands.type("down")
    assert not app.shows("The table is full")
    await hands.type("down")
    app.club_screen.show(Club(tables=(a_table("NEW"), *TABLES)))
    await hands.pause()
    assert app.selected == "XYZ"
    app.club_screen.show(Club(tables=TABLES[:2]))
    await hands.pause()
    assert app.selected == "", "not another table"
    app.club_screen.show(Club(tables=()))
    await hands.pause()
    assert app.shows("Nobody has opened a table yet")


@in_app(ClubApp)
async def test_the_list_is_renewed_while_nothing_is_laid_over_it(
    app: ClubApp, hands: Hands
) -> None:
    assert app.club_screen._ticker is not None
    app.club_screen.tick()
    assert app.hooked == ["refresh"]
    await hands.press("?")
    club = app.club_screen
    before = club._ticker
    club.tick()
    assert app.hooked == ["refresh"]
    assert club._ticker not in (before, None), "it goes on"


def test_what_a_table_is_good_for() -> None:
    assert what_to_do(TABLES[0]) == "3 seats are free: Enter to sit down, w to watch."
    assert what_to_do(a_table("K7Q", LONG[:4])).startswith("1 seat is free")
    assert what_to_do(a_table("K7Q", LONG)) == "All seats are taken: w to watch."
    assert what_to_do(TABLES[1]).startswith("A game is under way")


async def nowhere() -> Channel:
    raise ConnectError("There is no network.")


class RecordingSeat(SeatSession):
    """A seat at another player's table, which records what its player does after a refusal."""

    watches = False
    names: tuple[str, ...] = ()

    @property
    def is_private(self) -> bool:
        return False

    def watch_instead(self, refused: Refused) -> bool:
        self.watches = True
        return super().watch_instead(refused)

    def rename(self, name: str) -> None:
        self.names += (name,)


@in_app(lambda: SeatedApp(Session()))
async def test_a_member_watches_a_clubs_table_without_a_free_seat(
    app: SeatedApp, hands: Hands
) -> None:
    for code in ("game_under_way", "table_full"):
        seat = RecordingSeat("Blaise", app.session, connect=nowhere)
        app.player_seat = seat  # type: ignore[assignment]
        app.place.receive(seat, Club(tables=TABLES))
        await hands.pause()
        app.place.receive(seat, Refused(code=code, values={"seats": 5}))
        assert seat.watches
        assert isinstance(app.screen, ClubScreen)
        assert not app.screen.notice


@in_app(lambda: SeatedApp(Session()))
async def test_a_member_whose_name_is_taken_may_choose_another(
    app: SeatedApp, hands: Hands
) -> None:
    seat = RecordingSeat("Blaise", app.session, connect=nowhere)
    app.player_seat = seat  # type: ignore[assignment]
    app.place.receive(seat, Club(tables=TABLES))
    await hands.pause()
    for keys, names in (("escape", ()), ("end s e enter", ("Blaisese",))):
        app.place.receive(seat, Refused(code="name_taken", values={"name": "Blaise"}))
        await hands.pause()
        assert app.shows("The name Blaise is already taken")
        await hands.type(keys)
        assert isinstance(app.screen, ClubScreen)
        assert seat.names == names


@in_app(lambda: SeatedApp(Session()))
async def test_a_refusal_may_come_before_the_club_is_shown(app: SeatedApp, hands: Hands) -> None:
    seat_session = SeatSession("Blaise", app.session, connect=nowhere)
    app.place.receive(seat_session, Club(tables=TABLES))
    app.place.receive(seat_session, Refused(code="no_such_table"))
    await hands.pause()
    assert isinstance(app.screen, ClubScreen)
    assert app.screen.notice
