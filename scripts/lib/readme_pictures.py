"""The command line of `scripts/pictures`, which makes the pictures of the README and the guide.

One picture moves: half a minute of a game between bots, from the asciicast of `driflamme replay
--share cast`. The others are the tests' pictures of a lobby and of a table; numbers are added to
the table.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from html import escape
from itertools import groupby, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from scripts.lib.emulator import Emulator, Look

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / ".github" / "pictures"
SNAPSHOTS: Final = ROOT / "tests/driflamme_tui/app/__snapshots__/test_snapshots"
TABLE: Final = SNAPSHOTS / "test_readme_picture.svg"
LOBBY: Final = SNAPSHOTS / "test_on_a_wide_screen[lobby].svg"

SEED: Final = 15

SECONDS: Final = 30
"""Duration of the moving picture, in seconds; the whole recording plays in this time."""

ACROSS, DOWN = 8, 16
"""Width and height of a cell of the recording, in pixels."""

INK, GROUND = "#e8e6df", "#10141b"

NUMBERS: Final = {
    1: (0, 42),
    2: (2, 45),
    3: (6, 108),
    4: (15, 37),
    5: (15, 28),
    6: (16, 61),
    7: (21, 115),
    8: (25, 49),
    9: (27, 115),
    10: (33, 58),
    11: (37, 116),
}
"""Row and column of each number on the picture of the table. `prose/guide/table.md` explains
them.
"""


def main() -> None:
    """Make all pictures."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "lobby.svg").write_text(LOBBY.read_text("utf-8"), "utf-8")
    (FOLDER / "table.svg").write_text(table(), "utf-8")
    (FOLDER / "game.svg").write_text(film(recording()), "utf-8")
    for path in sorted(FOLDER.iterdir()):
        print(f"{path.stat().st_size // 1024:5} KB  {path.relative_to(ROOT)}")


def table() -> str:
    """Return the tests' picture of a table, with the numbers added."""
    return numbered(TABLE.read_text("utf-8"))


def numbered(picture: str) -> str:
    """Return a picture of a table with the numbers that the guide explains."""
    signs = "".join(
        f'<circle cx="{15 + 12.2 * column:.1f}" cy="{53 + 24.4 * row:.1f}" r="15" fill="#d6336c"/>'
        f'<text x="{15 + 12.2 * column:.1f}" y="{60 + 24.4 * row:.1f}" fill="#ffffff" '
        f'font-family="sans-serif" font-size="20" font-weight="bold" text-anchor="middle">{number}'
        "</text>"
        for number, (row, column) in NUMBERS.items()
    )
    return re.sub(r"</svg>\s*$", f"{signs}</svg>\n", picture)


def recording() -> list[str]:
    """Let bots play, and return the lines of the asciicast of their game."""
    program = [sys.executable, "-m", "driflamme_tui"]
    with TemporaryDirectory() as folder:
        trace, cast = Path(folder, "game.jsonl"), Path(folder, "game.cast")
        bots = f"simulate --games 1 --bots sharp,sharp,sharp,sharp --seed {SEED} --trace".split()
        subprocess.run([*program, *bots, trace], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
        share = ["--lang", "en", "replay", "--share", "cast", "--output"]
        subprocess.run([*program, *share, cast, trace], check=True, cwd=ROOT)
        return cast.read_text("utf-8").splitlines()


def film(lines: list[str]) -> str:
    """Return an asciicast of full frames as an SVG that shows them in sequence."""
    header, *frames = map(json.loads, lines)
    width, height = ACROSS * header["width"], DOWN * header["height"]
    screen = Emulator(header["width"], header["height"])
    rows: dict[str, int] = {}
    pictures: list[list[int]] = []
    begins: list[float] = []
    for (at, _output, text), (later, *_rest) in pairwise(frames):
        screen.feed(text)
        if later > at:
            drawn = [_row(row) for row in screen.cells]
            pictures.append([rows.setdefault(each, len(rows)) for each in drawn])
            begins.append(at)
    end = frames[-1][0]
    steps = (
        f"{100 * at / end:.2f}%{{transform:translateY({-height * number}px)}}"
        for number, at in enumerate(begins)
    )
    shown = (
        f'<use href="#r{row}" y="{height * number + DOWN * line + DOWN - 4}"/>'
        for number, picture in enumerate(pictures)
        for line, row in enumerate(picture)
    )
    defined = (f'<g id="r{number}">{row}</g>' for row, number in rows.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        "<title>Half a minute of a game of Driflamme</title><style>"
        "text{font:13.3px 'Fira Code','DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}"
        ".b{font-weight:bold}.i{font-style:italic}"
        f"#film{{animation:film {SECONDS}s steps(1) infinite}}@keyframes film{{{''.join(steps)}}}"
        "@media(prefers-reduced-motion:reduce){#film{animation:none}}"
        f'</style><rect width="100%" height="100%" fill="{GROUND}"/>'
        f'<defs>{"".join(defined)}</defs><g id="film">{"".join(shown)}</g></svg>\n'
    )


def _row(cells: list[tuple[str, Look]]) -> str:
    """Return a row of cells as parts of an SVG, with its baseline at 0."""
    grounds: list[str] = []
    texts: list[str] = []
    at = 0
    for (attributes, colour, ground), same in groupby(cells, lambda cell: cell[1]):
        run = [sign for sign, _look in same]
        ink, behind = _colour(colour, INK), _colour(ground, GROUND)
        if 7 in attributes:
            ink, behind = behind, ink
        if behind != GROUND:
            grounds.append(_box(at, len(run), behind))
        texts += _words(
            "".join(run), at, ink, {name for code, name in _LOOKS if code in attributes}
        )
        at += len(run)
    return "".join(grounds + texts)


_LOOKS: Final = (1, "b"), (3, "i")


def _words(text: str, at: int, ink: str, looks: Iterable[str]) -> list[str]:
    """Return a text, beginning at a column, as parts of an SVG. Runs of blanks are left out."""
    kind = f' class="{" ".join(sorted(looks))}"' if looks else ""
    return [
        f'<text x="{ACROSS * (at + found.start())}" fill="{ink}"{kind}'
        + (f' textLength="{ACROSS * len(found[0])}"' if len(found[0]) > 1 else "")
        + f">{escape(found[0], quote=False)}</text>"
        for found in re.finditer(r"\S+(?: \S+)*", text)
    ]


def _box(at: int, cells: int, colour: str) -> str:
    return f'<path d="M{ACROSS * at} 4v-{DOWN}h{ACROSS * cells}v{DOWN}z" fill="{colour}"/>'


def _colour(colour: tuple[int, ...], usual: str) -> str:
    """Return a colour of the terminal as text; `usual` for the terminal's own colour.

    Casts contain every other colour as numbers.
    """
    return "#{:02x}{:02x}{:02x}".format(*colour[2:]) if colour else usual


if __name__ == "__main__":
    main()
