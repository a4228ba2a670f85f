"""What a table of others has besides its cards: the chat, and who is ahead of whom this evening."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from driflamme_tui.drawing.layout import COMFORTABLE_WIDTH, Layout
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.preferences.remembered import NEWCOMER, Newcomer
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.chat_panel import TalkPanel
from driflamme_tui.widgets.table.zones import Part
from driflamme_tui.wording.program.people_words import table_heading
from engine.ranking import Owners, is_for_two, total
from engine.views import View
from netcode.protocol.messages import SeatInfo

TALK_WIDTH: Final = 32
"""Minimum width of the chat beside the events, in columns."""
TALK_NARROW: Final = 24
"""Minimum width of that chat on a narrow screen."""
TALK_PART: Final = 4
"""On a wide screen that chat has one of so many columns."""
TALK_WIDE: Final = 100
"""Columns from which it stands there all the time: elsewhere the events need them."""
TALK_ROWS: Final = 3
"""Rows below the hand from which the chat stands there; with fewer, events need them all."""

TALK_KEPT: Final = 30
"""Lines of chat that may be shown: more than any screen has rows for."""


class LiveScreen(TableScreen, commands=TableCommands, inherit_bindings=False):
    """A table with its chat."""

    def __init__(self) -> None:
        """Show nothing yet."""
        super().__init__()
        self._panel = TalkPanel()
        self._is_played = False
        """Whether this game was seen before it was over."""
        # What stands at its left is set off.
        self._panel.divided = True
        self._said: tuple[object, int] = (None, 0)
        """Since when lines of chat are shown, and how many there were then."""
        self._spoken = 0, 0
        """How many lines of chat there are, and how many events came before the last."""

    def begins(self, view: View) -> None:
        """Count a game of the reader's own when it ends before their eyes."""
        if not view.over:
            self._is_played = view.viewer is not None
        elif self._is_played:
            self._is_played = False
            if self.terminal.helps_newcomers:
                NEWCOMER.change(Newcomer.after_a_game)

    def present(self, state: TableState) -> TableState:
        """Return the present moment with what has been said."""
        session = self.sitting.session
        layout, said, since = state.layout, len(session.talk), self.pictures.since
        seen = self.talking or self._is_below(layout) or self._is_beside(layout)
        unread = self.unread(seen=seen)
        if seen or self._said[0] is not since:
            self._said = since, said
        if self._spoken[0] != said:
            self._spoken = said, len(session.events)
        spoken = not seen and said > 0 and (unread > 0 or said > self._said[1])
        return replace(
            state,
            talk=session.talk[-TALK_KEPT:],
            spoken=spoken,
            spoken_last=spoken and self._spoken[1] == len(session.events),
            heading=[
                *_sums(state.view, session.owners(), state.players),
                *self.heading(),
            ],
        )

    def heading(self) -> list[str]:
        """Return what stands at the right of the header, the most important first."""
        return table_heading(self.sitting.session.lobby)

    def _is_below(self, layout: Layout) -> bool:
        """Whether the chat stands below the hand, beside the events."""
        if layout.events_height < TALK_ROWS or layout.teaches:
            return False
        # Where sentences would be cut for it, it has room only while somebody writes.
        talk = self.sitting.session.talk
        return self.talking or (layout.width >= TALK_WIDE and bool(talk))

    def _is_beside(self, layout: Layout) -> bool:
        """Whether it stands beside the hand because what is known of all cards needs the rows."""
        return layout.teaches and bool(self.sitting.session.talk)

    def draw_others(self, state: TableState) -> None:
        """Draw the chat where there is room for it."""
        if self.talking or self._is_below(state.layout) or self._is_beside(state.layout):
            if not self._panel.is_attached:
                self.mount(self._panel)
            self._panel.show(state.talk, self.silenced())

    def beside_hand(self, state: TableState) -> list[Part]:
        """Return the help, the chat, or both."""
        layout, beside = state.layout, super().beside_hand(state)
        if self._is_below(layout) or not (self.talking or self._is_beside(layout)):
            return beside
        wide = [*beside, (self._panel, layout.width // TALK_PART)]
        return wide if layout.teaches else [(self._panel, None)]

    def beside_events(self, state: TableState) -> list[Part]:
        """Return what is known, and the chat."""
        layout, beside = state.layout, super().beside_events(state)
        if not self._is_below(layout):
            return beside
        least = TALK_WIDTH if layout.width >= COMFORTABLE_WIDTH else TALK_NARROW
        return [*beside, (self._panel, max(least, layout.width // TALK_PART))]


def _sums(view: View, owners: Owners, players: Sequence[SeatInfo]) -> list[str]:
    """Return who has how much, where two players have two families each."""
    if not is_for_two(owners):
        return []
    here, there = sorted(owners, key=lambda owner: owner[0] not in view.viewers)
    return [
        _(
            "{name} {n} : {m} {other}",
            name=_("You") if here[0] in view.viewers else players[here[0]].name,
            n=total(view, here),
            m=total(view, there),
            other=players[there[0]].name,
        )
    ]
