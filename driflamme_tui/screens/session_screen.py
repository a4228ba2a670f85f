"""What the screens of a table share: help, chat, who is here, the way out, and a lost line."""

from textual import on
from textual.events import MouseDown
from textual.widgets import Input

from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import SessionCommands, WritingCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.screens.base.messages import LeaveTable
from driflamme_tui.screens.countdown import next_second
from driflamme_tui.seat.sitting import Draft
from driflamme_tui.text.i18n import _, counted
from driflamme_tui.widgets.key_bar import Keys
from driflamme_tui.widgets.table.chat_panel import TalkLine, TalkPanel
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


class SessionScreen(FullScreen, commands=SessionCommands):
    """A screen that shows what the session knows, anew whenever that changes."""

    _heard = 0
    """How many lines of chat the reader has had before their eyes."""

    def on_mount(self) -> None:
        """Show what the session already knows, and go on with what was being written."""
        self._heard = len(self.sitting.session.talk)
        self.resized()
        draft = self.sitting.draft
        if draft is not None:
            line = self._written_on().input
            line.value, line.cursor_position = draft.text, len(draft.text)
            if draft.writing:
                self.action_talk()

    def is_possible(self, command: Command) -> bool:
        """Return whether what a command needs is true now."""
        if command.action == "retry":
            return self.sitting.lost is not None
        match command:
            case SessionCommands.talk | SessionCommands.phrases:
                return self.may_write
            case SessionCommands.new_code:
                return self.is_code_guessed
        return super().is_possible(command)

    def resized(self) -> None:
        """Show everything in the present size."""
        super().resized()
        self._wait_for_change()

    def has_game(self) -> bool:
        """Whether a game goes on: not in the lobby, not alone at a table, not in the past."""
        view = self.sitting.session.view
        return self.sitting.company and self.sitting.asks and view is not None and not view.over

    def relabel(self) -> None:
        """Word and draw everything anew."""
        # Notices were worded when they came.
        self.notice = ""
        if (line := self.query_one_optional(TalkLine)) is not None:
            line.relabel()
        super().relabel()

    def session_changed(self) -> None:
        """Show what has changed, unless the screen is still being built and will look anyway."""
        if self.is_whole:
            self._sync_all()

    def _sync_all(self) -> None:
        self.sync()
        for screen in self.app.screen_stack:
            if isinstance(screen, Commanded) and screen.is_modal and screen.is_whole:
                screen.sync()
        self._wait_for_change()

    def told_notice(self, otherwise: str = "") -> tuple[str, bool]:
        """Return what was refused last, or else the notice; and whether that is good news."""
        refusal = self.sitting.session.refusal
        if refusal is not None:
            return refusal_sentence(refusal, _), False
        if self.is_code_guessed:
            return guessing_sentence(self.sitting.session.wrong_guesses, self.glyphs), False
        contradicted = contradiction_sentence(self.sitting.session)
        if contradicted and not self.notice:
            return contradicted, False
        return self.notice or otherwise, self.good

    @property
    def is_code_guessed(self) -> bool:
        """Whether the reader is the host, and somebody guesses the table's code."""
        session = self.sitting.session
        return session.is_host and session.wrong_guesses > 0

    def action_new_code(self) -> None:
        """Make a new code, if somebody guesses the present one."""
        if not self.is_code_guessed:
            self.show_notice(
                _("The host makes a new code here while somebody guesses the old one.")
            )
        elif self.sitting.say(NewCode()):
            self.show_notice(_("The table has a new code; links stay as they are."), good=True)

    def show_talk(self, rows: int) -> None:
        """Show the chat under the board, in so many rows."""
        panel = self.query_one(TalkPanel)
        panel.styles.height, panel.margin_left = rows, 0
        panel.show(self.sitting.session.talk, self.silenced())
        self.unread(seen=True)

    # Time

    def lost_title(self) -> str:
        """Return that the line is lost, and when it is tried again; "" while it is not."""
        lost = self.sitting.lost
        return "" if lost is None else lost_title(lost, self.terminal.clock())

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds a time that is shown changes by itself; None if none does."""
        lost = self.sitting.lost
        return None if lost is None else next_second(lost.retry_at - now)

    def tick(self) -> None:
        """Show the present time, and wait for the next."""
        self.sync()
        self._wait_for_change()

    def _wait_for_change(self) -> None:
        self.wake_in(self.next_change(self.terminal.clock()))

    def action_retry(self) -> None:
        """Try a lost line at once."""
        self.sitting.retry()

    # Chat

    @property
    def talking(self) -> bool:
        """Whether the reader is writing, so that keys are letters."""
        line = self.query_one_optional(TalkLine)
        return line is not None and bool(line.display)

    def _written_on(self) -> TalkLine:
        """Return the line that takes the place of the keys, made when it is first wanted."""
        line = self.query_one_optional(TalkLine)
        if line is None:
            line = TalkLine()
            self.mount(line)
        return line

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keep keys that are typed while writing from doing anything else."""
        if self.is_whole and self.talking and action != "help":
            return False
        return super().check_action(action, parameters)

    def unread(self, seen: bool) -> int:
        """Return how many lines of chat by others are new; none once they have been seen."""
        talk = self.sitting.session.talk
        if seen or len(talk) < self._heard:
            self._heard = len(talk)
        return sum(line.name != self.own_name for line in talk[self._heard :])

    def silenced(self) -> str:
        """Return why the host lets the reader read only; "" if they may write too."""
        return silenced_sentence(self.lobby, self.own_name)

    def action_talk(self) -> None:
        """Begin to write to everybody at the table."""
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
        self.sitting.draft = Draft(text, self.talking)

    @on(Input.Changed, "#say-text")
    def _line_changed(self) -> None:
        self._keep_draft()

    def stop_talking(self) -> None:
        """Go back to the screen's own keys; what is written stays for later."""
        if not self.talking:
            return
        self.query_one(Keys).display, self._written_on().display = True, False
        self.set_focus(None)
        self._keep_draft()
        self.sync()

    @on(Input.Submitted, "#say-text")
    def _line_said(self, event: Input.Submitted) -> None:
        text = " ".join("".join(sign for sign in event.value if sign.isprintable()).split())
        if text and self.sitting.lost is not None:
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
            self.sitting.say(Chat(text=text))

    def on_talk_input_closed(self) -> None:
        """Go back to the screen's own keys; the next key may be one too many."""
        self.stop_talking()
        self.writing_ended()

    def on_mouse_down(self, event: MouseDown) -> None:
        """Leave the line when something else is clicked; the click then does what it does."""
        clicked = [] if event.widget is None else event.widget.ancestors_with_self
        if self.talking and clicked and self._written_on() not in clicked:
            self.stop_talking()

    @on(Input.Blurred, "#say-text")
    def _line_blurred(self, event: Input.Blurred) -> None:
        # When the whole terminal loses the focus, the line gets it back with the terminal.
        if self.is_current and self.app.app_focus and not event.input.has_focus:
            self.stop_talking()

    def entry_words(self, entry: Entry) -> str:
        """Return what the key bar calls something now: how much is new in the chat."""
        if entry == SessionCommands.talk and (unread := self.unread(seen=False)):
            return counted("talk ({n} new)", unread)
        return super().entry_words(entry)

    def is_news(self, entry: Entry) -> bool:
        """Whether there is something new in the chat."""
        return entry == SessionCommands.talk and self.unread(seen=False) > 0

    @property
    def may_write(self) -> bool:
        """Whether the reader may write to everybody."""
        return not self.silenced()

    # What is laid over

    def action_people(self) -> None:
        """Show who is here, and what the host can do about them."""
        from driflamme_tui.screens.overlays.people_overlay import PeopleOverlay

        self.app.push_screen(PeopleOverlay())

    def action_phrases(self) -> None:
        """Offer quick phrases to say."""
        from driflamme_tui.screens.overlays.phrases_overlay import PhrasesOverlay

        def chosen(phrase: PhraseName | None) -> None:
            if phrase is not None:
                self.sitting.say(Chat(phrase=phrase))

        if why := self.silenced():
            self.show_notice(why)
        else:
            self.app.push_screen(PhrasesOverlay(), chosen)

    def action_invitation(self) -> None:
        """Show how others come to this table."""
        from driflamme_tui.screens.overlays.invitation_overlay import InvitationOverlay

        self.app.push_screen(InvitationOverlay())

    def action_leave(self) -> None:
        """Say what leaving the table now would do, and leave if the reader is sure."""
        from driflamme_tui.screens.base.overlay import ask_to_leave

        leave = LeaveTable()
        ask_to_leave(self.app, self.leaving_question(), lambda: self.app.post_message(leave))

    def leaving_question(self) -> str:
        """Return what leaving the table now would do, as a question."""
        owned, seated = self.sitting.table is not None, self.sitting.session.family is not None
        return leaving_sentence(self.sitting.session.lobby, owned=owned, seated=seated)

    def stop_typing(self) -> None:
        """Leave the line that is typed on, if there is one."""
        self.stop_talking()
