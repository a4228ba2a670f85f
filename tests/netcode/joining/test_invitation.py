"""Tests the parser of pasted invitations."""

import shlex
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netcode.joining.invitation import (
    MOST_INDIRECT,
    TOKEN_LENGTH,
    Invitation,
    InvitationError,
    is_invitation,
    parse_invitation,
    written_anew,
)
from netcode.protocol.fields import SECRET_BYTES
from netcode.transport.address import MOST_ADDRESSES, Address, AddressError, parse_address
from netcode.transport.certificate import PIN_BYTES

PIN = bytes(range(1, 17))
SECRET = bytes(range(240, 252))
TOKEN = "AQIDBAUGBwgJCgsMDQ4PEPDx8vP09fb3-Pn6-w"
LINE = f"driflamme://192.168.1.20/{TOKEN}"
INVITATION = Invitation((Address("192.168.1.20"),), PIN, SECRET)


def sentence(text: str) -> str:
    with pytest.raises(InvitationError) as caught:
        parse_invitation(text)
    return caught.value.sentence()


@pytest.mark.parametrize(
    ("host", "port", "where"),
    [
        ("192.168.1.20", 11214, "192.168.1.20"),
        ("192.168.1.20", 4000, "192.168.1.20:4000"),
        ("table.example", 4000, "table.example:4000"),
        ("::1", 11214, "[::1]"),
        ("fd00::20", 4000, "[fd00::20]:4000"),
        ("fe80::1%eth0", 11214, "[fe80::1%eth0]"),
    ],
)
def test_an_invitation_is_one_line(host: str, port: int, where: str) -> None:
    invitation = Invitation((Address(host, port),), PIN, SECRET)
    assert str(invitation) == f"driflamme://{where}/{TOKEN}"
    assert parse_invitation(str(invitation)) == invitation


def test_an_invitation_has_several_addresses_and_relays() -> None:
    there = (Address("198.51.100.10", 54652), Address("192.168.1.20"), Address("2001:db8::20"))
    relays = (Address("relay.example", 4000), Address("2001:db8::40"))
    line = (
        "driflamme://198.51.100.10:54652,192.168.1.20,[2001:db8::20],+relay.example:4000,"
        f"+[2001:db8::40]/{TOKEN}"
    )
    invitation = Invitation(there, PIN, SECRET, relays)
    assert str(invitation) == line
    assert parse_invitation(line) == invitation


def test_a_token_has_38_characters() -> None:
    assert TOKEN_LENGTH == len(TOKEN) == 38


def test_what_shows_an_invitation_for_finding_faults_shows_no_secret() -> None:
    shown = repr(INVITATION)
    assert "192.168.1.20" in shown
    assert "secret" not in shown
    assert repr(SECRET) not in shown
    assert TOKEN not in shown


@pytest.mark.parametrize(("pin", "secret"), [(PIN[1:], SECRET), (PIN, SECRET + b"x")])
def test_pins_and_secrets_of_another_length_make_no_invitation(pin: bytes, secret: bytes) -> None:
    with pytest.raises(ValueError, match="of another length"):
        Invitation((Address("table"),), pin, secret)


