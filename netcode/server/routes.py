"""Routes: the handlers of wings for messages before a connection has a table."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias, get_args

from netcode.protocol.fields import Message
from netcode.protocol.messages import ClientMessage
from netcode.registry import brought
from netcode.server.table_registry import TableRegistry
from netcode.server.tables import Handler, Runner

Handlers: TypeAlias = Mapping[type[Message], Handler]
"""The handler of each kind of message."""


CORE: Final[frozenset[type[Message]]] = frozenset(get_args(ClientMessage))
"""The messages for which no wing is loaded."""


class RouteMaker(NamedTuple):
    """The seam `routes`: makes the handlers of a wing for one server."""

    make: Callable[[TableRegistry, Runner, bytes], Handlers]
    """Receives the tables of the server, their runner and the certificate (DER)."""


class Routes:
    """The handlers of wings for one server, which are loaded on demand."""

    def __init__(self, registry: TableRegistry, runner: Runner, certificate: bytes) -> None:
        """Begin with the arguments of all makers."""
        self._registry = registry
        self._runner = runner
        self._certificate = certificate
        self._handlers: dict[type[Message], Handler] | None = None

    def handler_of(self, kind: type[Message]) -> Handler | None:
        """Return the handler of a kind of message; None if no wing has one."""
        if self._handlers is None:
            self._handlers = {}
            for wing in brought("netcode", "routes", RouteMaker):
                made = wing.make(self._registry, self._runner, self._certificate)
                self._handlers.update(made)
        return self._handlers.get(kind)
