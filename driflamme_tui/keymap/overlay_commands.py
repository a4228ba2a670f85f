"""What can be done in whatever is laid over a screen."""

from driflamme_tui.keymap.command_type import CARD_LETTERS, Command, CommandSet, one_line
from driflamme_tui.keymap.screen_commands import EverywhereCommands, LobbyCommands, SessionCommands
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.text.i18n import NP_
from engine.words import N_


class OverlayCommands(CommandSet, on="overlay"):
    """What can be done in an overlay that is read."""

    close = Command("escape,q,enter", "dismiss", N_("close this"), NP_("key bar", "close"))
    up = Command("up", "scroll(-1)", N_("scroll a line"), NP_("key bar", "scroll"), listed=False)
    down = Command("down", "scroll(1)", N_("scroll a line down"), row=up, listed=False)
    page_up = Command("pageup", "page(-1)", N_("scroll a page"), listed=False)
    page_down = Command(
        "pagedown,space", "page(1)", N_("scroll a page down"), row=page_up, listed=False
    )
    first = Command("home", "edge(-1)", N_("go to the beginning, or to the end"), listed=False)
    last = Command("end", "edge(1)", N_("go to the end"), row=first, listed=False)
    events_close = Command(
        "e",
        "dismiss",
        N_("close this"),
        follows=TableCommands.events,
        listed=False,
        id="events.close",
        on="events",
    )
    known_close = Command(
        "k",
        "dismiss",
        N_("close this"),
        follows=TableCommands.known,
        listed=False,
        id="known.close",
        on="known",
    )


class HelpCommands(CommandSet, on="help"):
    """What can be done in the help."""

    back = Command("escape", "back", N_("close this, or stop searching"), NP_("key bar", "close"))
    close_at_once = Command("q", "dismiss", N_("close this"), row=back)
    close = Command(
        "question_mark,f1",
        "dismiss",
        N_("close this"),
        follows=EverywhereCommands.help,
        listed=False,
    )
    take = Command("enter", "take", N_("open what was found; on a page, close this"), listed=False)
    earlier = Command("left,pageup", "turn(-1)", N_("turn a page back or on"))
    later = Command("right,pagedown,space", "turn(1)", N_("turn a page"), row=earlier)
    first = Command("home", "turn(-99)", N_("go to the first page, or to the last"))
    last = Command("end", "turn(99)", N_("go to the last page"), row=first)
    up = Command("up", "scroll(-1)", N_("scroll a line"), listed=False)
    down = Command("down", "scroll(1)", N_("scroll a line down"), row=up, listed=False)
    search = Command("slash", "search", N_("search all pages"))
    chapter = one_line(
        "help.chapter",
        "12345678",
        lambda digit: f"chapter({int(digit) - 1})",
        N_("go to a chapter"),
    )
    card = one_line(
        "help.card",
        CARD_LETTERS,
        lambda letter: f"card('{letter.upper()}')",
        N_("go to the page of a card"),
        shifted=True,
    )


class LeaveCommands(CommandSet, on="leave"):
    """What can be done where one is asked whether to leave."""

    yes = Command("y,q", "sure(True)", N_("leave"), NP_("key bar", "leave"))
    no = Command("n,escape", "sure(False)", N_("stay"), NP_("key bar", "stay"))
    other = Command("left,right", "other", N_("go to the other button"), listed=False)


class InvitationCommands(CommandSet, on="invitation"):
    """What can be done where the invitation is shown."""

    close = Command("escape,q,enter", "close", N_("close this"), NP_("key bar", "closes"))
    close_too = Command(
        "i", "close", N_("close this"), follows=LobbyCommands.invitation, listed=False
    )
    copy = Command("c", "copy", N_("copy the invitation"))


class PeopleCommands(CommandSet, on="people"):
    """What can be done in the list of people."""

    close = Command("escape", "back", N_("close this, or answer no"), NP_("key bar", "close"))
    close_too = Command(
        "w", "close", N_("close this"), follows=SessionCommands.people, listed=False
    )
    close_at_once = Command("q,enter", "close", N_("close this"), row=close, listed=False)
    up = Command(
        "up", "move(-1)", N_("the host: choose somebody"), NP_("key bar", "choose"), listed=False
    )
    down = Command(
        "down",
        "move(1)",
        N_("the host: choose the next person"),
        NP_("key bar", "choose"),
        row=up,
        listed=False,
    )
    wait = Command("h", "absent('wait')", N_("the host: wait for whoever is chosen and away"))
    bot = Command("b", "absent('bot')", N_("the host: let a bot play for them until they are back"))
    send_away = Command(
        "g",
        "ask('people.send-away')",
        N_("the host: send the chosen person away; a bot has their seat in the game"),
    )
    yes = Command("y", "do", N_("answer yes"))
    no = Command("n", "keep", N_("answer no"), row=yes)
    mute = Command("m", "mute", N_("the host: mute the chosen person in the chat, or not"))
    pause = Command("space", "pause", N_("the host: pause the game, and go on"))
    end = Command("e", "ask('people.end')", N_("the host: end the game, which stays unfinished"))
    silence = Command(
        "s", "silence", N_("the host: let only players write in the chat, or everybody")
    )
    new_invitation = Command(
        "r",
        "ask('people.new-invitation')",
        N_("the host: make a new invitation; the old one lets nobody in"),
    )
    invitation = Command(
        "i", "invitation", N_("show the invitation, with a QR code"), NP_("key bar", "invitation")
    )


class OptionsCommands(CommandSet, on="options"):
    """What can be done in the options."""

    up = Command(
        "up", "move(-1)", N_("choose what to settle"), NP_("key bar", "choose"), listed=False
    )
    down = Command("down", "move(1)", N_("choose the next of it"), row=up, listed=False)
    before = Command(
        "left",
        "change(-1)",
        N_("change it, here and for good"),
        NP_("key bar", "change"),
        listed=False,
    )
    after = Command(
        "right,enter,space",
        "change(1)",
        N_("change it to the next value"),
        row=before,
        listed=False,
    )
    close = Command("escape,q", "close", N_("close this"), NP_("key bar", "closes"))
    close_too = Command(
        "o,f3", "close", N_("close this"), follows=EverywhereCommands.options, listed=False
    )


class PaletteCommands(CommandSet, on="commands"):
    """What can be done in the command palette."""

    up = Command("up", "command_list('cursor_up')", N_("go through what fits"))
    down = Command("down", "cursor_down", N_("go on through what fits"), row=up)
    page_up = Command("pageup", "command_list('page_up')", N_("go a page up or down"))
    page_down = Command("pagedown", "command_list('page_down')", N_("go a page down"), row=page_up)
    close = Command("escape", "escape", N_("close this"))
