"""Writes the tables of the protocol's pages, from the structs and limits that they describe.

    .venv/bin/python -m scripts.lib.protocol_tables

The page of the core is netcode/README.md; a wing with messages has a page in its folder. A table
stands between two comments of a page. The first comment names the table.
"""

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, Final, get_args

from msgspec import NODEFAULT, Struct
from msgspec import inspect as shapes

from netcode import limits
from netcode.limits import Rate
from netcode.protocol import codec, messages
from netcode.protocol.fields import FAMILY_LETTERS, Message, Messages
from netcode.protocol.refusal_sentences import RULES_NAMESPACE, SENTENCES
from netcode.wings import WINGS

NETCODE: Final = Path(__file__).resolve().parents[2] / "netcode"

PATTERNS: Final = {
    "[0-9A-HJKMNP-TV-Z]{3}": "prefix",
    "[0-9A-HJKMNP-TV-Z]{8}": "code",
    "[a-z0-9-]{1,20}": "bot",
    "([0-9A-HJKMNP-TV-Z]{3})?": "prefix or empty",
}
"""The names of text patterns in the tables."""


def main() -> None:
    """Write all pages."""
    for page, tables in pages().items():
        page.write_text(renewed(page.read_text("utf-8"), tables), "utf-8")


def pages() -> dict[Path, dict[str, Callable[[], str]]]:
    """Return the tables of each page: of the core, and of the wings that have messages."""
    found = {NETCODE / "README.md": TABLES}
    for wing, seams in WINGS.items():
        seam = messages_of(wing) if "messages" in seams else None
        if seam is not None:
            client = seam.from_client
            host = [each for each in seam.from_host if each not in client]
            tables: dict[str, Callable[[], str]] = {}
            if client:
                tables["client"] = lambda client=client: rows_of(iter(client))  # type: ignore[misc]
            if host:
                tables["host"] = lambda host=host: rows_of(iter(host))  # type: ignore[misc]
            if seam.sentences:
                tables["codes"] = lambda seam=seam: f"{listed(seam.sentences)}\n"  # type: ignore[misc]
            if any(wing_parts(seam)):
                tables["parts"] = lambda seam=seam: rows_of(wing_parts(seam))  # type: ignore[misc]
            found[NETCODE / "wings" / wing / "README.md"] = tables | others_of(wing)
    return found


def others_of(wing: str) -> dict[str, Callable[[], str]]:
    """Return a wing's tables about its other connections and its rates.

    Their messages are in the wing's module `NAME_messages.py`, and the rates in `NAME_limits.py`.
    """
    found: dict[str, Callable[[], str]] = {}
    for path in sorted((NETCODE / "wings" / wing).glob("*_*s.py")):
        module = import_module(f"netcode.wings.{wing}.{path.stem}")
        if path.stem.endswith("_messages"):
            own = [each for each in vars(module).values() if is_message_of(each, module)]
            found["connection"] = lambda own=own: rows_of(iter(own))  # type: ignore[misc]
        elif path.stem.endswith("_limits"):
            found["rates"] = lambda module=module: rates(module)  # type: ignore[misc]
    return found


def is_message_of(value: object, module: ModuleType) -> bool:
    """Return True if a value is a kind of message that a module defines."""
    is_kind = isinstance(value, type) and issubclass(value, Message)
    return is_kind and value.__module__ == module.__name__


def messages_of(wing: str) -> Messages | None:
    """Return the messages of a wing; None if the wing is missing."""
    try:
        seam: Messages = import_module(f"netcode.wings.{wing}.messages").SEAM
    except ModuleNotFoundError:
        return None
    return seam


