"""Judges the decisions of a game by a strong bot.

The bot judges each decision by the seat's knowledge at that time, never by cards that the seat
could not see. Everything here is plain data: a `Review` returns the next question. Its caller
passes the question to a process, to a thread or to the bot itself.
"""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from engine.bots import TEACHER
from engine.bots.plans import PLAIN, Plan
from engine.cards import UNKNOWN, Seat
from engine.ranking import owner_of, owners_of
from engine.record import Holder
from engine.replaying import Eyes, Replay

if TYPE_CHECKING:
    from netcode.workers.questions import BotAnswer, BotQuestion

MISTAKES: Final = 3
"""Maximum number of mistakes of a review."""

UNSURE: Final = 2.0
"""Standard errors around the border between the `MISTAKES` costliest decisions and all others.

A decision whose loss is nearer to the border may be on either side.
"""

ROUNDS: Final = 4
"""Maximum number of comparisons of one decision."""

COMPARISONS: Final = 12
"""Maximum number of repeated comparisons in a review, in all."""

_NEXT_ROUND: Final = 1_000
"""The difference between the seeds of two comparisons, more than the decisions of any game."""


class Advice(Struct, frozen=True):
    """The teacher's judgement of a decision."""

    step: int
    best: str
    """The teacher's answer, in the notation."""
    given: str
    """The given answer, in the notation."""
    best_share: float
    """The expected share of the victory after the teacher's answer, from 0 to 1."""
    given_share: float
    """The expected share of the victory after the given answer, from 0 to 1."""
    plan: Plan | None = None
    """The reason why the teacher's answer is better; None if it is unclear."""
    error: float = 0.0
    """The standard error of the difference between the shares. It is 0 for equal answers, and for
    answers that were not compared in the same worlds.
    """
    worlds: int = 0
    """Number of worlds in which both answers were compared."""
    rounds: int = 1
    """Number of comparisons."""

    @property
    def same(self) -> bool:
        """True if both answers are the same."""
        return self.best == self.given

    @property
    def lost(self) -> float:
        """The loss of the decision, as a share of the victory."""
        return 0.0 if self.same else max(0.0, self.best_share - self.given_share)

    def merged(self, other: "Advice") -> "Advice":
        """Return this judgement with the worlds of another comparison of the same answers."""
        worlds = self.worlds + other.worlds
        if not other.worlds:
            return replace(self, rounds=self.rounds + 1)
        one, two = self.worlds / worlds, other.worlds / worlds
        return replace(
            self,
            best_share=one * self.best_share + two * other.best_share,
            given_share=one * self.given_share + two * other.given_share,
            error=sqrt((one * self.error) ** 2 + (two * other.error) ** 2),
            worlds=worlds,
            rounds=self.rounds + 1,
            plan=self.plan or other.plan,
        )


def may_judge(replay: Replay, step: int, eyes: Eyes) -> bool:
    """Return True if the decision of a step may be judged with these eyes."""
    return step > 0 and UNKNOWN not in replay.token(step) and bool(replay.legal(step - 1, eyes))


def decisions(replay: Replay, eyes: Eyes) -> list[int]:
    """Return the steps whose decisions may be judged with these eyes."""
    return [step for step in range(1, replay.last + 1) if may_judge(replay, step, eyes)]


def question_about(
    replay: Replay, step: int, *, seed: int = 0, effort: int = 1, before: Advice | None = None
) -> "BotQuestion":
    """Return the question about a decision, with the seat's knowledge at that time.

    Args:
        replay: The game.
        step: The step of the decision.
        seed: The seed of the sampled worlds.
        effort: Multiplies the thinking time.
        before: The judgement so far, whose answers are compared in further worlds.
    """
    from netcode.protocol.wire_events import to_wire
    from netcode.workers.questions import BotQuestion

    turn = replay.games[step - 1].turn
    rounds = 0 if before is None else before.rounds
    return BotQuestion(
        bot=TEACHER,
        view=replay.line(step - 1, turn),
        eyes=replay.seen(step - 1, turn).viewers,
        seed=step + _NEXT_ROUND * (rounds + ROUNDS * seed),
        want="weigh",
        events=tuple(map(to_wire, replay.events_until(step - 1, turn))),
        given=replay.token(step),
        best="" if before is None else before.best,
        effort=effort,
    )


