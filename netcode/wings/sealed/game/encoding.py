"""Encodes all hashed and signed bytes: tagged hashes, unbiased draws, canonical bodies."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from itertools import combinations, count
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from msgspec import Meta, MsgspecError, Raw, Struct
from msgspec.msgpack import Decoder, Encoder

from engine.cards import CARDS, MAXIMUM_PLAYERS, MINIMUM_PLAYERS, SET_ASIDE
from engine.legal import Refusal
from netcode.protocol.fields import BotName, FamilyLetter, Name, checked_struct
from netcode.wings.sealed.messages import MAX_BROKEN_DEALS

if TYPE_CHECKING:
    from hashlib import _Hash

LEAF_COUNT: Final = len(CARDS)
"""Number of leaves of a seat, one for each card of its family."""

SUBSETS: Final = tuple(combinations(range(LEAF_COUNT), SET_ASIDE))
"""All possible sets of leaves that are set aside. Their order is part of the specification."""

_DOMAIN: Final = b"driflamme sealed 1"
"""The first part of every hashed text."""


class SealedError(ValueError):
    """Raised for a refusal in sealed play; `code` is a code of the specification."""

    def __init__(self, code: str, why: Refusal | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.why = why
        """The refusal by the rules of the game if the code is `illegal`; otherwise None."""


def digest(tag: str, *parts: bytes) -> bytes:
    """Return the SHA-256 of a tag and parts.

    Each part follows its length. The tag names the use of the hash.

    >>> digest("game", bytes.fromhex("93010203")).hex()[:16]
    '31bbdf74bdb79eb1'
    """
    hashed = _begun(tag).copy()
    for part in parts:
        hashed.update(len(part).to_bytes(4, "big") + part)
    return hashed.digest()


@cache
def _begun(tag: str) -> "_Hash":
    """Return a hash object that has hashed a tag. It is cached, so a tag must be a constant."""
    begun = (_DOMAIN, tag.encode("ascii"))
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in begun))


def one_byte(number: int) -> bytes:
    """Return the number of a seat, a person or a leaf as one byte."""
    return number.to_bytes(1, "big")


def draw(options: int, tag: str, *parts: bytes) -> int:
    """Return a number below `options`, which is at most 256.

    If the parts are random, all numbers are equally likely.
    """
    most = 256 - 256 % options
    return next(
        byte % options
        for counter in count()
        for byte in digest(tag, *parts, counter.to_bytes(4, "big"))
        if byte < most
    )


Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
"""A hash, a nonce, a salt or a public key."""

Number = Annotated[int, Meta(ge=0, le=2**32 - 1)]
"""A number in a log, or a time in Unix seconds."""

Step = Annotated[int, Meta(ge=1, le=2**32 - 1)]
"""The number of a step; the first step is 1."""

Index = Annotated[int, Meta(ge=0, le=MAXIMUM_PLAYERS - 1)]
"""The index of a seat or person."""

CardLetter = Annotated[str, Meta(pattern=rf"^[{CARDS}]\Z")]
"""The letter of an opened card."""

Leaf = Annotated[int, Meta(ge=0, le=LEAF_COUNT - 1)]
"""The number of a leaf within its seat."""

Leaves = Annotated[tuple[Hash, ...], Meta(min_length=LEAF_COUNT, max_length=LEAF_COUNT)]
"""The sealed leaves of one seat: a hash for each."""

Openings = Annotated[
    tuple[tuple[CardLetter, Hash], ...], Meta(min_length=LEAF_COUNT, max_length=LEAF_COUNT)
]
"""All openings of one seat at the end of a game: card and salt of each leaf."""


class Body(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The base class of all bodies: an array of the kind and then all fields, in order."""


class Seat(Body, frozen=True):
    """A seat in a sealing."""

    family: FamilyLetter
    name: Name
    bot: BotName | None


class Person(Body, frozen=True):
    """An owner of seats, with their public key and their seats in ascending order."""

    key: Hash
    seats: Annotated[tuple[Index, ...], Meta(min_length=1, max_length=MAXIMUM_PLAYERS)]


class SealingBody(Body, frozen=True, tag="sealing"):
    """The base of a game: table, settings, seats and keys. Its hash is the game's `gid`."""

    version: Number
    rules: Number
    table: Annotated[bytes, Meta(min_length=16, max_length=16)]
    game: Annotated[int, Meta(ge=1, le=2**16 - 1)]
    began: Number
    settings: Annotated[
        tuple[tuple[Annotated[str, Meta(max_length=40)], str | int | bool], ...],
        Meta(max_length=40),
    ]
    seats: Annotated[tuple[Seat, ...], Meta(min_length=MINIMUM_PLAYERS, max_length=MAXIMUM_PLAYERS)]
    first: Index | None
    """The first player; None if the deal draws the first player."""
    persons: Annotated[tuple[Person, ...], Meta(min_length=1, max_length=MAXIMUM_PLAYERS)]
    broken: Annotated[tuple[Hash, ...], Meta(max_length=MAX_BROKEN_DEALS)]
    """The incomplete deals since the table's last game began."""


