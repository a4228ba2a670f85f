"""Defines the parts of an open place, which wings and the core add to a server.

A record is a text that requests a part. The command line makes it, the journal stores it with the
table, and `--resume` builds the same part from it again. A headless host that continues its table
without `--resume` opens only the parts that its command requests.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from driflamme_tui.text.i18n import _
from engine.texts import ExplainedError
from netcode.isolation import attempt, explained_error, log_failure
from netcode.protocol.fields import TableNotice
from netcode.registry import failure_of, watch_failures, wing_values
from netcode.server.table_registry import TableEntry
from netcode.table.errors import failed_part, missing_part
from netcode.table.snapshot import MOST_RECORD
from netcode.transport.address import Address

if TYPE_CHECKING:
    from driflamme_tui.hosting.open_server import Listening, Notify

SEAM: Final = "parts"
"""The name of the seam for kinds of hosting parts, and of a wing's module that serves this seam."""

NOTHING: Final[Mapping[str, Any]] = {}
"""Stands for the ports or figures of a part that fails."""


class OpenPlace(Struct, kw_only=True):
    """A place that is open on this machine, with its parts."""

    listening: "Listening | None" = None
    """The sockets and addresses of the place; None for a place without sockets."""
    parts: "dict[str, Part]" = field(default_factory=dict)
    """The parts of the place, by name, in the order in which they open."""
    notify: "Notify" = lambda _sentence: None
    """Shows a sentence to the person who runs the place."""
    is_owned: bool = False
    """True if the host has a seat at the place in this program."""
    is_resumed: bool = False
    """True if the place was open before. Then the place opens even without a part that fails."""
    is_open: bool = False
    """True once all parts are open. Then the person who runs the place sees the first links."""
    _end_watch: Callable[[], object] = lambda: None
    """Ends the notices about failing wings."""

    @property
    def port(self) -> int:
        """The TCP port on which the place listens. Subclasses must override this property."""
        raise NotImplementedError

    @property
    def ports(self) -> dict[str, int]:
        """The ports that a router may forward, by name of their listeners."""
        found = {"table": self.port}
        for part in self.parts.values():
            found |= attempt(part, part.ports, NOTHING)
        return found

    def send_links(self) -> None:
        """Send the new links to everybody here, after this machine's addresses have changed.

        The default does nothing.
        """

    def current_status(self) -> dict[str, Any]:
        """Return the figures of all parts."""
        found: dict[str, Any] = {}
        for part in self.parts.values():
            found |= attempt(part, part.status, NOTHING)
        return found

    def save_records(self) -> None:
        """Save the records of all parts in the journal, if one has changed.

        The default does nothing.
        """

    async def open_parts(self, requested: Collection[str]) -> None:
        """Open the parts.

        From this call until `close_parts`, the person who runs the place is notified of failing
        wings. A part that fails is dropped, unless it is in `requested`.

        Raises:
            ExplainedError: A part in `requested` cannot be opened.
        """
        self._end_watch = watch_failures(self._notify_failure)
        for name, part in tuple(self.parts.items()):
            try:
                await part.open(self)
            except Exception as error:
                _do_without(name, error, self.notify, requested)
                del self.parts[name]
                # Stop the part, since it may have sockets or tasks from `start` or from an
                # unfinished `open`.
                await _end(part, part.stop)
                await _end(part, part.close)
        self.is_open = True
        self.save_records()

    async def stop_parts(self) -> None:
        """Stop the parts in reverse order. From then on, no further guest can join here."""
        for part in reversed(self.parts.values()):
            await _end(part, part.stop)

    async def close_parts(self) -> None:
        """Close the parts. Call this after everybody has received the goodbye."""
        for part in self.parts.values():
            await _end(part, part.close)
        self._end_watch()

    def _notify_failure(self, wing: str, why: str) -> None:
        self.notify(
            _(
                "The optional part {part} cannot be loaded, so reinstall the program: {why}",
                part=wing,
                why=why,
            )
        )


class Part:
    """A part of a place. Its methods do nothing by default.

    `start`, `add_table`, `open`, `stop` and `close` are called in this order. A part whose `open`
    fails is stopped and closed at once. The other methods are called at any time after the part is
    built. The place stays open after any error of a part, which is logged.
    """

    on_change: Callable[[], object] = staticmethod(lambda: None)
    """Called when the part's status has changed. A screen can then show it."""

    def saved_record(self) -> str:
        """Return the present record of this part.

        Returns "" if the place does not request the part.
        """
        return ""

    def start(self, listening: "Listening") -> None:
        """Prepare the sockets before the server accepts clients.

        Raises:
            ExplainedError: The part cannot start.
        """

    def add_table(self, entry: TableEntry) -> None:
        """Prepare for a table of this place, before anybody joins the table."""

    def receive_report(self, entry: TableEntry, value: object, done: Callable[[], object]) -> None:
        """Called with a report from the part of a table, once the table is stored.

        The part of the table has the same name as this part.

        `done` confirms to the table's part that the report has had its effect.
        """

    async def open(self, place: OpenPlace) -> None:
        """Open this part, once the server accepts clients.

        Raises:
            ExplainedError: The part cannot be opened.
        """

    def ports(self) -> Mapping[str, int]:
        """Return the part's ports that a router may forward, by name."""
        return {}

    def invited(self, entry: TableEntry) -> None:
        """Update this part for a new invitation or new addresses of a table."""

    def status(self) -> Mapping[str, Any]:
        """Return the part's figures for the status of the server."""
        return {}

    async def stop(self) -> None:
        """Admit no more guests through this part. Connected guests stay."""

    async def close(self) -> None:
        """Close the part, after everybody has received the goodbye."""


