"""Declares the commands of a replay."""

from typing import Final

from driflamme_tui.keymap.command_type import Command, one_line
from driflamme_tui.keymap.screen_commands import ScreenCommands
from driflamme_tui.keymap.table_commands import depths
from engine.cards import FAMILIES

SPEEDS: Final = "12345"
"""Keys of the speeds of a replay, from the slowest."""


class ReplayCommands(ScreenCommands, prefix="replay"):
    """Commands of a replay: steps and marks, automatic replay, eyes, and judgements."""

    back = Command("left", "step(-1)", "go one step back or forward", "step", repeats=True)
    on = Command("right", "step(1)", "go one step forward", "step", row=back, repeats=True)
    round_back = Command(
        "pageup", "round(-1)", "go one round back or forward", "round", repeats=True
    )
    round_on = Command(
        "pagedown", "round(1)", "go one round forward", "round", row=round_back, repeats=True
    )
    first = Command("home", "edge(-1)", "go to the deal, or to the end", listed=False, repeats=True)
    last = Command("end", "edge(1)", "go to the end", row=first, listed=False, repeats=True)
    play = Command("space", "play", "start or stop the automatic replay", "play")
    speed = one_line(
        "replay.speed", SPEEDS, "speed({})".format, "change the speed of the automatic replay"
    )
    elimination = Command(
        "x",
        "elimination(1)",
        "go to the next or previous elimination",
        "elimination",
        repeats=True,
    )
    elimination_back = Command(
        "X", "elimination(-1)", "go to the previous elimination", row=elimination, repeats=True
    )
    turning = Command(
        "n",
        "turning(1)",
        "go to the next or previous decisive moment",
        "moment",
        repeats=True,
    )
    turning_back = Command(
        "N", "turning(-1)", "go to the previous decisive moment", row=turning, repeats=True
    )
    find = Command("/", "find", "find a decision by its notation", "find")
    eyes = one_line(
        "replay.eyes",
        FAMILIES,
        "eyes('{}')".format,
        "see the game as one family sees it",
        shifted=True,
    )
    all = Command("l", "eyes('all')", "see all cards open", "all open")
    public = Command("u", "eyes('public')", "see what everybody at the table could see")
    other_eyes = Command("tab", "other_eyes", "change the view", "view")
    answers = Command("a", "answers", "see the possible answers here", "answers")
    position = Command("p", "position", "see the position in notation, and copy it", "position")
    chart = Command("c", "chart", "show a chart of influence, or the cards again", "chart")
    board = Command(
        "enter",
        "board",
        "play from here, with all cards or with one family's",
        "play here",
    )
    teach = Command(
        "t", "teach", "show or hide what the strongest bot would have played", "teacher"
    )
    mistake = Command(
        "m",
        "mistake(1)",
        "judge the decisions, then go to the next or previous mistake",
        "mistake",
        repeats=True,
    )
    mistake_back = Command(
        "M",
        "mistake(-1)",
        "go to the previous mistake",
        row=mistake,
        repeats=True,
    )
    review = Command(
        "j",
        "review",
        "judge a player's decisions: show the accuracy and the costliest ones",
        "judge",
    )
    why = Command(
        "w",
        "why",
        "read everything the teacher says about the last decision",
        "why",
    )
    look = Command("i", "look", "look at cards with the arrow keys", "look")
    up, down = depths()
    known = Command("k", "known", "show what is known of every card", "known")
    events = Command("e", "events", "show all events of this game", "events")
    size = Command("z", "size", "change the size of the cards", "size")
    save = Command("s", "save", "save the record of the game to a file", "save")
    share = Command("h", "share", "copy a summary of the game for others", "share")
    leave = Command("q,escape", "leave", "close the replay", "leave")
    bar = (
        "back/on* other_eyes* play* round_back/round_on chart teach* mistake review why board "
        "elimination answers share up/down position find save leave"
    )
