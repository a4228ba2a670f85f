"""A walk at random through pairs of features: a real host and the programs of those who come.

The loop, the network and the host's machine are the simulation's, so no socket is opened, and equal
seeds give equal walks. Each person has the program's own `SeatSession`; some of them play through
the shell for programs, a JSON object a line. After each thing that is done, everybody is to see the
table as the host has it, and whoever is asked is to be able to answer.
"""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from driflamme_tui.plain import line_shell
from driflamme_tui.plain.json_player import JsonPlayer
from driflamme_tui.seat.seat_parts import Journey
from driflamme_tui.seat.seat_session import SeatSession
from driflamme_tui.seat.targets import Join
from driflamme_tui.wings.sealed.seat_parts import SealedSeat
from engine.actions import Action, Eliminate
from engine.cards import FAMILIES
from engine.leaves import OPENING
from netcode.client import connection, reconnection
from netcode.client.connectors import Plain
from netcode.client.reconnection import News
from netcode.client.session import Session
from netcode.protocol.evening import Evening
from netcode.protocol.fields import Message, TableNotice
from netcode.protocol.messages import (
    Act,
    AddBot,
    BackToLobby,
    ChangeBot,
    ChangeSettings,
    ChooseFamily,
    EndGame,
    Lobby,
    Pause,
    Refused,
    Remove,
    SeatInfo,
    SetReady,
    Start,
    Welcome,
)
from netcode.protocol.refusal_sentences import UNKNOWN_KEY
from netcode.protocol.table_settings import TableSettings
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry
from netcode.storage.journal import Journal
from netcode.storage.store import Store
from netcode.table.table import Table
from netcode.transport.address import Address
from netcode.transport.channel import Channel
from netcode.transport.running_clock import RunningClock
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.interpreter import Ask
from netcode.wings.sealed.news import VoteMissing, sealed_news
from netcode.wings.sealed.takeover.takeover_play import TakeoverPlay
from tests.netcode.simulation.clockwork import Clockwork, Process
from tests.netcode.simulation.host import SECRET, Host, WatchedTable
from tests.netcode.simulation.network import DISTANT, Line, Network
from tests.netcode.simulation.witness import Witness, decode_host
from tests.wings.sealed.evenings.sealed_evening import BEGAN_S, Guesser, close_logs
from tests.wings.sealed.sealed_world import sealed_game
from tests.wings.sealed.swift_logs import SwiftLogs

NAMES: Final = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")

JOIN: Final = Join(Plain(Address("127.0.0.1")))
"""What is planned: the way there is the walk's."""

SLICE_S: Final = 0.2
"""Pretend seconds between two looks at what everybody sees."""

PATIENCE_S: Final = 150.0
"""Pretend seconds after which what has not come never will: more than all votes in a row take."""

AWAY_S: Final = 40.0
"""For how long somebody is gone for whom others do not wait."""


class WalkError(AssertionError):
    """Something at the table is not as it should be."""


class Deaf(Witness):
    """Judges nothing: what each frame may say is the simulation's to find out."""

    def told(self, line: Line, frame: bytes) -> None:
        pass

    def heard(self, line: Line, frame: bytes) -> None:
        pass

    def resumed(self, kept: object, table: Table) -> None:
        pass


class WalkHost(Host):
    """The host's machine, which may be started anew with doors or without."""

    has_doors = False

    def _only_table(self, store: Store, journal: Journal, rng: Random) -> Server:
        server = super()._only_table(store, journal, rng)
        if self.has_doors:
            self.table.allow_local_guests()
        return server

    @property
    def table(self) -> Table:
        entry: TableEntry | None = self._registry.only_entry
        assert entry is not None
        assert entry.table is not None
        return entry.table


class NoHome:
    """A machine that relays nothing: the table stays where it is."""

    is_table = False
    is_resumed = False
    is_allowed: bool | None = False
    is_announced = True

    def allows(self, towards: str) -> bool:
        return False

    def is_on_loopback(self, towards: str) -> bool:
        return False

    async def open(self, towards: str) -> None:
        return None

    def take_notice(self, notice: TableNotice, towards: str) -> None: ...

    def recall(self, key: bytes) -> list[Parcel]:
        return []

    def remember(self, key: bytes, parcels: list[Parcel], evening: Evening | None) -> None:
        pass


