"""Who plays what in the guided first game: the deal, the opponents' answers, the learner's tasks.

The first four rounds are played as written here, so that all there is to see comes up; from then
on the learner is free, and so are the opponents wherever nothing is written for them.
"""

from random import Random
from typing import Final

from msgspec import Struct

from driflamme_tui.text.i18n import Text
from engine.actions import ACTIONS, Action
from engine.bots.steady import Steady
from engine.cards import (
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
    Family,
    Seat,
)
from engine.edition import SECOND_EDITION
from engine.game import Deal
from engine.position import LEAVE_OR_REVEAL, PLACE, Position
from engine.view import View

SCRIPT: Final = 1
"""The version of the lesson: goes up when one that was begun could not be finished."""

LEARNER: Final[Seat] = 0
"""The seat of the learner."""

DEAL: Final = Deal(
    edition=SECOND_EDITION,
    families="brg",
    # Green begins, so that the learner's first card has a place to be chosen.
    first=2,
    hands=("SHFLDMC", "ASPHLDC", "ASPHLXC"),
    aside=("APX", "FXM", "FDM"),
)
"""The deal of the lesson."""

OPPONENTS: Final = {"r": "Aubin", "g": "Berthe"}
"""The names of the opponents, by family."""


class Moment(Struct, frozen=True):
    """A question that comes up in the game."""

    round: int
    asked: str
    """What is asked: `PLACE`, `LEAVE_OR_REVEAL` or the letter of an ability."""
    card: Card = ""
    """The card that is being resolved; none while cards are placed."""


def moment_of(position: Position) -> Moment:
    """Return which question a position asks."""
    card = "" if position.at < 0 else position.queue[position.at][1]
    return Moment(position.round, position.asked, card)


ANSWERS: Final[dict[tuple[Family, Moment], str]] = {
    ("g", Moment(1, PLACE)): "H>",
    ("r", Moment(1, PLACE)): "H<",
    ("r", Moment(1, LEAVE_OR_REVEAL, HEIR)): "+",
    ("g", Moment(1, LEAVE_OR_REVEAL, HEIR)): "!",
    ("r", Moment(2, PLACE)): "A>",
    ("g", Moment(2, PLACE)): "C<",
    ("g", Moment(2, LEAVE_OR_REVEAL, CONSPIRACY)): "+",
    ("r", Moment(2, LEAVE_OR_REVEAL, HEIR)): "+",
    ("r", Moment(2, LEAVE_OR_REVEAL, ARCHER)): "!",
    ("r", Moment(2, ARCHER, ARCHER)): "x1",
    ("r", Moment(3, PLACE)): "P>",
    ("g", Moment(3, PLACE)): "S<",
    ("g", Moment(3, LEAVE_OR_REVEAL, SOLDIER)): "!",
    ("r", Moment(3, ARCHER, ARCHER)): "x6",
    ("r", Moment(3, LEAVE_OR_REVEAL, SPY)): "!",
    ("g", Moment(4, PLACE)): "A<",
    ("r", Moment(4, PLACE)): "L>",
    ("g", Moment(4, LEAVE_OR_REVEAL, ARCHER)): "+",
    ("r", Moment(4, SPY, SPY)): "$b",
    ("r", Moment(4, LEAVE_OR_REVEAL, LORD)): "!",
    # Green places last and goes to the start: whatever the learner does, this is resolved first.
    ("g", Moment(5, PLACE)): "X<",
    ("g", Moment(5, LEAVE_OR_REVEAL, ASSASSINATION)): "!",
}
"""What the opponents answer, where that is laid down."""


class Task(Struct, frozen=True):
    """What the learner is asked to try, and cannot do otherwise."""

    answers: tuple[str, ...]
    """Tokens of which each will do; the first is suggested."""
    goal: Text
    """What to do and why, in words for the learner."""
    declined: Text
    """Why anything else is not played, and how to go on."""
    misplaced: Text = ""
    """Why the right card is not played at another place."""


