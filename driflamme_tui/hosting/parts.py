"""The parts of an open place: what wings, and the core, add to a server on this machine.

A record is a text that asks for a part. The command line makes it, the journal keeps it with the
table, and `--resume` builds the same part from it again.
"""

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from driflamme_tui.text.i18n import _
from engine.words import ExplainedError
from netcode.protocol.fields import TableNotice
from netcode.registry import FAILED, brought
from netcode.server.table_registry import TableEntry
from netcode.table.errors import StoreError
from netcode.transport.address import Address

if TYPE_CHECKING:
    from driflamme_tui.hosting.open_server import Listening, Notify

SEAM: Final = "parts"
"""The name of the seam, and of a wing's module that serves it."""


class OpenPlace(Struct, kw_only=True):
    """A place that is open on this machine, with its parts."""

    listening: "Listening | None" = None
    """Its sockets and addresses; None if nobody else can reach it."""
    parts: "dict[str, Part]" = field(default_factory=dict)
    """Its parts, by name, in the order in which they open."""
    notify: "Notify" = lambda _sentence: None
    """Shows a sentence to the person who runs it."""
    is_owned: bool = False
    """Whether its host sits at it in this program."""
    is_resumed: bool = False
    """Whether it was open before. A part that cannot be opened again does not stop it then."""
    is_open: bool = False
    """Whether all parts are open. The person who runs the place reads its first links then."""

    @property
    def port(self) -> int:
        """The TCP port on which it listens."""
        raise NotImplementedError

    @property
    def ports(self) -> dict[str, int]:
        """The ports that may be forwarded, by the names of their listeners."""
        found = {"table": self.port}
        for part in self.parts.values():
            found |= part.ports()
        return found

    def send_links(self) -> None:
        """Send the new links to everybody here, after this machine's addresses have changed."""

    def current_status(self) -> dict[str, Any]:
        """Return the figures of all parts."""
        return {name: each for part in self.parts.values() for name, each in part.status().items()}

    def save_records(self) -> None:
        """Save the records of all parts in the journal, if one has changed."""

    async def open_parts(self, requested: Collection[str]) -> None:
        """Open the parts. One that fails is dropped; raises its error if it is requested now."""
        for name, part in tuple(self.parts.items()):
            try:
                await part.open(self)
            except ExplainedError as error:
                _do_without(name, error, self.notify, requested)
                del self.parts[name]
        self.is_open = True
        self.save_records()

    async def stop_parts(self) -> None:
        """Stop the parts, the last first, so that nobody else comes here."""
        for part in reversed(self.parts.values()):
            await part.stop()

    async def close_parts(self) -> None:
        """Close the parts, after everybody has read the goodbye."""
        for part in self.parts.values():
            await part.close()


class Part:
    """A part of a place. Its methods are called in this order, and do nothing by default."""

    on_change: Callable[[], object] = staticmethod(lambda: None)
    """Is called when it has another status, so that a screen can show that."""

    def saved_record(self) -> str:
        """Return the present record of this part; empty if nobody asks for it."""
        return ""

    def start(self, listening: "Listening") -> None:
        """Prepare the sockets before the server serves anybody; raises an ExplainedError."""

    def add_table(self, entry: TableEntry) -> None:
        """Prepare a table of this place, before anybody comes to it."""

    async def open(self, place: OpenPlace) -> None:
        """Open this part once the server serves; raises an ExplainedError."""

    def ports(self) -> Mapping[str, int]:
        """Return its ports that may be forwarded, by name."""
        return {}

    def invited(self, entry: TableEntry) -> None:
        """Handle that a table has another invitation, or other addresses."""

    def status(self) -> Mapping[str, Any]:
        """Return its figures for the status of the server."""
        return {}

    async def stop(self) -> None:
        """Let nobody else come by this part; those who are here stay."""

    async def close(self) -> None:
        """Close it, after everybody has read the goodbye."""


class PartKind(Struct, frozen=True):
    """A kind of part."""

    name: str
    build: Callable[[str], Part]
    """Builds a part from its record, which may be empty; raises ExplainedError."""
    is_everywhere: bool = False
    """Whether every encrypted place has one, also without a record."""
    record_of_notice: Callable[[TableNotice, Callable[[Address], bool]], str] | None = None
    """Returns the record that a host's notice makes, with the addresses that a function allows.

    It is empty if no address is left, or if the notice is for another kind of part.
    """


class HostParts(Struct, frozen=True):
    """The kinds of parts that a wing brings."""

    kinds: tuple[PartKind, ...]


def part_kinds() -> dict[str, PartKind]:
    """Return all kinds of parts, by name, in the order in which they are opened."""
    seams = brought("driflamme_tui", SEAM, HostParts)
    return {kind.name: kind for seam in seams for kind in seam.kinds}


def check_records(records: Mapping[str, str]) -> None:
    """Raise an ExplainedError if a record asks for a part that cannot be built."""
    kinds = part_kinds()
    for name, record in records.items():
        if name in kinds:
            kinds[name].build(record)


def refuse_missing(records: Collection[str]) -> None:
    """Raise StoreError if a table was kept with a part that no wing brings here."""
    for name in records:
        if name not in part_kinds():
            raise StoreError(
                "The table was kept with the optional part {part}, which is missing here. It is"
                " left as it is: install that part to resume it.",
                part=name,
            )


def build_parts(
    records: Mapping[str, str],
    notify: "Notify",
    requested: Collection[str],
    *,
    encrypted: bool = True,
) -> dict[str, Part]:
    """Return the parts of some records, and those that are everywhere.

    Raises the error of a part that is requested now. For another, the host reads a sentence.
    """
    kinds = part_kinds()
    for wing, why in FAILED.items():
        notify(_("The optional part {part} cannot be loaded: {why}", part=wing, why=why))
    for name in records:
        if name not in kinds:
            notify(_("The optional part {part} is missing: all opens without it.", part=name))
    found = {}
    for name, kind in kinds.items():
        if name in records or (kind.is_everywhere and encrypted):
            try:
                found[name] = kind.build(records.get(name, ""))
            except ExplainedError as error:
                _do_without(name, error, notify, requested)
    return found


def add_to_parts(parts: Mapping[str, Part], entry: TableEntry) -> None:
    """Make all parts prepare a table, before anybody comes to it."""
    for part in parts.values():
        part.add_table(entry)


def start_parts(
    parts: dict[str, Part], listening: "Listening", notify: "Notify", requested: Collection[str]
) -> None:
    """Start the parts. One that fails is dropped; raises its error if it is requested now."""
    for name, part in tuple(parts.items()):
        try:
            part.start(listening)
        except ExplainedError as error:
            _do_without(name, error, notify, requested)
            del parts[name]


def _do_without(
    name: str, error: ExplainedError, notify: "Notify", requested: Collection[str]
) -> None:
    """Notify the host that a part is left out; raises its error if it is requested now."""
    if name in requested:
        raise error
    notify(_("{why} The table is open without it.", why=error.sentence(_)))
