"""Draws the reader's hand, with the cards that were set aside."""

from rich.cells import cell_len
from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import CardLook, Face, draw_card
from driflamme_tui.drawing.layout import HAND_TITLE, NAMES
from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.text.cell_widths import wrap_text
from driflamme_tui.text.i18n import _, comma_list
from driflamme_tui.widgets.table.header import PointedBar
from driflamme_tui.widgets.table.info_panels import draw_known
from driflamme_tui.wording.game.names import card_name, card_names_for
from engine.actions import Place
from engine.cards import UNKNOWN
from engine.position import PLACE


class Hand(PointedBar):
    """The cards of the hand, side by side."""

    def choice_of(self, state: TableState) -> object:
        """Return the chosen card of the hand, and the card under the cursor."""
        return state.chosen_card(), state.cursor and state.cursor.card

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the hand, with the cards set aside above it.

        For a spectator, draw all open hands, public knowledge, or a text.
        """
        you, view = state.you, state.view
        if you is None:
            self._draw_watching(canvas, state)
            return
        family, hand, size = view.families[you], view.hands[you], state.layout.hand_card
        looked = state.cursor.card if state.cursor is not None else ""
        title = _("HAND {n}", n=len(hand))
        if view.viewers[1:]:
            # Name the family, so that a reader with two families knows whose hand it is.
            title = f"{state.prompter.tag(you)} {title}"
        end = canvas.text(1, 0, title, canvas.hue(family))
        mute = canvas.ink(canvas.palette.mute, italic=True)
        x = canvas.text(end + 2, 0, _("set aside"), mute) + 1
        aside = view.aside[you]
        comma = _(", ").rstrip()
        (names,) = card_names_for([aside], canvas.width - x - 1 - len(comma) * len(aside))
        for index, (card, name) in enumerate(zip(aside, names, strict=True), 1):
            ink = mute + Style(underline=True, bold=True) if card == looked else mute
            canvas.target(Cursor(card=card), x, 0, cell_len(name), 1)
            x = canvas.text(x, 0, name, ink)
            if name != card and index < len(aside):
                x = canvas.text(x, 0, comma, mute)
            x += 1
        chosen = state.chosen_card()
        is_due = state.answerable and view.question == PLACE and you == view.turn
        # Draw the chosen card last: where frames overlap, it must be on top.
        suggested = state.suggested.card if isinstance(state.suggested, Place) else ""
        for index, card in sorted(enumerate(hand), key=lambda each: each[1] == chosen):
            look = CardLook.PLAIN if is_due else CardLook.DIM
            if (is_due and card == chosen) or card == state.effect.card:
                look = CardLook.CHOSEN
            x, face = 1 + index * size.pitch, Face(family, card, card != UNKNOWN)
            under = card in (looked, suggested)
            draw_card(canvas, x, HAND_TITLE, size, face, look, key=True, underline=under)
            width = max(size.width, size.pitch)
            canvas.target(Cursor(card=card), x, HAND_TITLE, width, size.height)
        space = canvas.width - 2
        below = wrap_text(comma_list([card_name(card) for card in hand]), space, space)[:NAMES]
        canvas.lines(1, HAND_TITLE + size.height, below * bool(state.layout.below), canvas.mute)

    def _draw_watching(self, canvas: Canvas, state: TableState) -> None:
        """Draw all hands if they are laid open; otherwise a title, and public knowledge below it.

        If public knowledge has another place, or there are too few rows, draw an explanation of
        watching instead.
        """
        if state.laid_open:
            draw_hands(canvas, state)
            return
        if state.layout.knows or canvas.height <= state.view.players:
            canvas.text(1, 0, _("WATCHING"), canvas.bold)
            space = canvas.width - 2
            text = _("You see what everybody sees: nobody's hand, and no card that is face down.")
            canvas.lines(1, 1, wrap_text(text, space, space), canvas.mute)
            return
        draw_known(canvas, state, title=_("WATCHING"))


def draw_hands(canvas: Canvas, state: TableState) -> None:
    """Draw everybody's hand and set-aside cards: one family in each row, or several as letters."""
    view, italic = state.view, canvas.ink(canvas.palette.mute, italic=True)
    left = max(cell_len(state.prompter.tag(seat)) for seat in range(view.players)) + 1
    columns = -(-view.players // max(1, canvas.height))
    width = (canvas.width - 1) // columns
    aside = f" {_('set aside')} " if columns == 1 else f" {state.glyphs.separator} "
    gap = int(columns == 1)
    rows = [[*hand, *out] for hand, out in zip(view.hands, view.aside, strict=True)]
    if gap:
        rows = card_names_for(rows, width - left - cell_len(aside) - 1)
    for seat, family in enumerate(view.families):
        row, column = divmod(seat, columns)
        x = 1 + column * width
        canvas.text(x, row, state.prompter.tag(seat), canvas.hue(family))
        x += left
        in_hand, names = view.hands[seat], rows[seat]
        for name in names[: len(in_hand)]:
            x = canvas.text(x, row, name, canvas.plain) + gap
        x = canvas.text(x, row, aside, canvas.mute)
        for name in names[len(in_hand) :]:
            x = canvas.text(x, row, name.lower(), italic) + gap
