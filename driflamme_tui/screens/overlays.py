"""What is laid over the table: help, all events, public knowledge, and the way out.

The game goes on beneath; Esc or the same key again closes an overlay.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Click
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from driflamme_tui.actions import bindings
from driflamme_tui.i18n import _, pgettext
from driflamme_tui.knowledge import knowledge
from driflamme_tui.screens.commanded import Commanded
from driflamme_tui.table_state import TableState
from driflamme_tui.widgets.glyphs import Glyphs
from driflamme_tui.widgets.known import known_legend, known_mark
from driflamme_tui.widgets.palette import Palette
from driflamme_tui.wording.cards import card_help, card_summary
from driflamme_tui.wording.names import card_name
from driflamme_tui.wording.rules import rules_sections
from engine.cards import CARDS

if TYPE_CHECKING:
    from driflamme_tui.app import DriflammeApp


class Overlay(Commanded, ModalScreen[None]):
    """A text to scroll, with a title."""

    app: "DriflammeApp"

    BINDINGS: ClassVar[list[BindingType]] = bindings("everywhere", "overlay")

    def __init__(self, glyphs: Glyphs, heading: str) -> None:
        super().__init__()
        self.glyphs = glyphs
        self.heading = glyphs.plain(heading)

    def text(self, palette: Palette) -> Text:
        """Return what is to be read."""
        raise TypeError("an overlay says what is to be read")

    def compose(self) -> ComposeResult:
        """A box with a title and a scrolling text."""
        palette = self.app.palette
        with Vertical(id="overlay") as box:
            if not self.glyphs.unicode:
                box.styles.border = ("ascii", palette.mute)
            box.border_title = self.heading
            box.border_subtitle = _("Esc closes")
            with VerticalScroll(id="overlay-text", can_focus=False):
                text = self.text(palette)
                plain = Text(self.glyphs.plain(text.plain), end="")
                plain.spans = text.spans
                yield Static(plain)

    def on_click(self, event: Click) -> None:
        """Close when the table beneath is clicked."""
        if event.widget is self:
            self.dismiss()

    def action_scroll(self, by: int) -> None:
        """Scroll a line."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        """Scroll a page."""
        view = self.query_one(VerticalScroll)
        view.scroll_relative(y=by * max(1, view.size.height - 1), animate=False)

    def action_edge(self, side: int) -> None:
        """Scroll to the top or to the bottom."""
        view = self.query_one(VerticalScroll)
        if side < 0:
            view.scroll_home(animate=False)
        else:
            view.scroll_end(animate=False)


class EventsOverlay(Overlay):
    """Everything that happened in this game."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("helped", "events")

    def __init__(self, state: TableState) -> None:
        super().__init__(state.glyphs, _("All events of this game"))
        self.state = state

    def on_mount(self) -> None:
        """Begin at the latest."""
        self.action_edge(1)

    def text(self, palette: Palette) -> Text:
        """One line an event, in its family's colour."""
        text = Text()
        for seat, sentence in self.state.log:
            if seat is None:
                text.append(f"-- {sentence}\n", palette.mute)
            else:
                family = self.state.view.families[seat]
                text.append(f"{self.state.prompter.tag(seat)} ", palette.families[family].hue)
                text.append(f"{sentence}\n")
        return text


