"""Bring the catalogues of the languages up to date with the texts in the code.

Collects every text that is marked for translation: given to a function such as `_` or `N_`, or
standing where a class or a function of the program has a parameter of the type `Text`; and the
paragraphs of longer texts in files of their own.
Writes each language's `driflamme.po` anew, sorted by text and without a time or a place, so that
what two branches add merges by itself, and compiles the `driflamme.mo` beside it, which the program
reads. What has a translation keeps it; texts that are no more go. Ends with status 1, naming them,
while texts wait for a translation.

Translations are written into the `.po` files by hand; then this is run once more. It does not
judge them: `tests/driflamme_tui/text/test_catalogues.py` does.
"""

import argparse
import ast
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import IO, Final, TypeAlias

from babel.localedata import exists
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from driflamme_tui.text.i18n import TYPED, titled

ROOT: Final = Path(__file__).resolve().parents[2]
ROOMS: Final = ("engine", "netcode", "driflamme_tui")
LOCALE: Final = Path("driflamme_tui", "locale")
LANGUAGES: Final = tuple(sorted(path.parent.name for path in (ROOT / LOCALE).glob("*/LC_MESSAGES")))
"""Languages that have a catalogue, such as "fr"."""
CALLS: Final = {"_": 1, "N_": 1, "counted": 1, "NP_": 2, "pgettext": 2, "ngettext": 2}
"""What texts are given to, and how many arguments of it are strings."""

WITH_CONTEXT: Final = ("NP_", "pgettext")
"""Those of them whose first string is a context and not a text."""

TEXT: Final = "Text"
"""The type of a parameter whose values are texts; `Annotated[Text, "a context"]` has a context."""

PROSE: Final = Path("driflamme_tui", "prose")
"""Where texts of many paragraphs stand in files, each paragraph and each title a text."""

Found: TypeAlias = tuple[str | None, str | tuple[str, str]]
"""A text with its context; a pair is a singular and a plural."""


@dataclass
class Parameters:
    """What a class or a function is given."""

    names: list[str] = field(default_factory=list)
    """Its parameters, in their order."""
    contexts: dict[str, str | None] = field(default_factory=dict)
    """The contexts of those that are texts; None for a text without one."""

    def add(self, name: str, annotation: ast.expr | None) -> None:
        """Add a parameter, with its type as it is written."""
        self.names.append(name)
        match annotation:
            case ast.Name(id=kind) if kind == TEXT:
                self.contexts[name] = None
            case ast.Subscript(
                slice=ast.Tuple(elts=[ast.Name(id=kind), ast.Constant(value=context)])
            ):
                if kind == TEXT:
                    self.contexts[name] = str(context)

    def texts(self, call: ast.Call) -> Iterator[Found]:
        """Yield the texts in a call; one that is looked up was marked where it stands."""
        given = [*zip(self.names, call.args, strict=False)]
        given += [(each.arg, each.value) for each in call.keywords if each.arg]
        for name, value in given:
            match value:
                case ast.Constant(value=str(text)) if text and name in self.contexts:
                    yield self.contexts[name], text


WIDTH: Final = 100
"""Columns of a catalogue's lines."""


class Stable(Catalog):
    """A catalogue whose head says nothing that differs from one machine or day to the next."""

    def _get_mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Project-Id-Version", "driflamme"),
            ("Language", str(self.locale_identifier)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]

    mime_headers = property(_get_mime_headers)


OF_TYPER: Final = dict.fromkeys(
    ("Typer", "Option", "Argument"), Parameters(contexts={"help": None, "epilog": None})
)
"""What of the library for the command line takes texts."""


def texts(root: Path = ROOT) -> Catalog:
    """Return every text in the code that is to be translated."""
    files = [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))]
    found = Catalog()
    for context, text in texts_of(*(path.read_text(encoding="utf-8") for path in files)):
        found.add(text, context=context)
    for path in (root / PROSE).rglob("*.md"):
        for title, paragraphs in titled(path.read_text(encoding="utf-8")).items():
            for each in (title, *paragraphs):
                if not each.startswith(TYPED):
                    found.add(each)
    return found


def texts_of(*sources: str) -> Iterator[Found]:
    """Yield the texts of modules that belong together.

    Read from the syntax tree, since Babel's own reader misses what stands inside an f-string.
    """
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    takers = OF_TYPER | dict(takers_of_texts(nodes))
    for call in nodes:
        match call:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in takers:
                yield from takers[name].texts(call)
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                yield from marked_text(call, name)


