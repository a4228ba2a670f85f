"""Tests the app's notices about sealed games outside the table's screen."""

from types import SimpleNamespace
from typing import Any, cast

from driflamme_tui.wings.sealed.app_parts import SealedInApp
from netcode.client.session import Session
from tests.support.tables import Hands, SeatedApp, in_app


@in_app(lambda: SeatedApp(Session()))
async def test_who_takes_a_table_over_is_told_where_its_new_link_is(
    app: SeatedApp, hands: Hands
) -> None:
    for has_moved in (False, True):
        app.player_seat.table = cast(Any, SimpleNamespace(has_moved=has_moved))
        SealedInApp(app).begin()
    app.player_seat.table = None
    await hands.pause()
    sentence = "Players who do not come back need a new link: press w, then i."
    assert [each.message for each in app._notifications] == [sentence]
