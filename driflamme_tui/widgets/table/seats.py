"""Draws the players in a bar across the table: name, influence, cards and state."""

from typing import Final

from rich.cells import cell_len
from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas, Ground
from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.table.header import PointedBar, time_ink
from driflamme_tui.wording.game.names import card_names_for, first_next_sign, first_sign
from driflamme_tui.wording.program.joining_words import clock_text
from driflamme_tui.wording.program.people_words import status_words
from engine.cards import UNKNOWN, Seat, in_order
from engine.position import cards_in_queue

WIDE_SEAT: Final = 22
"""Minimum columns of a seat for more than one word about its player's state."""

ROWS_FOR_NAMES: Final = 4
"""Minimum rows of a seat for naming the cards that are out of the game."""

_WORD_SPACE: Final = 5
"""Columns of a narrow seat for the state of its player."""

_CARDS_SPACE: Final = 6
"""Minimum columns for the cards of a low seat."""

_POOL_SPACE: Final = 9
"""Minimum columns for the influence of a wide seat."""

_LOW_POOL: Final = 4
"""Columns of the influence in a low seat."""

_BOT_SPACE: Final = 10
"""Columns of a narrow seat besides the level of its bot: for influence and tokens."""


class Seats(PointedBar):
    """Draws the players: sign, name, influence, cards in hand and cards out of the game."""

    def choice_of(self, state: TableState) -> object:
        """Return the chosen player, the possible ones, and the player under the cursor."""
        chosen = None if state.choice is None else state.choice.family
        return chosen, state.families_to_choose(), state.cursor and state.cursor.seat

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the players side by side, in seat order, and a legend if a row is left."""
        width = canvas.width // state.view.players
        # A new size arrives here before the layout for it, so limit the height.
        height = min(canvas.height, state.layout.seats)
        names = self._names_of_out(state, width - 1)
        for seat in range(state.view.players):
            turn = state.view.turn == seat and not state.view.over
            ground: Ground = "panel" if turn else "table"
            own = Canvas(width - 1, height, ground, canvas.glyphs, canvas.palette)
            self._draw_seat(own, state, seat, names[seat], turn=turn)
            x = seat * width
            canvas.paste(x, 0, own)
            # The last player gets the remaining columns.
            canvas.target(Cursor(seat=seat), x, 0, canvas.width - x, height)
        if canvas.height > height:
            canvas.text(1, height, signs(state.glyphs, canvas.width - 2), canvas.mute)

    def _names_of_out(self, state: TableState, columns: int) -> list[list[str]]:
        """Return names of each player's cards out of the game; letters if there is no space.

        Seats with fewer than `ROWS_FOR_NAMES` rows get letters. In a replay that shows all hands,
        they get names that fit beside the hands.
        """
        view, beside = state.view, 0
        out = [in_order(cards) for cards in view.out]
        if state.layout.seats < ROWS_FOR_NAMES:
            if not state.laid_open:
                return [list(cards) for cards in out]
            beside = 1 + max(cell_len(_hand_text(state, seat)) for seat in range(view.players))
        return card_names_for(out, columns - 1 - beside - cell_len(_("out {cards}", cards="")))

    def _draw_seat(
        self, canvas: Canvas, state: TableState, seat: Seat, names: list[str], *, turn: bool
    ) -> None:
        """Draw a player on a separate canvas.

        Args:
            canvas: The canvas of this seat.
            state: The moment of the table.
            seat: The player's seat.
            names: The names of the player's cards out of the game.
            turn: True if it is the player's turn.
        """
        view, glyphs = state.view, state.glyphs
        family = view.families[seat]
        colours, choosable = canvas.palette.families[family], state.families_to_choose()
        # Use paler colours while the connection is lost, since the table may be outdated.
        hue = canvas.ink(colours.dim_hue if state.lost else colours.hue)
        bold = canvas.ink(colours.dim_hue, bold=True) if choosable else hue + Style(bold=True)
        canvas.text(0, 0, glyphs.turn if turn else "", canvas.bold)
        title = state.prompter.tag(seat)
        if state.choice and state.choice.family == family:
            title, bold = title.join(glyphs.chosen_mark), canvas.chosen
        elif family in choosable:
            title, bold = f"[{title}]", canvas.hue(family)
        if state.cursor is not None and state.cursor.seat == seat:
            bold += Style(underline=True)
        name = _("You") if seat in view.viewers else state.players[seat].name
        title = f"{title} {name}"
        flags = self._flags(state, seat)
        flag = next((each for each in flags if cell_len(title + each) < canvas.width), flags[-1])
        space = canvas.width - 1 - cell_len(flag)
        end = canvas.text(1, 0, title, bold, min(cell_len(title), space))
        canvas.text(end, 0, flag, canvas.plain if seat == view.first else canvas.mute)
        between = self._draw_influence(canvas, state, seat)
        backs, number, out = (
            _hand_text(state, seat),
            len(view.hands[seat]),
            in_order(view.out[seat]),
        )
        few = f"{glyphs.back}{number}"
        letters = [f"{glyphs.cross}{out}", f"{glyphs.cross}{len(out)}", ""]
        row = min(state.layout.seats, 3) - 1
        out_text = _("out {cards}", cards=("" if names == [*out] else " ").join(names))
        if state.layout.seats < ROWS_FOR_NAMES:
            # Draw the cards in hand and out of the game, as far as they fit.
            x, last = (1, canvas.width) if row > 1 else between
            short = few if backs[:1] == glyphs.back else backs
            tried = [(short, gone) for gone in letters]
            if row > 1:
                tried = [
                    (backs, out_text),
                    (backs, _("out {cards}", cards=out)),
                    (backs, letters[0]),
                    *tried,
                ]
            ways = [(hand, gone if out else "") for hand, gone in tried]
            fitting = (way for way in ways if cell_len(" ".join(way).rstrip()) <= last - x)
            hand, gone = next(fitting, ("", ""))
            canvas.text(canvas.text(x, row, hand, hue) + 1, row, gone, canvas.mute)
            return
        in_hand = _("{n} in hand", n=number)
        laid = f" {glyphs.separator} {_('{n} in Queue', n=cards_in_queue(view, seat))}"
        both = f"{backs} {in_hand}"
        texts = (f"{both}{laid}", f"{glyphs.back}{in_hand}{laid}", f"{backs}{laid}", f"{few}{laid}")
        fits = (text for text in (*texts, both, backs) if 1 + cell_len(text) <= canvas.width)
        canvas.text(1, row, next(fits, ""), hue)
        canvas.text(1, row + 1, out_text if out else "", canvas.mute)

    @staticmethod
    def _flags(state: TableState, seat: Seat) -> list[str]:
        """Return the texts that mark the first player of this round and of the next, longest first.

        For other players the texts are empty.
        """
        is_first, is_next = seat == state.view.first, seat == state.first_next
        first, following = first_sign(state.glyphs), first_next_sign(state.glyphs)
        signs = f" {first}" * is_first + f" {following}" * is_next
        if first.isascii():
            return [signs]
        return [
            f" {first} {_('first')}" * is_first + f" {following} {_('first next')}" * is_next,
            signs,
        ]

    def _draw_influence(self, canvas: Canvas, state: TableState, seat: Seat) -> tuple[int, int]:
        """Draw a player's influence and state.

        Returns the columns where the space between the two begins and ends.
        """
        glyphs, pool = state.glyphs, state.view.pools[seat]
        end = canvas.text(1, 1, f"{pool:2d} ", canvas.bold)
        if seat in state.effect.counted:
            canvas.restyle(1, 1, 2, canvas.chosen)
        status, ink = self._status(canvas, state, seat)
        left = canvas.width - cell_len(status)
        canvas.text(left, 1, status, ink)
        low = state.layout.seats < 3
        change = f"{state.change[seat]:+d} " if state.change and state.change[seat] else ""
        if left - end - len(change) >= _CARDS_SPACE * low:
            end = canvas.text(end, 1, change, canvas.mute)
        if not low:
            coins, dots = divmod(pool, 5)
            tokens = glyphs.coin * coins + glyphs.dot * dots
            # Show all tokens or none: a part of them would be another number.
            canvas.text(end, 1, tokens if end + cell_len(tokens) < left else "", canvas.plain)
        return end, left - 1

    def _status(self, canvas: Canvas, state: TableState, seat: Seat) -> tuple[str, Style]:
        """Return a player's state and its style.

        While the player must answer and the clock runs, the time left belongs to the state.
        Otherwise a mark about the player replaces the state, if there is one.
        """
        player, width = state.players[seat], canvas.width + 1
        is_due = state.view.turn == seat and not state.view.over
        space = width - _POOL_SPACE if width >= WIDE_SEAT else _WORD_SPACE
        if player.bot is not None:
            space = max(space, width - _BOT_SPACE)
            if state.layout.seats < ROWS_FOR_NAMES:
                # Prefer the number of cards in hand to the level.
                few = cell_len(f"{state.glyphs.back}{len(state.view.hands[seat])} ")
                space = min(space, canvas.width - _LOW_POOL - few)
        time = ""
        if is_due and state.time_runs and state.time_left is not None:
            time = clock_text(state.time_left)
            space -= cell_len(time) + 1
        if not time and (mark := state.marks.get(player.name)):
            long, short = mark
            return long if cell_len(long) <= space else short, canvas.ink(canvas.palette.alert)
        status = status_words(
            player.bot, player.away, space, state.glyphs, is_present=player.present
        )
        away = player.bot is None and bool(status)
        if time and away:
            # If the word does not fit, show only the sign.
            fits = cell_len(status) <= space
            status = f"{status} {time}" if fits else f"{state.glyphs.away}{time}"
        elif time:
            return time, time_ink(state, canvas.palette, canvas.ground)
        return status, canvas.ink(canvas.palette.alert) if away else canvas.mute


def signs(glyphs: Glyphs, width: int) -> str:
    """Return a legend of the signs beside players and above the Queue, as far as it fits."""
    legend = _(
        "{first} first player  {next} first next  {coin} 5 influence  {now} resolves now"
        "  {away} away  {cross} out  {threat} in danger"
    )
    if glyphs.first.isascii():
        # Word and meaning stand side by side, so put a sign between them.
        legend = legend.replace("{first}", "{first} =").replace("{next}", "{next} =")
    signs_text = legend.format(
        first=first_sign(glyphs),
        next=first_next_sign(glyphs),
        coin=glyphs.coin,
        now=glyphs.resolving[0],
        away=glyphs.away,
        cross=glyphs.cross,
        threat=glyphs.threat,
    )
    while cell_len(signs_text) > width:
        signs_text = signs_text.rpartition("  ")[0]
    return signs_text


def _hand_text(state: TableState, seat: Seat) -> str:
    """Return the cards in a player's hand: as backs, or as letters.

    Only an opponent's known cards are letters, unless the table shows them elsewhere.
    """
    view, hand = state.view, state.view.hands[seat]
    opened = not (UNKNOWN in hand or view.over or state.is_yours(seat) or state.laid_open)
    return hand if opened else state.glyphs.back * len(hand)
