"""A server with a game under way, and somebody who attacks it with whatever frames.

After every frame it is judged: nothing but messages of the protocol came back, what was refused
has changed nothing, and those who mean well have noticed nothing but the game. A table that was
attacked for long is still one at which a game comes to its end.
"""

from random import Random
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec.structs import replace

from engine.record import replay
from netcode.protocol.codec import CodecError, decode_client, encode
from netcode.protocol.messages import (
    Act,
    AddBot,
    ChangeSettings,
    ClientMessage,
    Clock,
    GameRecord,
    Goodbye,
    HostMessage,
    Lobby,
    Pause,
    Refused,
    SetReady,
    Start,
    State,
    Talk,
    Welcome,
)
from netcode.protocol.refusal_sentences import SENTENCES, refusal_sentence
from netcode.protocol.table_settings import TableSettings
from tests.support.pretend import OWNER_KEY, Participant, asked
from tests.support.rooms import SECRET
from tests.support.shell import ServerNetwork

Role: TypeAlias = Literal["stranger", "newcomer", "player", "spectator", "host"]
"""Who attacks: without the invitation, with it, from a seat, from beside the table, as its host."""

ROLES: Final[tuple[Role, ...]] = get_args(Role)

OUTSIDE: Final = ("stranger", "newcomer")


class Attacker(Participant):
    """Somebody whose program says anything, and wonders at no answer."""

    def take(self, frame: bytes, message: HostMessage) -> None:
        self.received.append(message)
        if isinstance(message, Welcome):
            self.session.key = message.key
        elif isinstance(message, Lobby):
            self.session.lobby = message


