"""A sealed table without sockets: people's own programs and sessions, and one who relays."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from msgspec import to_builtins
from msgspec.structs import replace

from engine.actions import Action
from netcode.client.sealed_news import Asked, SealedNews, VoteMissing
from netcode.client.sealed_play import SealedPlay
from netcode.client.session import Session
from netcode.protocol.fields import FAMILY_LETTERS
from netcode.protocol.messages import (
    PROGRAM,
    PROTOCOL,
    ClientMessage,
    HostMessage,
    Lobby,
    LogAt,
    Sealed,
    SeatInfo,
    SetReady,
    Start,
    TableSettings,
    Welcome,
)
from netcode.sealed.dealing import Dealing
from netcode.sealed.encoding import Person, SealedError, SealingBody, Seat, pack
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.proofs import TAKEN
from netcode.sealed.sealed_person import PersonSecrets
from netcode.sealed.sealing import RULES, VERSION, Sealing
from tests.support.own_logs import SwiftLogs

NAMES = ("Ada", "Bob", "Cem", "Dora", "Eve")
ENDED_S = 1_800_003_600


class Company:
    """Persons at a sealed table, each with a program of their own, and who relays for them."""

    def __init__(
        self,
        folder: Path,
        persons: int = 3,
        bots: int = 0,
        watchers: int = 0,
        seed: int = 1,
        **settings: object,
    ) -> None:
        self.folder = folder
        self.settings = TableSettings(sealed=True, pace_ms=0, **settings)  # type: ignore[arg-type]
        self.now = 100.0
        self.seed = seed
        self.rng = Random(seed)
        self.held: Someone | None = None
        """Who hears nothing for now."""
        seats = [
            SeatInfo(family=FAMILY_LETTERS[at], name=NAMES[at], host=not at)
            for at in range(persons)
        ]
        if self.settings.two:
            seats = [replace(seat, second=FAMILY_LETTERS[at + 2]) for at, seat in enumerate(seats)]
        for at in range(persons, persons + bots):
            seats.append(SeatInfo(family=FAMILY_LETTERS[at], name=NAMES[at], bot="careful"))
        self.lobby = Lobby(
            phase="lobby",
            seats=tuple(seats),
            spectators=(),
            settings=self.settings,
            missing=None,
            invitation="",
            you=None,
            host=False,
        )
        self.people = [Someone(self, at) for at in range(persons)]
        self.people += [Someone(self, None) for _ in range(watchers)]
        self.relay = Relay(self)

    @property
    def log(self) -> SealedLog:
        """The log of the game, as the relay has it."""
        assert self.relay.log is not None
        return self.relay.log

    def seal(self) -> None:
        """Have everybody come and get ready, and begin."""
        for one in self.people:
            one.come()
        self.flow()
        for one in self.people[::-1]:
            if one.seat is not None:
                one.say(SetReady(True) if one.seat else Start())
            self.flow()

    def flow(self, until: Callable[[], bool] = lambda: False) -> None:
        """Deliver what is on its way, until nothing is."""
        while not until():
            for one in self.people:
                if one.up:
                    self.relay.hear(one, one.up.popleft())
                    break
                if one.down and one is not self.held:
                    one.hear(one.down.popleft())
                    break
            else:
                return

    def hold(self, one: "Someone", until: Callable[[SealedLog, int], bool]) -> None:
        """Play until something is so, of which somebody does not hear yet."""
        assert one.seat is not None
        self.play(lambda: until(self.log, one.seat or 0))
        self.held = one

    def release(self) -> None:
        """Have whoever heard nothing hear all of it at once."""
        one, self.held = self.held, None
        assert one is not None
        one.go()
        one.come()
        self.flow()

    def wait(self, seconds: float = 1.0) -> None:
        """Let time pass."""
        self.now += seconds
        for one in self.people:
            wake_at = None if one is self.held else one.play.wake_at
            if wake_at is not None and wake_at <= self.now:
                one.take()
        self.flow()

    def play(self, until: Callable[[], bool] = lambda: False) -> None:
        """Have everybody answer at random until something is so, or the game is over for all."""
        for _ in range(2000):
            if until() or all(one.is_over for one in self.people if one.is_here):
                return
            if not any(one.answer() for one in self.people if one.is_here and one is not self.held):
                self.wait()
            self.flow(until)
        raise AssertionError("the evening is stuck")


class Someone:
    """A person or spectator: a session, and the program between it and the host."""

    def __init__(self, company: Company, seat: int | None) -> None:
        self.company = company
        self.seat = seat
        self.up: deque[ClientMessage] = deque()
        self.down: deque[HostMessage] = deque()
        self.is_here = False
        self.is_blind = False
        """Whether no session looks on: none could show what a cheater has."""
        self._starts = 0
        self.play, self.session = self._program(), Session()
        self.session.hello("me")

    def _program(self) -> SealedPlay:
        name = "watchers" if self.seat is None else str(self.seat)
        logs = SwiftLogs(self.company.folder / f"{name}.db")
        self._starts += 1
        seed = f"{self.company.seed} {name} {self._starts}"
        return SealedPlay(logs, lambda: ENDED_S + self.company.now, Random(seed))

    def restart(self) -> None:
        """Begin anew with nothing but what is on disk."""
        self.play.close()
        self.play, self.session = self._program(), Session()
        self.session.hello("me")
        self.up.clear()
        self.down.clear()

    def come(self) -> None:
        """Come to the table, or back."""
        self.is_here = True
        family = None if self.seat is None else FAMILY_LETTERS[self.seat]
        self.hear(
            Welcome(
                protocol=PROTOCOL, program=PROGRAM, family=family, key=bytes(16), host=not self.seat
            )
        )
        self.company.relay.welcome(self)

    def go(self) -> None:
        """Lose the line."""
        self.is_here = False
        self.up.clear()
        self.down.clear()
        self.company.relay.tell_lobby()

    @property
    def own(self) -> PersonSecrets:
        """What a cheater signs with."""
        assert self.play.person is not None
        secrets = self.play.person._secrets
        assert secrets is not None
        return secrets

    def cheat(self, *parcels: Parcel) -> None:
        """Send what one's own program would not."""
        for each in parcels:
            self.company.relay.hear(self, Sealed(((each.body, each.signature),)))
        self.company.flow()

    def hear(self, message: HostMessage) -> None:
        self.play.from_host(message, self.company.now)
        self.take()

    def say(self, message: Asked) -> None:
        self.play.from_player(message, self.company.now)
        self.take()

    def take(self) -> None:
        said = self.play.tick(self.company.now)
        for told in () if self.is_blind else said.told:
            self.session.receive(told)
        self.up.extend(said.sent)

    def answer(self) -> bool:
        """Answer if one is asked, or have one's bot do so."""
        if self.is_blind:
            return self._answer_blindly()
        play, view = self.play, self.session.view
        if self.session.sealed is not None and self.session.sealed.is_vote_wanted:
            self.say(VoteMissing())
            return True
        if play.think is not None:
            action: Action = self.company.rng.choice(play.think.view.legal)
            play.from_bot(play.think, action, self.company.now)
            self.take()
            return True
        if view is None or not view.legal or self.session.pending is not None:
            return False
        self.say(self.session.act(self.company.rng.choice(view.legal)))
        return True

    def _answer_blindly(self) -> bool:
        person, seat, now = self.play.person, self.seat or 0, self.company.now
        log = None if person is None else person.log
        due = None if log is None else log.due
        if person is None or log is None or due is None or (due.seat, due.opening) != (seat, None):
            return False
        output = person.answer(seat, self.company.rng.choice(log.game.legal).token)
        assert self.play._game is not None
        self.play._apply(self.play._game, output, now)
        self.take()
        return True

    @property
    def news(self) -> SealedNews:
        assert self.session.sealed is not None
        return self.session.sealed

    @property
    def codes(self) -> list[tuple[str, str]]:
        return [(notice.code, notice.name) for notice in self.news.notices]

    @property
    def legal(self) -> tuple[Action, ...]:
        return () if self.session.view is None else self.session.view.legal

    @property
    def is_over(self) -> bool:
        return self.is_blind or (self.session.view is not None and self.session.view.over)


