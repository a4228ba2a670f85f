"""The parts of a host: what wings add to a table, a club or a relay that is open on this machine.

A record says what is asked of a part. The command line makes it, the journal keeps it with the
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
    """What is open on this machine, with its parts: a table, a club or a relay."""

    listening: "Listening | None" = None
    """Where it listens; None if nobody else can reach it."""
    parts: "dict[str, Part]" = field(default_factory=dict)
    """By name."""
    notify: "Notify" = lambda _sentence: None
    """Takes a sentence for whoever runs it."""
    is_owned: bool = False
    """Whether its host sits at it in this program."""
    is_resumed: bool = False
    """Whether it was open before: a part that cannot be opened again does not stop it."""
    is_open: bool = False
    """Whether all parts are open. Whoever runs the place reads its first links then."""

    @property
    def port(self) -> int:
        """The TCP port on which it listens."""
        raise NotImplementedError

    @property
    def ports(self) -> dict[str, int]:
        """The ports that a router may open, by the names of what listens there."""
        found = {"table": self.port}
        for part in self.parts.values():
            found |= part.ports()
        return found

    def tell_links(self) -> None:
        """Send the links to everybody here, after this machine's addresses have changed."""

    def current_status(self) -> dict[str, Any]:
        """Return the figures of all parts."""
        return {name: each for part in self.parts.values() for name, each in part.status().items()}

    def save_records(self) -> None:
        """Have the journal keep the records of all parts, after one has changed."""

    async def open_parts(self, asked: Collection[str]) -> None:
        """Open the parts; raises the error of one that is asked for now, and drops others."""
        for name, part in tuple(self.parts.items()):
            try:
                await part.open(self)
            except ExplainedError as error:
                _do_without(name, error, self.notify, asked)
                del self.parts[name]
        self.is_open = True
        self.save_records()

    async def stop_parts(self) -> None:
        """Stop the parts, the last first: nobody else comes here."""
        for part in reversed(self.parts.values()):
            await part.stop()

    async def close_parts(self) -> None:
        """Close the parts, after everybody has read the goodbye."""
        for part in self.parts.values():
            await part.close()


class Part:
    """A part of a host; each method is called in this order, and does nothing by default."""

    on_change: Callable[[], object] = staticmethod(lambda: None)
    """Is called when it has another status, so that a screen can show that."""

    def saved_record(self) -> str:
        """Return the record of this part as it is now; empty if nothing is asked of it."""
        return ""

    def start(self, listening: "Listening") -> None:
        """Begin with the sockets, before anybody is served; raises an ExplainedError."""

    def add_table(self, entry: TableEntry) -> None:
        """Prepare a table that is open here, before anybody comes to it."""

    async def open(self, place: OpenPlace) -> None:
        """Open this part, now that the place is served; raises an ExplainedError."""

    def ports(self) -> Mapping[str, int]:
        """Return the ports that a router may open for it, by name."""
        return {}

    def invited(self, entry: TableEntry) -> None:
        """Handle that a table has another invitation, or other addresses."""

    def status(self) -> Mapping[str, Any]:
        """Return what a server's status tells of it."""
        return {}

    async def stop(self) -> None:
        """Bring nobody else here; those who are here stay."""

    async def close(self) -> None:
        """Close it, after everybody has read the goodbye."""


class PartKind(Struct, frozen=True):
    """A kind of part."""

    name: str
    build: Callable[[str], Part]
    """Makes the part of a record, which is empty if nobody asks for it; raises ExplainedError."""
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
    """Raise an ExplainedError if what is asked of a part cannot be had."""
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
    records: Mapping[str, str], notify: "Notify", asked: Collection[str], *, encrypted: bool = True
) -> dict[str, Part]:
    """Return the parts of some records, and those that are everywhere.

    Raises the error of one that is asked for now; of others, the host reads a sentence.
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
                _do_without(name, error, notify, asked)
    return found


def add_to_parts(parts: Mapping[str, Part], entry: TableEntry) -> None:
    """Make all parts prepare a table, before anybody comes to it."""
    for part in parts.values():
        part.add_table(entry)


def start_parts(
    parts: dict[str, Part], listening: "Listening", notify: "Notify", asked: Collection[str]
) -> None:
    """Start parts on sockets; raises the error of one that is asked for now, and drops others."""
    for name, part in tuple(parts.items()):
        try:
            part.start(listening)
        except ExplainedError as error:
            _do_without(name, error, notify, asked)
            del parts[name]


def _do_without(name: str, error: ExplainedError, notify: "Notify", asked: Collection[str]) -> None:
    """Notify the host that a part is left out; raises its error if it is asked for now."""
    if name in asked:
        raise error
    notify(_("{why} The table is open without it.", why=error.sentence(_)))
