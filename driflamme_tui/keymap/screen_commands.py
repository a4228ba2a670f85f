"""What can be done on the screens before, between and after games."""

from typing import Final

from driflamme_tui.keymap.command_type import Command, CommandSet, one_line
from driflamme_tui.text.i18n import NP_
from engine.cards import FAMILIES
from engine.words import N_


class EverywhereCommands(CommandSet, on="everywhere"):
    """What can be done on every screen, and wherever somebody writes."""

    quit = Command(
        "ctrl+c",
        "interrupt",
        N_("end the program at once"),
        fixed=True,
        listed=False,
        priority=True,
        id="app.quit",
        on="app",
    )
    help = Command(
        "question_mark,f1",
        "help",
        N_("help: the keys of this screen, and the rules"),
        NP_("key bar", "help"),
        id="help.open",
        on="helped",
    )
    commands = Command(
        "colon,f2",
        "commands",
        N_("all commands, to search and choose from"),
        NP_("key bar", "commands"),
        listed=False,
        id="commands.open",
        on="everywhere",
    )
    options = Command(
        "o,f3",
        "options",
        N_("options: colours, language, size of cards and more"),
        NP_("key bar", "options"),
        id="options.open",
        on="opted",
    )
    done = Command(
        "enter",
        "submit",
        N_("send what is written, or go on"),
        NP_("key bar", "done"),
        listed=False,
        id="writing.done",
        on="writing",
    )


class StartCommands(CommandSet, on="start"):
    """What can be done on the start screen."""

    learn = Command("l,f6", "learn", N_("learn the game in a guided first game"))
    play = Command("", "play", N_("play against bots"))
    host = Command("", "host", N_("host a table for others"))
    history = Command("h,f4", "history", N_("past games, and replays of them"))
    statistics = Command("s,f5", "statistics", N_("what past games add up to"))
    up = Command("up", "app.focus_previous", N_("go to the line above"), listed=False)
    down = Command(
        "down", "app.focus_next", N_("go through what can be done"), row=up, listed=False
    )
    do = Command("left", "side('#do')", N_("go to what you can begin yourself"), listed=False)
    join = Command("right", "side('#join')", N_("go to the tables of others"), listed=False)
    quit = Command(
        "escape", "app.quit", N_("end the program"), NP_("key bar", "quit"), listed=False
    )


class CodeCommands(CommandSet, on="code"):
    """What can be done where an invitation code is typed."""

    cancel = Command("escape", "close", N_("go back without a code"), NP_("key bar", "back"))
    up = Command("up", "app.focus_previous", N_("go to the line above"), listed=False)
    down = Command("down", "app.focus_next", N_("go to the line below"), row=up, listed=False)


class ClubCommands(CommandSet, on="club"):
    """What can be done in the list of a club’s tables."""

    up = Command("up", "move(-1)", N_("choose a table"), NP_("key bar", "choose"), listed=False)
    down = Command(
        "down",
        "move(1)",
        N_("choose the next table"),
        NP_("key bar", "choose"),
        row=up,
        listed=False,
    )
    page_up = Command("pageup", "page(-1)", N_("go a page up or down"), listed=False)
    page_down = Command("pagedown", "page(1)", N_("go a page down"), row=page_up, listed=False)
    first = Command("home", "select(0)", N_("choose the first table, or the last"), listed=False)
    last = Command("end", "select(-1)", N_("choose the last table"), row=first, listed=False)
    enter = Command(
        "enter", "enter", N_("sit down at the chosen table"), NP_("key bar", "sit down")
    )
    watch = Command("w", "watch", N_("watch the chosen table"), NP_("key bar", "watch"))
    open = Command("n", "open", N_("open a new table"), NP_("key bar", "new table"))
    refresh = Command(
        "u", "refresh_list", N_("ask which tables there are now"), NP_("key bar", "update")
    )
    leave = Command("q,escape", "leave", N_("leave the club"), NP_("key bar", "leave"))


class PastCommands(CommandSet, on="past"):
    """Which past games the history and the statistics are about."""

    search = Command(
        "slash",
        "search",
        N_("show only games with somebody whose name you type"),
        NP_("key bar", "search"),
    )
    players = Command(
        "n", "narrow('players')", N_("only games of 3, 4 or 5 families, or all again")
    )
    edition = Command("e", "narrow('edition')", N_("only games of one edition, or of both again"))
    bots = Command("b", "narrow('bots')", N_("only games with bots, or without, or all again"))
    all = Command("0", "widen", N_("show all games again"), NP_("key bar", "all"))
    back = Command("escape,q", "back", N_("go back to where you came from"), NP_("key bar", "back"))


class HistoryCommands(CommandSet, on="history"):
    """What can be done in the list of past games."""

    up = Command("up", "move(-1)", N_("choose a game"), NP_("key bar", "choose"), listed=False)
    down = Command(
        "down",
        "move(1)",
        N_("choose the next game"),
        NP_("key bar", "choose"),
        row=up,
        listed=False,
    )
    page_up = Command("pageup,left", "page(-1)", N_("go a page up or down"), listed=False)
    page_down = Command(
        "pagedown,right", "page(1)", N_("go a page down"), row=page_up, listed=False
    )
    first = Command("home", "select(0)", N_("choose the latest game, or the first"), listed=False)
    last = Command("end", "select(-1)", N_("choose the first game"), row=first, listed=False)
    open = Command(
        "enter",
        "open",
        N_("look back at the chosen game, step by step"),
        NP_("key bar", "look back"),
    )
    statistics = Command(
        "s", "statistics", N_("what these games add up to"), NP_("key bar", "statistics")
    )
    outcome = Command(
        "f", "narrow('outcome')", N_("only games that were finished, or abandoned, or all again")
    )
    delete = Command(
        "d,delete", "delete", N_("delete the chosen game for good"), NP_("key bar", "delete")
    )


