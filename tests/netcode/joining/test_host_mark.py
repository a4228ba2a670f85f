"""Tests the mark by which guests recognise the announcement of their host."""

from hypothesis import given
from hypothesis import strategies as st

from netcode.joining.host_mark import AT, MARK, MOST_BYTES, addresses_of, marked_addresses
from netcode.transport.address import MOST_ADDRESSES, Address
from netcode.transport.certificate import PIN_BYTES

PIN = bytes(range(PIN_BYTES))
OTHER = bytes(PIN_BYTES)
HOME = Address("192.168.1.20", 4000)
NEW = Address("fd00::20")

Announced = dict[bytes, bytes | None]


def announced(pin: bytes, *addresses: Address) -> Announced:
    said = marked_addresses(pin, addresses)
    return {name.encode(): value.encode() for name, value in said.items()}


def test_only_the_holder_of_the_pin_reads_addresses_in_an_announcement() -> None:
    said = announced(PIN, HOME, NEW)
    assert addresses_of(PIN, said) == (HOME, NEW)
    assert addresses_of(OTHER, said) == ()
    assert addresses_of(PIN, announced(OTHER, HOME)) == ()


def test_the_mark_belongs_to_its_addresses_and_reveals_no_pin() -> None:
    said = announced(PIN, HOME)
    assert said[b"mark"] != announced(PIN, NEW)[b"mark"]
    assert PIN.hex() not in str(said)
    assert addresses_of(PIN, {**said, AT.encode(): b"192.168.1.66:4000"}) == ()
    for name in (AT, MARK):
        missing: Announced = {**said, name.encode(): None}
        assert addresses_of(PIN, missing) == ()


def test_a_host_without_a_certificate_or_without_an_address_is_not_marked() -> None:
    assert marked_addresses(b"", [HOME]) == {}
    general = (
        "127.0.0.1",
        "0.0.0.0",
        "224.0.0.251",
        "fe80::1",
        "::1",
        "255.255.255.255",
        "table.example",
    )
    assert marked_addresses(PIN, map(Address, general)) == {}


def test_many_addresses_are_cut_to_the_length_of_a_field() -> None:
    many = [Address(f"2001:db8:1111:2222:3333:4444:5555:{n:x}", 40_000) for n in range(20)]
    said = marked_addresses(PIN, many)
    assert len(said[AT]) <= MOST_BYTES
    assert addresses_of(PIN, announced(PIN, *many)) == tuple(many[: said[AT].count(",") + 1])
    short = [Address(f"10.0.0.{n}") for n in range(20)]
    assert addresses_of(PIN, announced(PIN, *short)) == tuple(short[:MOST_ADDRESSES])


@given(at=st.binary(max_size=300) | st.sampled_from([b"127.0.0.1", b"a.b", b"fe80::1", b",", b""]))
def test_a_mark_of_any_other_text_leads_nowhere(at: bytes) -> None:
    """A host that has the pin can sign any text, but no such text may become an address."""
    import hmac
    from hashlib import sha256

    mark = hmac.new(PIN, at, sha256).hexdigest()[:32].encode()
    for address in addresses_of(PIN, {AT.encode(): at, MARK.encode(): mark}):
        assert address.host[0].isalnum()
        assert address.host not in ("127.0.0.1", "a.b", "fe80::1")


@given(st.dictionaries(st.sampled_from([b"at", b"mark"]), st.binary(max_size=300) | st.none()))
def test_an_announcement_without_the_mark_leads_nowhere(said: Announced) -> None:
    assert addresses_of(PIN, said) == ()
