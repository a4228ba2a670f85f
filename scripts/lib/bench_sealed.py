"""What sealed play costs one program: to seal, to start, to check an entry, to verify a game.

Every person of a table has a program of their own here, and all parcels go straight from one to the
others. Every figure is the median over some games, on one core.
"""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from statistics import median
from time import perf_counter
from typing import Final, TypeVar

from msgspec import to_builtins

from netcode.protocol.fields import FAMILY_LETTERS
from netcode.protocol.messages import TableSettings
from netcode.sealed.encoding import Person, SealingBody, Seat, pack
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.proof_file import sealed_record, verified
from netcode.sealed.sealed_person import SealedPerson
from netcode.sealed.sealing import RULES, VERSION, Expected
from netcode.sealed.votes import Situation
from scripts.lib.figures import Figure
from scripts.lib.sealed_hosting import figures

SIZES: Final = (3, 4, 5)
"""How many play; one with a seat each."""

GAMES: Final = 7
"""How many games are played of each size."""

UNIX_S: Final = 1_800_000_000

_Result = TypeVar("_Result")


def measure(short: bool) -> list[Figure]:
    """Return the figures of tables of all sizes."""
    games = 1 if short else GAMES
    return [*(figure for size in SIZES for figure in _of_size(size, games)), *figures(games)]


def _of_size(size: int, games: int) -> Iterator[Figure]:
    """Yield the figures of tables at which so many play."""
    seal, start, entry, verify, length = [], [], [], [], []
    for seed in range(games):
        room = _Room(Random(seed), size)
        seal.append(room.seal_s)
        start.append(room.start_s)
        log = room.play()
        again = SealedLog(log.dealing)
        entry += [_timed(again.take, Parcel(*each.parcel))[1] for each in log.entries]
        record = sealed_record(log)
        verify.append(_timed(verified, record.to_json())[1])
        length.append(sum(map(len, (part for parcel in log.parcels() for part in parcel))))
    yield Figure(f"seal_at_{size}", round(median(seal) * 1e3, 2), "ms")
    yield Figure(f"start_at_{size}", round(median(start) * 1e3, 2), "ms")
    yield Figure(f"entry_at_{size}", round(median(entry) * 1e6), "us")
    yield Figure(f"log_at_{size}", round(median(length)), "bytes")
    yield Figure(f"verify_at_{size}", round(median(verify) * 1e3, 1), "ms")


def _timed(call: Callable[..., _Result], *arguments: object) -> tuple[_Result, float]:
    """Return what a call returns, and how many seconds it takes."""
    began = perf_counter()
    return call(*arguments), perf_counter() - began


class _Room:
    """A table in one process, dealt when it is made."""

    def __init__(self, rng: Random, size: int) -> None:
        self.rng = rng
        self.people = [SealedPerson(rng) for _ in range(size)]
        for person in self.people:
            person.get_ready()
        settings = TableSettings(sealed=True)
        seats = tuple(Seat(FAMILY_LETTERS[at], f"Player {at}", None) for at in range(size))
        keys = [person.public_key for person in self.people]
        sealing = SealingBody(
            version=VERSION,
            rules=RULES,
            table=bytes(16),
            game=1,
            began=UNIX_S,
            settings=tuple(sorted(to_builtins(settings).items())),
            seats=seats,
            first=None,
            persons=tuple(Person(key, (at,)) for at, key in enumerate(keys)),
            broken=(),
        )
        parcels, self.seal_s = [Parcel(pack(sealing))], 0.0
        for at, person in enumerate(self.people):
            expected = Expected(
                key=keys[at],
                own=(at,),
                table=bytes(16),
                seats=seats,
                settings=settings,
                host=0,
                first=None,
            )
            output, took = _timed(person.receive, parcels[:1], expected)
            parcels += output.send
            self.seal_s = max(self.seal_s, took)
        deals: list[Parcel] = []
        for person in self.people:
            output, self.start_s = _timed(person.receive, parcels[1:])
            deals += output.send
        self.start_s += _timed(self.people[-1].receive, deals)[1]
        self._pass_on(deals)

    def play(self) -> SealedLog:
        """Play at random until everything is opened; return a log."""
        there = set(range(len(self.people)))
        now = Situation(waited_s=0, agreeing=there, connected=there)
        log = self.people[0].log
        assert log is not None
        while len(log.ends) < len(self.people):
            due = log.due
            if due is not None and due.opening is None:
                token = self.rng.choice(log.game.legal).token
                self._pass_on(self.people[due.seat].answer(due.seat, token).send)
            for person in self.people:
                self._pass_on(person.advance(now, UNIX_S).send)
        return log

    def _pass_on(self, parcels: Iterable[Parcel]) -> None:
        for person in self.people:
            person.receive(parcels)
