"""A player that is a program hears every message as a line of JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driflamme_tui.plain.json_player import JsonPlayer
from netcode.client.sealed_news import SealedNews, SealedRecord
from netcode.client.session import Session
from netcode.protocol.codec import messages_from_host
from netcode.protocol.fields import Message
from tests.support.strategies import anything

SECRETS = {"key", "secret", "proof", "share"}


def names_in(said: Any) -> set[str]:
    """Return the names of all fields, at every depth."""
    if isinstance(said, dict):
        return {*said}.union(*map(names_in, said.values()))
    return set[str]().union(*map(names_in, said)) if isinstance(said, list) else set()


def told(message: Message) -> dict[str, Any]:
    (line,) = JsonPlayer(Session()).news(message)
    assert "\n" not in line
    said = json.loads(line)
    assert isinstance(said, dict)
    assert said["type"] == message.__struct_config__.tag
    return said


@pytest.mark.parametrize("kind", messages_from_host(), ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_every_message_of_a_host_is_a_line_of_json_without_secrets(
    kind: type[Message], data: st.DataObject
) -> None:
    said = told(data.draw(anything(kind)))
    assert not SECRETS & names_in({**said, "values": None})
    fields = {*kind.__struct_fields__} - SECRETS
    assert fields <= said.keys()


def test_what_an_own_program_tells_of_a_sealed_game_is_json_too() -> None:
    assert told(SealedNews(stage="over"))["stage"] == "over"
    assert told(SealedRecord(3, "{}"))["line"] == "{}"
