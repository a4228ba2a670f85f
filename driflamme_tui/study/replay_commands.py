"""The commands of a replay."""

from typing import TYPE_CHECKING, Final

from driflamme_tui.keymap.command_type import Command, one_line
from driflamme_tui.keymap.screen_commands import ScreenCommands
from driflamme_tui.keymap.table_commands import depths
from engine.cards import FAMILIES

if TYPE_CHECKING:
    pass

SPEEDS: Final = "12345"
"""Keys of the speeds of a replay, from the slowest."""


class ReplayCommands(ScreenCommands, prefix="replay"):
    """The commands of a replay."""

    back = Command("left", "step(-1)", "go a step back, or on", "step", repeats=True)
    on = Command("right", "step(1)", "go a step on", "step", row=back, repeats=True)
    round_back = Command("pageup", "round(-1)", "go a round back, or on", "round", repeats=True)
    round_on = Command(
        "pagedown", "round(1)", "go a round on", "round", row=round_back, repeats=True
    )
    first = Command("home", "edge(-1)", "go to the deal, or to the end", listed=False, repeats=True)
    last = Command("end", "edge(1)", "go to the end", row=first, listed=False, repeats=True)
    play = Command("space", "play", "let the game play by itself, or stop", "play")
    speed = one_line(
        "replay.speed", SPEEDS, "speed({})".format, "how fast the game plays by itself"
    )
    elimination = Command(
        "x",
        "elimination(1)",
        "go to the next elimination, or to the one before",
        "elimination",
        repeats=True,
    )
    elimination_back = Command(
        "X", "elimination(-1)", "go to the elimination before", row=elimination, repeats=True
    )
    turning = Command(
        "n",
        "turning(1)",
        "go to the next decisive moment, or to the one before",
        "moment",
        repeats=True,
    )
    turning_back = Command(
        "N", "turning(-1)", "go to the decisive moment before", row=turning, repeats=True
    )
    find = Command("/", "find", "find a decision by its notation", "find")
    eyes = one_line(
        "replay.eyes", FAMILIES, "eyes('{}')".format, "see it as a family sees it", shifted=True
    )
    all = Command("l", "eyes('all')", "see all cards open", "all open")
    public = Command("u", "eyes('public')", "see what everybody at the table could see")
    other_eyes = Command("tab", "other_eyes", "change the view", "view")
    answers = Command("a", "answers", "see what could be answered here", "answers")
    position = Command("p", "position", "see the position in notation, and copy it", "position")
    chart = Command("c", "chart", "see how influence went, or the cards again", "chart")
    board = Command(
        "enter",
        "board",
        "play on from here, with all cards or with one family's",
        "play on",
    )
    teach = Command(
        "t", "teach", "learn what the strongest bot would have played, or stop that", "teacher"
    )
    why = Command(
        "w",
        "why",
        "read all that the teacher says of the last decision",
        "why",
    )
    look = Command("i", "look", "look at cards with the arrow keys", "look")
    up, down = depths()
    known = Command("k", "known", "show what is known of every card", "known")
    events = Command("e", "events", "show all events of this game", "events")
    size = Command("z", "size", "change the size of the cards", "size")
    save = Command("s", "save", "save the record of the game to a file", "save")
    share = Command("h", "share", "copy a summary of the game for others", "share")
    leave = Command("q,escape", "leave", "leave this game", "leave")
    bar = (
        "back/on other_eyes play round_back/round_on chart teach why board elimination answers "
        "share up/down position find save leave"
    )
