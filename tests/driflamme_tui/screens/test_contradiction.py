"""Tests a host that contradicts itself: its guests are warned, and keep the game that they saw."""

from random import Random

from engine.game import Deal
from netcode.client.session import Session
from netcode.protocol.messages import GameRecord
from tests.support.tables import RECORD, Hands, SeatedApp, evening_session, run_cases

NEWS = "The host's record of this game contradicts what this program saw."
KEPT = "Your history keeps what it saw."


def over() -> Session:
    session = evening_session(10**6, "b")
    session.record = None
    return session


def test_the_result_says_so_and_the_player_leaves_in_peace() -> None:
    async def steps(app: SeatedApp, hands: Hands, is_kept: bool) -> None:
        if not is_kept:
            # These events form no valid game.
            app.session.events.pop(3)
        # The record has another deal than the shown game.
        other = RECORD._replace(deal=Deal.shuffled(Random(1), RECORD.deal.families))
        app.receive(GameRecord(revision=app.session.revision, record=other.to_json()))
        await hands.pause()
        text = " ".join(" ".join(row.split()) for row in app.rows())
        assert NEWS in text
        assert (KEPT in text) == is_kept
        assert (app.session.record is not None) == is_kept
        notices = [str(each.message) for each in app._notifications]
        assert any(NEWS in each for each in notices)
        await hands.type("q")
        assert not app.left
        await hands.type("y")
        assert app.left

    for is_kept in (True, False):
        run_cases((is_kept,), lambda _: over(), steps, (120, 40), result=True)
