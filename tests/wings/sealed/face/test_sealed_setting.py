"""Tests the setting of the lobby that makes a table sealed."""

from netcode.protocol.messages import ChangeSettings
from netcode.protocol.table_settings import TableSettings
from tests.support.tables import Hands, SeatedApp, gathered, in_app, seats


def gathered_app() -> SeatedApp:
    return SeatedApp(gathered("rbg", "b", host=True, seats=seats("rbg", bots="g", host="b")))


@in_app(gathered_app)
async def test_the_host_makes_a_table_sealed_by_a_key(app: SeatedApp, hands: Hands) -> None:
    await hands.type("a")
    assert app.sent == [ChangeSettings(TableSettings(sealed=True))]
