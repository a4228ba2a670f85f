"""The table itself: shows the session's view, asks its question, sends the answer.

Keys and clicks change a `Question` (see `answering.py`); every change makes a new `TableState`,
which all widgets draw. Nothing here judges a rule.
"""

from collections.abc import Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal

from driflamme_tui.i18n import _
from driflamme_tui.screens.answering import AnsweringScreen
from driflamme_tui.table_state import Player, TableState
from driflamme_tui.widgets.bars import Header, Key, Keys, Prompt, Seats
from driflamme_tui.widgets.hand import Hand
from driflamme_tui.widgets.layout import (
    HAND_MARGIN,
    WIDE,
    Layout,
    fit,
)
from driflamme_tui.widgets.panels import KNOWN_WIDTH, CardHelp, Events, KnownCards
from driflamme_tui.widgets.queue import Queue
from driflamme_tui.widgets.too_small import TooSmall
from driflamme_tui.wording.log import log_line
from engine.cards import HAND, Seat
from engine.events import Event
from engine.position import PLACE, height
from engine.view import View
from netcode.messages import Refused
from netcode.refusals import refusal_sentence

NARROWEST_HAND: Final = 38
"""Columns that the hand keeps when few cards are left: room for what is set aside."""


class TableScreen(AnsweringScreen):
    """The table, while a game is played and when it is over."""

    def __init__(self) -> None:
        super().__init__()
        self._shown_revision = 0
        self._refusal: Refused | None = None
        """The last one that was told."""
        self._room: dict[tuple[int, bool], tuple[int, int]] = {}
        self._log: list[tuple[Seat | None, str]] = []
        self._worded: tuple[list[Event], list[str]] = ([], [])

    def compose(self) -> ComposeResult:
        """Lay the zones out from the top."""
        yield Header(id="header")
        yield Seats(id="seats")
        yield Queue(id="queue")
        yield Prompt(id="prompt")
        with Horizontal(id="middle"):
            yield Hand(id="hand")
            yield CardHelp(id="card-help")
        with Horizontal(id="bottom"):
            yield Events(id="events")
            yield KnownCards(id="known")
        yield Keys(id="keys")
        yield TooSmall(id="too-small")

    # What the session says

    def sync(self) -> None:
        """Take over what has changed in the session, and show it."""
        session = self.app.session
        view = session.view
        if view is None:
            return
        # After a new welcome there is no revision for a moment; the choice is kept meanwhile.
        if session.revision and session.revision != self._shown_revision:
            self._shown_revision = session.revision
            self._refusal = session.refusal
            self.ask(view)
        refusal = session.refusal
        if refusal is not None and refusal is not self._refusal:
            self.notice = refusal_sentence(refusal.code, refusal.values, _)
        self._refusal = refusal
        self.show()

    def state(self) -> TableState | None:
        """Return the present moment of the table, or None before the first view."""
        session = self.app.session
        view, lobby = session.view, session.lobby
        if view is None or lobby is None:
            return None
        seats = {seat.family: seat for seat in lobby.seats}
        players = [
            Player(seats[family].name, seats[family].bot, seats[family].present)
            if family in seats
            else Player(family)
            for family in view.families
        ]
        settings = lobby.settings
        return TableState(
            view=view,
            players=players,
            glyphs=self.app.glyphs,
            layout=self._layout(view),
            question=self.question,
            cursor=self.cursor,
            looking=self.looking,
            mirrored=settings.direction == "left",
            sent=session.pending is not None,
            line=self.app.line,
            notice=self.notice,
            heading=self.app.heading(),
            log=self._log_of(view, session.events, [player.name for player in players]),
        )

    def _log_of(
        self, view: View, happened: Sequence[Event], names: Sequence[str]
    ) -> list[tuple[Seat | None, str]]:
        """Return the lines of the event list, wording only the events that are new."""
        known = len(self._log)
        if known > len(happened) or self._worded != (happened[:1], list(names)):
            self._log, known = [], 0
        self._worded = (list(happened[:1]), list(names))
        self._log += [log_line(event, view, names) for event in happened[known:]]
        return list(self._log)

    def show(self) -> None:
        """Draw the present moment."""
        state = self.state()
        if state is None:
            return
        self._arrange(state)
        self.query_one(Header).show(state)
        self.query_one(Seats).show(state)
        self.query_one(Queue).show(state)
        self.query_one(Prompt).show(state)
        self.query_one(Hand).show(state)
        self.query_one(CardHelp).show(state)
        self.query_one(Events).show(state)
        self.query_one(KnownCards).show(state)
        self.query_one(Keys).show(self._key_bar(state))

    def _layout(self, view: View) -> Layout:
        """Return the layout, kept for a whole phase so that nothing shifts while choosing."""
        tallest = max((height(stack) for stack in view.queue), default=1)
        stacks = len(view.queue)
        placing = view.asked == PLACE
        if placing:
            stacks += sum(len(hand) == HAND + 1 - view.round for hand in view.hands)
            tallest += 1
        elif tallest > 1:
            stacks += 1
        before = self._room.get((view.round, placing), (0, 0))
        room = max(before[0], stacks), max(before[1], tallest)
        self._room = {(view.round, placing): room}
        return fit(self.size.width, self.size.height, *room)

    def _arrange(self, state: TableState) -> None:
        layout = state.layout
        self.query_one(Seats).styles.height = layout.seats + layout.air
        self.query_one(Queue).styles.height = layout.queue_height + layout.air
        self.query_one("#middle").styles.height = layout.hand_height + layout.air
        cards = HAND + 1 - state.view.round
        hand = cards * layout.hand_card.pitch + HAND_MARGIN
        self.query_one(Hand).styles.width = max(NARROWEST_HAND, hand)
        known = self.query_one(KnownCards)
        known.display = self.size.width >= WIDE and layout.events_height >= 8
        known.styles.width = KNOWN_WIDTH

    def _key_bar(self, state: TableState) -> list[Key]:
        arrows = state.glyphs.arrows
        keys = []
        if state.view.over:
            keys.append(Key("Enter", _("result"), "confirm"))
        elif self.looking:
            keys += [
                Key(arrows, _("look along"), "noop"),
                Key(state.glyphs.up_down, _("into a stack"), "noop"),
                Key("Tab", _("hand"), "look_on"),
                Key("Esc", _("stop looking"), "back"),
            ]
        elif state.question is not None:
            keys += [Key(arrows, _("choose"), "noop"), Key("Enter", _("confirm"), "confirm")]
            if state.question.picked or state.question.chosen is not None:
                keys.append(Key("Esc", _("back"), "back"))
        if not self.looking:
            keys.append(Key("i", _("look"), "look"))
        keys += [
            Key("k", _("known"), "known"),
            Key("e", _("events"), "events"),
            Key("?", _("help"), "help"),
            Key("q", _("leave"), "leave"),
        ]
        return keys
