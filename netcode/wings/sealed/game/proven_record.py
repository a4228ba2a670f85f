"""Makes and checks records of sealed games.

Everything in a record follows from its signed parcels.
"""

import json
from base64 import b64decode, b64encode
from contextlib import suppress
from statistics import median_low
from typing import Any, Final, Literal

from msgspec import MsgspecError
from msgspec.msgpack import Decoder, Encoder

from engine.actions import Action, Place
from engine.cards import LEAVES, UNKNOWN, Card, Seat, in_order
from engine.record import INSTEAD, SETTING_LENGTH, Record, RecordedPlayer, RecordError
from engine.texts import Text
from netcode.wings.sealed.game.cheat_proofs import FREEZING, all_fit, openings_of
from netcode.wings.sealed.game.dealing import Dealing
from netcode.wings.sealed.game.encoding import (
    EndBody,
    EntryBody,
    MissingBody,
    ProofBody,
    SealedError,
)
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.sealing import Sealing

_Seal = tuple[Literal["sealed"], tuple[tuple[bytes, bytes], ...]]
_pack: Final = Encoder().encode
_read: Final = Decoder(_Seal).decode

_NO_PROOF: Final[Text] = (
    "The proof of the record cannot be read: ask another player for the record."
)
_REFUSED: Final[Text] = (
    "Part {number} of the record's proof, {what}, is wrong ({code}): ask "
    "another player for the record."
)


def known_cards(log: SealedLog) -> dict[Seat, str]:
    """Return the cards that everybody knows, by seat: a card for each leaf, or `UNKNOWN`.

    With these cards `engine.leaf_game.named_game` computes the gains of owed cards at the end.
    """
    cards = [[UNKNOWN] * len(LEAVES) for _ in log.sealing.owners]
    opened = [pair for entry in log.entries for pair in openings_of(entry.decoded, ())]
    for late in (parcel.decoded for parcel in log.late.values()):
        author = log.sealing.author(late)
        # A late parcel was not checked when it came, so check its card now.
        assert isinstance(late, EntryBody)
        assert author is not None
        if all_fit(log.sealing, log.dealing.seals[author], late):
            opened += openings_of(late, ())
    for person, end in log.ends.items():
        # Skip a cheater's openings: a cheater is ranked last, like a person who has not opened all
        # cards.
        if isinstance(end.decoded, EndBody) and person not in log.cheated:
            opened += openings_of(end.decoded, log.sealing.decoded.persons[person].seats)
    for seat, (leaf, card, _) in opened:
        if card not in cards[seat]:
            cards[seat][leaf] = card
    return {seat: "".join(letters) for seat, letters in enumerate(cards)}


def sealed_record(log: SealedLog) -> Record:
    """Return the record of a game, as far as the log goes."""
    body, deal, known = log.sealing.decoded, log.dealing.deal, known_cards(log)
    unopened = [""] * len(body.seats)
    """The leaves of each seat that were eliminated, but not opened before a default replaced the
    opening.
    """
    for entry in log.entries:
        if entry.author is None and entry.due.struck and entry.due.opening is not None:
            unopened[entry.due.seat] += LEAVES[entry.due.opening[1]]
    late: dict[str, dict[Card, Card]] = {}
    names = []
    for seat, family in enumerate(deal.families):
        cards = dict(zip(LEAVES, known[seat], strict=True))
        named = {leaf: card for leaf, card in cards.items() if card != UNKNOWN}
        opened = {leaf: named.pop(leaf) for leaf in in_order(unopened[seat]) if leaf in named}
        if opened:
            late[family] = opened
        names.append(str.maketrans(named))
    return Record(
        deal._replace(
            hands=tuple(map(_named, deal.hands, names)),
            aside=tuple(map(_named, deal.aside, names)),
        ),
        tuple(
            _named_token(entry.action, names[entry.due.seat])
            for entry in log.entries
            if entry.action is not None
        ),
        {name: value for name, value in body.settings if name != "edition"},
        tuple(RecordedPlayer(seat.family, seat.name, seat.bot) for seat in body.seats),
        body.began,
        _ended(log),
        seal_of(log),
        late,
    )


def _named(leaves: str, names: dict[int, str]) -> str:
    return in_order(leaves.translate(names))


def _ended(log: SealedLog) -> int | None:
    """Return the Unix time of the end: the median of the signed times, as one person can sign any.

    Returns None if nobody has signed the end.
    """
    ends = [parcel.decoded for parcel in log.ends.values()]
    times = [end.time for end in ends if isinstance(end, EndBody)]
    return max(median_low(times), log.sealing.decoded.began) if times else None


def _named_token(action: Action, names: dict[int, str]) -> str:
    """Return the token of an action in a record."""
    if isinstance(action, Place):
        return action.card.translate(names) + action.token[1:]
    return action.token


def seal_of(log: SealedLog) -> str:
    """Return all parcels that prove a game, in order, in the text form of a record."""
    return b64encode(_pack(("sealed", (*_course(log), *sorted(log.proofs))))).decode()


def _course(log: SealedLog) -> list[Parcel]:
    """Return all parcels of a game's record in order, except the proofs against persons."""
    parcels = log.dealing.in_order()
    for entry in log.entries:
        n = entry.decoded.n
        if entry.author is None:
            parcels += log.certificate(entry.decoded)
        parcels.append(entry.parcel)
        if n in log.late:
            parcels.append(log.late[n])
    return parcels + [log.ends[person] for person in sorted(log.ends)]