TASKS: Final[dict[Moment, Task]] = {
    Moment(1, PLACE): Task(
        ("C<",),
        "Place your Conspiracy at the start of the Queue.",
        "A fine card for later. The Conspiracy needs time, so take that first.",
        "The end will soon be dangerous. This time, put it at the start.",
    ),
    Moment(1, LEAVE_OR_REVEAL, CONSPIRACY): Task(
        ("+",),
        "Nothing lies on your Conspiracy yet, and twice nothing is nothing. Leave it.",
        "Now it would pay twice nothing. Leave it, so that influence gathers on it.",
    ),
    Moment(2, PLACE): Task(
        ("F>",),
        "Place your Shapeshifter at the end, beside {green}'s Heir.",
        "Good, but later. Now take the Shapeshifter: there is an Heir to copy.",
        "The Heir would not be its neighbour there. Put it at the end.",
    ),
    Moment(2, LEAVE_OR_REVEAL, CONSPIRACY): Task(
        ("+",),
        "1 lies on your Conspiracy. Be patient and leave it: 2 on it will be worth 4.",
        "It would bring 2 now. It will bring much more: leave it.",
    ),
    Moment(3, PLACE): Task(
        ("M>",),
        "Place your Ambush at the end, where the Archer can hit it.",
        "Not yet: an Archer is about to shoot, and the Ambush is your answer to it.",
        "The Archer stands near the end and likes to aim there. Put your Ambush at the end.",
    ),
    Moment(3, LEAVE_OR_REVEAL, CONSPIRACY): Task(
        ("+",),
        (
            "{green}'s Soldier stands beside your Conspiracy! You will deal with it in a moment: "
            "leave the card, and 3 lie on it."
        ),
        "Dare to leave it once more: in a moment you can get rid of that Soldier.",
    ),
    Moment(3, LEAVE_OR_REVEAL, SHAPESHIFTER): Task(
        ("!",),
        "Reveal your Shapeshifter: you get what lies on it, and it can help you now.",
        "Left, it could not save your Conspiracy from the Soldier. Reveal it.",
    ),
    Moment(3, SHAPESHIFTER, SHAPESHIFTER): Task(
        ("~5",),
        "Copy the Archer: the Soldier at the start would strike your Conspiracy next round.",
        "The Heir would bring 2, but the Soldier would cost you the Conspiracy. Copy the Archer.",
    ),
    Moment(3, ARCHER, SHAPESHIFTER): Task(
        ("x1",),
        "Shoot the first card, {green}'s Soldier.",
        "That is your own Ambush: it would bring you only 1, and be gone. Shoot the first card.",
    ),
    Moment(4, PLACE): Task(
        ("D^2",),
        "Put your Royal Decree on your own Conspiracy.",
        "That can wait. The Conspiracy needs a cover that soon leaves again: the Royal Decree.",
        "There it would protect nothing. Put it on your own Conspiracy, at 2.",
    ),
    Moment(4, LEAVE_OR_REVEAL, ROYAL_DECREE): Task(
        ("!",),
        "Left, it would gather 1. Revealed, it acts, and frees the card beneath: reveal it.",
        "As long as it lies there your Conspiracy cannot pay. Reveal the Royal Decree.",
    ),
    Moment(4, ROYAL_DECREE, ROYAL_DECREE): Task(
        ("3>1",),
        "Move {green}'s Heir to the start: before the Decree it earns nothing this round.",
        "That may be useful another time. Now take {green}'s Heir, at 3.",
        "Choose 1, the start: there it earns nothing this round, and stands far from yours.",
    ),
    Moment(4, LEAVE_OR_REVEAL, CONSPIRACY): Task(
        ("!",),
        "3 lie on your Conspiracy: revealed now, it pays 6. Take them!",
        "It is uncovered now, and 6 are yours if you take them. Reveal it.",
    ),
}
"""What the learner does in the guided rounds. What is asked there and is not here is free."""


def opponents_answer(view: View, step: int) -> Action:
    """Return an answer to a view of an opponent who is asked; the same one every time.

    It is as written in the script, and sensible where nothing is.

    Args:
        view: What the one who is asked may know.
        step: How many answers there have been.
    """
    written = ANSWERS.get((view.families[view.turn], moment_of(view)))
    if written is not None and ACTIONS[written] in view.legal:
        return ACTIONS[written]
    return Steady(Random(step)).choose(view)


def task_at(view: View) -> Task | None:
    """Return what the learner is asked to try now; None where they are free, or not asked."""
    if view.viewer != view.turn or view.over:
        return None
    task = TASKS.get(moment_of(view))
    legal = {str(action) for action in view.legal}
    return task if task is not None and legal.issuperset(task.answers) else None