@pytest.mark.parametrize(
    "pasted",
    [
        f"  {LINE}\n",
        f"<{LINE}>",
        f'"{LINE}"',
        f"“{LINE}”.",
        f"`{LINE}`",
        f"({LINE}),",
        f"{LINE}/",
        f"driflamme join {LINE}",
        f"driflamme join '{LINE}'",
        f"$ scripts/driflamme join {LINE}",
        f"Come and play: {LINE}!",
        LINE.replace("driflamme:", "Driflamme:"),
        f"{LINE[:30]}\n{LINE[30:]}",
        f"{LINE[:30]}\r\n    {LINE[30:]}",
        f"driflamme join\n{LINE[:20]} {LINE[20:]}",
        f"\u200b{LINE[:30]}\u00ad{LINE[30:]}\ufeff",
        f"\u2066{LINE}\u2069",
        f"\x1b{LINE}",
        f"{LINE} See you at eight",
        f"{LINE}\n\nSee you",
        f"Here: {LINE[:-5]}\n{LINE[-5:]}\nSee you",
        f"{LINE}. See you",
        f"{LINE} {LINE}",
    ],
)
def test_an_invitation_may_be_pasted_in_many_ways(pasted: str) -> None:
    assert is_invitation(pasted)
    assert parse_invitation(pasted) == INVITATION


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (LINE, True),
        ("driflamme://", True),
        ("DRIFLAMME://table", True),
        ("drif\nlamme://table", True),
        ("driflamme", False),
        ("driflamme:4000", False),
        ("192.168.1.20", False),
        ("https://table.example/", False),
        ("K7Q-F2MXR", False),
        ("", False),
    ],
)
def test_an_invitation_is_told_from_an_address(text: str, is_one: bool) -> None:
    assert is_invitation(text) == is_one


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "This is not an invitation: an invitation begins with driflamme://"),
        ("table.example", "This is not an invitation: "),
        (LINE.replace("driflamme:", "riflamme:"), "This is not an invitation: "),
        ("driflamme://", "after the host's address it has a / and 38 letters and digits."),
        ("driflamme://192.168.1.20", "The invitation is cut off: after the host's address"),
        ("driflamme://192.168.1.20/Q", "after the last / it has 1 of 38 characters."),
        (LINE[:-1], "it has 37 of 38 characters"),
        (LINE + "A", "it has 39 characters instead of 38"),
        (LINE + TOKEN, "it has 76 characters instead of 38"),
        (LINE.replace("Q", "+"), "has '+' in a wrong place: copy it again."),
        (LINE.replace("Q", "é"), "has 'é' in a wrong place"),
        (LINE + "=", "has '=' in a wrong place"),
        (LINE[:-1] + "x", "has 'x' in a wrong place"),
        (LINE + LINE, "has ':' in a wrong place"),
        (LINE.replace("/AQ", "/x/AQ"), "has '/' in a wrong place"),
        (f"driflamme:///{TOKEN}", "An address is missing: type one such as 192.168.1.20."),
        (f"driflamme://a@b/{TOKEN}", "'a@b' is not an address: type one such as"),
        (f"driflamme://[::1/{TOKEN}", "'[::1' is not an address: type one such as"),
        (f"driflamme://a,,b/{TOKEN}", "An address is missing: type one such as 192.168.1.20."),
        (f"driflamme://a,+b,c/{TOKEN}", "'b,c' is not an address: type one such as"),
        (f"driflamme://{',a' * 9}/{TOKEN}", "Name at most 8 addresses for a table."),
        (f"driflamme://a{',+b' * 3}/{TOKEN}", "This invitation has too many addresses"),
        (f"driflamme://table:0/{TOKEN}", "Type a port from 1 to 65535, not '0'."),
    ],
)
def test_what_is_wrong_with_an_invitation_is_said_without_repeating_it(
    text: str, said: str
) -> None:
    assert said in sentence(text)
    assert TOKEN[:10] not in sentence(text)


hosts = st.one_of(
    st.ip_addresses().map(str), st.from_regex(r"[a-z0-9]([a-z-]{0,4}[.]?[a-z])?", fullmatch=True)
)
addresses = st.builds(Address, hosts, st.integers(1, 65_535))
invitations = st.builds(
    Invitation,
    st.lists(addresses, min_size=1, max_size=MOST_ADDRESSES).map(tuple),
    st.binary(min_size=PIN_BYTES, max_size=PIN_BYTES),
    st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES),
    st.lists(addresses, max_size=MOST_INDIRECT).map(tuple),
)


@given(invitations)
def test_an_invitation_goes_and_comes_back(invitation: Invitation) -> None:
    line = str(invitation)
    assert is_invitation(line)
    assert parse_invitation(line) == invitation
    # These characters form one word of a command line, and mean nothing else to a shell.
    assert set(line) <= set(string.ascii_letters + string.digits + "-_.:/[]%,+")


@given(invitations, st.data())
def test_another_character_never_gives_the_same_invitation(
    invitation: Invitation, data: st.DataObject
) -> None:
    line = str(invitation)
    at = data.draw(st.integers(len(line) - TOKEN_LENGTH, len(line) - 1))
    sign = data.draw(st.sampled_from(string.ascii_letters + string.digits + "-_"))
    changed = line[:at] + sign + line[at + 1 :]
    if changed == line:
        return
    try:
        other = parse_invitation(changed)
    except InvitationError:
        # The unused bits of the last character must be zero.
        assert at == len(line) - 1
        return
    assert other != invitation


