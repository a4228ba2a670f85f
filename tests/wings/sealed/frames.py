"""Messages of sealed play for attacks on a host."""

from netcode.protocol.messages import PROTOCOL
from netcode.wings.sealed.messages import AllowTakeover, Call, HandOver, LogAt, LogIn

FROM_CLIENT = [
    Call(protocol=PROTOCOL, gid=bytes(32), secret=bytes(12)),
    LogIn(person=1, signature=bytes(64)),
    AllowTakeover(allowed=True),
    HandOver(name="b"),
    LogAt(gid=bytes(32), n=0, tip=bytes(32)),
]
