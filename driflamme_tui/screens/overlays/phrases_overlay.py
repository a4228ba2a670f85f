"""Quick phrases to choose from: a key or a click says one."""

from typing import Final, get_args

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.command_type import Command, one_line
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import HelpedCommands, SessionCommands, closing
from driflamme_tui.screens.base.overlay import FRAME_ROWS, BoxedMenu
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.people_words import PHRASE_KEYS, PHRASES
from netcode.protocol.fields import PhraseName


class PhraseCommands(HelpedCommands, prefix="phrases"):
    """What can be done where quick phrases are chosen."""

    close = Command("escape,q,enter", "dismiss", "close this", "closes", listed=False)
    close_too = closing(SessionCommands.phrases)
    phrase = one_line("phrases.say", "1234567890", "phrase('{}')".format, "say a phrase")


WIDTH: Final = 40
"""Columns of the box, if there are so many."""


class PhrasesOverlay(BoxedMenu[PhraseName], commands=PhraseCommands):
    """All phrases, each with its key; gives back the one that was chosen, or None."""

    def sync(self) -> None:
        """Word the frame and draw the phrases."""
        closes = _("{key} closes", key=key(PhraseCommands.close, self.glyphs))
        self.fit(_("Say"), [closes], WIDTH, len(PHRASES) + FRAME_ROWS)

    def draw(self, canvas: Canvas) -> None:
        """Draw a phrase a row."""
        for row, (digit, phrase) in enumerate(zip(PHRASE_KEYS, PHRASES.values(), strict=True)):
            end = canvas.place(1, row, f"{digit} ", canvas.bold, f"phrase('{digit}')")
            canvas.place(end, row, _(phrase), canvas.plain, f"phrase('{digit}')")

    def action_phrase(self, digit: str) -> None:
        """Say a phrase."""
        self.dismiss(get_args(PhraseName)[PHRASE_KEYS.index(digit)])
