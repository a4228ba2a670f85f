"""Tests the parser of typed addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netcode.transport.address import (
    DEFAULT_PORT,
    Address,
    AddressError,
    network_of,
    parse_address,
    parse_addresses,
)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.168.1.20", "192.168.1.20", DEFAULT_PORT),
        ("192.168.1.20:4000", "192.168.1.20", 4000),
        ("table", "table", DEFAULT_PORT),
        ("table:1", "table", 1),
        ("my-table.example.", "my-table.example.", DEFAULT_PORT),
        ("bücher.example:65535", "bücher.example", 65535),
        ("  table ", "table", DEFAULT_PORT),
        ("::1", "::1", DEFAULT_PORT),
        ("[::1]", "::1", DEFAULT_PORT),
        ("[::1]:4000", "::1", 4000),
        ("fe80::1%eth0", "fe80::1%eth0", DEFAULT_PORT),
        ("[fe80::1%eth0]:4000", "fe80::1%eth0", 4000),
    ],
)
def test_an_address_is_a_host_and_perhaps_a_port(text: str, host: str, port: int) -> None:
    assert parse_address(text) == Address(host, port)


@pytest.mark.parametrize(
    "text",
    [
        "[::1",
        "[table]:1",
        "[::1]4000",
        "a b",
        "-a",
        "a/b",
        "a@b",
        "http://table",
        ":1",
        "[]",
        "::1]",
        "a..b",
        "a" * 64,
    ],
)
def test_what_is_no_address_is_said_to_be_none(text: str) -> None:
    with pytest.raises(AddressError):
        parse_address(text)


def test_an_empty_address_is_missing() -> None:
    with pytest.raises(AddressError, match="An address is missing"):
        parse_address("  ")


@pytest.mark.parametrize("port", ["", "0", "65536", "99999", "x", "-1", "1.5", " 1", "١"])
def test_a_port_is_a_number_within_bounds(port: str) -> None:
    with pytest.raises(AddressError, match="Type a port from 1 to 65535"):
        parse_address(f"table:{port}")
    with pytest.raises(AddressError):
        parse_address(f"[::1]:{port}")


@given(
    st.one_of(
        st.ip_addresses().map(str), st.from_regex(r"[a-z]([a-z-]{0,9}[a-z])?", fullmatch=True)
    ),
    st.integers(1, 65_535),
)
def test_an_address_goes_and_comes_back(host: str, port: int) -> None:
    assert parse_address(str(Address(host, port))) == Address(host, port)


@given(st.text(max_size=30))
def test_any_text_is_an_address_or_an_error(text: str) -> None:
    sentence = "."
    try:
        parse_address(text)
    except AddressError as error:
        sentence = error.sentence()
    assert sentence.endswith(".")


@pytest.mark.parametrize("text", ["table", "::1", "[::1]", "192.168.1.20", "fe80::1%3"])
def test_an_address_without_a_port_has_the_one_that_is_meant(text: str) -> None:
    """A player can type the usual port explicitly if the default is another one."""
    host = text.strip("[]")
    assert parse_address(text, 4000) == Address(host, 4000)
    number = f"[{host}]" if ":" in host else host
    assert parse_address(f"{number}:{DEFAULT_PORT}", 4000) == Address(host, DEFAULT_PORT)
    both = Address(host, 4000), Address("other", 1)
    assert parse_addresses(f"{text},other:1", 4000) == both


@pytest.mark.parametrize("zone", [";touch${IFS}x;#", "$(x)", "`x`", '"', "a b", "e" * 16, "'", "é"])
def test_a_zone_is_a_plain_name_or_number(zone: str) -> None:
    for text in (f"fe80::1%{zone}", f"[fe80::1%{zone}]:4000"):
        with pytest.raises(AddressError):
            parse_address(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.0.2.7", "::ffff:192.0.2.7"),
        ("2001:db8:1:200::1", "2001:db8:1:2ff:ffff:ffff:ffff:ffff"),
        ("2001:db8:1:2::1", "2001:0db8:0001:0002:0000:0000:0000:0009"),
        ("fe80::1%eth0", "fe80::2%eth0"),
    ],
)
def test_a_network_is_what_one_household_has(one: str, other: str) -> None:
    assert network_of(one) == network_of(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.0.2.7", "192.0.2.8"),
        ("2001:db8:1:200::1", "2001:db8:1:300::1"),
        ("::1", "127.0.0.1"),
    ],
)
def test_others_have_others(one: str, other: str) -> None:
    assert network_of(one) != network_of(other)


@pytest.mark.parametrize("host", [None, "", "/tmp/socket", "nonsense", "999.1.1.1"])
def test_what_is_no_address_is_no_network(host: str | None) -> None:
    assert network_of(host) == ""
