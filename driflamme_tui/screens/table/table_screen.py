"""Shows the table: draws the seat's data, asks the question, and sends the answer.

Subclasses add the parts of tables with others, the lesson, puzzles, the analysis board and replays.
Keys and clicks go to an `Answering`. Every change makes a new `TableState`, which all widgets draw.
This module checks no rule.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial, wraps
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.geometry import Size
from textual.layout import Layout
from textual.screen import Screen

from driflamme_tui.drawing.layout import Layout as TableLayout
from driflamme_tui.drawing.option_rows import with_space_for_options
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.pending_question import Question
from driflamme_tui.screens.base.command_screen import Choice, Commanded, NoticeSpace, Reminder
from driflamme_tui.screens.base.full_screen import TICK_SLACK_S
from driflamme_tui.screens.base.messages import LookBack, Settle, ShowResult
from driflamme_tui.screens.countdown import soonest
from driflamme_tui.screens.session_screen import SessionScreen
from driflamme_tui.screens.table.answers.answer_commands import has_effect, option_sentences
from driflamme_tui.screens.table.answers.answering import Answering
from driflamme_tui.screens.table.key_words import (
    first_entries_at,
    help_page_at,
    is_useful,
    reminder_at,
)
from driflamme_tui.screens.table.motion import Motion
from driflamme_tui.screens.table.panels import Panels, PanelTable
from driflamme_tui.screens.table.reader_call import ReaderCall
from driflamme_tui.screens.table.shown_table import ShownTable
from driflamme_tui.screens.table.table_zones import TableZones
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.header import PointedBar
from driflamme_tui.wording.program.people_words import decided_sentence
from engine.views import View
from netcode.protocol.fields import Message
from netcode.protocol.messages import State


def _does(do: Callable[..., object]) -> Callable[..., None]:
    """Return an action that calls a method of the `Answering`, and then redraws."""

    @wraps(do)
    def action(self: "TableScreen", *values: Any) -> None:
        do(self.answering, *values)
        self.show()

    return action


class TableScreen(SessionScreen):
    """A table, during a game and after it."""

    has_low_notices: ClassVar[bool] = True
    """True if notices have no empty rows, also in overlays above this screen."""

    zones: TableZones
    """The widgets in their arrangement."""

    def __init__(
        self, player_seat: PlayerSeat | None = None, zones: TableZones | None = None
    ) -> None:
        """Show the table of a seat, by default the app's seat. `zones` replaces the usual zones."""
        super().__init__()
        self._sitting = player_seat
        self.zones = zones or TableZones()
        self._latest_state: TableState | None = None
        self.shown = ShownTable(self.player_seat, self.terminal, self, lambda: self._panels.chose())
        self.answering, self.look = self.shown.answering, self.shown.answering.look
        self.animation, self.event_lines = self.shown.animation, self.shown.event_lines
        self.prompter = self.shown.prompter
        self._panels = self.all_panels()
        self.motion = Motion(
            self.animation, self.terminal.clock, self._picture_changed, self.writing_ended
        )
        self._reader_call = ReaderCall(
            self.terminal, lambda seconds, call: self.set_timer(seconds + TICK_SLACK_S, call)
        )
        self.player_seat.subscribe(self._receive)

    @property
    def player_seat(self) -> PlayerSeat:
        """The player's seat at the table."""
        return self._sitting or super().player_seat

    @property
    def notice(self) -> str:
        """A sentence about the last key or click, mostly a refusal; "" for none."""
        return self.answering.notice

    @notice.setter
    def notice(self, notice: str) -> None:
        self.answering.notice = notice

    def _receive(self, message: Message) -> None:
        def receive() -> None:
            self.player_seat.session.receive(message)
            if isinstance(message, State):
                self.session_changed()

        # Deliver the message later, like one from a network, since the caller still draws the old
        # question.
        self.deliver(receive)

    def on_mount(self) -> None:
        """Watch the focus of the terminal, so that a reader who looks elsewhere can be called."""
        self.watch(self.app, "app_focus", self._call, init=False)

    async def on_unmount(self) -> None:
        """Restore the terminal's title, stop the panels, and leave the seat."""
        self._reader_call.leave()
        self._panels.close()
        await self.player_seat.stand_up()

    def relabel(self) -> None:
        """Redraw everything in another language, including past events."""
        self.word_anew()
        super().relabel()

    def word_anew(self) -> None:
        """Discard the worded lines of events."""
        self.event_lines.forget()

    # Hooks for subclasses

    def begins(self, view: View) -> None:
        """Prepare for a new view. The default does nothing."""

    def question(self, view: View) -> Question | None:
        """Return the reader's question at a view; None if this kind of table asks nothing there."""
        return Question(view)

    def blocked(self) -> str:
        """Return the reason why no answer is possible now; "" if one is possible."""
        return ""

    def present(self, state: TableState) -> TableState:
        """Return the state with the additions of a subclass."""
        return state

    def draw_others(self, state: TableState) -> None:
        """Draw the additional widgets of a subclass. The default draws nothing."""

    def decided_sentence(self, *, was_lost: bool) -> str:
        """Return the sentence stating that a bot has decided for the reader.

        `was_lost` is True if the connection was lost before the decision.
        """
        return decided_sentence(was_lost=was_lost, has_clock=self.lobby.settings.clock_s > 0)

    def covered(self) -> None:
        """Prepare for an overlay above this screen. The default does nothing."""

    # Data of the table

    @property
    def view(self) -> View:
        """The latest view of the game."""
        return self.answering.view

    def sync(self) -> None:
        """Update from the session, redraw, and call the reader if needed.

        Does nothing before the first view.
        """
        news = self.shown.update()
        if news is None:
            return
        if news.is_new_view:
            self.begins(news.view)
            self._panels.begins(news.view)
        self.show()
        self._call()

    def writing_ended(self) -> None:
        """Ignore confirmations for a moment, since the next key may still be meant as text."""
        self.answering.guard()

    def moment(self) -> object:
        """Return the revision, since commands apply to it."""
        return self.player_seat.session.revision

    # Actions of keys and clicks

    action_walk = _does(Answering.walk)
    action_walk_to = _does(Answering.walk_to)
    action_depth = _does(Answering.depth)
    action_look = _does(Answering.toggle_look)
    action_other_hand = _does(Answering.other_hand)
    action_back = _does(Answering.back)
    action_side = _does(Answering.side)
    action_spot = _does(Answering.spot)
    action_answer = _does(Answering.choose_action)
    action_digit = _does(Answering.digit)
    action_promised = _does(Answering.click_answer)

    def action_confirm(self) -> None:
        """Confirm the present choice; without one, choose the first option.

        While looking, stop looking. After the game, show the result.
        """
        if self.view.over:
            self.app.post_message(ShowResult(is_shown=True))
        else:
            self.answering.confirm()
            self.show()

    def action_look_on(self) -> None:
        """While looking, move from the Queue to the hand, the set-aside cards, and the players.

        Otherwise the key shows the other hand to a reader with two families.
        """
        if self.look.on:
            self.look.next_zone()
            self.show()
        else:
            self.action_other_hand()

    async def action_letter(self, letter: str) -> None:
        """Choose a card or player by letter, unless a panel or a command uses the letter.

        A command uses the letter as its key only while the command has an effect.
        """
        key = TableCommands.family.get(letter)
        shares = (each for each in self.command_set.in_order() if key and each.shares is key)
        if self.panels.take_letter(letter):
            self.show()
        elif (command := next(filter(self.can, shares), None)) is not None:
            await self.run_action(command.action)
        else:
            self.answering.letter(letter)
            self.show()

    action_player = _does(Answering.click_player)

    @on(PointedBar.Pointed)
    def _pointed(self, message: PointedBar.Pointed) -> None:
        cursor = message.cursor
        if message.clicked and cursor is not None:
            if cursor.seat >= 0:
                self.action_player(self.view.families[cursor.seat])
            else:
                self.answering.click(self.state(), cursor, message.across)
                self.show()
            return
        if self.answering.hover(self.state, cursor, message.across):
            self.show()

    def action_replay(self) -> None:
        """Open the replay of the finished game, if the host has sent its record."""
        from engine.replaying import Replay

        session = self.player_seat.session
        if session.record is not None:
            self.app.post_message(LookBack(Replay.of(session.record), own=session.player_seats))

    def action_leave(self) -> None:
        """Leave the table, after a confirmation if needed.

        At a table without others, leave at once.
        """
        if self.player_seat.company:
            super().action_leave()
        else:
            self.leave_at_once()

    def show_unknown_key(self, sentence: str) -> None:
        """Show a notice about a key without effect.

        After the game, this is a separate notification.
        """
        if self.view.over:
            Commanded.show_unknown_key(self, sentence)
        else:
            self.show_notice(sentence)

    def leaving_question(self) -> str:
        """Return the effect of leaving as a question; "" at a table without others."""
        return super().leaving_question() if self.player_seat.company else ""

    # Animation

    def on_key(self, event: events.Key) -> None:
        """Skip the animation at any key.

        During a repetition, and for a key of no command, the key has no other effect.
        """
        if self.motion.takes_key(event.key, self.command_set):
            event.stop()

    def on_mouse_up(self) -> None:
        """Skip the animation when a mouse button is released. The click then confirms nothing."""
        self.motion.skip()

    def _picture_changed(self) -> None:
        self.show()
        self._wait_for_change()

    def action_since(self) -> None:
        """Slowly animate the events since the reader's last answer. Without any, set a notice."""
        self.repeat_events(is_stepped=False)

    def repeat_events(self, *, is_stepped: bool) -> None:
        """Do the same as `action_since`. With `is_stepped`, each event waits for a key."""
        self.notice = self.motion.repeat(
            self.view,
            self.player_seat.session,
            self.glyphs,
            wanted=self.pictures_wanted(),
            is_stepped=is_stepped,
        )
        self._picture_changed()

    def pictures_wanted(self) -> bool:
        """Return True if animations are on, and the connection to the terminal is fast."""
        return self.app.animation_level != "none" and not self.terminal.speed.is_slow

    # Possible commands

    @property
    def may_confirm(self) -> bool:
        """True if confirming has an effect now, also after the game or to take a seat back."""
        return self.view.over or self.answering.may_walk or self.answering.replaced

    def choices(self) -> Iterator[Choice]:
        """Yield the options of the question, worded as in the prompt."""
        question = self.answering.answerable
        if question is not None:
            for index, text in enumerate(option_sentences(question, self.state())):
                yield Choice(text, partial(_does(Answering.choose_of), self, question, index))

    # Panels

    @property
    def panels(self) -> Panels:
        """The panels that are visible now."""
        return self._panels

    def all_panels(self) -> Panels:
        """Return new panels for this table."""
        show = partial(self.deliver, self.show)
        table = PanelTable(
            self.player_seat, self.terminal, self.answering, self.prompter, show, self.lay_over
        )
        return Panels.of(table)

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. Panels decide about theirs."""
        if command.action.startswith("panel("):
            return self.panels.can(command)
        match command:
            case TableCommands.confirm:
                return self.may_confirm
            case TableCommands.replay:
                return self.view.over and self.player_seat.session.record is not None
            case TableCommands.result:
                return self.view.over and self.may_confirm
        return has_effect(command, self.answering) and super().is_possible(command)

    def action_panel(self, command: str) -> None:
        """Let the panels run a command."""
        self.panels.run(command)
        self.show()

    # Drawing

    @property
    def table_size(self) -> Size:
        """The size of the screen without the second row of the key bar, if there is one."""
        return self.app.size - (0, self.key_rows - 1)

    @property
    def table_layout(self) -> TableLayout:
        """The sizes of cards and heights of zones."""
        return self.zones.layout(self.view, self.table_size, self.terminal.settings.cards)

    @property
    def notice_space(self) -> NoticeSpace:
        """The rows of the events, which notices may cover; the key bar's row if there are none."""
        layout = self.table_layout
        if not layout.events_height:
            return NoticeSpace(1, 0)
        return NoticeSpace(layout.events_height, layout.kept + self.key_rows)

    def state(self) -> TableState:
        """Return the state of the table to draw now."""
        state = self.present(self.shown.moment(self.table_layout))
        return with_space_for_options(self.panels.present(state))

    def _call(self) -> None:
        """Call the reader if it is their turn and they are looking elsewhere."""
        shown, focused = self.shown, self.app.app_focus
        self._reader_call.update(
            shown.open_question(), shown.countdown(), focused=focused, again=self._call
        )

    def next_change(self, now: float) -> float | None:
        """Return the seconds until the clock, the animation or a reconnection changes.

        Returns None if no such change comes.
        """
        return soonest(super().next_change(now), self.shown.next_change(now))

    def tick(self) -> None:
        """Draw the next picture of an animation; if there is none, redraw the times.

        If the time is nearly up, send the prepared answer first.
        """
        if self.shown.send_prepared():
            self.show()
        if not self.motion.advance():
            self.zones.show_times(self.state())
            self._wait_for_change()

    def show(self) -> None:
        """Draw the present moment."""
        state = self._latest_state = self.state()
        self.draw_others(state)
        self.zones.show(state)
        self.show_keys()
        # Set the timer again, since a prepared answer may have to be sent before the next second.
        self._wait_for_change()

    def action_size(self) -> None:
        """Change the setting `cards` to the next size that makes a difference on this screen.

        If there is no such size, keep the setting and set a notice.
        """
        cards = self.terminal.settings.cards
        following = self.zones.next_cards(self.view, self.table_size, cards)
        if following is not None:
            self.app.post_message(Settle("cards", following))
        else:
            self.notice = _("There is room for cards of one size only.")
        self.show()

    def lay_over(self, overlay: Screen[None]) -> None:
        """Call `covered`, and show an overlay above this screen."""
        self.covered()
        self.app.push_screen(overlay)

    def action_known(self) -> None:
        """Open the player aid, with the known places of all cards."""
        from driflamme_tui.screens.overlays.card_reference import CardReferenceOverlay

        self.lay_over(CardReferenceOverlay(self.state()))

    def action_events(self) -> None:
        """Open the list of all events of the game."""
        from driflamme_tui.screens.overlays.table_overlays import EventsOverlay

        self.lay_over(EventsOverlay(self.state()))

    def leave_at_once(self) -> None:
        """Leave without asking. If no other screen of the program remains, end the program."""
        if len(self.app.screen_stack) > 2:
            self.dismiss()
        else:
            self.app.exit()

    def help_page(self) -> str:
        """Return the help page about the present card; without one, the general page."""
        return help_page_at(self.state()) or super().help_page()

    def reminder(self) -> Reminder | None:
        """Return the table's question or the reason to wait, for the help.

        Returns None after the game and in a replay.
        """
        return reminder_at(self.state()) if self.player_seat.asks else None

    def first_entries(self) -> Mapping[Entry, str]:
        """Return the first entries of the key bar, each with its label.

        While looking these are the arrows, otherwise the commands that continue the game.
        """
        return first_entries_at(self._latest_state)

    def entry_words(self, entry: Entry) -> str:
        """Return the label of an entry in the key bar; "" if the entry would have no effect."""
        state, has_news = self._latest_state, self.animation.has_news(self.player_seat.session)
        if state is not None and not is_useful(entry, state, has_news=has_news):
            return ""
        return super().entry_words(entry)

    @property
    def layout(self) -> Layout:
        """The arrangement of all zones."""
        return self.zones.arrangement

    def parts(self) -> ComposeResult:
        """Yield the zones from the top."""
        yield from self.zones
