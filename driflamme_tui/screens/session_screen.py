"""Defines the base class of a table's screens: help, chat, people, leaving, lost connection."""

from typing import TYPE_CHECKING

from textual.events import MouseDown

from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import SessionCommands, WritingCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.screens.base.messages import LeaveTable
from driflamme_tui.screens.countdown import next_second
from driflamme_tui.seat.player_seat import Draft
from driflamme_tui.text.i18n import _, counted
from driflamme_tui.widgets.key_bar import Keys
from driflamme_tui.widgets.table.chat_panel import TALK_INPUT, TalkLine, TalkPanel
from driflamme_tui.wording.program.joining_words import lost_title
from driflamme_tui.wording.program.people_words import (
    contradiction_sentence,
    guessing_sentence,
    leaving_sentence,
    silenced_sentence,
)
from netcode.protocol.fields import PhraseName
from netcode.protocol.messages import Chat, NewCode
from netcode.protocol.refusal_sentences import refusal_sentence

if TYPE_CHECKING:
    from textual.widgets import Input


class SessionScreen(FullScreen, commands=SessionCommands):
    """A screen that shows the session, and redraws after each of its changes."""

    _chat_seen = 0
    """Number of chat lines that the reader has seen."""

    def on_mount(self) -> None:
        """Show the present session, and resume an unfinished chat line."""
        seat = self.player_seat
        missed_from = None if seat.has_read_missed else seat.missed_from
        self._chat_seen = len(seat.session.talk) if missed_from is None else missed_from
        self.resized()
        draft = self.player_seat.draft
        if draft is not None:
            line = self._written_on().input
            line.value, line.cursor_position = draft.text, len(draft.text)
            if draft.writing:
                self.action_talk()

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. A muted reader cannot write."""
        if command.action == "retry":
            return self.player_seat.lost is not None
        match command:
            case SessionCommands.talk | SessionCommands.phrases:
                return self.may_write
            case SessionCommands.new_code:
                return self.is_code_guessed
        return super().is_possible(command)

    def resized(self) -> None:
        """Redraw everything in the present size, and set the timer for the next shown time."""
        super().resized()
        self._wait_for_change()

    def has_game(self) -> bool:
        """Return True if a game with others is running.

        In the lobby, in a replay and after the game, return False.
        """
        view = self.player_seat.session.view
        return (
            self.player_seat.company
            and self.player_seat.asks
            and view is not None
            and not view.over
        )

    def relabel(self) -> None:
        """Redraw everything after a change of language, signs or colours."""
        # The notice keeps its old language, so drop it.
        self.notice = ""
        if (line := self.query_one_optional(TalkLine)) is not None:
            line.relabel()
        super().relabel()

    def session_changed(self) -> None:
        """Redraw after a change of the session, unless the screen is still being composed."""
        if self.is_whole:
            self._sync_all()

    def _sync_all(self) -> None:
        self.sync()
        for screen in self.app.screen_stack:
            if isinstance(screen, Commanded) and screen.is_modal and screen.is_whole:
                screen.sync()
        self._wait_for_change()

    def notice_line(self, otherwise: str = "") -> tuple[str, bool]:
        """Return the most important notice, and True if it is good news.

        A refusal by the host comes first, then a warning about a guessed code. After them come the
        screen's own notice, a warning about a contradictory record, and last `otherwise`.
        """
        refusal = self.player_seat.session.refusal
        if refusal is not None:
            return refusal_sentence(refusal, _), False
        if self.is_code_guessed:
            return guessing_sentence(self.player_seat.session.wrong_guesses, self.glyphs), False
        contradicted = contradiction_sentence(self.player_seat.session)
        if contradicted and not self.notice:
            return contradicted, False
        return self.notice or otherwise, self.good

    @property
    def is_code_guessed(self) -> bool:
        """True if the reader is the host, and somebody guesses the table's code."""
        session = self.player_seat.session
        return session.is_host and session.wrong_guesses > 0

    def action_new_code(self) -> None:
        """Make a new code for the table if somebody guesses the present one.

        Otherwise show a notice about the use of this command.
        """
        if not self.is_code_guessed:
            self.show_notice(
                _("The host makes a new code here while somebody guesses the old one.")
            )
        elif self.player_seat.send(NewCode()):
            self.show_notice(_("The table has a new code; links stay as they are."), good=True)

    def show_talk(self, rows: int) -> None:
        """Show the chat in this many rows, and mark its lines as read unless a game is running."""
        panel = self.query_one(TalkPanel)
        panel.styles.height, panel.margin_left = rows, 0
        panel.show(self.player_seat.session.talk, self.silenced(), self.missed_lines)
        # While a player joins a running game, another screen replaces this one before anybody
        # reads.
        self.unread(is_seen=self.lobby.phase != "playing")

    # Time

    def lost_title(self) -> str:
        """Return a title about the lost connection, with the time of the next attempt.

        Returns "" if connected.
        """
        lost = self.player_seat.lost
        return "" if lost is None else lost_title(lost, self.terminal.clock())

    def next_change(self, now: float) -> float | None:
        """Return the seconds until a shown time changes; None while the screen shows no time."""
        lost = self.player_seat.lost
        return None if lost is None else next_second(lost.retry_at - now)

    def tick(self) -> None:
        """Redraw the screen with the present time, and set the timer for the next shown time."""
        self.sync()
        self._wait_for_change()

    def _wait_for_change(self) -> None:
        self.wake_in(self.next_change(self.terminal.clock()))

    def action_retry(self) -> None:
        """Try at once to reconnect if the connection is lost."""
        self.player_seat.retry()

    # Chat

    @property
    def talking(self) -> bool:
        """True while the reader writes in the chat. Letter keys then run no commands."""
        line = self.query_one_optional(TalkLine)
        return line is not None and bool(line.display)

    def _written_on(self) -> TalkLine:
        """Return the chat input, which replaces the key bar. It is made on first use."""
        line = self.query_one_optional(TalkLine)
        if line is None:
            line = TalkLine()
            self.mount(line)
        return line

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return True if an action is possible. While the reader writes, only help is possible."""
        if self.is_whole and self.talking and action != "help":
            return False
        return super().check_action(action, parameters)

    def unread(self, *, is_seen: bool) -> int:
        """Return the number of unread chat lines by others.

        With `is_seen`, mark all lines as read first.
        """
        talk = self.player_seat.session.talk
        if is_seen or len(talk) < self._chat_seen:
            self._chat_seen = len(talk)
        if is_seen and talk:
            self.player_seat.has_read_missed = True
        return sum(line.name != self.player_name for line in talk[self._chat_seen :])

    def chat_was_read(self) -> None:
        """Mark all chat lines as read, because another screen shows the missed ones."""
        self.unread(is_seen=True)
        self.session_changed()

    @property
    def missed_lines(self) -> int:
        """Number of chat lines from the first missed one on; 0 if the reader was not away."""
        missed_from = self.player_seat.missed_from
        return 0 if missed_from is None else len(self.player_seat.session.talk) - missed_from

    def silenced(self) -> str:
        """Return the reason why the reader is muted; "" if they may write."""
        return silenced_sentence(self.lobby, self.player_name)

    def action_talk(self) -> None:
        """Start writing to everybody at the table. To a muted reader, only show the reason."""
        if why := self.silenced():
            self.show_notice(why)
            return
        line = self._written_on()
        self.query_one(Keys).display, line.display = False, True
        self.set_focus(line.input)
        self._keep_draft()
        self.sync()

    def _keep_draft(self) -> None:
        text = self._written_on().input.value
        self.player_seat.draft = Draft(text, self.talking)

    def on_input_changed(self, event: "Input.Changed") -> None:
        """Store the unfinished chat line after each change of the chat input."""
        if event.input.id == TALK_INPUT:
            self._keep_draft()

    def stop_talking(self) -> None:
        """Close the chat input, and return to the screen's own keys. Store the unfinished line."""
        if not self.talking:
            return
        self.query_one(Keys).display, self._written_on().display = True, False
        self.set_focus(None)
        self._keep_draft()
        self.sync()

    def on_input_submitted(self, event: "Input.Submitted") -> None:
        """Send the finished chat line. An empty line only closes the input.

        If the connection is lost or the reader is muted, show a notice and keep the line. Only the
        muted reader's input is closed then.
        """
        if event.input.id != TALK_INPUT:
            return
        text = " ".join("".join(sign for sign in event.value if sign.isprintable()).split())
        if text and self.player_seat.lost is not None:
            self.show_notice(
                _(
                    "The connection is lost: press {key} again once it is back.",
                    key=key(WritingCommands.done, self.glyphs),
                )
            )
            return
        if text and (why := self.silenced()):
            self.stop_talking()
            self.show_notice(why)
            return
        event.input.clear()
        self.stop_talking()
        self.writing_ended()
        if text:
            self.player_seat.send(Chat(text=text))

    def on_talk_input_closed(self) -> None:
        """Return to the screen's own keys.

        A key typed just afterwards may still be meant as text.
        """
        self.stop_talking()
        self.writing_ended()

    def on_mouse_down(self, event: MouseDown) -> None:
        """Leave the chat input after a click elsewhere. The click still has its own effect."""
        clicked = [] if event.widget is None else event.widget.ancestors_with_self
        if self.talking and clicked and self._written_on() not in clicked:
            self.stop_talking()

    def on_input_blurred(self, event: "Input.Blurred") -> None:
        """Leave the chat input once something else has the focus."""
        # If the whole terminal has lost the focus, do nothing: the input gets it back with the
        # terminal.
        is_left = event.input.id == TALK_INPUT and not event.input.has_focus
        if self.is_current and self.app.app_focus and is_left:
            self.stop_talking()

    def entry_words(self, entry: Entry) -> str:
        """Return the label of an entry in the key bar, with the number of new chat lines."""
        if entry == SessionCommands.talk and (unread := self.unread(is_seen=False)):
            return counted("chat ({n} new)", unread)
        return super().entry_words(entry)

    def is_news(self, entry: Entry) -> bool:
        """Return True for the chat if it has new lines."""
        return entry == SessionCommands.talk and self.unread(is_seen=False) > 0

    @property
    def may_write(self) -> bool:
        """True if the reader may write to everybody."""
        return not self.silenced()

    # Overlays

    def action_phrases(self) -> None:
        """Offer quick phrases, and send the chosen one. To a muted reader, only show the reason."""
        from driflamme_tui.screens.overlays.phrases_overlay import PhrasesOverlay

        def chosen(phrase: PhraseName | None) -> None:
            if phrase is not None:
                self.player_seat.send(Chat(phrase=phrase))

        if why := self.silenced():
            self.show_notice(why)
        else:
            self.app.push_screen(PhrasesOverlay(), chosen)

    def action_leave(self) -> None:
        """Leave the table, after a confirmation if `leaving_question` returns a question."""
        from driflamme_tui.screens.base.overlay import ask_to_leave

        leave = LeaveTable()
        if question := self.leaving_question():
            ask_to_leave(self.app, question, lambda: self.app.post_message(leave))
        else:
            self.app.post_message(leave)

    def leaving_question(self) -> str:
        """Return the effect of leaving the table, and the question whether to leave.

        Returns "" after a finished game without other people.
        """
        owned, seated = (
            self.player_seat.table is not None,
            self.player_seat.session.family is not None,
        )
        seat = self.player_seat
        return leaving_sentence(seat.session.lobby, owned=owned, seated=seated, kept=seat.leaving)

    def stop_typing(self) -> None:
        """Leave the text input if one is being used."""
        self.stop_talking()
