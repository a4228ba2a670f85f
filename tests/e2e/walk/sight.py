"""Compares the views of everybody at a walk's table with the host's table."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from netcode.client.session import Session
from netcode.protocol.messages import Lobby
from netcode.table.table import Table
from tests.e2e.walk.features import Feature
from tests.e2e.walk.people import Person, WalkError, WalkHost
from tests.netcode.simulation.clockwork import Clockwork

SLICE_S: Final = 0.2
"""Simulated seconds between two comparisons."""

PATIENCE_S: Final = 150.0
"""Simulated seconds after which a missing change counts as lost: more than all votes take."""


class Sight:
    """A table and its people, as each of them sees it."""

    def __init__(self, loop: Clockwork, host: WalkHost) -> None:
        self.loop, self.host = loop, host
        self.persons: list[Person] = []
        self.features: Sequence[Feature] = ()
        self.failure: Exception | None = None

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
        """The people with a running program and a connection."""
        return [person for person in self.persons if person.is_there]

    @property
    def players(self) -> list[Person]:
        """The people in `there` who have a seat."""
        return [person for person in self.there if person.seat is not None]

    @property
    def presider(self) -> Person:
        """The person who is the host; raises WalkError without one."""
        found = next((one for one in self.there if one.session.is_host), None)
        if found is None:
            raise WalkError("nobody is the host")
        return found

    @property
    def deciding(self) -> list[Person]:
        """The people who must decide and have not answered yet."""
        return [
            person
            for person in self.there
            if person.session.view is not None
            and person.session.view.legal
            and person.session.pending is None
        ]

    @property
    def height(self) -> object:
        """A value that changes with every step of the game."""
        games = self.table.games
        of_features = tuple(feature.height for feature in self.features)
        return games.begun, games.revision, of_features, games.phase

    def blur(self, at_least: int) -> str:
        """Return a note on the first outdated view; "" if all views are current.

        Fewer than `at_least` present people count as outdated too.
        """
        if len(self.there) < at_least:
            return "somebody is not there"
        for person in self.there:
            blur = self._blur_of(person.session, person)
            if blur:
                return f"{person.name}: {blur}"
        turn = self._turn()
        for person in self.there:
            view = person.session.view
            if turn is not None and person.plays(turn) and not (view and view.legal):
                return f"{person.name} is asked, and cannot answer"
        return ""

    def _turn(self) -> str | None:
        """Return the deciding family; None while no player must decide."""
        games = self.table.games
        if games.phase != "playing" or games.paused:
            return None
        if games.play is not None and games.play.turn is not None:
            return games.play.families[games.play.turn]
        turns = [feature.turn for feature in self.features]
        return next((turn for turn in turns if turn is not None), None)

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
        for feature in self.features:
            blur = feature.blur(person)
            if blur is not None:
                return blur
        if games.play is None:
            return "no game at the table"
        events = games.play.events_for(None)
        if (session.revision, len(session.events)) != (games.revision, len(events)):
            return f"revision {session.revision}, not {games.revision}"
        return ""

    def settle(self) -> None:
        """Let time pass until everybody present sees the host's table.

        Raises WalkError after `PATIENCE_S`.
        """
        self.until(
            lambda: not self.blur(sum(person.process is not None for person in self.persons)),
            "not everybody sees the table as it is",
        )

    def until(self, happens: Callable[[], bool], otherwise: str) -> None:
        """Let time pass until a condition is true; raises WalkError after `PATIENCE_S`."""
        until = self.loop.now + PATIENCE_S
        while not happens():
            if self.loop.now > until:
                raise WalkError(f"{otherwise} ({self.blur(len(self.persons))})")
            self.rest(SLICE_S)
            for feature in self.features:
                for person in self.there:
                    feature.time_passed(person)

    def rest(self, seconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))
        if self.failure is not None:
            raise self.failure
