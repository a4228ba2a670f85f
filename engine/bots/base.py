"""What a bot is: something that answers a view with an action.

A bot is handed a `View` and nothing else, so it cannot cheat; it does no input or output, and
whatever it leaves to chance comes from the `random.Random` it was made with.
"""

from abc import ABC, abstractmethod
from random import Random
from typing import ClassVar

from engine.actions import Action
from engine.view import View


class Bot(ABC):
    """One seat's player in one game.

    A bot is made anew for each seat of each game, so it may remember what it has seen. A bot
    made with an equal `Random` and shown equal views gives equal answers.
    """

    name: ClassVar[str]
    """What the lobby and the command line call it."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    @abstractmethod
    def choose(self, view: View) -> Action:
        """Return one of the answers in `view.legal`, of which there are two or more.

        The view is that of the seat being asked: `view.viewer == view.turn`. It is the bot's to
        keep and to change.
        """
