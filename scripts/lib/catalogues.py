"""Updates the catalogues of the languages from the texts in the code.

Collects every text to be translated. These are arguments of functions such as `_`, values whose
type is `Text` (arguments, fields, parts of tables), and paragraphs of prose files.

Writes each language's `driflamme.po` anew, sorted by text and without times or places, so that
additions of two branches merge automatically. Compiles the `driflamme.mo` beside it, which the
program reads. Texts keep their translations, and vanished texts lose them. A text whose English has
changed gets the translation of the old text, marked as `fuzzy`, for review. Ends with status 1 and
names the texts if any needs a translation or a review.

Write translations into the `.po` files by hand. To confirm a marked one, correct it and delete its
line `#, fuzzy`. Then run this again. `tests/driflamme_tui/text/test_catalogues.py` checks the
translations.
"""

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from io import BytesIO
from pathlib import Path
from typing import IO, Final, TypeAlias

from babel.localedata import exists
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from driflamme_tui.text.i18n import TYPED_INDENT, paragraphs_by_title

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("engine", "netcode", "driflamme_tui")
LOCALE: Final = Path("driflamme_tui", "locale")
LANGUAGES: Final = tuple(sorted(path.parent.name for path in (ROOT / LOCALE).glob("*/LC_MESSAGES")))
"""Languages that have a catalogue, such as "fr"."""
CALLS: Final = {"_": 1, "counted": 1, "pgettext": 2, "ngettext": 2}
"""The functions that take texts, with the number of their string arguments."""

TEXT: Final = "Text"
"""The type of a parameter whose values are texts; `Annotated[Text, "a context"]` has a context."""

PROSE: Final = Path("driflamme_tui", "prose")
"""The folder of long texts. Each paragraph and each title is a text."""

PROSE_OF_WINGS: Final = "driflamme_tui/wings/*/prose/*.md"
"""The pattern of files with long texts in wings."""

Found: TypeAlias = tuple[str | None, str | tuple[str, str]]
"""A text with its context; a pair is a singular and a plural."""


@dataclass
class Parameters:
    """The parameters of a class or function."""

    names: list[str] = field(default_factory=list)
    """The names of a function's positional parameters, in order."""
    types: dict[str, ast.expr | None] = field(default_factory=dict)
    """The annotation of each parameter."""

    @classmethod
    def of(cls, function: ast.FunctionDef) -> "Parameters":
        """Return the parameters of a function, without `self`."""
        by_place = [each for each in function.args.args if each.arg != "self"]
        everything = (*by_place, *function.args.kwonlyargs)
        return cls(
            [each.arg for each in by_place], {each.arg: each.annotation for each in everything}
        )

    @property
    def takes_texts(self) -> bool:
        """True if the annotation of any parameter contains `Text`."""
        nodes = (node for kind in self.types.values() if kind for node in ast.walk(kind))
        return any(TEXT in (getattr(node, "id", ""), getattr(node, "attr", "")) for node in nodes)

    def texts(self, call: ast.Call) -> Iterator[Found]:
        """Yield the texts in a call. Texts in tables are found by the annotation of the table."""
        given = [*zip(self.names, call.args, strict=False)]
        given += [(each.arg, each.value) for each in call.keywords if each.arg]
        for name, value in given:
            yield from texts_in(value, self.types.get(name))


def texts_in(value: ast.expr, kind: ast.expr | None) -> Iterator[Found]:
    """Yield the texts, with their contexts, in an expression with the annotation `kind`.

    Literals, tables and conditional expressions are searched; other expressions have no texts.
    """
    match kind, value:
        case ast.Attribute(attr=name), _:
            yield from texts_in(value, ast.Name(name))
        case _, ast.IfExp(body=body, orelse=other):
            yield from texts_in(body, kind)
            yield from texts_in(other, kind)
        case ast.Name(id=name), ast.Constant(value=str(text)) if name == TEXT and text:
            yield None, text
        case (
            ast.Subscript(slice=ast.Tuple(elts=[ast.Name(id=name), ast.Constant(value=context)])),
            ast.Constant(value=str(text)),
        ) if name == TEXT and text:
            yield str(context), text
        case ast.Subscript(value=ast.Name(id="Final" | "ClassVar"), slice=inner), _:
            yield from texts_in(value, inner)
        case ast.Subscript(slice=ast.Tuple(elts=[_, each])), ast.Dict(values=values):
            for one in values:
                yield from texts_in(one, each)
        case ast.Subscript(slice=ast.Tuple(elts=[each, ast.Constant(value=end)])), ast.Tuple(
            elts=values
        ) if end is ...:
            for one in values:
                yield from texts_in(one, each)
        case ast.Subscript(slice=ast.Tuple(elts=kinds)), ast.Tuple(elts=values):
            for one, each in zip(values, kinds, strict=False):
                yield from texts_in(one, each)


