"""What is laid over a game that is looked back at: its position, its answers, and a search."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from rich.console import RenderableType
from rich.text import Text
from textual.app import App

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.screens.base.overlay import InputOverlay, TextOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import card_name
from driflamme_tui.wording.program.joining_words import copied
from driflamme_tui.wording.program.replay_words import shared_text
from engine import words
from engine.actions import Action, Place
from engine.position import PLACE
from engine.replaying import Replay

LONGEST_TOKEN: Final = 12
"""Characters that may be typed to find a decision: those of any token and some to spare."""


Piece: TypeAlias = str | tuple[str, str]
"""Words, maybe with their role."""


class ToldOverlay(TextOverlay[None]):
    """A text under a title."""

    def __init__(self, title: words.Text, told: Callable[[], Iterable[Piece]]) -> None:
        """Show what is told in the language of the moment, under a title to be translated."""
        super().__init__()
        self.title_words, self.told = title, told

    def heading(self) -> str:
        """Return the title."""
        return _(self.title_words)

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the text."""
        return {"reading": self.text(*self.told())}


def position_overlay(line: str, copies_with: str, *, whole: bool) -> ToldOverlay:
    """Return a position in notation, which has been copied, and what to do with it.

    `copies_with` is the program that copied it, or "".
    """

    def told() -> Iterator[Piece]:
        note = _("With ? for each card that this seat could not know.")
        if whole:
            note = _("Given this line in quotes, driflamme board plays on from here.")
        yield line, "bold"
        yield f"\n\n{copied(copies_with)}\n{note}", "mute"

    return ToldOverlay("The position of this step", told)


def why_overlay(answer: str, reasons: Sequence[str]) -> ToldOverlay:
    """Return all that the teacher says of a decision, a paragraph for each reason."""
    return ToldOverlay("Teacher", lambda: [(answer, "bold"), *(f"\n\n{why}" for why in reasons)])


def shared_overlay(lines: Iterable[str]) -> ToldOverlay:
    """Return what was copied: not every terminal lets a program copy, but all let one select."""
    return ToldOverlay("Copied: ready to share", lambda: ["\n".join(lines)])


class AnswersOverlay(TextOverlay[None]):
    """Every answer that was legal, the one that was given set apart."""

    def __init__(self, state: TableState, answers: tuple[Action, ...], given: str) -> None:
        super().__init__()
        self.state, self.answers, self.given = state, answers, given

    def heading(self) -> str:
        """Return what they are."""
        return _("The possible answers here")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return a card a row, with the places where it might go; or an answer, and its effect."""
        view, table = self.state.view, self.grid(2, 2)
        if view.asked == PLACE:
            for card in view.hands[view.turn]:
                places = [each for each in self.answers if isinstance(each, Place)]
                tokens = [self._token(each) for each in places if each.card == card]
                table.add_row(self.text((card_name(card), "mute")), Text("  ").join(tokens))
        else:
            for answer in self.answers:
                role = "bold" if str(answer) == self.given else "mute"
                effect = self.text((self.state.prompter.effect(answer), role))
                table.add_row(self._token(answer), effect)
        return {"reading": table}

    def _token(self, answer: Action) -> Text:
        """Return an answer in notation; the one that was given between marks."""
        token = str(answer)
        if token == self.given:
            return self.text((token.join(self.glyphs.chosen_mark), "bold"))
        return self.text((f" {token} ", "mute"))


class FindOverlay(InputOverlay):
    """Asks for a decision in notation; gives back what was typed, or None."""

    done: words.Text = "Find the next ({key})"
    longest = LONGEST_TOKEN

    def __init__(self) -> None:
        super().__init__(
            _("A decision in notation, or its beginning: L> places a Lord, x eliminates.")
        )

    def parsed(self, typed: str) -> str | None:
        """Return what is to be found."""
        return typed.strip() or None


def share(app: App[Any], replay: Replay, glyphs: Glyphs) -> None:
    """Copy a game as text, and show it."""
    lines = list(shared_text(replay, glyphs))
    app.copy_to_clipboard("\n".join(lines))
    app.push_screen(shared_overlay(lines))
