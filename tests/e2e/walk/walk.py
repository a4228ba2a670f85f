"""Walks at random through pairs of features: a real host and its guests' programs.

The loop, the network and the host's machine are the simulation's: no socket is opened, and equal
seeds give equal walks. Each person has the program's own `SeatSession`; some play through the JSON
mode. After each action everybody must see the host's table, and the deciding player must be able to
answer.
"""

import gc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Any, Final

import pytest
from msgspec.structs import replace

from driflamme_tui.plain import line_shell
from driflamme_tui.seat.targets import Join
from engine.cards import FAMILIES
from netcode.client import connection, reconnection
from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    AddBot,
    AnswerWish,
    AskSeat,
    BackToLobby,
    ChangeBot,
    ChangeSettings,
    ChooseFamily,
    EndGame,
    MoveSeat,
    Pause,
    Remove,
    SetReady,
    ShuffleSeats,
    Start,
)
from netcode.protocol.table_settings import TableSettings
from tests.e2e.walk.features import Feature, all_features
from tests.e2e.walk.people import AWAY_S, Deaf, Person, Program, WalkError, WalkHost
from tests.e2e.walk.sight import SLICE_S, Sight
from tests.netcode.simulation.clockwork import Clockwork
from tests.netcode.simulation.host import WatchedTable
from tests.netcode.simulation.network import Line, Network
from tests.netcode.simulation.witness import decode_host

NAMES: Final = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")


