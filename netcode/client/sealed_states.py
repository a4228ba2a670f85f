"""A sealed game as its player's session is shown it: States, as a host makes them elsewhere."""

from itertools import chain

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
        self._tips: list[bytes] | None = None
        """Of the steps of which the session knows; None while it knows nothing."""
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
        events, first, known = events_of(log), 0, person.known(*own) if own else known_cards(log)
        if self._tips is not None:
            first = len(events_of(log, log.still(self._tips)))
        self._tips = [entry.tip for entry in log.entries]
        self.seen = view(log.game, own or None, known)
        if log.game.over:
            # Only now is it known what cards that were owed have brought, and who shows theirs.
            first = min(first, len(events) - 1)
            events[-1] = GameEnded(ranking(named(log.game, known_cards(log)))[0])
        letters = letters_of(log.sealing.families)
        return State(
            revision=revision,
            view=format_position(self.seen),
            you=letters[own[0]] if own else None,
            second=letters[own[1]] if own[1:] else None,
            first_event=first,
            events=tuple(project(each, own, known) for each in events[first:]),
        )


def events_of(log: SealedLog, steps: int | None = None) -> list[Event]:
    """Return what has happened from the beginning, in all steps or in so many."""
    begun = RoundBegan(1, log.dealing.deal.first)
    return [begun, *chain.from_iterable(entry.events for entry in log.entries[:steps])]
