"""What the prompt says: the question, and what each answer would do."""

from collections.abc import Sequence

from msgspec import Struct

from driflamme_tui.model.knowledge import ambush_possible
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.card_texts import CARD_TEXTS, card_summary
from driflamme_tui.wording.game.names import all_of, card_name, naming
from engine.abilities import AMBUSH_GAIN, CHOICES, GAINS, REVEALING_TAKES
from engine.actions import END, START, Action, Copy, Eliminate, Leave, Move, Place, Reveal, Steal
from engine.cards import (
    AMBUSH,
    ASSASSINATION,
    CONSPIRACY,
    HEIR,
    INTRIGUES,
    ROUNDS,
    ROYAL_DECREE,
    SHAPESHIFTER,
    UNKNOWN,
    Card,
    Seat,
)
from engine.legal import Refusal
from engine.position import LEAVE_OR_REVEAL, PLACE, Stack, cards_in, move_top
from engine.view import View


class Consequences(Struct, frozen=True):
    """Words what an action would do at a view, for its reader."""

    view: View
    names: Sequence[str]
    """The names of the players, by seat; empty where only signs and letters have room."""
    glyphs: Glyphs

    def tag(self, seat: Seat) -> str:
        """Return a family's sign and letter."""
        return self.glyphs.tag(self.view.families[seat])

    def who(self, seat: Seat) -> str:
        """Return a player's sign and name."""
        return f"{self.tag(seat)} {self.names[seat]}".rstrip()

    def why_not(self, refusal: Refusal) -> str:
        """Return why something is against the rules, with players by their names."""
        seats = range(self.view.players)
        players = {self.view.families[seat]: self.who(seat) for seat in seats}
        return refusal.sentence(naming(players))

    def place(self, position: int) -> str:
        """Return a place of the Queue, before what would happen there."""
        return str(position)

    def at(self, position: int) -> str:
        """Return the card at a position, as its sign, its name if known, and the position."""
        seat, card, face_up, _influence, _covered = self.view.queue[position - 1]
        return self.named(seat, card, face_up, position)

    def named(self, seat: Seat, card: Card, face_up: bool, position: int) -> str:
        """Return a card of the Queue as its sign, its name if known, and a position."""
        if card == UNKNOWN:
            return f"{self.tag(seat)} {position}"
        name = card_name(card)
        return f"{self.tag(seat)} {name if face_up else name.lower()} {position}"

    def effect(self, action: Action) -> str:
        """Return what an action would do."""
        if isinstance(action, Place):
            return self._placing(action)
        if isinstance(action, Leave):
            return self._leaving()
        if isinstance(action, Reveal):
            return self._revealing()
        if isinstance(action, Eliminate):
            return self._eliminating(action.position)
        if isinstance(action, Steal):
            return self._stealing(self.view.seat_of(action.family))
        if isinstance(action, Copy):
            return self._copying(action.position)
        return self._moving(action)

    def _placing(self, action: Place) -> str:
        view = self.view
        if not view.queue:
            return _("Your card becomes the Queue.")
        if action.spot == START:
            return _("At the start, before {card}.").format(card=self.at(1))
        if action.spot == END:
            return _("At the end, after {card}.").format(card=self.at(len(view.queue)))
        covered = cards_in(view.queue[action.position - 1])
        return ngettext(
            "On your stack at {position}, {height} high then: only your {card} counts;"
            " {covered} keeps its influence and waits.",
            "On your stack at {position}, {height} high then: only your {card} counts;"
            " {covered} keep their influence and wait.",
            len(covered),
        ).format(
            position=action.position,
            height=len(covered) + 1,
            card=card_name(action.card),
            covered=self._waiting_below(covered),
        )

    def _waiting_below(self, covered: Sequence[tuple[Card, bool, int]]) -> str:
        """Name the cards below one that is placed; more than two have no room in the prompt."""
        if len(covered) > 2:
            return _("all {n} below it").format(n=len(covered))
        return all_of(
            [self._with_influence(card, up, influence) for card, up, influence in covered]
        )

    def _with_influence(self, card: Card, face_up: bool, influence: int) -> str:
        name = card_name(card) if face_up else card_name(card).lower()
        return _("{card} ({n} on it)").format(card=name, n=influence) if influence else name

    def _leaving(self) -> str:
        influence = self.view.queue[self.view.at][3] + 1
        if self.view.round == ROUNDS:
            return _("{n} on it then; influence on cards is lost after this round").format(
                n=influence
            )
        return _("1 more goes on it: {n} in all").format(n=influence)

    def _revealing(self) -> str:
        view = self.view
        _seat, card, _face_up, influence, _covered = view.queue[view.at]
        taken = influence * REVEALING_TAKES.get(card, 1)
        if card == AMBUSH:
            gain = GAINS[AMBUSH](view, view.at)
            if not influence:
                return _("gain {gain}; the Ambush is discarded").format(gain=gain)
            return _("gain {gain}, but the {n} on it is lost; the Ambush is discarded").format(
                gain=gain, n=influence
            )
        if card == CONSPIRACY and not influence:
            return _("nothing lies on it to take; the Conspiracy is discarded")
        if card == CONSPIRACY:
            return _("take {taken}, twice the {n} on it; the Conspiracy is discarded").format(
                taken=taken, n=influence
            )
        then = self._ability(card)
        if not taken:
            return then
        return _("take the {n}; {then}").format(n=taken, then=then)

    def _ability(self, card: Card) -> str:
        """Say what an ability would do for the card at the place that is being resolved."""
        view = self.view
        name = view.queue[view.at][1]
        if card in GAINS:
            gain = GAINS[card](view, view.at)
            if gain or card != HEIR:
                return _("the {card} gains {n}").format(card=card_name(name), n=gain)
            other = next(
                index
                for index, stack in enumerate(view.queue, 1)
                if stack[1] == name and stack[2] and index != view.at + 1
            )
            return _("the {card} gains 0, because {other} is face up").format(
                card=card_name(name), other=self.at(other)
            )
        answers = CHOICES[card](view, view.at)
        if not answers:
            return _("there is nothing it can act on, so it has no effect")
        if card == ASSASSINATION:
            return _("eliminate any card, itself included")
        if card == ROYAL_DECREE:
            return _("move a card, and the Decree is discarded")
        seats = [view.seat_of(answer.family) for answer in answers if isinstance(answer, Steal)]
        if seats:
            return _("steal 1 from {players}").format(
                players=one_of([self.who(seat) for seat in seats])
            )
        cards = one_of(
            [self.at(answer.position) for answer in answers if isinstance(answer, Eliminate | Copy)]
        )
        if card == SHAPESHIFTER:
            return _("copy {cards}").format(cards=cards)
        return _("eliminate {cards}").format(cards=cards)

    def _eliminating(self, position: int) -> str:
        view = self.view
        seat, card, _face_up, influence, covered = view.queue[position - 1]
        then = ""
        if position == view.at + 1:
            text = _("{position}: your {card} itself leaves the Queue; you gain 1.")
            then = self._waking(covered)
        elif seat == view.turn:
            text = _("{position}: your own {card}; you gain 1.")
            if influence:
                text = _("{position}: your own {card}, with the {n} on it; you gain 1.")
            if card == AMBUSH:
                then = self._own_ambush()
        elif card == UNKNOWN:
            text = _("{position}: {name} loses a face-down card; you gain 1.")
            if influence:
                text = _("{position}: {name} loses a face-down card with {n} on it; you gain 1.")
            if ambush_possible(view, seat):
                then = self._if_ambush(seat)
        else:
            text = _("{position}: {name} loses the {card}; you gain 1.")
            if influence:
                text = _("{position}: {name} loses the {card} and the {n} on it; you gain 1.")
            if card == AMBUSH:
                then = self._known_ambush(seat)
        text = text.format(
            position=self.place(position),
            name=self.who(seat),
            card="" if card == UNKNOWN else card_name(card),
            n=influence,
        )
        return f"{text} {then}".strip()

    def _own_ambush(self) -> str:
        """Say what the Ambush of the attacker's own family does."""
        edition = self.view.edition
        if not edition.ambush_discards_own_attacker:
            return _("Your own Ambush does not strike back.")
        return _("Your Ambush brings {n} more, and your {card} is discarded too.").format(
            n=edition.ambush_gain_from_own_attacker,
            card=card_name(self.view.queue[self.view.at][1]),
        )

    def _known_ambush(self, seat: Seat) -> str:
        """Say what the Ambush of the reader's other family does."""
        attacker = self.view.queue[self.view.at][1]
        text = _("{name} gains {n} by it, and your {card} is discarded.")
        if attacker in INTRIGUES:
            text = _("{name} gains {n} by it.")
        return text.format(name=self.who(seat), n=AMBUSH_GAIN, card=card_name(attacker))

    def _if_ambush(self, seat: Seat) -> str:
        """Say what happens to the attacker if its victim turns out to be an opponent's Ambush."""
        _seat, card, _face_up, _influence, covered = self.view.queue[self.view.at]
        what = {"name": self.who(seat), "n": AMBUSH_GAIN, "card": card_name(card)}
        if card in INTRIGUES:
            # It is discarded anyway.
            return _("If it turns out to be an Ambush, {name} gains {n}.").format(**what)
        if covered is None:
            text = _(
                "If it turns out to be an Ambush, {name} gains {n} and your {card} is discarded."
            )
            return text.format(**what)
        return _(
            "If an Ambush: {name} gains {n}, your {card} is discarded, your {covered} wakes."
        ).format(**what, covered=card_name(covered[1]))

    def _waking(self, covered: Stack | None) -> str:
        """Say what comes to light if the resolving card leaves its stack."""
        if covered is None:
            return ""
        return _("Your {card} beneath comes next.").format(card=card_name(covered[1]))

    def _stealing(self, victim: Seat) -> str:
        view = self.view
        if victim == view.turn:
            return _("Yourself: nothing changes (allowed).")
        theirs, yours = view.pools[victim], view.pools[view.turn]
        who = self.who(victim)
        if not theirs:
            return _("{who} has no influence: nothing changes.").format(who=who)
        return _("{who}: {theirs} becomes {less}; your {yours} becomes {more}.").format(
            who=who, theirs=theirs, less=theirs - 1, yours=yours, more=yours + 1
        )

    def _copying(self, position: int) -> str:
        card = self.view.queue[position - 1][1]
        if card == SHAPESHIFTER:
            return _("{card}: copying a Shapeshifter has no effect.").format(card=self.at(position))
        return _("{card}: {effect}.").format(card=self.at(position), effect=self._ability(card))

    def lifting(self, position: int) -> str:
        """Return what moving the card at a position would leave behind."""
        _seat, _card, _face_up, influence, covered = self.view.queue[position - 1]
        text = self.at(position)
        if influence:
            text = _("{card}, with the {n} on it").format(card=text, n=influence)
        if covered is None:
            return f"{text}."
        if position > self.view.at + 1:
            return _("{card}; the card beneath it will be resolved this round.").format(card=text)
        return _("{card}; the card beneath it waits for the next round.").format(card=text)

    def _moving(self, action: Move) -> str:
        view = self.view
        queue = list(view.queue)
        at = move_top(queue, view.at, action.position - 1, action.destination - 1)
        there = action.destination - 1
        beside = [
            self.tag(queue[index][0]) for index in (there - 1, there + 1) if 0 <= index < len(queue)
        ]
        if len(beside) == 2:
            where = _("It would stand at {position}, between {before} and {after}").format(
                position=action.destination, before=beside[0], after=beside[1]
            )
        else:
            where = _("It would stand at {position}, an end of the Queue").format(
                position=action.destination
            )
        if there < at and action.position > view.at:
            return _("{where}: not resolved this round.").format(where=where)
        if there < at:
            return _("{where}: not resolved again this round.").format(where=where)
        return _("{where}: resolved this round, after the Decree.").format(where=where)


