"""Declares the commands of a table that several packages use."""

from typing import Final

from driflamme_tui.keymap.command_type import Command, one_line
from driflamme_tui.keymap.joined_commands import LETTERS, joined_commands
from driflamme_tui.keymap.screen_commands import SessionCommands, retrying
from engine.cards import FAMILIES

JOINED_COMMANDS: Final = joined_commands()
"""The commands that wings add to every table."""


def depths() -> tuple[Command, Command]:
    """Return the commands that go up and down in a stack, card by card."""
    up = Command(
        "up",
        "depth(-1)",
        "while looking: go up or down in a stack",
        "stack",
        listed=False,
        repeats=True,
    )
    down = Command(
        "down",
        "depth(1)",
        "while looking: go down in a stack",
        "stack",
        row=up,
        listed=False,
        repeats=True,
    )
    return up, down


class TableCommands(
    SessionCommands, prefix="table", joined=[each.commands for each in JOINED_COMMANDS]
):
    """Commands of the screen of a game, and those that `JOINED_COMMANDS` adds."""

    left = Command(
        "left",
        "walk(-1)",
        "go through the choices",
        "choose",
        listed=False,
        repeats=True,
    )
    right = Command(
        "right",
        "walk(1)",
        "go to the next choice",
        "choose",
        row=left,
        listed=False,
        repeats=True,
    )
    first = Command(
        "home",
        "walk_to(0)",
        "go to the first choice, or to the last",
        listed=False,
        repeats=True,
    )
    last = Command(
        "end",
        "walk_to(-1)",
        "go to the last choice",
        row=first,
        listed=False,
        repeats=True,
    )
    confirm = Command("enter", "confirm", "confirm the choice", "confirm")
    back = Command(
        "escape",
        "back",
        "undo the choice, or go back to the card",
        "back",
    )
    letter = LETTERS
    start = Command(
        "<",
        "side('<')",
        "put the card at the left end of the Queue",
        "left end",
        repeats=True,
    )
    end = Command(
        ">",
        "side('>')",
        "put the card at the right end of the Queue",
        "right end",
        repeats=True,
    )
    stack = Command(
        "^,=",
        "spot('^')",
        "put the card on your own stack; press again for the next",
        repeats=True,
    )
    leave = Command(
        "+",
        "answer('+')",
        "leave the card face down",
        "Leave",
    )
    reveal = Command("!", "answer('!')", "reveal the card", "Reveal")
    digit = one_line(
        "table.digit",
        "1234567890",
        "digit('{}')".format,
        "choose a position; from 10 on, press two digits quickly",
        repeats=True,
    )
    family = one_line(
        "table.letter",
        FAMILIES,
        "letter('{}')".format,
        "choose a player to steal from",
        shifted=True,
    )
    look = Command("i", "look", "look at cards with the arrow keys", "look")
    up, down = depths()
    look_on = Command(
        "tab",
        "look_on",
        "while looking: go to your hand, and back",
        "hand",
    )
    other_hand = Command(
        "",
        "other_hand",
        "two at the table: go to the hand of your other family, and back",
        "other hand",
        shares=look_on,
    )
    size = Command("z", "size", "change the size of the cards", "size")
    known = Command("k", "known", "show what is known of every card", "known")
    events = Command("e", "events", "show all events of this game", "events")
    since = Command(
        "n",
        "since",
        "see again, slowly, what happened since your last answer",
        "again",
        repeats=True,
    )
    seat = Command("j", "seat", "while watching: take the seat of a bot", "seat")
    grant = Command(
        "",
        "seat",
        "the host: let a latecomer have the seat of a bot",
        "give seat",
        shares=seat,
    )
    refuse = Command("u", "refuse", "the host: refuse a latecomer the seat of a bot", "refuse")
    pause = Command(
        "space", "pause", "pause or resume the game, or ask the host for a pause", "pause"
    )
    retry = retrying(family["r"])
    replay = Command(
        "",
        "replay",
        "after the game: replay it step by step",
        "replay",
        shares=family["r"],
    )
    result = Command(
        "",
        "confirm",
        "after the game: go to its result",
        "result",
        shares=family["v"],
    )
    leave_table = Command("q", "leave", "leave the table", "leave")
    bar = (
        "retry* result* grant* refuse* confirm* back seat* talk events look look_on other_hand "
        "replay since people pause known up/down left/right size leave_table"
    )


COMPANY: Final[tuple[Command, ...]] = (
    SessionCommands.people,
    SessionCommands.talk,
    SessionCommands.phrases,
    TableCommands.seat,
    TableCommands.grant,
    TableCommands.refuse,
    TableCommands.pause,
    *(command for each in JOINED_COMMANDS for command in each.for_company),
)
"""Commands that need other people at the table."""


class AloneCommands(TableCommands, prefix="alone"):
    """Commands of a table at which the reader is alone: `TableCommands` without `without`."""

    without = COMPANY
