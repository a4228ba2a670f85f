"""Declares the commands of the start screen, and the rows of the menu that run them."""

from collections.abc import Mapping
from typing import Final

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import ScreenCommands


class StartCommands(ScreenCommands, prefix="start"):
    """Commands of the start screen: those that open a row, and those that change its values."""

    first_waiting = Command("a", "waiting(0)", "resume an interrupted game or table")
    second_waiting = Command(
        "b", "waiting(1)", "resume another interrupted game", row=first_waiting, listed=False
    )
    third_waiting = Command(
        "c", "waiting(2)", "resume the third interrupted game", row=first_waiting, listed=False
    )
    learn = Command("1,f6", "app.learn", "learn the game in a guided first game")
    back = Command("", "app.go_back", "go back to the table where you have a seat")
    reopen = Command("", "app.reopen", "reopen your unfinished table")
    resume = Command("", "app.resume", "resume your game against bots")
    play = Command("2", "app.play", "play against bots")
    host = Command("3", "app.host", "host a table for others")
    puzzle = Command("4,f8", "app.puzzle", "solve the puzzle of the day, or others")
    board = Command("5", "app.board", "analyse a new deal on the board")
    history = Command("6,f4", "history", "list past games, and replay them")
    rules = Command("7", "app.help", "read the rules, and all keys", listed=False)
    settings = Command("8", "app.options", "open the options", listed=False)
    statistics = Command("s", "statistics", "show the statistics of your past games")
    rename = Command("f5", "rename", "change your name", "rename")
    open = Command("enter", "open", "open the chosen row", "open", listed=False)
    up = Command(
        "up", "app.focus_previous", "go to the line above or below", listed=False, repeats=True
    )
    down = Command(
        "down", "app.focus_next", "go through the rows", row=up, listed=False, repeats=True
    )
    do = Command("left", "side('#do')", "go to the menu", listed=False, repeats=True)
    join = Command(
        "right", "side('#join')", "go to the join field", "join field", listed=False, repeats=True
    )
    more = Command("+", "bots(1)", "play against one bot more, or one fewer", "bot", repeats=True)
    fewer = Command(
        "-", "bots(-1)", "play against one bot fewer", row=more, listed=False, repeats=True
    )
    level = Command("k", "level", "play against bots of the next level")
    edition = Command("e", "edition", "play the other edition")
    forget = Command("delete", "forget", "remove the chosen table from this screen")
    quit = Command("escape", "leave", "end the program", "quit", listed=False)
    bar = "open* join* rename* quit"


COMMANDS: Final[Mapping[str, Command]] = {
    "back": StartCommands.back,
    "reopen": StartCommands.reopen,
    "resume": StartCommands.resume,
    "learn": StartCommands.learn,
    "play": StartCommands.play,
    "host": StartCommands.host,
    "puzzle": StartCommands.puzzle,
    "board": StartCommands.board,
    "past": StartCommands.history,
    "rules": StartCommands.rules,
    "options": StartCommands.settings,
}
"""The command of each row of the menu, by the row's name."""

WAITING: Final = (
    StartCommands.first_waiting,
    StartCommands.second_waiting,
    StartCommands.third_waiting,
)
"""The commands whose keys open rows with an interrupted game or table."""
