"""Tests that the exchange of a spoken code admits its holder and nobody else."""

import string
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spake2 import ed25519_basic as curve  # type: ignore[import-untyped]

from netcode.joining import spoken_code
from netcode.joining.spoken_code import (
    CodeError,
    CodeExchangeError,
    SpokenCodeClient,
    SpokenCodeHost,
    new_code,
    parse_code,
    prefix_of,
    with_new_password,
)
from netcode.protocol.fields import PROOF_BYTES, SHARE_BYTES, CodePrefix, SpokenCode, checked_struct

CODE = "K7QF2MXR"
ANOTHER = "K7QF2MXS"
CERTIFICATE = b"the certificate of the host"
FORGED = b"the certificate of whoever is in the middle"


def test_a_new_password_is_for_the_same_room() -> None:
    renewed = with_new_password(CODE, Random(1).randbytes)
    assert checked_struct(renewed, SpokenCode) == renewed != CODE
    assert prefix_of(renewed) == prefix_of(CODE)


def test_who_knows_the_code_gets_in_and_knows_the_host() -> None:
    knocker, doorkeeper = SpokenCodeClient(CODE, CERTIFICATE), SpokenCodeHost(CODE, CERTIFICATE)
    assert knocker.prefix == "K7Q"
    proof = knocker.prove(doorkeeper.answer(knocker.share))
    answer = doorkeeper.proof(proof)
    assert answer is not None
    assert knocker.accepts(answer)
    assert (len(knocker.share), len(proof), len(answer)) == (SHARE_BYTES, PROOF_BYTES, PROOF_BYTES)
    assert proof != answer


def exchanged(
    ours: tuple[str, bytes] = (CODE, CERTIFICATE), theirs: tuple[str, bytes] = (CODE, CERTIFICATE)
) -> tuple[SpokenCodeClient, SpokenCodeHost, bytes]:
    """Return both sides of an exchange with these secrets, and the client's proof."""
    knocker, doorkeeper = SpokenCodeClient(*ours), SpokenCodeHost(*theirs)
    return knocker, doorkeeper, knocker.prove(doorkeeper.answer(knocker.share))


@pytest.mark.parametrize(
    "other",
    [(ANOTHER, CERTIFICATE), ("K7RF2MXR", CERTIFICATE), (CODE, FORGED)],
    ids=["another password", "another prefix", "another certificate"],
)
@pytest.mark.parametrize("who", ["client", "host"])
def test_who_believes_in_something_else_convinces_nobody(
    other: tuple[str, bytes], who: str
) -> None:
    right = (CODE, CERTIFICATE)
    ours, theirs = (other, right) if who == "client" else (right, other)
    knocker, doorkeeper, proof = exchanged(ours, theirs)
    # A host that sends its proof without verifying the client's is refused too.
    assert doorkeeper._key is not None
    assert not knocker.accepts(spoken_code._proof(doorkeeper._key, spoken_code._HOST))
    assert not knocker.accepts(proof)
    assert doorkeeper.proof(proof) is None


def test_whoever_answered_for_the_host_with_a_wrong_guess_cannot_try_another_later() -> None:
    """An impostor's recorded exchange is useless later, even with the right code."""
    knocker, impostor, proof = exchanged(theirs=(ANOTHER, CERTIFICATE))
    assert proof_under(CODE, impostor, knocker.share) != proof
    # After a right guess, the impostor can compute the client's proof.
    knocker, impostor, proof = exchanged()
    assert proof_under(CODE, impostor, knocker.share) == proof


def proof_under(code: str, impostor: SpokenCodeHost, share: bytes) -> bytes:
    """Return the client's proof under this code, as far as an impostor can compute it."""
    spake = impostor._spake
    spake.pw = code[3:].encode()
    spake.pw_scalar = spake.params.group.password_to_scalar(spake.pw)
    spake._finished = False
    return spoken_code._proof(spake.finish(share), spoken_code._CLIENT)


