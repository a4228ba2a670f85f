"""What is laid over a game that is looked back at: its position, its answers, and a search."""

from collections.abc import Sequence
from typing import Any, Final

from rich.text import Text
from textual.app import App

from driflamme_tui.drawing.palette import Palette
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.screens.base.overlay import InputOverlay, TextOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import card_name
from driflamme_tui.wording.program.joining_words import copied
from driflamme_tui.wording.program.replay_words import shared_text
from engine.actions import Action, Place
from engine.position import PLACE
from engine.replaying import Replay
from engine.words import N_

TOKEN_WIDTH: Final = 8
"""Columns of an answer in notation."""

LONGEST_NAME: Final = 24
"""Columns of a card's name."""

LONGEST_TOKEN: Final = 12
"""Characters that may be typed to find a decision: those of any token and some to spare."""


class PositionOverlay(TextOverlay):
    """A position in notation, which has been copied."""

    def __init__(self, state: TableState, line: str) -> None:
        super().__init__(_("The position of this step"))
        self.line, self.whole = line, state.laid_open

    def reading(self, palette: Palette) -> Text:
        """The line, and what to do with it."""
        text = Text()
        text.append(f"{self.line}\n\n", f"bold {palette.ink}")
        text.append(f"{copied()}\n", palette.mute)
        hint = _("With ? for each card that this seat could not know.")
        if self.whole:
            hint = _("Given this line in quotes, driflamme board plays on from here.")
        text.append(hint, palette.mute)
        return text


class WhyOverlay(TextOverlay):
    """All that the teacher says of a decision."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__(_("Teacher"))
        self.sentences = sentences

    def reading(self, palette: Palette) -> Text:
        """A paragraph for its answer, for what speaks for that, and for each line."""
        answer, *reasons = self.sentences
        return Text("\n\n").join([Text(answer, f"bold {palette.ink}"), *map(Text, reasons)])


class AnswersOverlay(TextOverlay):
    """Every answer that was legal, the one that was given set apart."""

    def __init__(self, state: TableState, answers: tuple[Action, ...], given: str) -> None:
        super().__init__(_("The possible answers here"))
        self.state, self.answers, self.given = state, answers, given

    def reading(self, palette: Palette) -> Text:
        """A card a row, with the places where it might go; or an answer a row, and its effect."""
        text = Text()
        view, plain = self.state.view, palette.mute
        taken = f"bold {palette.ink}"
        if view.asked == PLACE:
            for card in view.hands[view.turn]:
                text.append(f"{card_name(card):<{LONGEST_NAME}}", plain)
                for answer in self.answers:
                    if isinstance(answer, Place) and answer.card == card:
                        text.append_text(self._token(answer, taken, plain))
                text.append("\n")
        else:
            for answer in self.answers:
                effect = self.state.prompter.effect(answer)
                text.append_text(self._token(answer, taken, plain))
                text.append(f"{effect}\n", taken if str(answer) == self.given else plain)
        text.right_crop(1)
        return text

    def _token(self, answer: Action, taken: str, plain: str) -> Text:
        """Return an answer in notation; the one that was given between marks."""
        token = str(answer)
        if token == self.given:
            before, after = self.state.glyphs.chosen_mark
            return Text(f"{before}{token}{after}".ljust(TOKEN_WIDTH), taken)
        return Text(f" {token} ".ljust(TOKEN_WIDTH), plain)


class FindOverlay(InputOverlay):
    """Asks for a decision in notation; gives back what was typed, or None."""

    done = N_("Find the next ({key})")
    longest = LONGEST_TOKEN

    def __init__(self) -> None:
        super().__init__(
            _("A decision in notation, or its beginning: L> places a Lord, x eliminates.")
        )

    def parsed(self, typed: str) -> str | None:
        """Return what is to be found."""
        return typed.strip() or None


class SharedOverlay(TextOverlay):
    """Shows what was copied: not every terminal lets a program copy, but all let one select."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(_("Copied: ready to share"))
        self.lines = lines

    def reading(self, palette: Palette) -> Text:
        """The text as it was copied."""
        return Text("\n".join(self.lines))


def share(app: App[Any], replay: Replay, glyphs: Glyphs) -> None:
    """Copy a game as text, and show it."""
    lines = list(shared_text(replay, glyphs))
    app.copy_to_clipboard("\n".join(lines))
    app.push_screen(SharedOverlay(lines))
