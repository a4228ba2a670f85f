"""Tests a host's certificate, and that clients send nothing to a host with another one."""

import asyncio
import os
import ssl
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from cryptography import x509

from netcode.transport import certificate
from netcode.transport.certificate import (
    FILE,
    PIN_BYTES,
    CertificateError,
    Identity,
    WrongCertificateError,
    client_context,
    load_identity,
    pin_of,
)
from tests.support.garbage import collect_garbage
from tests.support.servers import make_identity

HOST = "127.0.0.1"


@pytest.fixture(scope="module")
def identity() -> Identity:
    return make_identity()


@pytest.fixture(scope="module")
def other() -> Identity:
    return make_identity()


async def received_after_handshake(
    server: Identity, visit: Callable[[int], Awaitable[None]]
) -> tuple[bool, bytes]:
    """Return True if a visitor completed the handshake, and the bytes that it sent afterwards.

    Errors that the event loop would only log fail the test.
    """
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda *what: complaints.append(what))
    reached = False
    heard = bytearray()
    ended = asyncio.Event()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal reached
        reached = True
        try:
            while data := await reader.read(1000):
                heard.extend(data)
                writer.write(b"heard")
        except OSError:
            pass
        finally:
            writer.close()
            ended.set()

    async with await asyncio.start_server(listen, HOST, 0, ssl=server.context) as listening:
        await visit(listening.sockets[0].getsockname()[1])
        if reached:
            await ended.wait()
    # Collect garbage: some exceptions are reported only at that moment.
    collect_garbage()
    await asyncio.sleep(0)
    assert complaints == []
    return reached, bytes(heard)


async def send_hello(port: int, context: ssl.SSLContext) -> None:
    reader, writer = await asyncio.open_connection(HOST, port, ssl=context)
    writer.write(b"hello")
    assert await reader.readexactly(5) == b"heard"
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize("pinned", [True, False])
async def test_with_the_right_pin_or_none_one_may_speak(identity: Identity, pinned: bool) -> None:
    context = client_context(identity.pin if pinned else None)
    heard = await received_after_handshake(identity, lambda port: send_hello(port, context))
    assert heard == (True, b"hello")


async def test_a_wrong_certificate_hears_not_one_byte(identity: Identity, other: Identity) -> None:
    async def visit(port: int) -> None:
        with pytest.raises(WrongCertificateError):
            await send_hello(port, client_context(identity.pin))

    assert await received_after_handshake(other, visit) == (False, b"")


def shake_hands(client: ssl.SSLContext, host: ssl.SSLContext) -> int:
    """Shake hands in memory; return the number of bytes that the host sends first."""
    to_host, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_host),
        host.wrap_bio(to_host, to_client, server_side=True),
    ]
    for _ in range(3):
        for end in ends:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
    assert [end.version() for end in ends] == ["TLSv1.3"] * 2
    return to_client.pending


@pytest.mark.parametrize("side", ["client", "host"])
def test_nothing_older_than_tls_1_3_is_spoken(identity: Identity, side: str) -> None:
    client, host = client_context(None), identity.context
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT if side == "client" else ssl.PROTOCOL_TLS_SERVER)
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    old.check_hostname = False
    old.verify_mode = ssl.CERT_NONE
    with pytest.raises(ssl.SSLError, match=r"(?i)version|protocol"):
        shake_hands(*((old, host) if side == "client" else (client, old)))


def test_a_host_gives_out_no_session_tickets(identity: Identity) -> None:
    assert shake_hands(client_context(identity.pin), identity.context) == 0


def test_a_pin_is_the_beginning_of_the_hash_of_the_certificate(identity: Identity) -> None:
    assert identity.pin == pin_of(identity.certificate)
    assert identity.pin == sha256(identity.certificate).digest()[:PIN_BYTES]
    assert len(identity.pin) == PIN_BYTES == 16


def test_a_certificate_tells_nothing_of_person_machine_or_time(identity: Identity) -> None:
    read = x509.load_der_x509_certificate(identity.certificate)
    assert read.subject.rfc4514_string() == read.issuer.rfc4514_string() == "CN=driflamme"
    assert list(read.extensions) == []
    assert (read.not_valid_before_utc.year, read.not_valid_after_utc.year) == (2000, 9999)