WIDTH: Final = 100
"""Columns of a catalogue's lines."""


class Stable(Catalog):
    """A catalogue whose header depends neither on the machine nor on the day.

    It keeps the plural forms of the old catalogue, since versions of Babel differ in them.
    """

    def __init__(self, language: str, there: Catalog) -> None:
        comment = f"# Driflamme in the language {language}; made by scripts/catalogues."
        super().__init__(locale=language, header_comment=comment, fuzzy=False)
        self._there = there

    @property
    def num_plurals(self) -> int:
        """Number of plural forms."""
        return self._there.num_plurals

    @property
    def plural_expr(self) -> str:
        """Expression that maps a number to one of the plural forms."""
        return self._there.plural_expr

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
    ("Typer", "Option", "Argument"),
    Parameters(types=dict.fromkeys(("help", "epilog"), ast.Name(TEXT))),
)
"""The parameters of typer's classes and functions that take texts."""


def texts(root: Path = ROOT) -> Catalog:
    """Return every translatable text in the code."""
    files = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    found = Catalog()
    for context, text in texts_of(*(path.read_text(encoding="utf-8") for path in files)):
        found.add(text, context=context)
    for path in (*(root / PROSE).rglob("*.md"), *root.glob(PROSE_OF_WINGS)):
        for title, paragraphs in paragraphs_by_title(path.read_text(encoding="utf-8")).items():
            for each in (title, *paragraphs):
                if not each.startswith(TYPED_INDENT):
                    found.add(each)
    return found


def texts_of(*sources: str) -> Iterator[Found]:
    """Yield the texts of modules that belong together.

    The syntax tree is used because Babel's own reader misses f-strings.
    """
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    takers = OF_TYPER | takers_of(nodes)
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in takers:
                yield from takers[name].texts(node)
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                yield from marked_text(node, name)
            case ast.AnnAssign(annotation=kind, value=ast.expr() as value):
                yield from texts_in(value, kind)
            case ast.FunctionDef():
                yield from assigned_texts(node)


