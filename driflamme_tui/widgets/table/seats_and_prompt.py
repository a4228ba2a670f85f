"""The narrow widgets of the table that say who plays and what is asked: seats and prompt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import Palette, style
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.key_bindings import both, key
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.question import Step
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.table.chat_panel import wrapped
from driflamme_tui.widgets.table.header import WARNING_S, time_ink
from driflamme_tui.widgets.table.table_bar import TableBar
from driflamme_tui.wording.game.names import card_name_for
from driflamme_tui.wording.game.result_words import headline
from driflamme_tui.wording.game.result_words import reason as result_reason
from driflamme_tui.wording.program.connection_words import clock_text, lost_sentence
from driflamme_tui.wording.program.people_words import (
    absence,
    paused_title,
    status_words,
    stood_in_sentence,
    stood_in_title,
)
from engine.actions import LEAVE, REVEAL, Action
from engine.cards import Family, Seat, in_order
from engine.owners import each_alone, ranking_of_owners

WIDE_SEAT: Final = 22
"""Columns from which a seat says more than one word about how its player is doing."""

TWO_ROWS: Final = 4
"""Rows of the prompt from which the question itself may take two."""

_ROOM_FOR_WORD: Final = 5
"""Columns for that in a narrow seat, beside the influence."""

_ROOM_FOR_POOL: Final = 9
"""Columns of a wide seat that the influence keeps."""


class Seats(TableBar):
    """The players: sign, name, influence, cards in hand and cards that are out."""

    @dataclass
    class Pressed(Message):
        """A player was clicked."""

        family: Family

    @dataclass
    class Hovered(Message):
        """The pointer is over a player, or over none (-1)."""

        seat: Seat

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._hovered = -1

    def draw(self, canvas: Canvas) -> None:
        """Draw the players side by side, in seat order."""
        state = self.state
        if state is None:
            return
        for seat in range(state.view.players):
            self._draw_seat(canvas, state, seat)

    def on_click(self, event: events.Click) -> None:
        """Tell which player was clicked."""
        state, seat = self.state, self._seat_at(event)
        if state is not None and seat >= 0:
            self.post_message(self.Pressed(state.view.families[seat]))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell which player the pointer is over, when that changes."""
        self._hover(self._seat_at(event))

    def on_leave(self, event: events.Leave) -> None:
        """The pointer is over no player."""
        self._hover(-1)

    def _seat_at(self, event: events.MouseEvent) -> Seat:
        state = self.state
        if state is None or event.y >= state.layout.seats:
            return -1
        return min(event.x // _seat_width(self.size.width, state), state.view.players - 1)

    def _hover(self, seat: Seat) -> None:
        if seat != self._hovered:
            self._hovered = seat
            self.post_message(self.Hovered(seat))

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
            hue = style(palette.on_choice, palette.choice, bold=True)
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
            canvas.restyle(x + 1, 1, 2, style(palette.on_choice, palette.choice, bold=True))
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


class Prompt(TableBar):
    """The question in one bar, and under it what the present choice would do."""

    class Confirmed(Message):
        """The right end of the bar was clicked."""

    class Retried(Message):
        """The bar was clicked while it says that the line is lost."""

    @dataclass
    class OptionPressed(Message):
        """One of the rows to leave or to reveal was clicked."""

        token: str

    def background(self) -> Style:
        """A panel, brighter than the table."""
        return style(self.palette.ink, self.palette.panel)

    def draw(self, canvas: Canvas) -> None:
        """Draw the bar and its two rows."""
        state = self.state
        if state is None:
            return
        if state.view.over:
            names = [player.name for player in state.players]
            owners = state.owners or each_alone(state.view.players)
            winner = ranking_of_owners(state.view, owners)[0][0][0]
            hint = state.after
            if hint is None:
                hint = _("{key} shows the result").format(
                    key=key(TableCommands.confirm, state.glyphs)
                )
            hints = [hint] if hint else []
            top = self._draw_bar(canvas, state, winner, headline(state.view, names, owners), hints)
            self._draw_text(canvas, top, result_reason(state.view, names, owners), alert=False)
            return
        if state.lost or state.paused or state.stood_in:
            self._draw_stopped(canvas, state)
            return
        question = state.question
        prompter = state.prompter
        if state.telling and state.log:
            seat, sentence = state.log[-1]
            asked = state.view.turn if seat is None else seat
            # What has happened may take the room of a notice that there is not.
            rows = max(canvas.height - 1, 1) if not state.notice else 1
            top = self._draw_bar(canvas, state, asked, sentence, [], rows)
            self._draw_text(canvas, top, state.notice, alert=True)
            return
        if question is None:
            top = self._draw_bar(canvas, state, state.view.turn, prompter.waiting(), [])
            self._draw_told(canvas, state, top, self._meanwhile(state))
            return
        hints = [_("Sent…")] if state.sent else self._hints(state)
        top = self._draw_bar(canvas, state, state.view.turn, prompter.title(question), hints)
        if state.notice:
            self._draw_text(canvas, top, state.notice, alert=True)
        elif state.hint[0]:
            self._draw_hint(canvas, state, top)
        elif question.step is Step.LEAVE_OR_REVEAL:
            self._draw_two_options(canvas, state, top)
        elif question.choice is None:
            self._draw_told(canvas, state, top, prompter.consequence(question))
        else:
            self._draw_text(canvas, top, prompter.consequence(question), alert=False)

    def on_click(self, event: events.Click) -> None:
        """Confirm at the bar's right half, or choose the row that was clicked."""
        state = self.state
        if state is None:
            return
        if state.view.over or state.stood_in:
            self.post_message(self.Confirmed())
            return
        if state.lost:
            self.post_message(self.Retried())
        if state.lost or state.question is None:
            return
        title = state.prompter.title(state.question)
        top = len(_title_rows(title, self.size.width, _rows_for_title(self.size.height)))
        if event.y < top:
            if event.x >= self.size.width // 2:
                self.post_message(self.Confirmed())
        elif state.question.step is Step.LEAVE_OR_REVEAL:
            for action, rows in self._options(state, top, *self.size):
                if event.y in rows:
                    self.post_message(self.OptionPressed(str(action)))

    def _draw_stopped(self, canvas: Canvas, state: TableState) -> None:
        """Say why nothing can be answered at this moment, and what was asked before."""
        palette = canvas.palette
        plain = style(palette.ink, palette.panel, bold=True)
        if state.lost:
            ink = style(palette.alert, palette.panel, bold=True)
            hint = _("{key} tries at once").format(key=key(TableCommands.retry, state.glyphs))
            top = self._draw_row(canvas, state, state.lost, ink, plain, [hint])
            text = lost_sentence()
        elif state.paused:
            ink = style(palette.ink, palette.line, bold=True)
            title = f"{state.glyphs.paused} {paused_title(state.host)}"
            hint = _("{key} goes on").format(key=key(TableCommands.pause, state.glyphs))
            hints = [hint] if state.host else []
            top = self._draw_row(canvas, state, title, ink, ink, hints)
            text = self._before_the_pause(state)
        else:
            seat = state.view.turn if state.you is None else state.you
            hue = palette.families[state.view.families[seat]].hue
            ink = style(hue, palette.panel, bold=True)
            hints = [_("{key} takes it back").format(key=key(TableCommands.confirm, state.glyphs))]
            top = self._draw_row(canvas, state, stood_in_title(), ink, plain, hints)
            text = stood_in_sentence(state.taking_back)
        self._draw_text(canvas, top, state.notice or text, alert=bool(state.notice))

    def _before_the_pause(self, state: TableState) -> str:
        question = state.question
        asked = state.prompter.waiting() if question is None else state.prompter.title(question)
        return _("The clock stands still too. Next: {asked}").format(asked=asked)

    def _meanwhile(self, state: TableState) -> str:
        """Say what the player who is asked can do, or that they are away."""
        asked = state.players[state.view.turn]
        away = absence(asked.name, asked.present, asked.away) if asked.bot is None else ""
        return away or state.prompter.may()

    def _draw_bar(
        self,
        canvas: Canvas,
        state: TableState,
        seat: Seat,
        title: str,
        hints: Sequence[str],
        rows: int | None = None,
    ) -> int:
        """Draw the bar in a family's colour, in at most `rows` rows; return how many it took."""
        palette = canvas.palette
        yours = state.question is not None or state.view.over
        hue = palette.families[state.view.families[seat]].hue
        if yours:
            ground = ink = style(palette.on_hue, hue, bold=True)
        else:
            ground, ink = style(palette.ink, palette.panel), style(hue, palette.panel, bold=True)
        return self._draw_row(canvas, state, title, ink, ground, hints, rows)

    def _draw_row(
        self,
        canvas: Canvas,
        state: TableState,
        title: str,
        ink: Style,
        ground: Style,
        hints: Sequence[str],
        at_most: int | None = None,
    ) -> int:
        """Draw the bar, with as many of the hints as it has room for; return its rows."""
        if at_most is None:
            at_most = _rows_for_title(canvas.height)
        rows = _title_rows(title, canvas.width, at_most)
        canvas.fill(0, 0, canvas.width, len(rows), ground, " ")
        end, below = canvas.width, len(rows) - 1
        for row, line in enumerate(rows):
            end = canvas.text(1, row, line, ink, min(cell_len(line), canvas.width - 1))
        # Where there is no room for all hints, those that matter most stand last and stay.
        for first in range(len(hints)):
            text = f" {state.glyphs.separator} ".join(hints[first:])
            if end + 2 + cell_len(text) < canvas.width:
                canvas.text(canvas.width - 1 - cell_len(text), below, text, ground)
                break
        return len(rows)

    def _hints(self, state: TableState) -> list[str]:
        question, glyphs = state.question, state.glyphs
        assert question is not None
        if state.looking:
            return [_("{key} stops looking").format(key=key(TableCommands.back, glyphs))]
        arrows = both(TableCommands.left, TableCommands.right, glyphs)
        words = [_("{arrows} choose").format(arrows=arrows)]
        if question.step is Step.SPOT:
            words = [
                _("{key} start").format(key=key(TableCommands.start, glyphs)),
                _("{key} end").format(key=key(TableCommands.end, glyphs)),
                _("{arrows} spots").format(arrows=arrows),
            ]
        confirm = key(TableCommands.confirm, glyphs)
        words.append(_("{key} {verb}").format(key=confirm, verb=state.prompter.verb(question)))
        if question.picked:
            words.append(_("{key} other card").format(key=key(TableCommands.back, glyphs)))
        if state.time_runs and state.time_left is not None and state.time_left <= WARNING_S:
            words.append(_("{time} left").format(time=clock_text(state.time_left)))
        return words

    def _options(
        self, state: TableState, top: int, width: int, height: int
    ) -> Iterator[tuple[Action, dict[int, str]]]:
        """Yield to leave and to reveal, with what either would do in rows from `top` on."""
        question = state.question
        assert question is not None
        room = width - _option_width(state.glyphs) - 3
        for action, _label in _option_labels(state.glyphs):
            lines = wrapped(state.prompter.effect(action, question), room, room)
            # The bar's hints say in other words what is cut here: only a tiny screen cuts.
            lines = lines[: max(1, height - top - (action == LEAVE))]
            yield action, dict(enumerate(lines, top))
            top += len(lines)

    def _draw_two_options(self, canvas: Canvas, state: TableState, top: int) -> None:
        palette = canvas.palette
        question, glyphs = state.question, state.glyphs
        assert question is not None
        labels, width = dict(_option_labels(glyphs)), _option_width(glyphs)
        plain = style(palette.ink, palette.panel)
        for action, rows in self._options(state, top, canvas.width, canvas.height):
            chosen = question.choice is not None and question.choice.action == action
            ink = style(palette.ink, palette.panel, bold=True, under=action == state.hinted)
            if chosen:
                ink = style(palette.on_choice, palette.choice, bold=True)
            mark = glyphs.turn if chosen else " "
            canvas.text(1, min(rows), f"{mark} {labels[action]}", ink, width)
            for row, line in rows.items():
                canvas.text(width + 2, row, line, plain)

    def _draw_told(self, canvas: Canvas, state: TableState, top: int, text: str) -> None:
        """Draw why something was refused, or what was not asked; else, or with it, a text."""
        if state.notice:
            self._draw_text(canvas, top, state.notice, alert=True)
            return
        room = canvas.width - 2
        both = f"{state.forced} {text}".strip()
        if len(wrapped(both, room, room)) > canvas.height - top:
            both = state.forced or text
        self._draw_text(canvas, top, both, alert=False)

    def _draw_hint(self, canvas: Canvas, state: TableState, top: int) -> None:
        """Draw what a bot would do, and why if there is room for that too."""
        room = canvas.width - 2
        text = " ".join(state.hint).strip()
        if len(wrapped(text, room, room)) > canvas.height - top:
            text = state.hint[0]
        self._draw_text(canvas, top, text, alert=False)

    def _draw_text(self, canvas: Canvas, top: int, text: str, *, alert: bool) -> None:
        palette = canvas.palette
        ink = style(palette.alert if alert else palette.ink, palette.panel, bold=alert)
        room = canvas.width - 2
        for row, line in enumerate(wrapped(text, room, room), top):
            canvas.text(1, row, line, ink)


def _rows_for_title(height: int) -> int:
    """Return how many rows the question itself may have."""
    return 2 if height >= TWO_ROWS else 1


def _title_rows(title: str, width: int, at_most: int) -> list[str]:
    """Return the rows of the bar: several only if it is longer than one, and may have several."""
    if cell_len(title) <= width - 1 or at_most < 2:
        return [title]
    return wrapped(title, width - 2, width - 2)[:at_most]


def _option_labels(glyphs: Glyphs) -> tuple[tuple[Action, str], ...]:
    return (
        (LEAVE, _("{key} Leave").format(key=key(TableCommands.leave, glyphs))),
        (REVEAL, _("{key} Reveal").format(key=key(TableCommands.reveal, glyphs))),
    )


def _option_width(glyphs: Glyphs) -> int:
    return max(cell_len(label) for _action, label in _option_labels(glyphs)) + 3


def _hue(palette: Palette, state: TableState, family: Family) -> str:
    """Return a family's colour, paler while the line is lost: what is shown may be past."""
    colours = palette.families[family]
    return colours.dim_hue if state.lost else colours.hue


def _seat_width(width: int, state: TableState) -> int:
    return width // state.view.players