class WalkedSeat(SealedSeat):
    """The sealed games of a person, whose bots and secrets are the walk's."""

    def __init__(self, person: "Person", journey: Journey) -> None:
        super().__init__(journey)
        self._person = person

    def _make_play(self) -> TakeoverPlay:
        person = self._person
        walk, rng = person.walk, Random(person.rng.random())
        logs = SwiftLogs(walk.folder / f"{person.name}.db")
        session, connect = self._journey.sitting.session, self._journey.connect
        self.play = TakeoverPlay(
            logs, session, connect, NoHome(), lambda: BEGAN_S + walk.loop.now, rng
        )
        return self.play

    def _make_ask(self, clock: RunningClock) -> Ask:
        return Guesser(Random(self._person.rng.random()), clock).think


class Program(SeatSession):
    """A person's program, whose bots and secrets are the walk's."""

    def __init__(self, person: "Person") -> None:
        session = Session(secret=SECRET)
        session.key = person.key
        super().__init__(person.name, session, person.connect, watch=person.watches)
        self._person = person
        self.sealed = WalkedSeat(person, Journey(self, person.connect, None))
        self._add(self.sealed)

    def _receive(self, news: News) -> None:
        super()._receive(news)
        if isinstance(news, Welcome):
            self._person.key = news.key
        elif isinstance(news, Refused) and self.session.lobby is None:
            self._person.is_turned_away(news.code)

    def die(self) -> None:
        """Be killed: the system closes its files, and that is all."""
        if self.sealed.play is not None:
            close_logs(self.sealed.play)