def renewed(page: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with current tables."""
    return re.sub(
        r"(<!-- (\w+):[^\n]*-->\n).*?(<!-- end -->)",
        lambda found: f"{found[1]}\n{tables[found[2]]()}\n{found[3]}",
        page,
        flags=re.S,
    )


def core_parts() -> list[type[Struct]]:
    """Return the structs inside the core's messages."""
    return parts([*get_args(messages.ClientMessage), *get_args(messages.HostMessage)])


def wing_parts(seam: Messages) -> Iterator[type[Struct]]:
    """Yield the structs inside a wing's messages, except structs that core messages have too."""
    core = core_parts()
    return (each for each in parts([*seam.from_client, *seam.from_host]) if each not in core)


def parts(waiting: list[Any]) -> list[type[Struct]]:
    """Return the structs inside messages, in order and without repetition.

    Empties `waiting`. The messages themselves, which have tags, are left out.
    """
    found = dict.fromkeys(waiting)
    while waiting:
        shape = shapes.type_info(waiting.pop(0))
        assert isinstance(shape, shapes.StructType)
        structs = [part.cls for field in shape.fields for part in structs_in(field.type)]
        waiting += [each for each in structs if each not in found]
        found |= dict.fromkeys(structs)
    return [each for each in found if not each.__struct_config__.tag]


def structs_in(shape: shapes.Type) -> Iterator[shapes.StructType]:
    """Yield the structs that a field may contain."""
    match shape:
        case shapes.StructType():
            yield shape
        case shapes.UnionType(types=types):
            yield from (found for each in types for found in structs_in(each))
        case shapes.VarTupleType(item_type=item):
            yield from structs_in(item)


def rows_of(structs: Iterator[Any]) -> str:
    """Return a table of structs: name, purpose and fields."""
    rows = [
        f"| {named(each)} | {paragraph(each.__doc__)} | {'<br>'.join(fields_of(each))} |"
        for each in structs
    ]
    return "\n".join(("| | | fields |", "| --- | --- | --- |", *rows, ""))


def named(struct: type[Struct]) -> str:
    """Return the tag of a message, or the name of a struct that is no message."""
    tag = struct.__struct_config__.tag
    return f"`{tag}`" if tag else struct.__name__


def paragraph(text: str | None) -> str:
    """Return the first paragraph of a docstring in one line."""
    return " ".join((text or "").partition("\n\n")[0].split())


def fields_of(struct: type[Struct]) -> Iterator[str]:
    """Yield the fields of a struct: name, type, default and text."""
    shape = shapes.type_info(struct)
    assert isinstance(shape, shapes.StructType)
    docs = {name: text for kind in reversed(struct.__mro__) for name, text in docs_of(kind)}
    for field in shape.fields:
        default = "" if field.default is NODEFAULT else f" = {literal(field.default)}"
        about = docs.get(field.name, "")
        yield f"`{field.name}` {holds(field.type)}{default}{': ' if about else ''}{about}"


def docs_of(kind: type) -> Iterator[tuple[str, str]]:
    """Yield each field of a class with the text below it. A class outside `netcode` has none."""
    if not kind.__module__.startswith("netcode."):
        return
    yield from documented(classes(kind.__module__)[kind.__name__].body)


@cache
def classes(module: str) -> dict[str, ast.ClassDef]:
    """Return the syntax trees of a module's classes by name."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def documented(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yield each annotated name with the first paragraph of the text below it.

    The text loses its last full stop, and `nil` replaces `None` as in MessagePack.
    """
    for statement, below in pairwise(body):
        match statement, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, paragraph(text).removesuffix(".").replace("None", "nil")


def holds(shape: shapes.Type) -> str:
    """Return the description of a field's type."""
    match shape:
        case shapes.IntType(ge=low, le=high, lt=below):
            top = high if high is not None else (below - 1 if below is not None else None)
            return f"{number(low)} to {number(top)}"
        case shapes.StrType(pattern=pattern) if pattern is not None:
            written = pattern.removeprefix("^").removesuffix(r"\Z").removesuffix("$")
            return PATTERNS.get(written, f"`{written}`")
        case shapes.StrType(min_length=1, max_length=20):
            return "name"
        case shapes.StrType(min_length=least, max_length=most):
            return f"text of {span(least, most)}" if most else "text"
        case shapes.BytesType(min_length=least, max_length=most):
            return f"{span(least, most)} bytes"
        case shapes.LiteralType(values=values):
            return "family" if set(values) == {*FAMILY_LETTERS} else " ".join(map(literal, values))
        case shapes.UnionType(types=types):
            known = [holds(each) for each in types if not isinstance(each, shapes.NoneType)]
            return " or ".join(known + ["nil"] * (len(known) < len(types)))
        case shapes.StructType(cls=cls):
            return named(cls)
        case shapes.VarTupleType(
            item_type=shapes.UnionType(types=[shapes.StructType(), *_]), max_length=most
        ):
            return f"[event] up to {most}"
        case shapes.VarTupleType(item_type=item, max_length=most):
            return f"[{holds(item)}] up to {most}"
        case shapes.TupleType(item_types=[*_, shapes.NoneType() | shapes.UnionType()]):
            return "stack"
        case shapes.TupleType(item_types=items):
            return f"({', '.join(map(holds, items))})"
        case shapes.DictType():
            return "map"
        case shapes.BoolType():
            return "bool"
    return "event"


def literal(value: object) -> str:
    """Return a field's default as the table shows it; for a struct, `none`."""
    if isinstance(value, Struct):
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or value == ():
        return "nil" if value is None else "[]"
    return str(value) or '""'


def number(value: int | None) -> str:
    """Return a bound as text, with powers of two for 31 and 32 bits; "?" without a bound."""
    powers = {2**31 - 1: "2³¹−1", 2**32 - 1: "2³²−1"}
    return powers.get(value or 0, f"{value:,}" if value is not None else "?")


def span(least: int | None, most: int | None) -> str:
    """Return the range between two bounds."""
    return str(most) if least == most else f"{least or 0} to {most if most is not None else 'any'}"


def frame_bounds() -> str:
    """Return the table of frame sizes."""
    columns = codec.FROM_CLIENT, codec.FROM_HOST
    heads = "| at most | from a client | from the host |"
    figures = " | ".join(f"{most:,}" for most in columns)
    return f"{heads}\n| --- | --- | --- |\n| bytes | {figures} |\n"


def rates(module: ModuleType = limits) -> str:
    """Return the table of rates."""
    texts = dict(documented(ast.parse(inspect.getsource(module)).body))
    rows = [
        f"| {re.split('[:.,;]', texts[name])[0]} | {figure(rate[1])} | {figure(rate[0])} |"
        for name, rate in vars(module).items()
        if isinstance(rate, Rate)
    ]
    return "\n".join(("| | at once | then a second |", "| --- | --- | --- |", *rows, ""))


def figure(rate: float) -> str:
    """Return a rate with no more digits than needed."""
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.3g}"


def codes() -> str:
    """Return the codes of all reasons of the core."""
    return f"{listed(SENTENCES)}; `{RULES_NAMESPACE}…` for the rules.\n"


def listed(codes: Iterable[str]) -> str:
    """Return codes in one line."""
    return ", ".join(f"`{code}`" for code in codes)


TABLES: Final[dict[str, Callable[[], str]]] = {
    "client": lambda: rows_of(iter(get_args(messages.ClientMessage))),
    "host": lambda: rows_of(iter(get_args(messages.HostMessage))),
    "parts": lambda: rows_of(iter(core_parts())),
    "frames": frame_bounds,
    "rates": rates,
    "codes": codes,
}

if __name__ == "__main__":
    main()
