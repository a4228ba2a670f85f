"""What screens and overlays of play share, and those of a table: what it has told about itself."""

from typing import TYPE_CHECKING, cast

from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.seat.sitting import Sitting
from netcode.protocol.messages import Lobby

if TYPE_CHECKING:
    from driflamme_tui.screens.base.app_services import PlayServices


class OfPlay(Commanded):
    """Beside `Screen`, before it among the bases: what only the app with which one plays shows."""

    @property
    def services(self) -> "PlayServices":
        """What may be asked of the app."""
        return cast("PlayServices", super().services)


class AtTable(OfPlay):
    """Beside `Screen`, before it among the bases: nobody comes here before there is a lobby."""

    @property
    def sitting(self) -> Sitting:
        """The place at the table."""
        return self.services.sitting

    @property
    def lobby(self) -> Lobby:
        """What was told last of everything but the game."""
        return self.sitting.lobby

    @property
    def is_host(self) -> bool:
        """Whether the reader is the host."""
        return self.lobby.host

    @property
    def is_open(self) -> bool:
        """Whether others can be let in to this table by an invitation or a code."""
        return bool(self.lobby.invitation or self.lobby.code)

    @property
    def own_name(self) -> str:
        """What the others call the reader."""
        return self.sitting.own_name
