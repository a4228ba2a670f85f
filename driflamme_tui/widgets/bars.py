"""The narrow widgets of the table: header, players, prompt and keys."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message

from driflamme_tui.i18n import _
from driflamme_tui.question import Step
from driflamme_tui.table_state import TableState
from driflamme_tui.widgets.canvas import Canvas
from driflamme_tui.widgets.drawn import Drawn
from driflamme_tui.widgets.palette import DARK, style
from driflamme_tui.wording.names import card_name_for
from driflamme_tui.wording.result import headline
from driflamme_tui.wording.result import reason as result_reason
from engine.actions import LEAVE, REVEAL, Action
from engine.cards import ROUNDS, Family, Seat, in_order
from engine.position import PLACE, ranking


class TableBar(Drawn):
    """A widget of the table that draws one moment of it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state: TableState | None = None

    def show(self, state: TableState) -> None:
        """Draw a moment of the table."""
        self.state = state
        self.redraw()


class Header(TableBar):
    """Round and phase, and how the table is doing."""

    def background(self) -> Style:
        """Ink on a panel."""
        return style(DARK.ink, DARK.panel)

    def draw(self, canvas: Canvas) -> None:
        """Draw the one row."""
        state = self.state
        if state is None:
            return
        view, glyphs = state.view, state.glyphs
        bold = style(DARK.ink, DARK.panel, bold=True)
        rounds = glyphs.round_done * view.round + glyphs.round_ahead * (ROUNDS - view.round)
        if view.over:
            phase = _("The game is over")
        else:
            phase = _("Placement") if view.asked == PLACE else _("Resolution")
        end = canvas.text(1, 0, "Driflamme", bold)
        text = _("Round {round}/{rounds}").format(round=view.round, rounds=ROUNDS)
        end = canvas.text(end + 2, 0, f"{text} {rounds}  {phase}", bold)
        room = canvas.width - end - 3
        if state.line:
            right, ink = state.line, style(DARK.alert, DARK.panel, bold=True)
        else:
            right, ink = "", style(DARK.mute, DARK.panel)
            for part in state.heading:
                longer = f"{part} {glyphs.separator} {right}" if right else part
                right = longer if cell_len(longer) <= room else right
        width = min(cell_len(right), room)
        canvas.text(canvas.width - 1 - width, 0, right, ink, width)


