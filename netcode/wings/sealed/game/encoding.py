"""Encodes hashed and signed bytes in one form: tagged hashes, unbiased draws, canonical bodies."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from itertools import combinations, count
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from msgspec import Meta, MsgspecError, Raw, Struct
from msgspec.msgpack import Decoder, Encoder

from engine.cards import CARDS, MAXIMUM_PLAYERS, MINIMUM_PLAYERS, SET_ASIDE
from engine.legal import Refusal
from netcode.protocol.fields import BotName, FamilyLetter, Name, checked
from netcode.wings.sealed.messages import MAX_BROKEN_DEALS

if TYPE_CHECKING:
    from hashlib import _Hash

LEAF_COUNT: Final = len(CARDS)
"""Number of leaves of a seat, one for each card of its family."""

SUBSETS: Final = tuple(combinations(range(LEAF_COUNT), SET_ASIDE))
"""All choices of leaves to set aside; the order is part of the specification."""

_DOMAIN: Final = b"driflamme sealed 1"
"""The first part of every hashed text."""


class SealedError(ValueError):
    """A refusal of sealed play; `code` is a code of the specification."""

    def __init__(self, code: str, why: Refusal | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.why = why
        """The refusal by the rules of the game, if the code is `illegal`."""


def digest(tag: str, *parts: bytes) -> bytes:
    """Return the SHA-256 of the parts, each after its length, under a tag that names their use.

    >>> digest("game", bytes.fromhex("93010203")).hex()[:16]
    '31bbdf74bdb79eb1'
    """
    hashed = _begun(tag).copy()
    for part in parts:
        hashed.update(len(part).to_bytes(4, "big") + part)
    return hashed.digest()


@cache
def _begun(tag: str) -> "_Hash":
    """Return a hash object that has hashed a tag. A tag must be a constant of this program."""
    begun = (_DOMAIN, tag.encode("ascii"))
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in begun))


def one_byte(number: int) -> bytes:
    """Return the number of a seat, a person or a leaf as one byte."""
    return number.to_bytes(1, "big")


def draw(options: int, tag: str, *parts: bytes) -> int:
    """Return a number below `options`; all numbers are equally likely if the parts are random."""
    most = 256 - 256 % options
    return next(
        byte % options
        for counter in count()
        for byte in digest(tag, *parts, counter.to_bytes(4, "big"))
        if byte < most
    )


Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
"""Type of a hash, a nonce, a salt and a public key."""

Number = Annotated[int, Meta(ge=0, le=2**32 - 1)]
"""Type of a number in a log, and of Unix seconds."""

Step = Annotated[int, Meta(ge=1, le=2**32 - 1)]
"""Type of a step's number; the first step is 1."""

Index = Annotated[int, Meta(ge=0, le=MAXIMUM_PLAYERS - 1)]
"""Type of a seat and of a person."""

CardLetter = Annotated[str, Meta(pattern=rf"^[{CARDS}]\Z")]
"""Type of an opened card."""

Leaf = Annotated[int, Meta(ge=0, le=LEAF_COUNT - 1)]
"""Type of a leaf's number within its seat."""

Leaves = Annotated[tuple[Hash, ...], Meta(min_length=LEAF_COUNT, max_length=LEAF_COUNT)]
"""Type of the seal of one seat."""

Openings = Annotated[
    tuple[tuple[CardLetter, Hash], ...], Meta(min_length=LEAF_COUNT, max_length=LEAF_COUNT)
]
"""Type of all openings of one seat at the end: card and salt by leaf."""


