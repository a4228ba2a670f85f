"""A sealed game as its player's session is shown it: States, as a host makes them elsewhere."""

from engine.cards import Seat
from engine.events import Event, GameEnded, RoundBegan
from engine.notation import format_position
from engine.ranking import ranking
from engine.view import View, named, project, view
from netcode.protocol.fields import letters_of
from netcode.protocol.messages import State
from netcode.sealed.log import SealedLog
from netcode.sealed.proof_file import known_cards
from netcode.sealed.sealed_person import SealedPerson


class SealedStates:
    """What the session knows of a game, and what of the log is news for it."""

    def __init__(self) -> None:
        self._tips: list[bytes] = []
        """Of the steps of which the session knows."""
        self._counts: list[int] = []
        """How many events there had been at the start, and after each of those steps."""
        self._events: list[Event] = []
        self.seen: View | None = None
        """The game as the session was last shown it."""
        self._shown: object = None

    def state(self, person: SealedPerson, own: tuple[Seat, ...], revision: int) -> State | None:
        """Return the game as the player may know it, if the session does not know it so yet."""
        log = person.log
        if log is None:
            return None
        shown = log.tip, (len(log.ends), len(log.cheated)) if log.game.over else ()
        if shown == self._shown:
            return None
        self._shown = shown
        first, known = self._news_from(log), person.known(*own) if own else known_cards(log)
        self.seen = view(log.game, own or None, known)
        if log.game.over:
            # Only now is it known what cards that were owed have brought, and who shows theirs.
            first = min(first, len(self._events) - 1)
            self._events[-1] = GameEnded(ranking(named(log.game, known_cards(log)))[0])
        letters = letters_of(log.sealing.families)
        return State(
            revision=revision,
            view=format_position(self.seen),
            you=letters[own[0]] if own else None,
            second=letters[own[1]] if own[1:] else None,
            first_event=first,
            events=tuple(project(each, own, known) for each in self._events[first:]),
        )

    def told(self, person: SealedPerson, own: tuple[Seat, ...]) -> tuple[Event, ...]:
        """Return what has happened, from the beginning, as a bot with such seats may know it."""
        known = person.known(*own)
        return tuple([project(each, own, known) for each in self._events])

    def _news_from(self, log: SealedLog) -> int:
        """Bring the events up to date; return the index of the first that is news."""
        is_new = not self._counts
        if is_new:
            self._events = [RoundBegan(1, log.dealing.deal.first)]
            self._counts = [1]
        same = 0
        for tip, entry in zip(self._tips, log.entries, strict=False):
            if tip != entry.tip:
                break
            same += 1
        first = self._counts[same]
        del self._tips[same:], self._counts[same + 1 :], self._events[first:]
        for entry in log.entries[same:]:
            self._events += entry.events
            self._tips.append(entry.tip)
            self._counts.append(len(self._events))
        return 0 if is_new else first
