"""What can be done on the screens before, between and after games."""

from typing import Final

from driflamme_tui.keymap.command_type import Command, CommandSet, one_line
from engine.cards import FAMILIES


class AppCommands(CommandSet, prefix="app"):
    """What can be done in the whole program, whatever is shown."""

    quit = Command(
        "ctrl+c", "interrupt", "end the program at once", fixed=True, listed=False, priority=True
    )


class EverywhereCommands(CommandSet, prefix="commands"):
    """What can be done on every screen and overlay."""

    commands = Command(
        ":,f2",
        "app.commands",
        "all commands, to search and choose from",
        "commands",
        listed=False,
        id="commands.open",
    )


class HelpedCommands(EverywhereCommands, prefix="help"):
    """What can be done wherever there is help."""

    help = Command(
        "?,f1", "app.help", "help: the keys of this screen, and the rules", "help", id="help.open"
    )


class ScreenCommands(HelpedCommands, prefix="options"):
    """What can be done on every screen that is no overlay."""

    options = Command(
        "o,f3",
        "app.options",
        "options: colours, language, size of cards and more",
        "options",
        id="options.open",
    )


class WritingCommands(CommandSet, prefix="writing"):
    """What can be done wherever somebody writes."""

    done = Command("enter", "submit", "send what is written, or go on", "done", listed=False)


class TalkCommands(WritingCommands, prefix="talk"):
    """What can be done while one writes to everybody at the table."""

    close = Command("escape", "close", "stop writing; what is written stays", "back", listed=False)


class StartCommands(ScreenCommands, prefix="start"):
    """What can be done on the start screen."""

    learn = Command("f6", "app.learn", "learn the game in a guided first game")
    back = Command(
        "", "app.go_back", "go back to the table where you have a seat", needs="has_seat"
    )
    reopen = Command(
        "", "app.reopen", "reopen your table, which stopped unfinished", needs="may_reopen"
    )
    play = Command("", "app.play", "play against bots")
    host = Command("", "app.host", "host a table for others")
    puzzle = Command("f8", "app.puzzle", "the puzzle of the day, and others")
    history = Command("f4", "history", "past games, and replays of them")
    statistics = Command("f5", "statistics", "what past games add up to")
    up = Command("up", "app.focus_previous", "go to the line above", listed=False)
    down = Command("down", "app.focus_next", "go through what can be done", row=up, listed=False)
    do = Command("left", "side('#do')", "go to what you can begin yourself", listed=False)
    join = Command("right", "side('#join')", "go to the tables of others", listed=False)
    quit = Command("escape", "app.quit", "end the program", "quit", listed=False)


class CodeCommands(HelpedCommands, prefix="code"):
    """What can be done where an invitation code is typed."""

    cancel = Command("escape", "dismiss", "go back without a code", "back")
    up = Command("up", "app.focus_previous", "go to the line above", listed=False)
    down = Command("down", "app.focus_next", "go to the line below", row=up, listed=False)


class ScrollCommands(CommandSet, prefix="scroll"):
    """What can be done with whatever scrolls."""

    up = Command("up", "scroll(-1)", "scroll a line", "scroll", listed=False)
    down = Command("down", "scroll(1)", "scroll a line down", row=up, listed=False)
    page_up = Command("pageup", "page(-1)", "scroll a page", listed=False)
    page_down = Command(
        "pagedown,space", "page(1)", "scroll a page down", row=page_up, listed=False
    )
    first = Command("home", "edge(-1)", "go to the beginning, or to the end", listed=False)
    last = Command("end", "edge(1)", "go to the end", row=first, listed=False)


class ListCommands(ScreenCommands, prefix="list"):
    """What can be done in every list."""

    up = Command("up", "move(-1)", "choose a line", "choose", listed=False, needs="has_lines")
    down = Command(
        "down", "move(1)", "choose the next line", "choose", row=up, listed=False, needs="has_lines"
    )
    page_up = Command("pageup", "page(-1)", "go a page up or down", listed=False, needs="has_lines")
    page_down = Command(
        "pagedown", "page(1)", "go a page down", row=page_up, listed=False, needs="has_lines"
    )
    first = Command(
        "home", "select(0)", "choose the first line, or the last", listed=False, needs="has_lines"
    )
    last = Command(
        "end", "select(-1)", "choose the last line", row=first, listed=False, needs="has_lines"
    )
    sort = Command(
        ">", "sort", "sort by the next column, or as it was at first", "sort", needs="has_lines"
    )
    turn = Command("<", "turn_round", "reverse the order of the lines", needs="has_lines")


