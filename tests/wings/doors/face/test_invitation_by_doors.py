"""Tests the invitation of a host whose guests come by SSH or a browser."""

from typing import Any, cast

import msgspec
import pytest

from driflamme_tui.hosting.parts import OpenPlace
from driflamme_tui.screens.overlays.invitation_overlay import TEXT_WIDTH
from driflamme_tui.widgets.qr_code import fitting_code
from driflamme_tui.wings.doors.door_words import ways_by_doors
from driflamme_tui.wings.doors.open_doors import Doors, DoorsAnswer, DoorsOfHost, OpenDoors, Order
from tests.driflamme_tui.screens.test_invitation_overlay import LINK, lobby_app
from tests.support.tables import Hands, SeatedApp, in_app


def open_doors(page: str = "", proxy: str | None = None) -> OpenDoors:
    """Return doors as if their process had opened them."""
    doors = Doors(11215, 11216 if page else None, proxy)
    opened = OpenDoors(Order("", b"", "", None, doors, "", "en", ("192.168.1.20",)), print)
    opened.opened = DoorsAnswer(ssh_port=11215, fingerprint=f"SHA256:{'k' * 43}", page=page)
    return opened


class WithDoor(SeatedApp):
    """The app of a host with a door for SSH."""

    door = open_doors()
    copied = ""

    def on_ready(self) -> None:
        part = DoorsOfHost(msgspec.json.encode(Doors(11215, None, None)).decode())
        part.doors = self.door
        self.player_seat.table = cast("Any", OpenPlace(parts={"doors": part}))
        super().on_ready()

    def copy_to_clipboard(self, text: str) -> None:
        self.copied = text


class WithPage(WithDoor):
    """The app of a host with doors for SSH and browsers."""

    door = open_doors("https://192.168.1.20:11216")


@in_app(lambda: WithPage(lobby_app(secure=True).session))
async def test_the_lobby_shows_the_page_and_the_invitation_its_link_with_a_qr_code(
    app: WithPage, hands: Hands
) -> None:
    page = f"https://192.168.1.20:11216/#{LINK.rpartition('/')[2]}"
    assert app.shows("u copy page")
    await hands.type("u")
    assert app.copied == page
    assert app.shows("Link for browsers copied.")
    app.copied = ""
    await hands.type("i")
    assert app.shows("Scan this, or:")
    assert [row.rstrip() for row in app.rows()[:2]] == [LINK, page]
    await hands.type("u")
    assert app.copied == page
    code = fitting_code(page, app.size.width - TEXT_WIDTH - 3, app.size.height)
    assert code is not None
    drawn = code.text().plain.splitlines()[code.height // 2].strip()
    assert any(drawn in row for row in app.rows())


@in_app(lambda: WithDoor(lobby_app(secure=True).session), (60, 20))
async def test_the_lobby_of_a_door_shows_what_is_typed_and_the_invitation_tells_the_rest(
    app: WithDoor, hands: Hands
) -> None:
    assert app.shows("K 7 Q - F 2 M X R")
    await hands.type("h")
    assert app.copied == "ssh -p 11215 NAME@192.168.1.20"
    assert app.shows("SSH command copied.")
    await hands.type("i")
    assert any("ssh -p 11215 NAME@192.168.1.20" in row for row in app.rows())
    assert app.shows("NAME stands for each friend's own name.")
    # Nothing follows the fingerprint, which people compare.
    assert any(row.rstrip().endswith(app.door.opened.fingerprint[-9:]) for row in app.rows())
    assert len([row for row in app.rows() if "This machine sees" in row]) == 1


@pytest.mark.parametrize(
    ("page", "proxy", "sentence"),
    [
        ("https://192.168.1.20:11216", None, "certificate, continue."),
        ("https://table.example", "https://table.example", "something is wrong: do not continue."),
        ("http://127.0.0.1:11216", None, "Only browsers on this machine"),
    ],
)
def test_a_warning_of_a_browser_is_to_be_heeded_where_a_proxy_has_the_certificate(
    page: str, proxy: str | None, sentence: str
) -> None:
    ways = [*ways_by_doors(open_doors(page, proxy))]
    assert [about.endswith(sentence) or sentence in about for _way, _line, about in ways] == [
        False,
        True,
    ]