class PartKind(Struct, frozen=True):
    """A kind of part: how to build it, and which places have it."""

    name: str
    build: Callable[[str], Part]
    """Builds a part from its record, which may be "". Raises an ExplainedError for an invalid
    record.
    """
    is_everywhere: bool = False
    """True if every encrypted place has such a part, even without a record."""
    record_of_notice: Callable[[TableNotice, Callable[[Address], bool]], str | None] | None = None
    """Returns the record that a host's notice makes, with only those addresses that a function
    allows. Returns "" if no address is left, and None if the notice is for another kind of part.
    """


class HostParts(Struct, frozen=True):
    """The kinds of parts that a wing brings."""

    kinds: tuple[PartKind, ...]


def part_kinds() -> dict[str, PartKind]:
    """Return all kinds of parts, by name, in the order in which they are opened."""
    seams = wing_values("driflamme_tui", SEAM, HostParts)
    return {kind.name: kind for seam in seams for kind in seam.kinds}


def long_records(records: Mapping[str, str]) -> list[str]:
    """Return the names of the parts whose records are too long to be stored with a table."""
    return [name for name, record in records.items() if len(record) > MOST_RECORD]


def too_long_record(name: str) -> ExplainedError:
    """Return the error for a part whose record is too long to be stored with a table."""
    return ExplainedError(
        "The settings of the optional part {part} have more than {most} characters, so they"
        " cannot be saved with the table: shorten them.",
        part=name,
        most=MOST_RECORD,
    )


def check_records(records: Mapping[str, str]) -> None:
    """Raise an ExplainedError if a record is too long, or requests an impossible part."""
    for name in long_records(records):
        raise too_long_record(name)
    kinds = part_kinds()
    for name, record in records.items():
        if name in kinds:
            try:
                kinds[name].build(record)
            except Exception as error:
                _do_without(name, error, lambda _sentence: None, records)


def refuse_missing(records: Collection[str]) -> None:
    """Raise StoreError if a stored table needs a part that no wing here provides."""
    for name in records:
        if name not in part_kinds():
            if why := failure_of("driflamme_tui", SEAM, name):
                raise failed_part(name, why)
            raise missing_part(name)


def build_parts(
    records: Mapping[str, str],
    notify: "Notify",
    requested: Collection[str],
    *,
    encrypted: bool = True,
) -> dict[str, Part]:
    """Return the parts of these records, and the parts that every place has.

    If a part in `requested` fails, raise its error. If another part fails or is missing, notify the
    host. With `encrypted` False, only parts with a record are built.
    """
    kinds = part_kinds()
    for name in records:
        # Skip parts of wings that failed to load: the host is notified of them when the parts open.
        if name not in kinds and not failure_of("driflamme_tui", SEAM, name):
            notify(
                _(
                    "The optional part {part} is missing: everything opens without it until you "
                    "reinstall the program.",
                    part=name,
                )
            )
    found = {}
    for name, kind in kinds.items():
        if name in records or (kind.is_everywhere and encrypted):
            try:
                found[name] = kind.build(records.get(name, ""))
            except Exception as error:
                _do_without(name, error, notify, requested)
    return found


def add_to_parts(parts: Mapping[str, Part], entry: TableEntry) -> None:
    """Let all parts prepare for a table, before anybody joins it."""
    for name, part in parts.items():
        entry.host_parts[name] = partial(part.receive_report, entry)
        attempt(part, partial(part.add_table, entry), None)
    if entry.table is not None:
        entry.table.serve_host_parts(entry.host_parts)


def start_parts(
    parts: dict[str, Part], listening: "Listening", notify: "Notify", requested: Collection[str]
) -> None:
    """Start the parts. Drop a part that fails; if it is in `requested`, raise its error instead."""
    for name, part in tuple(parts.items()):
        try:
            part.start(listening)
        except Exception as error:
            _do_without(name, error, notify, requested)
            del parts[name]


def record_of(kind: PartKind, notice: TableNotice, allows: Callable[[Address], bool]) -> str | None:
    """Return the record that a host's notice makes for a kind of part.

    Returns None if the notice is for another kind, or if reading it fails.
    """
    make = kind.record_of_notice
    return None if make is None else attempt(make, lambda: make(notice, allows), None)


async def _end(part: Part, end: Callable[[], Awaitable[None]]) -> None:
    """Stop or close a part; log any error instead of raising it."""
    try:
        await end()
    except Exception as error:
        log_failure(error, part)


def _do_without(name: str, error: Exception, notify: "Notify", requested: Collection[str]) -> None:
    """Notify the host that a part is left out; raise its error if it is in `requested`."""
    why = explained_error(error, name)
    if name in requested:
        raise why from None
    notify(_("{why} The table is open without it.", why=why.sentence(_)))
