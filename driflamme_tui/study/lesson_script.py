"""Contains the script of the guided first game: the deal, the answers, and the explanations.

The first four rounds follow the script, so that every kind of event occurs. After them the learner
is free, and so are opponents without a scripted answer. Each topic is explained once in a game.
`prose/tutor.md` has the topic's pages under its title. A page fits into four rows of a small
terminal in every language.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final

from msgspec import Struct

from driflamme_tui.text.i18n import prose
from engine.actions import ACTIONS, Action
from engine.bots.steady_bot import Steady
from engine.cards import Seat
from engine.edition import SECOND_EDITION
from engine.events import Event
from engine.game import Deal
from engine.position import Position
from engine.texts import Text
from engine.views import View

SCRIPT: Final = 2
"""The version of the lesson's script.

It rises when lessons that began with the former version cannot be finished.
"""

LEARNER: Final[Seat] = 0

DEAL: Final = Deal(
    edition=SECOND_EDITION,
    families="brg",
    # Green begins, so that the learner can choose among several spots for the first card.
    first=2,
    hands=("SHFLDMC", "ASPHLDC", "ASPHLXC"),
    aside=("APX", "FXM", "FDM"),
)

OPPONENTS: Final = {"r": "Aubin", "g": "Berthe"}
"""The names of the opponents, by family."""


def moment_of(position: Position) -> str:
    """Return the key of a position's question: the round, the question, and the resolving card."""
    card = "" if position.at < 0 else position.queue[position.at][1]
    return f"{position.round}{position.question}{card}"


ANSWERS: Final = {
    "g 1*": "H>",
    "r 1*": "H<",
    "r 1?H": "+",
    "g 1?H": "!",
    "r 2*": "A>",
    "g 2*": "C<",
    "g 2?C": "+",
    "r 2?H": "+",
    "r 2?A": "!",
    "r 2AA": "x1",
    "r 3*": "P>",
    "g 3*": "S<",
    "g 3?S": "!",
    "r 3AA": "x6",
    "r 3?P": "!",
    "g 4*": "A<",
    "r 4*": "L>",
    "g 4?A": "+",
    "r 4PP": "$b",
    "r 4?L": "!",
    # Green places last, at the start, so that this card always resolves first.
    "g 5*": "X<",
    "g 5?X": "!",
}
"""The opponents' scripted answers, by family and moment."""


class Task(Struct, frozen=True):
    """A decision in which the learner can play only certain answers."""

    answers: tuple[str, ...]
    """Tokens of the accepted answers. The first is suggested."""
    goal: Text
    """The goal of the task and its reason, for the learner."""
    declined: Text
    """The reason why other answers are refused, and a hint."""
    misplaced: Text = ""
    """The reason why the right card is refused at another spot; "" if every spot is right."""


TASKS: Final[dict[str, Task]] = {
    "1*": Task(
        ("C<",),
        "Place your Conspiracy at the start of the Queue.",
        "A fine card for later. The Conspiracy needs time, so play that first.",
        "The end will soon be dangerous. This time, put it at the start.",
    ),
    "1?C": Task(
        ("+",),
        "Nothing lies on your Conspiracy yet, and twice nothing is nothing. Leave it.",
        "Now it would pay twice nothing. Leave it, so that influence gathers on it.",
    ),
    "2*": Task(
        ("F>",),
        "Place your Shapeshifter at the end, beside {green}'s Heir.",
        "Good, but later. Now play the Shapeshifter: there is an Heir to copy.",
        "The Heir would not be its neighbour there. Put it at the end.",
    ),
    "2?C": Task(
        ("+",),
        "1 lies on your Conspiracy. Be patient and leave it: 2 on it will be worth 4.",
        "It would bring 2 now. It will bring much more: leave it.",
    ),
    "3*": Task(
        ("M>",),
        "Place your Ambush at the end, where the Archer can hit it.",
        "Not yet: an Archer is about to shoot, and the Ambush is your answer to it.",
        "The Archer stands near the end and likes to aim there. Put your Ambush at the end.",
    ),
    "3?C": Task(
        ("+",),
        "{green}'s Soldier stands beside your Conspiracy! You will deal with it in a moment: "
        "leave the card, and 3 lie on it.",
        "Dare to leave it once more: in a moment you can get rid of that Soldier.",
    ),
    "3?F": Task(
        ("!",),
        "Reveal your Shapeshifter: you get what lies on it, and it can help you now.",
        "Left, it could not save your Conspiracy from the Soldier. Reveal it.",
    ),
    "3FF": Task(
        ("~5",),
        "Copy the Archer: the Soldier at the start would strike your Conspiracy next round.",
        "The Heir would bring 2, but the Soldier would cost you the Conspiracy. Copy the Archer.",
    ),
    "3AF": Task(
        ("x1",),
        "Shoot the first card, {green}'s Soldier.",
        "That is your own Ambush: it would bring you only 1, and be gone. Shoot the first card.",
    ),
    "4*": Task(
        ("D^2",),
        "Put your Royal Decree on your own Conspiracy.",
        "That can wait. The Conspiracy needs a cover that soon goes away: the Royal Decree.",
        "There it would protect nothing. Put it on your own Conspiracy, at 2.",
    ),
    "4?D": Task(
        ("!",),
        "Left, it would gather 1. Revealed, it acts, and frees the card beneath: reveal it.",
        "As long as it lies there your Conspiracy cannot pay. Reveal the Royal Decree.",
    ),
    "4DD": Task(
        ("3>1",),
        "Move {green}'s Heir to the start: before the Decree it earns nothing this round.",
        "That may be useful another time. Now take {green}'s Heir, at 3.",
        "Choose 1, the start: there it earns nothing this round, and stands far from yours.",
    ),
    "4?C": Task(
        ("!",),
        "3 lie on your Conspiracy: revealed now, it pays 6. Take them!",
        "It is uncovered now, and 6 are yours if you take them. Reveal it.",
    ),
}
"""The learner's tasks in the guided rounds, by moment. At other moments the learner is free."""


