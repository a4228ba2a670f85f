"""Tests the list of people at a sealed table: the takeover key, and handing the table over."""

from netcode.client.session import Session
from netcode.wings.sealed.messages import AllowTakeover, HandOver
from tests.driflamme_tui.screens.test_people_overlay import on_top, table
from tests.support.tables import Hands, SeatedApp, evening_session, gathered, in_app, seats
from tests.wings.sealed.news import SEALED


def takeover_session() -> Session:
    """Return the session of a host whose game Rosalind can take over."""
    there = seats("rbgyv", host="b")
    return table(seats=there, successors=("Blaise", "Rosalind"), settings=SEALED)


@in_app(lambda: SeatedApp(takeover_session()))
async def test_the_host_hands_a_sealed_table_over_by_keys(app: SeatedApp, hands: Hands) -> None:
    await hands.type("w t y")
    assert app.sent == [HandOver("Rosalind")]
    assert on_top(app) == "PeopleOverlay"


@in_app(lambda: SeatedApp(gathered("rbgyv", "b", settings=SEALED)))
async def test_the_own_machine_is_named_with_its_key_where_the_key_works(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("w")
    assert app.shows("o your machine")
    await hands.type("o")
    assert app.sent == [AllowTakeover(True)]
    app.sit(evening_session(43, "b", settings=SEALED))
    await hands.type("escape w")
    assert not app.shows("o your machine")
