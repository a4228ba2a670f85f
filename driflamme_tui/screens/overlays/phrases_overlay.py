"""Offers quick phrases. Enter, a key or a click sends one."""

from collections.abc import Sequence

from driflamme_tui.keymap.command_type import Command, one_line
from driflamme_tui.keymap.screen_commands import HelpedCommands, SessionCommands, closing
from driflamme_tui.screens.base.overlay import ListOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.list_table import Column
from driflamme_tui.wording.program.people_words import PHRASE_KEYS, PHRASES
from netcode.protocol.fields import PhraseName


class PhraseCommands(HelpedCommands, prefix="phrases"):
    """Commands that choose a quick phrase and send it."""

    up = Command("up", "move(-1)", "choose a phrase", "choose", listed=False, repeats=True)
    down = Command("down", "move(1)", "choose the next phrase", row=up, listed=False, repeats=True)
    chosen = Command("enter", "open", "send the chosen phrase", "send")
    close = Command("escape,q", "dismiss", "close this window", "close")
    close_too = closing(SessionCommands.phrases)
    phrase = one_line("phrases.say", PHRASE_KEYS, "phrase('{}')".format, "send a phrase")
    bar = "up/down chosen close"


class PhrasesOverlay(ListOverlay[PhraseName, PhraseName], commands=PhraseCommands):
    """All phrases, each with its key. Returns the chosen phrase; None if the list is closed."""

    def heading(self) -> str:
        """Return the title in the upper edge."""
        return _("Phrases")

    @property
    def items(self) -> Sequence[PhraseName]:
        """The phrases, by name."""
        return list(PHRASES)

    def columns(self) -> Sequence[Column[PhraseName]]:
        """Return the columns for keys and phrases. A click sends a phrase at once."""
        keys = dict(zip(self.items, PHRASE_KEYS, strict=True))

        def action(phrase: PhraseName) -> str:
            return f"phrase('{keys[phrase]}')"

        return (
            Column("", lambda phrase: self.link(keys[phrase], action(phrase), "bold")),
            Column("", lambda phrase: self.link(_(PHRASES[phrase]), action(phrase)), grows=True),
        )

    def action_open(self) -> None:
        """Send the chosen phrase, if there is one, and close the list."""
        if self.chosen is not None:
            self.dismiss(self.chosen)

    def action_phrase(self, digit: str) -> None:
        """Send the phrase with this key."""
        self.dismiss(self.items[PHRASE_KEYS.index(digit)])
