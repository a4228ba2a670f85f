"""All that can be reached from an object by any reference, as a memory dump would have it."""

import gc
from collections.abc import Iterable
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

_PROGRAM = (
    type,
    ModuleType,
    CodeType,
    FrameType,
    BuiltinFunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    WrapperDescriptorType,
)
"""What is of the program, and the same for all tables."""


def reachable(*roots: object) -> list[Any]:
    """Return all objects that can be reached, each once, in the order in which they are found."""
    found: dict[int, object] = {}
    waiting = list(roots)
    while waiting:
        each = waiting.pop()
        if id(each) in found or isinstance(each, _PROGRAM):
            continue
        found[id(each)] = each
        if isinstance(each, FunctionType):
            # Not the module's globals, which are the same for all.
            waiting += [cell.cell_contents for cell in each.__closure__ or ()]
        elif not isinstance(each, bytes | str | int | float):
            waiting += reversed(gc.get_referents(each))
    return list(found.values())


def dump(*roots: object) -> list[str]:
    """Return what all that can be reached is, so that equal tables give equal dumps."""
    return [_shown(each) for each in reachable(*roots)]


def _shown(each: object) -> str:
    if isinstance(each, bytes | str | int | float | None):
        return f"{type(each).__name__} {each!r}"
    size = len(each) if isinstance(each, list | tuple | dict | set) else 0
    return f"{type(each).__name__} {size}"


def texts(*roots: object) -> Iterable[bytes]:
    """Return all bytes and texts that can be reached."""
    for each in reachable(*roots):
        if isinstance(each, bytes | bytearray):
            yield bytes(each)
        elif isinstance(each, str):
            yield each.encode(errors="replace")