def sealing_of(seal: str) -> Sealing:
    """Return the sealing in a proof, without checking the other parcels.

    Raises RecordError if the proof or the sealing cannot be read.
    """
    try:
        return Sealing(_parcels(seal)[0].body)
    except (SealedError, IndexError):
        raise RecordError(_NO_PROOF) from None


def has_fork(seal: str) -> bool:
    """Return True if the seal of a record contains a proof that froze the game (`FREEZING`).

    That proof is not checked. Raises RecordError if the seal cannot be read.
    """
    with suppress(SealedError):
        unsigned = [each.decoded for each in _parcels(seal) if not each.signature]
        return any(isinstance(each, ProofBody) and each.reason in FREEZING for each in unsigned)
    return False


def _parcels(seal: str) -> list[Parcel]:
    try:
        packed = b64decode(seal, validate=True)
        body = _read(packed)
    except (ValueError, MsgspecError):
        raise RecordError(_NO_PROOF) from None
    if _pack(body) != packed or b64encode(packed).decode() != seal:
        raise RecordError(_NO_PROOF)
    return [Parcel(*parcel) for parcel in body[1]]


def read_seal(seal: str) -> SealedLog:
    """Return the log of a record's parcels after checking all of them.

    Raises RecordError for a parcel that is unreadable, refused or superfluous, and for an
    incomplete deal.
    """
    log: SealedLog | None = None
    dealing: Dealing | None = None
    for number, parcel in enumerate(_parcels(seal), 1):
        try:
            if dealing is None:
                if parcel.signature:
                    raise SealedError("bad_sealing")
                dealing = Dealing(Sealing(parcel.body))
                continue
            outcome = dealing.take(parcel) if log is None else log.take(parcel)
            if outcome.status != "taken" and outcome.code != "late":
                raise SealedError(outcome.code or "superfluous")
        except SealedError as error:
            raise RecordError(
                _REFUSED, number=number, what=_what(parcel), code=error.code
            ) from None
        if log is None and dealing.is_dealt:
            log = SealedLog(dealing, goes_back=False)
    if log is None:
        raise RecordError(_NO_PROOF)
    return log


def _what(parcel: Parcel) -> str:
    """Return the kind of a parcel, and for an entry or a vote the number of its step.

    The kind is that of the specification, or "?" if the parcel cannot be decoded.
    """
    try:
        body = parcel.decoded
    except SealedError:
        return "?"
    kind = str(type(body).__struct_config__.tag)
    return f"{kind} {body.n}" if isinstance(body, EntryBody | MissingBody) else kind


def merge_records(one: Record, other: Record) -> Record:
    """Merge two holders' records of the same sealed game. Both must have a proof.

    Raises RecordError if a proof is invalid.
    """
    assert one.seal is not None
    assert other.seal is not None
    if one.seal == other.seal:
        return one
    return sealed_record(join_logs(read_seal(one.seal), read_seal(other.seal)))


def join_logs(one: SealedLog, other: SealedLog) -> SealedLog:
    """Merge two holders' logs of a game; their order does not matter.

    A log whose end everybody has signed wins over a longer one.
    """
    logs = sorted((one, other), key=_standing, reverse=True)
    first, second = map(_course, logs)
    log = SealedLog(logs[0].dealing)
    for parcel in first:
        log.take(parcel)
    # Take replaced answers again, so that the log stores them as late ones.
    for parcel in (*second, *first, *sorted({*one.proofs, *other.proofs})):
        log.take(parcel)
    return log


def _standing(log: SealedLog) -> tuple[bool, int, bytes]:
    return log.is_done, log.height, log.tip


def is_other_course(one: SealedLog, other: SealedLog) -> bool:
    """Return True if two logs of a game have different steps."""
    n = min(one.height, other.height)
    return one.tip_of(n) != other.tip_of(n)


def verify_record(line: str) -> SealedLog:
    """Return the log of a record after checking that the record agrees with its proof.

    Raises RecordError without a valid proof, and if the record contradicts the proof. The log's
    `verdict` gives the result of each seat. The field `own` of an exported line is not proven.
    """
    record = Record.from_json(line)
    if record.seal is None:
        raise RecordError(
            "Choose a sealed game: this one was not sealed, so nothing of it can be proven."
        )
    log = read_seal(record.seal)
    written = json.loads(line)
    fields, right = written | _fields(record), _fields(sealed_record(log))
    for player, shown, signed in zip(
        written.get("players") or (), fields.get("players") or (), right["players"], strict=False
    ):
        shown["name"] = _read_name(player["name"], signed["name"])
    outcome = "cheated" if log.frozen in FREEZING else "abandoned"
    right["outcome"] = "finished" if log.game.over else outcome
    for field in {**right, **fields}:
        is_left_out = field == "own" or (field == "outcome" and fields.get(field) is None)
        if not is_left_out and _canonical(fields.get(field)) != _canonical(right.get(field)):
            raise RecordError(
                "The field {field!r} of the record is not what its proof says: ask another "
                "player for the record.",
                field=field[:SETTING_LENGTH],
            )
    return log


def _fields(record: Record) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(record.to_json())
    return fields


def _read_name(written: str, signed: str) -> str:
    """Return the signed name if the written one differs only by replaced characters.

    A program replaces characters that it cannot print. These depend on the program's version of
    Unicode, so any character may have been replaced.
    """
    is_same = len(written) == len(signed) and all(
        sign in (right, INSTEAD) for sign, right in zip(written, signed, strict=True)
    )
    return signed if is_same else written


def _canonical(value: object) -> str:
    """Return JSON text that is equal only for equal values. In Python itself, True equals 1."""
    return json.dumps(value, sort_keys=True)
