"""Creates certificates of hosts, and TLS 1.3 contexts that accept only a pinned certificate.

A host has one self-signed certificate. It is created once for each account and never replaced,
since invitations contain its pin. Its names, dates and issuer have no meaning. One file has the
certificate and its key, so that they always match.
"""

import ssl
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from engine.texts import ONLY_WHY, ExplainedError
from netcode.private_files import UnsafeFolderError
from netcode.whole_file import kept_secret

PIN_BYTES: Final = 16
"""Number of bytes of a pin: 128 bits of a hash, so nobody can make another certificate that has
it.
"""

FILE: Final = "host.pem"
"""The name of the file with the certificate and its key."""

_NAME: Final = "driflamme"
"""The name in the certificate. It identifies no person and no machine."""

_FROM: Final = datetime(2000, 1, 1)
"""The beginning of the validity, equal for all hosts."""

_UNTIL: Final = datetime(9999, 12, 31, 23, 59, 59)
"""The end of the validity: the date that stands for "never" (RFC 5280, 4.1.2.5)."""


class CertificateError(ExplainedError):
    """Raised if this host has no usable certificate. The error's sentence has the reason."""


class WrongCertificateError(ssl.SSLError):
    """Raised if the server is not the host of the invitation. Nothing was sent to it."""

    def __init__(self) -> None:
        super().__init__("the certificate is not the one of the invitation")


@dataclass(frozen=True, slots=True)
class Identity:
    """A host's certificate, with everything that a server needs to use it."""

    certificate: bytes
    """The certificate in DER, the binary form."""
    context: ssl.SSLContext = field(repr=False, compare=False)
    """The TLS context of a server."""
    pem: bytes = field(repr=False, compare=False)
    """The certificate and its private key, in PEM."""

    @property
    def pin(self) -> bytes:
        """The pin: the part of the certificate's hash that invitations contain."""
        return pin_of(self.certificate)


def server_name(of: bytes | str) -> str:
    """Return the server name in a TLS hello that leads to a host, by its pin or its code's prefix.

    A relay forwards by this name, and hosts ignore it. The name does not reveal the pin.

    >>> server_name("K7Q")
    'k7q.driflamme'
    """
    label = of.lower() if isinstance(of, str) else sha256(of).hexdigest()[: 2 * PIN_BYTES]
    return f"{label}.{_NAME}"


def pin_of(certificate: bytes) -> bytes:
    """Return the pin of a certificate in DER: the part of its hash that invitations contain."""
    return sha256(certificate).digest()[:PIN_BYTES]


def load_identity(folder: Path | None = None) -> Identity:
    """Load the identity of this account's tables, or create it.

    Raises CertificateError if its file is damaged, unsafe, or cannot be read or created.
    """
    folder = folder or user_data_path("driflamme", appauthor=False)
    path = folder / FILE
    try:
        pem = kept_secret(path, lambda: _make().decode())
        certificate = _check(pem)
        return Identity(certificate, _server_context(path), pem)
    except ssl.SSLError:
        raise _damaged(path) from None
    except UnsafeFolderError as error:
        raise CertificateError(ONLY_WHY, why=error) from None
    except OSError as error:
        raise CertificateError(
            "The host's certificate {path} cannot be used: {why}. Check the permissions of the "
            "file.",
            path=str(path),
            why=error.strerror or str(error),
        ) from error
    except ValueError:
        # Drop the cause: its text may show a part of the key.
        raise _damaged(path) from None


def client_context(pin: bytes | None) -> ssl.SSLContext:
    """Return the TLS context of a client.

    With a pin, a handshake with another certificate raises WrongCertificateError before the client
    sends any data. Without a pin (None) every certificate is accepted. Accepting every certificate
    is safe only if the next messages are useless to a wrong server, such as the proof of a spoken
    code.
    """
    context = _PinningContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.pin = pin
    return context


class _PinningContext(ssl.SSLContext):
    """A TLS context whose client connections compare the server's certificate with a pin."""

    pin: bytes | None = None


class _PinningObject(ssl.SSLObject):
    """A TLS object for event loops that checks the pin.

    The event loop sends no data before `do_handshake` returns.
    """

    def do_handshake(self) -> None:
        super().do_handshake()
        _check_pin(self)


class _PinningSocket(ssl.SSLSocket):
    """A TLS socket for blocking use that checks the pin."""

    def do_handshake(self, block: bool = False) -> None:
        super().do_handshake(block)
        _check_pin(self)


_PinningContext.sslobject_class = _PinningObject
_PinningContext.sslsocket_class = _PinningSocket


def _check_pin(encrypted: ssl.SSLObject | ssl.SSLSocket) -> None:
    """Raise WrongCertificateError if the peer's certificate does not have the pin."""
    assert isinstance(encrypted.context, _PinningContext)
    pin, certificate = encrypted.context.pin, encrypted.getpeercert(binary_form=True)
    if pin is None:
        return
    if certificate is None or not compare_digest(pin_of(certificate), pin):
        raise WrongCertificateError


def _server_context(path: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    # Send no session tickets, since no client resumes a session.
    context.num_tickets = 0
    # With no password given, OpenSSL would ask for one on the terminal if the key is encrypted.
    context.load_cert_chain(path, password="")
    return context


def _make() -> bytes:
    """Return a new certificate and its key, in PEM."""
    # Import this only here and in `_check`, since clients do not need it.
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, _NAME)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_FROM)
        .not_valid_after(_UNTIL)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    unencrypted = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return certificate.public_bytes(pem) + key.private_bytes(pem, *unencrypted)


def _check(pem: bytes) -> bytes:
    """Return the certificate in DER.

    Raises ValueError if the certificate, its key or its signature is invalid.
    """
    from cryptography import x509
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization

    try:
        certificate = x509.load_pem_x509_certificate(pem)
        # `ssl` checks that the key belongs to the certificate, but not that the rest of the file is
        # valid.
        serialization.load_pem_private_key(pem, password=None)
        # Check the signature: a damaged bit would change the pin, so that no invitation works any
        # more.
        certificate.verify_directly_issued_by(certificate)
    except (InvalidSignature, UnsupportedAlgorithm, x509.InvalidVersion, TypeError) as error:
        raise ValueError("no certificate of its own key") from error
    return certificate.public_bytes(serialization.Encoding.DER)


def _damaged(path: Path) -> CertificateError:
    return CertificateError(
        "The host's certificate {path} is damaged: restore it from a backup, or delete it and"
        " hand out new invitations, as the old ones will not work any more.",
        path=str(path),
    )