def one_of(words: Sequence[str | int]) -> str:
    """Return `1, 2 or 3`."""
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    return _("{all} or {last}").format(all=", ".join(texts[:-1]), last=texts[-1])


class Prompter(Consequences, frozen=True):
    """Words a view's question for its reader."""

    def _shout(self, position: int) -> str:
        """Return the same with the name in capitals."""
        seat, card, _face_up, _influence, _covered = self.view.queue[position - 1]
        if card == UNKNOWN:
            return self.at(position)
        return f"{self.tag(seat)} {_upper(card)} {position}"

    def title(self, question: Question) -> str:
        """Return the question itself; to a reader with two families, with the one it is about."""
        title = self._title(question)
        return f"{self.tag(self.view.turn)} {title}" if len(self.view.viewers) > 1 else title

    def _title(self, question: Question) -> str:
        view = self.view
        step = question.step
        if step is Step.CARD:
            return _("YOUR TURN — which card?")
        if step is Step.SPOT and question.picked and question.picked.card:
            return _("PLACE YOUR {card} — where?").format(card=_upper(question.picked.card))
        if step is Step.DESTINATION and question.picked:
            return _("MOVE {card} — to which place?").format(
                card=self._shout(question.picked.position)
            )
        card = _upper(view.queue[view.at][1])
        ability = view.asked
        if ability not in (view.queue[view.at][1], LEAVE_OR_REVEAL):
            card = _("{card} AS {ability}").format(card=card, ability=_upper(ability))
        if ability == LEAVE_OR_REVEAL:
            text = _("YOUR {card} {position} is face down — leave it or reveal it?")
        else:
            text = _(CARD_TEXTS[ability].asks)
        return text.format(card=card, position=view.at + 1)

    def waiting(self) -> str:
        """Return who is asked what, for everybody else."""
        view = self.view
        who = self.who(view.turn)
        if view.asked == PLACE:
            return _("{who} places a card").format(who=who)
        if view.asked == LEAVE_OR_REVEAL:
            sentence = _("{who} leaves or reveals {position}")
        else:
            sentence = _(CARD_TEXTS[view.asked].waits)
        return sentence.format(who=who, position=view.at + 1)

    def may(self) -> str:
        """Return what the player who is asked can do, in one sentence."""
        view = self.view
        if view.asked == PLACE:
            return _(
                "Each player puts one card from hand, face down, at an end or on their own stack."
            )
        if view.asked == LEAVE_OR_REVEAL:
            influence = view.queue[view.at][3]
            if not influence:
                return _("No influence lies on the card; leaving adds 1.")
            return ngettext(
                "{n} influence lies on the card; leaving adds 1, revealing takes it.",
                "{n} influence lie on the card; leaving adds 1, revealing takes them.",
                influence,
            ).format(n=influence)
        return card_summary(view.asked)

    def verb(self, question: Question) -> str:
        """Return what Enter does to the present choice."""
        return {
            Step.CARD: _("take"),
            Step.SPOT: _("place"),
            Step.LEAVE_OR_REVEAL: _("confirm"),
            Step.TARGET: _("eliminate"),
            Step.PLAYER: _("steal"),
            Step.COPIED: _("copy"),
            Step.LIFTED: _("lift"),
            Step.DESTINATION: _("put down"),
        }[question.step]

    def consequence(self, question: Question) -> str:
        """Return what the present choice would do."""
        choice = question.choice
        if choice is None:
            return self._invitation(question.step)
        if choice.action is not None:
            return self.effect(choice.action)
        if choice.card is not None:
            own = any(stack[0] == self.view.turn for stack in self.view.queue)
            if self.view.queue and not own:
                # That it may go to either end was said before a card was chosen.
                return card_summary(choice.card)
            return _("{card}: {summary} {spots}").format(
                card=card_name(choice.card),
                summary=card_summary(choice.card),
                spots=self._spots(),
            )
        return self.lifting(choice.position)

    def _invitation(self, step: Step) -> str:
        if step in (Step.CARD, Step.SPOT):
            return self._spots()
        if step is Step.DESTINATION:
            return _("Choose where it will stand, alone.")
        if step is Step.LIFTED:
            return _("It takes the influence on it along, and never goes onto another card.")
        return self.may()

    def _spots(self) -> str:
        view = self.view
        if not view.queue:
            return _("The Queue is empty: your card will be the first in it.")
        own = [position for position, stack in enumerate(view.queue, 1) if stack[0] == view.turn]
        if not own:
            return _("It may go to either end; the start is resolved first.")
        return _("It may go to either end, or on your own card at {positions}.").format(
            positions=one_of(own)
        )


def _upper(card: Card) -> str:
    return card_name(card).upper()
