"""Shows a review in an overlay: its progress, the accuracy, and the costliest decisions."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import Static

from driflamme_tui.keymap.command_type import Command, one_line
from driflamme_tui.keymap.screen_commands import HelpedCommands
from driflamme_tui.replay.judging import MISTAKES, Advice, Review
from driflamme_tui.screens.base.overlay import ListOverlay
from driflamme_tui.study.replay_commands import ReplayCommands
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.list_table import Column
from driflamme_tui.wording.choices.mistake_words import (
    Mistake,
    accuracy_sentence,
    fairness,
    finding,
    mistake,
    progress_sentence,
)

_NUMBERS = "".join(map(str, range(1, MISTAKES + 1)))


class MistakesCommands(HelpedCommands, prefix="mistakes"):
    """Commands that choose one of the costliest decisions, and show it or try it again."""

    up = Command("up", "move(-1)", "choose a decision", "choose", listed=False, repeats=True)
    down = Command(
        "down", "move(1)", "choose the next decision", row=up, listed=False, repeats=True
    )
    open = Command("enter", "open", "see the chosen decision in the replay", "see it")
    again = Command("t", "again", "try again from before the chosen decision", "try again")
    numbered = one_line(
        "mistakes.see", _NUMBERS, "numbered('{}')".format, "see a decision in the replay"
    )
    close = Command("escape,q", "dismiss", "close this window", "close")
    close_too = Command(
        "j,m", "dismiss", "close this window", follows=ReplayCommands.review, listed=False
    )
    bar = "up/down open again close"


class Wish(NamedTuple):
    """A decision that the reader wants to see, or to try again."""

    step: int
    is_try: bool = False


class MistakesOverlay(ListOverlay[Advice, Wish], commands=MistakesCommands):
    """The accuracy of a player, and the costliest decisions.

    Returns the reader's wish; None if the reader closes the list.
    """

    def __init__(self, review: Review, has_failed: Callable[[], bool]) -> None:
        """Show a review; `has_failed` returns True if the teacher gave up."""
        super().__init__()
        self._review, self._has_failed = review, has_failed
        self._worded: dict[int, Mistake] = {}
        """The texts about decisions in the present language and signs, by step."""

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. All but closing need a listed decision."""
        match command:
            case MistakesCommands.close | MistakesCommands.close_too:
                return True
        return bool(self.items)

    def parts(self) -> ComposeResult:
        """Yield the text above the list, the list, and the text below it."""
        yield Static(id="review")
        yield from super().parts()

    def heading(self) -> str:
        """Return the title in the upper edge."""
        return _("Learn from mistakes")

    @property
    def items(self) -> Sequence[Advice]:
        """The costliest decisions; () until all decisions are judged."""
        return self._review.mistakes if self._review.is_done else ()

    def name_of(self, item: Advice) -> object:
        """Return the step of a decision."""
        return item.step

    def columns(self) -> Sequence[Column[Advice]]:
        """Return the columns for number, round, decision and loss."""
        return (
            Column("", lambda item: self.text((str(self._number(item)), "bold"))),
            Column("", lambda item: self.text((self._round(item), "mute"))),
            Column(
                "",
                lambda item: self.text(self._words(item).label),
                grows=True,
            ),
            Column(
                "",
                lambda item: self.text((self._words(item).cost, "bold")),
                is_number=True,
            ),
        )

    def _number(self, item: Advice) -> int:
        return [each.step for each in self.items].index(item.step) + 1

    def _round(self, item: Advice) -> str:
        return _("round {round}", round=self._words(item).round)

    def _words(self, item: Advice) -> Mistake:
        """Return the texts about a decision."""
        if item.step not in self._worded:
            self._worded[item.step] = mistake(self._review, item, self.glyphs)
        return self._worded[item.step]

    def sync(self) -> None:
        """Redraw everything. Language, signs or judgements may have changed."""
        self._worded.clear()
        super().sync()

    def texts(self) -> Mapping[str, RenderableType]:
        """Return progress or accuracy above the list, and the advice on the chosen decision."""
        review, chosen = self._review, self.chosen if self.items else None
        above = self.text((progress_sentence(review, failed=self._has_failed()), "bold"))
        if review.is_done:
            accuracy = accuracy_sentence(review)
            above = self.text(
                (accuracy, "bold"), "\n" if accuracy else "", (finding(review), "mute")
            )
        about: list[Text] = []
        if chosen is not None:
            words = self._words(chosen)
            about = [Text(), self.text((words.advice, "bold")), *map(self.text, words.reasons[:1])]
        if review.steps:
            about += [self.text((fairness(), "mute"))]
        return {"review": above, "about": Text("\n").join(about)}

    def action_open(self) -> None:
        """If a decision is chosen, close the list, and show the decision."""
        if self.chosen is not None:
            self.dismiss(Wish(self.chosen.step))

    def action_again(self) -> None:
        """If a decision is chosen, close the list, and let the reader try the decision again."""
        if self.chosen is not None:
            self.dismiss(Wish(self.chosen.step, is_try=True))

    def action_numbered(self, digit: str) -> None:
        """Close the list, and show the decision with this number; do nothing if there is none."""
        for item in self.items[int(digit) - 1 : int(digit)]:
            self.dismiss(Wish(item.step))
