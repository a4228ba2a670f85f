"""Shows the end of the guided game: a summary of the rules, and the next steps."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.screens.base.overlay import Dialog, InputCommands
from driflamme_tui.study.study_words import end_sentence, learnt, ways_on
from driflamme_tui.wording.game.names import card_name
from engine.cards import CARDS
from engine.texts import Text


class LessonEndCommands(InputCommands, prefix="lesson-end"):
    """Commands of the dialog after the guided game: scroll its text by pages, or leave."""

    page_up = Command("pageup", "page(-1)", "scroll a page", listed=False, repeats=True)
    page_down = Command(
        "pagedown", "page(1)", "scroll a page down", row=page_up, listed=False, repeats=True
    )
    leave = Command("q", "dismiss", "go back to the table", row=InputCommands.cancel, listed=False)


class LessonEnd(Dialog[str], commands=LessonEndCommands):
    """Shows a summary of the rules, and asks for the next step."""

    title_words: Text = "Now you know the game"

    def words(self) -> ComposeResult:
        """Yield a sentence about the lesson, and a table of all cards."""
        cards = self.grid(3)
        for card in CARDS:
            name = self.text((card_name(card), "bold"))
            cards.add_row(self.text((card, "mute")), name, self.text(learnt(card)))
        with VerticalScroll(id="learnt", can_focus=False):
            yield Static(self.text(end_sentence()), id="learnt-end")
            yield Static(cards)

    def buttons(self) -> Sequence[tuple[str, str]]:
        """Return the buttons for the next steps."""
        return [(words, f"take('{name}')") for name, words in ways_on().items()]

    def action_take(self, name: str) -> None:
        """Close the dialog with the chosen step as its result."""
        self.dismiss(name)
