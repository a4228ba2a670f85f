"""Sealed games in a walk: every person has an interpreter, and votes about missing players."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, ClassVar, Final

from driflamme_tui.seat.seat_parts import Journey
from driflamme_tui.wings.sealed.seat_parts import SealedSeat
from engine.actions import Action, Eliminate
from engine.leaf_game import OPENING
from netcode.protocol.evening import Evening
from netcode.protocol.fields import TableNotice
from netcode.protocol.table_settings import SettingValue, TableSettings
from netcode.transport.running_clock import RunningClock
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.interpreter import Ask
from netcode.wings.sealed.news import VoteMissing, sealed_news
from netcode.wings.sealed.takeover.takeover_play import TakeoverPlay
from tests.e2e.walk.features import Feature
from tests.e2e.walk.people import Person, WalkError
from tests.wings.sealed.evenings.sealed_evening import BEGAN_S, Guesser, close_logs
from tests.wings.sealed.sealed_world import sealed_game
from tests.wings.sealed.swift_logs import SwiftLogs


class NoHome:
    """A machine that opens no takeover server, so the table cannot move there."""

    is_table = False
    is_resumed = False
    is_allowed: bool | None = False
    is_announced = True

    def __init__(self) -> None:
        self.added: Mapping[str, SettingValue] = {}

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
    """The sealed games of a person, with the walk's bots and secrets."""

    def __init__(self, person: Person, journey: Journey) -> None:
        super().__init__(journey)
        self._person = person

    @property
    def log(self) -> SealedLog | None:
        """The person's own log of the game; None before the deal is complete."""
        person = None if self.play is None else self.play.person
        return None if person is None else person.log

    def _make_play(self) -> TakeoverPlay:
        person = self._person
        walk, rng = person.walk, Random(person.rng.random())
        logs = SwiftLogs(walk.folder / f"{person.name}.db")
        session, connect = self._journey.player_seat.session, self._journey.connect
        self.play = TakeoverPlay(
            logs, session, connect, NoHome(), lambda: BEGAN_S + walk.loop.now, rng
        )
        return self.play

    def _make_ask(self, clock: RunningClock) -> Ask:
        return Guesser(Random(self._person.rng.random()), clock).think


class Sealed(Feature):
    """The sealed games of a table."""

    settings: ClassVar = {"sealed": True}

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.seats: Final[dict[str, WalkedSeat]] = {}
        """The seats of the programs that started last, by person."""
        self._voted: Final[dict[str, object]] = {}
        """The last vote of each person."""

    def changes(self, settings: TableSettings) -> Sequence[Mapping[str, Any]]:
        return [{"sealed": not settings.sealed}] * 5

    def remedy(self, code: str) -> Mapping[str, Any]:
        needs = ("too_few_persons", "doors_open", "bots_need_host", "too_many_broken")
        return {"sealed": False} if code in needs else {}

    @property
    def troubles(self) -> Sequence[Callable[[], None]]:
        return [self._eliminate_of_absent] * 3

    def seat_part(self, person: Person, journey: Journey) -> WalkedSeat:
        self.seats[person.name] = WalkedSeat(person, journey)
        return self.seats[person.name]

    def killed(self, person: Person) -> None:
        play = self.seats[person.name].play
        if play is not None:
            close_logs(play)

    def time_passed(self, person: Person) -> None:
        """Vote about a missing player, once for each request."""
        news = sealed_news(person.session)
        if news is None or not news.is_vote_wanted:
            self._voted.pop(person.name, None)
        elif self._voted.get(person.name) != news.vote_about:
            self._voted[person.name] = news.vote_about
            person.send(VoteMissing())

    @property
    def log(self) -> SealedLog | None:
        """The host's log of the game; None if the table plays no sealed game."""
        game = sealed_game(self.walk.table)
        return None if game is None else game.log

    @property
    def height(self) -> object:
        return None if self.log is None else self.log.height

    @property
    def turn(self) -> str | None:
        log = self.log
        return None if log is None or log.due is None else log.game.families[log.due.seat]

    def blur(self, person: Person) -> str | None:
        if sealed_game(self.walk.table) is None:
            return None
        log, mine, view = self.log, self.seats[person.name].log, person.session.view
        if log is None or mine is None or view is None:
            return "no log"
        if log.frozen or log.cheated:
            raise WalkError("somebody honest is said to have cheated")
        if mine.tip != log.tip or log.game.question == OPENING:
            return f"a log of {mine.height} steps, not {log.height}"
        if not view.over and (view.turn, view.question) != (log.game.turn, log.game.question):
            return "another question"
        return ""

    def _eliminate_of_absent(self) -> None:
        """Play until a player can eliminate a face-down card, and eliminate it without its owner.

        The owner leaves just before. At ordinary tables, and with fewer than three players, do
        nothing.
        """
        walk = self.walk
        if not walk.table.games.settings.sealed or len(walk.players) < 3:
            return
        for _ in range(60):
            walk.until(walk.asks_or_is_over, "nobody is asked")
            for person, action, owner in self._eliminations():
                walk.done.append(f"{person.name} eliminates a card of {owner.name}")
                walk.without(owner, 1, partial(person.answer, action))
                return
            if walk.table.games.phase != "playing":
                return
            walk.step()

    def _eliminations(self) -> Iterator[tuple[Person, Action, Person]]:
        """Yield each person who can eliminate a face-down card, with the answer and the owner."""
        players, persons = self.walk.players, self.walk.deciding
        # Prefer players by lines, because they see no other change meanwhile.
        is_any = any(person.by_lines for person in players)
        for person in (one for one in persons if one.by_lines or not is_any):
            view = person.session.view
            assert view is not None
            for action in view.legal:
                if isinstance(action, Eliminate):
                    seat, _, is_face_up, _, _ = view.queue[action.position - 1]
                    for owner in players:
                        is_theirs = owner is not person and owner.plays(view.families[seat])
                        if is_theirs and not is_face_up:
                            yield person, action, owner


WALK: Final = Sealed
