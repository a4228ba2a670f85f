"""Tests that valid frames with messages of sealed play are accepted, and no others."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from netcode.protocol.codec import decode_client, encode
from netcode.protocol.messages import Reason
from netcode.protocol.refusal_sentences import refusal_sentence
from netcode.wings.sealed.messages import FROM_SEALED_CLIENT, SENTENCES, Sealed
from tests.netcode.protocol.test_codec import assert_refused_as_written
from tests.wings.sealed.strategies import parcels

README = Path(__file__).parents[3] / "netcode" / "wings" / "sealed" / "README.md"


@given(st.builds(Sealed, parcels=parcels(8, 200)))
def test_parcels_go_and_come_back_at_a_sealed_table(message: Sealed) -> None:
    assert decode_client(encode(message), FROM_SEALED_CLIENT) == message


def test_frames_of_parcels_that_are_refused_and_why() -> None:
    frames = Path(__file__).with_name("frames.json")
    assert assert_refused_as_written(frames, FROM_SEALED_CLIENT) == 10


def test_the_readme_says_how_long_a_frame_may_be() -> None:
    assert f"{FROM_SEALED_CLIENT:,} bytes" in README.read_text()


def test_a_reason_of_sealed_play_has_a_sentence_of_its_own() -> None:
    reason = Reason(code="parcel_refused", values={"check": "weak_key"})
    assert refusal_sentence(reason) == (
        "The table refuses what your program has signed (weak_key): upgrade the older program."
    )
    assert refusal_sentence(Reason(code="table_sealed")) == SENTENCES["table_sealed"]