class Relay:
    """An honest relay that does what the specification says, and no more."""

    def __init__(self, company: Company) -> None:
        self.company = company
        self.keys: dict[int, bytes] = {}
        self.sealing: Parcel | None = None
        self.dealing: Dealing | None = None
        self.log: SealedLog | None = None
        self.games = 0
        self.first: int | None = None
        if company.settings.first != "random":
            self.first = FAMILY_LETTERS.index(company.settings.first)
        self.broken: tuple[bytes, ...] = ()
        self.lose: Callable[[Someone, Parcel], bool] = lambda _whose, _parcel: False
        """Which parcels of whom it drops."""
        self.colludes = False
        """Whether it passes on what it should refuse."""

    def tell_lobby(self, **changes: object) -> None:
        company = self.company
        if changes.get("phase") == "lobby":
            self.sealing = self.dealing = self.log = None
        here = {one.seat for one in company.people if one.is_here}
        seats = tuple(
            replace(seat, present=seat.bot is not None or at in here)
            for at, seat in enumerate(company.lobby.seats)
        )
        company.lobby = replace(company.lobby, seats=seats, **changes)
        for one in company.people:
            if one.is_here:
                you = None if one.seat is None else FAMILY_LETTERS[one.seat]
                one.down.append(replace(company.lobby, you=you, host=one.seat == 0))

    def welcome(self, one: Someone) -> None:
        self.tell_lobby()
        if self.sealing is not None:
            self.send(self.everything(), [one])
            self.tell_log(one)

    @property
    def gid(self) -> bytes:
        assert self.dealing is not None
        return self.dealing.sealing.gid

    def everything(self) -> list[Parcel]:
        dealing, log = self.dealing, self.log
        assert dealing is not None
        assert self.sealing is not None
        early = [each for (kind, _), each in dealing.parcels.items() if kind == "seal"]
        early = early if dealing.is_sealed else []
        early += [each for (kind, _), each in dealing.parcels.items() if kind == "deal"]
        return [self.sealing, *early, *([] if log is None else log.parcels())]

    def hear(self, one: Someone, message: ClientMessage) -> None:
        match message:
            case SetReady() | Start():
                assert one.seat is not None
                assert message.game_key is not None
                self.keys[one.seat] = message.game_key
                if isinstance(message, Start):
                    self.begin()
            case Sealed():
                for body, signature in message.parcels:
                    parcel = Parcel(body, signature)
                    if not self.lose(one, parcel):
                        self.take(one, parcel)
            case LogAt():
                log = self.log
                if log is not None:
                    fits = message.n <= log.height and log.tip_of(message.n) == message.tip
                    self.send(log.parcels(message.n if fits else 0), [one])
                    self.tell_log(one)
                    persons = [person.seats for person in log.sealing.said.persons]
                    mine = next((i for i, own in enumerate(persons) if one.seat in own), None)
                    for other in self.company.people:
                        if other.is_here and other is not one and mine is not None:
                            other.down.append(replace(message, person=mine))

    def begin(self, **changes: object) -> None:
        """Seal a game of those who are ready; a host that cheats says something else of it."""
        self.sealing = Parcel(pack(self.sealing_body(**changes)))
        self.dealing = self.log = None
        with suppress(SealedError):
            self.dealing = Dealing(Sealing(self.sealing.body))
        self.tell_lobby(phase="playing")
        self.send([self.sealing])

    def sealing_body(self, **changes: object) -> SealingBody:
        seats = self.company.lobby.seats
        rows = [(seat.family, seat) for seat in seats]
        rows += [(seat.second, seat) for seat in seats if seat.second is not None]
        self.games += 1
        persons = []
        for at, seat in enumerate(seats):
            if seat.bot is None:
                own = tuple(
                    i
                    for i, (_, each) in enumerate(rows)
                    if each is seat or (seat.host and each.bot)
                )
                persons.append(Person(self.keys.pop(at), own))
        body = SealingBody(
            version=VERSION,
            rules=RULES,
            table=bytes(16),
            game=self.games,
            began=1_800_000_000,
            settings=tuple(sorted(to_builtins(self.company.settings).items())),
            seats=tuple(Seat(family, seat.name, seat.bot) for family, seat in rows),
            first=self.first,
            persons=tuple(persons),
            broken=self.broken,
        )
        return replace(body, **changes)

    def take(self, one: Someone, parcel: Parcel) -> None:
        dealing, log = self.dealing, self.log
        if dealing is None:
            return
        if log is None:
            was_sealed = dealing.is_sealed
            outcome = dealing.take(parcel)
            told = [parcel] if was_sealed else []
            if dealing.is_sealed and not was_sealed:
                told = [each for (kind, _), each in dealing.parcels.items() if kind == "seal"]
            if dealing.is_dealt:
                self.log = SealedLog(dealing)
        else:
            spent = len(log.spent) + len(log.late)
            outcome = log.take(parcel)
            told = [parcel]
            if len(log.spent) + len(log.late) > spent:
                outcome = TAKEN
            if outcome.code in ("gap", "other_branch"):
                self.tell_log(one)
        if outcome.proof is not None:
            told = [*told, outcome.proof]
        if outcome.status == "taken" or outcome.proof or self.colludes:
            self.send(told)

    def tell_log(self, one: Someone) -> None:
        if self.log is not None:
            gid, n, tip = self.log.sealing.gid, self.log.height, self.log.tip
            one.down.append(LogAt(gid=gid, n=n, tip=tip))

    def send(self, parcels: list[Parcel], people: "list[Someone] | None" = None) -> None:
        for one in self.company.people if people is None else people:
            if one.is_here and parcels:
                one.down.append(Sealed(tuple((each.body, each.signature) for each in parcels)))
