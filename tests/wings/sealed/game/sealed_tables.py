"""Sealed games for tests: sealings, secrets and deals."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

from engine.actions import REVEAL
from netcode.protocol.fields import FAMILY_LETTERS
from netcode.protocol.table_settings import TableSettings
from netcode.wings.sealed.game.dealing import Dealing
from netcode.wings.sealed.game.encoding import Person, SealingBody, Seat, pack
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel, public_key
from netcode.wings.sealed.game.sealed_person import PersonSecrets, SealedPerson
from netcode.wings.sealed.game.sealing import RULES, SETTINGS, VERSION, Sealing

NAMES = ("Ada", "Bob", "Cem", "Dora", "Eve")
TABLE = bytes(16)


def sealing_body(
    keys: list[bytes],
    owned: tuple[tuple[int, ...], ...],
    settings: TableSettings | None = None,
    first: int | None = None,
    bots: tuple[int, ...] = (),
    broken: tuple[bytes, ...] = (),
) -> SealingBody:
    settings = settings or TableSettings(sealed=True)
    return SealingBody(
        version=VERSION,
        rules=RULES,
        table=TABLE,
        game=1,
        began=1_800_000_000,
        settings=tuple((name, getattr(settings, name)) for name in SETTINGS),
        seats=tuple(
            Seat(FAMILY_LETTERS[seat], NAMES[seat], "careful" if seat in bots else None)
            for seat in range(sum(map(len, owned)))
        ),
        first=first,
        persons=tuple(Person(public_key(key), own) for key, own in zip(keys, owned, strict=True)),
        broken=broken,
    )


class SealedTable:
    """A sealing with all secrets, from a seed.

    Each person has the seat of the same number, unless `owned` lists the seats of each person.
    """

    def __init__(
        self,
        seed: int,
        persons: int = 3,
        owned: tuple[tuple[int, ...], ...] | None = None,
        bots: tuple[int, ...] = (),
        edition: int = 2,
    ) -> None:
        rng = Random(seed)
        owned = owned or tuple((seat,) for seat in range(persons))
        self.keys = [rng.randbytes(32) for _ in owned]
        settings = TableSettings(edition=edition, sealed=True)
        self.sealing = Sealing(pack(sealing_body(self.keys, owned, settings, bots=bots)))
        self.people = [
            PersonSecrets.drawn(rng, key, self.sealing, person)
            for person, key in enumerate(self.keys)
        ]
        self.seals = [person.seal() for person in self.people]

    def dealing(self) -> Dealing:
        """Return a dealing with everybody's seal, and without nonces."""
        dealing = Dealing(self.sealing)
        for seal in self.seals:
            assert dealing.take(seal).status == "taken"
        return dealing

    def dealt(self) -> Dealing:
        dealing = self.dealing()
        for deal in self.deals():
            assert dealing.take(deal).status == "taken"
        return dealing

    def deals(self) -> list[Parcel]:
        seals = self.dealing().seals_digest
        return [person.deal(seals) for person in self.people]

    def answer(self, log: SealedLog, rng: Random) -> Parcel:
        """Return the due person's next parcel: an opening, or a random legal answer."""
        due, game = log.due, log.game
        assert due is not None
        n, prev = log.height + 1, log.tip
        if due.opening is not None:
            seat, leaf = due.opening
            return self.owner(seat).open(n, prev, seat, leaf)
        action = rng.choice(game.legal)
        if action == REVEAL:
            leaf = int(game.queue[game.at][1])
            return self.owner(due.seat).open(n, prev, due.seat, leaf, "reveal")
        return self.owner(due.seat).act(n, prev, due.seat, action.token)

    def owner(self, seat: int) -> PersonSecrets:
        return self.people[self.sealing.owners[seat]]

    def default(self, log: SealedLog) -> list[Parcel]:
        """Return the votes and the entry that replace the due step."""
        due = log.due
        assert due is not None
        away = self.sealing.owners[due.seat]
        others = [person for person in self.people if person.person != away]
        votes = [person.missing(log.height + 1, log.tip) for person in others]
        return [*votes[: self.sealing.quorum], log.default()]

    def ends(self, log: SealedLog) -> list[Parcel]:
        return [person.end(log.height, log.tip, 1_800_003_600) for person in self.people]


def dealt_person(table: SealedTable, person: int, *, is_compared: bool = True) -> SealedPerson:
    """Return a person's program with all parts of the deal."""
    one = SealedPerson(Random(person))
    one._seal(table.sealing, table.people[person])
    one.dealing, one.is_compared = table.dealt(), is_compared
    one.log = SealedLog(one.dealing, person)
    one._written = len(one.log.journal)
    return one


def log_of(person: SealedPerson) -> SealedLog:
    """Return the log of a program; fails before the deal is complete."""
    assert person.log is not None
    return person.log


def played(
    table: SealedTable, rng: Random, until: Callable[[SealedLog], bool] | None = None
) -> SealedLog:
    """Return a host's log, played at random to the end or until a condition is true."""
    log = SealedLog(table.dealt())
    while log.due is not None and not (until and until(log)):
        assert log.take(table.answer(log, rng)).status == "taken"
    return log


def struck(log: SealedLog) -> bool:
    """Return True if an eliminated card must be opened."""
    return log.due is not None and log.due.struck


def twin(log: SealedLog, me: int | None = None) -> SealedLog:
    """Return another person's copy of a log, with no votes except those for default steps."""
    other = SealedLog(log.dealing, me)
    for entry in log.entries:
        certificate = log.certificate(entry.decoded) if entry.author is None else []
        for parcel in (*certificate, entry.parcel):
            assert other.take(parcel).status != "refused"
    return other


def take_all(log: SealedLog, parcels: Iterable[Parcel]) -> set[str]:
    """Take parcels into a log in order; return the codes of their outcomes, without ""."""
    return {outcome.code for outcome in map(log.take, [*parcels])} - {""}


def doubled(table: SealedTable, person: int) -> SealedTable:
    """Let a person seal their first card in all positions; return the table."""
    table.people[person] = replace(
        table.people[person], orders=(table.people[person].orders[0][0] * 10,)
    )
    table.seals[person] = table.people[person].seal()
    return table


def hesitant(seed: int, persons: int = 4, edition: int = 2, ends: int = 5) -> SealedLog:
    """Return the log of a game with default steps, and with eliminated cards that stay closed.

    At most `ends` persons show all their cards in the end.
    """
    table, rng = SealedTable(seed, persons, edition=edition), Random(seed)
    log = SealedLog(table.dealt())
    while log.due is not None:
        parcels = [table.answer(log, rng)]
        if rng.random() < (0.4 if log.due.struck else 0.1):
            parcels = table.default(log)
        assert {log.take(parcel).status for parcel in parcels} == {"taken"}
    for end in table.ends(log)[:ends]:
        assert log.take(end).status == "taken"
    return log
