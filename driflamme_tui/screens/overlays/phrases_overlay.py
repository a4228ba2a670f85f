"""Quick phrases to choose from: a key or a click says one."""

from collections.abc import Mapping
from typing import get_args

from rich.console import RenderableType
from rich.text import Text

from driflamme_tui.keymap.command_type import one_line
from driflamme_tui.keymap.screen_commands import SessionCommands, closing
from driflamme_tui.screens.base.overlay import OverlayCommands, TextOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.people_words import PHRASE_KEYS, PHRASES
from netcode.protocol.fields import PhraseName


class PhraseCommands(OverlayCommands, prefix="phrases"):
    """What can be done where quick phrases are chosen."""

    close_too = closing(SessionCommands.phrases)
    phrase = one_line("phrases.say", PHRASE_KEYS, "phrase('{}')".format, "say a phrase")


class PhrasesOverlay(TextOverlay[PhraseName], commands=PhraseCommands):
    """All phrases, each with its key; gives back the one that was chosen, or None."""

    def heading(self) -> str:
        """Return what one does here."""
        return _("Say")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return a phrase a row."""
        rows = (
            self.clickable(self.text((f"{digit} ", "bold"), _(phrase)), f"phrase('{digit}')")
            for digit, phrase in zip(PHRASE_KEYS, PHRASES.values(), strict=True)
        )
        return {"reading": Text("\n").join(rows)}

    def action_phrase(self, digit: str) -> None:
        """Say a phrase."""
        self.dismiss(get_args(PhraseName)[PHRASE_KEYS.index(digit)])
