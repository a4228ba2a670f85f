"""A router on loopback: PCP, NAT-PMP and UPnP, each as well or as badly as it is told."""

import asyncio
import re
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Any

from netcode.outside.routers import Router

DESCRIPTION = """<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device>
<deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType>
<friendlyName>router</friendlyName><manufacturer>m</manufacturer><modelName>n</modelName>
<UDN>uuid:1</UDN><serviceList><service>
<serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType>
<serviceId>urn:upnp-org:serviceId:WANIPConn1</serviceId><SCPDURL>/scpd.xml</SCPDURL>
<controlURL>{control}</controlURL><eventSubURL>/event</eventSubURL></service></serviceList>
</device></root>"""

ARGUMENTS = {
    "GetExternalIPAddress": ["<NewExternalIPAddress"],
    "AddPortMapping": [
        *("NewRemoteHost", "NewExternalPort", "NewProtocol", "NewInternalPort"),
        *("NewInternalClient", "NewEnabled", "NewPortMappingDescription", "NewLeaseDuration"),
    ],
    "DeletePortMapping": ["NewRemoteHost", "NewExternalPort", "NewProtocol"],
}
KINDS = {"NewExternalPort": "ui2", "NewInternalPort": "ui2", "NewLeaseDuration": "ui4"}


class PretendedRouter:
    """What a router grants, and what it has granted."""

    def __init__(self, speaks: str = "", outside: str = "198.51.100.10") -> None:
        self.speaks = speaks
        """Of "pcp", "nat-pmp" and "upnp"."""
        self.outside = outside
        self.mapped: dict[int, int] = {}
        """Inner ports by outer ports."""
        self.leases: list[int] = []
        """The seconds of each mapping that was asked for."""
        self.answers: dict[str, bytes] = {}
        """What it says instead: to "control", or to a path, with its head."""
        self.faults: dict[str, list[int]] = {}
        """The errors with which the next calls of an action end."""
        self.result = 0
        """Of PCP and NAT-PMP."""
        self.longest = 7_200
        """The most seconds that it grants by them."""
        self.asked: list[str] = []
        """What was asked for by UPnP."""
        self.control = "/control"

    def control_answer(self, told: bytes) -> list[bytes]:
        """Return what it says to a datagram at its port for PCP and NAT-PMP."""
        if "control" in self.answers:
            return [self.answers["control"]] * 20
        if told[0] == 2 and "pcp" in self.speaks:
            seconds, (inner, outer) = (
                struct.unpack_from(">I", told, 4)[0],
                struct.unpack_from(">HH", told, 40),
            )
            seconds = self._map(inner, outer, seconds)
            number = ip_address(self.outside)
            raw = (bytes(10) + b"\xff\xff" if number.version == 4 else b"") + number.packed
            head = struct.pack(">BBxBII12x", 2, 0x81, self.result, seconds, 1)
            return [head + told[24:42] + struct.pack(">H", outer) + raw]
        if told[0] == 0 and "nat-pmp" in self.speaks and len(told) == 2:
            number = ip_address(self.outside)
            return [struct.pack(">BBHI4s", 0, 128, self.result, 1, number.packed)]
        if told[0] == 0 and "nat-pmp" in self.speaks:
            inner, outer, seconds = struct.unpack_from(">HHI", told, 4)
            seconds = self._map(inner, outer, seconds)
            return [struct.pack(">BBHIHHI", 0, 130, self.result, 1, inner, outer, seconds)]
        if told[0] == 2 and "nat-pmp" in self.speaks:
            return [struct.pack(">BBHI", 0, 129, 1, 1)]
        return []

    def _map(self, inner: int, outer: int, seconds: int) -> int:
        self.leases.append(seconds)
        self.mapped = {out: to for out, to in self.mapped.items() if to != inner}
        seconds = min(seconds, self.longest)
        if seconds and not self.result:
            self.mapped[outer] = inner
        return seconds

    def page(self, path: str, action: str, body: str) -> bytes:
        """Return what it says to a request of HTTP."""
        self.asked.append(action or path)
        if "upnp" not in self.speaks:
            return b""
        if path in self.answers:
            return self.answers[path]
        if path == "/root.xml":
            return ok(DESCRIPTION.format(control=self.control))
        if path == "/scpd.xml":
            return ok(scpd())
        if faults := self.faults.get(action):
            return fault(faults.pop(0))
        said = dict(re.findall(r"<(New\w+)>([^<]*)<", body))
        if action == "AddPortMapping":
            self.leases.append(int(said["NewLeaseDuration"]))
            self.mapped[int(said["NewExternalPort"])] = int(said["NewInternalPort"])
        elif action == "DeletePortMapping":
            del self.mapped[int(said["NewExternalPort"])]
        result = f"<NewExternalIPAddress>{self.outside}</NewExternalIPAddress>"
        result = result if action == "GetExternalIPAddress" else ""
        return ok(soap(f'<u:{action}Response xmlns:u="x">{result}</u:{action}Response>'))

    @asynccontextmanager
    async def open(self, host: str = "127.0.0.1") -> AsyncIterator[Router]:
        """Answer on loopback, until it is enough; by IPv6 only PCP."""
        loop = asyncio.get_running_loop()
        router = self

        class Control(asyncio.DatagramProtocol):
            transport: Any = None

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                self.transport = transport

            def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
                for answer in self.answers(data):
                    self.transport.sendto(answer, addr)

            def answers(self, data: bytes) -> list[bytes]:
                return router.control_answer(data)

        class Search(Control):
            def answers(self, data: bytes) -> list[bytes]:
                if "upnp" not in router.speaks:
                    return []
                device = re.search(rb"ST:(.*)\r\n", data)
                assert device is not None
                return [
                    b"HTTP/1.1 200 OK\r\nST:%s\r\nUSN:uuid:1\r\nLOCATION: http://127.0.0.1:%d/root.xml"
                    b"\r\n\r\n" % (device[1], web.sockets[0].getsockname()[1])
                ]

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = re.search(r"(?i)content-length: (\d+)", head)
            body = (await reader.readexactly(int(length[1]))).decode() if length else ""
            action = re.search(r'(?i)soapaction: "[^#]*#(\w+)"', head)
            writer.write(self.page(head.split()[1], action[1] if action else "", body))
            writer.close()

        web = await asyncio.start_server(serve, "127.0.0.1", 0)
        here = ("127.0.0.1", 0)
        control, _ = await loop.create_datagram_endpoint(Control, local_addr=(host, 0))
        search, _ = await loop.create_datagram_endpoint(Search, local_addr=here)
        try:
            yield Router(
                host,
                host,
                control.get_extra_info("sockname")[1],
                search.get_extra_info("sockname"),
            )
        finally:
            control.close()
            search.close()
            web.close()


