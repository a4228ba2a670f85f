"""Tests this program by the vectors for other programs: whole games, and each refusal."""

import json
from base64 import b64encode
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from msgspec import msgpack

from engine.record import RecordError
from netcode.wings.sealed.game.cheat_proofs import leaf_hash, nonce_hash
from netcode.wings.sealed.game.dealing import Dealing
from netcode.wings.sealed.game.encoding import SealedError, digest, draw, pack, unpack
from netcode.wings.sealed.game.parcels import Parcel, is_weak, public_key
from netcode.wings.sealed.game.proven_record import join_logs, read_seal, verify_record
from netcode.wings.sealed.game.sealing import Sealing
from netcode.wings.sealed.game.six_digits import six_digits
from tests.wings.sealed.game.sealed_tables import SealedTable
from tests.wings.sealed.game.test_proven_record import verdicts


def read(name: str) -> Any:
    return json.loads((Path(__file__).parent / "vectors" / name).read_text())


def parcel(part: list[str]) -> Parcel:
    return Parcel(*map(bytes.fromhex, part))


def fields(value: Any) -> Any:
    """Return a body's values as JSON, with bytes in hexadecimal digits."""
    if isinstance(value, list):
        return [fields(each) for each in value]
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def seal(parts: list[list[str]]) -> str:
    """Return the field `seal` of a record whose proof has these parts."""
    return b64encode(msgpack.encode(["sealed", list(map(parcel, parts))])).decode()


def test_hashes_draws_keys_and_bodies() -> None:
    said = read("bodies.json")
    for each in said["hashes"]:
        assert digest(each["tag"], *map(bytes.fromhex, each["parts"])).hex() == each["digest"]
    for each in said["draws"]:
        assert draw(each["options"], each["tag"], bytes.fromhex(each["part"])) == each["drawn"]
    for each in said["keys"]:
        assert is_weak(bytes.fromhex(each["key"])) == each["is_weak"]
    kinds = set()
    for each in said["bodies"]:
        one = parcel(each["part"])
        assert pack(unpack(one.body)) == one.body
        assert fields(msgpack.decode(one.body)) == each["fields"]
        kinds.add(each["fields"][0])
        if each["secret_key"]:
            assert one.is_signed_by(public_key(bytes.fromhex(each["secret_key"])))
    assert len(kinds) == 10


def test_bodies_that_are_none() -> None:
    for each in read("bodies.json")["malformed"]:
        with pytest.raises(SealedError) as error:
            unpack(bytes.fromhex(each["body"]))
        assert error.value.code == "malformed", each["why"]


def test_a_deal() -> None:
    said = read("bodies.json")
    deal, gid = said["deal"], bytes.fromhex(said["deal"]["gid"])
    nonces = [bytes.fromhex(deal["nonces"][person]) for person in "012"]
    leaf, card, salt = deal["opening"]
    assert leaf_hash(gid, 0, (leaf, card, bytes.fromhex(salt))).hex() == deal["leaf"]
    assert nonce_hash(gid, 0, nonces[0]).hex() == deal["commitment"]
    dealing = Dealing(Sealing(parcel(said["bodies"][0]["part"]).body))
    ours = SealedTable(1)
    assert dealing.sealing.gid == ours.sealing.gid == gid
    assert [own.nonce for own in ours.people] == nonces
    for one in (*map(parcel, deal["seals"]), *ours.deals()):
        assert dealing.take(one).status == "taken"
    assert [dealing.seals_digest.hex(), dealing.genesis.hex()] == [deal["D"], deal["genesis"]]
    assert [list(dealing.aside(seat)) for seat in range(3)] == deal["asides"]
    assert (dealing.deal.first, six_digits(dealing.genesis)) == (deal["first"], deal["phrase"])


def test_records_that_are_refused_and_why() -> None:
    said = read("records.json")
    for parts in said["games"].values():
        read_seal(seal(parts))
    for each in said["refused"]:
        parts = said["games"][each["game"]][: each["first"]] + each["then"]
        with pytest.raises(RecordError) as error:
            read_seal(seal(parts))
        found = (error.value.values["code"], error.value.values["number"])
        assert found == (each["code"], len(parts)), each["why"]
    assert len(said["refused"]) > 50


def test_whole_lines_and_what_is_found() -> None:
    said = read("records.json")
    found: set[bool] = set()
    for each in said["lines"]:
        if isinstance(each["found"], str):
            with pytest.raises(RecordError) as error:
                verify_record(line(said, each))
            assert error.value.values == {"field": each["found"]}, each["why"]
        else:
            assert verdicts(verify_record(line(said, each))) == each["found"], each["why"]
        found.add(isinstance(each["found"], str))
    assert found == {True, False}


def test_files_with_two_lines_of_a_game() -> None:
    said = read("records.json")
    for each in said["files"]:
        logs = [verify_record(line(said, one)) for one in each["lines"]]
        assert not any(log.convictions for log in logs[1:])
        both = reduce(join_logs, logs)
        assert [list(one) for one in both.convictions] == each["convicted"], each["why"]
    assert said["files"]


def line(said: Any, each: Any) -> str:
    parts = said["games"][each["game"]][: each["first"]] + each["then"]
    return json.dumps(json.loads(each["fields"]) | {"seal": seal(parts)})
