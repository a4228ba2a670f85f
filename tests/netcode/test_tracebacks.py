"""Tests the description of an error in the log: it has the places, and no value."""

import ast
import json
import re
from collections.abc import Callable, Iterable, Set
from functools import partial
from pathlib import Path

import pytest

import driflamme_tui
import netcode
from netcode.protocol.codec import CodecError, decode_host
from netcode.tracebacks import MAXIMUM_ERRORS, MAXIMUM_FRAMES, error_line, import_failure

SECRET = "ASPHFLX"


class CardError(Exception):
    def __str__(self) -> str:
        return SECRET


def fails(card: str) -> None:
    raise CardError(card)


def fails_because() -> None:
    try:
        fails(SECRET)
    except CardError as error:
        raise KeyError(SECRET) from error


def fails_meanwhile() -> None:
    try:
        fails_because()
    finally:
        int(SECRET)


def fails_anew() -> None:
    try:
        fails(SECRET)
    except CardError:
        raise ValueError(SECRET) from None


def fails_in_a_circle() -> None:
    first, second = ValueError(SECRET), KeyError(SECRET)
    first.__cause__, second.__cause__ = second, first
    raise first


def caught(call: Callable[[], object]) -> str:
    """Return the description of a call's error, with 0 for every line number."""
    try:
        call()
    except Exception as error:
        text = error_line(error)
        assert SECRET not in text
        return re.sub(r":\d+ ", ":0 ", text)
    pytest.fail("nothing was wrong")


def frames(*functions: str) -> str:
    return ", ".join(f"tests/netcode/test_tracebacks.py:0 {each}" for each in functions)


def test_an_error_is_told_by_its_kind_and_the_file_line_and_function_of_each_frame() -> None:
    assert caught(partial(fails, SECRET)) == f"CardError at {frames('caught', 'fails')}"
    with pytest.raises(CardError) as info:
        fails(SECRET)
    line = fails.__code__.co_firstlineno + 1
    assert error_line(info.value).endswith(f" tests/netcode/test_tracebacks.py:{line} fails")
    assert error_line(CardError(SECRET)) == "CardError"


def test_so_are_the_errors_that_led_to_it() -> None:
    card = f"CardError at {frames('fails_because', 'fails')}"
    key = f"KeyError at {frames('fails_because')}"
    assert caught(fails_because) == f"KeyError at {frames('caught', 'fails_because')}; after {card}"
    assert caught(fails_meanwhile) == (
        f"ValueError at {frames('caught', 'fails_meanwhile')}; "
        f"after {key.replace(' at ', ' at ' + frames('fails_meanwhile') + ', ')}; after {card}"
    )
    assert caught(fails_anew) == f"ValueError at {frames('caught', 'fails_anew')}"


def test_a_file_is_told_from_its_package_on() -> None:
    with pytest.raises(CodecError) as ours:
        decode_host(b"")
    assert " netcode/protocol/codec.py:" in error_line(ours.value)
    with pytest.raises(ValueError, match="Expecting") as library:
        json.loads("{")
    assert " json/decoder.py:" in error_line(library.value)
    with pytest.raises(ZeroDivisionError) as nowhere:
        eval("1 / 0", {"__name__": "netcode"})
    assert error_line(nowhere.value).endswith(", <string>:1 <module>")
    for error in (ours.value, library.value, nowhere.value):
        assert str(Path.cwd()) not in error_line(error)
        assert " /" not in error_line(error)


CONCERNED = re.compile(r"\bexcept\s*:|\bexcept \(?(?:Base)?Exception\b|[(,]\s*error\s*[:,)=]")
"""Matches any module that handles any error, or has a parameter `error`."""


def handles_anything(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or ast.unparse(handler.type) in ("Exception", "BaseException")


def describes(node: ast.AST, describers: Set[str], names: Set[str]) -> bool:
    """Return True if code passes a variable with one of these names to one of these functions."""
    calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
    return any(
        ast.unparse(call.func).rpartition(".")[2] in describers
        and names & {each.id for each in call.args if isinstance(each, ast.Name)}
        for call in calls
    )


def all_describers(trees: Iterable[ast.Module]) -> set[str]:
    """Return the functions that describe their parameter `error`, also through each other."""
    functions = [
        each
        for tree in trees
        for each in ast.walk(tree)
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(one.arg == "error" for one in each.args.args)
    ]
    found, before = {"error_line"}, 0
    while len(found) > before:
        before = len(found)
        found |= {each.name for each in functions if describes(each, found, {"error"})}
    return found


def test_whatever_handles_any_error_describes_it_or_raises_it_again() -> None:
    trees = {
        path: ast.parse(text)
        for module in (netcode, driflamme_tui)
        for path in Path(*module.__path__).rglob("*.py")
        # Parsing takes many times as long as searching.
        if CONCERNED.search(text := path.read_text(encoding="utf-8"))
    }
    describers = all_describers(trees.values())
    assert {"error_line", "log_failure"} <= describers
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler) and handles_anything(node):
                # Count a future with an exception too: awaiting the future raises the exception.
                raises = any(
                    isinstance(each, ast.Raise) or getattr(each, "attr", "") == "set_exception"
                    for each in ast.walk(node)
                )
                is_described = describes(node, describers, {"error"})
                assert raises or is_described, f"{path}:{node.lineno}"


def test_however_deep_and_long_it_is_it_ends() -> None:
    assert caught(fails_in_a_circle).count("; after ") == 1

    def fails_deeply() -> None:
        fails_deeply()

    with pytest.raises(RecursionError) as deep:
        fails_deeply()
    assert error_line(deep.value).count("fails_deeply") == MAXIMUM_FRAMES
    error: Exception = ValueError(SECRET)
    for _ in range(1000):
        following = KeyError(SECRET)
        following.__cause__, error = error, following
    assert error_line(error).count("KeyError") == MAXIMUM_ERRORS


def test_why_a_module_cannot_be_imported_is_one_clause_without_a_text() -> None:
    for statement, clause in (
        ("import no_such_module", "ModuleNotFoundError (no_such_module) at test_tracebacks.py:"),
        ("from json import nothing", "ImportError (json) at test_tracebacks.py:"),
        (f"raise ValueError('{SECRET}')", "ValueError at test_tracebacks.py:"),
    ):
        with pytest.raises(Exception) as raised:  # noqa: PT011
            exec(compile(statement, __file__, "exec"), {"__name__": "outside"})
        assert import_failure(raised.value) == f"{clause}1"