class SealBody(Body, frozen=True, tag="seal"):
    """A person's commitment: the hashes of their hidden cards and their nonce."""

    gid: Hash
    person: Index
    leaves: Annotated[tuple[Leaves, ...], Meta(min_length=1, max_length=MAXIMUM_PLAYERS)]
    nonce_commit: Hash


class DealBody(Body, frozen=True, tag="deal"):
    """A person's nonce. They reveal it after all seals have come."""

    gid: Hash
    person: Index
    seals: Hash
    nonce: Hash


class EntryBody(Body, frozen=True, tag="entry"):
    """A step of the log. `what` decides the form of `content`."""

    gid: Hash
    n: Step
    prev: Hash
    seat: Index
    what: str
    content: tuple[Any, ...]


class MissingBody(Body, frozen=True, tag="missing"):
    """A vote that step `n` is missing."""

    gid: Hash
    n: Step
    prev: Hash
    person: Index


class SeenBody(Body, frozen=True, tag="seen"):
    """A vote that step `n` has come; it contains the step's tip."""

    gid: Hash
    n: Step
    prev: Hash
    tip: Hash
    person: Index


class EndBody(Body, frozen=True, tag="end"):
    """A person's openings of all their cards, after the last step."""

    gid: Hash
    n: Number
    tip: Hash
    person: Index
    time: Number
    openings: Annotated[tuple[Openings, ...], Meta(min_length=1, max_length=MAXIMUM_PLAYERS)]


class ProofBody(Body, frozen=True, tag="proof"):
    """A proof: the signed parcels that convict one person, and the reason."""

    reason: str
    parcels: Annotated[tuple[tuple[bytes, bytes], ...], Meta(min_length=2, max_length=3)]


class LoginBody(Body, frozen=True, tag="login"):
    """A person's proof of identity for a host that has taken over a table.

    It contains the host's challenge and certificate.
    """

    gid: Hash
    person: Index
    challenge: Hash
    pin: Hash
    """The SHA-256 of the host's certificate, as the person received it."""


class AddressBody(Body, frozen=True, tag="relay"):
    """The addresses of a person's program, for the other programs."""

    gid: Hash
    person: Index
    pin: Hash
    """The SHA-256 of the certificate of the person's program."""
    time: Number
    """The time of the signature, in Unix seconds. The latest body replaces earlier ones."""
    began: Number
    """The time at which the program took over the table, in Unix seconds; 0 if it has not."""
    addresses: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=64)], ...], Meta(max_length=8)
    ]
    """The addresses, each a host and a port as in an invitation."""
    follows: Index | None = None
    """The person whose later takeover the program follows while it also hosts; None if there is
    none.
    """


def is_address(body: bytes) -> bool:
    """Return True if a body begins like an `AddressBody`. The rest is not checked."""
    # A body begins with the length of its array. The length of its kind and the kind follow.
    return body[1:7] == b"\xa5relay"


AnyBody: TypeAlias = (
    SealingBody
    | SealBody
    | DealBody
    | EntryBody
    | MissingBody
    | SeenBody
    | EndBody
    | ProofBody
    | LoginBody
    | AddressBody
)
"""A decoded body of any kind."""

Opening: TypeAlias = tuple[Leaf, CardLetter, Hash]
"""The content of a `reveal` or an `open`: leaf, card and salt."""

_CONTENTS: Final[dict[str, Any]] = {
    "act": tuple[Annotated[str, Meta(max_length=8)]],
    "reveal": Opening,
    "open": Opening,
    "default": tuple[()],
}
"""The type of an entry's `content`, by its `what`."""

_MOST_BYTES: Final[dict[type[AnyBody], int]] = {
    SealingBody: 6144,
    SealBody: 2048,
    DealBody: 256,
    EntryBody: 256,
    MissingBody: 128,
    SeenBody: 192,
    EndBody: 2048,
    ProofBody: 8192,
    LoginBody: 192,
    AddressBody: 640,
}

_BOUND: Final = max(_MOST_BYTES.values())

_decode: Final[Callable[[bytes], AnyBody]] = Decoder(AnyBody).decode
_pass_over: Final = Decoder(Raw).decode
"""Skips a value without creating objects, so that an announced long array costs no memory."""

pack: Final[Callable[[AnyBody], bytes]] = Encoder().encode
"""Encodes a body in its canonical form."""


def unpack(body: bytes) -> AnyBody:
    """Decode a body. Raises SealedError `malformed` if the bytes are not in canonical form."""
    if len(body) > _BOUND:
        raise SealedError("malformed")
    try:
        _pass_over(body)
        decoded = _decode(body)
        if isinstance(decoded, EntryBody):
            checked_struct(decoded.content, _CONTENTS[decoded.what])
    except (MsgspecError, ValueError, KeyError, RecursionError):
        raise SealedError("malformed") from None
    if len(body) > _MOST_BYTES[type(decoded)] or pack(decoded) != body:
        raise SealedError("malformed")
    return decoded
