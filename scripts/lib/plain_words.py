"""Prints sentences of docstrings and comments that may need a second reading. It never fails.

    .venv/bin/python -m scripts.lib.plain_words engine netcode/table

Replacing a word by another is not the goal. Read each sentence as a stranger, and rewrite it only
if it has two readings.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

LONGEST: Final = 25
"""Maximum number of words in a sentence."""

PATTERNS: Final = {
    r"\bwho(?:ever|m|mever)?\b(?! (?:is|are|has) (?:the|a)\b)": "name the person",
    r"^(?:Whether|What|That|Of|By)\b": "begin with the subject",
    r"\bwhat (?:is|was|has|comes|there)\b": "name the thing",
    r"\b(?:told|tells|tell|says|said)\b": "send, print, return or show",
    r"\b(?:so|as) (?:much|many|long|far)\b": "give the number or the limit",
    r"\b(?:one's|oneself|somebody's|somebody)\b": "name the player or the program",
    r"\bhave (?:\w+ ){1,3}(?:done|told|shown|sent|kept)\b": "say which part does it",
    r"\b(?:carry|carries|coach|rival|room)\b": "use the word of the table in CONTRIBUTING.md",
    r"\b(?:nothing|nobody|none) (?:else|of)\b": "avoid the negative",
}
"""Patterns that often need a second reading, each with advice."""


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield each docstring and comment of a module, with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and token.string.startswith("# "):
            yield token.start[0], token.string.removeprefix("# ")


def remarks(text: str) -> Iterator[str]:
    """Yield advice on a docstring or comment."""
    plain = re.sub(r"`[^`]*`|>>>.*", "it", text)
    for sentence in re.split(r"(?<=[.!?])\s+|\n\s*\n|: ", plain):
        words = sentence.split()
        if len(words) > LONGEST:
            yield f"{len(words)} words"
        for pattern, advice in PATTERNS.items():
            if found := re.search(pattern, " ".join(words), re.IGNORECASE * (pattern[0] != "^")):
                yield f"{found[0]!r}: {advice}"


def main(arguments: list[str]) -> None:
    """Print remarks on the modules and folders with these paths."""
    places = map(Path, arguments or ("engine", "netcode", "driflamme_tui", "scripts", "tests"))
    paths = [each for place in places for each in (sorted(place.rglob("*.py")) or [place])]
    number = 0
    for path in paths:
        for line, text in texts(path.read_text("utf-8")):
            for remark in remarks(text):
                number += 1
                print(f"{path}:{line}: {remark}")
    print(f"{number} sentences to read again")


if __name__ == "__main__":
    main(sys.argv[1:])
