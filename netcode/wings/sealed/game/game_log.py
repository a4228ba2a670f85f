"""The log of a sealed game: signed steps in a chain, which every program with a copy checks."""

from typing import Final, Literal, NamedTuple

from engine.actions import ACTIONS, REVEAL, Action
from engine.cards import LEAVES, Seat
from engine.events import Event
from engine.leaf_game import OPENING, LeafGame
from engine.legal import IllegalAction
from engine.position import LEAVE_OR_REVEAL
from netcode.wings.sealed.game.cheat_proofs import (
    FREEZING,
    OUTCOME_IGNORED,
    OUTCOME_TAKEN,
    Outcome,
    all_fit,
    conviction_of,
    fits,
    is_doubled,
    make_proof,
    openings_of,
)
from netcode.wings.sealed.game.dealing import Dealing
from netcode.wings.sealed.game.default_answers import default_answer
from netcode.wings.sealed.game.encoding import (
    DealBody,
    EndBody,
    EntryBody,
    MissingBody,
    ProofBody,
    SealBody,
    SealedError,
    SeenBody,
    digest,
    pack,
)
from netcode.wings.sealed.game.parcels import Parcel


class Due(NamedTuple):
    """The step that comes next."""

    seat: Seat
    """The seat that must answer, or whose card was just eliminated. A default entry names this
    seat.
    """
    owner: int
    """The person who owes the step."""
    opening: tuple[Seat, int] | None
    """The seat and leaf that an `open` must show; None if the step is an answer."""
    struck: bool
    """True if the opening is of a card that was just eliminated; False for an earlier owed card."""


class LogEntry(NamedTuple):
    """An accepted entry with its consequences."""

    parcel: Parcel
    decoded: EntryBody
    author: int | None
    """The person who signed the entry; None for a default."""
    due: Due
    tip: bytes
    action: Action | None
    """The answer, with a leaf instead of a card; None for an opening."""
    game: LeafGame
    """The game after the entry."""
    events: tuple[Event, ...]


Verdict = Literal["proven", "unproven", "unfinished", "cheated"]
"""The verdict on the cards of a seat at the end, as `SealedLog.verdict` explains."""


def play(game: LeafGame, body: EntryBody) -> tuple[Action | None, LeafGame, tuple[Event, ...]]:
    """Return the action, game and events of an entry, as in `LogEntry`.

    The caller has checked the openings. Raises SealedError if the rules do not allow the entry.
    """
    events: list[Event] = []
    action: Action | None = None
    try:
        if game.question == OPENING:
            game = game.open(None if body.what == "default" else body.content[1], events)
        elif body.what == "open":
            game = game.open_owed(body.seat, str(body.content[0]), body.content[1])
        else:
            if body.what == "act":
                action = ACTIONS.get(body.content[0])
                if action is None or action == REVEAL:
                    raise SealedError("illegal")
            else:
                action = REVEAL if body.what == "reveal" else default_answer(game)
            game = game.play(action, events)
            if body.what == "reveal":
                game = game.open(body.content[1], events)
    except IllegalAction as error:
        raise SealedError("illegal", error.refusal) from None
    return action, game, tuple(events)


MAXIMUM_AHEAD: Final = 16
"""Maximum number of entries that wait for earlier ones."""

VOTES_BACK: Final = 8
"""Maximum age, in steps, of a vote that follows no step of this log."""

VOTES_A_STEP: Final = 2
"""Maximum number of votes of one person about one step: one for each entry that the step may
follow.
"""


