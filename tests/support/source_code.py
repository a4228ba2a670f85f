"""Searches source code without strings and comments, which takes less time than parsing it."""

import re

_TEXTS = re.compile(
    r"""#[^\n]*"""
    r'''|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"'''
    r"""|'''(?:\\.|[^\\])*?'''|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)
"""Matches a comment or a string. The first one that begins hides all others in it."""


def without_texts(source: str) -> str:
    """Return source code with an empty string for each string, and without comments.

    >>> without_texts('x = "a # b"  # "c"')
    'x = ""  '
    """
    return _TEXTS.sub(lambda found: "" if found[0].startswith("#") else '""', source)