class Body(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of all bodies: an array of the kind and all fields, in order."""


class Seat(Body, frozen=True):
    """A seat of a sealing."""

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
    """The first player; None if the player is drawn."""
    persons: Annotated[tuple[Person, ...], Meta(min_length=1, max_length=MAXIMUM_PLAYERS)]
    broken: Annotated[tuple[Hash, ...], Meta(max_length=MAX_BROKEN_DEALS)]
    """The deals that were broken off since the table's last game began."""


class SealBody(Body, frozen=True, tag="seal"):
    """The hashes of one person's hidden cards and nonce."""

    gid: Hash
    person: Index
    leaves: Annotated[tuple[Leaves, ...], Meta(min_length=1, max_length=MAXIMUM_PLAYERS)]
    nonce_commit: Hash


class DealBody(Body, frozen=True, tag="deal"):
    """One person's nonce, which they reveal after all seals have come."""

    gid: Hash
    person: Index
    seals: Hash
    nonce: Hash


class EntryBody(Body, frozen=True, tag="entry"):
    """A step of the log; the shape of `content` depends on `what`."""

    gid: Hash
    n: Step
    prev: Hash
    seat: Index
    what: str
    content: tuple[Any, ...]


class MissingBody(Body, frozen=True, tag="missing"):
    """A vote that step `n` has not come."""

    gid: Hash
    n: Step
    prev: Hash
    person: Index


class SeenBody(Body, frozen=True, tag="seen"):
    """A vote that step `n` has come, with its tip."""

    gid: Hash
    n: Step
    prev: Hash
    tip: Hash
    person: Index


class EndBody(Body, frozen=True, tag="end"):
    """One person's openings of all their cards, after the last step."""

    gid: Hash
    n: Number
    tip: Hash
    person: Index
    time: Number
    openings: Annotated[tuple[Openings, ...], Meta(min_length=1, max_length=MAXIMUM_PLAYERS)]


class ProofBody(Body, frozen=True, tag="proof"):
    """The signed parcels that convict one person, and the reason."""

    reason: str
    parcels: Annotated[tuple[tuple[bytes, bytes], ...], Meta(min_length=2, max_length=3)]


class LoginBody(Body, frozen=True, tag="login"):
    """A person's proof of identity for a relaying host, with its challenge and certificate."""

    gid: Hash
    person: Index
    challenge: Hash
    pin: Hash
    """The SHA-256 of the host's certificate, as the person received it."""


class AddressBody(Body, frozen=True, tag="relay"):
    """The addresses of a person's program, for the others, and the time since which it relays."""

    gid: Hash
    person: Index
    pin: Hash
    """The SHA-256 of the program's certificate."""
    time: Number
    """The time of the signature, in Unix seconds; the latest body is valid."""
    began: Number
    """The time since which the program relays the table, in Unix seconds; 0 if it does not."""
    addresses: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=64)], ...], Meta(max_length=8)
    ]
    """The addresses, each a host and a port in the form of an invitation."""
    follows: Index | None = None
    """The person whose later relay this program follows while it relays too; None if nobody."""


def is_address(body: bytes) -> bool:
    """Return True if a body has the kind of an `AddressBody`, valid or not."""
    # A body begins with the length of its array; then its kind follows, after the kind's length.
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
"""Every kind of body."""

Opening: TypeAlias = tuple[Leaf, CardLetter, Hash]
"""Type of the content of a `reveal` and an `open`: leaf, card and salt."""

_CONTENTS: Final[dict[str, Any]] = {
    "act": tuple[Annotated[str, Meta(max_length=8)]],
    "reveal": Opening,
    "open": Opening,
    "default": tuple[()],
}
"""Types of an entry's `content`, by its `what`."""

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
"""Skips a value without decoding it, so that the announced length of an array costs no memory."""

pack: Final[Callable[[AnyBody], bytes]] = Encoder().encode
"""Encodes a body in its canonical form."""


def unpack(body: bytes) -> AnyBody:
    """Decode canonical bytes. Raises SealedError `malformed` for all others."""
    if len(body) > _BOUND:
        raise SealedError("malformed")
    try:
        _pass_over(body)
        said = _decode(body)
        if isinstance(said, EntryBody):
            checked(said.content, _CONTENTS[said.what])
    except (MsgspecError, ValueError, KeyError, RecursionError):
        raise SealedError("malformed") from None
    if len(body) > _MOST_BYTES[type(said)] or pack(said) != body:
        raise SealedError("malformed")
    return said
