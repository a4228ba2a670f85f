"""The coach: in somebody's first games, a sentence on what each decision is about.

It explains and never ranks the choices. It goes of its own accord after `FIRST_GAMES` games,
unless the player has said whether they want it. What is kept lies in the user's state folder, and
a file that is missing, damaged or not to be written is as good as none.
"""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from platformdirs import user_state_path

from driflamme_tui.preferences.whole_file import whole_file

FIRST_GAMES: Final = 3
"""Games in which there is a coach unless the player has decided otherwise."""

FILE: Final = "games.json"


@dataclass(frozen=True, slots=True)
class Coaching:
    """How many games have been finished, and whether a coach is wanted."""

    games: int = 0
    wanted: bool | None = None
    """None until the player has said so."""

    @property
    def on(self) -> bool:
        """Whether there is a coach now."""
        return self.games < FIRST_GAMES if self.wanted is None else self.wanted

    def after_a_game(self) -> "Coaching":
        """Return what is kept once another game is finished."""
        return replace(self, games=self.games + 1)

    def toggled(self) -> "Coaching":
        """Return the contrary of what is now."""
        return replace(self, wanted=not self.on)


def _path() -> Path:
    return user_state_path("driflamme", appauthor=False) / FILE


def recall_coaching() -> Coaching:
    """Return what was kept last."""
    try:
        fields = json.loads(_path().read_text(encoding="utf-8"))
        games, wanted = fields["games"], fields["wanted"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Coaching()
    if not isinstance(games, int) or not (wanted is None or isinstance(wanted, bool)):
        return Coaching()
    return Coaching(max(0, games), wanted)


def keep_coaching(coaching: Coaching) -> None:
    """Keep it for the next game."""
    path = _path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path, force=True) as file:
            json.dump(asdict(coaching), file)
    except OSError:
        return