@given(st.text(max_size=40), st.booleans())
def test_any_text_is_an_invitation_or_an_error(text: str, with_token: bool) -> None:
    pasted = f"driflamme://{text}/{TOKEN}" if with_token else text
    said = "."
    try:
        parse_invitation(pasted)
    except InvitationError as error:
        said = error.sentence()
    assert said.endswith(".")


@given(st.text(max_size=40))
def test_whatever_is_an_address_is_no_invitation(text: str) -> None:
    try:
        parse_address(text)
    except AddressError:
        return
    assert not is_invitation(text)


# Invitations of hosts, which guests show and copy

HOSTILE = [
    "driflamme://127.0.0.1/AAAA;touch${IFS}x;#",
    f"driflamme://[fe80::1%;touch${{IFS}}x;#]:4000/{TOKEN}",
    f"driflamme://$(touch x)/{TOKEN}",
    f"driflamme://a`touch x`/{TOKEN}",
    "driflamme join --insecure 127.0.0.1; touch x",
    "driflamme join --insecure $(touch x)",
    "driflamme join --insecure 127.0.0.1\ntouch x",
    "driflamme join --insecure -h",
    "driflamme join --unix x;touch x",
    "driflamme join --unix '/a' 'b'",
    "driflamme join --unix '/a",
    "driflamme join --unix /a\x1b]2;x\x07",
    "driflamme join --plain 127.0.0.1 K7Q-F2MXR",
    "touch x",
    "curl example | sh # driflamme join --insecure a",
    "",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_neither_a_link_nor_a_command_of_ours_is_nothing(text: str) -> None:
    assert written_anew(text) == ""


@pytest.mark.parametrize(
    ("text", "anew"),
    [
        (LINE, LINE),
        (f"driflamme://192.168.1.20:11214/{TOKEN} ; touch x", LINE),
        (f"{LINE}.", LINE),
        (f"DRIFLAMME://192.168.1.20:11214/{TOKEN}", LINE),
        ("driflamme join --insecure 192.168.1.20", "driflamme join --insecure 192.168.1.20"),
        ("/home/a/scripts/driflamme join --insecure [::1]", "driflamme join --insecure ::1"),
        ("curl;driflamme join --insecure a:4000", "driflamme join --insecure a:4000"),
        ("driflamme join --unix /a b/$(touch x)", "driflamme join --unix '/a b/$(touch x)'"),
        ("driflamme join --unix '/a b'", "driflamme join --unix '/a b'"),
        ("driflamme join --unix /run/table", "driflamme join --unix /run/table"),
    ],
)
def test_an_invitation_is_written_anew_whoever_wrote_it(text: str, anew: str) -> None:
    assert written_anew(text) == anew
    assert written_anew(anew) == anew


signs = st.sampled_from(
    [*";&|$()<>`'\"\\ \n\t#~*?!{}%[]:/,.+-=^@", "touch", "${IFS}", "é", "a", "7"]
)
pieces = st.lists(signs, max_size=8).map("".join)


@given(
    st.sampled_from(
        [
            "driflamme://{}/" + TOKEN,
            "driflamme://h{}/" + TOKEN,
            "driflamme://[fe80::1%{}]:4000/" + TOKEN,
            "driflamme://h,+[fe80::1%{}]/" + TOKEN,
            "driflamme://h/" + TOKEN + "{}",
            "{}driflamme join --insecure h",
            "driflamme join --insecure h{}",
            "driflamme join --insecure fe80::1%{}",
            "driflamme join --unix /{}",
            "driflamme join --unix {}",
            "{}",
        ]
    ),
    pieces,
)
def test_no_shell_does_more_with_an_invitation_than_to_read_words(form: str, piece: str) -> None:
    anew = written_anew(form.replace("{}", piece))
    words = shlex.split(anew)
    assert "\n" not in anew
    if anew.startswith("driflamme://"):
        assert anew == str(parse_invitation(anew))
        assert all(each.isalnum() or each in ":/,.+-_[]%" for each in anew)
    elif "--unix" in anew:
        assert words[:3] == ["driflamme", "join", "--unix"]
        # Text quoted by the standard library is one word in every shell.
        assert anew == f"driflamme join --unix {shlex.quote(words[3])}"
    elif anew:
        assert words[:3] == ["driflamme", "join", "--insecure"]
        assert all(each.isalnum() or each in " :.-_[]%" for each in anew)
