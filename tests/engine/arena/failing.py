"""Defines bots that give no answer; workers must report them."""

import os
import signal
import sys
import threading
from typing import Final

from engine.actions import Action
from engine.bots import Bot
from engine.views import View

FAILING: Final = f"{__name__}:Failing"
KILLING: Final = f"{__name__}:Killing"
TELLING: Final = f"{__name__}:Telling"


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
    """Raises an error that names the modules which its process has loaded."""

    name = "telling"

    def choose(self, view: View) -> Action:
        raise ValueError(" ".join(["loaded:", *{name.split(".")[0] for name in sys.modules}, "-"]))


def orphaned() -> None:
    """Kill the parent process, and run for ever."""
    os.kill(os.getppid(), signal.SIGKILL)
    threading.Event().wait()
