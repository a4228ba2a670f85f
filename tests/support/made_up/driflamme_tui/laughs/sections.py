"""The line of laughs in the lobby, and the sentences about laughs."""

from collections.abc import Iterable
from typing import Final

from netcode.wings.laughs.messages import Laugh, Laughed  # type: ignore[import-not-found]

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.seat.sections import Section, SectionKind
from driflamme_tui.text.i18n import _

from .settings import LaughCommands


class LaughSection(Section):
    """Shows the number of laughs at a table."""

    part = "laughs"

    def lobby_line(self) -> str:
        """Return the number of laughs, with a sentence while a player laughs."""
        line = _("Laughs at this table: {n}.", n=self.values["n"])
        return _("{line} Somebody laughs.", line=line) if self.values["goes"] else line

    def news_lines(self, news: object, *, is_over: bool) -> Iterable[str]:
        """Yield a sentence about another player's laugh."""
        if isinstance(news, Laughed):
            yield _("{name} laughs.", name=news.name)

    def do(self, command: Command) -> None:
        """Send a laugh to the host."""
        self.face.player_seat.send(Laugh())


SEAM: Final = SectionKind(LaughSection, lobby=LaughCommands)
