"""Finds all objects that an object reaches by references, as in a memory dump."""

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
"""Types of objects that belong to the program itself, and are the same for all tables."""


def reachable(*roots: object) -> list[Any]:
    """Return all reachable objects, each once, in the order of discovery."""
    found: dict[int, object] = {}
    waiting = list(roots)
    while waiting:
        each = waiting.pop()
        if id(each) in found or isinstance(each, _PROGRAM):
            continue
        found[id(each)] = each
        if isinstance(each, FunctionType):
            # Skip the function's globals, which are the same for all tables, but not its closure.
            waiting += [cell.cell_contents for cell in each.__closure__ or ()]
        elif not isinstance(each, bytes | str | int | float):
            waiting += reversed(gc.get_referents(each))
    return list(found.values())


def dump(*roots: object) -> list[str]:
    """Return a dump of all reachable objects; equal tables have equal dumps."""
    return [_shown(each) for each in reachable(*roots)]


def _shown(each: object) -> str:
    if isinstance(each, bytes | str | int | float | None):
        return f"{type(each).__name__} {each!r}"
    size = len(each) if isinstance(each, list | tuple | dict | set) else 0
    return f"{type(each).__name__} {size}"


def texts(*roots: object) -> Iterable[bytes]:
    """Yield all bytes and texts that are reachable from `roots`, as bytes."""
    for each in reachable(*roots):
        if isinstance(each, bytes | bytearray):
            yield bytes(each)
        elif isinstance(each, str):
            yield each.encode(errors="replace")
