"""The end of a game of three, at random: votes, openings, going back, restarts, lies.

What walks are the programs themselves (`SealedPerson` and its `SealedLog`, over signatures that
cost nothing), from a position in which a few steps remain. Whatever an honest person has signed
may reach anybody at any later time, in any order, or never; whoever lives may compare logs with
anybody; time passes as it likes; persons restart; a liar signs all that can be signed.
"""

from itertools import combinations
from random import Random
from typing import Final

from engine.actions import ACTIONS, REVEAL
from engine.cards import LEAVES, ROUNDS
from engine.game import Game
from netcode.sealed.encoding import EndBody, EntryBody, unpack
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.sealed_person import SealedPerson
from netcode.sealed.votes import Situation
from tests.netcode.sealed.sealed_tables import SealedTable, dealt_person, log_of, take_all

EVERYBODY: Final = frozenset(range(3))

CALM: Final = Situation(waited_s=15, agreeing=EVERYBODY, connected=EVERYBODY)
"""An opening waits for what it must and no more, and nobody may vote that a step is missing."""

IMPATIENT: Final = Situation(waited_s=10_000, agreeing=EVERYBODY, connected=frozenset())
"""Whoever may ever vote that the step that is due is missing may do so."""


def last_round(table: SealedTable, cards: str) -> Game:
    """Return the game as the last round is resolved: each seat has one card in the queue."""
    game = Game.start(table.dealt().deal)
    game.round, game.at, game.hands = ROUNDS, 0, [""] * len(cards)
    game.queue = [
        (seat, str(table.owner(seat).orders[0].index(card)), False, 0, None)
        for seat, card in enumerate(cards)
    ]
    game._resolve(None)
    return game