def advice_of(replay: Replay, step: int, thought: "BotAnswer") -> Advice | None:
    """Return the judgement of the decision at a step, from a bot's answer.

    Returns None if the bot has not tried the given answer.
    """
    best, given, found = thought.token, replay.token(step), thought.comparison
    if found is not None and found.worlds:
        if found.given >= found.best and thought.weights:
            # Compared in many worlds, the given answer is the best one.
            return Advice(step, given, given, found.given, found.given)
        return Advice(
            step, best, given, found.best, found.given, found.plan, found.error, found.worlds
        )
    shares = {token: share for token, share, tried in thought.weights if tried}
    if given not in shares:
        return None
    return Advice(step, best, given, shares[best], shares[given])


def judge(replay: Replay, step: int) -> Advice | None:
    """Judge a decision now, which takes about a second.

    Returns None if the teacher has not tried the given answer.
    """
    from netcode.workers.worker_main import think

    return advice_of(replay, step, think(question_about(replay, step), lambda _made: True))


def judged_holder(replay: Replay, seat: Seat) -> Holder | None:
    """Return the last holder of a seat who is a person; if only bots held the seat, the last bot.

    A review judges this holder's decisions. Returns None if the record names no players.
    """
    if not replay.record.players:
        return None
    holders = replay.record.players[seat].holders[::-1]
    return next((each for each in holders if each.bot is None), holders[0])


def usual_seat(replay: Replay, own: Sequence[Seat] = ()) -> Seat | None:
    """Return the seat to judge by default: the reader's seat in `own`, or the only person's seat.

    Returns None if the reader has no seat, and not exactly one person played.
    """
    if own:
        return own[0]
    judged = {seat: judged_holder(replay, seat) for seat in range(len(replay.families))}
    persons = [seat for seat, holder in judged.items() if holder is not None and not holder.bot]
    owners = {owner_of(owners_of(replay.record.settings, len(judged)), each) for each in persons}
    return persons[0] if len(owners) == 1 else None


def decisions_of(replay: Replay, seat: Seat) -> tuple[int, ...]:
    """Return the steps that the player of a seat decided, with all families of that player."""
    own = owner_of(owners_of(replay.record.settings, len(replay.families)), seat)
    judged = {each: judged_holder(replay, each) for each in own}

    def is_own(step: int) -> bool:
        turn = replay.games[step - 1].turn
        if turn not in own:
            return False
        holder = judged[turn]
        if holder is None:
            return True
        at_step = replay.record.players[turn].holder_at(step - 1)
        return (at_step.name, at_step.bot) == (holder.name, holder.bot)

    return tuple(step for step in decisions(replay, seat) if is_own(step))