class Arena:
    """One server, attacked in one role."""

    def __init__(self, role: Role, seed: int) -> None:
        """Begin a game, or in some arenas stay in the lobby; the seed decides what chance would."""
        self.role = role
        self.attacker: Participant
        self.rng = Random(seed)
        self.network = ServerNetwork(
            Random(seed),
            owner_key=OWNER_KEY if role == "host" else None,
            settings=TableSettings(pace_ms=0, clock_s=self.rng.choice((0, 0, 600)), first="r"),
            is_open=False,
            certificate=b"a certificate",
        )
        self.refused: dict[str, int] = {}
        """How often each reason was given."""
        self.taken = 0
        """Frames that were messages."""
        if role == "host":
            self._attack_anew(None)
        self.honest = [
            Participant(self.network, name, greet=False) for name in ("anna", "bert", "cleo")
        ]
        for participant in self.honest:
            participant.session.secret = SECRET
            participant.greet()
        if role != "host":
            self._attack_anew(None)
        if role != "newcomer" and self.rng.random() < 0.8:
            self._begin(self.attacker if role == "host" else self.honest[0])
        self.seats = self._seats()

    def attack(self, frame: bytes | str) -> None:
        """Let the attacker send a frame, and judge what comes of it."""
        chance = self.rng.random()
        if chance < 0.05:
            self._act_honestly()
        elif chance < 0.06:
            self.network.wait(self.rng.choice((1, 30)))
        # Not before: who says no hello is sent away meanwhile.
        if self.attacker.cut_off:
            self._attack_anew(self.attacker.session.key)
        attacker = self.attacker
        frame = self._aimed(frame)
        before, heard = self._fingerprint(), len(attacker.received)
        asides = [len(participant.received) for participant in self.honest]
        self.network.put(attacker.connection, frame)
        answers = attacker.received[heard:]
        refusals = [each for each in answers if isinstance(each, Refused | Goodbye)]
        for answer in refusals:
            assert answer.code in SENTENCES or answer.code.startswith("rules.")
            assert refusal_sentence(answer.code, answer.values)
            self.refused[answer.code] = self.refused.get(answer.code, 0) + 1
        message, code = _read(frame)
        if message is None:
            assert [each.code for each in refusals][:1] in ([code], ["too_many_bad_messages"])
        else:
            self.taken += 1
        if refusals and not attacker.cut_off:
            assert self._fingerprint() == before, "what was refused has changed something"
        self._check_honest(asides)

    def settle(self) -> None:
        """Let the attacker go, and the others play to the end of a game."""
        if not self.attacker.cut_off:
            self.attacker.drop()
        # By then they do without a host who is gone.
        self.network.wait(90)
        if self.role == "host":
            self.honest.append(self._owner())
        for participant in self.honest:
            if participant.cut_off:
                # Sent away by the attacker, who was the host.
                participant.come_back()
                if participant.refusal == "unknown_key":
                    participant.greet()
        host = next(each for each in self.honest if each.session.is_host)
        if host.phase() == "lobby":
            host.say(ChangeSettings(settings=TableSettings(pace_ms=0)))
            self._begin(host)
        host.say(Pause(paused=False))
        for _ in range(1000):
            if self.network.table.games.phase != "playing":
                break
            participant = asked(self.honest) or host
            if participant.view().legal:
                participant.act_somehow()
            else:
                # The attacker's seat, for which a bot answers by now, or once the time is out.
                self.network.wait(30)
        assert self.network.table.games.phase == "result"
        record = self.network.table.record()
        assert record is not None
        assert len(list(replay(record))) == len(record.actions)
        self.network.close()

    def _owner(self) -> Participant:
        owner = Participant(self.network, "mallory", key=OWNER_KEY, greet=False)
        owner.session.secret = SECRET
        owner.greet()
        return owner

    def _attack_anew(self, key: bytes | None) -> None:
        """Connect the attacker, to where they were if they have it still."""
        watches = self.role == "spectator"
        self.attacker = Attacker(self.network, "mallory", spectator=watches, greet=False)
        self.attacker.session.secret = SECRET
        if self.role not in OUTSIDE:
            self.attacker.session.key = OWNER_KEY if self.role == "host" else key
            self.attacker.greet()
            if self.attacker.refusal == "unknown_key":
                self.attacker.session.key = None
                self.attacker.greet()

    def _begin(self, host: Participant) -> None:
        for participant in (*self.honest, self.attacker):
            if (
                participant is not host
                and not participant.cut_off
                and participant.session.lobby is not None
            ):
                participant.say(SetReady(ready=True))
        while len(self.network.table.participants.seats) < 3:
            host.say(AddBot(bot="steady"))
        host.say(Start())
        assert self.network.table.games.phase == "playing"

    def _aimed(self, frame: bytes | str) -> bytes | str:
        """Now and then make of a frame that is an act one that is for the present position."""
        if isinstance(frame, str) or b"\xa3act" not in frame or self.rng.random() < 0.3:
            return frame
        act, _ = _read(frame)
        if not isinstance(act, Act):
            return frame
        number = 1 + max(seat.acted for seat in self.network.table.participants.seats)
        revision = self.network.table.games.revision
        return encode(replace(act, number=number, revision=revision))

    def _act_honestly(self) -> None:
        participant = asked(self.honest)
        if participant is not None and not self._is_paused():
            participant.act(self.rng.choice(participant.view().legal).token)

    def _is_paused(self) -> bool:
        return self.honest[0].lobby().paused

    def _seats(self) -> list[tuple[object, ...]]:
        seats = {seat.name: seat for seat in self.network.table.participants.seats}
        names = [participant.name for participant in self.honest]
        return [(name, seats[name].bot, seats[name].connection) for name in names]

    def _check_honest(self, asides: list[int]) -> None:
        """Assert that those who mean well notice nothing but what may happen at a table."""
        if self.role == "host":
            return
        for participant, before in zip(self.honest, asides, strict=True):
            assert not participant.cut_off
            for message in participant.received[before:]:
                assert isinstance(message, Lobby | State | GameRecord | Clock | Talk)
        assert self._seats() == self.seats

    def _fingerprint(self) -> tuple[Any, ...]:
        """Return what a refusal must not change."""
        table = self.network.table
        participants, conversation = table.participants, table.conversation
        seats = [
            (seat.family, seat.name, seat.bot, seat.host, seat.ready, seat.connection, seat.absence)
            + ((None,) if seat.keys is None else (seat.keys.key,))
            + (seat.acted, seat.left)
            for seat in participants.seats
        ]
        watchers = [(each.name, each.connection, each.host) for each in participants.spectators]
        record = table.record()
        return (
            *(seats, watchers, table.games.revision, table.games.settings, table.games.paused),
            None if record is None else record.actions,
            (conversation.said, tuple(conversation._muted)),
        )


def _read(frame: bytes | str) -> tuple[ClientMessage | None, str]:
    """Return the message of a frame, or why it is none."""
    try:
        return decode_client(frame), ""
    except CodecError as error:
        return None, error.code
