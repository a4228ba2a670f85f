"""Interprets keys before the screens get them: keys to leave, held keys, other keyboard layouts.

Also restricts keys and pastes while the terminal is too small for a screen.
"""

import os
import signal
import sys
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from textual.actions import ActionParseResult
from textual.app import SuspendNotSupported
from textual.dom import DOMNode
from textual.events import Event, Key, MouseEvent, Paste
from textual.screen import Screen

from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.keymap.key_bindings import bindings, bound_keys, key, keys_now
from driflamme_tui.keymap.screen_commands import AppCommands, HelpedCommands
from driflamme_tui.keymap.typed_keys import SETTLE_S, KeyRepeats, Press, meant_key, unknown_key_text
from driflamme_tui.screens.base.command_screen import Commanded, ScreenApp
from driflamme_tui.text.i18n import _

if TYPE_CHECKING:
    from textual.widgets import Input

_ALWAYS_ONCE: Final = frozenset({"enter", "escape"})
"""Keys that act only once while they are held, on every screen."""


class KeyedApp(ScreenApp, inherit_bindings=False):
    """An app that checks every key before a screen or Textual runs the key's command."""

    BINDINGS = bindings(AppCommands)

    def __init__(self, *, ansi_color: bool | None = None) -> None:
        super().__init__(ansi_color=ansi_color)
        self._repeats = KeyRepeats()
        self._presses = WeakKeyDictionary[Key, Press]()
        """The state of each key that has not reached its binding yet."""
        self._unsure: Key | None = None
        """The last key, if only the next key event can show whether it was pressed again or is
        held. Otherwise None.
        """

    async def on_event(self, event: Event) -> None:
        """Interpret a new key, discard input that no screen can use, and process any other event.

        While the terminal is too small for a screen, that screen receives only the keys that leave
        it. After the last screen has closed, all keys, pastes and mouse events are discarded.
        """
        if isinstance(event, Key | Paste | MouseEvent) and not self.screen_stack:
            # The program is ending, and its screens are gone.
            return
        if isinstance(event, Key) and not event.is_forwarded:
            await self._take_key(self._as_meant(event))
        elif not (isinstance(event, Paste | MouseEvent) and self._is_in_vain(event)):
            await super().on_event(event)

    async def run_action(
        self,
        action: "str | ActionParseResult",
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action, and return True if it ran. While a screen is being composed, run none.

        Keys that were typed at the earlier screen also arrive here, since that screen forwards
        them.
        """
        if self._is_composing:
            return False
        return await super().run_action(action, default_namespace, namespaces)

    @property
    def _is_composing(self) -> bool:
        """True while the uppermost screen lacks some of its widgets."""
        return isinstance(self.screen, Commanded) and not self.screen.is_whole

    def _is_in_vain(self, event: Paste | MouseEvent) -> bool:
        """Return True if a paste or mouse event must be discarded.

        While the screen is being composed, both are discarded. While the terminal is too small for
        the screen, a paste is. Forwarded events are never discarded.
        """
        if event.is_forwarded:
            return False
        return self._is_composing or (isinstance(event, Paste) and self._is_covered)

    async def _take_key(self, event: Key) -> None:
        judged = self._presses[event] = self._repeats.judge(event.key, event.time)
        screen = self.screen
        if event.key in bound_keys(AppCommands):
            if not await self._holds_back(event):
                await super().on_event(event)
        elif isinstance(screen, Commanded) and screen.is_covered:
            if judged == "pressed":
                await screen.press_covered(event.key)
        else:
            await super().on_event(event)

    async def on_key(self, event: Key) -> None:
        """Process a key that no widget has used, before Textual runs the key's binding.

        Insert a character into the focused input, and discard a key that was typed for the earlier
        screen. Stop a held key, and explain a character that has no command.
        """
        line = self._focused_line
        if self._is_composing:
            # The player typed the text for the earlier screen, so discard it.
            event.prevent_default()
        elif event.is_printable and event.character and line is not None:
            event.prevent_default()
            line.insert_text_at_cursor(event.character)
        elif await self._holds_back(event):
            event.prevent_default()
        else:
            self._explain_unknown_key(event)

    async def _holds_back(self, event: Key) -> bool:
        """Return True if a key must not act now: it is held, may be held, or has run in this call.

        A key that may be held is stored. It runs before the next key or after `SETTLE_S`, unless
        the next key event shows that it is held. A key that arrives after a stored key runs in this
        call, after the stored one.
        """
        pressed, unsure = self._presses.pop(event, "pressed"), self._unsure
        self._unsure = None
        if unsure is not None and (pressed != "held" or unsure.key != event.key):
            # Run the unsure key first, to keep the order of the keys.
            await self._press(unsure, "pressed")
            await self._press(event, pressed)
            return True
        if pressed == "pressed" or not self._acts_once(event):
            return False
        if pressed == "unsure":
            self._unsure = event
            self.set_timer(SETTLE_S, partial(self.settle_key, event))
        return True

    async def settle_key(self, event: Key) -> None:
        """Run a key that may be held, unless a later key event has run or dropped it."""
        if self._unsure is event:
            self._unsure = None
            await self._press(event, "pressed")

    async def _press(self, event: Key, pressed: Press) -> None:
        again = Key(event.key, event.character)
        self._presses[again] = pressed
        if event.key in bound_keys(AppCommands):
            self._presses.pop(again)
        await super().on_event(again)

    @property
    def _focused_line(self) -> "Input | None":
        """The focused input; None if nothing or another widget has the focus."""
        if self.focused is None:
            # Return before the import below, which screens without an input do not need.
            return None
        from textual.widgets import Input

        return self.focused if isinstance(self.focused, Input) else None

    @property
    def _is_covered(self) -> bool:
        return isinstance(self.screen, Commanded) and self.screen.is_covered

    def _as_meant(self, event: Key) -> Key:
        """Return the key that a pressed key means on the present screen.

        A key that types text is returned unchanged.
        """
        screen = self.screen
        if not isinstance(screen, Commanded) or screen.types_letters:
            return event
        if self._focused_line is not None:
            return event
        known = bound_keys(screen.command_set)
        name = meant_key(event.key, event.character, known.__contains__)
        if name == event.key:
            return event
        meant = Key(name, event.character)
        meant.time = event.time
        return meant

    def _acts_once(self, event: Key) -> bool:
        """Return True if a held key acts only once.

        Enter, Escape, the keys of `AppCommands` and keys of commands that do not repeat act only
        once. In an input, only the first three kinds do.
        """
        screen = self.screen
        if event.key in bound_keys(AppCommands) or event.key in _ALWAYS_ONCE:
            return True
        if self._focused_line is not None or not isinstance(screen, Commanded):
            return False
        commands = [c for c in screen.command_set.in_order() if event.key in keys_now(c)]
        return bool(commands) and not any(command.repeats for command in commands)

    def _explain_unknown_key(self, event: Key) -> None:
        """If a character has no command on the present screen, show a sentence with a likely cause.

        Do nothing for a character that is typed as text, and while the terminal is too small.
        """
        screen, character = self.screen, event.character or ""
        if not isinstance(screen, Commanded) or screen.types_letters or screen.is_covered:
            return
        if not (event.is_printable and character.strip()) or self._focused_line is not None:
            return
        if event.key not in bound_keys(screen.command_set):
            keys = {"key": character, "help": key(HelpedCommands.help, screen.glyphs)}
            screen.show_unknown_key(_(unknown_key_text(character), **keys))

    # Leaving, copying and suspending

    def action_interrupt(self) -> None:
        """Copy the selection. If nothing is selected, leave the program.

        If a screen has a question before leaving, show it first. While that question is shown,
        leave at once.
        """
        from driflamme_tui.screens.base.overlay import LeaveDialog, ask_to_leave

        if self._copy_selection():
            return
        leaving, top = self._leaving_question(), self.screen
        if not leaving or (isinstance(top, LeaveDialog) and top.ends_program):
            self.exit()
            return
        if isinstance(top, LeaveDialog):
            top.dismiss(False)
        ask_to_leave(self, leaving, self.exit, ends_program=True)

    def action_copy_selection(self) -> None:
        """Copy the selection, if there is one."""
        self._copy_selection()

    def _leaving_question(self) -> str:
        """Return the lowest screen's question that must be answered before leaving.

        Returns "" if no screen has one.
        """
        screens: list[Screen[object]] = list(self.screen_stack)
        questions = (each.leaving_question() for each in screens if isinstance(each, Commanded))
        return next(filter(None, questions), "")

    def _copy_selection(self) -> bool:
        """Copy and clear the selection of the focused input, or else of the screen.

        Notify the player. Return False if nothing is selected.
        """
        from driflamme_tui.wording.program.joining_words import copied_sentence

        line = self._focused_line
        selected = "" if line is None else line.selected_text
        selected = selected or self.screen.get_selected_text() or ""
        if selected:
            self.copy_to_clipboard(selected)
            self.screen.clear_selection()
            if line is not None:
                from textual.widgets.input import Selection

                line.selection = Selection.cursor(line.cursor_position)
            self.notify(copied_sentence(self.terminal.copies_with), markup=False)
        return bool(selected)

    def action_suspend(self) -> None:
        """Suspend the program. If other people are at a table hosted here, ask first.

        If no shell could resume the program, only notify the player. Do not ask while another
        question is open.
        """
        from driflamme_tui.screens.base.overlay import Confirmation, confirm

        if not can_stop(self.terminal):
            self.notify(_("This program cannot be suspended: no shell would resume it."))
        elif not self.stops_others:
            self._suspend()
        elif not isinstance(self.screen, Confirmation):
            confirm(
                self,
                _("You are the host: the table stops for everybody until you resume. Suspend?"),
                self._suspend,
                no="Stay ({key})",
                yes="Suspend ({key})",
            )

    @property
    def stops_others(self) -> bool:
        """True if other people are at a table that this program hosts."""
        lobby = self.player_seat.session.lobby
        if self.player_seat.table is None or lobby is None:
            return False
        return bool(lobby.spectators) or sum(seat.bot is None for seat in lobby.seats) > 1

    def _suspend(self) -> None:
        """Stop the program until the shell resumes it, and then redraw the screen.

        If the terminal's driver cannot be suspended, do nothing.
        """
        try:
            with self.suspend():
                stop()
        except SuspendNotSupported:
            return
        self.show_all_again()


if sys.platform == "win32":

    def can_stop(_terminal: Terminal) -> bool:
        """Return False: no shell can resume a program on this system."""
        return False

    def stop() -> None:
        """Do nothing, because no shell can resume a program on this system."""

else:

    def can_stop(terminal: Terminal) -> bool:
        """Return True if a shell can resume the program.

        Returns False if the player's terminal is on another machine.
        """
        if terminal.is_remote:
            return False
        if os.getpgrp() != os.getpid():
            # Another program has started this one in its own job, so the shell stops both.
            return True
        try:
            return os.getsid(os.getppid()) == os.getsid(0)
        except OSError:
            return False

    def stop() -> None:
        """Stop all programs of this job, and return once they are continued."""
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        try:
            os.kill(0, signal.SIGTSTP)
        finally:
            signal.signal(signal.SIGTSTP, before)
