"""Runs the animation of a table: keys and clicks skip it, and time advances it."""

from collections.abc import Callable

from driflamme_tui.keymap.command_type import CommandSet
from driflamme_tui.keymap.key_bindings import bound_keys, key, keys_now
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.table.animation import Animation
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from engine.views import View
from netcode.client.session import Session


class Motion:
    """Runs a table's animation: time advances it, and keys and clicks skip it."""

    def __init__(
        self,
        animation: Animation,
        clock: Callable[[], float],
        changed: Callable[[], object],
        ended: Callable[[], object],
    ) -> None:
        """Start without pictures.

        Args:
            animation: The animation.
            clock: Returns the time.
            changed: Is called when the table looks different.
            ended: Is called at the end of pictures: keys typed during them were not meant for the
                question that appears then.
        """
        self._pictures, self._clock = animation, clock
        self._changed, self._ended = changed, ended

    def takes_key(self, name: str, commands: type[CommandSet]) -> bool:
        """Skip the pictures at a key; return True if the key must have no other effect.

        During a repetition no key has another effect. The key that starts a repetition then shows
        the next event.
        """
        reel = self._pictures.reel
        if reel.again and name in keys_now(TableCommands.since):
            if not reel.step(self._clock()):
                self._ended()
            self._changed()
            return True
        is_again = reel.again
        return (self.skip() and name not in bound_keys(commands)) or is_again

    def skip(self) -> bool:
        """Skip all pictures; return False if there were none."""
        is_skipped = self._pictures.reel.skip()
        if is_skipped:
            self._ended()
            self._changed()
        return is_skipped

    def advance(self) -> bool:
        """Show the picture for the present time, and report the end after the last picture.

        Returns False if no pictures are running.
        """
        if self._pictures.reel.frame is None:
            return False
        if not self._pictures.reel.advance(self._clock()):
            self._ended()
        self._changed()
        return True

    def repeat(
        self,
        view: View,
        session: Session,
        glyphs: Glyphs,
        *,
        wanted: bool,
        is_stepped: bool = False,
    ) -> str:
        """Repeat slowly everything since the reader's last answer.

        Returns a sentence if nothing has happened; otherwise "". With `wanted` False, each event
        has only its last picture. With `is_stepped`, each event waits for the reader's key.
        """
        now = self._clock()
        if self._pictures.again(view, session, now, wanted=wanted, is_stepped=is_stepped):
            return ""
        if self._pictures.has_answered:
            return _("Nothing has happened since your last answer.")
        # Events before the program first saw the game have no frames.
        sentence = _(
            "Nothing has happened since you came here. {key} lists what happened before, "
            "including answers that a bot gave for you."
        )
        return sentence.format(key=key(TableCommands.events, glyphs))
