"""A game at a table, with all its cards, and the messages for each receiver.

Hidden cards exist only here, in the stored state and in the record. Receivers get only views,
events and refusals that were projected for them.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from engine.actions import ACTIONS, Action
from engine.cards import Seat as SeatIndex
from engine.events import Event, RoundBegan
from engine.game import Deal, Game
from engine.legal import IllegalAction
from engine.ranking import owners
from engine.record import Holder, Record, RecordedPlayer
from engine.views import View, Viewer, owner_parts, project, public_parts, view
from netcode.protocol.fields import FamilyLetter, letters_of
from netcode.protocol.messages import GameRecord, State
from netcode.protocol.refusal_sentences import RULES_NAMESPACE
from netcode.protocol.table_settings import TableSettings
from netcode.protocol.wire_views import WireView
from netcode.table.errors import NotAllowedError
from netcode.table.play import Play, Saved

if TYPE_CHECKING:
    from netcode.table.finished_game import Ending


class LiveGame(Play):
    """A running or finished game with all its cards."""

    def __init__(
        self,
        number: int,
        deal: Deal,
        settings: TableSettings,
        players: tuple[RecordedPlayer, ...] = (),
        began: int | None = None,
    ) -> None:
        """Begin the game of a deal.

        `players` are in seat order, and empty if they are unknown. `began` is the Unix time of the
        deal; None if it is unknown.
        """
        self.number = number
        self.actions: tuple[str, ...] = ()
        """The answers so far, as tokens."""
        self._began = began
        self._deal = deal
        self._players = players
        self._settings = settings
        self._game = Game.start(deal)
        self._events: list[Event] = [RoundBegan(1, deal.first)]
        seats = len(deal.families)
        self._owners = owners(seats, two=settings.two)
        self._views = self._sent_views()
        self.opening = self._opening()
        """The deal, settings, players and beginning: the JSON of a record without actions."""

    def _opening(self) -> str:
        return self.record()._replace(actions=()).to_json()

    def hand_over(self, families: Collection[str], name: str, bot: str | None, at: int) -> None:
        """Record that a player or bot has the seats of these families from now on.

        `bot` is the bot's level, or None for a person. `at` is the Unix time.
        """
        after_s = 0 if self._began is None else max(0, at - self._began)
        self._players = tuple(
            player.taken_by(Holder(name, bot, len(self.actions), max(after_s, player.after_s)))
            if player.family in families
            else player
            for player in self._players
        )
        self.opening = self._opening()

    @property
    def families(self) -> str:
        """The letters of the families, by seat."""
        return self._deal.families

    @property
    def first(self) -> SeatIndex:
        """The first player of round 1."""
        return self._deal.first

    @property
    def turn(self) -> SeatIndex:
        """The seat that must answer; after the end it has no meaning."""
        return self._game.turn

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self._game.over

    def record(self, ended: int | None = None) -> Record:
        """Return the record of the game so far; `ended` is the Unix time of its end, if known."""
        settings = self._settings.beside_edition()
        return Record(
            self._deal, self.actions, settings, self._players, began=self._began, ended=ended
        )

    def saved(self) -> Saved:
        """Return the state from which the game can be restored."""
        return Saved(self.opening, self.actions)

    def ending(self) -> "Ending":
        """Return the result that the game has in its present position."""
        from netcode.table.finished_game import ending_of

        return ending_of(self._game, asdict(self._settings))

    def act(self, token: str) -> None:
        """Play an answer. Raises NotAllowedError if it is illegal, and then nothing changes."""
        if token not in ACTIONS:
            raise NotAllowedError("no_action")
        news: list[Event] = []
        try:
            following = self._game.play(ACTIONS[token], news)
        except IllegalAction as error:
            refusal = error.refusal
            raise NotAllowedError(RULES_NAMESPACE + refusal.code, **refusal.values) from None
        self._game = following
        self.actions += (token,)
        self._views = self._sent_views()
        self._events += news

    def is_legal(self, action: Action) -> bool:
        """Return True if the action is a legal answer to the present question."""
        return action in self._game.legal

    def seen_by(self, viewer: Viewer) -> View:
        """Return the view of a player or spectator."""
        return view(self._game, viewer)

    def events_for(self, viewer: Viewer, since: int = 0) -> tuple[Event, ...]:
        """Return the events from index `since` on, as a player or spectator may know them."""
        return tuple([project(event, viewer) for event in self._events[since:]])

    def state(self, viewer: Viewer, you: FamilyLetter | None, revision: int, since: int) -> State:
        """Return the State for a player or spectator, with the events from index `since` on."""
        two = viewer[1:] if isinstance(viewer, tuple) else ()
        return State(
            revision=revision,
            view=self._views[viewer],
            you=you,
            second=letters_of(self.families)[two[0]] if two else None,
            first_event=since,
            step=len(self.actions),
            events=self.events_for(viewer, since),
        )

    def _sent_views(self) -> dict[Viewer, WireView]:
        """Return the present views as States send them."""
        public = public_parts(self._game)
        for_spectators = WireView.of(self._game, public)
        found: dict[Viewer, WireView] = {None: for_spectators}
        for owner in self._owners:
            viewer = owner if len(owner) > 1 else owner[0]
            found[viewer] = for_spectators.with_parts(owner_parts(self._game, public, owner))
        return found

    def record_message(self, revision: int) -> GameRecord:
        """Return the GameRecord of the game, which is equal for all receivers.

        Raises ValueError before the end of the game.
        """
        if not self.over:
            raise ValueError("cards of a game that goes on are nobody's business")
        return GameRecord(revision=revision, record=self.record().to_json())