def assigned_texts(function: ast.FunctionDef) -> Iterator[Found]:
    """Yield texts that a function assigns to names that it has annotated."""
    nodes = [*ast.walk(function)]
    kinds = {
        each.target.id: each.annotation
        for each in nodes
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in kinds:
                yield from texts_in(value, kinds[name])


def takers_of(nodes: Iterable[ast.AST]) -> dict[str, Parameters]:
    """Return the parameters of classes and functions by name.

    A class without fields and without an `__init__` has the parameters of its base.
    """
    takers: dict[str, Parameters] = {}
    bases: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            taken = Parameters()
            for each in node.body:
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    taken.names.append(each.target.id)
                    taken.types[each.target.id] = each.annotation
                elif isinstance(each, ast.FunctionDef) and each.name == "__init__":
                    taken = Parameters.of(each)
                    break
            if taken.takes_texts:
                takers[node.name] = taken
            elif not taken.types and node.bases and isinstance(node.bases[0], ast.Name):
                bases[node.name] = node.bases[0].id
        elif isinstance(node, ast.FunctionDef) and node.name not in ("__init__", *CALLS):
            taken = Parameters.of(node)
            if taken.takes_texts:
                takers[node.name] = taken
    for name, base in bases.items():
        while base in bases:
            base = bases[base]
        if base in takers:
            takers[name] = takers[base]
    return takers


def marked_text(call: ast.Call, name: str) -> Iterator[Found]:
    """Yield the text in a call of one of `CALLS`; none if the text comes from a table.

    Raises ValueError if only some of the texts are literals.
    """
    wanted = CALLS[name]
    literals = [arg for arg in call.args[:wanted] if isinstance(arg, ast.Constant)]
    strings = [arg.value for arg in literals if isinstance(arg.value, str)]
    # The text comes from a table, and was collected there.
    if not strings or (len(strings) == 1 < wanted and call.args[0] in literals):
        return
    if len(strings) != wanted:
        raise ValueError(f"line {call.lineno}: {strings} must stand beside literals only")
    if name == "pgettext":
        yield strings[0], strings[1]
    elif name == "counted":
        yield None, (strings[0], strings[0])
    else:
        yield None, strings[0] if wanted == 1 else (strings[0], strings[1])


def po_file(language: str, root: Path = ROOT) -> Path:
    """Return the path of a language's translations."""
    return root / LOCALE / language / "LC_MESSAGES" / "driflamme.po"


def read(language: str, root: Path = ROOT) -> Catalog:
    """Return a language's catalogue from the disk; an empty one if there is none."""
    path = po_file(language, root)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


ALIKE: Final = 0.6
"""Minimum similarity (0 to 1) between a new text and a vanished one, above which the text counts as
changed.
"""


def updated(language: str, wanted: Catalog, there: Catalog) -> Catalog:
    """Return a catalogue of the wanted texts, with the translations in `there`.

    A changed text gets the translation of the old one, marked for review.
    """
    renewed = Stable(language, there)
    gone = [each for each in there if each.id and wanted.get(each.id, each.context) is None]
    for message in wanted:
        if message.id:
            known = there.get(message.id, message.context) or changed_from(message, gone)
            kept = known.string if known is not None else ""
            if language == "fr" and kept:
                kept = spaced(kept) if isinstance(kept, str) else tuple(map(spaced, kept))
            is_new = known is not None and known.id != message.id
            flags = {"fuzzy"} if known is not None and (known.fuzzy or is_new) else set()
            before = known.previous_id if known is not None and flags else []
            renewed.add(
                message.id,
                kept,
                flags=flags,
                previous_id=known.id if known is not None and is_new else before,
                context=message.context,
            )
    return renewed


def changed_from(message: Message, gone: Iterable[Message]) -> Message | None:
    """Return the vanished text that is most similar to a new one, with its translations.

    Returns None if no vanished text with all translations is as similar as `ALIKE`.
    """

    def words(each: Message) -> str:
        return each.id if isinstance(each.id, str) else each.id[0]

    alike = {
        SequenceMatcher(None, words(each), words(message), autojunk=False).ratio(): each
        for each in gone
        if each.context == message.context
        and isinstance(each.id, str) is isinstance(message.id, str)
        and all(forms(each))
    }
    return alike[max(alike)] if alike and max(alike) >= ALIKE else None


def spaced(text: str) -> str:
    r"""Return a French text with no-break spaces beside its punctuation and before units.

    The narrow no-break space is replaced, since many fonts of terminals lack it.

    >>> spaced("Partir ? « Oui », dit-il : voilà")
    'Partir\xa0? «\xa0Oui\xa0», dit-il\xa0: voilà'
    >>> spaced("Tour {round} : (fin) ; +1\u202f!")
    'Tour {round}\xa0: (fin)\xa0; +1\xa0!'
    >>> spaced("de 22 h à 7 h, dans {n} s : {old} s’appelle {new}")
    'de 22\xa0h à 7\xa0h, dans {n}\xa0s\xa0: {old} s’appelle {new}'
    """
    text = text.replace("\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}")
    text = re.sub(r"(?<=[\d}]) (?=(?:%|h|min|Mo|ms|s)(?![\w’]))", "\xa0", text)
    return re.sub(r"(?<=[^\s:;!?]) (?=[:;!?»](?!\S)|»)|(?<=«) ", "\xa0", text)


def forms(message: Message) -> tuple[str, ...]:
    """Return a message's translations: one, or one for each plural form; "" if one is missing."""
    strings = message.string
    if isinstance(strings, list | tuple):
        return tuple(strings)
    return (strings or "",)


def untranslated(catalogue: Catalog) -> Iterator[str]:
    """Yield the texts that lack a translation, or one of its plural forms."""
    for message in catalogue:
        if message.id:
            there = forms(message)
            wanted = catalogue.num_plurals if isinstance(message.id, tuple) else 1
            if len(there) != wanted or not all(there):
                yield shown(message)


def unreviewed(catalogue: Catalog) -> Iterator[str]:
    """Yield the texts that have changed since their translation."""
    return (shown(message) for message in catalogue if message.id and message.fuzzy)


def shown(message: Message) -> str:
    """Return a text with its context, on one line."""
    text = message.id[0] if isinstance(message.id, tuple) else message.id
    context = f"{message.context}: " if message.context else ""
    return f"{context}{json.dumps(text, ensure_ascii=False)}"


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file to write.

    At the end of the block the file replaces the old one. After an error the old file stays.

    Other users can read the file, as they must be able to read a package's files. Files of
    `netcode.whole_file` are private instead.
    """
    content = BytesIO()
    yield content
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(content.getvalue())
    part.replace(path)


def main(arguments: list[str]) -> int:
    """Update all catalogues; return 1 if a text needs a translation or a review."""
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
            write_po(
                file,
                catalogue,
                width=WIDTH,
                no_location=True,
                sort_output=True,
                include_previous=True,
            )
        with written_whole(path.with_suffix(".mo")) as file:
            write_mo(file, catalogue)
        waiting, changed = list(untranslated(catalogue)), list(unreviewed(catalogue))
        missing += len(waiting) + len(changed)
        print(
            f"{language}: {len(catalogue)} texts, {len(waiting)} without a translation,"
            f" {len(changed)} to be reviewed"
        )
        for text in waiting:
            print(f"  {text}")
        for text in changed:
            print(f"  review: {text}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
