"""Defines overlays of a replay: position, possible answers, and the search for a decision."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.screens.base.overlay import InputOverlay, TextOverlay
from driflamme_tui.screens.overlays.shared_overlay import Piece, PiecesOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import card_name
from driflamme_tui.wording.program.joining_words import copied_sentence
from engine import texts
from engine.actions import Action, Place
from engine.position import PLACE

LONGEST_TOKEN: Final = 12
"""Maximum characters in the search for a decision: more than any token has."""


def position_overlay(line: str, copies_with: str, *, whole: bool) -> PiecesOverlay:
    """Return an overlay with a copied position in notation, and its uses.

    `copies_with` is the program that copied the position; "" means the terminal itself. `whole` is
    True if the position has no unknown cards.
    """

    def pieces() -> Iterator[Piece]:
        note = _("With ? for each card that this seat could not know.")
        if whole:
            note = _("Pass this line, in quotes, to driflamme board to play from here.")
        yield line, "bold"
        yield f"\n\n{copied_sentence(copies_with)}\n{note}", "mute"

    return PiecesOverlay("The position of this step", pieces)


def why_overlay(answer: str, reasons: Sequence[str]) -> PiecesOverlay:
    """Return an overlay with the whole judgement of the teacher, one paragraph for each reason."""
    return PiecesOverlay("Teacher", lambda: [(answer, "bold"), *(f"\n\n{why}" for why in reasons)])


class AnswersOverlay(TextOverlay[None]):
    """Shows all legal answers. The answer with the token `given` is highlighted; "" for none."""

    def __init__(self, state: TableState, answers: tuple[Action, ...], given: str) -> None:
        super().__init__()
        self.state, self.answers, self.given = state, answers, given

    def heading(self) -> str:
        """Return the title in the upper edge."""
        return _("The possible answers here")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return rows with a card and its possible places, or with an answer and its effect."""
        view, table = self.state.view, self.grid(2, 2)
        if view.question == PLACE:
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
        """Return an answer in notation; the given answer has marks around it."""
        token = str(answer)
        if token == self.given:
            return self.text((token.join(self.glyphs.chosen_mark), "bold"))
        return self.text((f" {token} ", "mute"))


class FindOverlay(InputOverlay):
    """Asks for a decision in notation.

    Returns the token to search for; None if the reader gives up.
    """

    done: texts.Text = "Find the next ({key})"
    longest = LONGEST_TOKEN

    def __init__(self) -> None:
        super().__init__(
            _("A decision in notation, or its beginning: L> places a Lord, x eliminates.")
        )

    def parsed(self, typed: str) -> str | None:
        """Return the token to search for; None for an empty text."""
        return typed.strip() or None
