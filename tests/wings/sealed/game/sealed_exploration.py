"""Explores every course of the last round of three persons, with votes, openings and restarts.

It uses the real programs (`SealedPerson` with its `SealedLog`). A state has a number for each
program, and the set of sent parcels.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from engine.actions import ACTIONS, REVEAL
from engine.cards import LEAVES, ROUNDS
from engine.leaf_game import LeafGame
from netcode.wings.sealed.game.encoding import EndBody, EntryBody, unpack
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.sealed_person import SealedPerson
from netcode.wings.sealed.game.votes import Situation
from tests.wings.sealed.game.sealed_tables import SealedTable, dealt_person, log_of, take_all

EVERYBODY: Final = frozenset(range(3))
UNIX_S: Final = 1_800_000_000

CALM: Final = Situation(waited_s=15, agreeing=EVERYBODY, connected=EVERYBODY)
"""A situation in which openings have waited for long enough, and nobody may vote that a step is
missing.
"""

IMPATIENT: Final = Situation(waited_s=10_000, agreeing=EVERYBODY, connected=frozenset())
"""A situation in which everybody has waited long enough to vote that the due step is missing."""

State = tuple[int, ...]
"""A number for each program's state, the sent parcels as bits, and the remaining restarts."""


def last_round(table: SealedTable, cards: str) -> LeafGame:
    """Return the game in the resolution of the last round; each seat has one card in the Queue."""
    game = LeafGame.start(table.dealt().deal)
    game.round, game.at, game.hands = ROUNDS, 0, [""] * len(cards)
    game.queue = [
        (seat, str(table.owner(seat).orders[0].index(card)), False, 0, None)
        for seat, card in enumerate(cards)
    ]
    game._resolve(None)
    return game


@dataclass(slots=True)
class Result:
    states: int = 0
    depth: int = 0
    frozen: int = 0
    """Number of states where all honest persons stopped because of the liar's signatures."""
    is_whole: bool = False
    """True if every state was explored."""


