"""What happens to a key before a screen has it: one way out, held keys, other layouts, no room."""

import os
import signal
import sys
from collections.abc import Mapping
from functools import partial
from typing import Final
from weakref import WeakKeyDictionary

from textual.actions import ActionParseResult
from textual.app import SuspendNotSupported
from textual.dom import DOMNode
from textual.events import Event, Key, MouseEvent, Paste
from textual.screen import Screen
from textual.widgets import Input
from textual.widgets.input import Selection

from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.keymap.key_bindings import bindings, bound_keys, key, keys_now
from driflamme_tui.keymap.screen_commands import AppCommands, HelpedCommands
from driflamme_tui.keymap.typed_keys import SETTLE_S, KeyRepeats, Press, meant_key, unknown_key_text
from driflamme_tui.screens.base.command_screen import Commanded, ScreenApp
from driflamme_tui.text.i18n import _

_ALWAYS_ONCE: Final = frozenset({"enter", "escape"})
"""Keys that do something only once while they are held, wherever that is."""


class KeyedApp(ScreenApp, inherit_bindings=False):
    """An app in which every key is one of ours, and acts on what can be seen."""

    BINDINGS = bindings(AppCommands)

    def __init__(self, *, ansi_color: bool | None = None) -> None:
        super().__init__(ansi_color=ansi_color)
        self._repeats = KeyRepeats()
        self._presses = WeakKeyDictionary[Key, Press]()
        """Whether keys on their way to a binding were pressed or are held."""
        self._unsure: Key | None = None
        """A key that was pressed again, or is held: the next moment tells."""

    async def on_event(self, event: Event) -> None:
        """Let a key through that was pressed, at a screen with room for what it acts on."""
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
        """Run an action, unless the screen that it was meant for, or is for, is still composed.

        A key that was typed at the screen before comes here as well, once it has been handed up.
        """
        if self._is_composing:
            return False
        return await super().run_action(action, default_namespace, namespaces)

    @property
    def _is_composing(self) -> bool:
        """Whether the uppermost screen has not all its widgets yet."""
        return isinstance(self.screen, Commanded) and not self.screen.is_whole

    def _is_in_vain(self, event: Paste | MouseEvent) -> bool:
        """Whether a paste or the mouse finds nothing that it may act on."""
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
        """Give a line what was typed before it had the focus; else judge the key."""
        line = self.focused
        if self._is_composing:
            # It was typed at the screen before.
            event.prevent_default()
        elif event.is_printable and event.character and isinstance(line, Input):
            event.prevent_default()
            line.insert_text_at_cursor(event.character)
        elif await self._holds_back(event):
            event.prevent_default()
        else:
            self._tell_unknown_key(event)

    async def _holds_back(self, event: Key) -> bool:
        """Return whether a key does nothing now: it is held, or it waits until that is known."""
        pressed, unsure = self._presses.pop(event, "pressed"), self._unsure
        self._unsure = None
        if unsure is not None and (pressed != "held" or unsure.key != event.key):
            # In the order in which they came.
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
        """Press a key that might have been held, if it has not come again."""
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
    def _is_covered(self) -> bool:
        return isinstance(self.screen, Commanded) and self.screen.is_covered

    def _as_meant(self, event: Key) -> Key:
        """Return a key as the present screen knows it."""
        screen = self.screen
        if not isinstance(screen, Commanded) or screen.types_letters:
            return event
        if isinstance(self.focused, Input):
            return event
        known = bound_keys(screen.command_set)
        name = meant_key(event.key, event.character, known.__contains__)
        if name == event.key:
            return event
        meant = Key(name, event.character)
        meant.time = event.time
        return meant

    def _acts_once(self, event: Key) -> bool:
        """Whether a key that is held does what it does only once."""
        screen = self.screen
        if event.key in bound_keys(AppCommands) or event.key in _ALWAYS_ONCE:
            return True
        if isinstance(self.focused, Input) or not isinstance(screen, Commanded):
            return False
        commands = [c for c in screen.command_set.in_order() if event.key in keys_now(c)]
        return bool(commands) and not any(command.repeats for command in commands)

    def _tell_unknown_key(self, event: Key) -> None:
        """Say that a character does nothing on the present screen, and why that may be."""
        screen, character = self.screen, event.character or ""
        if not isinstance(screen, Commanded) or screen.types_letters or screen.is_covered:
            return
        if not (event.is_printable and character.strip()) or isinstance(self.focused, Input):
            return
        if event.key not in bound_keys(screen.command_set):
            keys = {"key": character, "help": key(HelpedCommands.help, screen.glyphs)}
            screen.tell_unknown_key(_(unknown_key_text(character), **keys))

    # The ways out

    def action_interrupt(self) -> None:
        """Copy what is selected; or else ask as the way out does, and the second time end."""
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
        """Copy what is selected, if something is."""
        self._copy_selection()

    def _leaving_question(self) -> str:
        """Return what the way out of the lowest screen asks; "" if nothing would be lost."""
        screens: list[Screen[object]] = list(self.screen_stack)
        questions = (each.leaving_question() for each in screens if isinstance(each, Commanded))
        return next(filter(None, questions), "")

    def _copy_selection(self) -> bool:
        """Copy what is selected in the line that is typed on, or else on the screen."""
        from driflamme_tui.wording.program.joining_words import copied

        line = self.focused
        selected = line.selected_text if isinstance(line, Input) else ""
        selected = selected or self.screen.get_selected_text() or ""
        if selected:
            self.copy_to_clipboard(selected)
            self.screen.clear_selection()
            if isinstance(line, Input):
                line.selection = Selection.cursor(line.cursor_position)
            self.notify(copied(self.terminal.copies_with), markup=False)
        return bool(selected)

    def action_suspend(self) -> None:
        """Suspend the program, after a question if a table of others would stop with it."""
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
        """Whether others are at a table that this program keeps open."""
        lobby = self.sitting.session.lobby
        if self.sitting.table is None or lobby is None:
            return False
        return bool(lobby.spectators) or sum(seat.bot is None for seat in lobby.seats) > 1

    def _suspend(self) -> None:
        """Stop the program until the shell takes it back to the foreground."""
        try:
            with self.suspend():
                stop()
        except SuspendNotSupported:
            return
        self.show_all_again()


if sys.platform == "win32":

    def can_stop(_terminal: Terminal) -> bool:
        """Whether a shell can take the program back after it was stopped."""
        return False

    def stop() -> None:
        """Do nothing: on this system no shell can take a program back."""

else:

    def can_stop(terminal: Terminal) -> bool:
        """Whether a shell can take the program back after it was stopped."""
        if terminal.is_remote:
            return False
        if os.getpgrp() != os.getpid():
            # A program that started this one is the shell's job.
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