def test_an_identity_is_made_once_and_stays(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "driflamme"
    first = load_identity(folder)
    assert load_identity(folder) == first
    assert [each.name for each in folder.iterdir()] == [FILE]


def test_the_key_is_for_its_owner_alone_from_the_first_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    sync = os.fsync

    def watched(handle: int) -> None:
        written.append(os.fstat(handle).st_mode & 0o777)
        sync(handle)

    monkeypatch.setattr(os, "fsync", watched)
    folder = tmp_path / "data"
    before = os.umask(0)
    try:
        load_identity(folder)
    finally:
        os.umask(before)
    assert written == [0o600, 0o700]
    assert (folder / FILE).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_key_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    first = load_identity(tmp_path)
    (tmp_path / FILE).chmod(0o644)
    assert load_identity(tmp_path) == first
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_programs_that_start_at_once_have_the_same_identity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one program makes its certificate, another makes, stores and loads its own."""
    make = certificate._make
    others: list[Identity] = []

    def make_slowly() -> bytes:
        if not others:
            monkeypatch.setattr(certificate, "_make", make)
            others.append(load_identity(tmp_path))
        return make()

    monkeypatch.setattr(certificate, "_make", make_slowly)
    assert [load_identity(tmp_path)] == others
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


def test_a_folder_without_hard_links_keeps_an_identity_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(source: str, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    first = load_identity(tmp_path)
    assert load_identity(tmp_path) == first
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


def refusal(folder: Path) -> str:
    before = {each: each.read_bytes() for each in folder.glob("*.pem")}
    with pytest.raises(CertificateError) as caught:
        load_identity(folder)
    assert {each: each.read_bytes() for each in folder.glob("*.pem")} == before
    sentence = caught.value.sentence()
    assert "PRIVATE" not in sentence
    return sentence


KEY = b"-----BEGIN PRIVATE"


def with_another_key(content: bytes) -> bytes:
    return content.partition(KEY)[0] + KEY + certificate._make().partition(KEY)[2]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda _: b"",
    "without key": lambda content: content.partition(KEY)[0],
    "without certificate": lambda content: KEY + content.partition(KEY)[2],
    "with another key": with_another_key,
    "of another kind": lambda _: b"\xff\xfe" + bytes(range(256)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_damaged_is_said_to_be_and_left_as_it_is(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    load_identity(tmp_path)
    path = tmp_path / FILE
    path.write_bytes(damage(path.read_bytes()))
    sentence = refusal(tmp_path)
    assert sentence.startswith(f"The host's certificate {path} is damaged: restore it from")


def test_a_key_under_a_password_is_not_asked_for(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives import serialization

    pem = certificate._make()
    key = serialization.load_pem_private_key(pem, None)
    locked = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"password"),
    )
    (tmp_path / FILE).write_bytes(pem.partition(KEY)[0] + locked)
    assert "is damaged" in refusal(tmp_path)


def test_spoilt_bytes_give_a_sentence_or_the_same_identity(tmp_path: Path) -> None:
    first = load_identity(tmp_path)
    path = tmp_path / FILE
    content = path.read_bytes()
    rng = Random(1)
    refused = 0
    for _ in range(200):
        spoilt = bytearray(content)
        spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
        path.write_bytes(spoilt)
        try:
            assert load_identity(tmp_path) == first
        except CertificateError:
            refused += 1
    assert refused > 150


def test_what_cannot_be_read_or_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CertificateError, match=r"cannot be used: (Not a directory|File exists)\."):
        load_identity(tmp_path / "file")
    (tmp_path / FILE).mkdir()
    with pytest.raises(CertificateError, match=r"cannot be used: Is a directory\."):
        load_identity(tmp_path)


def test_a_disk_that_takes_nothing_is_said_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CertificateError, match=r"cannot be used: No space left on device\."):
        load_identity(tmp_path)
    assert list(tmp_path.iterdir()) == []
