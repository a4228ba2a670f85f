"""Declares the options for friends outside, and sentences about them."""

from collections.abc import Iterator, Mapping, Sequence
from inspect import Parameter
from typing import TYPE_CHECKING, ClassVar, Final

from driflamme_tui.cli.declarations import AddedOptions, OptionGroup, flag, parameter
from driflamme_tui.cli.findings import Finding, WingChecks
from driflamme_tui.cli.opening_options import Opening, OpeningOptions
from driflamme_tui.cli.output import fail
from driflamme_tui.text.i18n import _
from engine.texts import Text

if TYPE_CHECKING:
    from driflamme_tui.hosting.parts import OpenPlace
    from driflamme_tui.wings.router.router import Router

OUTSIDE: Final = "--outside"
"""The option that opens a place to friends outside."""


class RouterOptions(OpeningOptions):
    """The options for ports that a router opens."""

    commands: ClassVar[tuple[str, ...]] = ("host", "serve")
    after = "public"

    outside: bool = flag(
        "Ask your router to let in friends from outside your home while this is open.", OUTSIDE
    )

    @classmethod
    def parameters(cls, groups: Sequence[type[OptionGroup]]) -> Iterator[Parameter]:
        """Yield the option for the place itself, and one for each port of another part."""
        yield from super().parameters(groups)
        for group in groups:
            if issubclass(group, OpeningOptions):
                for name, help in group.ports.items():
                    yield parameter(f"outside_{name}", flag(help), bool)

    def add_to(self, opening: Opening) -> None:
        """Add a record with the names of the wanted ports; no record if no port is wanted."""
        wanted = self._wanted()
        if wanted:
            opening.parts["router"] = ",".join(wanted)

    def check(self, opening: Opening) -> None:
        """End the command if a wanted port cannot be opened to the outside.

        The place is then unencrypted, or has no door that uses the port.
        """
        wanted = self._wanted()
        if wanted and not opening.encrypted:
            fail("Only an encrypted table can be opened to the outside: omit --insecure.")
        for name in wanted:
            if why := opening.ports.get(name):
                fail(why)

    def _wanted(self) -> list[str]:
        """Return the names of the wanted ports, as in the record."""
        given = (name for name, is_given in vars(self).items() if is_given)
        return [name.removeprefix("outside_").replace("outside", "table") for name in given]

    def sentences(self, place: "OpenPlace") -> Iterator[str]:
        """Yield a sentence about the friends who can connect; nothing without the router's part."""
        from driflamme_tui.wings.router.router_words import who_comes_in

        if (router := _router_of(place)) is not None:
            yield who_comes_in(router, OUTSIDE)


class RouterOptionsOfRelay(RouterOptions):
    """The options of `RouterOptions` for a relay, which has no doors."""

    commands: ClassVar[tuple[str, ...]] = ("relay",)
    examples: ClassVar[Mapping[str, str]] = {"relay": "driflamme relay --outside"}

    def sentences(self, place: "OpenPlace") -> Iterator[str]:
        """Yield the relay's external addresses, and the reason if the router opens no port."""
        if (router := _router_of(place)) is not None:
            for address in router.addresses("table"):
                yield _("Your router lets others in at {address}.", address=address)
            if router.error is not None:
                yield router.error.sentence(_)


def _router_of(place: "OpenPlace") -> "Router | None":
    from driflamme_tui.wings.router.router import Router

    part = place.parts.get("router")
    return part if isinstance(part, Router) else None


class RouterChecks(WingChecks):
    """Checks that friends outside can connect."""

    after_check = "addresses"
    examples: ClassVar[Mapping[str, str]] = {"doctor": "driflamme doctor --outside"}
    helps: ClassVar[Mapping[str, Text]] = {
        "doctor": (
            "One line per check, with what to do about it. Nothing is changed, and no other"
            " machine is contacted, except your router with --outside. The exit status is 1 if"
            " something keeps you from playing."
        )
    }

    outside: bool = flag("Test the router: have it open a port and close it again.")

    def findings(self) -> Iterator[Finding]:
        """Yield a finding about the addresses. With `outside` it includes a test of the router."""
        import asyncio

        from driflamme_tui.wings.router.checks import ask_router, check_outside
        from netcode.transport.machine_addresses import machine_numbers
        from netcode.wings.router.upnp import has_library

        ways = asyncio.run(ask_router()) if self.outside else ()
        yield check_outside(machine_numbers(), *ways, has_upnp=has_library())


SEAM: Final = AddedOptions((RouterOptions, RouterOptionsOfRelay, RouterChecks))