class Walk:
    """One way in which it can go; raises AssertionError at what must not be."""

    def __init__(
        self, table: SealedTable, rng: Random, tokens: dict[str, str], liar: int | None, most: int
    ) -> None:
        self.table, self.rng, self.liar = table, rng, liar
        self.tokens = tokens
        """By question, which answers are tried, by their first letter."""
        self.most = most
        """Up to which step anybody answers or votes."""
        self.people = [dealt_person(table, one) for one in EVERYBODY - {liar}]
        self.sent: dict[Parcel, None] = {}

    def step(self, restarts: int) -> int:
        """Let something happen; return how many restarts are left."""
        place = self.rng.randrange(len(self.people))
        person, what = self.people[place], self.rng.random()
        if restarts and what < 0.1:
            twin = dealt_person(self.table, log_of(person).me or 0, is_compared=False)
            for taken in log_of(person).journal:
                log_of(twin).take(taken)
            self.people[place] = twin
            self.does(twin)
            return restarts - 1
        if what < 0.5:
            lies = [] if self.liar is None else self.lies(log_of(self.rng.choice(self.people)))
            if offered := lies if lies and what < 0.3 else [*self.sent]:
                self.does(person, takes=[self.rng.choice(offered)])
        elif what < 0.65:
            self.does(person, meets=self.rng.choice(self.people))
        elif log_of(person).height < self.most:
            self.does(person, votes=what < 0.8, answers=what >= 0.8)
        return restarts

    def does(
        self,
        person: SealedPerson,
        takes: list[Parcel] | None = None,
        meets: SealedPerson | None = None,
        votes: bool = False,
        answers: bool = False,
    ) -> None:
        """Have somebody do one thing and what follows from it, and look at it."""
        log = log_of(person)
        locked, tip = log.locked, log.tip_of(log.locked)
        take_all(log, takes or ())
        if meets is not None:
            theirs = log_of(meets)
            take_all(log, [*theirs.parcels(), *theirs.lacking(log.height, log.tip)])
            person.is_compared |= log.goes_on_from(theirs.height, theirs.tip)
        if votes:
            person.vote_missing()
            person.advance(IMPATIENT, 0)
        if answers and (tokens := self.answers(person)):
            person.answer(log.game.turn, ACTIONS[self.rng.choice(tokens)])
        person.advance(CALM, 0)
        for parcel in person.output().send:
            body = unpack(parcel.body)
            if isinstance(body, EndBody):
                assert log.locked >= body.n, "an end leaves before its gate"
            else:
                if isinstance(body, EntryBody) and body.what in ("reveal", "open"):
                    assert log.locked >= body.n - 1, f"opening {body.n} leaves before its gate"
                self.sent[parcel] = None
        assert log.cheated | log.contradicted <= {self.liar}, "somebody honest is convicted"
        assert log.frozen == "" or self.liar is not None, f"{log.me} stops: {log.frozen}"
        assert log.frozen or log.locked >= locked, f"{log.me} is certain of less"
        assert log.frozen or log.tip_of(locked) == tip, f"{log.me} undoes a step"
        assert self.liar is not None or self.is_certain_alike(), (
            "two are certain of different steps"
        )

    def answers(self, person: SealedPerson) -> list[str]:
        """Return what a person may answer now, of what is tried."""
        log = log_of(person)
        is_asked = log.due is not None and log.due.opening is None and not log.frozen
        if not (is_asked and person.is_compared and person._chosen is None):
            return []
        if log.sealing.owners[log.game.turn] != log.me:
            return []
        tried = self.tokens.get(f"{log.game.asked}{log.game.turn}")
        tokens = [action.token for action in log.game.legal]
        return [token for token in tokens if tried is None or token[0] in tried]

    def lies(self, log: SealedLog) -> list[Parcel]:
        """Return what the liar can sign that somebody with this log may take."""
        assert self.liar is not None
        own = self.table.people[self.liar]
        said: list[Parcel] = []
        for n in range(1, log.height + 2):
            prev = log.tip_of(n - 1)
            game = log.entries[n - 2].game if n > 1 else log._start
            if game.over:
                continue
            if log.sealing.owners[game.turn] != self.liar:
                said.append(own.missing(n, prev))
                if n <= log.height:
                    said.append(own.seen(n, prev, log.tip_of(n)))
                continue
            owed = [leaf for seat, leaf, _ in game.owed if seat == self.liar and leaf in LEAVES]
            if game.opening >= 0:
                owed = [game.queue[game.opening][1]]
            said += [own.open(n, prev, self.liar, int(leaf)) for leaf in owed]
            for action in game.legal if game.opening < 0 else ():
                if action == REVEAL:
                    leaf = int(game.queue[game.at][1])
                    said.append(own.open(n, prev, self.liar, leaf, "reveal"))
                else:
                    said.append(own.act(n, prev, self.liar, action.token))
        for parcel in log._held:
            waiting = unpack(parcel.body)
            assert isinstance(waiting, EntryBody)
            if waiting.n == log.height + 1:
                branch = log._until(log.height)
                branch.take(parcel)
                said.append(own.seen(waiting.n, waiting.prev, branch.tip))
        return said

    def is_certain_alike(self) -> bool:
        """Return whether all logs agree, two by two, in all that is certain to both."""
        return all(
            one.tip_of(n) == other.tip_of(n)
            for one, other in combinations(map(log_of, self.people), 2)
            for n in [min(one.locked, other.locked)]
        )

    def settle(self) -> bool:
        """See that the game comes to its end once all can talk, and the liar is gone.

        Return whether all have stopped, for what the liar has signed.
        """
        logs, before, votes = [log_of(person) for person in self.people], None, False
        for _ in range(60):
            for person in self.people:
                self.does(person, takes=[*self.sent])
                for other in self.people:
                    self.does(person, meets=other)
                self.does(person, answers=True)
                if votes:
                    self.does(person, votes=True)
            now = [(log.tip, log.frozen, log.locked, len(log.journal)) for log in logs]
            if votes and now == before:
                break
            votes, before = now == before, now
        stopped = {log.frozen != "" for log in logs}
        assert self.is_certain_alike() or stopped == {True}, "who lied to two is not found"
        if all(log.frozen or log.due is None for log in logs):
            # Who has stopped cannot tell whoever has gone on from the very step at which they did.
            is_ahead = len({log.height for log in logs}) > 1
            assert len(stopped) == 1 or is_ahead, "one stops, and not another"
            assert True in stopped or len({log.tip for log in logs}) == 1, "they end differently"
        else:
            # Who has voted that a step is missing needs another who has it, and the liar is gone.
            assert self.liar is not None, "it does not go on"
            assert any(log.me in log.voters(log.height + 1, log.tip, None) for log in logs)
        return stopped == {True}
