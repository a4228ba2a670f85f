"""Runs `driflamme relay`: friends whom nobody can reach directly can host through this machine."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from driflamme_tui.cli.app_start import print_status, serve_until_stopped
from driflamme_tui.cli.declarations import Commands, flag
from driflamme_tui.cli.opening_options import Opening, OpeningOptions, add_all, all_sentences
from driflamme_tui.cli.output import echo
from driflamme_tui.cli.shared_options import Place
from driflamme_tui.text.i18n import _, as_typed

if TYPE_CHECKING:
    from driflamme_tui.wings.relay.open_relay import OpenRelay


commands = Commands()


@commands.described(
    "relay",
    "Everybody must be able to reach this machine. The relay prints a link for hosts and runs"
    " until Ctrl-C. Everything is encrypted from player to host: the relay sees addresses,"
    " times and sizes, but no name, message or card.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme relay\n"
    "{wings}"
    "  driflamme relay --port 4000 --public relay.example:4000\n"
    "  driflamme relay --status",
)
def relay(
    place: Place,
    wings: tuple[OpeningOptions, ...],
    new_link: bool = flag("Make a new link; the old one stops working."),
    status: bool = flag("Print statistics of the relay that runs on this port, as JSON."),
) -> None:
    """Open a relay, and serve hosts and guests until Ctrl-C; or print a running relay's status."""
    if status:
        print_status(place.port, "driflamme relay")
        return
    from driflamme_tui.hosting.host_plans import OpenPlan
    from driflamme_tui.wings.relay.open_relay import open_relay

    opening = Opening()
    add_all(wings, opening)
    plan = OpenPlan(place.location(), opening.parts)
    serve_until_stopped(
        lambda: open_relay(plan, echo, fresh=new_link),
        lambda opened: _opened(opened, wings),
        lambda _relay: _("The relay is closed."),
    )


def _opened(opened: "OpenRelay", wings: tuple[OpeningOptions, ...]) -> Iterator[str]:
    """Yield the relay's addresses, and the command to host through the relay."""
    from driflamme_tui.wording.program.joining_words import in_any_shell

    yield _("The relay is open on port {port}.", port=opened.relay.port)
    yield from all_sentences(wings, opened)
    command = as_typed(f"driflamme host --relay {in_any_shell(str(opened.link))}")
    yield _("Friends host through this relay with: {command}", command=command)
    yield _(
        "Anybody with that link can host here: give it to friends who host, not to their guests."
    )
    yield _(
        "The relay sees addresses, times and sizes, but no name, message or card. Ctrl-C closes it."
    )
