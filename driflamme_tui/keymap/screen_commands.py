"""Declares the commands of the screens before, between and after games."""

from typing import Final

from driflamme_tui.keymap.command_type import Command, CommandSet, one_line
from engine.cards import FAMILIES


class AppCommands(CommandSet, prefix="app"):
    """Commands of the whole program: quit, copy the selection, and suspend the program."""

    quit = Command(
        "ctrl+c,ctrl+q",
        "interrupt",
        "end the program; the second time without asking",
        fixed=True,
        listed=False,
        priority=True,
    )
    copy = Command(
        "super+c",
        "copy_selection",
        "copy the selected text; while text is selected, Ctrl-C copies it too",
        fixed=True,
        listed=False,
        priority=True,
    )
    suspend = Command(
        "ctrl+z",
        "suspend",
        "suspend the program; fg in the shell resumes it",
        fixed=True,
        listed=False,
        priority=True,
    )


class EverywhereCommands(CommandSet, prefix="commands"):
    """The command of every screen and overlay that opens the command palette."""

    commands = Command(
        ":,f2",
        "app.commands",
        "search all commands and choose one",
        "commands",
        listed=False,
        id="commands.open",
    )


class HelpedCommands(EverywhereCommands, prefix="help"):
    """The command that opens the help, for all screens that have help."""

    help = Command(
        "?,f1",
        "app.help",
        "open the help: the keys of this screen, and the rules",
        "help",
        id="help.open",
    )


class ScreenCommands(HelpedCommands, prefix="options"):
    """The command that opens the options, for every screen except overlays."""

    options = Command(
        "o,f3",
        "app.options",
        "open the options: colours, language, size of cards and more",
        "options",
        id="options.open",
    )


class ScrollCommands(CommandSet, prefix="scroll"):
    """Commands that scroll by a line, by a page, or to an end."""

    up = Command("up", "scroll(-1)", "scroll a line", "scroll", listed=False, repeats=True)
    down = Command("down", "scroll(1)", "scroll a line down", row=up, listed=False, repeats=True)
    page_up = Command("pageup", "page(-1)", "scroll a page", listed=False, repeats=True)
    page_down = Command(
        "pagedown,space", "page(1)", "scroll a page down", row=page_up, listed=False, repeats=True
    )
    first = Command(
        "home", "edge(-1)", "go to the beginning, or to the end", listed=False, repeats=True
    )
    last = Command("end", "edge(1)", "go to the end", row=first, listed=False, repeats=True)


class WritingCommands(CommandSet, prefix="writing"):
    """The command that submits a typed line."""

    done = Command("enter", "submit", "send the text, or continue", "done", listed=False)


class TalkCommands(WritingCommands, prefix="talk"):
    """The command that closes the chat input; `WritingCommands` sends the line."""

    close = Command("escape", "close", "stop writing; the text stays", "back", listed=False)


class SessionCommands(ScreenCommands, prefix="session"):
    """Commands of lobby, game and result: chat, people, and a new code."""

    talk = Command(
        "t",
        "talk",
        "write in the chat, to everybody at the table",
        "chat",
        id="talk.open",
    )
    people = Command(
        "w",
        "overlay('people_overlay.PeopleOverlay')",
        "show who is here; the host decides about people who are away",
        "who",
        id="people.open",
    )
    phrases = Command(
        "full_stop",
        "phrases",
        "send a quick phrase",
        "phrases",
        id="phrases.open",
    )
    new_code = Command(
        "f6",
        "new_code",
        "the host, while somebody guesses the code: make a new code; the link stays",
        "new code",
        id="code.renew",
    )


def retrying(shares: Command) -> Command:
    """Return the command that retries a lost connection; it shares another command's key."""
    return Command(
        "",
        "retry",
        "try at once to reconnect, if the connection is lost",
        "retry",
        shares=shares,
    )


_FAMILIES: Final = one_line("lobby.family", FAMILIES, "family('{}')".format, "take another family")
"""Letters that choose a family in the lobby."""


