"""Proves that a host owns the certificate that it presents to a relay."""

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from netcode.transport.certificate import Identity


def signature(identity: Identity, message: bytes) -> bytes:
    """Return a signature of `message` by the key of a host's certificate."""
    key = serialization.load_pem_private_key(identity.pem, password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return key.sign(message, ec.ECDSA(hashes.SHA256()))


def is_signed_by(certificate: bytes, message: bytes, signature: bytes) -> bool:
    """Return True if the key of a certificate in DER has signed `message`."""
    try:
        key = x509.load_der_x509_certificate(certificate).public_key()
        if not isinstance(key, ec.EllipticCurvePublicKey):
            return False
        key.verify(signature, message, ec.ECDSA(hashes.SHA256()))
    except (ValueError, TypeError, x509.InvalidVersion, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True
