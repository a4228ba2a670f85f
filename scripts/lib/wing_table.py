"""Writes the table of CONTRIBUTING.md with the wings that serve each seam.

    .venv/bin/python -m scripts.lib.wing_table

An editor cannot follow an import by name, so the table helps. It is made from the code: the lists
of the wings, and each call of `wing_values` in the core. `scripts/catalogues` writes it too.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]

PAGE: Final = ROOT / "CONTRIBUTING.md"

BEGIN: Final = "<!-- seams: written by scripts/lib/wing_table.py -->\n"
END: Final = "<!-- end -->"


class Seam(NamedTuple):
    """A place where the core reads from the wings."""

    package: str
    name: str
    kind: str
    """The type of a wing's value."""
    defined: str
    """The module that defines the type of a wing's value."""
    reader: str
    """The module that reads the seam."""


def main() -> None:
    """Write the table anew."""
    text = PAGE.read_text("utf-8")
    renewed = renewed_page(text)
    if renewed != text:
        PAGE.write_text(renewed, "utf-8")


def renewed_page(page: str) -> str:
    """Return the page with a current table."""
    before, _, rest = page.partition(BEGIN)
    assert rest, f"the page has no line {BEGIN!r}"
    _old, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def table() -> str:
    """Return the table: a row for each seam, with the wings that serve it."""
    wings = {package: lists(package) for package in ("netcode", "driflamme_tui")}
    rows = []
    for seam in sorted({*seams()}, key=lambda seam: (seam.package != "netcode", *seam[1:])):
        serving = [wing for wing, served in wings[seam.package].items() if seam.name in served]
        places = dict.fromkeys((seam.defined, seam.reader))
        rows.append(
            f"| `{seam.package}/wings/*/{seam.name}.py` | `{seam.kind}` |"
            f" {', '.join(f'`{place}`' for place in places)} | {', '.join(serving)} |"
        )
    names = "| module of a wing | type of `SEAM` | defined and read in | wings |"
    head = (names, "| --- " * 4 + "|")
    return "\n".join((*head, *rows, ""))


def lists(package: str) -> dict[str, tuple[str, ...]]:
    """Return the wings of a package and their seams, from the source of its list."""
    tree = ast.parse((ROOT / package / "wings" / "__init__.py").read_text("utf-8"))
    (value,) = [each.value for each in tree.body if isinstance(each, ast.AnnAssign)]
    assert value is not None
    found: dict[str, tuple[str, ...]] = ast.literal_eval(value)
    return found


def seams() -> Iterator[Seam]:
    """Yield the seams that core modules read."""
    for package in ("netcode", "driflamme_tui"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if "wings" in path.relative_to(ROOT).parts or path.name == "registry.py":
                continue
            text = path.read_text("utf-8")
            if "wing_values" not in text:
                continue
            tree = ast.parse(text)
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "wing_values":
                    yield _seam(node, tree, path.relative_to(ROOT))


def _seam(call: ast.Call, tree: ast.Module, path: Path) -> Seam:
    package, name, kind = call.args
    assert isinstance(package, ast.Constant)
    assert isinstance(kind, ast.Name)
    seam = name.value if isinstance(name, ast.Constant) else _constant(tree, ast.unparse(name))
    defined = path.as_posix()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and kind.id in [each.name for each in node.names]:
            defined = f"{node.module}".replace(".", "/") + ".py"
    return Seam(str(package.value), str(seam), kind.id, defined, path.as_posix())


def _constant(tree: ast.Module, name: str) -> object:
    """Return the value of a constant of a module; raises LookupError."""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name:
            assert isinstance(node.value, ast.Constant)
            return node.value.value
    raise LookupError(f"there is no constant {name}")


if __name__ == "__main__":
    main()
