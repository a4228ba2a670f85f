"""The coach: in somebody's first games, a sentence on what each decision is about.

It explains and never ranks the choices. It goes of its own accord after `FIRST_GAMES` games,
unless the player has said whether they want it.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from driflamme_tui.preferences.state_file import read_state, write_state

FIRST_GAMES: Final = 3
"""Number of games with a coach, unless the player has decided otherwise."""

FILE: Final = "games.json"
"""The name of the file that holds the count."""


class Coaching(Struct, frozen=True):
    """How many games have been finished, and whether a coach is wanted."""

    games: Annotated[int, Meta(ge=0)] = 0
    wanted: bool | None = None
    """Whether the player wants a coach; None until they have said so."""

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


def recall_coaching() -> Coaching:
    """Return what was kept last."""
    return read_state(FILE, Coaching, Coaching())


def keep_coaching(coaching: Coaching) -> None:
    """Keep it for the next game."""
    write_state(FILE, coaching)