def ok(body: str, head: str = "HTTP/1.1 200 OK") -> bytes:
    return f"{head}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


def soap(body: str) -> str:
    namespace = "http://schemas.xmlsoap.org/soap/envelope/"
    return f'<s:Envelope xmlns:s="{namespace}"><s:Body>{body}</s:Body></s:Envelope>'


def fault(code: int) -> bytes:
    error = f'<UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>{code}</errorCode>'
    told = f"<s:Fault><detail>{error}<errorDescription>no</errorDescription></UPnPError></detail>"
    return ok(soap(f"{told}</s:Fault>"), "HTTP/1.1 500 Internal Server Error")


def scpd() -> str:
    actions, states = "", {"NewExternalIPAddress": ""}
    for action, names in ARGUMENTS.items():
        told = ""
        for name in names:
            way, bare = ("out" if name.startswith("<") else "in"), name.lstrip("<")
            states[bare] = ""
            told += (
                f"<argument><name>{bare}</name><direction>{way}</direction>"
                f"<relatedStateVariable>{bare}</relatedStateVariable></argument>"
            )
        actions += f"<action><name>{action}</name><argumentList>{told}</argumentList></action>"
    variables = "".join(
        f'<stateVariable sendEvents="no"><name>{name}</name><dataType>'
        f"{'boolean' if name == 'NewEnabled' else KINDS.get(name, 'string')}</dataType>"
        "</stateVariable>"
        for name in states
    )
    return (
        '<scpd xmlns="urn:schemas-upnp-org:service-1-0"><actionList>'
        f"{actions}</actionList><serviceStateTable>{variables}</serviceStateTable></scpd>"
    )
