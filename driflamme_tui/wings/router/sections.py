"""Adds texts and commands for friends outside to the lobby and the line-by-line mode."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.seat.sections import Section, SectionKind
from driflamme_tui.wings.router.router_words import question, who_comes_in

if TYPE_CHECKING:
    from driflamme_tui.wings.router.router import Router


class RouterCommands(
    CommandSet, prefix="lobby", listed_after="lobby.invitation", bar_after="remove"
):
    """The command of the lobby that asks the router to open a port."""

    outside = Command(
        "x",
        "wing('lobby.outside')",
        "the host: let in friends from outside your home, through your router",
        "outside",
    )
    bar = "outside"


class RouterSection(Section):
    """Shows a sentence about the friends who can connect, and lets the host open more ports."""

    @property
    def _router(self) -> "Router | None":
        """The part that opens router ports for this place; None if the place has no such part."""
        table = self.face.player_seat.table
        return None if table is None else cast("Router | None", table.parts.get("router"))

    def explanation(self) -> str:
        """Return a sentence about the friends who can connect; "" without the router's part."""
        opens = self.face.key_for(RouterCommands.outside, "driflamme host --outside")
        return "" if self._router is None else who_comes_in(self._router, opens)

    def watch(self, changed: Callable[[], object]) -> None:
        """Call `changed` when a request to the router begins or ends, or an open port changes."""
        if self._router is not None:
            self._router.on_change = changed

    def can(self, command: Command) -> bool:
        """Return True if the router can open another port."""
        return self._router is not None and question(self._router) is not None

    def do(self, command: Command) -> None:
        """Let the router open the next port: first the table's port, then each door's port.

        Ask the host first, except for the first attempt at the table's port after an earlier
        consent. Do nothing while a request is pending, or if all ports are open.
        """
        router = self._router
        before = None if router is None else question(router)
        if router is None or before is None or router.is_asking:
            return
        what, sentence = before
        begin = partial(router.begin, what)
        if what == "table" and router.error is None and router.has_agreed:
            begin()
        else:
            self.face.ask_first(sentence, begin, no="Cancel ({key})", yes="Continue ({key})")


SEAM: Final = SectionKind(RouterSection, lobby=RouterCommands, invites=True)