def opponents_answer(view: View, step: int) -> Action:
    """Return the scripted answer of the asked opponent; without a script, the bot Steady's answer.

    The same view and step always give the same answer.

    Args:
        view: The view of the asked opponent.
        step: Number of answers so far.
    """
    written = ANSWERS.get(f"{view.families[view.turn]} {moment_of(view)}")
    if written is not None and ACTIONS[written] in view.legal:
        return ACTIONS[written]
    return Steady(Random(step)).choose(view)


def task_at(view: View) -> Task | None:
    """Return the learner's present task.

    Returns None if the learner is free or is not asked, or if an answer of the task is not legal.
    """
    if view.viewer != view.turn or view.over:
        return None
    task = TASKS.get(moment_of(view))
    legal = {str(action) for action in view.legal}
    return task if task is not None and legal.issuperset(task.answers) else None


# Explanations

TOPICS: Final = {
    "Welcome!": ("RoundBegan 1", "- b C g"),
    "Placing a card": ("asked:* 1", "1"),
    "The Conspiracy": ("asked:* 1", "C"),
    "The second part of a round": ("ResolutionBegan", "1"),
    "Leave or reveal": ("asked:? 1", "1 bC"),
    "Influence in the bank": ("Left b", "bC"),
    "The Heir": ("Gained g H", "gH"),
    "Characters and Intrigues": ("Gained g H", "gH"),
    "The next round": ("RoundBegan 2", "b"),
    "The Shapeshifter": ("asked:* 2", "F"),
    "This one is up to you": ("asked:? 2 F", "bF"),
    "The Archer": ("Eliminated r A", "rA"),
    "Eliminated": ("Eliminated r A", "g"),
    "The Ambush": ("asked:* 3", "M"),
    "The Soldier": ("Eliminated g S", "gS"),
    "Whom to copy?": ("asked:F", "bF"),
    "Whom to hit?": ("asked:A", "1"),
    "Ambush!": ("AmbushSprung b", "b"),
    "The Spy": ("Stole r P", "rP"),
    "Stacks": ("asked:* 4", "bC"),
    "The Royal Decree": ("asked:* 4", "D"),
    "Moving a card": ("asked:D", "bD"),
    "A cascade": ("Uncovered b", "bC"),
    "Twice 3": ("Revealed b C", "b"),
    "Whom to steal from?": ("asked:P", "bF"),
    "The Lord": ("Gained r L", "rL"),
    "You decide": ("RoundBegan 5", "-"),
    "The Assassination": ("Eliminated g X", "g"),
    "The last round": ("RoundBegan 6", "-"),
    "The end": ("over", "-"),
}
"""All topics by title, in the order of explanation.

The first value is a list of words. The topic begins at the first fact of `facts` that has all of
them. The second value has one word for each page. It names the thing that the page explains:

- a family, such as `b`;
- a card of the learner's hand, such as `C`;
- a card in the Queue, as family and card (`bC`) or as a position (`1`);
- `-` for nothing.
"""


def facts(view: View, events: Iterable[Event]) -> Iterator[set[str]]:
    """Yield the facts that the learner sees now, each as a set of words for `TOPICS`.

    Args:
        view: The learner's view.
        events: The events since the last answer.
    """
    for event in events:
        words = {type(event).__name__}
        words |= {str(getattr(event, name, "")) for name in ("round", "card")}
        seat: Seat | None = getattr(event, "seat", None)
        yield words if seat is None else words | {view.families[seat]}
    if view.over:
        yield {"over"}
    elif view.turn == LEARNER:
        yield {f"asked:{view.question}", *moment_of(view)}


class LessonPage(Struct, frozen=True):
    """A few sentences to read at once."""

    topic: str
    text: str
    at: str
    """The thing that the page explains, as in `TOPICS`. The table marks it."""


def pages_of(topic: str) -> list[LessonPage]:
    """Return the pages of a topic."""
    texts, at = prose("tutor")[topic], TOPICS[topic][1].split()
    return [LessonPage(topic, text, each) for text, each in zip(texts, at, strict=True)]


class Tutor:
    """The topics that the learner has read, and the topics to read now."""

    def __init__(self, topics: Sequence[str] = ()) -> None:
        """Begin with topics that were read already."""
        self.topics = tuple(topics)
        """The read topics, in order."""
        self._unread: list[LessonPage] = []

    @property
    def page(self) -> LessonPage | None:
        """The open page; None if no page is unread."""
        return next(iter(self._unread), None)

    def update(self, view: View, events: Iterable[Event]) -> None:
        """Open the topics that begin now, by the latest events or by the present question.

        A topic that was opened before is not opened again.
        """
        now = list(facts(view, events))
        begun = {*self.topics, *(page.topic for page in self._unread)}
        for topic, (when, _at) in TOPICS.items():
            if topic not in begun and any(fact.issuperset(when.split()) for fact in now):
                self._unread += pages_of(topic)

    def turn(self) -> bool:
        """Turn the open page. Return True if it was the last page of its topic."""
        topic = self._unread.pop(0).topic
        if self.page is not None and self.page.topic == topic:
            return False
        self.topics = (*self.topics, topic)
        return True