class Person:
    """Somebody with a program, which may be killed, and with the key to a seat on the disk."""

    def __init__(self, walk: "Walk", name: str, *, by_lines: bool, watches: bool) -> None:
        self.walk, self.name, self.by_lines, self.watches = walk, name, by_lines, watches
        self.rng = Random(f"{walk.seed} {name}")
        self.key: bytes | None = None
        self.process: Process | None = None
        self.dead: list[Process] = []
        self.voted: object = None
        """About what they have been asked to vote last, and did."""
        self.start()

    @property
    def session(self) -> Session:
        return self.program.session

    @property
    def is_there(self) -> bool:
        """Whether their program runs, and has been told of the table on a line that stands."""
        return (
            self.process is not None
            and self.program.connected
            and self.session.lobby is not None
            and any(
                line.client.process is self.process and line.host.process is self.walk.host.process
                for line in self.walk.standing(self)
                if not line.host.closed and line.up.lost_from == line.down.lost_from == DISTANT
            )
        )

    @property
    def seat(self) -> SeatInfo | None:
        lobby = self.session.lobby
        return None if lobby is None else lobby.own_seat

    def start(self) -> None:
        if self.process is not None:
            return
        self.process = Process(self.name, self.walk.loop, self.rng.random() * 1e6)
        self.typed: asyncio.Queue[str] = asyncio.Queue()
        self.written: list[str] = []
        self.program = Program(self)
        self.walk.programs[self.name] = self.program
        self.process.start(self._run)

    def kill(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            self.dead.append(process)
            self.program.die()
            for line in self.walk.standing(self):
                if line.client.process is process:
                    line.break_off(line.client)

    def say(self, message: Message) -> None:
        """Say something as their program has it said."""
        assert self.process is not None
        if self.by_lines:
            line = msgspec.json.encode(message).decode()
            if isinstance(message, Act):
                line = msgspec.json.encode({"type": "act", "action": message.action}).decode()
            self.process.call(self.typed.put_nowait, line)
        else:
            self.process.call(self.program.say, message)

    def plays(self, family: str) -> bool:
        """Whether a family is theirs in the game of the view, or at the table."""
        seat = self.seat
        return seat is not None and family in (seat.family, seat.second)

    def vote(self) -> None:
        """Vote about whoever is missed, once asked to."""
        news = sealed_news(self.session)
        if news is None or not news.is_vote_wanted:
            self.voted = None
        elif self.voted != news.vote_about:
            self.voted = news.vote_about
            self.say(VoteMissing())

    def answer(self, action: Action | None = None) -> None:
        """Answer the question they are asked, by chance unless it is said how."""
        assert self.session.view is not None
        action = action or self.rng.choice(self.session.view.legal)
        if self.by_lines:
            self.say(Act(number=1, revision=self.session.revision, action=action.token))
        else:
            self.say(self.session.act(action))

    def go(self) -> None:
        """Leave the table for good."""
        if self.by_lines:
            assert self.process is not None
            self.process.call(self.typed.put_nowait, '{"type":"leave"}')
        elif self.process is not None:
            self.process.start(lambda: self.program.leave(leaves=True))

    async def connect(self) -> Channel:
        assert self.process is not None
        return await self.walk.network.connect(self.name, self.process)

    def is_turned_away(self, code: str) -> None:
        """Come again a little later, to watch if there is no seat for them."""
        if code in ("game_under_way", "table_full"):
            self.watches = True
        if code != UNKNOWN_KEY:
            self.walk.loop.later(0.0, self.kill)
            self.walk.loop.later(AWAY_S, self.start)

    async def _run(self) -> None:
        try:
            if self.by_lines:
                ended = await line_shell.play_lines(
                    JOIN, self.name, JsonPlayer, self._lines(), self.written.append
                )
                if ended and self.session.lobby is not None:
                    raise WalkError(f"{self.name} is told: {ended}")
            else:
                await self.program.stay(lambda _news: None)
                await self.program.close()
            self.walk.is_gone(self)
        except Exception as error:
            self.walk.fail(error)

    async def _lines(self) -> AsyncIterator[str]:
        while True:
            yield await self.typed.get()


class Walk:
    """A table, those who come to it, and what is done there."""

    def __init__(self, seed: int, folder: Path, *, sealed: bool | None = None) -> None:
        """Begin with two persons or more; the seed decides everything that is not said."""
        self.seed = seed
        rng = self.rng = Random(f"walk {seed}")
        self.folder = folder / f"walk {seed}"
        rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.failure: Exception | None = None
        self.done: list[str] = []
        """What was done, in order."""
        self.loop = Clockwork(Random(rng.random()))
        self.loop.alarm = self.fail
        witness = Deaf(self.loop, self.fail)
        self.network = Network(self.loop, Random(rng.random()))
        self.host = WalkHost(
            self.loop,
            self.network,
            witness,
            self.folder / "table.db",
            Random(rng.random()),
            others=None,
        )
        chance = rng.random() < 0.3
        sealed = chance if sealed is None else sealed
        self.host.settings = TableSettings(pace_ms=0, think_ms=100, sealed=sealed)
        self.persons: list[Person] = []
        self.programs: dict[str, Program] = {}
        self._former: list[Person] = []
        self._witness = witness

    def run(self, steps: int) -> None:
        """Do so many things, each followed by a look at what everybody sees."""
        gc.disable()
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(connection, "decode_host", decode_host)
                patch.setattr(reconnection, "Random", lambda: Random(self.rng.random()))
                patch.setattr(WatchedTable, "witness", self._witness, raising=False)
                patch.setattr(line_shell, "sit_down", self._sit_down)
                self._walk(steps)
        except Exception as error:
            error.add_note(f"walk of seed {self.seed}: {'; '.join(self.done)}")
            raise
        finally:
            self._clear_away()
            gc.enable()

    def fail(self, error: Exception) -> None:
        """End the walk with what must not be."""
        self.failure = self.failure or error

    def is_gone(self, person: Person) -> None:
        """Do without somebody whose program has ended by itself."""
        if person in self.persons:
            self.persons.remove(person)
            self._former.append(person)

    def standing(self, person: Person) -> list[Line]:
        return self.network.standing(person.name)

    async def _sit_down(self, plan: Join, name: str, notify: object) -> Program:
        return self.programs[name]

    # What is done

    def _walk(self, steps: int) -> None:
        self.host.start()
        for _ in range(self.rng.choice((2, 2, 3, 4))):
            self._come()
        for _ in range(steps):
            if self.table.games.phase == "playing":
                self._in_game()
            else:
                self._between_games()
        # No state is impossible to leave: from here too an ordinary game can be played.
        self._to_lobby()
        self._do("at last", ChangeSettings(TableSettings(pace_ms=0)))
        self._begin()
        self._play(5)

    def _between_games(self) -> None:
        if self.table.games.phase == "result":
            self.rng.choice((self._to_lobby, self._begin))()
            return
        for _ in range(self.rng.randrange(1, 5)):
            self.rng.choices(*zip(*self._LOBBY, strict=True))[0](self)
        self._begin()

    def _in_game(self) -> None:
        choice = self.rng.random()
        if choice < 0.2:
            self._to_lobby()
        elif choice < 0.5:
            self._play(200)
        else:
            self._play(self.rng.randrange(1, 12))
            self.rng.choice(self._TROUBLES)(self)

    def _settings(self) -> None:
        """Change one of the settings, most often whether the table is sealed."""
        rng, settings = self.rng, self.table.games.settings
        families = [seat.family for seat in self.presider.session.lobby.seats]  # type: ignore[union-attr]
        changes: list[dict[str, Any]] = [
            *[{"sealed": not settings.sealed}] * 5,
            {"two": not settings.two},
            {"edition": 3 - settings.edition},
            {"clock_s": rng.choice((0, 5, 30))},
            {"best_of": rng.choice((0, 3))},
            {"first": rng.choice(("random", *families))},
            {"pace_ms": rng.choice((0, 50))},
        ]
        change = rng.choice(changes)
        self._do(f"{change}", ChangeSettings(replace(settings, **change)))

    def _bots(self) -> None:
        """Add a bot, or change or remove one."""
        bots = [seat.family for seat in self.lobby.seats if seat.bot is not None]
        wishes: list[Any] = [AddBot("random")]
        if bots:
            wishes += [Remove(bots[0]), ChangeBot(family=bots[0], bot="sharp")]
        self._do("bots", self.rng.choice(wishes))

    def _come(self, *, by_lines: bool | None = None, watches: bool | None = None) -> None:
        """Have somebody come, to play or to watch, with a screen or line by line."""
        name = next((each for each in NAMES if each not in self.programs), None)
        if name is not None:
            chances = self.rng.random() < 0.5, self.rng.random() < 0.3 and len(self.persons) > 1
            by_lines = chances[0] if by_lines is None else by_lines
            watches = chances[1] if watches is None else watches
            self.done.append(f"{name} comes{' to watch' * watches}")
            self.persons.append(Person(self, name, by_lines=by_lines, watches=watches))
            self._settle()

    def _sit_down_at_last(self) -> None:
        """Have a spectator sit down, or somebody take another family."""
        taken = {family for seat in self.lobby.seats for family in (seat.family, seat.second)}
        free = [family for family in FAMILIES if family not in taken]
        if free:
            wish = ChooseFamily(self.rng.choice(free))  # type: ignore[arg-type]
            person = self.rng.choice(sorted(self.there, key=lambda one: one.seat is not None)[:2])
            self._do(f"{person.name} takes {wish.family}", wish, person)

    def _ready(self) -> None:
        person = self.rng.choice(self.there)
        self._do(f"{person.name} (un)ready", SetReady(self.rng.random() < 0.7), person)

    def _count(self) -> None:
        self._do("count", Start(count_s=3))

    def _leave(self) -> None:
        """Have somebody leave for good, or the host send a player away."""
        guests = [one for one in self.there if one is not self.presider]
        if guests[1:]:
            person = self.rng.choice(guests)
            self.done.append(f"{person.name} leaves")
            person.go()
            self._settle()

    def _lose_line(self) -> None:
        """Have somebody's line break, or fall silent."""
        person = self.rng.choice(self.there)
        self.done.append(f"{person.name} loses the line")
        for line in self.standing(person):
            self.rng.choice((line.cut, line.fall_silent))()
        self._settle()

    def _begin_program_anew(self) -> None:
        person = self.rng.choice(self.there)
        self.done.append(f"{person.name} starts anew")
        person.kill()
        self._rest(1.0)
        person.start()
        self._settle()

    def _begin_host_anew(self) -> None:
        """Kill the host's program and start it again, with doors or without."""
        if self.table.games.phase == "lobby":
            self.host.has_doors = self.rng.random() < 0.3
        self.done.append("the host starts anew" + " with doors" * self.host.has_doors)
        self.host.crash(silently=self.rng.random() < 0.3)
        self._rest(1.0)
        self.host.start()
        self._settle()

    def _pause(self) -> None:
        for paused in (True, False):
            self._do("pause" if paused else "go on", Pause(paused))

    def _go_away(self) -> None:
        """Have somebody be gone for some steps of the game, and come back."""
        others = [one for one in self.players if one is not self.presider]
        if self.table.games.phase == "playing" and len(self.players) > 2:
            person = self.rng.choice(others)
            self._without(person, self.rng.randrange(1, 4))

    def _strike_who_is_gone(self) -> None:
        """Play until a face-down card can be struck, and strike it when its owner has just gone."""
        if not self.table.games.settings.sealed or len(self.players) < 3:
            return
        for _ in range(60):
            self._until(self._asks_or_is_over, "nobody is asked")
            for striker, action, owner in self._strikes():
                self.done.append(f"{striker.name} strikes a card of {owner.name}")
                self._without(owner, 1, partial(striker.answer, action))
                return
            if self.table.games.phase != "playing":
                return
            self._step()

    def _strikes(self) -> Iterator[tuple[Person, Action, Person]]:
        """Yield who can now strike a face-down card, by what answer, and whose it is."""
        # Whoever plays line by line is shown nothing else meanwhile.
        is_any = any(person.by_lines for person in self.players)
        for striker in (person for person in self.asked if person.by_lines or not is_any):
            view = striker.session.view
            assert view is not None
            for action in view.legal:
                if isinstance(action, Eliminate):
                    seat, _, is_face_up, _, _ = view.queue[action.position - 1]
                    for owner in self.players:
                        is_theirs = owner is not striker and owner.plays(view.families[seat])
                        if is_theirs and not is_face_up:
                            yield striker, action, owner

    _LOBBY: Final = (
        (_settings, 8),
        (_bots, 3),
        (_come, 4),
        (_sit_down_at_last, 2),
        (_ready, 2),
        (_count, 1),
        (_leave, 1),
        (_lose_line, 1),
        (_begin_program_anew, 1),
        (_begin_host_anew, 1),
    )
    _TROUBLES: Final = (
        _lose_line,
        _begin_program_anew,
        _begin_host_anew,
        _pause,
        _go_away,
        *[_strike_who_is_gone] * 3,
        _come,
    )

    def _do(self, what: str, message: Message, person: Person | None = None) -> None:
        """Have somebody say something, the host if nobody else; see that all see what follows."""
        self.done.append(what)
        (person or self.presider).say(message)
        self._rest(SLICE_S)
        self._settle()

    # Games

    def _to_lobby(self) -> None:
        phase = self.table.games.phase
        if phase != "lobby":
            self._do("back", EndGame() if phase == "playing" else BackToLobby())
            self._until(
                lambda: self.table.games.phase == "lobby", "there is no way back to the lobby"
            )

    def _begin(self) -> None:
        """Begin a game, by doing what is missing for one as a host is told it."""
        missing = None
        for _ in range(30):
            self._rest(SLICE_S)
            self._settle()
            missing = self.lobby.missing
            if self.table.games.phase == "playing":
                break
            match None if missing is None else missing.code:
                case None:
                    self._do("start", Start())
                case "too_few" if self.table.games.phase == "lobby":
                    self._do("a bot", AddBot("random"))
                case "too_few_persons" | "doors_open" | "bots_need_host" | "too_many_broken":
                    self._to_lobby()
                    settings = replace(self.table.games.settings, sealed=False)
                    self._do("not sealed", ChangeSettings(settings))
                case "first_not_seated":
                    self._do(
                        "any first",
                        ChangeSettings(replace(self.table.games.settings, first="random")),
                    )
                case "not_ready":
                    for person in self.there:
                        if person.seat and not person.seat.ready and person is not self.presider:
                            self._do(f"{person.name} ready", SetReady(True), person)
                case _:
                    self._rest(5.0)
                    self._to_lobby()
        self._until(lambda: self.table.games.phase == "playing", f"no game can be begun: {missing}")
        self._settle()

    def _play(self, steps: int) -> None:
        """Go on with the game for so many steps, or to its end."""
        self.done.append(f"{steps} steps")
        for _ in range(steps):
            self._settle()
            if self.table.games.phase != "playing":
                break
            self._step()
        self._settle()

    def _step(self) -> None:
        """Have whoever is asked answer, and see that the game goes on."""
        before = self._height
        asked = self.asked
        if asked:
            asked[0].answer()
        self._until(lambda: self._height != before, "the game does not go on")

    def _without(
        self, person: Person, steps: int, first: Callable[[], object] = lambda: None
    ) -> None:
        """Go on for some steps without somebody."""
        self.done.append(f"{person.name} is gone")
        person.kill()
        first()
        self._rest(SLICE_S)
        for _ in range(steps):
            self._until(self._asks_or_is_over, "nobody is asked")
            if self.table.games.phase == "playing":
                self._step()
        self._rest(self.rng.choice((0.0, AWAY_S)))
        person.start()
        self._settle()

    def _asks_or_is_over(self) -> bool:
        """Whether the game asks for a choice, of whoever, or is over."""
        return self._blur(len(self.there)) == "" or self.table.games.phase != "playing"

    # What is seen

    @property
    def table(self) -> Table:
        return self.host.table

    @property
    def lobby(self) -> Lobby:
        lobby = self.presider.session.lobby
        assert lobby is not None
        return lobby

    @property
    def there(self) -> list[Person]:
        """Those whose programs run and have a line."""
        return [person for person in self.persons if person.is_there]

    @property
    def players(self) -> list[Person]:
        """Those of them who have a seat."""
        return [person for person in self.there if person.seat is not None]

    @property
    def presider(self) -> Person:
        """The host."""
        found = next((one for one in self.there if one.session.is_host), None)
        if found is None:
            raise WalkError("nobody is the host")
        return found

    @property
    def asked(self) -> list[Person]:
        """Those who are asked, and have not answered yet."""
        return [
            person
            for person in self.there
            if person.session.view is not None
            and person.session.view.legal
            and person.session.pending is None
        ]

    @property
    def _height(self) -> object:
        """What changes whenever the game goes on."""
        games = self.table.games
        game = sealed_game(self.table)
        log = None if game is None else game.log
        return games.begun, games.revision, log and log.height, games.phase

    def _blur(self, at_least: int) -> str:
        """Return what somebody does not see as it is; empty if all do."""
        if len(self.there) < at_least:
            return "somebody is not there"
        for person in self.there:
            blur = self._blur_of(person.session, person)
            if blur:
                return f"{person.name}: {blur}"
        games, game = self.table.games, sealed_game(self.table)
        turn = None
        if games.phase == "playing" and not games.paused:
            if games.play is not None and games.play.turn is not None:
                turn = games.play.families[games.play.turn]
            elif game is not None and game.log is not None:
                log = game.log
                turn = None if log.due is None else log.game.families[log.due.seat]
        for person in self.there:
            view = person.session.view
            if turn is not None and person.plays(turn) and not (view and view.legal):
                return f"{person.name} is asked, and cannot answer"
        return ""

    def _blur_of(self, session: Session, person: Person) -> str:
        games, lobby, view = self.table.games, session.lobby, session.view
        assert lobby is not None
        seats = [(seat.family, seat.name, seat.bot) for seat in self.table.participants.seats]
        if [(seat.family, seat.name, seat.bot) for seat in lobby.seats] != seats:
            return f"other seats: {lobby.seats}"
        if (lobby.phase, lobby.settings) != (games.phase, games.settings):
            return f"{lobby.phase} with {lobby.settings}"
        if session.pending is not None:
            return "an answer is pending"
        if games.phase == "lobby":
            return "" if view is None else "a game in the lobby"
        if view is None:
            return f"no game, in the phase {games.phase}"
        if view.over != (games.phase == "result"):
            return "over" if view.over else "not over"
        if view.over and session.record is None:
            return "no record"
        relayed = sealed_game(self.table)
        if relayed is None and games.play is not None:
            events = games.play.events_for(None)
            if (session.revision, len(session.events)) != (games.revision, len(events)):
                return f"revision {session.revision}, not {games.revision}"
            return ""
        log = None if relayed is None else relayed.log
        play = person.program.sealed.play
        mine = None if play is None else play.person
        if log is None or mine is None or mine.log is None:
            return "no log"
        if log.frozen or log.cheated:
            raise WalkError("somebody honest is said to have cheated")
        if mine.log.tip != log.tip or log.game.asked == OPENING:
            return f"a log of {mine.log.height} steps, not {log.height}"
        if not view.over and (view.turn, view.asked) != (log.game.turn, log.game.asked):
            return "another question"
        return ""

    def _settle(self) -> None:
        """Wait until all who are not gone see the table as it is."""
        self._until(
            lambda: not self._blur(sum(person.process is not None for person in self.persons)),
            "not everybody sees the table as it is",
        )

    def _until(self, happens: Callable[[], bool], otherwise: str) -> None:
        """Let time pass until something has happened; raises WalkError if it never does."""
        until = self.loop.now + PATIENCE_S
        while not happens():
            if self.loop.now > until:
                raise WalkError(f"{otherwise} ({self._blur(len(self.persons))})")
            self._rest(SLICE_S)
            for person in self.there:
                person.vote()

    def _rest(self, seconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))
        if self.failure is not None:
            raise self.failure

    def _clear_away(self) -> None:
        self.host.crash(silently=False)
        dead = [*self.host.buried]
        for person in (*self.persons, *self._former):
            person.kill()
            dead += person.dead
        for process in dead:
            process.bury()
        self.loop.wait_for_the_dead(dead)
        self.loop.close()