class Exploration:
    """The states that programs can reach from a start; raises AssertionError for a violation."""

    def __init__(
        self,
        table: SealedTable,
        cards: str,
        tokens: dict[str, str],
        liar: int | None = None,
        restarts: int = 0,
        most: int = 99,
    ) -> None:
        self.table = table
        self.most = most
        """The last step at which anybody answers or votes."""
        self.tokens = tokens
        """The first letters of the answers to try, by question."""
        self.liar = liar
        self.honest = [own.person for own in table.people if own.person != liar]
        self.start = last_round(table, cards)
        self.locals: list[SealedPerson] = []
        self._numbers: dict[object, int] = {}
        self._parcels: list[Parcel] = []
        self._bits: dict[Parcel, int] = {}
        self._done: dict[tuple[object, ...], tuple[int, int]] = {}
        self._agree: dict[tuple[int, int], bool] = {}
        self._offers: dict[int, int] = {}
        self._restarts = restarts
        self.how: dict[State, tuple[State, str]] = {}

    # Programs; each of their states is created once

    def _begin(self, person: int, is_compared: bool) -> SealedPerson:
        return dealt_person(self.table, person, is_compared=is_compared)

    def _number(self, person: SealedPerson) -> int:
        log = log_of(person)
        key = (
            log.me,
            person.is_compared,
            person._chosen,
            person._votes_missing,
            tuple(entry.parcel for entry in log.entries),
            frozenset(vote for votes in log.votes.values() for vote in votes.values()),
            frozenset(log.spent),
            frozenset(log.late.items()),
            frozenset(log.ends.values()),
            frozenset(log.proofs),
            log.frozen,
            log.locked,
            frozenset(log._withheld),
            frozenset(log._signed.items()),
            None if log._beside is None else tuple(log._beside.parcels()),
        )
        number = self._numbers.setdefault(key, len(self.locals))
        if number == len(self.locals):
            self.locals.append(person)
            self.check_alone(person)
        return number

    def _bit(self, parcel: Parcel) -> int:
        bit = self._bits.setdefault(parcel, len(self._parcels))
        if bit == len(self._parcels):
            self._parcels.append(parcel)
        return 1 << bit

    def does(self, number: int, what: str, *more: Any) -> tuple[int, int]:
        """Return a program's state after an input, and its sent parcels as bits."""
        key = (number, what, *more)
        done = self._done.get(key)
        if done is None:
            before = self.locals[number]
            person = copied(before)
            said = getattr(self, f"_{what}")(person, *more)
            person.advance(CALM, UNIX_S)
            said += person.output().send
            after = self._number(person)
            self.check_step(before, self.locals[after], said)
            sent = 0
            for parcel in said:
                # Openings at the end change no state.
                if not isinstance(unpack(parcel.body), EndBody):
                    sent |= self._bit(parcel)
            done = self._done[key] = after, sent
        return done

    def _take(self, person: SealedPerson, bit: int) -> list[Parcel]:
        log_of(person).take(self._parcels[bit])
        return []

    def _meet(self, person: SealedPerson, other: int) -> list[Parcel]:
        theirs = log_of(self.locals[other])
        take_all(log_of(person), theirs.parcels())
        if log_of(person).goes_on_from(theirs.height, theirs.tip):
            person.is_compared = True
        return []

    def _vote(self, person: SealedPerson) -> list[Parcel]:
        person.vote_missing()
        person.advance(IMPATIENT, UNIX_S)
        return [*person.output().send]

    def _answer(self, person: SealedPerson, token: str) -> list[Parcel]:
        due = log_of(person).due
        assert due is not None
        person.answer(due.seat, ACTIONS[token])
        return [*person.output().send]

    def _restart(self, person: SealedPerson) -> list[Parcel]:
        journal = log_of(person).journal
        assert person.me is not None
        vars(person).update(vars(self._begin(person.me, False)))
        for taken in journal:
            log_of(person).take(taken)
        return []

    # Possible inputs

    def run(self, states: int) -> Result:
        """Explore breadth-first until nothing is left, or this many states are known.

        Return the result; `is_whole` is True if nothing is left.
        """
        begun = [self._number(self._begin(person, True)) for person in self.honest]
        first = (*begun, 0, self._restarts)
        known, border, result = {first}, [first], Result()
        while border:
            following: list[State] = []
            for state in border:
                self.check(state)
                for what, after in self.steps(state):
                    if after not in known:
                        known.add(after)
                        following.append(after)
                        self.how[after] = (state, what)
                if len(known) > states:
                    break
            result.states = len(known)
            if len(known) > states:
                return result
            border = following
            result.depth += bool(border)
        result.is_whole = True
        for state in known:
            self.check_progress(state)
            logs = [log_of(self.locals[number]) for number in state[:-2]]
            result.frozen += all(log.frozen != "" for log in logs)
        return result

    def steps(self, state: State) -> Iterator[tuple[str, State]]:
        """Yield all possible next inputs, with the states that they lead to."""
        *people, sent, restarts = state
        offered = sent
        if self.liar is not None:
            for number in people:
                offered |= self.offers(number)
        for index, number in enumerate(people):
            for after, said, what in self._steps_of_player(number, people, offered):
                if after != number or said & ~sent:
                    others = [*people]
                    others[index] = after
                    yield f"{self.honest[index]} {what}", (*others, sent | said, restarts)
            if restarts:
                others = [*people]
                others[index], _ = self.does(number, "restart")
                yield f"{self.honest[index]} restarts", (*others, sent, restarts - 1)

    def _steps_of_player(
        self, number: int, people: list[int], offered: int
    ) -> Iterator[tuple[int, int, str]]:
        person = self.locals[number]
        for bit in bits(offered):
            after, said = self.does(number, "take", bit)
            if after != number:
                yield after, said, f"takes {bit}"
        for other in people:
            if other != number:
                yield *self.does(number, "meet", other), f"meets {other}"
        if log_of(person).height >= self.most:
            return
        yield *self.does(number, "vote"), "votes"
        for token in self._answers(person):
            yield *self.does(number, "answer", token), f"answers {token}"

    def _answers(self, person: SealedPerson) -> list[str]:
        """Return the answers that a person may give now, among those to try."""
        log, due = log_of(person), log_of(person).due
        is_due = due is not None and due.opening is None and not log.frozen
        if not (is_due and person.is_compared and person._chosen is None):
            return []
        if log.sealing.owners[log.game.turn] != log.me:
            return []
        tried = self.tokens.get(f"{log.game.question}{log.game.turn}")
        tokens = [action.token for action in log.game.legal]
        return [token for token in tokens if tried is None or token[0] in tried]

    def offers(self, number: int) -> int:
        """Return, as bits, the liar's parcels that a program in this state may accept."""
        known = self._offers.get(number)
        if known is not None:
            return known
        assert self.liar is not None
        own, log = self.table.people[self.liar], log_of(self.locals[number])
        said: list[Parcel] = []
        for n in range(1, log.height + 2):
            prev = log.tip_of(n - 1)
            game = log.entries[n - 2].game if n > 1 else log._start
            if not game.over and log.sealing.owners[game.turn] == self.liar:
                said += self._lies(n, prev, game)
            elif not game.over:
                said.append(own.missing(n, prev))
                if n <= log.height:
                    said.append(own.seen(n, prev, log.tip_of(n)))
        for parcel in log._withheld:
            waiting = unpack(parcel.body)
            assert isinstance(waiting, EntryBody)
            if waiting.n == log.height + 1:
                twin = log_of(copied(self.locals[number]))
                tip = twin._until(twin.height)
                tip.take(parcel)
                said.append(own.seen(waiting.n, waiting.prev, tip.tip))
        bits_of = 0
        for parcel in said:
            bits_of |= self._bit(parcel)
        self._offers[number] = bits_of
        return bits_of

    def _lies(self, n: int, prev: bytes, game: LeafGame) -> list[Parcel]:
        assert self.liar is not None
        own = self.table.people[self.liar]
        if game.opening >= 0:
            leaf = int(game.queue[game.opening][1])
            return [own.open(n, prev, self.liar, leaf)]
        owed = [int(card) for seat, card, _ in game.owed if seat == self.liar and card in LEAVES]
        said = [own.open(n, prev, self.liar, leaf) for leaf in owed]
        for action in game.legal:
            if action == REVEAL:
                leaf = int(game.queue[game.at][1])
                said.append(own.open(n, prev, self.liar, leaf, "reveal"))
            else:
                said.append(own.act(n, prev, self.liar, action.token))
        return said[:3]

    # Invariants

    def check_alone(self, person: SealedPerson) -> None:
        """Assert that no honest person is convicted or named."""
        log = log_of(person)
        liars = set() if self.liar is None else {self.liar}
        assert log.cheated <= liars, f"{log.me} convicts {log.cheated}"
        assert log.contradicted <= liars, f"{log.me} names {log.contradicted}"
        assert liars or not log.frozen, f"{log.me} stops: {log.frozen}"

    def check_step(self, before: SealedPerson, after: SealedPerson, said: list[Parcel]) -> None:
        """Assert that certain steps stay, and that no opening is sent before its gate."""
        one, two = log_of(before), log_of(after)
        if not two.frozen:
            assert two.locked >= one.locked, f"{one.me} is certain of less"
            assert two.tip_of(one.locked) == one.tip_of(one.locked), f"{one.me} undoes a step"
        for parcel in said:
            body = unpack(parcel.body)
            if isinstance(body, EndBody):
                assert two.locked >= body.n, "an end leaves before its gate"
            elif isinstance(body, EntryBody) and body.what in ("reveal", "open"):
                assert two.locked >= body.n - 1, f"opening {body.n} leaves before its gate"

    def check(self, state: State) -> None:
        """Assert that certain steps agree between persons, unless a liar is convicted."""
        people = state[:-2]
        for index, one in enumerate(people):
            for other in people[:index]:
                key = (one, other)
                if key not in self._agree:
                    self._agree[key] = self._can_agree(one, other)
                assert self._agree[key], self.way(state)

    def _can_agree(self, one: int, other: int) -> bool:
        if self._is_certain_alike(one, other):
            return True
        if self.liar is None:
            return False
        # A liar is convicted once both compare their logs.
        for _ in range(3):
            one, other = self.does(one, "meet", other)[0], self.does(other, "meet", one)[0]
        return all(log_of(self.locals[number]).frozen for number in (one, other))

    def _is_certain_alike(self, one: int, other: int) -> bool:
        """Return True if two logs agree in all steps certain to both."""
        first, second = log_of(self.locals[one]), log_of(self.locals[other])
        n = min(first.locked, second.locked)
        return first.tip_of(n) == second.tip_of(n)

    def check_progress(self, state: State) -> None:
        """Assert that the game can end once all parcels arrive and the liar is gone."""
        *people, sent, _ = state
        for _ in range(40):
            before = (people, sent)
            people, sent = self._round(people, sent, "")
            if (people, sent) == before:
                people, sent = self._round(people, sent, "vote")
            if (people, sent) == before:
                break
        logs = [log_of(self.locals[number]) for number in people]
        if all(log.frozen or log.due is None for log in logs):
            assert len({log.frozen != "" for log in logs}) == 1, self.way(state)
            assert logs[0].frozen or len({log.tip for log in logs}) == 1, self.way(state)
            return
        # A person who has voted that a step is missing needs another one with the step; the liar is
        # gone.
        voted = [log for log in logs if log.me in log.voters(log.height + 1, log.tip, None)]
        assert self.liar is not None, self.way(state)
        assert voted, self.way(state)

    def _round(self, people: list[int], sent: int, last: str) -> tuple[list[int], int]:
        """Deliver all parcels to everybody, let all compare their logs, and answer.

        Then each person gets the input `last`, unless it is "". Return the states and the sent
        parcels.
        """
        people = people.copy()
        for index in range(len(people)):
            for bit in bits(sent):
                people[index], said = self.does(people[index], "take", bit)
                sent |= said
            for other in people:
                if other != people[index]:
                    people[index], said = self.does(people[index], "meet", other)
                    sent |= said
            for token in self._answers(self.locals[people[index]])[:1]:
                people[index], said = self.does(people[index], "answer", token)
                sent |= said
            if last:
                people[index], said = self.does(people[index], last)
                sent |= said
        return people, sent

    def way(self, state: State) -> str:
        """Return the inputs that lead to a state."""
        steps = []
        while state in self.how:
            state, what = self.how[state]
            steps.append(what)
        return " | ".join(reversed(steps))


def bits(number: int) -> Iterator[int]:
    """Yield the positions of the ones in a number."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def copied(person: SealedPerson) -> SealedPerson:
    """Return an independent copy of a program; parts that never change are shared."""
    twin = object.__new__(SealedPerson)
    for name, value in vars(person).items():
        vars(twin)[name] = value.copy() if isinstance(value, list | set) else value
    twin.log = copied_log(log_of(person))
    return twin


def copied_log(log: SealedLog) -> SealedLog:
    """Return an independent copy of a log."""
    twin = object.__new__(SealedLog)
    for name, value in vars(log).items():
        if name == "votes":
            value = {step: votes.copy() for step, votes in value.items()}
        elif name == "_beside" and value is not None:
            value = copied_log(value)
        elif isinstance(value, list | set | dict):
            value = value.copy()
        vars(twin)[name] = value
    return twin
