"""How long a sealed table stands still when the machine of its host is gone, and what moving costs.

Each player is a process of its own, on loopback addresses. The one that hosts is killed at a random
moment of a game, twice in a row where five play. Seconds are from the kill to when a player who is
left may answer again.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final, Self

from scripts.lib.figures import Figure, percentile

NAMES: Final = ("Root", "Rosalind", "Orlando", "Celia", "Touchstone")

PATIENCE_S: Final = 60.0
"""Seconds after which what does not happen has failed."""

LOOK_S: Final = 0.02
"""Seconds between two looks at what players have told."""


class Player:
    """A process of `carrying_player.py`, and what it has told."""

    def __init__(self, folder: Path, name: str, *arguments: str) -> None:
        self.name = name
        self.told: list[dict[str, Any]] = []
        here = folder / name
        here.mkdir(exist_ok=True)
        kinds = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
        root = Path(__file__).resolve().parents[2]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "scripts.lib.carrying_player", name, *arguments],
            cwd=root,
            env={**os.environ, **{kind: str(here / kind) for kind in kinds}},
            stdout=subprocess.PIPE,
            stderr=(here / "errors").open("a"),
            text=True,
        )
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.told.append(json.loads(line))

    def last(self, what: str) -> dict[str, Any]:
        """Return what was told last of a kind; nothing if that was never."""
        return next((each for each in reversed(self.told) if each["what"] == what), {})

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

    def start(self, name: str, how: str = "") -> Player:
        """Start a player: to host, or to join by a link, or to resume."""
        return Player(self._folder, name, str(self._size), *([how] if how else []))

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

    def until(self, happens: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
        """Wait until something has happened; raises TimeoutError."""
        late = time.monotonic() + patience_s
        while not happens():
            if time.monotonic() > late:
                raise TimeoutError
            time.sleep(LOOK_S)

    def kill_host(self) -> list[float]:
        """Kill the host; return after how many seconds each of the others could go on."""
        host = self.host
        host.process.send_signal(signal.SIGKILL)
        at = time.monotonic()
        host.process.wait()

        def there(player: Player) -> bool:
            """Return whether somebody plays on; one who has only come back may host already."""
            lobby, lost = player.last("lobby"), player.last("lost")
            is_back = player.last("welcome").get("at", 0) > lost.get("at", 0)
            return is_back and lobby.get("host") in [each.name for each in self.alive]

        self.until(lambda: all(map(there, self.alive)))
        welcomes = [player.last("welcome")["at"] - at for player in self.alive]
        return [seconds for seconds in welcomes if seconds > 0]


def measure(short: bool) -> list[Figure]:
    """Return the seconds, and how many bytes a log is that each is sent who comes."""
    rng = Random(1)
    seconds: list[float] = []
    sizes: list[float] = []
    for players, kills in [(3, 1)] if short else [(3, 1), (5, 2)] * 5:
        with TemporaryDirectory() as folder, Company(Path(folder), players) as company:
            for _ in range(kills):
                time.sleep(rng.uniform(0.2, 1.5))
                seconds += company.kill_host()
                sizes.append(company.players[-1].last("log")["bytes"])
    return [
        Figure("standstill_p50", percentile(seconds, 50), "s"),
        Figure("standstill_p99", percentile(seconds, 99), "s"),
        Figure("standstill_max", max(seconds), "s"),
        Figure("log_p50", percentile(sizes, 50), "bytes"),
    ]
