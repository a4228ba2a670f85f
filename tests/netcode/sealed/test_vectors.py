"""The vectors for other programs: this one agrees with each, and makes the same today."""

import json
from typing import Any

import pytest

from engine.record import RecordError
from netcode.sealed.encoding import digest, draw, pack, unpack
from netcode.sealed.parcels import Parcel, is_signed, is_weak, public_key
from netcode.sealed.proof_file import read_seal
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