class Walk(Sight):
    """A table, its people, and their actions."""

    def __init__(
        self,
        seed: int,
        folder: Path,
        *,
        settings: Mapping[str, Any] | None = None,
        features: Sequence[type[Feature]] | None = None,
    ) -> None:
        """Prepare a walk; the seed decides everything that the arguments leave open.

        Args:
            seed: The seed of all choices.
            folder: The folder for the programs' files.
            settings: Settings of the table, besides those of a walk; None for random ones.
            features: The wings' features to walk through; None for all of them.
        """
        self.seed = seed
        rng = self.rng = Random(f"walk {seed}")
        self.folder = folder / f"walk {seed}"
        rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.done: list[str] = []
        """The actions so far, in order."""
        loop = Clockwork(Random(rng.random()))
        loop.alarm = self.fail
        self.witness = Deaf(loop, self.fail)
        self.network = Network(loop, Random(rng.random()))
        path = self.folder / "table.db"
        host = WalkHost(loop, self.network, self.witness, path, Random(rng.random()), others=None)
        super().__init__(loop, host)
        kinds = all_features() if features is None else features
        self.features = host.features = [build(self) for build in kinds]
        if settings is None:
            settings = {}
            for feature in self.features:
                if feature.settings and rng.random() < 0.3:
                    settings = feature.settings
        self.host.settings = TableSettings(pace_ms=0, think_ms=100, **settings)
        self.programs: dict[str, Program] = {}
        self._former: list[Person] = []

    def run(self, steps: int) -> None:
        """Do this many actions, and then play in a last game; compare all views after each action.

        An error gets a note with the seed and the actions so far.
        """
        gc.disable()
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(connection, "decode_host", decode_host)
                patch.setattr(reconnection, "Random", lambda: Random(self.rng.random()))
                patch.setattr(WatchedTable, "witness", self.witness, raising=False)
                patch.setattr(line_shell, "sit_down", self._sit_down)
                self._walk(steps)
        except Exception as error:
            error.add_note(f"walk of seed {self.seed}: {'; '.join(self.done)}")
            raise
        finally:
            self._clear_away()
            gc.enable()

    def fail(self, error: Exception) -> None:
        """Record the walk's first error, which ends the walk."""
        self.failure = self.failure or error

    def is_gone(self, person: Person) -> None:
        """Remove a person whose program has ended by itself, unless the walk has removed them."""
        if person in self.persons:
            self.persons.remove(person)
            self._former.append(person)

    def standing(self, person: Person) -> list[Line]:
        return self.network.standing(person.name)

    async def _sit_down(self, plan: Join, name: str, notify: object) -> Program:
        return self.programs[name]

    # Actions

    def _walk(self, steps: int) -> None:
        self.host.start()
        for _ in range(self.rng.choice((2, 2, 3, 4))):
            self._come()
        for _ in range(steps):
            if self.table.games.phase == "playing":
                self._in_game()
            else:
                self._between_games()
        # Return to the lobby: every state must lead back to an ordinary game.
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
            troubles = [trouble.__get__(self) for trouble in self._TROUBLES]
            for feature in self.features:
                troubles += feature.troubles
            self.rng.choice(troubles)()

    def _settings(self) -> None:
        """Change one setting of the table at random."""
        rng, settings = self.rng, self.table.games.settings
        families = [seat.family for seat in self.lobby.seats]
        changes: list[Mapping[str, Any]] = [
            {"two": not settings.two},
            {"edition": 3 - settings.edition},
            {"clock_s": rng.choice((0, 5, 30))},
            {"best_of": rng.choice((0, 3))},
            {"first": rng.choice(("random", *families))},
            {"pace_ms": rng.choice((0, 50))},
            {"latecomers": rng.choice(("ask", "sit", "watch"))},
        ]
        for feature in self.features:
            changes += feature.changes(settings)
        change = rng.choice(changes)
        self._do(f"{change}", ChangeSettings(replace(settings, **change)))

    def _seats(self) -> None:
        """Move a seat, or shuffle all."""
        seat = self.rng.choice(self.lobby.seats)
        wishes: list[Any] = [MoveSeat(family=seat.family, place=self.rng.randrange(5))]
        self._do("seats", self.rng.choice([*wishes, ShuffleSeats()]))

    def _bots(self) -> None:
        """Add a bot, or change or remove one."""
        bots = [seat.family for seat in self.lobby.seats if seat.bot is not None]
        wishes: list[Any] = [AddBot("random")]
        if bots:
            wishes += [Remove(bots[0]), ChangeBot(family=bots[0], bot="sharp")]
        self._do("bots", self.rng.choice(wishes))

    def _come(self, *, by_lines: bool | None = None, watches: bool | None = None) -> None:
        """Add a player or spectator, with a screen or line by line."""
        name = next((each for each in NAMES if each not in self.programs), None)
        if name is not None:
            chances = self.rng.random() < 0.5, self.rng.random() < 0.3 and len(self.persons) > 1
            by_lines = chances[0] if by_lines is None else by_lines
            watches = chances[1] if watches is None else watches
            self.done.append(f"{name} comes{' to watch' * watches}")
            self.persons.append(Person(self, name, by_lines=by_lines, watches=watches))
            self.settle()

    def _sit_down_at_last(self) -> None:
        """Let a spectator sit down, or a player change their family."""
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
        """Let a guest leave for good, if there are at least two."""
        guests = [one for one in self.there if one is not self.presider]
        if guests[1:]:
            person = self.rng.choice(guests)
            self.done.append(f"{person.name} leaves")
            person.go()
            self.settle()

    def _lose_line(self) -> None:
        """Break a person's connection, or make it silent."""
        person = self.rng.choice(self.there)
        self.done.append(f"{person.name} loses the line")
        for line in self.standing(person):
            self.rng.choice((line.cut, line.fall_silent))()
        self.settle()

    def _begin_program_anew(self) -> None:
        person = self.rng.choice(self.there)
        self.done.append(f"{person.name} starts anew")
        person.kill()
        self.rest(1.0)
        person.start()
        self.settle()

    def _begin_host_anew(self) -> None:
        """Restart the host's program in a way that wings choose."""
        ways = [feature.prepare_restart() for feature in self.features]
        self.done.append(" ".join(["the host starts anew", *filter(None, ways)]))
        self.host.crash(silently=self.rng.random() < 0.3)
        self.rest(1.0)
        self.host.start()
        self.settle()

    def _pause(self) -> None:
        for paused in (True, False):
            self._do("pause" if paused else "resume", Pause(paused))

    def _take_bots_seat(self) -> None:
        """Let a spectator ask for a bot's seat, and the host answer, if a game is under way."""
        if not any(one.seat is None for one in self.there):
            self._come(watches=True)
        watching = [one for one in self.there if one.seat is None]
        bots = [seat for seat in self.lobby.seats if seat.bot is not None]
        if not watching or not bots or self.table.games.phase != "playing":
            return
        person, seat = self.rng.choice(watching), self.rng.choice(bots)
        self._do(f"{person.name} wants {seat.family}", AskSeat(seat.family), person)
        latecomers = self.table.games.settings.latecomers
        is_granted = latecomers == "sit" and not self.table.games.settings.sealed
        for wish in self.lobby.wishes:
            granted = is_granted = self.rng.random() < 0.7
            answer = AnswerWish(name=wish.name, family=wish.family, granted=granted)
            self._do("yes" if granted else "no", answer)
        if self.lobby.phase == "playing" and (person.seat is not None) != is_granted:
            raise WalkError(f"{person.name} has {person.seat}, and the answer was {is_granted}")

    def _go_away(self) -> None:
        """In a game with at least three persons, let a person be away for some steps."""
        others = [one for one in self.players if one is not self.presider]
        if self.table.games.phase == "playing" and len(self.players) > 2:
            person = self.rng.choice(others)
            self.without(person, self.rng.randrange(1, 4))

    _LOBBY: Final = (
        (_settings, 8),
        (_bots, 3),
        (_seats, 2),
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
        _come,
        _take_bots_seat,
        _take_bots_seat,
    )

    def _do(self, what: str, message: Message, person: Person | None = None) -> None:
        """Send a person's message, by default the host's, and check all views."""
        self.done.append(what)
        (person or self.presider).send(message)
        self.rest(SLICE_S)
        self.settle()

    # Games

    def _to_lobby(self) -> None:
        phase = self.table.games.phase
        if phase != "lobby":
            self._do("back", EndGame() if phase == "playing" else BackToLobby())
            self.until(
                lambda: self.table.games.phase == "lobby", "there is no way back to the lobby"
            )

    def _begin(self) -> None:
        """Start a game, after removing the reasons against one."""
        missing = None
        for _ in range(30):
            self.rest(SLICE_S)
            self.settle()
            missing = self.lobby.missing
            if self.table.games.phase == "playing":
                break
            match None if missing is None else missing.code:
                case None:
                    self._do("start", Start())
                case "too_few" if self.table.games.phase == "lobby":
                    self._do("a bot", AddBot("random"))
                case "first_not_seated":
                    self._do(
                        "any first",
                        ChangeSettings(replace(self.table.games.settings, first="random")),
                    )
                case "not_ready":
                    for person in self.there:
                        if person.seat and not person.seat.ready and person is not self.presider:
                            self._do(f"{person.name} ready", SetReady(True), person)
                case code:
                    self._remedy(code)
        self.until(lambda: self.table.games.phase == "playing", f"no game can be begun: {missing}")
        self.settle()

    def _remedy(self, code: str) -> None:
        """Let a wing remove a reason against a game, or wait."""
        changes: dict[str, Any] = {}
        for feature in self.features:
            changes |= feature.remedy(code)
        if not changes:
            self.rest(5.0)
        self._to_lobby()
        if changes:
            self._do(f"{changes}", ChangeSettings(replace(self.table.games.settings, **changes)))

    def _play(self, steps: int) -> None:
        """Play this many steps, or to the game's end."""
        self.done.append(f"{steps} steps")
        for _ in range(steps):
            self.settle()
            if self.table.games.phase != "playing":
                break
            self.step()
        self.settle()

    def step(self) -> None:
        """Let the deciding player answer, and check that the game continues."""
        before = self.height
        askers = self.deciding
        if askers:
            askers[0].answer()
        self.until(lambda: self.height != before, "the game does not go on")

    def without(
        self, person: Person, steps: int, first: Callable[[], object] = lambda: None
    ) -> None:
        """Kill a person's program, call `first`, play some steps, and start the program again."""
        self.done.append(f"{person.name} is gone")
        person.kill()
        first()
        self.rest(SLICE_S)
        for _ in range(steps):
            self.until(self.asks_or_is_over, "nobody is asked")
            if self.table.games.phase == "playing":
                self.step()
        self.rest(self.rng.choice((0.0, AWAY_S)))
        person.start()
        self.settle()

    def asks_or_is_over(self) -> bool:
        """Return True if all views are current, or no game is under way."""
        return self.blur(len(self.there)) == "" or self.table.games.phase != "playing"

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
