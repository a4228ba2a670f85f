"""A worker with bots that are slow or fail. Tests run it instead of `worker_main.py`."""

import os
from typing import ClassVar, Never

from engine.bots import BOTS, Bot, SearchingBot, Weighed
from engine.views import View
from netcode.workers import worker_main


class Patient(SearchingBot):
    """Thinks for the allowed time, and weighs all answers equally."""

    name = "patient"
    iterations: ClassVar[int] = 1

    def weigh(self, view: View) -> tuple[Weighed, ...]:
        made = 0
        while self.goes_on(made):
            made += 1
        return tuple(Weighed(each, 0.5, made) for each in view.legal)


class Deaf(Bot):
    """Thinks for ever, and never answers."""

    name = "deaf"

    def choose(self, view: View) -> Never:
        while True:
            pass


class Mortal(Bot):
    """Kills its process."""

    name = "mortal"

    def choose(self, view: View) -> Never:
        os._exit(1)


class Greedy(Bot):
    """Prints a secret, and raises the error of a machine without memory."""

    name = "greedy"

    def choose(self, view: View) -> Never:
        print("SECRET", view.hands)
        raise MemoryError(f"SECRET {view.hands}")


ODD: tuple[type[Bot], ...] = (Patient, Deaf, Mortal, Greedy)

if __name__ == "__main__":
    BOTS.update({bot.name: f"{__name__}:{bot.__name__}" for bot in ODD})
    worker_main.main()
