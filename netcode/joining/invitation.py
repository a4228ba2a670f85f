"""Formats and parses invitations: addresses of a table, the host's pin, and a secret in one line.

    driflamme://HOST[:PORT][,HOST[:PORT]...][,+HOST[:PORT]...]/TOKEN

All addresses lead to one machine, from inside or outside its home. Addresses after a + are relays,
which clients try later. A server is the host only if it has the pinned certificate.

The token contains the pin of the host's certificate and a secret of the table or server, in
base64url without padding. Anybody with the line can join, so it must not appear in logs or errors.
It needs no checksum: with a mistyped token no host is found, or the host refuses it.
"""

import re
import shlex
import string
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from engine.texts import ExplainedError, Text
from netcode.protocol.fields import SECRET_BYTES
from netcode.transport.address import Address, AddressError, parse_address, parse_addresses
from netcode.transport.certificate import PIN_BYTES

SCHEME: Final = "driflamme://"
"""The beginning of every invitation."""

TOKEN_LENGTH: Final = -(-(PIN_BYTES + SECRET_BYTES) * 8 // 6)
"""Number of characters of the token. Each character has six bits."""

INDIRECT: Final = "+"
"""The sign before the address of a relay, a machine that forwards to the host."""

MOST_INDIRECT: Final = 2
"""Maximum number of relay addresses in an invitation."""

JOIN: Final = "driflamme join"
"""The beginning of the command that joins a table."""

INSECURE: Final = "--insecure"
"""The option before the address of a table without encryption."""

UNIX: Final = "--unix"
"""The option before the path of a socket."""

_COMMAND: Final = re.compile(rf"\S*{JOIN} ({INSECURE}|{UNIX}) (.+)", re.ASCII)

_ALPHABET: Final = frozenset(string.ascii_letters + string.digits + "-_")

_SCHEME: Final = re.compile(re.escape(SCHEME), re.IGNORECASE | re.ASCII)

_AFTER: Final = "<>\"'`‹›«»“”„‘’()[]{},;.!/"
"""Characters that mail programs, chats and people add after a link, and that no token ends with."""


class InvitationError(ExplainedError):
    """Raised if a text is not an invitation.

    The error's sentence has the reason, and repeats no secret.
    """


@dataclass(frozen=True, slots=True)
class Invitation:
    """The place of a table, and the permission to join it.

    Raises ValueError for a pin or a secret of another length.
    """

    addresses: tuple[Address, ...]
    """The addresses of the host, most likely first."""
    pin: bytes
    """The pin of the host's certificate, of `PIN_BYTES` bytes."""
    secret: bytes = field(repr=False)
    """The secret for the Hello, of `SECRET_BYTES` bytes."""
    indirect: tuple[Address, ...] = ()
    """Addresses of relays, for guests who cannot reach the host directly."""

    @property
    def ways(self) -> tuple[Address, ...]:
        """All addresses in the order in which a client tries them."""
        return (*self.addresses, *self.indirect)

    def __post_init__(self) -> None:
        if len(self.pin) != PIN_BYTES or len(self.secret) != SECRET_BYTES:
            raise ValueError("a pin or a secret of another length")

    def __str__(self) -> str:
        """Return the line that `parse_invitation` parses to this invitation."""
        indirect = [f"{INDIRECT}{each.bracketed}" for each in self.indirect]
        where = ",".join([*(each.bracketed for each in self.addresses), *indirect])
        return f"{SCHEME}{where}/{link_token(self.pin + self.secret)}"


def link_token(secrets: bytes) -> str:
    """Return secrets as text for a link: base64url without padding."""
    return urlsafe_b64encode(secrets).rstrip(b"=").decode()


def is_invitation(text: str) -> bool:
    """Return True if a text contains the beginning of an invitation, which may be invalid."""
    return _SCHEME.search(_joined(text)) is not None


def parse_invitation(text: str) -> Invitation:
    """Parse an invitation within any text; raises InvitationError without a valid one."""
    pieces, text = text, _joined(text)
    scheme = _SCHEME.search(text)
    if scheme is None:
        raise InvitationError(
            "This is not an invitation: an invitation begins with driflamme://, then the host's"
            " address, a / and {length} letters and digits.",
            length=TOKEN_LENGTH,
        )
    where, slash, token = text[scheme.end() :].rstrip(_AFTER).partition("/")
    if not slash:
        raise InvitationError(
            "The invitation is cut off: after the host's address it has a / and {length} "
            "letters and digits. Copy all of it.",
            length=TOKEN_LENGTH,
        )
    if len(token) > TOKEN_LENGTH:
        before = len(text[: scheme.end()]) + len(where) + len(slash)
        token = _without_words(token, pieces, before + TOKEN_LENGTH)
    secrets = _decode(token)
    direct, *forwarding = where.split(f",{INDIRECT}")
    if len(forwarding) > MOST_INDIRECT:
        raise InvitationError("This invitation has too many addresses: ask the host for a new one.")
    try:
        addresses = parse_addresses(direct)
        indirect = tuple(map(parse_address, forwarding))
    except AddressError as error:
        raise InvitationError(error.template, **error.values) from None
    return Invitation(addresses, secrets[:PIN_BYTES], secrets[PIN_BYTES:], indirect)


def pin_of_link(text: str) -> bytes | None:
    """Return the pin in a link; None for any other text."""
    try:
        return parse_invitation(text).pin
    except InvitationError:
        return None


def written_anew(text: str) -> str:
    """Return the invitation in an untrusted text, in this program's own form.

    The result is a link, or the command that joins a table without encryption; "" for any other
    text. Texts from a host are shown, copied and pasted into shells, so they must contain nothing
    else.

    >>> written_anew("at home/driflamme join --insecure 192.168.1.20:4000")
    ''
    >>> written_anew("home/driflamme join --insecure 192.168.1.20:4000")
    'driflamme join --insecure 192.168.1.20:4000'
    """
    try:
        if text.casefold().startswith(SCHEME):
            return str(parse_invitation(text))
        command = _COMMAND.fullmatch(text)
        if command is None:
            return ""
        option, where = command.groups()
        if option == INSECURE:
            return f"{JOIN} {option} {parse_address(where)}"
        path = parse_path(where)
    except (InvitationError, AddressError, ValueError):
        return ""
    return f"{JOIN} {option} {shlex.quote(path)}"


def parse_path(text: str) -> str:
    """Return the path of a socket from typed text, without a shell's quotes.

    Raises ValueError unless it is a single absolute path of visible characters.
    """
    parts = shlex.split(text) if text.startswith(("'", '"')) else [text]
    if len(parts) != 1 or not parts[0].startswith("/") or not parts[0].isprintable():
        raise ValueError("no path of a socket")
    return parts[0]


def _joined(text: str) -> str:
    """Return a text without spaces, line breaks and invisible characters."""
    return "".join(sign for sign in text if sign.isprintable() and not sign.isspace())


def _without_words(token: str, pieces: str, end: int) -> str:
    """Return a token without the words after it, if a space or a punctuation mark comes between.

    Args:
        token: The token and all later text, without spaces.
        pieces: The whole text, with spaces.
        end: The number of characters up to the token's end, without spaces.
    """
    is_apart = token[TOKEN_LENGTH] in _AFTER
    seen = 0
    for sign, following in pairwise(pieces):
        seen += len(_joined(sign))
        if seen == end and not is_apart:
            is_apart = not _joined(following)
            break
    return token[:TOKEN_LENGTH] if is_apart else token


def _decode(token: str) -> bytes:
    for sign in token:
        if sign not in _ALPHABET:
            raise _misplaced(sign)
    if len(token) != TOKEN_LENGTH:
        cut_off: Text = (
            "The invitation is cut off: after the last / it has {there} of {length} characters. "
            "Copy all of it."
        )
        too_long: Text = (
            "The invitation is too long: after the last / it has {there} characters instead of "
            "{length}. Copy it alone, and once."
        )
        template = cut_off if len(token) < TOKEN_LENGTH else too_long
        raise InvitationError(template, there=len(token), length=TOKEN_LENGTH)
    secrets = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    if link_token(secrets) != token:
        # The token uses only two of the last character's six bits.
        raise _misplaced(token[-1])
    return secrets


def _misplaced(sign: str) -> InvitationError:
    return InvitationError(
        "The invitation has {sign!r} in a wrong place: copy it again.", sign=sign
    )
