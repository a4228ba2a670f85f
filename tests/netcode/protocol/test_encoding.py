"""What a host says to many is, for each, what it would say to that one alone."""

import msgpack
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Event, RoundBegan
from engine.notation import format_position
from engine.ranking import SEATS_OF_TWO
from engine.view import Viewer, project, view
from netcode.protocol.codec import encode
from netcode.protocol.messages import HostMessage, TableSettings
from netcode.table.live_game import LiveGame
from tests.engine.random_games import Played, examples, games, viewers
from tests.support.strategies import host_messages


@given(host_messages)
def test_every_message_is_written_as_msgpack_writes_it(message: HostMessage) -> None:
    frame = encode(message)
    fields = msgpack.unpackb(frame)
    assert list(fields) == ["type", *message.__struct_fields__]
    assert msgpack.packb(fields) == frame


@examples(30)
@given(games(), st.booleans())
def test_everybody_is_told_their_own_view_and_events(played: Played, two: bool) -> None:
    two = two and len(played.deal.families) == SEATS_OF_TWO
    play = LiveGame(1, played.deal, TableSettings(two=two))
    told: list[Event] = [RoundBegan(1, played.deal.first)]
    for index, game in enumerate(played.games):
        everybody: list[Viewer] = [None, (0, 2), (1, 3)] if two else [*viewers(game)]
        for viewer in everybody:
            state = play.state(viewer, None, index, since=max(0, len(told) - 2))
            second = played.deal.families[viewer[1]] if isinstance(viewer, tuple) else None
            assert state.second == second
            assert state.view == format_position(view(game, viewer))
            assert list(state.events) == [project(event, viewer) for event in told[-2:]]
        if not game.over:
            play.act(played.actions[index].token)
            told += played.events[index]