class Review:
    """The judgement of all decisions of one player: an accuracy, and the costliest decisions.

    After all decisions were judged, the possibly costliest ones are compared again in further
    worlds, until the costliest ones are clear.
    """

    def __init__(
        self,
        replay: Replay,
        seat: Seat,
        advice: dict[int, Advice],
        *,
        seed: int = 0,
        effort: int = 1,
    ) -> None:
        """Begin a review.

        Args:
            replay: The game.
            seat: A seat of the player.
            advice: The judgements so far, by step. New ones are added here.
            seed: The seed of the sampled worlds.
            effort: Multiplies the thinking time.
        """
        self.replay, self.seat = replay, seat
        self.advice = advice
        self.steps = decisions_of(replay, seat)
        """The steps of the player's decisions."""
        self.failed: set[int] = set()
        """The steps that the teacher could not judge."""
        self._seed, self._effort = seed, effort

    # Questions

    @property
    def next_step(self) -> int | None:
        """The step of the next question; None after the last one."""
        open_ones = (s for s in self.steps if s not in self.advice and s not in self.failed)
        step = next(open_ones, None)
        return self._unsure() if step is None else step

    def question(self, step: int) -> "BotQuestion":
        """Return the next question about a step."""
        before = self.advice.get(step)
        return question_about(
            self.replay, step, seed=self._seed, effort=self._effort, before=before
        )

    def answered(self, step: int, thought: "BotAnswer") -> bool:
        """Store the answer to a question.

        If the answer has no judgement, record the failure and return False.
        """
        before, found = self.advice.get(step), advice_of(self.replay, step, thought)
        if before is not None:
            # A failed comparison counts too, so that the review ends.
            self.advice[step] = before.merged(found or replace(before, worlds=0))
        elif found is not None:
            self.advice[step] = found
        else:
            self.failed.add(step)
        return found is not None

    def _unsure(self) -> int | None:
        """Return the step whose comparison most needs further worlds; None if none does."""
        ranked = self._ranked()
        if len(ranked) <= MISTAKES or sum(each.rounds - 1 for each in ranked) >= COMPARISONS:
            return None
        border = (ranked[MISTAKES - 1].lost + ranked[MISTAKES].lost) / 2
        if border + UNSURE * ranked[MISTAKES].error < PLAIN:
            return None
        unsure = [
            each
            for each in ranked
            if each.rounds < ROUNDS and abs(each.lost - border) < UNSURE * each.error
        ]
        return max(unsure, key=lambda each: each.error).step if unsure else None

    # Results

    def _judged(self) -> list[Advice]:
        return [self.advice[step] for step in self.steps if step in self.advice]

    def _ranked(self) -> list[Advice]:
        """Return the decisions that lost something, the costliest first."""
        lossy = (each for each in self._judged() if each.lost > 0)
        return sorted(lossy, key=lambda each: (-each.lost, each.step))

    @property
    def is_done(self) -> bool:
        """True if no question is left."""
        return self.next_step is None

    @property
    def judged_count(self) -> int:
        """Number of decisions that were judged, or could not be."""
        return sum(step in self.advice or step in self.failed for step in self.steps)

    @property
    def accuracy(self) -> float | None:
        """The share of the winning chances that the player kept, compared with the best answers.

        The chances of all decisions are added up first, so that a decision in a lost position
        counts little. None without a judged decision.
        """
        judged = self._judged()
        best = sum(max(each.best_share, each.given_share) for each in judged)
        return sum(each.given_share for each in judged) / best if best else None

    @property
    def costliest(self) -> tuple[Advice, ...]:
        """The decisions that lost most, the costliest first: at most three."""
        return tuple(self._ranked()[:MISTAKES])

    @property
    def mistakes(self) -> tuple[Advice, ...]:
        """The costliest decisions that lost at least `PLAIN`."""
        return tuple(each for each in self.costliest if each.lost >= PLAIN)


def judge_all(
    review: Review,
    think: Callable[["BotQuestion"], "BotAnswer"] | None = None,
    report: Callable[[Review], object] = lambda _review: None,
) -> None:
    """Judge all decisions of a review now.

    Args:
        review: The review.
        think: Answers a question; by default the teacher answers in this process.
        report: Called before each question.
    """
    if think is None:
        from netcode.workers.worker_main import think as think_for

        def think(question: "BotQuestion") -> "BotAnswer":
            return think_for(question, lambda _made: True)

    while (step := review.next_step) is not None:
        report(review)
        review.answered(step, think(review.question(step)))


def judged_before(
    replay: Replay, seat: Seat, kept: Sequence[Advice] | Mapping[int, Advice]
) -> dict[int, Advice]:
    """Return the stored judgements that belong to a player's decisions in a game, by step.

    Judgements of other answers, or with an illegal best answer, are left out.
    """
    steps = {*decisions_of(replay, seat)}
    entries = kept.values() if isinstance(kept, Mapping) else kept
    return {
        each.step: each
        for each in entries
        if each.step in steps
        and each.given == replay.token(each.step)
        and each.best in map(str, replay.legal(each.step - 1, seat))
    }
