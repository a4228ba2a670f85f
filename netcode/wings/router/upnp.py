"""Asks a router by UPnP (an internet gateway device) to let a TCP port in.

The protocol is `async-upnp-client`'s. What it may read is bounded here: answers of the router and
of nobody else, of so many bytes, without redirects and without a DOCTYPE.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from netcode.tracebacks import described
from netcode.transport.address import Address
from netcode.wings.router.routers import (
    LEASE_S,
    NO_ADDRESS,
    NO_LIBRARY,
    NO_WAY,
    ONLY_PERMANENTLY,
    REFUSED,
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
"""Seconds for a router to answer a search, which is to take it one at most."""

REQUEST_S: Final = 3.0
"""Seconds for a router to answer all that it is asked."""

LONGEST_ANSWER: Final = 1 << 16
"""The most bytes of an answer."""

TRIES: Final = 4
"""How many other ports are tried if one is taken."""

_DEVICES: Final = tuple(
    f"urn:schemas-upnp-org:device:InternetGatewayDevice:{version}" for version in (1, 2)
)

_IN_USE, _PERMANENT_ONLY = 718, 725
"""What UPnP calls a port that another machine has, and a router that knows no leases."""

_LIBRARY: Final = "async_upnp_client"
PACKAGE: Final = _LIBRARY.replace("_", "-")
"""What a player installs to have the library."""

_log = logging.getLogger(__name__)


def has_library() -> bool:
    """Return whether routers can be asked by UPnP here."""
    return find_spec(_LIBRARY) is not None


async def grant_by_upnp(router: Router, wish: Wish, lease: Lease | None) -> Lease:
    """Have a port let in for a while, or a lease renewed; raises OutsideError."""
    url = lease.url if lease is not None else await find(router)
    port, seconds = wish.port, 0 if wish.permanent else LEASE_S
    first = port if lease is None else lease.outside.port
    async with _service(router, url) as service:
        told = await service.action("GetExternalIPAddress").async_call()
        host = str(told.get("NewExternalIPAddress") or "")
        if not usable(host):
            raise OutsideError(NO_ADDRESS)
        # Others may have a port already; there are thousands besides.
        others = (1 << 15 | int.from_bytes(wish.nonce[i : i + 2], "big") for i in range(TRIES))
        for outer in (first, *others):
            code = await _add(service, router, port, outer, seconds)
            if code is None:
                return Lease("upnp", router, port, Address(host, outer), seconds, url=url)
            if code == _PERMANENT_ONLY:
                raise PermanentOnlyError(ONLY_PERMANENTLY)
            if code != _IN_USE:
                break
    raise OutsideError(REFUSED)


async def end_by_upnp(lease: Lease) -> None:
    """Have a port let in no more; raises OutsideError."""
    async with _service(lease.router, lease.url) as service:
        await service.action("DeletePortMapping").async_call(
            NewRemoteHost="", NewExternalPort=lease.outside.port, NewProtocol="TCP"
        )


async def find(router: Router) -> str:
    """Return where a router describes itself; raises SilenceError."""
    if not has_library():
        raise SilenceError(NO_LIBRARY, package=PACKAGE)
    # It takes a while to load, and the event loop need not wait.
    await asyncio.to_thread(import_module, f"{_LIBRARY}.search")
    from async_upnp_client.search import SsdpSearchListener

    found: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def heard(headers: Mapping[str, Any]) -> None:
        location = str(headers.get("location", ""))
        if not found.done() and _is_of(location, router):
            found.set_result(location)

    searches = [
        SsdpSearchListener(
            callback=heard,
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
    """Have a router let a port in; return the number of the error if it does not."""
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
    """Lead to what opens ports at a router; raises SilenceError if there is no such thing."""
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
                # Many a router hangs up after an answer without saying so.
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
        # A router may say anything, and the library stumbles over it in as many ways.
        _log.debug("a router could not be asked by UPnP: %s", described(error))
    raise SilenceError(NO_WAY)


def _is_of(url: str, router: Router) -> bool:
    """Return whether a URL leads to a router, and to no other machine."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        return parts.scheme == "http" and parts.hostname == router.address
    except ValueError:
        return False
