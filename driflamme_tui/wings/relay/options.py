"""Declares the options for a relay, and sentences about a club's own relay."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from driflamme_tui.cli.declarations import AddedOptions, option, optional_port_option
from driflamme_tui.cli.opening_options import Opening, OpeningOptions
from driflamme_tui.cli.output import fail
from driflamme_tui.text.i18n import _, as_typed

if TYPE_CHECKING:
    from driflamme_tui.hosting.parts import OpenPlace

RELAY_PORT: Final = 11217
"""The default port of a club's relay."""


class RelayOptions(OpeningOptions):
    """The option for the relay through which guests reach a table."""

    commands = ("host",)
    after = "unix"
    rank = 2
    examples: ClassVar[Mapping[str, str]] = {"host": "driflamme host --relay LINK"}

    relay: str | None = option(
        "Let others in through a relay if this machine cannot be reached.", metavar="LINK"
    )

    def add_to(self, opening: Opening) -> None:
        """Add the link of the relay, if the option is given."""
        if self.relay is not None:
            opening.parts["relay"] = self.relay

    def check(self, opening: Opening) -> None:
        """End the command with a sentence if the option is given for an unencrypted table."""
        if self.relay is not None and not opening.encrypted:
            fail("Only an encrypted table can use a relay: omit --insecure and --unix.")


class HostedRelayOptions(OpeningOptions):
    """The option for a club's own relay."""

    commands = ("serve",)
    after = "insecure"
    rank = 2
    examples: ClassVar[Mapping[str, str]] = {"serve": "driflamme serve --relay"}

    relay: int | None = optional_port_option(
        "Run a relay, too, for friends who cannot be reached; see driflamme relay.", RELAY_PORT
    )

    def add_to(self, opening: Opening) -> None:
        """Add the port of the relay, if the option is given."""
        if self.relay is not None:
            opening.parts["own_relay"] = str(self.relay)

    def sentences(self, place: "OpenPlace") -> Iterator[str]:
        """Yield the command to host through the club's relay, if the club has one."""
        from driflamme_tui.wings.relay.open_relay import HostedRelay
        from driflamme_tui.wording.program.joining_words import in_any_shell

        part = place.parts.get("own_relay")
        if isinstance(part, HostedRelay) and part.relay is not None:
            command = as_typed(f"driflamme host --relay {in_any_shell(str(part.relay.link))}")
            yield _("Friends host through this relay with: {command}", command=command)


SEAM: Final = AddedOptions((RelayOptions, HostedRelayOptions))
