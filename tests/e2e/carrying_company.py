"""Some players of one sealed game, each a process of its own; the one who hosts is killed."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any, Final, Self

NAMES: Final = ("Root", "Rosalind", "Orlando", "Celia", "Touchstone")


class Player:
    """A process of `carrying_player.py`, and what it has told."""

    def __init__(self, folder: Path, heard: "Queue[None]", name: str, *arguments: str) -> None:
        self.name = name
        self.told: list[dict[str, Any]] = []
        self._heard = heard
        here = folder / name
        here.mkdir(exist_ok=True)
        kinds = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
        with (here / "errors").open("a") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.carrying_player", name, *arguments],
                cwd=Path(__file__).resolve().parents[2],
                env={**os.environ, **{kind: str(here / kind) for kind in kinds}},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self.listening = Thread(target=self._listen, daemon=True)
        self.listening.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.told.append(json.loads(line))
            self._heard.put(None)

    def last(self, what: str) -> dict[str, Any]:
        """Return what was told last of a kind; nothing if that was never."""
        return next((each for each in reversed(self.told) if each["what"] == what), {})

    @property
    def is_back(self) -> bool:
        """Whether it has been welcomed since it lost its line last."""
        kinds = [each["what"] for each in reversed(self.told)]
        return "lost" in kinds and "welcome" in kinds[: kinds.index("lost")]

    @property
    def tips(self) -> list[str]:
        """The steps of its log, as was last told."""
        return list(self.last("log").get("tips", ()))


class Company:
    """Some players of one sealed game."""

    def __init__(self, folder: Path, players: int) -> None:
        """Start them all, and wait until the first card has been placed."""
        self._folder = folder
        self._size = players
        self._heard: Queue[None] = Queue()
        self.players = [self.start("Root")]
        self.until(lambda: bool(self.players[0].last("lobby").get("link")))
        self.players += [self.start(name, self.link) for name in NAMES[1:players]]
        self.until(lambda: all(player.tips for player in self.players))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for player in self.players:
            player.process.kill()
            player.process.wait()
            player.listening.join()
            assert player.process.stdout is not None
            player.process.stdout.close()

    def start(self, name: str, how: str = "") -> Player:
        """Start a player: to host, or to join by a link, or to resume."""
        more = [how] if how else []
        return Player(self._folder, self._heard, name, str(self._size), *more)

    @property
    def alive(self) -> list[Player]:
        """The players who were not killed."""
        return [player for player in self.players if player.process.poll() is None]

    @property
    def link(self) -> str:
        """The present invitation."""
        return str(self.host.last("lobby")["link"])

    @property
    def host(self) -> Player:
        """The player who hosts, as the last of them was last told."""
        name = self.players[-1].last("lobby").get("host", "Root")
        return next(player for player in self.alive if player.name == name)

    def until(self, happens: Callable[[], bool]) -> None:
        """Wait until something has happened, of which a player tells."""
        while not happens():
            self._heard.get()

    def kill_host(self) -> None:
        """Kill the host, and wait until all others are at a table again whose host is alive."""
        host = self.host
        host.process.send_signal(signal.SIGKILL)
        host.process.wait()
        # One who has only come back may host already.
        names = [each.name for each in self.alive]
        self.until(
            lambda: all(
                each.is_back and each.last("lobby").get("host") in names for each in self.alive
            )
        )
