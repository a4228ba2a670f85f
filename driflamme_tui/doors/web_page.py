"""The page of the web door: its files, its texts in every language, what it lets a browser do.

What shows the terminal is xterm.js out of the package `textual-serve`; its server is not used.
"""

import gzip
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Final

from msgspec import Struct

from driflamme_tui.text.i18n import ENGLISH, known_language, translator
from engine.words import N_

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Server": "Driflamme",
}
"""What every answer tells the browser: only this page's own files, and in nobody's frame."""

TEXTS: Final = {
    "name": N_("Your name"),
    "code": N_("The code that the host tells you"),
    "invitation": N_("The invitation of this club"),
    "sign": "K7Q-F2MXR",
    "enter": N_("Sit down"),
    "seen": N_("The table is drawn on the host's machine, so that machine sees your cards."),
    "left": N_("You are no longer at the table."),
    "again": N_("Rejoin"),
    "elsewhere": N_("Your table is on another page now."),
    "here": N_("Show it here"),
    "turn": N_("The table needs more room: turn the phone, or make the window larger."),
    "lost": N_("The connection is lost; coming back …"),
    "script": N_("This page needs JavaScript."),
    "keys": N_("Keys"),
    "paste": N_("Paste"),
    "type": N_("Keyboard"),
    "text": N_("Lines of text instead, for screen readers"),
    "told": N_("What happens"),
    "say": N_("Your answer, or help"),
}
"""Everything that the page says."""

_OURS: Final = files("driflamme_tui.doors") / "page"
_XTERM: Final = files("textual_serve") / "static"

FILES: Final = {
    "/page.js": (_OURS / "page.js", "text/javascript"),
    "/page.css": (_OURS / "page.css", "text/css"),
    "/icon.svg": (_OURS / "icon.svg", "image/svg+xml"),
    "/textual.js": (_XTERM / "js" / "textual.js", "text/javascript"),
    "/xterm.css": (_XTERM / "css" / "xterm.css", "text/css"),
}
"""The files of the page by their path, and of which kind each is."""


PAGES: Final = "/", "/text"
"""Where the page is: with a screen, and with lines for screen readers."""


class PageFile(Struct, frozen=True):
    """What is served at a path."""

    packed: bytes
    """By gzip."""
    kind: str
    tag: str
    """Another for other contents, so that a browser need not get the same twice."""


@cache
def page_file(path: str, language: str, *, club: bool = False) -> PageFile:
    """Return what is at a path of `FILES`, or of `PAGES`: the page in a language."""
    if path in PAGES:
        said = TEXTS | {"code": TEXTS["invitation"], "sign": " "} if club else TEXTS
        texts = {name: escape(translator(language)(text)) for name, text in said.items()}
        template = Template((_OURS / "index.html").read_text("utf-8"))
        content, kind = template.substitute(texts, language=language).encode(), "text/html"
    else:
        file, kind = FILES[path]
        content = file.read_bytes()
    return PageFile(gzip.compress(content), kind, sha256(content).hexdigest()[:32])


def first_known(languages: str) -> str:
    """Return the first language there is of those that a browser says it accepts."""
    known = (known_language(each.partition(";")[0].strip()) for each in languages.split(",", 9))
    return next((each for each in known if each is not None), ENGLISH)
