"""Finds the handlers of wings for messages that come before a connection has a table."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias, get_args

from msgspec import Struct

from netcode.isolation import attempt
from netcode.protocol.fields import Message
from netcode.protocol.messages import ClientMessage
from netcode.registry import wing_values
from netcode.server.table_registry import TableRegistry
from netcode.server.tables import Handler, Runner

Handlers: TypeAlias = Mapping[type[Message], Handler]
"""The handlers by type of message."""


CORE: Final[frozenset[type[Message]]] = frozenset(get_args(ClientMessage))
"""The messages that the core handles, so that no wing is loaded for them."""


NO_HANDLERS: Final[Handlers] = {}


class RouteMaker(Struct, frozen=True):
    """The seam `routes`: makes a wing's handlers for one server."""

    make: Callable[[TableRegistry, Runner, bytes, Callable[[], float]], Handlers]
    """Returns the handlers. It receives the tables of the server, their runner, the certificate
    (DER), and the function that returns the Unix time.
    """


class Routes:
    """The handlers of wings for one server. They are loaded when a message needs them."""

    def __init__(
        self,
        registry: TableRegistry,
        runner: Runner,
        certificate: bytes,
        unix_time: Callable[[], float],
    ) -> None:
        """Store the arguments for the makers of all wings."""
        self._registry = registry
        self._runner = runner
        self._certificate = certificate
        self._unix_time = unix_time
        self._handlers: dict[type[Message], Handler] | None = None

    def handler_of(self, kind: type[Message]) -> Handler | None:
        """Return the handler for a type of message; None if no wing has one."""
        if self._handlers is None:
            self._handlers = {}
            for wing in wing_values("netcode", "routes", RouteMaker):
                made = attempt(wing.make, partial(self._made, wing), NO_HANDLERS)
                self._handlers.update(made)
        return self._handlers.get(kind)

    def _made(self, wing: RouteMaker) -> Handlers:
        return wing.make(self._registry, self._runner, self._certificate, self._unix_time)