class SearchCommands(WritingCommands, prefix="search"):
    """What can be done where one types what is searched for."""

    close = Command(
        "escape", "screen.stop_searching", "stop typing; what was found stays", listed=False
    )


class ClubCommands(ListCommands, prefix="club"):
    """What can be done in the list of a club's tables."""

    search = Command("/", "search", "show only tables with what you type", "search")
    enter = Command("enter", "open", "sit down at the chosen table", "sit down", needs="chosen")
    watch = Command("w", "open(True)", "watch the chosen table", "watch", needs="chosen")
    open = Command("n", "open_table", "open a new table", "new table")
    league = Command("l", "league", "the league: how everybody stands this season", "league")
    refresh = Command("u", "refresh_list", "ask which tables there are now", "reload")
    leave = Command("q,escape", "leave", "leave the club", "leave")
    bar = "enter watch open league refresh up/down search leave"


class LeagueCommands(ListCommands, prefix="league"):
    """What can be done in a club's league."""

    search = Command("/", "search", "show only players with what you type", "search")
    earlier = Command("left", "season(-1)", "the season before, or the next", "seasons")
    later = Command("right", "season(1)", "the next season", "seasons", row=earlier)
    all = Command("0", "all_seasons", "all seasons together, or the present one", "all seasons")
    back = Command("q,escape,l", "back", "go back to the tables of the club", "back")
    bar = "up/down earlier/later all search sort back"


class PastCommands(ScreenCommands, prefix="past"):
    """Which past games the history and the statistics are about."""

    search = Command("/", "search", "show only games with somebody whose name you type", "search")
    players = Command("n", "narrow('players')", "only games of 3, 4 or 5 families, or all again")
    edition = Command("e", "narrow('edition')", "only games of one edition, or of both again")
    bots = Command("b", "narrow('bots')", "only games with bots, or without, or all again")
    all = Command("0", "widen", "show all games again", "all", needs="is_narrowed")
    back = Command("escape,q", "back", "go back to where you came from", "back")


class HistoryCommands(PastCommands, ListCommands, prefix="history"):
    """What can be done in the list of past games."""

    page_back = Command("left", "page(-1)", "go a page up or down", listed=False)
    page_on = Command("right", "page(1)", "go a page down", row=page_back, listed=False)
    open = Command(
        "enter,r", "open", "look back at the chosen game, step by step", "look back", needs="chosen"
    )
    statistics = Command("s", "statistics", "what these games add up to", "statistics")
    outcome = Command("f", "narrow('outcome')", "only games that ended one way, or all again")
    delete = Command(
        "d,delete", "delete", "delete the chosen game for good", "delete", needs="chosen"
    )
    bar = "open search all statistics delete up/down sort back"


class StatisticsCommands(PastCommands, ScrollCommands, prefix="statistics"):
    """What can be done in the statistics."""

    page_back = Command("left", "page(-1)", "scroll a page", listed=False)
    page_on = Command("right", "page(1)", "scroll a page down", row=page_back, listed=False)
    games = Command("enter,s", "games", "the games that are added up, as a list", "games")
    bar = "up/down search all games back"


class DeletionCommands(HelpedCommands, prefix="deletion"):
    """What can be done where a game is about to be deleted."""

    yes = Command("y", "sure(True)", "delete it", "delete")
    no = Command("n,escape,q", "sure(False)", "keep it", "keep")
    other = Command("left,right", "app.focus_next", "go to the other button", listed=False)


class SessionCommands(ScreenCommands, prefix="session"):
    """What can be done on all screens of a table."""

    talk = Command(
        "t", "talk", "write to everybody at the table", "talk", needs="may_write", id="talk.open"
    )
    people = Command(
        "w",
        "people",
        "who is here; the host decides about people who are away",
        "who",
        id="people.open",
    )
    phrases = Command(
        "full_stop",
        "phrases",
        "say a quick phrase",
        "phrases",
        needs="may_write",
        id="phrases.open",
    )


def retrying(shares: Command) -> Command:
    """Return what tries a lost line at once, by the key of what needs the line."""
    return Command(
        "",
        "retry",
        "while the connection is lost: try again at once",
        "try at once",
        shares=shares,
        needs="is_lost",
    )


_FAMILIES: Final = one_line("lobby.family", FAMILIES, "family('{}')".format, "take another family")
"""Letters that take a family in the lobby."""