def test_a_proof_is_good_for_one_exchange_and_there_is_one_for_each() -> None:
    knocker, doorkeeper, proof = exchanged()
    assert doorkeeper.proof(proof) is not None
    assert doorkeeper.proof(proof) is None
    again = SpokenCodeHost(CODE, CERTIFICATE)
    again.answer(knocker.share)
    assert again.proof(proof) is None
    _, doorkeeper, proof = exchanged()
    assert doorkeeper.proof(bytes(PROOF_BYTES)) is None
    assert doorkeeper.proof(proof) is None


def test_neither_side_answers_twice() -> None:
    knocker, doorkeeper = SpokenCodeClient(CODE, CERTIFICATE), SpokenCodeHost(CODE, CERTIFICATE)
    share = doorkeeper.answer(knocker.share)
    with pytest.raises(CodeExchangeError):
        doorkeeper.answer(knocker.share)
    proof = knocker.prove(share)
    with pytest.raises(CodeExchangeError):
        knocker.prove(share)
    assert doorkeeper.proof(proof) is not None


def test_nothing_is_proven_before_shares_are_exchanged() -> None:
    assert SpokenCodeHost(CODE, CERTIFICATE).proof(bytes(PROOF_BYTES)) is None
    assert not SpokenCodeClient(CODE, CERTIFICATE).accepts(bytes(PROOF_BYTES))


@pytest.mark.parametrize("proof", [b"", b"x", bytes(PROOF_BYTES), bytes(PROOF_BYTES + 1)])
def test_a_proof_of_any_length_is_only_wrong(proof: bytes) -> None:
    knocker, doorkeeper, _ = exchanged()
    assert not knocker.accepts(proof)
    assert doorkeeper.proof(proof) is None


def written(y: int, sign: int = 0) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


def of_small_order() -> list[bytes]:
    """Return the eight points whose order divides eight."""
    y = 3
    while True:
        try:
            point = curve.bytes_to_unknown_group_element(written(y))
        except curve.NotOnCurve:
            y += 1
            continue
        torsion = point.scalarmult(curve.L)
        points = {torsion.scalarmult(n).to_bytes() for n in range(1, 9)}
        if len(points) == 8:
            return sorted(points)
        y += 1


def not_a_point() -> bytes:
    for y in range(2, 100):
        try:
            curve.decodepoint(written(y))
        except curve.NotOnCurve:
            return written(y)
    raise AssertionError


def outside_the_group() -> bytes:
    [torsion, *_] = [each for each in of_small_order() if each != written(1)]
    point: bytes = curve.Base.add(curve.bytes_to_unknown_group_element(torsion)).to_bytes()
    return point


_Q = 2**255 - 19

NO_SHARES = {
    "nothing": b"",
    "a side": b"A",
    "too short": b"A" + written(4)[:31],
    "too long": b"A" + curve.Base.to_bytes() + b"x",
    "the host's own side": b"B" + curve.Base.to_bytes(),
    "both sides": b"S" + curve.Base.to_bytes(),
    "no side": b"\x00" + curve.Base.to_bytes(),
    "off the curve": b"A" + not_a_point(),
    "outside the group": b"A" + outside_the_group(),
    "nought, as 1 + p": b"A" + written(_Q + 1),
    "nought, negative": b"A" + written(1, 1),
    "nought, negative, as 1 + p": b"A" + written(_Q + 1, 1),
    "the order two, as p - 1, negative": b"A" + written(_Q - 1, 1),
    "all ones": b"A" + b"\xff" * 32,
} | {f"small order {n}": b"A" + each for n, each in enumerate(of_small_order())}


@pytest.mark.parametrize("share", NO_SHARES.values(), ids=NO_SHARES)
def test_what_is_no_share_is_refused_by_both_sides(share: bytes) -> None:
    with pytest.raises(CodeExchangeError):
        SpokenCodeHost(CODE, CERTIFICATE).answer(share)
    to_client = share.replace(b"A", b"#", 1).replace(b"B", b"A", 1).replace(b"#", b"B", 1)
    with pytest.raises(CodeExchangeError):
        SpokenCodeClient(CODE, CERTIFICATE).prove(to_client)