class Seats(TableBar):
    """The players: sign, name, influence, cards in hand and cards that are out."""

    @dataclass
    class Pressed(Message):
        """A player was clicked."""

        family: Family

    def draw(self, canvas: Canvas) -> None:
        """Draw the players side by side, in seat order."""
        state = self.state
        if state is None:
            return
        for seat in range(state.view.players):
            self._draw_seat(canvas, state, seat)

    def on_click(self, event: events.Click) -> None:
        """Tell which player was clicked."""
        state = self.state
        if state is not None:
            seat = min(event.x // _seat_width(self.size.width, state), state.view.players - 1)
            self.post_message(self.Pressed(state.view.families[seat]))

    def _draw_seat(self, canvas: Canvas, state: TableState, seat: Seat) -> None:
        view, glyphs = state.view, state.glyphs
        width = _seat_width(canvas.width, state)
        x = seat * width
        family = view.families[seat]
        player = state.players[seat]
        turn = view.turn == seat and not view.over
        ground = DARK.panel if turn else DARK.table
        hue = style(DARK.families[family].hue, ground, bold=True)
        chosen = state.chosen_family() == family
        if turn:
            canvas.fill(x, 0, width - 1, canvas.height, style(DARK.ink, ground), " ")
            canvas.text(x, 0, glyphs.turn, style(DARK.ink, ground, bold=True))
        name = _("You") if seat == view.viewer else player.name
        flag = f" {glyphs.first}" if seat == view.first else ""
        title = state.prompter.tag(seat)
        if chosen:
            before, after = glyphs.chosen_mark
            title = f"{before}{title}{after}"
            hue = style(DARK.on_choice, DARK.choice, bold=True)
        elif family in state.families_to_choose():
            title = f"[{title}]"
        title = f"{title} {name}"
        room = width - 2 - cell_len(flag)
        end = canvas.text(x + 1, 0, title, hue, min(cell_len(title), room))
        canvas.text(end, 0, flag, style(DARK.ink, ground))
        pool = view.pools[seat]
        end = canvas.text(x + 1, 1, f"{pool:2d} ", style(DARK.ink, ground, bold=True))
        coins, dots = divmod(pool, 5)
        tokens = glyphs.coin * coins + glyphs.dot * dots
        status = self._status(state, seat)
        room = width - 5 - len(status)
        canvas.text(end, 1, tokens[: max(0, room)], style(DARK.ink, ground))
        ink = DARK.alert if not player.present else DARK.mute
        canvas.text(x + width - 1 - len(status), 1, status, style(ink, ground))
        self._draw_cards(canvas, state, seat, x, width, ground)

    def _draw_cards(
        self, canvas: Canvas, state: TableState, seat: Seat, x: int, width: int, ground: str
    ) -> None:
        view, glyphs = state.view, state.glyphs
        hue = style(DARK.families[view.families[seat]].hue, ground)
        mute = style(DARK.mute, ground)
        out = in_order(view.out[seat])
        end = canvas.text(x + 1, 2, glyphs.back * len(view.hands[seat]), hue)
        if canvas.height < 4:
            if out:
                text = _("out {cards}").format(cards=out)
                canvas.text(end + 1, 2, text[: x + width - end - 2], mute)
            return
        canvas.text(end + 1, 2, _("{n} in hand").format(n=len(view.hands[seat])), hue)
        names = " ".join(card_name_for(card, 7) for card in out)
        text = _("out {cards}").format(cards=names)
        if len(text) > width - 2:
            text = _("out {cards}").format(cards=" ".join(out))
        canvas.text(x + 1, 3, (text if out else "")[: width - 2], mute)

    def _status(self, state: TableState, seat: Seat) -> str:
        player = state.players[seat]
        if player.bot is not None:
            return _("bot")
        return "" if player.present else f"{state.glyphs.away}{_('away')}"


class Prompt(TableBar):
    """The question in one bar, and under it what the present choice would do."""

    class Confirmed(Message):
        """The right end of the bar was clicked."""

    @dataclass
    class OptionPressed(Message):
        """One of the rows to leave or to reveal was clicked."""

        token: str

    def background(self) -> Style:
        """A panel, brighter than the table."""
        return style(DARK.ink, DARK.panel)

    def draw(self, canvas: Canvas) -> None:
        """Draw the bar and its two rows."""
        state = self.state
        if state is None:
            return
        if state.view.over:
            names = [player.name for player in state.players]
            winner = ranking(state.view)[0][0]
            hint = _("Enter {verb}").format(verb=_("shows the result"))
            self._draw_bar(canvas, state, winner, headline(state.view, names), [hint])
            self._draw_text(canvas, result_reason(state.view, names), alert=False)
            return
        question = state.question
        prompter = state.prompter
        if question is None:
            self._draw_bar(canvas, state, state.view.turn, prompter.waiting(), [])
            self._draw_text(
                canvas, state.notice or self._meanwhile(state), alert=bool(state.notice)
            )
            return
        if state.sent:
            self._draw_bar(canvas, state, state.view.turn, prompter.title(question), [_("Sent…")])
        else:
            self._draw_bar(
                canvas, state, state.view.turn, prompter.title(question), self._hints(state)
            )
        if state.notice:
            self._draw_text(canvas, state.notice, alert=True)
        elif question.step is Step.LEAVE_OR_REVEAL:
            self._draw_two_options(canvas, state)
        else:
            self._draw_text(canvas, prompter.consequence(question), alert=False)

    def on_click(self, event: events.Click) -> None:
        """Confirm at the bar's right half, or choose the row that was clicked."""
        state = self.state
        if state is None:
            return
        if state.view.over:
            self.post_message(self.Confirmed())
        elif state.question is None:
            return
        elif event.y == 0:
            if event.x >= self.size.width // 2:
                self.post_message(self.Confirmed())
        elif state.question.step is Step.LEAVE_OR_REVEAL:
            self.post_message(self.OptionPressed(str(LEAVE if event.y == 1 else REVEAL)))

    def _meanwhile(self, state: TableState) -> str:
        """Say what the player who is asked can do, or that they are away."""
        asked = state.players[state.view.turn]
        if asked.present:
            return state.prompter.may()
        return _("{name} is away: a bot will answer before long.").format(name=asked.name)

    def _draw_bar(
        self, canvas: Canvas, state: TableState, seat: Seat, title: str, hints: Sequence[str]
    ) -> None:
        yours = state.question is not None or state.view.over
        hue = DARK.families[state.view.families[seat]].hue
        if yours:
            ground = ink = style(DARK.on_hue, hue, bold=True)
        else:
            ground, ink = style(DARK.ink, DARK.panel), style(hue, DARK.panel, bold=True)
        canvas.fill(0, 0, canvas.width, 1, ground, " ")
        end = canvas.text(1, 0, title, ink, min(cell_len(title), canvas.width - 2))
        # Where there is no room for all hints, those that matter most stand last and stay.
        for first in range(len(hints)):
            text = f" {state.glyphs.separator} ".join(hints[first:])
            if end + 2 + cell_len(text) < canvas.width:
                canvas.text(canvas.width - 1 - cell_len(text), 0, text, ground)
                return

    def _hints(self, state: TableState) -> list[str]:
        question, glyphs = state.question, state.glyphs
        assert question is not None
        if state.looking:
            return [_("Esc stops looking")]
        words = [_("{arrows} choose").format(arrows=glyphs.arrows)]
        if question.step is Step.SPOT:
            words = [_("< start"), _("> end"), _("{arrows} spots").format(arrows=glyphs.arrows)]
        words.append(_("Enter {verb}").format(verb=state.prompter.verb(question)))
        if question.picked:
            words.append(_("Esc other card"))
        return words

    def _draw_two_options(self, canvas: Canvas, state: TableState) -> None:
        question, glyphs = state.question, state.glyphs
        assert question is not None
        rows: tuple[tuple[Action, str], ...] = ((LEAVE, _("+ Leave")), (REVEAL, _("! Reveal")))
        width = max(cell_len(label) for _action, label in rows) + 3
        for row, (action, label) in enumerate(rows, 1):
            chosen = question.choice is not None and question.choice.action == action
            ink = style(DARK.ink, DARK.panel, bold=True)
            if chosen:
                ink = style(DARK.on_choice, DARK.choice, bold=True)
            mark = glyphs.turn if chosen else " "
            canvas.text(1, row, f"{mark} {label}", ink, width)
            effect = state.prompter.effect(action, question)
            canvas.text(width + 2, row, effect, style(DARK.ink, DARK.panel))

    def _draw_text(self, canvas: Canvas, text: str, *, alert: bool) -> None:
        ink = style(DARK.alert if alert else DARK.ink, DARK.panel, bold=alert)
        for row, line in enumerate(wrap(text, canvas.width - 2)[: canvas.height - 1], 1):
            canvas.text(1, row, line, ink)


@dataclass(frozen=True, slots=True)
class Key:
    """One entry of the key bar."""

    key: str
    label: str
    action: str
    """The screen's action that it runs."""


KEY_GAPS: Final = (3, 2, 1)
"""Cells between two keys: the widest with which all keys fit."""


class Keys(Drawn):
    """What can be done now, and by which key; each entry may be clicked."""

    @dataclass
    class Pressed(Message):
        """An entry was clicked."""

        action: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.keys: Sequence[Key] = ()

    def background(self) -> Style:
        """Ink on a panel."""
        return style(DARK.mute, DARK.panel)

    def show(self, keys: Sequence[Key]) -> None:
        """Draw these keys."""
        self.keys = keys
        self.redraw()

    def draw(self, canvas: Canvas) -> None:
        """Draw the keys, as far as there is room for them."""
        for x, key in self._places():
            end = canvas.text(x, 0, key.key, style(DARK.ink, DARK.panel, bold=True))
            canvas.text(end + 1, 0, key.label, self.background())

    def on_click(self, event: events.Click) -> None:
        """Tell which entry was clicked."""
        for x, key in self._places():
            if x <= event.x < x + _key_width(key):
                self.post_message(self.Pressed(key.action))
                return

    def _places(self) -> Iterator[tuple[int, Key]]:
        words = sum(_key_width(key) for key in self.keys)
        room = self.size.width - 2
        gaps = max(0, len(self.keys) - 1)
        gap = next((gap for gap in KEY_GAPS if words + gap * gaps <= room), KEY_GAPS[-1])
        x = 1
        for key in self.keys:
            width = _key_width(key)
            if x + width > self.size.width:
                return
            yield x, key
            x += width + gap


def _key_width(key: Key) -> int:
    return cell_len(key.key) + 1 + cell_len(key.label)


def _seat_width(width: int, state: TableState) -> int:
    return width // state.view.players
