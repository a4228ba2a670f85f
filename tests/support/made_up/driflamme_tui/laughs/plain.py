"""Laughs line by line: `laugh`, in the lobby and in a game."""

from typing import Final

from netcode.wings.laughs.messages import Laugh  # type: ignore[import-not-found]

from driflamme_tui.plain.wing_lines import WingLines

SEAM: Final = WingLines(
    in_lobby={"laugh": Laugh()},
    in_game={"laugh": Laugh()},
    topics={"chat": ("laugh: laugh at the table.",)},
    messages=(Laugh,),
    words=("laugh", "laughs"),
)
