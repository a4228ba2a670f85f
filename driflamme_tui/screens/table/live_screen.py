"""Shows a table with others: the cards, the chat, and the evening's standings."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.preferences.remembered import BEGINNER, Beginner
from driflamme_tui.screens.table.live_zones import LiveZones
from driflamme_tui.screens.table.pause_key import PauseKey
from driflamme_tui.screens.table.seat_wishes import SeatWishes
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.people_words import table_heading
from engine.ranking import Owners, is_for_two, total
from engine.views import View
from netcode.protocol.messages import SeatInfo

if TYPE_CHECKING:
    from driflamme_tui.seat.sections import Section, Sections

TALK_KEPT: Final = 30
"""Maximum number of chat lines that are passed to widgets: more than a screen has rows."""


class LiveScreen(TableScreen, commands=TableCommands, inherit_bindings=False):
    """The screen of a table with others, with its chat."""

    zones: LiveZones

    def __init__(self) -> None:
        zones = LiveZones(lambda: bool(self.player_seat.session.talk), lambda: self.talking)
        super().__init__(zones=zones)
        self._pause = PauseKey(self.player_seat, self.answering)
        self._wishes = SeatWishes(self.player_seat)
        self._is_played = False
        """True if the reader has played in this game, and has not seen its end yet."""
        self._chat_before: tuple[object, int] = (None, 0)
        """The latest `animation.since`, and the number of chat lines that are not new.

        A line is new if it came after the reader's last answer, and was not visible since.
        """
        self._spoken = 0, 0
        """The number of chat lines, and the number of events before the last line."""

    def begins(self, view: View) -> None:
        """At the end of the reader's game, add the game to the number of finished games.

        This number decides whether a beginner gets explanations.
        """
        if not view.over:
            self._is_played = view.viewer is not None
        elif self._is_played:
            self._is_played = False
            if self.terminal.helps_beginners:
                BEGINNER.change(Beginner.after_a_game)

    def present(self, state: TableState) -> TableState:
        """Return the state with the chat, the header's texts, and the texts of wings.

        If the chat is visible, mark its lines as read.
        """
        session = self.player_seat.session
        layout, count, since = state.layout, len(session.talk), self.animation.since
        seen = self.zones.fits_chat(layout)
        self.unread(is_seen=seen)
        if seen or self._chat_before[0] is not since:
            self._chat_before = since, count
        if self._spoken[0] != count:
            self._spoken = count, len(session.events)
        # The reader's next answer hides the line, but the key bar still counts it as new.
        spoken = not seen and count > self._chat_before[1]
        waiting = state.waiting
        if state.question is None and not state.view.over:
            text = self._of_wings(lambda each: each.waiting())
            waiting = replace(waiting, text=text or waiting.text)
        return replace(
            state,
            waiting=waiting,
            talk=session.talk[-TALK_KEPT:],
            spoken=spoken,
            spoken_last=spoken and self._spoken[1] == len(session.events),
            deadline=self._of_wings(lambda each: each.time_left()),
            heading=[
                *_sums(state.view, session.owners(), state.players),
                *self.heading(),
            ],
        )

    @cached_property
    def sections(self) -> "Sections":
        """The sections of wings on this screen."""
        # Import here: a table without others needs no sections, and starts faster without them.
        from driflamme_tui.screens.base.screen_face import sections_of

        return sections_of(self)

    def _of_wings(self, text: "Callable[[Section], str]") -> str:
        """Return the first text of a wing's section; "" if there is none.

        Between games, and at a table without parts, load no sections and return "".
        """
        lobby = self.player_seat.session.lobby
        is_shown = lobby is not None and lobby.parts and lobby.phase == "playing"
        return self.sections.first(text) if is_shown else ""

    def heading(self) -> list[str]:
        """Return the texts at the right of the header, the most important first."""
        left = self._of_wings(lambda each: each.time_left())
        return [*filter(None, [left]), *table_heading(self.player_seat.session.lobby)]

    # The pause, and seats for latecomers

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. Only the host answers wishes."""
        match command:
            case TableCommands.pause:
                return self._pause.is_possible
            case TableCommands.seat:
                return self._wishes.may_ask
            case TableCommands.grant | TableCommands.refuse:
                return self._wishes.wish is not None
        return super().is_possible(command)

    def is_news(self, entry: Entry) -> bool:
        """Return True for the answers to a wish, and for the chat if it has new lines."""
        return entry in (TableCommands.grant, TableCommands.refuse) or super().is_news(entry)

    def entry_words(self, entry: Entry) -> str:
        """Return the label of an entry in the key bar; "" if it would have no effect.

        The label of the pause depends on whether the reader is the host.
        """
        words = super().entry_words(entry)
        return self._pause.words if words and entry == TableCommands.pause else words

    def action_pause(self) -> None:
        """Pause or resume the game, as the host; anybody else asks the host for a pause.

        To a muted reader, only show the reason.
        """
        if why := self._pause.press():
            self.show_notice(why)

    def action_seat(self) -> None:
        """Show the bots' seats to a spectator.

        For the host, grant the oldest wish for a bot's seat. For anybody else, show the refusal.
        """
        if self._wishes.wish is None and self._wishes.may_ask:
            from driflamme_tui.screens.overlays.seats_overlay import SeatsOverlay

            self.app.push_screen(SeatsOverlay())
        else:
            self._answer_wish(granted=True)

    def action_refuse(self) -> None:
        """For the host, refuse the oldest wish for a bot's seat.

        If there is no wish to answer, show a notice.
        """
        self._answer_wish(granted=False)

    def _answer_wish(self, *, granted: bool) -> None:
        if why := self._wishes.answer(granted=granted):
            self.show_notice(why)

    # The chat

    def draw_others(self, state: TableState) -> None:
        """Draw the chat if there is space for it."""
        zones = self.zones
        if zones.fits_chat(state.layout):
            if not zones.talk.is_attached:
                self.mount(zones.talk)
            zones.talk.show(state.talk, self.silenced(), self.missed_lines)


def _sums(view: View, owners: Owners, players: Sequence[SeatInfo]) -> list[str]:
    """Return the sums of each player's influence; [] unless two players have two families each."""
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
