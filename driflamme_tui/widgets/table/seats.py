"""The players as a bar across the table: name, influence, cards, and how each is doing."""

from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import Palette, style
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.header import time_ink
from driflamme_tui.widgets.table.table_bar import PointedBar
from driflamme_tui.wording.game.names import card_name_for
from driflamme_tui.wording.program.connection_words import clock_text
from driflamme_tui.wording.program.people_words import status_words
from engine.cards import Family, Seat, in_order

WIDE_SEAT: Final = 22
"""Columns from which a seat says more than one word about how its player is doing."""

_ROOM_FOR_WORD: Final = 5
"""Columns of a narrow seat for how its player is doing."""

_ROOM_FOR_POOL: Final = 9
"""Columns of a wide seat that the influence keeps."""


class Seats(PointedBar):
    """The players: sign, name, influence, cards in hand and cards that are out."""

    @dataclass(eq=False, repr=False)
    class Pressed(Message):
        """A player was clicked."""

        family: Family

    @dataclass(repr=False)
    class Hovered(Message):
        """The pointer is over a player, or over none (-1)."""

        seat: Seat

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the players side by side, in seat order."""
        for seat in range(state.view.players):
            self._draw_seat(canvas, state, seat)

    def on_click(self, event: events.Click) -> None:
        """Tell which player was clicked."""
        state, seat = self.state, self._seat_at(event.x, event.y)
        if state is not None and seat >= 0:
            self.post_message(self.Pressed(state.view.families[seat]))

    def pointed_at(self, x: int, y: int) -> Hovered:
        """Return which player a cell belongs to."""
        return self.Hovered(self._seat_at(x, y))

    def _seat_at(self, x: int, y: int) -> Seat:
        state = self.state
        if state is None or y >= state.layout.seats:
            return -1
        return min(x // _seat_width(self.size.width, state), state.view.players - 1)

    def _draw_seat(self, canvas: Canvas, state: TableState, seat: Seat) -> None:
        palette = canvas.palette
        view, glyphs = state.view, state.glyphs
        width = _seat_width(canvas.width, state)
        x = seat * width
        family = view.families[seat]
        player = state.players[seat]
        turn = view.turn == seat and not view.over
        ground = palette.panel if turn else palette.table
        hue = style(_hue(palette, state, family), ground, bold=True)
        chosen = state.chosen_family() == family
        if state.families_to_choose() and family not in state.families_to_choose():
            hue = style(palette.families[family].dim_hue, ground, bold=True)
        if turn:
            canvas.fill(x, 0, width - 1, canvas.height, style(palette.ink, ground), " ")
            canvas.text(x, 0, glyphs.turn, style(palette.ink, ground, bold=True))
        name = _("You") if seat in view.viewers else player.name
        flag = f" {glyphs.first}" if seat == view.first else ""
        title = state.prompter.tag(seat)
        if chosen:
            before, after = glyphs.chosen_mark
            title = f"{before}{title}{after}"
            hue = canvas.chosen
        elif family in state.families_to_choose():
            title = f"[{title}]"
        title = f"{title} {name}"
        if state.cursor is not None and state.cursor.seat == seat:
            hue += Style(underline=True)
        room = width - 2 - cell_len(flag)
        end = canvas.text(x + 1, 0, title, hue, min(cell_len(title), room))
        canvas.text(end, 0, flag, style(palette.ink, ground))
        pool = view.pools[seat]
        end = canvas.text(x + 1, 1, f"{pool:2d} ", style(palette.ink, ground, bold=True))
        if seat in state.effect.counted:
            canvas.restyle(x + 1, 1, 2, canvas.chosen)
        coins, dots = divmod(pool, 5)
        tokens = glyphs.coin * coins + glyphs.dot * dots
        status, ink = self._status(palette, state, seat, width, ground)
        room = width - 5 - cell_len(status)
        if state.layout.seats > 2:
            canvas.text(end, 1, tokens[: max(0, room)], style(palette.ink, ground))
            self._draw_cards(canvas, state, seat, x, width, ground)
        else:
            self._draw_few(canvas, state, seat, end, x + width - 2 - cell_len(status), ground)
        canvas.text(x + width - 1 - cell_len(status), 1, status, ink)

    def _draw_cards(
        self, canvas: Canvas, state: TableState, seat: Seat, x: int, width: int, ground: str
    ) -> None:
        palette = canvas.palette
        view, glyphs = state.view, state.glyphs
        hue = style(_hue(palette, state, view.families[seat]), ground)
        mute = style(palette.mute, ground)
        out = in_order(view.out[seat])
        backs = glyphs.back * len(view.hands[seat])
        if state.layout.seats < 4:
            text = _("out {cards}").format(cards=out)
            few = f"{glyphs.back}{len(view.hands[seat])}"
            for hand, gone in (
                (backs, text),
                (backs, f"{glyphs.cross}{out}"),
                (few, f"{glyphs.cross}{out}"),
                (few, f"{glyphs.cross}{len(out)}"),
            ):
                gone = gone if out else ""
                if cell_len(hand) + 1 + cell_len(gone) <= width - 2:
                    end = canvas.text(x + 1, 2, hand, hue)
                    canvas.text(end + 1, 2, gone, mute)
                    return
            return
        end = canvas.text(x + 1, 2, backs, hue)
        held = _("{n} in hand").format(n=len(view.hands[seat]))
        if end + 1 + cell_len(held) < x + width:
            canvas.text(end + 1, 2, held, hue)
        names = " ".join(card_name_for(card, 7) for card in out)
        text = _("out {cards}").format(cards=names)
        if len(text) > width - 2:
            text = _("out {cards}").format(cards=" ".join(out))
        canvas.text(x + 1, 3, (text if out else "")[: width - 2], mute)

    def _draw_few(
        self, canvas: Canvas, state: TableState, seat: Seat, x: int, end: int, ground: str
    ) -> None:
        """Draw the cards of a player beside their influence, where there is no row for them."""
        palette = canvas.palette
        view, glyphs = state.view, state.glyphs
        hue = style(_hue(palette, state, view.families[seat]), ground)
        hand = f"{glyphs.back}{len(view.hands[seat])}"
        if x + len(hand) > end:
            return
        x = canvas.text(x, 1, hand, hue)
        out = in_order(view.out[seat])
        mute = style(palette.mute, ground)
        if out and x + 2 + len(out) <= end:
            canvas.text(x + 1, 1, f"{glyphs.cross}{out}", mute)
        elif out and x + 3 <= end:
            canvas.text(x + 1, 1, f"{glyphs.cross}{len(out)}", mute)

    def _status(
        self, palette: Palette, state: TableState, seat: Seat, width: int, ground: str
    ) -> tuple[str, Style]:
        """Return how a player is doing or, while they think, how long they may."""
        player = state.players[seat]
        room = width - _ROOM_FOR_POOL if width >= WIDE_SEAT else _ROOM_FOR_WORD
        status = status_words(player.bot, player.present, player.away, room, state.glyphs)
        asked = state.view.turn == seat and not state.view.over
        if asked and state.time_runs and state.time_left is not None:
            return clock_text(state.time_left), time_ink(state, palette, ground)
        away = player.bot is None and bool(status)
        return status, style(palette.alert if away else palette.mute, ground)


def _hue(palette: Palette, state: TableState, family: Family) -> str:
    """Return a family's colour, paler while the line is lost: what is shown may be past."""
    colours = palette.families[family]
    return colours.dim_hue if state.lost else colours.hue


def _seat_width(width: int, state: TableState) -> int:
    return width // state.view.players