def takers_of_texts(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, Parameters]]:
    """Yield the classes and functions, by name, that have parameters which are texts."""
    for node in nodes:
        taken = Parameters()
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    taken.add(each.target.id, each.annotation)
        elif isinstance(node, ast.FunctionDef):
            for argument in (*node.args.args, *node.args.kwonlyargs):
                if argument.arg != "self":
                    taken.add(argument.arg, argument.annotation)
        if taken.contexts and isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name, taken


def marked_text(call: ast.Call, name: str) -> Iterator[Found]:
    """Yield what a call of one of `CALLS` is given."""
    wanted = CALLS[name]
    literals = [arg for arg in call.args[:wanted] if isinstance(arg, ast.Constant)]
    strings = [arg.value for arg in literals if isinstance(arg.value, str)]
    # A text that is looked up in a table was marked where the table is.
    if not strings or (len(strings) == 1 < wanted and call.args[0] in literals):
        return
    if len(strings) != wanted:
        raise ValueError(f"line {call.lineno}: {strings} must stand beside literals only")
    if name in WITH_CONTEXT:
        yield strings[0], strings[1]
    elif name == "counted":
        yield None, (strings[0], strings[0])
    else:
        yield None, strings[0] if wanted == 1 else (strings[0], strings[1])


def po_file(language: str, root: Path = ROOT) -> Path:
    """Return where a language's translations are written."""
    return root / LOCALE / language / "LC_MESSAGES" / "driflamme.po"


def read(language: str, root: Path = ROOT) -> Catalog:
    """Return a language's catalogue as it lies on the disk; an empty one if there is none."""
    path = po_file(language, root)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def updated(language: str, wanted: Catalog, there: Catalog) -> Catalog:
    """Return a catalogue of the texts that are wanted, with the translations that are there."""
    renewed = Stable(
        locale=language,
        header_comment=f"# Driflamme in the language {language}; made by scripts/catalogues.",
        fuzzy=False,
    )
    for message in wanted:
        if message.id:
            known = there.get(message.id, message.context)
            kept = known.string if known is not None and not known.fuzzy else ""
            renewed.add(message.id, kept, context=message.context)
    return renewed


def forms(message: Message) -> tuple[str, ...]:
    """Return a message's translations: one, or one for each plural form."""
    strings = message.string
    if isinstance(strings, list | tuple):
        return tuple(strings)
    return (strings or "",)


def untranslated(catalogue: Catalog) -> Iterator[str]:
    """Yield the texts that have no translation, or not in every plural form."""
    for message in catalogue:
        if message.id:
            there = forms(message)
            wanted = catalogue.num_plurals if isinstance(message.id, tuple) else 1
            if len(there) != wanted or not all(there):
                text = message.id[0] if isinstance(message.id, tuple) else message.id
                context = f"{message.context}: " if message.context else ""
                yield f"{context}{json.dumps(text, ensure_ascii=False)}"


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Give what is written to; a file gets it once the block has ended, or stays as it was.

    Unlike the program's own `whole_file` it leaves the file readable for all, as a package's are.
    """
    content = BytesIO()
    yield content
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(content.getvalue())
    part.replace(path)


def main(arguments: list[str]) -> int:
    """Renew all catalogues; 1 if something waits for its translation."""
    parser = argparse.ArgumentParser(
        prog="scripts/catalogues",
        description="Bring the catalogues of the languages up to date with the texts in the code.",
        epilog="Write what is missing into driflamme_tui/locale/*/LC_MESSAGES/driflamme.po,"
        " then run this again.",
    )
    parser.add_argument("--add", metavar="LANGUAGE", help="begin one more language, such as de")
    added = parser.parse_args(arguments).add
    if added is not None and not exists(added):
        parser.error(f"Babel knows no language {added!r}; its names are such as de or pt_BR.")
    wanted = texts()
    missing = 0
    for language in sorted({*LANGUAGES, added} - {None}):
        catalogue = updated(language, wanted, read(language))
        path = po_file(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as file:
            write_po(file, catalogue, width=WIDTH, no_location=True, sort_output=True)
        with written_whole(path.with_suffix(".mo")) as file:
            write_mo(file, catalogue)
        waiting = list(untranslated(catalogue))
        missing += len(waiting)
        print(f"{language}: {len(catalogue)} texts, {len(waiting)} without a translation")
        for text in waiting:
            print(f"  {text}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
