"""A table on which the latest events are told in pictures, which any key or click ends."""

from textual import events

from driflamme_tui.keymap.key_bindings import bound_keys, key, keys_now
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.table.arranged_screen import ArrangedScreen
from driflamme_tui.screens.table.pictures import Pictures
from driflamme_tui.text.i18n import _
from engine.views import View


class PicturedScreen(ArrangedScreen):
    """A table that tells its events in pictures."""

    def __init__(self) -> None:
        """Tell nothing yet."""
        super().__init__()
        self.pictures = Pictures()

    @property
    def view(self) -> View:
        """The game as the host sent it last."""
        raise NotImplementedError

    def show(self) -> None:
        """Draw the present moment."""

    def on_key(self, event: events.Key) -> None:
        """Any key ends the pictures, and does nothing else to those that are shown again.

        The key that shows them again goes on to the next event instead.
        """
        if self.pictures.reel.again and event.key in keys_now(TableCommands.since):
            event.stop()
            self._step_pictures()
            return
        if self.pictures.reel.again:
            event.stop()
        if self.skip_pictures() and event.key not in bound_keys(self.command_set):
            event.stop()

    def on_mouse_up(self) -> None:
        """So does any click, before it becomes one."""
        self.skip_pictures()

    def _step_pictures(self) -> None:
        if not self.pictures.reel.step(self.terminal.clock()):
            self.writing_ended()
        self.show()
        self._wait_for_change()

    def skip_pictures(self) -> bool:
        """Show the table as it is; the key or click that asked for it confirms nothing.

        Return whether pictures were shown.
        """
        skipped = self.pictures.reel.skip()
        if skipped:
            self.writing_ended()
            self.show()
        return skipped

    def action_since(self) -> None:
        """Tell again, slowly, what has happened since the reader's last answer."""
        session, now = self.sitting.session, self.terminal.clock()
        self.notice = ""
        if not self.pictures.again(self.view, session, now, wanted=self.pictures_wanted()):
            told = _("Nothing has happened since your last answer.")
            if not self.pictures.has_answered:
                # What happened before this program saw the game has no pictures.
                told = _(
                    "Nothing has happened since you came here. {key} lists what happened before, "
                    "answers that a bot gave for you included."
                )
            self.notice = told.format(key=key(TableCommands.events, self.glyphs))
        self.show()
        self._wait_for_change()

    def pictures_wanted(self) -> bool:
        """Whether what happens is to be told in pictures."""
        return self.app.animation_level != "none" and not self.terminal.line.slow
