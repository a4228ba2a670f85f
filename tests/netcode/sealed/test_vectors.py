"""The vectors for other programs: this one agrees with each, and makes the same today."""

import json
from functools import reduce
from typing import Any

import pytest

from engine.record import RecordError
from netcode.sealed.encoding import digest, draw, pack, unpack
from netcode.sealed.parcels import Parcel, is_signed, is_weak, public_key
from netcode.sealed.proof_file import joined, read_seal, verified
from tests.netcode.sealed.test_proof_file import verdicts
from tests.netcode.sealed.vectors.make import FILES, FOLDER, fields, seal, written


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text())


@pytest.mark.parametrize("name", FILES)
def test_the_vectors_are_those_that_are_made_today(name: str) -> None:
    assert (FOLDER / name).read_text() == written(name)


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
        parcel = Parcel(*map(bytes.fromhex, each["part"]))
        assert pack(unpack(parcel.body)) == parcel.body
        assert fields(parcel.body) == each["fields"]
        kinds.add(each["fields"][0])
        if each["secret_key"]:
            assert is_signed(public_key(bytes.fromhex(each["secret_key"])), parcel)
    assert len(kinds) == 10


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
                verified(line(said, each))
            assert error.value.values == {"field": each["found"]}, each["why"]
        else:
            assert verdicts(verified(line(said, each))) == each["found"], each["why"]
        found.add(isinstance(each["found"], str))
    assert found == {True, False}


def test_files_with_two_lines_of_a_game() -> None:
    said = read("records.json")
    for each in said["files"]:
        logs = [verified(line(said, one)) for one in each["lines"]]
        assert not any(log.convictions for log in logs[1:])
        both = reduce(joined, logs)
        assert [list(one) for one in both.convictions] == each["convicted"], each["why"]
    assert said["files"]


def line(said: Any, each: Any) -> str:
    parts = said["games"][each["game"]][: each["first"]] + each["then"]
    return json.dumps(json.loads(each["fields"]) | {"seal": seal(parts)})