class StatisticsCommands(CommandSet, on="statistics"):
    """What can be done in the statistics."""

    earlier = Command(
        "left,pageup,up",
        "turn(-1)",
        N_("go to the page before, or the next"),
        NP_("key bar", "pages"),
        listed=False,
    )
    later = Command(
        "right,pagedown,down,space",
        "turn(1)",
        N_("go to the next page"),
        NP_("key bar", "pages"),
        row=earlier,
        listed=False,
    )
    games = Command(
        "enter,s", "games", N_("the games that are added up, as a list"), NP_("key bar", "games")
    )


class DeletionCommands(CommandSet, on="deletion"):
    """What can be done where a game is about to be deleted."""

    yes = Command("y", "sure(True)", N_("delete it"), NP_("key bar", "delete"))
    no = Command("n,escape,q", "sure(False)", N_("keep it"), NP_("key bar", "keep"))
    other = Command("left,right", "other", N_("go to the other button"), listed=False)


class SessionCommands(CommandSet, on="session"):
    """What can be done on all screens of a table."""

    talk = Command(
        "t",
        "talk",
        N_("write to everybody at the table"),
        NP_("key bar", "talk"),
        id="talk.open",
        on="session",
    )
    people = Command(
        "w",
        "people",
        N_("who is here; the host decides about those away"),
        NP_("key bar", "who"),
        id="people.open",
        on="session",
    )
    talk_close = Command(
        "escape",
        "close",
        N_("stop writing; what is written stays"),
        NP_("key bar", "back"),
        listed=False,
        id="talk.close",
        on="talk",
    )


_FAMILIES: Final = one_line(
    "lobby.family", FAMILIES, "family('{}')".format, N_("take another family")
)
"""Letters that take a family in the lobby."""


class LobbyCommands(CommandSet, on="lobby"):
    """What can be done in the lobby."""

    ready = Command(
        "enter", "ready", N_("say that you are ready, or not after all"), NP_("key bar", "ready")
    )
    start = Command("s", "start", N_("the host: start the game"), NP_("key bar", "start"))
    add_bot = Command("plus", "add_bot", N_("the host: add a bot"), NP_("key bar", "bot"))
    remove = Command(
        "minus,delete,backspace",
        "remove_selected",
        N_("the host: free the chosen seat"),
        NP_("key bar", "remove"),
    )
    bot_kind = Command(
        "k", "bot_kind", N_("the host: another kind of bot"), NP_("key bar", "kind of bot")
    )
    up = Command(
        "up",
        "move(-1)",
        N_("go through seats and settings, and read what these mean"),
        listed=False,
    )
    down = Command("down", "move(1)", N_("go on through seats and settings"), row=up, listed=False)
    before = Command(
        "left",
        "change(-1)",
        N_("the host: change the chosen setting, or the level of the chosen bot"),
        NP_("key bar", "change"),
        listed=False,
    )
    after = Command(
        "right",
        "change(1)",
        N_("the host: change the chosen setting to the next value"),
        NP_("key bar", "change"),
        row=before,
        listed=False,
    )
    edition = Command("e", "edition", N_("the host: change the edition"))
    first = Command("f", "first", N_("the host: change who is first player"))
    direction = Command("d", "direction", N_("the host: change the Queue’s direction"))
    pace = Command("p", "pace", N_("the host: change how long bots take"))
    think = Command("n", "think", N_("the host: change how long bots think"))
    clock = Command("l", "clock", N_("the host: change the time limit"))
    two = Command(
        "2", "two", N_("the host: two at the table with two families each, or everybody with one")
    )
    mute = Command(
        "m",
        "mute",
        N_("the host: mute the chosen person in the chat, or not"),
        NP_("key bar", "mute"),
    )
    copy = Command("c", "copy", N_("copy the invitation"), NP_("key bar", "copy"))
    invitation = Command(
        "i", "invitation", N_("show the invitation, with a QR code"), NP_("key bar", "invitation")
    )
    retry = Command(
        "",
        "retry",
        N_("while the line is lost: try again at once"),
        NP_("key bar", "try at once"),
        shares=_FAMILIES["r"],
    )
    leave_table = Command("q,escape", "leave", N_("leave the table"), NP_("key bar", "leave"))
    family = _FAMILIES


class ResultCommands(CommandSet, on="result"):
    """What can be done with the result of a game."""

    again = Command(
        "enter", "again", N_("ask for another game with the same people"), NP_("key bar", "again")
    )
    table = Command("v", "table", N_("see the table as it was at the end"), NP_("key bar", "table"))
    course = Command(
        "c",
        "course",
        N_("see how influence went over the game, or the ranking again"),
        NP_("key bar", "chart"),
    )
    replay = Command(
        "r", "replay", N_("look back at the game, step by step"), NP_("key bar", "replay")
    )
    save = Command("s", "save", N_("save the record of the game to a file"), NP_("key bar", "save"))
    lobby = Command(
        "l", "lobby", N_("the host: go back to the lobby with everybody"), NP_("key bar", "lobby")
    )
    retry = Command(
        "",
        "retry",
        N_("while the line is lost: try again at once"),
        NP_("key bar", "try at once"),
        shares=replay,
    )
    leave_table = Command("q,escape", "leave", N_("leave the table"), NP_("key bar", "leave"))