class LobbyCommands(SessionCommands, prefix="lobby"):
    """Commands of the lobby: readiness, bots, seats, settings and the invitation."""

    ready = Command("enter", "ready", "say that you are ready, or no longer ready", "ready")
    rename = Command("m", "rename", "change your name at this table", "name")
    start = Command("s", "start", "the host: start the game", "start")
    add_bot = Command("+", "add_bot", "the host: add a bot", "bot", repeats=True)
    remove = Command(
        "-,delete,backspace",
        "remove_selected",
        "the host: free the chosen seat",
        "remove",
    )
    bot_kind = Command(
        "k",
        "setting('bot-kind')",
        "the host: change the level of new bots",
        "level",
    )
    up = Command(
        "up",
        "move(-1)",
        "go through seats and settings, and read what they mean",
        listed=False,
        repeats=True,
    )
    down = Command(
        "down", "move(1)", "go to the next seat or setting", row=up, listed=False, repeats=True
    )
    page_up = Command("pageup", "page(-1)", "scroll a page", listed=False, repeats=True)
    page_down = Command(
        "pagedown", "page(1)", "scroll a page down", row=page_up, listed=False, repeats=True
    )
    before = Command(
        "left",
        "change(-1)",
        "the host: change the chosen setting, or the level of the chosen bot",
        "change",
        listed=False,
        repeats=True,
    )
    after = Command(
        "right",
        "change(1)",
        "the host: change the chosen setting to the next value",
        "change",
        row=before,
        listed=False,
        repeats=True,
    )
    earlier = Command(
        "<,shift+up",
        "move_seat(-1)",
        "the host: move the chosen seat in the order of seats",
        "move",
        repeats=True,
    )
    later = Command(
        ">,shift+down",
        "move_seat(1)",
        "the host: move the chosen seat further clockwise",
        "move",
        row=earlier,
        listed=False,
        repeats=True,
    )
    shuffle = Command("z", "shuffle", "the host: put the seats into a random order", "shuffle")
    edition = Command("e", "setting('edition')", "the host: change the edition")
    first = Command("f", "setting('first')", "the host: change who is first player")
    direction = Command("d", "setting('direction')", "the host: change the Queue's direction")
    pace = Command("p", "setting('pace')", "the host: change the pause of bots before each answer")
    think = Command("n", "setting('think')", "the host: change how long bots think")
    clock = Command("l", "setting('clock')", "the host: change the time limit")
    two = Command(
        "2",
        "setting('two')",
        "the host: give each of two players two families, or everybody one",
    )
    best = Command(
        "3",
        "setting('best')",
        "the host: change how many games decide the evening",
    )
    latecomers = Command(
        "j",
        "setting('latecomers')",
        "the host: change what latecomers may do during a game",
    )
    copy = Command("c", "copy", "copy the invitation", "copy")
    invitation = Command(
        "i",
        "overlay('invitation_overlay.InvitationOverlay')",
        "show the invitation, with a QR code",
        "invitation",
    )
    retry = retrying(_FAMILIES["r"])
    leave_table = Command("q,escape", "leave", "leave the table", "leave")
    family = _FAMILIES
    bar = (
        "retry* start* ready* add_bot* before/after copy* talk invitation people remove bot_kind "
        "rename earlier/later shuffle leave_table"
    )


def closing(opening: Command, id: str = "") -> Command:
    """Return the command that closes an overlay by the keys that opened it."""
    return Command(
        opening.keys, "dismiss", "close this window", follows=opening, listed=False, id=id
    )


class PeopleCommands(HelpedCommands, prefix="people"):
    """Commands of the list of people: mostly the host's decisions about them."""

    close = Command("escape,q", "dismiss", "close this window", "close")
    close_too = closing(SessionCommands.people)
    decide = Command("enter", "open", "the host: go through the commands for people", listed=False)
    up = Command(
        "up",
        "move(-1)",
        "the host: choose somebody",
        "choose",
        listed=False,
        repeats=True,
    )
    down = Command(
        "down",
        "move(1)",
        "the host: choose the next person",
        "choose",
        row=up,
        listed=False,
        repeats=True,
    )
    wait = Command(
        "h",
        "decide('wait')",
        "the host: wait for the chosen person, who is away",
    )
    bot = Command(
        "b",
        "decide('bot')",
        "the host: let a bot play for the chosen person until they are back",
    )
    admit = Command(
        "l",
        "decide('admit')",
        "the host: let the chosen person in from another machine",
    )
    send_away = Command(
        "g",
        "decide('send_away')",
        "the host: send the chosen person away; a bot has their seat in the game",
    )
    grant = Command(
        "j", "decide('grant')", "the host: let the chosen spectator have the seat of a bot"
    )
    refuse = Command(
        "u", "decide('refuse')", "the host: refuse the chosen spectator the seat of a bot"
    )
    mute = Command("m", "decide('mute')", "the host: mute or unmute the chosen person in the chat")
    pause = Command("space", "decide('pause')", "the host: pause the game, or resume it")
    end = Command(
        "e",
        "decide('end')",
        "the host: end the game, which stays unfinished",
    )
    silence = Command(
        "s",
        "decide('silence')",
        "the host: let only players write in the chat, or everybody",
    )
    new_invitation = Command(
        "r",
        "decide('new_invitation')",
        "the host: make a new invitation; the old one stops working",
    )
    invitation = Command(
        "i",
        "invitation",
        "show the invitation, with a QR code",
        "invitation",
    )
    bar = "up/down invitation close"
