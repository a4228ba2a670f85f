"""Tests that links, commands and pictures of the documentation work, and that it is short."""

import itertools
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from driflamme_tui.cli.command_group import _for_all_first
from driflamme_tui.cli.program import app
from driflamme_tui.text.i18n import PROSE_DIRECTORY
from driflamme_tui.wording.game.help_pages import GUIDE
from scripts.lib import readme_pictures
from tests.support.wings import is_of_missing_wing

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "netcode", "driflamme_tui", "tests", "scripts", ".github")
DOCUMENTS = sorted(
    path
    for paths in (ROOT.glob("*.md"), *((ROOT / package).rglob("*.md") for package in PACKAGES))
    for path in paths
)
SENTENCES = [path for path in DOCUMENTS if "prose" not in path.parts]

FRONT_PAGE = 90
"""Maximum number of lines of the front page."""

FRONT_PAGE_WORDS = 800
"""Maximum number of words of the front page."""

LONGEST = 250
"""Maximum number of characters of a line of the front page; the longest are rows of tables."""

WORDS = 23_800
"""Maximum number of words in all documents together, without generated tables.

The changelog only grows, and is not counted.
"""


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings."""
    headings = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("document", SENTENCES, ids=named)
def test_every_link_leads_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text("utf-8")):
        if "://" in link:
            continue
        place, _, anchor = link.partition("#")
        target = (document.parent / place).resolve() if place else document
        if is_of_missing_wing(target.as_posix()):
            continue
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


EXAMPLES = {
    "commands.py",
    "options.py",
    "tags.py",
    "mybots.py",
    "scripts/lib/bench_NAME.py",
    "tables.db",
    "tables.lock",
}
"""File names in documents that need not exist: examples, and files of a running program."""


@cache
def files() -> list[str]:
    """Return the paths of all files in the packages and in the root folder."""
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*.*"))
    return [path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.*"), *paths)]


@pytest.mark.parametrize("document", SENTENCES, ids=named)
def test_every_file_named_is_there(document: Path) -> None:
    text = document.read_text("utf-8")
    endings = "py|md|json|jsonl|txt|toml|yml|db|lock"
    for name in {*re.findall(rf"`([\w./-]+\.(?:{endings}))`", text)} - EXAMPLES:
        is_there = any(path.endswith(f"/{name}") or path == name for path in files())
        assert is_there or is_of_missing_wing(name), name


def command_lines(text: str) -> Iterator[str]:
    """Yield each command line of the program in a document."""
    text = re.sub(r" *<!-- wing: \w+ -->", "", text)
    yield from re.findall(r"`(driflamme [^`]+)`", text)
    for line in re.findall(r"^    (?:\$ )?(?:scripts/)?(driflamme (?:\\\n|.)*)", text, re.M):
        yield re.sub(r"\\\n", " ", line)


def parse(line: str) -> None:
    """Parse a command line without running it; raises the program's error."""
    words = shlex.split(re.split(r"\s[|>]\s", line)[0], comments=True)[1:]
    words = _for_all_first(words)
    name, *rest = [*itertools.dropwhile(lambda word: word.startswith("-"), words)]
    group = get_command(app)
    command = group.get_command(group.make_context("driflamme", [name]), name)  # type: ignore[attr-defined]
    assert command, f"there is no command {name}"
    if rest and "--help" not in rest:
        command.make_context(name, rest)


def commands_named() -> list[tuple[str, str]]:
    documents = {named(path): path.read_text("utf-8") for path in DOCUMENTS}
    lines = ((name, line) for name, text in documents.items() for line in command_lines(text))
    return sorted({(name, line) for name, line in lines if line.split()[1][0] != "-"})


@pytest.mark.parametrize(("document", "line"), commands_named())
def test_every_command_line_is_one_that_the_program_takes(document: str, line: str) -> None:
    assert document
    parse(line)


@pytest.mark.parametrize(
    "line", ["driflamme hosts", "driflamme host --secret", "driflamme host --port x"]
)
def test_a_command_line_that_it_does_not_take_is_noticed(line: str) -> None:
    with pytest.raises(Exception, match=r"no command|No such option|Invalid value|not a valid"):
        parse(line)


def test_the_front_page_is_short() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    lines = text.splitlines()
    assert len(lines) <= FRONT_PAGE
    assert len(text.split()) <= FRONT_PAGE_WORDS
    assert max(map(len, lines)) <= LONGEST


def test_all_documents_together_are_short() -> None:
    # Generated tables are as long as their subject, and nobody reads the marks of wings.
    texts = [path.read_text("utf-8") for path in DOCUMENTS if path.name != "CHANGELOG.md"]
    written = [
        re.sub(r"<!-- \w+: written by.*?<!-- end -->|<!-- wing: \w+ -->", "", text, flags=re.S)
        for text in texts
    ]
    assert sum(len(text.split()) for text in written) <= WORDS


def test_the_guide_explains_each_number_of_the_picture_of_the_table() -> None:
    text = (PROSE_DIRECTORY / GUIDE / "table.md").read_text("utf-8")
    numbers = [int(each) for each in re.findall(r"^- `(\d+)` ", text, re.M)]
    assert numbers == [*readme_pictures.NUMBERS]
    table = (readme_pictures.FOLDER / "table.svg").read_text("utf-8")
    assert readme_pictures.numbered("<svg></svg>").removeprefix("<svg>") in table


def test_a_recording_becomes_a_picture_that_moves() -> None:
    header = '{"version": 2, "width": 5, "height": 2}'
    bold = "\\u001b[1;1H\\u001b[1;38;2;1;2;3mA\\u001b[0m<b"
    frames = f'[0, "o", "{bold}"]', '[1, "o", "\\u001b[2;1Hc"]', '[4, "o", ""]'
    film = readme_pictures.film([header, *frames])
    assert '<text x="0" fill="#010203" class="b">A</text>' in film
    assert "&lt;b</text>" in film
    assert "0.00%{transform:translateY(0px)}25.00%{transform:translateY(-32px)}" in film
    assert film.count("<use ") == 4


def test_the_recording_of_the_front_page_is_small() -> None:
    assert (readme_pictures.FOLDER / "game.svg").stat().st_size < 300_000
