"""Bots that do not answer, for the workers that must say so."""

import os
import signal
import sys
import threading
from typing import Final

from engine.actions import Action
from engine.bots import Bot
from engine.views import View

FAILING: Final = f"{__name__}:Failing"
"""What an arena calls the first of them."""
KILLING: Final = f"{__name__}:Killing"
"""Likewise."""
TELLING: Final = f"{__name__}:Telling"
"""Likewise."""


class Failing(Bot):
    name = "failing"

    def choose(self, view: View) -> Action:
        raise ValueError("{oh no}")


class Killing(Bot):
    name = "killing"

    def choose(self, view: View) -> Action:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


class Telling(Bot):
    """Tells what the process in which it plays has loaded."""

    name = "telling"

    def choose(self, view: View) -> Action:
        raise ValueError(" ".join(["loaded:", *{name.split(".")[0] for name in sys.modules}, "-"]))


def orphaned() -> None:
    """Kill who started this process, and go on forever."""
    os.kill(os.getppid(), signal.SIGKILL)
    threading.Event().wait()
