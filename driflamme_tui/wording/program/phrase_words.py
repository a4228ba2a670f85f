"""Quick phrases of the chat, which each reader is told in their own language."""

from typing import Final

from driflamme_tui.text.i18n import _
from engine.words import N_
from netcode.protocol.fields import PhraseName
from netcode.protocol.messages import Line

PHRASES: Final[dict[PhraseName, str]] = {
    "bluff": N_("You are bluffing!"),
    "trap": N_("That smells like an Ambush."),
    "dare": N_("Go on, strike it!"),
    "nothing": N_("Nothing to see here."),
    "touch": N_("I would not touch that."),
    "lucky": N_("How lucky!"),
    "clever": N_("Well played!"),
    "revenge": N_("I will remember that."),
    "hurry": N_("Somebody is thinking hard."),
    "thanks": N_("Thank you all!"),
}
"""The phrases by their names on the wire, in the order of their keys."""

PHRASE_KEYS: Final = "1234567890"
"""The keys of the phrases, in that order."""


def said(line: Line) -> str:
    """Return what a line of chat says to the reader."""
    return line.text if line.phrase is None else _(PHRASES[line.phrase])


def speaker(name: str) -> str:
    """Return what stands before what somebody says: `Rosalind: `."""
    return _("{name}:").format(name=name) + " "