class LobbyCommands(SessionCommands, prefix="lobby"):
    """What can be done in the lobby."""

    ready = Command(
        "enter", "ready", "say that you are ready, or not after all", "ready", needs="may_get_ready"
    )
    rename = Command("m", "rename", "change your name at this table", "name", needs="may_rename")
    start = Command("s", "start", "the host: start the game", "start", needs="decides is_complete")
    add_bot = Command("+", "add_bot", "the host: add a bot", "bot", needs="decides has_free_seat")
    remove = Command(
        "-,delete,backspace",
        "remove_selected",
        "the host: free the chosen seat",
        "remove",
        needs="decides may_free_seat",
    )
    bot_kind = Command(
        "k",
        "setting('bot-kind')",
        "the host: another kind of bot",
        "kind of bot",
        needs="decides has_free_seat",
    )
    up = Command(
        "up", "move(-1)", "go through seats and settings, and read what these mean", listed=False
    )
    down = Command("down", "move(1)", "go on through seats and settings", row=up, listed=False)
    page_up = Command("pageup", "page(-1)", "scroll a page", listed=False)
    page_down = Command("pagedown", "page(1)", "scroll a page down", row=page_up, listed=False)
    before = Command(
        "left",
        "change(-1)",
        "the host: change the chosen setting, or the level of the chosen bot",
        "change",
        listed=False,
        needs="decides may_change",
    )
    after = Command(
        "right",
        "change(1)",
        "the host: change the chosen setting to the next value",
        "change",
        row=before,
        listed=False,
        needs="decides may_change",
    )
    edition = Command("e", "setting('edition')", "the host: change the edition", needs="decides")
    first = Command(
        "f", "setting('first')", "the host: change who is first player", needs="decides"
    )
    direction = Command(
        "d", "setting('direction')", "the host: change the Queue's direction", needs="decides"
    )
    pace = Command("p", "setting('pace')", "the host: change how long bots take", needs="decides")
    think = Command(
        "n", "setting('think')", "the host: change how long bots think", needs="decides bots_think"
    )
    clock = Command("l", "setting('clock')", "the host: change the time limit", needs="decides")
    two = Command(
        "2",
        "setting('two')",
        "the host: two at the table with two families each, or everybody with one",
        needs="decides",
    )
    best = Command(
        "3",
        "setting('best')",
        "the host: change how many games decide the evening",
        needs="decides",
    )
    sealed = Command(
        "a",
        "setting('sealed')",
        "the host: sealed play, in which no machine knows another's cards",
        needs="decides",
    )
    copy = Command("c", "copy", "copy the invitation", "copy", needs="has_link")
    copy_ssh = Command(
        "h",
        "copy_ssh",
        "copy the line that friends with only SSH type",
        "copy SSH",
        needs="has_ssh",
    )
    copy_page = Command(
        "u",
        "copy_page",
        "copy the link for friends who have only a browser",
        "copy page",
        needs="has_page",
    )
    invitation = Command(
        "i",
        "invitation",
        "show the invitation, with a QR code",
        "invitation",
        needs="sitting.is_open",
    )
    outside = Command(
        "x",
        "outside",
        "the host: have your router let friends in other homes in",
        "other homes",
        needs="may_open_outside",
    )
    retry = retrying(_FAMILIES["r"])
    leave_table = Command("q,escape", "leave", "leave the table", "leave")
    family = _FAMILIES
    bar = (
        "retry start ready add_bot before/after copy talk invitation people remove copy_ssh "
        "copy_page outside bot_kind rename leave_table"
    )


class ResultCommands(SessionCommands, ScrollCommands, prefix="result"):
    """What can be done with the result of a game."""

    again = Command(
        "enter",
        "again",
        "ask for another game with the same people",
        "again",
        needs="may_play_again",
    )
    table = Command("v", "table", "see the table as it was at the end", "table")
    course = Command(
        "c",
        "course",
        "see how influence went over the game, or the ranking again",
        "chart",
        needs="has_record",
    )
    replay = Command(
        "r", "replay", "look back at the game, step by step", "replay", needs="has_record has_line"
    )
    moment = one_line(
        "result.moment",
        "123",
        "moment('{}')".format,
        "see one of the moments that decided the game in the replay",
        needs="has_moments",
    )
    share = Command(
        "h", "share", "copy a summary of the game for others", "share", needs="has_record"
    )
    save = Command("s", "save", "save the record of the game to a file", "save", needs="has_record")
    lobby = Command(
        "l",
        "lobby",
        "the host: go back to the lobby with everybody",
        "lobby",
        needs="sitting.is_host",
    )
    retry = retrying(replay)
    leave_table = Command("q,escape", "leave", "leave the table", "leave")
    bar = "retry again replay share lobby talk course up/down save table people leave_table"
