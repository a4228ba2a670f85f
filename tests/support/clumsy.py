"""Makes parts of a wing, `clumsy`, of which one or every method raises an unexpected error."""

import ast
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from inspect import getattr_static, iscoroutinefunction, isfunction
from types import ModuleType
from typing import Any, NoReturn

import pytest

from netcode.protocol.codec import messages_from_client, messages_from_host
from netcode.registry import wing_values

NAME = "clumsy"

SECRET = "a text that is shown to nobody"


_INSTALLED: set[str] = set()


class ClumsyError(Exception):
    """The unexpected error of a clumsy part."""


def fails(*_given: object, **_named: object) -> NoReturn:
    """Raise the error of a clumsy part."""
    raise ClumsyError(SECRET)


async def fails_later(*_given: object, **_named: object) -> NoReturn:
    """Raise the error of a clumsy part, once awaited."""
    raise ClumsyError(SECRET)


fails.__module__ = fails_later.__module__ = f"wing.wings.{NAME}"


def methods(kind: type) -> list[str]:
    """Return the names of a class's own public methods and properties, and of its initialiser."""
    found = (name for name, each in vars(kind).items() if isfunction(each) or _is_property(each))
    return [name for name in found if name == "__init__" or not name.startswith("_")]


def _is_property(value: object) -> bool:
    return isinstance(value, property)


def clumsy(kind: type, name: str) -> Any:
    """Return a subclass of a part's class in which one method or property raises ClumsyError.

    The subclass's `called` is True once the method was called.
    """

    def method(part: Any, *given: object, **named: object) -> NoReturn:
        made.called = True
        fails()

    async def awaited(part: Any, *given: object, **named: object) -> NoReturn:
        made.called = True
        fails()

    for each in (method, awaited):
        each.__module__ = f"wing.wings.{NAME}"
    own = getattr_static(kind, name)
    wrong: object = awaited if iscoroutinefunction(own) else method
    made: Any = type(
        NAME, (kind,), {name: property(method) if isinstance(own, property) else wrong}
    )
    made.__module__ = method.__module__
    made.called = False
    return made


def all_fail(kind: type) -> Any:
    """Return a subclass of a part's class in which all methods but the initialiser fail."""
    wrong: dict[str, object] = {}
    for name in set(methods(kind)) - {"__init__"}:
        own = getattr_static(kind, name)
        wrong[name] = fails_later if iscoroutinefunction(own) else fails
        if isinstance(own, property):
            wrong[name] = property(fails)
    return type(NAME, (kind,), {**wrong, "__module__": f"wing.wings.{NAME}"})


@contextmanager
def installed(
    package: str, wing: str = NAME, *, alone: bool = True, **seams: object
) -> Iterator[None]:
    """Install a wing with these values at its seams, until the end of the block.

    The wing comes before wings of earlier calls. With `alone`, the program's own wings are absent.
    """
    wings = import_module(f"{package}.wings")
    caches = wing_values, messages_from_client, messages_from_host
    with pytest.MonkeyPatch.context() as patch:
        for seam, value in seams.items():
            module = ModuleType(f"{package}.wings.{wing}.{seam}")
            vars(module)["SEAM"] = value
            patch.setitem(sys.modules, module.__name__, module)
        before = {
            name: each for name, each in wings.WINGS.items() if name in _INSTALLED or not alone
        }
        patch.setattr(wings, "WINGS", {wing: (*seams,), **before})
        patch.setattr(sys.modules[__name__], "_INSTALLED", {*_INSTALLED, wing})
        for cache in caches:
            cache.cache_clear()
        yield
    for cache in caches:
        cache.cache_clear()


def tried(package: str, *modules: ModuleType) -> set[str]:
    """Return the seams of a package at which tests of some modules install a clumsy part."""
    calls = (
        call
        for module in modules
        for call in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "installed"
    )
    # Calls with a name as the second argument install a wing that works.
    return {
        str(keyword.arg)
        for call in calls
        if [ast.literal_eval(each) for each in call.args] == [package]
        for keyword in call.keywords
    }


def sentences(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the log's sentences about failed wings; assert that the log has no secret."""
    texts = (record.getMessage() for record in caplog.records)
    found = [each for each in texts if "has failed" in each]
    assert not any(SECRET in each for each in found)
    assert SECRET not in caplog.text
    assert all(f"the optional part {NAME!r} has failed" in each for each in found), found
    return found
