"""The options of doors, and the command line's sentences about open doors."""

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from driflamme_tui.cli.declarations import AddedOptions, option, optional_port_option
from driflamme_tui.cli.opening_options import Opening, OpeningOptions
from driflamme_tui.cli.output import fail
from driflamme_tui.wings.doors.checks import SSH_PORT, WEB_PORT, DoorChecks, PortChecks
from engine.texts import Text

if TYPE_CHECKING:
    from driflamme_tui.hosting.parts import OpenPlace

_NO_DOOR: Final[Text] = (
    "Use --outside-ssh only with --ssh, and --outside-web only with --web and without a proxy."
)


class DoorOptions(OpeningOptions):
    """The options that open doors, for guests with only SSH or a browser."""

    commands = ("host", "serve")
    after = "insecure"
    rank = 1
    examples: ClassVar[Mapping[str, str]] = {"host": "driflamme host --ssh --web"}
    ports: ClassVar[Mapping[str, Text]] = {
        "ssh": "Open the SSH door to the outside, too: anybody on the internet may then try "
        "to connect.",
        "web": "Open the web page to the outside, too: anybody on the internet may then load it.",
    }

    ssh: int | None = optional_port_option(
        "Also let in players who have only SSH: the lobby shows what they type.", SSH_PORT
    )
    web: int | None = optional_port_option(
        "Also let in players who have only a browser: the lobby shows the link.", WEB_PORT
    )
    web_proxy: str | None = option(
        "The address where a proxy on this machine publishes the page of --web: "
        "https://table.example.",
        metavar="ORIGIN",
    )

    def add_to(self, opening: Opening) -> None:
        """Add the record of the requested doors. End the command if the proxy is no origin."""
        import json

        from driflamme_tui.wings.doors.origins import is_origin

        proxy, web = self.web_proxy, self.web
        if proxy is not None and not is_origin(proxy):
            fail(
                "Type the address of a page, such as https://table.example, not {text!r}.",
                text=proxy,
            )
        if proxy is not None and web is None:
            web = WEB_PORT
        is_web_open = web is not None and proxy is None
        opening.ports |= {
            "ssh": _NO_DOOR if self.ssh is None else "",
            "web": "" if is_web_open else _NO_DOOR,
        }
        if self.ssh is not None or web is not None:
            opening.parts["doors"] = json.dumps({"ssh": self.ssh, "web": web, "proxy": proxy})
            opening.runs_players = True

    def sentences(self, place: "OpenPlace") -> Iterator[str]:
        """Yield the ways to join without this program, and in a terminal a QR code of the page."""
        from driflamme_tui.hosting.hosted_table import OpenServer
        from driflamme_tui.wings.doors.door_words import doors_sentences
        from driflamme_tui.wings.doors.open_doors import DoorsOfHost

        part = place.parts.get("doors")
        if not isinstance(part, DoorsOfHost) or part.doors is None:
            return
        assert isinstance(place, OpenServer)
        invitation = place.invitations[0]
        yield from doors_sentences(part.doors, invitation)
        if part.doors.opened.page and sys.stdout.isatty():
            from io import StringIO

            import segno

            code = StringIO()
            made = segno.make(part.doors.link(invitation), error="l", micro=False)
            made.terminal(code, compact=True)
            yield code.getvalue()


SEAM: Final = AddedOptions((DoorOptions, PortChecks, DoorChecks))
