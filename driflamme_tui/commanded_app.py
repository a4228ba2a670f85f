"""The part of the app that knows commands and keys: which keys the player has chosen."""

from collections.abc import Mapping
from typing import ClassVar

from textual.app import App
from textual.binding import BindingType

from driflamme_tui.actions import bindings, use_keys, whole


class CommandedApp(App[None]):
    """An app whose keys come from the registry of commands."""

    ENABLE_COMMAND_PALETTE = False
    """Textual's own, with a Ctrl chord; ours is `commands.open`."""
    BINDINGS: ClassVar[list[BindingType]] = bindings("app")

    def rebind(self, mapping: Mapping[str, str]) -> None:
        """Use these keys, by command, from now on; others stay as they usually are.

        Args:
            mapping: What `actions.check_keys` has passed.
        """
        use_keys(mapping)
        self.set_keymap(whole(mapping))

    async def action_interrupt(self) -> None:
        """Leave the program."""
        self.exit()
