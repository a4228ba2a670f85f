"""The players as a bar across the table: name, influence, cards, and how each is doing."""

from typing import Final

from rich.cells import cell_len
from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas, Ground
from driflamme_tui.drawing.palette import Palette
from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.table.header import PointedBar, time_ink
from driflamme_tui.wording.game.names import card_names_for
from driflamme_tui.wording.program.joining_words import clock_text
from driflamme_tui.wording.program.people_words import status_words
from engine.cards import UNKNOWN, Family, Seat, in_order
from engine.position import cards_in_queue

WIDE_SEAT: Final = 22
"""Columns from which a seat says more than one word about how its player is doing."""

_ROOM_FOR_WORD: Final = 5
"""Columns of a narrow seat for how its player is doing."""

_ROOM_FOR_CARDS: Final = 6
"""Columns of a low seat that its cards keep."""

_ROOM_FOR_POOL: Final = 9
"""Columns of a wide seat that the influence keeps."""


class Seats(PointedBar):
    """The players: sign, name, influence, cards in hand and cards that are out."""

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the players side by side, in seat order."""
        width = canvas.width // state.view.players
        # A new size comes here before the rows for it.
        height = min(canvas.height, state.layout.seats)
        for seat in range(state.view.players):
            turn = state.view.turn == seat and not state.view.over
            ground: Ground = "panel" if turn else "table"
            own = Canvas(width - 1, height, ground, canvas.glyphs, canvas.palette)
            self._draw_seat(own, state, seat, turn=turn)
            x = seat * width
            canvas.paste(x, 0, own)
            # What is left of the columns counts as the last player's.
            canvas.target(Cursor(seat=seat), x, 0, canvas.width - x, height)
        if canvas.height > height:
            canvas.text(1, height, signs(state.glyphs, canvas.width - 2), canvas.mute)

    def _draw_seat(self, canvas: Canvas, state: TableState, seat: Seat, *, turn: bool) -> None:
        """Draw a player on a canvas of their own."""
        palette = canvas.palette
        view, glyphs = state.view, state.glyphs
        family = view.families[seat]
        hue = canvas.ink(_hue(palette, state, family), bold=True)
        if state.families_to_choose() and family not in state.families_to_choose():
            hue = canvas.ink(palette.families[family].dim_hue, bold=True)
        if turn:
            canvas.text(0, 0, glyphs.turn, canvas.bold)
        name = _("You") if seat in view.viewers else state.players[seat].name
        flag = f" {glyphs.first}" if seat == view.first else ""
        if seat == state.first_next:
            flag += f" {glyphs.first_next}"
        title = state.prompter.tag(seat)
        if state.choice and state.choice.family == family:
            title = title.join(glyphs.chosen_mark)
            hue = canvas.chosen
        elif family in state.families_to_choose():
            title = f"[{title}]"
        title = f"{title} {name}"
        if state.cursor is not None and state.cursor.seat == seat:
            hue += Style(underline=True)
        room = canvas.width - 1 - cell_len(flag)
        end = canvas.text(1, 0, title, hue, min(cell_len(title), room))
        canvas.text(end, 0, flag, canvas.plain if seat == view.first else canvas.mute)
        pool = view.pools[seat]
        end = canvas.text(1, 1, f"{pool:2d} ", canvas.bold)
        if seat in state.effect.counted:
            canvas.restyle(1, 1, 2, canvas.chosen)
        status, ink = self._status(canvas, state, seat)
        left = canvas.width - cell_len(status)
        canvas.text(left, 1, status, ink)
        change = f"{state.change[seat]:+d} " if state.change and state.change[seat] else ""
        room = left - end - len(change)
        if room >= (_ROOM_FOR_CARDS if state.layout.seats < 3 else 0):
            end = canvas.text(end, 1, change, canvas.mute)
        if state.layout.seats < 3:
            self._draw_cards(canvas, state, seat, end, 1, left - 1 - end)
            return
        coins, dots = divmod(pool, 5)
        tokens = glyphs.coin * coins + glyphs.dot * dots
        canvas.text(end, 1, tokens[: max(0, left - end)], canvas.plain)
        if state.layout.seats < 4:
            self._draw_cards(canvas, state, seat, 1, 2, canvas.width - 1)
            return
        hue = canvas.ink(_hue(palette, state, family))
        number, backs = len(view.hands[seat]), _held(state, seat)
        held = _("{n} in hand", n=number)
        laid = _("{n} in Queue", n=cards_in_queue(view, seat))
        laid = f" {glyphs.separator} {laid}"
        for text in (
            f"{backs} {held}{laid}",
            f"{glyphs.back}{held}{laid}",
            f"{backs}{laid}",
            f"{glyphs.back}{number}{laid}",
            f"{backs} {held}",
            backs,
        ):
            if 1 + cell_len(text) <= canvas.width:
                canvas.text(1, 2, text, hue)
                break
        out = in_order(view.out[seat])
        room = canvas.width - 1 - cell_len(_("out {cards}", cards=""))
        text = _("out {cards}", cards=" ".join(card_names_for(out, room)))
        canvas.text(1, 3, text if out else "", canvas.mute)

    def _draw_cards(
        self, canvas: Canvas, state: TableState, seat: Seat, x: int, y: int, room: int
    ) -> None:
        """Draw the cards in hand and those that are out, as far as there is room for them."""
        view, glyphs = state.view, state.glyphs
        held, out = len(view.hands[seat]), in_order(view.out[seat])
        backs = _held(state, seat)
        few, gone = f"{glyphs.back}{held}", f"{glyphs.cross}{out}"
        few = few if backs[:1] == glyphs.back else backs
        tried = [(few, gone), (few, f"{glyphs.cross}{len(out)}"), (few, "")]
        if y > 1:
            tried = [(backs, _("out {cards}", cards=out)), (backs, gone), *tried]
        for hand, gone in tried:
            gone = gone if out else ""
            if cell_len(f"{hand} {gone}".rstrip()) <= room:
                hue = _hue(canvas.palette, state, view.families[seat])
                end = canvas.text(x, y, hand, canvas.ink(hue))
                canvas.text(end + 1, y, gone, canvas.mute)
                return

    def _status(self, canvas: Canvas, state: TableState, seat: Seat) -> tuple[str, Style]:
        """Return how a player is doing or, while they think, how long they may."""
        player, width = state.players[seat], canvas.width + 1
        room = width - _ROOM_FOR_POOL if width >= WIDE_SEAT else _ROOM_FOR_WORD
        status = status_words(player.bot, player.present, player.away, room, state.glyphs)
        asked = state.view.turn == seat and not state.view.over
        if asked and state.time_runs and state.time_left is not None:
            return clock_text(state.time_left), time_ink(state, canvas.palette, canvas.ground)
        away = player.bot is None and bool(status)
        return status, canvas.ink(canvas.palette.alert) if away else canvas.mute


def signs(glyphs: Glyphs, width: int) -> str:
    """Return what the signs beside players and over the Queue mean, as many as have room."""
    legend = _(
        "{first} first player  {next} first next  {coin} 5 influence  {now} resolves now"
        "  {away} away  {cross} out"
    )
    told = legend.format(
        first=glyphs.first,
        next=glyphs.first_next,
        coin=glyphs.coin,
        now=glyphs.resolving[0],
        away=glyphs.away,
        cross=glyphs.cross,
    )
    while cell_len(told) > width:
        told = told.rpartition("  ")[0]
    return told


def _hue(palette: Palette, state: TableState, family: Family) -> str:
    """Return a family's colour, paler while the line is lost: what is shown may be past."""
    colours = palette.families[family]
    return colours.dim_hue if state.lost else colours.hue


def _held(state: TableState, seat: Seat) -> str:
    """Return the cards in a player's hand: their backs, or letters where all cards are open."""
    view, hand = state.view, state.view.hands[seat]
    opened = not (UNKNOWN in hand or view.over or state.is_yours(seat) or state.laid_open)
    return hand if opened else state.glyphs.back * len(hand)
