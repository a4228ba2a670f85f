"""Shows a returning player the events since their last answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.base.overlay import OverlayCommands, TextOverlay
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.text.cell_widths import steady, wrap_text
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import card_name_for
from driflamme_tui.wording.program.people_words import chat_text, paused_sentence, speaker
from engine.cards import UNKNOWN
from engine.position import Stack, height
from engine.views import View
from netcode.protocol.messages import Line

NAME: Final = 7
"""Maximum columns for the name of a card on a board."""

WIDEST: Final = 84
"""Maximum columns of the box."""

BOARD_INDENT: Final = 2
"""Columns before the text of a board."""

EDGES: Final = 6
"""Columns of the box that are no text: frame, padding and scroll bar."""


class StoryCommands(OverlayCommands, prefix="story"):
    """The command that repeats the story at the table, beside those of an overlay."""

    step = Command(
        TableCommands.since.keys,
        "step",
        "see it at the table, event by event",
        "step by step",
        follows=TableCommands.since,
        listed=False,
    )
    bar = "close step"


class StoryOverlay(TextOverlay[bool], commands=StoryCommands):
    """The events since the reader's last answer, with the board before and after them.

    It closes with True if the reader wants to see the events at the table.
    """

    def __init__(self, table: TableScreen, before: View, count: int) -> None:
        """Show the events of a table after the first `count` events, which led to `before`."""
        super().__init__()
        self._table, self._before, self._count = table, before, count

    def heading(self) -> str:
        """Return the title in the upper edge."""
        return _("Since your last answer")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the board before the events, the events, the board now, and missed chat."""
        state = self._table.state()
        texts = [
            *self._board(state, self._before, _("BEFORE YOUR ANSWER")),
            Text(),
            self.text((_("WHAT HAPPENED"), "heading")),
            *(self._line(state, *line) for line in state.log[self._count :] if line[1]),
            Text(),
            *self._board(state, state.view, _("NOW")),
            self._turn(state),
            *self._chat(),
        ]
        return {"reading": Text("\n").join(texts)}

    @property
    def _columns(self) -> int:
        """The columns of a row of text."""
        return min(self.app.size.width, WIDEST) - EDGES

    def action_step(self) -> None:
        """Close this window, and show the events at the table."""
        self.dismiss(True)

    def _hanging(self, mark: Text, sentence: str, ink: str = "ink") -> Text:
        """Return a sentence after a mark. Its later rows begin below its first word."""
        indent = cell_len(mark.plain)
        width = self._columns - indent
        return mark + self.text((f"\n{' ' * indent}".join(wrap_text(sentence, width, width)), ink))

    def _line(self, state: TableState, seat: int | None, sentence: str) -> Text:
        if seat is None:
            return self._hanging(self.text(("-- ", "mute")), sentence, "mute")
        mark = self.text((state.prompter.tag(seat), state.view.families[seat]), " ")
        return self._hanging(mark, sentence)

    def _turn(self, state: TableState) -> Text:
        """Return the sentence about the reader's turn, or about another player's turn.

        During a pause, return instead that the host has paused the game.
        """
        if state.paused:
            lobby = self._table.player_seat.lobby
            host = next((steady(seat.name) for seat in lobby.seats if seat.host), "")
            text = paused_sentence(is_host=state.host)
            if host and not state.host:
                text = _("{name} has paused the game: nothing can be answered.", name=host)
            return self._hanging(Text("  "), text)
        if state.view.turn in state.view.viewers:
            return self.text((f"  {_('It is your turn.')}", "bold"))
        return self.text(f"  {state.prompter.waiting()}.")

    def _board(self, state: TableState, view: View, title: str) -> Iterator[Text]:
        """Yield the title, everybody's influence, and the Queue in as many rows as it needs."""
        yield self.text((title, "heading"), (f"  {_('round {number}', number=view.round)}", "mute"))
        tags = [(state.prompter.tag(seat), family) for seat, family in enumerate(view.families)]
        gains = [now - then for now, then in zip(view.pools, self._before.pools, strict=True)]
        pools = [
            self.text(
                (tag, f"{family} bold"),
                f" {state.players[seat].name} {view.pools[seat]}",
                (f" ({gains[seat]:+d})" if gains[seat] else "", "bold"),
            )
            for seat, (tag, family) in enumerate(tags)
        ]
        yield from self._rows(pools)
        stacks = [
            self._stack(position, stack, *tags[stack[0]], is_resolving=position - 1 == view.at)
            for position, stack in enumerate(view.queue, 1)
        ]
        empty = self.text((_("The Queue is empty."), "mute"))
        yield from self._rows(stacks or [empty])

    def _stack(
        self, position: int, stack: Stack, tag: str, family: str, *, is_resolving: bool
    ) -> Text:
        """Return a stack in one piece: position, owner, top card, influence, number of cards."""
        _seat, card, face_up, influence, _covered = stack
        glyphs = self.glyphs
        back = "" if face_up else glyphs.hatch * (2 if card == UNKNOWN else 1)
        name = "" if card == UNKNOWN else card_name_for(card, NAME)
        pieces = [tag, back + name]
        if influence:
            pieces.append(f"{glyphs.dot}{influence}")
        if (cards := height(stack)) > 1:
            pieces.append(f"{glyphs.times}{cards}")
        mark = glyphs.turn if is_resolving else ""
        return self.text((f"{mark}{position} ", "mute"), (" ".join(pieces), family))

    def _rows(self, pieces: Sequence[Text]) -> Iterator[Text]:
        """Yield rows of pieces, each of which stays whole."""
        width = self._columns - BOARD_INDENT
        row, used = Text(" " * BOARD_INDENT), 0
        for piece in pieces:
            columns = cell_len(piece.plain)
            if used and used + 2 + columns > width:
                yield row
                row, used = Text(" " * BOARD_INDENT), 0
            if used:
                row.append("  ")
                used += 2
            row.append_text(piece)
            used += columns
        yield row

    def _chat(self) -> Iterator[Text]:
        """Yield the chat that the reader missed, below a heading; nothing without such chat."""
        seat = self._table.player_seat
        if seat.missed_from is None:
            return
        lines: Sequence[Line] = seat.session.talk[seat.missed_from :]
        yield Text()
        yield self.text((_("CHAT WHILE YOU WERE AWAY"), "heading"))
        for line in lines:
            name = self.text((speaker(steady(line.name)), line.family or "mute"))
            yield self._hanging(name, steady(chat_text(line)))