class KnownOverlay(Overlay):
    """Where each card of each family is, as far as the reader knows, and what the cards do."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("helped", "known")

    def __init__(self, state: TableState) -> None:
        super().__init__(state.glyphs, _("The ten cards, and where they are known to be"))
        self.state = state

    def text(self, palette: Palette) -> Text:
        """A row a card, a column a family."""
        state = self.state
        view = state.view
        known = [knowledge(view, seat) for seat in range(view.players)]
        text = Text()
        text.append(f"{'':18}")
        for seat, family in enumerate(view.families):
            text.append(f"{state.prompter.tag(seat):5}", f"bold {palette.families[family].hue}")
        text.append("\n")
        for card in CARDS:
            text.append(f"{card} ", "bold")
            text.append(f"{card_name(card):16}")
            for where in known:
                text.append(f"{known_mark(where, card, state.glyphs):5}")
            text.append("\n")
        text.append(f"\n{known_legend(state.glyphs)}\n\n", palette.mute)
        for card in CARDS:
            text.append(f"{card_name(card)}: ", "bold")
            text.append(f"{card_help(card)}\n")
        return text


class HelpOverlay(Overlay):
    """The keys and the rules."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("help")

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(glyphs, _("Help: keys and rules"))

    def text(self, palette: Palette) -> Text:
        """The keys first, then every section of the rules."""
        text = Text()
        text.append(f"{_('Keys')}\n", "bold")
        for key, what in self._keys():
            text.append(f"  {key:14}", "bold")
            text.append(f"{what}\n")
        text.append("\n")
        text.append(
            _("Everything works by mouse too: click a card, then its place, then the place again.")
        )
        text.append("\n")
        text.append(f"\n{_('Signs')}\n", "bold")
        for sign, what in self._signs():
            text.append(f"  {sign:14}", "bold")
            text.append(f"{what}\n")
        for title, paragraphs in rules_sections():
            text.append(f"\n{title}\n", "bold")
            for paragraph in paragraphs:
                text.append(f"{paragraph}\n")
        return text

    def _signs(self) -> Iterator[tuple[str, str]]:
        glyphs = self.glyphs
        yield glyphs.coin, _("5 influence")
        yield glyphs.dot, _("1 influence")
        yield glyphs.back, _("a card in a hand")
        yield glyphs.first, _("first player of this round")
        yield (
            f"{glyphs.away}{pgettext('seat in 5 columns', 'away')}",
            _("their line is lost; a bot answers for them in seconds, until they are back"),
        )
        yield (
            f"{glyphs.away}{pgettext('seat in 5 columns', 'wait')}",
            _("away, and everybody waits for them"),
        )
        yield (
            f"{glyphs.away}{pgettext('seat in 5 columns', 'bot')}",
            _("away, or out of time; a bot plays for them until they are back"),
        )
        yield "0:41", _("time for a decision; then a bot decides")
        yield f"{glyphs.line} 38 ms", _("what the line takes to the host and back")
        yield f"{glyphs.times}3", _("three cards in this stack; only the top one counts")
        yield f"{glyphs.tab}?2", _("a covered card, nobody else may know which, 2 influence on it")
        yield glyphs.face_up[0] + glyphs.face_up[1] * 2, _("frame of a face-up card")
        yield glyphs.face_down[0] + glyphs.face_down[1] * 2, _("frame of a face-down card")
        yield glyphs.legal[0] + glyphs.legal[1] * 2, _("frame of a card that may be chosen")
        for card, mark in glyphs.marks.items():
            yield mark, f"{card_name(card)}: {card_summary(card)}"

    def _keys(self) -> Iterator[tuple[str, str]]:
        arrows = self.glyphs.arrows
        yield arrows, _("go through what may be chosen")
        yield "Enter", _("confirm the choice")
        yield "Esc", _("drop the choice, or go back to the card")
        yield "A S P H F L …", _("choose a card of your hand by its letter")
        yield "< > ^", _("choose the start, the end, or your own stack for it")
        yield "+ !", _("leave or reveal")
        yield "1 2 3 …", _("choose a position; two quick digits make one number")
        yield "r b g y v", _("choose a player to steal from")
        yield "i", _("look: arrows go along the cards, Tab to your hand")
        yield "k", _("what is known of every card")
        yield "e", _("all events of this game")
        yield "t", _("write to everybody at the table")
        yield "w", _("who is here; the host decides about those away")
        yield "Space", _("the host: pause the game, and go on")
        yield "r", _("while the line is lost: try again at once")
        yield "q", _("leave the table")


class LeaveOverlay(Commanded, ModalScreen[bool]):
    """Asks whether to leave, and says what that means."""

    app: "DriflammeApp"

    BINDINGS: ClassVar[list[BindingType]] = bindings("everywhere", "helped", "leave")

    def __init__(self, meaning: str) -> None:
        super().__init__()
        self.meaning = meaning

    def compose(self) -> ComposeResult:
        """A sentence and two buttons."""
        with Vertical(id="leave"):
            yield Static(self.meaning, markup=False)
            yield Button(_("Stay (n)"), id="stay", compact=True)
            yield Button(_("Leave (y)"), id="go", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Stay or leave."""
        self.dismiss(event.button.id == "go")

    def action_sure(self, sure: bool) -> None:
        """Stay or leave."""
        self.dismiss(sure)

    def action_other(self) -> None:
        """Go to the other button."""
        self.focus_next()
