"""What is explained in the guided first game, and what brings each explanation up.

A topic is data: a condition on what has just happened and what is asked now, some pages of text,
and what each page points at. Each topic comes up once in every game that follows
`lesson_script.py`. Pages are short: in every language one has at most four rows of a small
terminal.
"""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from msgspec import Struct

from driflamme_tui.alone.lesson_script import LEARNER
from driflamme_tui.text.i18n import prose
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

    text: str
    at: Highlight | None = None


class Topic(Struct, frozen=True):
    """Something that is explained once."""

    id: str
    title: str
    when: When
    at: tuple[Highlight | None, ...]
    """What each of its pages speaks of."""

    @property
    def pages(self) -> tuple[LessonPage, ...]:
        """The pages that `prose/tutor.md` has under its title."""
        pages = zip(prose("tutor")[self.title], self.at, strict=True)
        return tuple(LessonPage(text, at) for text, at in pages)


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


def _topic(id: str, title: str, when: When, *at: Highlight | None) -> Topic:
    """Return a topic with a page for each thing that it speaks of, or with one that has none."""
    return Topic(id, title, when, at or (None,))


_RED, _GREEN = 1, 2
"""The seats of the opponents."""

TOPICS: Final[tuple[Topic, ...]] = (
    _topic(
        "welcome",
        "Welcome!",
        _happens(events.RoundBegan, round=1),
        None,
        Highlight(seat=LEARNER),
        Highlight(CONSPIRACY),
        Highlight(seat=_GREEN),
    ),
    _topic("placing", "Placing a card", _asked(PLACE, round=1), Highlight(position=1)),
    _topic("conspiracy", "The Conspiracy", _asked(PLACE, round=1), Highlight(CONSPIRACY)),
    _topic(
        "resolution",
        "The second part of a round",
        _happens(events.ResolutionBegan),
        Highlight(position=1),
    ),
    _topic(
        "leave-or-reveal",
        "Leave or reveal",
        _asked(LEAVE_OR_REVEAL, round=1),
        Highlight(position=1),
        Highlight(CONSPIRACY, LEARNER),
    ),
    _topic(
        "banked",
        "Influence in the bank",
        _happens(events.Left, seat=LEARNER),
        Highlight(CONSPIRACY, LEARNER),
    ),
    _topic(
        "heir", "The Heir", _happens(events.Gained, card=HEIR, seat=_GREEN), Highlight(HEIR, _GREEN)
    ),
    _topic(
        "characters",
        "Characters and Intrigues",
        _happens(events.Gained, card=HEIR, seat=_GREEN),
        Highlight(HEIR, _GREEN),
    ),
    _topic(
        "first-player",
        "The next round",
        _happens(events.RoundBegan, round=2),
        Highlight(seat=LEARNER),
    ),
    _topic("shapeshifter", "The Shapeshifter", _asked(PLACE, round=2), Highlight(SHAPESHIFTER)),
    _topic(
        "your-choice",
        "This one is up to you",
        _asked(LEAVE_OR_REVEAL, SHAPESHIFTER, 2),
        Highlight(SHAPESHIFTER, LEARNER),
    ),
    _topic(
        "archer",
        "The Archer",
        _happens(events.Eliminated, card=ARCHER, seat=_RED),
        Highlight(ARCHER, _RED),
    ),
    _topic(
        "elimination",
        "Eliminated",
        _happens(events.Eliminated, card=ARCHER, seat=_RED),
        Highlight(seat=_GREEN),
    ),
    _topic("ambush", "The Ambush", _asked(PLACE, round=3), Highlight(AMBUSH)),
    _topic(
        "soldier",
        "The Soldier",
        _happens(events.Eliminated, card=SOLDIER, seat=_GREEN),
        Highlight(SOLDIER, _GREEN),
    ),
    _topic("copying", "Whom to copy?", _asked(SHAPESHIFTER), Highlight(SHAPESHIFTER, LEARNER)),
    _topic("aiming", "Whom to hit?", _asked(ARCHER), Highlight(position=1)),
    _topic(
        "ambush-sprung",
        "Ambush!",
        _happens(events.AmbushSprung, seat=LEARNER),
        Highlight(seat=LEARNER),
    ),
    _topic("spy", "The Spy", _happens(events.Stole, card=SPY, seat=_RED), Highlight(SPY, _RED)),
    _topic("stacks", "Stacks", _asked(PLACE, round=4), Highlight(CONSPIRACY, LEARNER)),
    _topic("royal-decree", "The Royal Decree", _asked(PLACE, round=4), Highlight(ROYAL_DECREE)),
    _topic("moving", "Moving a card", _asked(ROYAL_DECREE), Highlight(ROYAL_DECREE, LEARNER)),
    _topic(
        "cascade",
        "A cascade",
        _happens(events.Uncovered, seat=LEARNER),
        Highlight(CONSPIRACY, LEARNER),
    ),
    _topic(
        "cashed",
        "Twice 3",
        _happens(events.Revealed, card=CONSPIRACY, seat=LEARNER),
        Highlight(seat=LEARNER),
    ),
    _topic("stealing", "Whom to steal from?", _asked(SPY), Highlight(SHAPESHIFTER, LEARNER)),
    _topic(
        "lord", "The Lord", _happens(events.Gained, card=LORD, seat=_RED), Highlight(LORD, _RED)
    ),
    _topic("free", "You decide", _happens(events.RoundBegan, round=5)),
    _topic(
        "assassination",
        "The Assassination",
        _happens(events.Eliminated, card=ASSASSINATION, seat=_GREEN),
        Highlight(seat=_GREEN),
    ),
    _topic("last-round", "The last round", _happens(events.RoundBegan, round=6)),
    _topic("end", "The end", _over),
)
"""Everything that is explained, in the order in which it is told when several come up at once."""


IDS: Final = frozenset(topic.id for topic in TOPICS)
"""The ids of all topics."""


class Tutor:
    """Knows what the learner has read, and what there is to read now."""

    def __init__(self, told: Iterable[str] = ()) -> None:
        """Begin with the topics that have been read already, by id."""
        self._told = dict.fromkeys(told)
        self._unread: list[tuple[Topic, int]] = []

    @property
    def told(self) -> tuple[str, ...]:
        """The topics that have been read, in that order."""
        return tuple(self._told)

    @property
    def topic(self) -> Topic | None:
        """What there is to read now, if there is anything."""
        return self._unread[0][0] if self._unread else None

    @property
    def page(self) -> LessonPage | None:
        """The page that is open."""
        if not self._unread:
            return None
        topic, number = self._unread[0]
        return topic.pages[number]

    def update(self, now: Situation) -> None:
        """Add the topics that what has just happened brings up."""
        waiting = {topic.id for topic, _ in self._unread}
        for topic in TOPICS:
            if topic.id not in self._told and topic.id not in waiting and topic.when(now):
                self._unread += [(topic, number) for number in range(len(topic.pages))]

    def turn(self) -> None:
        """Go on to the next page."""
        if self._unread:
            topic, _ = self._unread.pop(0)
            if self.topic is not topic:
                self._told[topic.id] = None
