"""What all messages are: strict and frozen, and told apart on the wire by their `type`."""

import re

from msgspec import Struct


class Strict(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all data of the protocol: frozen, and without unknown fields."""


def tag_of(name: str) -> str:
    """Return the `type` of a message on the wire by the name of its class.

    >>> tag_of("AddBot")
    'add_bot'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Message(Strict, frozen=True, tag=tag_of):
    """What goes over the wire; its `type` there is its name here, in lower case: `add_bot`."""