def test_a_share_sent_back_is_refused() -> None:
    knocker = SpokenCodeClient(CODE, CERTIFICATE)
    with pytest.raises(CodeExchangeError):
        knocker.prove(knocker.share)
    with pytest.raises(CodeExchangeError):
        knocker.prove(b"B" + knocker.share[1:])


@given(st.binary(max_size=40) | st.binary(min_size=32, max_size=32).map(lambda each: b"A" + each))
def test_any_bytes_are_a_share_or_a_spoken_error(share: bytes) -> None:
    doorkeeper = SpokenCodeHost(CODE, CERTIFICATE)
    with suppress(CodeExchangeError):
        doorkeeper.answer(share)
    assert doorkeeper.proof(bytes(PROOF_BYTES)) is None


def test_two_exchanges_have_nothing_in_common() -> None:
    for side in (SpokenCodeClient, SpokenCodeHost):
        first, second = side(CODE, CERTIFICATE), side(CODE, CERTIFICATE)
        assert first._spake.xy_scalar != second._spake.xy_scalar


@pytest.mark.parametrize(
    "typed",
    ["K7QF2MXR", "K7Q-F2MXR", "k7q-f2mxr", " k7q f2m xr\n", "K7Q–F2MXR", "k-7-q-f-2-m-x-r"],
)
def test_a_code_may_be_typed_in_many_ways(typed: str) -> None:
    assert parse_code(typed) == CODE


def test_signs_that_look_alike_are_the_same() -> None:
    assert parse_code("oO0-iIlL1") == "00011111"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Type the 8 letters and digits of the code, such as K7Q-F2MXR, not 0."),
        ("K7Q-F2MX", "not 7."),
        ("K7Q-F2MXRR", "not 9."),
        ("K7Q-F2MXU", "No spoken code contains the character 'U': type the code again."),
        ("K7Q-F2MX!", "the character '!'"),
        ("K7Q-F2MXÉ", "the character 'É'"),
        ("K7Q-F2MX٣", "the character '٣'"),
        ("192.168.1.20", "the character '.'"),
    ],
)
def test_what_is_no_code_is_said_to_be_none(typed: str, said: str) -> None:
    with pytest.raises(CodeError) as caught:
        parse_code(typed)
    assert said in caught.value.sentence()
    assert "F2MX" not in caught.value.sentence().replace("K7Q-F2MXR", "")


@given(st.binary(min_size=5, max_size=5))
def test_a_code_goes_and_comes_back(drawn: bytes) -> None:
    code = new_code(lambda count: drawn[:count], ())
    assert checked_struct(code, SpokenCode) == code
    assert checked_struct(prefix_of(code), CodePrefix) == code[:3]
    assert parse_code(f"{code[:3]}-{code[3:]}") == code
    assert parse_code(f"{code[:3]}-{code[3:]}".lower()) == code


@given(st.text(max_size=12) | st.text(string.ascii_letters + string.digits, max_size=9))
def test_any_text_is_a_code_or_an_error(text: str) -> None:
    try:
        code = parse_code(text)
    except CodeError:
        return
    assert checked_struct(code, SpokenCode) == code


def test_all_codes_are_as_likely() -> None:
    ends = {new_code(drawing(number), ())[-2:] for number in range(1024)}
    assert len(ends) == 1024
    assert new_code(lambda _: b"\xff" * 5, ()) == "ZZZZZZZZ"


def drawing(*numbers: int) -> Callable[[int], bytes]:
    left = list(numbers)
    return lambda count: left.pop(0).to_bytes(count, "big")


def test_a_new_code_avoids_the_rooms_of_other_tables() -> None:
    taken = 5 << 25 | 7
    assert new_code(drawing(taken, 6 << 25), {"005"}) == "00600000"
    assert new_code(drawing(taken), {"006"}) == "00500007"


def test_a_server_without_a_free_room_says_so() -> None:
    class Everything:
        def __contains__(self, prefix: object) -> bool:
            return True

    with pytest.raises(CodeExchangeError, match="no prefix"):
        new_code(Random(1).randbytes, Everything())