class SealedLog:
    """One copy of the log: a person's, or with `me` None that of a forwarding host or spectator."""

    def __init__(self, dealing: Dealing, me: int | None = None, *, goes_back: bool = True) -> None:
        """Start without entries.

        Without `goes_back`, no default replaces an answer that was accepted.
        """
        self.dealing: Final = dealing
        self.sealing: Final = dealing.sealing
        self.me: Final = me
        self.entries: Final[list[LogEntry]] = []
        self.votes: Final[dict[tuple[int, bytes], dict[int, Parcel]]] = {}
        """The vote of each person, by step and the tip that the step follows."""
        self.spent: Final[dict[tuple[int, bytes, int], Outcome]] = {}
        """The outcome of each refused entry, by step, tip before the step, and author.

        The author can sign no other entry for this step.
        """
        self.late: Final[dict[int, Parcel]] = {}
        """The owner's answer that came after a default, by step."""
        self.undone: Final[set[int]] = set()
        """The steps whose answer was accepted here and later replaced by a default."""
        self.ends: Final[dict[int, Parcel]] = {}
        """The parcel with which a person has opened all cards, by person."""
        self.proofs: Final[list[Parcel]] = []
        """The proofs: for each person at most one proof that freezes the log, and one that does
        not.
        """
        self.convictions: list[tuple[str, int]] = []
        """The reason and person of each conviction: by a proof, or by openings that show a card
        twice.
        """
        self.cheated: set[int] = set()
        """The convicted persons."""
        self.is_done = False
        """True if everybody has opened all cards, so that no secret is left."""
        self.doubled: Final[set[int]] = set()
        """The persons whose openings at the end show a card twice."""
        self.frozen = ""
        """The reason why no entry is accepted any more: a proof's reason, or `contradiction`.

        Empty while entries are accepted.
        """
        self.locked = 0
        """The last step that can no longer be replaced; 0 if every step can."""
        self.journal: Final = [*dealing.journal]
        """The accepted parcels and the parcels that froze the log, in order, beginning with the
        sealing.
        """
        self._goes_back: Final = goes_back
        self._start: Final = LeafGame.start(dealing.deal)
        self._signed: Final[dict[tuple[int, bytes, int], Parcel]] = {}
        self._withheld: list[Parcel] = []
        """Entries that can be accepted only after other parcels."""
        self._contradicted = 0
        self._beside: SealedLog | None = None
        """The other branch of the log from a disputed step on; None without a dispute.

        It has the last late or replaced answer where this log has a default. If the answer stays
        because of a contradiction, it has the default instead.
        """
        self._known = {*dealing.parcels.values()}
        self._proven: Final[dict[tuple[bool, int], str]] = {}
        self._stand()

    def _judge(self) -> None:
        """Compute the convictions again after a change of proofs or openings."""
        self.convictions = [(reason, person) for (_, person), reason in self._proven.items()]
        self.convictions += [("card_twice", person) for person in sorted(self.doubled)]
        self.cheated = {person for _, person in self.convictions}

    def _stand(self) -> None:
        """Compute the state of the log again after a change of its entries."""
        self.height = len(self.entries)
        """Number of steps."""
        self.tip = self.tip_of(self.height)
        """The tip that the next entry follows."""
        self.game = game = self.entries[-1].game if self.entries else self._start
        """The present game, with leaves instead of hidden cards."""
        self.due: Due | None = None
        """The next step; None once the game is over."""
        if not game.over:
            owner, struck = self.sealing.owners[game.turn], game.question == OPENING
            opening = (game.turn, int(game.queue[game.opening][1])) if struck else None
            opening = opening or min(self.owed_by(owner), default=None)
            self.due = Due(game.turn, owner, opening, struck)

    def owed_by(self, person: int) -> list[tuple[Seat, int]]:
        """Return the eliminated cards that a person has not opened, by seat and leaf."""
        return [
            (seat, int(card))
            for seat, card, _ in self.game.owed
            if card in LEAVES and self.sealing.owners[seat] == person
        ]

    def tip_of(self, n: int) -> bytes:
        """Return the tip after step n; for n = 0 the tip before the first step."""
        return self.entries[n - 1].tip if n else self.dealing.genesis

    def take(self, parcel: Parcel) -> Outcome:
        """Handle an entry, a vote, an end or a proof.

        The parcel is checked completely before anything changes. The Outcome shows whether the
        parcel was taken. An invalid parcel raises no error.
        """
        # Checking a signature is half of a parcel's cost, and several programs may send the same
        # parcel.
        if parcel in self._known:
            return OUTCOME_IGNORED
        try:
            outcome = self._take(parcel)
        except SealedError as error:
            outcome = Outcome("refused", error.code, why=error.why)
        if outcome.status == "taken":
            self._record(parcel)
            self._settle()
        if self._beside is not None and not self.frozen:
            self._look_beside(self._beside, parcel)
        return outcome

    def parcels(self, since: int = 0) -> list[Parcel]:
        """Return the parcels after the first `since` steps: entries, votes, ends and proofs.

        They include votes about the last known step and about all disputed steps.
        """
        steps: list[Parcel] = []
        for n in range(self.height + 1):
            votes = self.votes_on(n + 1).values()
            entry = self.entries[n] if n < self.height else None
            is_disputed = entry is not None and entry.author is not None
            is_disputed &= any(isinstance(vote.decoded, MissingBody) for vote in votes)
            if n >= since - 1 or is_disputed:
                steps += votes
            if entry is not None and n >= since:
                steps.append(entry.parcel)
        return [*steps, *self.ends.values(), *self.proofs]

    def goes_on_from(self, n: int, tip: bytes) -> bool:
        """Return True if a log of `n` steps with this tip equals this log up to that step."""
        return n <= self.height and self.tip_of(n) == tip

    def lacking(self, n: int, tip: bytes) -> list[Parcel]:
        """Return the parcels that a log of `n` steps, with this tip, lacks.

        If this log is frozen without a second branch, return its proofs.
        """
        lies_on = self.goes_on_from(n, tip)
        if self.frozen == "contradiction" and self._beside is not None:
            since = self._contradicted - 1
            mine = [] if lies_on else self.parcels(since)
            # The other log may have continued from either branch, so send it the other branch as
            # well.
            is_other = lies_on or n > self.height
            return [*mine, *(self._beside.parcels(since) if is_other else ())]
        if self.frozen:
            return self.proofs
        if n > self.height:
            # The other log may have continued from an answer that came too late here. Send it all
            # steps from there on.
            return self.parcels(min((self.height, *(step - 1 for step in self.late))))
        return self.parcels(n if lies_on else 0)

    def default(self) -> Parcel:
        """Return the default for the missing step. Other logs also need its `certificate`."""
        due = self.due
        assert due is not None
        body = EntryBody(self.sealing.gid, self.height + 1, self.tip, due.seat, "default", ())
        return Parcel(pack(body))

    def votes_on(self, n: int) -> dict[int, Parcel]:
        """Return the votes about step `n` that follow the present step before it, by person."""
        return self.votes.get((n, self.tip_of(n - 1)), {}) if n else {}

    def voters(self, n: int, prev: bytes, tip: bytes | None) -> set[int]:
        """Return the persons who voted that step `n` after `prev` has this tip.

        With `tip` None, return the persons who voted that the step is missing.
        """
        return {
            person
            for person, vote in self.votes.get((n, prev), {}).items()
            if (vote.decoded.tip if isinstance(vote.decoded, SeenBody) else None) == tip
        }

    def certificate(self, body: EntryBody) -> list[Parcel]:
        """Return the votes that allow a default, at most a quorum.

        The vote of the step's owner never counts. The default is allowed only if the votes are a
        quorum.
        """
        missing = self.voters(body.n, body.prev, None) - {self.sealing.owners[body.seat]}
        votes = self.votes.get((body.n, body.prev), {})
        return [votes[person] for person in sorted(missing)[: self.sealing.quorum]]

    def verdict(self, seat: Seat) -> Verdict:
        """Return the verdict on the cards of a seat.

        `cheated`: its owner is convicted. `unfinished`: the game is frozen or not over. Otherwise
        `proven` if the owner has opened all cards, or else `unproven`.
        """
        owner = self.sealing.owners[seat]
        if owner in self.cheated:
            return "cheated"
        if self.frozen or not self.game.over:
            return "unfinished"
        return "proven" if owner in self.ends else "unproven"

    @property
    def is_spent(self) -> bool:
        """True if the person who owes the due step has signed an answer that was refused."""
        due = self.due
        return due is not None and (self.height + 1, self.tip, due.owner) in self.spent

    @property
    def withheld(self) -> dict[int, int]:
        """The authors of reveals that came after a default, by step. Others may know the card.

        Reveals that were refused when they were due are not included.
        """
        late = [
            (parcel.decoded, self.sealing.author(parcel.decoded)) for parcel in self.late.values()
        ]
        return {
            body.n: author
            for body, author in late
            if isinstance(body, EntryBody)
            and author is not None
            and body.what == "reveal"
            and (body.n, body.prev, author) not in self.spent
        }

    @property
    def contradicted(self) -> set[int]:
        """The persons who voted that a step was missing and yet continued from it.

        The set is empty unless the log is frozen by a `contradiction`.
        The result can change: a later vote may clear a person and convict another of `two_votes`.
        """
        if self.frozen != "contradiction":
            return set()
        return self._who_went_on(self._contradicted)

    def _who_went_on(self, n: int) -> set[int]:
        """Return the persons who voted that step `n` is missing, and yet signed a later step."""
        branch = self if self.entries[n - 1].author is not None else self._beside
        missing = self.voters(n, self.tip_of(n - 1), None)
        return missing & branch._went_on(n) if branch is not None else set()

    def _look_beside(self, branch: "SealedLog", parcel: Parcel) -> None:
        """Add a parcel to the other branch.

        Freeze the log if a person has signed on both branches.
        """
        is_taken, n = branch.take(parcel).status == "taken", max(self.late)
        if is_taken and self._who_went_on(n):
            self.journal.append(parcel)
            self.frozen, self._contradicted = "contradiction", n

    # Parcels by kind

    def _take(self, parcel: Parcel) -> Outcome:
        if not parcel.signature and isinstance(parcel.decoded, ProofBody):
            return self._take_proof(parcel)
        if self.frozen in FREEZING and not isinstance(parcel.decoded, EndBody):
            raise SealedError("frozen")
        body = self.sealing.read(parcel)
        if isinstance(body, SealBody | DealBody):
            kind = "seal" if isinstance(body, SealBody) else "deal"
            return self._convict(f"two_{kind}s", self.dealing.parcels[kind, body.person], parcel)
        if isinstance(body, MissingBody | SeenBody):
            return self._take_vote(body, parcel)
        if isinstance(body, EndBody):
            return self._take_end(body, parcel)
        if self.frozen:
            raise SealedError("frozen")
        return self._take_entry(body, parcel) if isinstance(body, EntryBody) else OUTCOME_IGNORED

    def _take_entry(self, body: EntryBody, parcel: Parcel) -> Outcome:
        author = self.sealing.author(body)
        if author is not None:
            known = self._signed.get((body.n, body.prev, author))
            if known is not None and known.body != parcel.body:
                return self._convict("two_contents", known, parcel)
        if self.is_done:
            return OUTCOME_IGNORED
        if body.n <= self.height:
            return self._take_old(body, author, parcel)
        if body.n > self.height + 1:
            return self._hold(parcel, "gap", MAXIMUM_AHEAD)
        if body.prev != self.tip:
            raise SealedError("other_branch")
        tip = digest("entry", parcel.body)
        if author is None:
            self._check_default(body)
            after = play(self.game, body)
        else:
            step = (body.n, body.prev, author)
            self._signed[step] = parcel
            try:
                after = self._follow(body, author)
            except SealedError as error:
                proof = self._proof_of_opening(error.code, body, author, parcel)
                if step not in self.spent:
                    self.journal.append(parcel)
                self.spent[step] = Outcome("refused", error.code, proof, error.why)
                return self.spent[step]
            if self._has_voted_missing(body, author, tip):
                # At most one entry waits for this reason: its author can sign only one for this
                # step.
                return self._hold(parcel, "voted_missing", MAXIMUM_AHEAD + 1)
        assert self.due is not None
        self.entries.append(LogEntry(parcel, body, author, self.due, tip, *after))
        self._stand()
        return OUTCOME_TAKEN

    def _hold(self, parcel: Parcel, code: str, most: int) -> Outcome:
        """Add a parcel to the waiting parcels, once. Raises SealedError if `most` wait already."""
        if all(each.body != parcel.body for each in self._withheld):
            if len(self._withheld) >= most:
                raise SealedError("gap")
            self._withheld.append(parcel)
        return Outcome("held", code)

    def _follow(
        self, body: EntryBody, author: int
    ) -> tuple[Action | None, LeafGame, tuple[Event, ...]]:
        """Return `play` of a signed entry. Raises SealedError if the entry is not allowed."""
        due, game = self.due, self.game
        if due is None:
            raise SealedError("no_game")
        if body.what == "open":
            if due.opening is None:
                raise SealedError("no_opening_due")
        elif due.struck:
            raise SealedError("opening_due")
        elif self.owed_by(author):
            raise SealedError("opening_owed")
        seat = due.seat if due.opening is None else due.opening[0]
        if body.seat != seat:
            raise SealedError("not_your_turn")
        if body.what == "reveal" and game.question != LEAVE_OR_REVEAL:
            raise SealedError("illegal")
        for _, opening in openings_of(body, ()):
            if opening[0] != (due.opening[1] if due.opening else int(game.queue[game.at][1])):
                raise SealedError("wrong_leaf")
            place = self.sealing.decoded.persons[author].seats.index(seat)
            if not fits(self.dealing.seals[author], place, seat, opening):
                raise SealedError("false_opening")
            if any(card == opening[1] for card, _ in self._opened(seat)):
                raise SealedError("card_twice")
        return play(game, body)

    def _take_old(self, body: EntryBody, author: int | None, parcel: Parcel) -> Outcome:
        """Handle an entry for an existing step.

        It is the same entry, a late answer, or an entry of another branch. Raises SealedError if
        the entry does not belong here.
        """
        mine = self.entries[body.n - 1]
        if mine.decoded == body:
            return OUTCOME_IGNORED
        if body.prev != mine.decoded.prev or (author is None) == (mine.author is None):
            raise SealedError("other_branch")
        if author is None:
            if not self._goes_back:
                raise SealedError("other_branch")
            return self._go_back(body, parcel)
        if author != mine.due.owner:
            raise SealedError("not_your_turn")
        self._signed[body.n, body.prev, author] = parcel
        if body.n in self.late:
            return OUTCOME_IGNORED
        self.late[body.n] = parcel
        self._record(parcel)
        if body.n == max(self.late):
            self._beside = self._until(body.n - 1)
        return Outcome("held", "late")

    def _go_back(self, body: EntryBody, parcel: Parcel) -> Outcome:
        """Replace an answer and all later steps by a default.

        Raises SealedError if that freezes the log, or if the default lacks votes.
        """
        n, undone, branch = body.n, self.entries[body.n - 1], self._until(body.n - 1)
        if branch.take(parcel).status != "taken":
            # This log lacks at least one vote for the default, so the answer stays.
            raise SealedError("other_branch")
        if n <= self.locked or self._who_went_on(n):
            self.journal.append(parcel)
            self.frozen, self._contradicted, self._beside = "contradiction", n, branch
            raise SealedError("contradiction")
        self.undone.add(n)
        self.entries[n - 1 :] = branch.entries[n - 1 :]
        self._stand()
        self.ends.clear()
        self.is_done = False
        self.doubled.clear()
        self._judge()
        # The removed steps may arrive again, so forget that they are known.
        self._known = {*self.dealing.parcels.values(), *self.late.values()}
        self._record(parcel)
        # The replaced answer counts as a late answer.
        self.take(undone.parcel)
        return OUTCOME_TAKEN

    def _check_default(self, body: EntryBody) -> None:
        """Raise SealedError if a default is not allowed for the due step."""
        due = self.due
        if due is None:
            raise SealedError("no_game")
        if body.seat != due.seat:
            raise SealedError("not_your_turn")
        if self.sealing.quorum is None:
            raise SealedError("no_votes_at_two")
        if len(self.certificate(body)) < self.sealing.quorum:
            raise SealedError("too_few_votes")

    def _has_voted_missing(self, body: EntryBody, author: int, tip: bytes) -> bool:
        """Return True if this log's person voted that an entry is missing, and the vote counts.

        The vote no longer counts when enough others have seen the entry.
        """
        if self.me not in self.voters(body.n, body.prev, None):
            return False
        seen = self.voters(body.n, body.prev, tip) - {author, self.me}
        return len(seen) < self.sealing.seers

    def _take_vote(self, body: MissingBody | SeenBody, parcel: Parcel) -> Outcome:
        follows = body.n <= self.height + 1 and body.prev == self.tip_of(body.n - 1)
        if not follows and not self.height - VOTES_BACK <= body.n <= self.height + 1:
            raise SealedError("vote_out_of_range")
        votes = self.votes.get((body.n, body.prev), {})
        known = votes.get(body.person)
        if known is not None:
            if known.body == parcel.body:
                return OUTCOME_IGNORED
            return self._convict("two_votes", known, parcel)
        if follows:
            due = self.entries[body.n - 1].due if body.n <= self.height else self.due
            if due is not None and due.owner == body.person:
                raise SealedError("own_step")
        times = sum(body.person in votes for step, votes in self.votes.items() if step[0] == body.n)
        if times >= VOTES_A_STEP:
            raise SealedError("too_many_votes")
        self.votes.setdefault((body.n, body.prev), {})[body.person] = parcel
        return OUTCOME_TAKEN

    def _take_end(self, body: EndBody, parcel: Parcel) -> Outcome:
        if body.person in self.ends:
            return OUTCOME_IGNORED
        if not self.game.over or (body.n, body.tip) != (self.height, self.tip):
            raise SealedError("other_branch")
        if not all_fit(self.sealing, self.dealing.seals[body.person], body):
            raise SealedError("false_opening")
        self.ends[body.person] = parcel
        self.is_done = len(self.ends) == len(self.sealing.keys)
        self.frozen = "" if self.is_done else self.frozen
        if is_doubled(openings_of(body, self.sealing.decoded.persons[body.person].seats)):
            self.doubled.add(body.person)
            self._judge()
        return OUTCOME_TAKEN

    def _take_proof(self, parcel: Parcel) -> Outcome:
        reason, culprit = conviction_of(self.sealing, parcel)
        freezes = reason in FREEZING
        if (freezes, culprit) in self._proven:
            return OUTCOME_IGNORED
        self._proven[freezes, culprit] = reason
        self._judge()
        self.proofs.append(parcel)
        self._record(parcel)
        # A game whose end everybody has signed stays valid, so a later proof does not freeze it.
        if freezes and self.frozen not in FREEZING and not self.is_done:
            self.frozen = reason
        return OUTCOME_TAKEN

    def _record(self, parcel: Parcel) -> None:
        if parcel not in self._known:
            self._known.add(parcel)
            self.journal.append(parcel)

    def _convict(self, reason: str, *parcels: Parcel) -> Outcome:
        proof = make_proof(reason, *parcels)
        self._take_proof(proof)
        return Outcome("refused", reason, proof)

    def _proof_of_opening(
        self, code: str, body: EntryBody, author: int, parcel: Parcel
    ) -> Parcel | None:
        """Store and return a proof that an opening was false or repeated.

        Returns None for any other code.
        """
        seal = self.dealing.parcels["seal", author]
        if code == "false_opening":
            return self._convict(code, seal, parcel).proof
        if code == "card_twice":
            earlier = next(
                parcel for card, parcel in self._opened(body.seat) if card == body.content[1]
            )
            return self._convict(code, seal, earlier, parcel).proof
        return None

    # Consequences

    def _settle(self) -> None:
        """Update `locked`, and handle the waiting parcels again."""
        for n in range(self.height, self.locked, -1):
            if self.entries[n - 1].author is None or len(self.shown(n)) >= self.sealing.seers:
                self.locked = n
                break
        withheld, self._withheld = self._withheld, []
        for parcel in withheld:
            self.take(parcel)

    def shown(self, n: int) -> set[int | None]:
        """Return the persons, except the author, who are known to have accepted step `n`."""
        entry = self.entries[n - 1]
        seen = self.voters(n, entry.decoded.prev, entry.tip)
        return (seen | self._went_on(n) | {self.me}) - {entry.author, None}

    def _went_on(self, n: int) -> set[int]:
        """Return the persons who have signed something after step `n`."""
        went_on = {entry.author for entry in self.entries[n:] if entry.author is not None}
        for later in range(n, self.height + 1):
            went_on.update(self.votes_on(later + 1))
        return went_on

    def _opened(self, seat: Seat) -> list[tuple[str, Parcel]]:
        """Return the opened cards of a seat, each with the parcel that opened it."""
        return [
            (opening[1], entry.parcel)
            for entry in self.entries
            if entry.decoded.seat == seat
            for _, opening in openings_of(entry.decoded, ())
        ]

    def _until(self, height: int) -> "SealedLog":
        """Return a log with the first `height` entries and all votes. It belongs to no person."""
        branch = SealedLog(self.dealing, goes_back=False)
        branch.entries.extend(self.entries[:height])
        branch._stand()
        branch.votes.update({step: dict(votes) for step, votes in self.votes.items()})
        branch.locked = min(self.locked, height)
        return branch
