"""The part of the app that knows commands and keys: which keys the player has chosen."""

import time
from collections.abc import Mapping
from typing import ClassVar, Final

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import BindingType

from driflamme_tui.keymap.key_bindings import bindings, use_keys, whole

UNHEEDED_S: Final = 1.0
"""For so long somebody who types may not notice that what they type at has gone."""


class CommandedApp(App[None]):
    """An app whose keys come from the registry of commands."""

    ENABLE_COMMAND_PALETTE = False
    """Textual's own, with a Ctrl chord; ours is `commands.open`."""
    BINDINGS: ClassVar[list[BindingType]] = bindings("app")
    COACHES: ClassVar[bool] = True
    """Whether first games have a coach: tests say themselves when they want one."""

    _heeds_from = 0.0

    def rebind(self, mapping: Mapping[str, str]) -> None:
        """Use these keys, by command, from now on; others stay as they usually are.

        Args:
            mapping: What `actions.check_keys` has passed.
        """
        use_keys(mapping)
        self.set_keymap(whole(mapping))

    def clock(self) -> float:
        """Return seconds that only ever go forward."""
        return time.monotonic()

    def ignore_keys(self) -> None:
        """Heed no keys for a moment: those that come now were typed at what has just gone."""
        self._heeds_from = self.clock() + UNHEEDED_S

    def ignores_keys(self) -> bool:
        """Whether keys that come now were typed at what has just gone."""
        return self.clock() < self._heeds_from

    def pop_screen(self) -> AwaitComplete:
        """Close what is uppermost."""
        # What the game closes may still be typed at.
        if not getattr(self.screen, "closed", True):
            self.ignore_keys()
        return super().pop_screen()

    async def action_interrupt(self) -> None:
        """Leave the program."""
        self.exit()
