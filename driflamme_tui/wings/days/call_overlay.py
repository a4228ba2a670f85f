"""Asks a player for the address at which they are called when it is their turn."""

from collections.abc import Callable

from driflamme_tui.screens.base.overlay import InputOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.days.ahead.confirmed_values import parse_address
from engine.texts import Text
from netcode.wings.days.messages import ADDRESS_LENGTH


class CallOverlay(InputOverlay):
    """Asks for an address, which may be empty."""

    done: Text = "Save ({key})"
    longest = ADDRESS_LENGTH

    def __init__(self, address: str, save: Callable[[str], object]) -> None:
        """Begin with the present address; call `save` with the next one."""
        how = _(
            "Type the address for calls when it is your turn: a mail address, an ntfy topic, or "
            "what the host has announced. Leave it empty for no calls. Only the machine of the "
            "table knows the address."
        )
        title = _("Call me when it is my turn")
        super().__init__(how, title, f"{_('Address')} ", typed=address)
        self._save = save

    def parsed(self, typed: str) -> str | None:
        """Save the address, and return it; raises ExplainedError if it is invalid."""
        address = parse_address(typed)
        self._save(address)
        return address
