"""Requests a TCP port from a router by UPnP, the protocol of internet gateway devices.

The package `async-upnp-client` implements the protocol. This module limits its input: only answers
of the router, of limited size, without redirects and without a DOCTYPE.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from netcode.tracebacks import error_line
from netcode.transport.address import Address
from netcode.wings.router.routers import (
    LEASE_S,
    NO_ADDRESS,
    NO_LIBRARY,
    NO_WAY,
    ONLY_PERMANENTLY,
    ROUTER_REFUSAL,
    Lease,
    OutsideError,
    PermanentOnlyError,
    Router,
    SilenceError,
    Wish,
    usable,
)

if TYPE_CHECKING:
    from async_upnp_client.client import UpnpService

SEARCH_S: Final = 1.2
"""Seconds to wait for answers to a search. Routers must answer within one second."""

REQUEST_S: Final = 3.0
"""Seconds for all requests that one lease needs."""

LONGEST_ANSWER: Final = 1 << 16
"""Maximum bytes of an answer."""

TRIES: Final = 4
"""Maximum number of other external ports that are tried if the wanted one is taken."""

_DEVICES: Final = tuple(
    f"urn:schemas-upnp-org:device:InternetGatewayDevice:{version}" for version in (1, 2)
)

_IN_USE, _PERMANENT_ONLY = 718, 725
"""Error numbers of UPnP: another machine has the port; the router opens ports only without an
end.
"""

_LIBRARY: Final = "async_upnp_client"
PACKAGE: Final = _LIBRARY.replace("_", "-")
"""The name of the package that a player must install."""

_log = logging.getLogger(__name__)


def has_library() -> bool:
    """Return True if the library for UPnP is installed."""
    return find_spec(_LIBRARY) is not None


async def grant_by_upnp(router: Router, wish: Wish, lease: Lease | None) -> Lease:
    """Request a lease by UPnP, or renew `lease`.

    Raises OutsideError if the router refuses, or has no public address. Its subclasses stand for a
    router that does not answer, or that grants only leases without an end.
    """
    url = lease.url if lease is not None else await find(router)
    port, seconds = wish.port, 0 if wish.permanent else LEASE_S
    first = port if lease is None else lease.outside.port
    async with _service(router, url) as service:
        address = await service.action("GetExternalIPAddress").async_call()
        host = str(address.get("NewExternalIPAddress") or "")
        if not usable(host):
            raise OutsideError(NO_ADDRESS)
        # Other machines may have the port already. Among thousands of ports, a few random tries are
        # enough.
        others = (1 << 15 | int.from_bytes(wish.nonce[i : i + 2], "big") for i in range(TRIES))
        for outer in (first, *others):
            code = await _add(service, router, port, outer, seconds)
            if code is None:
                return Lease("upnp", router, port, Address(host, outer), seconds, url=url)
            if code == _PERMANENT_ONLY:
                raise PermanentOnlyError(ONLY_PERMANENTLY)
            if code != _IN_USE:
                break
    raise OutsideError(ROUTER_REFUSAL)


async def end_by_upnp(lease: Lease) -> None:
    """End a lease by UPnP. Raises OutsideError if the router does not confirm the end."""
    async with _service(lease.router, lease.url) as service:
        await service.action("DeletePortMapping").async_call(
            NewRemoteHost="", NewExternalPort=lease.outside.port, NewProtocol="TCP"
        )


async def find(router: Router) -> str:
    """Search for a router, and return the URL of its description.

    Raises SilenceError if the router does not answer in time, or if the library is missing.
    """
    if not has_library():
        raise SilenceError(NO_LIBRARY, package=PACKAGE)
    # The import is slow, so do it in a thread while the event loop continues.
    await asyncio.to_thread(import_module, f"{_LIBRARY}.search")
    from async_upnp_client.search import SsdpSearchListener

    found: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def on_answer(headers: Mapping[str, Any]) -> None:
        location = str(headers.get("location", ""))
        if not found.done() and _is_of(location, router):
            found.set_result(location)

    searches = [
        SsdpSearchListener(
            callback=on_answer,
            source=(router.own, 0),
            target=router.search,
            search_target=device,
            timeout=1,
        )
        for device in _DEVICES
    ]
    try:
        for search in searches:
            await search.async_start()
            search.async_search()
        async with asyncio.timeout(SEARCH_S):
            return await found
    except (OSError, TimeoutError):
        raise SilenceError(NO_WAY) from None
    finally:
        for search in searches:
            search.async_stop()


async def _add(
    service: "UpnpService", router: Router, port: int, outer: int, seconds: int
) -> int | None:
    """Request a port. Return None if the router opened it, or the number of the router's error."""
    from async_upnp_client.exceptions import UpnpActionError

    try:
        await service.action("AddPortMapping").async_call(
            NewRemoteHost="",
            NewExternalPort=outer,
            NewProtocol="TCP",
            NewInternalPort=port,
            NewInternalClient=router.own,
            NewEnabled=True,
            NewPortMappingDescription="Driflamme",
            NewLeaseDuration=seconds,
        )
    except UpnpActionError as error:
        return error.error_code or 0
    return None


@asynccontextmanager
async def _service(router: Router, url: str) -> "AsyncIterator[UpnpService]":
    """Yield the router's service for opening ports.

    Raises SilenceError if the library or such a service is missing, and for any unexpected answer
    of the router.
    """
    if not has_library():
        raise SilenceError(NO_LIBRARY, package=PACKAGE)
    if not _is_of(url, router):
        raise SilenceError(NO_WAY)
    await asyncio.to_thread(import_module, f"{_LIBRARY}.client_factory")
    from aiohttp import ClientSession, ClientTimeout, TCPConnector
    from async_upnp_client.client import UpnpRequester
    from async_upnp_client.client_factory import UpnpFactory
    from async_upnp_client.const import HttpRequest, HttpResponse

    class Bounded(UpnpRequester):
        async def async_http_request(self, http_request: HttpRequest) -> HttpResponse:
            if not _is_of(http_request.url, router):
                raise ValueError("another machine")
            async with session.request(
                http_request.method,
                http_request.url,
                headers=http_request.headers,
                data=http_request.body,
                allow_redirects=False,
            ) as answer:
                body = bytearray()
                async for piece in answer.content.iter_chunked(LONGEST_ANSWER):
                    body += piece
                    if len(body) > LONGEST_ANSWER:
                        raise ValueError("too long")
                text = body.decode()
                if "<!doctype" in text.lower():
                    raise ValueError("a document type")
                return HttpResponse(answer.status, dict(answer.headers), text)

    try:
        async with (
            asyncio.timeout(REQUEST_S),
            ClientSession(
                # Many routers close the connection after an answer without saying so, so do not
                # reuse it.
                connector=TCPConnector(force_close=True),
                auto_decompress=False,
                timeout=ClientTimeout(REQUEST_S),
            ) as session,
        ):
            device = await UpnpFactory(Bounded(), non_strict=True).async_create_device(url)
            for service in device.all_services:
                if service.has_action("AddPortMapping"):
                    yield service
                    return
    except OutsideError:
        raise
    except Exception as error:
        # The library raises many kinds of errors for a router's answers. Treat all of them as
        # silence.
        _log.debug("a router could not be asked by UPnP: %s", error_line(error))
    raise SilenceError(NO_WAY)


def _is_of(url: str, router: Router) -> bool:
    """Return True if a URL leads to this router and to no other machine."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        return parts.scheme == "http" and parts.hostname == router.address
    except ValueError:
        return False
