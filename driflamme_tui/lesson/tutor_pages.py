"""What is explained in the guided first game, and what brings each explanation up.

A topic is data: a condition on what has just happened and what is asked now, some pages of text,
and what each page points at. Each topic comes up once in every game that follows
`lesson_script.py`. Pages are short: in every language one has at most four rows of a small
terminal.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct

from driflamme_tui.lesson.lesson_script import LEARNER
from driflamme_tui.text.i18n import Text
from engine import events
from engine.cards import (
    AMBUSH,
    ARCHER,
    ASSASSINATION,
    CONSPIRACY,
    HEIR,
    LORD,
    ROYAL_DECREE,
    SHAPESHIFTER,
    SOLDIER,
    SPY,
    Card,
)
from engine.position import LEAVE_OR_REVEAL, PLACE
from engine.view import View


class Situation(Struct, frozen=True):
    """What the learner sees after an answer, and what has come of it."""

    view: View
    events: tuple[events.Event, ...]
    """What has happened since the answer before."""

    def asked(self, question: str, card: Card = "", round: int = 0) -> bool:
        """Whether the learner is asked this, about a card (if one is named)."""
        view = self.view
        if view.over or view.turn != LEARNER or view.asked != question:
            return False
        here = "" if view.at < 0 else view.queue[view.at][1]
        return (not card or card == here) and (not round or round == view.round)


When: TypeAlias = Callable[[Situation], bool]
"""Whether a topic comes up in a situation."""


class Highlight(Struct, frozen=True):
    """What a page speaks of, to be marked on the table."""

    card: Card = ""
    """A card in the learner's hand; with `seat`, one in the Queue, face up or the learner's."""
    seat: int = -1
    """The owner of the card; without a card, the player that is meant."""
    position: int = 0
    """A position in the Queue."""


class LessonPage(Struct, frozen=True):
    """A few sentences that are read at one time."""

    text: Text
    at: Highlight | None = None


class Topic(Struct, frozen=True):
    """Something that is explained once."""

    id: str
    title: str
    when: When
    pages: tuple[LessonPage, ...]


def _happens(kind: type[events.Event], **fields: object) -> When:
    def when(now: Situation) -> bool:
        return any(
            isinstance(event, kind)
            and all(getattr(event, name) == value for name, value in fields.items())
            for event in now.events
        )

    return when


def _asked(question: str, card: Card = "", round: int = 0) -> When:
    return lambda now: now.asked(question, card, round)


def _over(now: Situation) -> bool:
    return now.view.over


def _topic(
    id: str,
    title: Text,
    when: When,
    text: Text,
    at: Highlight | None = None,
    more: tuple[LessonPage, ...] = (),
) -> Topic:
    """Return a topic with one page, or with more after it."""
    return Topic(id, title, when, (LessonPage(text, at), *more))


_RED, _GREEN = 1, 2
"""The seats of the opponents."""

TOPICS: Final[tuple[Topic, ...]] = (
    _topic(
        "welcome",
        "Welcome!",
        _happens(events.RoundBegan, round=1),
        "In ten minutes you will know the whole game, by playing it. You cannot break "
        "anything. Leave whenever you like: you find your place again.",
        more=(
            LessonPage(
                "You lead a family that wants power. It is counted in influence, and everybody "
                "begins with 1. After six rounds, whoever has the most has won.",
                Highlight(seat=LEARNER),
            ),
            LessonPage(
                "These cards are your hand. Every family has the same ten. Chance sets three "
                "of yours aside, and only you know which; with the other seven you play.",
                Highlight(CONSPIRACY),
            ),
            LessonPage(
                "A round has two parts. First everybody places one card, face down, in a row "
                "that belongs to all: the Queue. {green} begins.",
                Highlight(seat=_GREEN),
            ),
        ),
    ),
    _topic(
        "placing",
        "Placing a card",
        _asked(PLACE, round=1),
        "{green} has placed a card; what it is, only {green} knows. Yours goes to the "
        "start of the Queue, where cards act first, or to its end.",
        Highlight(position=1),
    ),
    _topic(
        "conspiracy",
        "The Conspiracy",
        _asked(PLACE, round=1),
        "Your Conspiracy pays twice the influence that lies on it when you reveal it. "
        "So it goes out early, and waits.",
        Highlight(CONSPIRACY),
    ),
    _topic(
        "resolution",
        "The second part of a round",
        _happens(events.ResolutionBegan),
        "Everybody has placed. Now the Queue is resolved, card by card, from the start "
        "to the end. The line above the cards shows where it is: {red} is asked first.",
        Highlight(position=1),
    ),
    _topic(
        "leave-or-reveal",
        "Leave or reveal",
        _asked(LEAVE_OR_REVEAL, round=1),
        "{red} has left that card: 1 influence lies on it now. Each time a face-down "
        "card is left, it gathers 1. It is a bank, and nobody knows what it is.",
        Highlight(position=1),
        more=(
            LessonPage(
                "Your turn. Leave your card, and it gathers too; but if it is eliminated, all "
                "that lies on it is lost. Reveal it, and you take what lies on it, and it acts.",
                Highlight(CONSPIRACY, LEARNER),
            ),
        ),
    ),
    _topic(
        "banked",
        "Influence in the bank",
        _happens(events.Left, seat=LEARNER),
        "1 influence lies on your Conspiracy now. It is not yours yet: only what is "
        "in your pool counts in the end.",
        Highlight(CONSPIRACY, LEARNER),
    ),
    _topic(
        "heir",
        "The Heir",
        _happens(events.Gained, card=HEIR, seat=_GREEN),
        "{green} reveals an Heir. It gains 2 each time it is resolved, as long as no "
        "other Heir is face up.",
        Highlight(HEIR, _GREEN),
    ),
    _topic(
        "characters",
        "Characters and Intrigues",
        _happens(events.Gained, card=HEIR, seat=_GREEN),
        "The Heir is a Character, one of six. Characters stay face up and act again "
        "in every round. The four Intrigues act once, and are discarded.",
        Highlight(HEIR, _GREEN),
    ),
    _topic(
        "first-player",
        "The next round",
        _happens(events.RoundBegan, round=2),
        "Round 2 of 6. The Queue stays as it is. Who places first changes each round, "
        "clockwise: now it is you.",
        Highlight(seat=LEARNER),
    ),
    _topic(
        "shapeshifter",
        "The Shapeshifter",
        _asked(PLACE, round=2),
        "Your Shapeshifter does what a face-up Character beside it does. At the end of "
        "the Queue it stands beside {green}'s Heir: it can gain 2 as well.",
        Highlight(SHAPESHIFTER),
    ),
    _topic(
        "your-choice",
        "This one is up to you",
        _asked(LEAVE_OR_REVEAL, SHAPESHIFTER, 2),
        "Revealed, your Shapeshifter copies the Heir: 2 for you, now and perhaps "
        "again. Left, it gathers 1, and stays a secret. Both are good: you decide.",
        Highlight(SHAPESHIFTER, LEARNER),
    ),
    _topic(
        "archer",
        "The Archer",
        _happens(events.Eliminated, card=ARCHER, seat=_RED),
        "{red} reveals an Archer. It eliminates the first or the last card of the "
        "Queue, and will do so again in every round. Mind both ends!",
        Highlight(ARCHER, _RED),
    ),
    _topic(
        "elimination",
        "Eliminated",
        _happens(events.Eliminated, card=ARCHER, seat=_RED),
        "The attacker gains 1. The card is shown and out of the game, and what lay on "
        "it is lost: {green} had a Conspiracy with 1 on it. Banks are in danger.",
        Highlight(seat=_GREEN),
    ),
    _topic(
        "ambush",
        "The Ambush",
        _asked(PLACE, round=3),
        "The Archer shoots again this round: the place for your Ambush! If an "
        "opponent's card eliminates it you gain 4, and that card is discarded.",
        Highlight(AMBUSH),
    ),
    _topic(
        "soldier",
        "The Soldier",
        _happens(events.Eliminated, card=SOLDIER, seat=_GREEN),
        "{green} reveals a Soldier. It eliminates a card right beside it, in every "
        "round. {red} has lost an Heir, and the 2 that lay on it.",
        Highlight(SOLDIER, _GREEN),
    ),
    _topic(
        "copying",
        "Whom to copy?",
        _asked(SHAPESHIFTER),
        "Two face-up Characters stand beside your Shapeshifter now, and it must copy "
        "one: the Heir gains 2, the Archer shoots. A face-up card always has to act.",
        Highlight(SHAPESHIFTER, LEARNER),
    ),
    _topic(
        "aiming",
        "Whom to hit?",
        _asked(ARCHER),
        "Hit what brings others most, and gain 1. Beware of face-down cards: if it is "
        "an opponent's Ambush, they gain 4, and your own card is discarded.",
        Highlight(position=1),
    ),
    _topic(
        "ambush-sprung",
        "Ambush!",
        _happens(events.AmbushSprung, seat=LEARNER),
        "{red}'s Archer has shot your Ambush: you gain 4, and the Archer is gone. "
        "Because of this one card, everybody thinks twice about face-down cards.",
        Highlight(seat=LEARNER),
    ),
    _topic(
        "spy",
        "The Spy",
        _happens(events.Stole, card=SPY, seat=_RED),
        "{red} reveals a Spy. It steals 1 influence from a player with a card beside "
        "it: from you. It takes from your pool; what lies on cards is safe from it.",
        Highlight(SPY, _RED),
    ),
    _topic(
        "stacks",
        "Stacks",
        _asked(PLACE, round=4),
        "{green} has a new card beside your Conspiracy, on which 3 lie. Cover it! You "
        "may put a card on your own top card: only the top of a stack can be hit.",
        Highlight(CONSPIRACY, LEARNER),
    ),
    _topic(
        "royal-decree",
        "The Royal Decree",
        _asked(PLACE, round=4),
        "Your Royal Decree moves one card, anybody's, to another place. Then it is "
        "discarded, and what it covered is free again. A good cover for one round.",
        Highlight(ROYAL_DECREE),
    ),
    _topic(
        "moving",
        "Moving a card",
        _asked(ROYAL_DECREE),
        "First which card, then where to; never onto another card. Before your Decree "
        "it is not resolved any more this round. Behind it, it is, even if it was.",
        Highlight(ROYAL_DECREE, LEARNER),
    ),
    _topic(
        "cascade",
        "A cascade",
        _happens(events.Uncovered, seat=LEARNER),
        "The Decree has gone from its stack, so your Conspiracy comes to light, and "
        "is resolved next, at the same place. In one stack much can happen in a row.",
        Highlight(CONSPIRACY, LEARNER),
    ),
    _topic(
        "cashed",
        "Twice 3",
        _happens(events.Revealed, card=CONSPIRACY, seat=LEARNER),
        "6 influence for you, for three rounds of waiting and some care. The "
        "Conspiracy is an Intrigue, so it is discarded, and its place closes up.",
        Highlight(seat=LEARNER),
    ),
    _topic(
        "stealing",
        "Whom to steal from?",
        _asked(SPY),
        "Only one face-up Character is left beside your Shapeshifter, so it has copied "
        "the Spy by itself. Take 1 from one of its neighbours: best from who leads.",
        Highlight(SHAPESHIFTER, LEARNER),
    ),
    _topic(
        "lord",
        "The Lord",
        _happens(events.Gained, card=LORD, seat=_RED),
        "{red} reveals a Lord. It gains 1, and 1 more for each neighbour of its own "
        "family: beside {red}'s Spy that makes 2. A Lord likes company.",
        Highlight(LORD, _RED),
    ),
    _topic(
        "free",
        "You decide",
        _happens(events.RoundBegan, round=5),
        "Two rounds are left, and you know enough to win. From now on everything is up "
        "to you; I only say what speaks for one way or the other.",
    ),
    _topic(
        "assassination",
        "The Assassination",
        _happens(events.Eliminated, card=ASSASSINATION, seat=_GREEN),
        "{green} reveals an Assassination: it eliminates any one card, wherever it "
        "stands, and is discarded. Now you have met all ten cards.",
        Highlight(seat=_GREEN),
    ),
    _topic(
        "last-round",
        "The last round",
        _happens(events.RoundBegan, round=6),
        "The last round. One card stays in your hand in the end. Influence that still "
        "lies on cards will count for nothing: this is the time to reveal.",
    ),
    _topic(
        "end",
        "The end",
        _over,
        "Six rounds are over, and all cards lie open. The most influence in the pool "
        "wins. A tie goes to who has most cards in the Queue; still even, they share "
        "it.",
    ),
)
"""Everything that is explained, in the order in which it is told when several come up at once."""
