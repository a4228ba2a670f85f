"""What can be done in whatever is laid over a screen."""

from driflamme_tui.keymap.command_type import CARD_LETTERS, Command, CommandSet, one_line
from driflamme_tui.keymap.screen_commands import (
    EverywhereCommands,
    HelpedCommands,
    LobbyCommands,
    ScreenCommands,
    ScrollCommands,
    SessionCommands,
)
from driflamme_tui.keymap.table_commands import TableCommands


def closing(opening: Command, id: str = "") -> Command:
    """Return what closes an overlay by the keys that have opened it, whatever these are."""
    return Command(opening.keys, "dismiss", "close this", follows=opening, listed=False, id=id)


class OverlayCommands(HelpedCommands, ScrollCommands, prefix="overlay"):
    """What can be done in an overlay that is read."""

    close = Command("escape,q,enter", "dismiss", "close this", "close")


class EventsCommands(OverlayCommands, prefix="events"):
    """What can be done where all events are read."""

    close_too = closing(TableCommands.events, "events.close")


class KnownCommands(OverlayCommands, prefix="known"):
    """What can be done where all cards are read about."""

    close_too = closing(TableCommands.known, "known.close")


class HelpCommands(EverywhereCommands, prefix="help"):
    """What can be done in the help."""

    back = Command("escape", "back", "close this, or stop searching", "close")
    close_at_once = Command("q", "dismiss", "close this", row=back)
    close = closing(HelpedCommands.help)
    take = Command("enter", "take", "open what was found; on a page, close this", listed=False)
    earlier = Command("left,pageup", "turn(-1)", "turn a page back or on")
    later = Command("right,pagedown,space", "turn(1)", "turn a page", row=earlier)
    first = Command("home", "turn(-99)", "go to the first page, or to the last")
    last = Command("end", "turn(99)", "go to the last page", row=first)
    up = Command("up", "scroll(-1)", "scroll a line", listed=False)
    down = Command("down", "scroll(1)", "scroll a line down", row=up, listed=False)
    search = Command("/", "search", "search all pages")
    chapter = one_line(
        "help.chapter", "123456789", lambda digit: f"chapter({int(digit) - 1})", "go to a chapter"
    )
    card = one_line(
        "help.card",
        CARD_LETTERS,
        lambda letter: f"open('card-{letter.upper()}')",
        "go to the page of a card",
        shifted=True,
    )


class LeaveCommands(HelpedCommands, prefix="leave"):
    """What can be done where one is asked whether to leave."""

    yes = Command("y", "sure(True)", "leave", "leave")
    no = Command("n,escape,q", "sure(False)", "stay", "stay")
    other = Command("left,right", "app.focus_next", "go to the other button", listed=False)


class OutsideCommands(HelpedCommands, prefix="outside"):
    """What can be done where one is asked whether friends in other homes may come in."""

    yes = Command("y", "sure(True)", "let friends in other homes in", "go on")
    no = Command("n,escape,q", "sure(False)", "leave it as it is", "not now")
    other = Command("left,right", "app.focus_next", "go to the other button", listed=False)


class InvitationCommands(HelpedCommands, prefix="invitation"):
    """What can be done where the invitation is shown."""

    close = Command("escape,q,enter", "dismiss", "close this", "closes")
    close_too = closing(LobbyCommands.invitation)
    copy = Command("c", "copy", "copy the invitation")
    copy_page = Command("u", "copy_page", "copy the link for friends who have only a browser")


class PhraseCommands(HelpedCommands, prefix="phrases"):
    """What can be done where quick phrases are chosen."""

    close = Command("escape,q,enter", "dismiss", "close this", "closes", listed=False)
    close_too = closing(SessionCommands.phrases)
    phrase = one_line("phrases.say", "1234567890", "phrase('{}')".format, "say a phrase")


class PeopleCommands(HelpedCommands, prefix="people"):
    """What can be done in the list of people."""

    close = Command("escape", "back", "close this, or answer no", "close")
    close_too = closing(SessionCommands.people)
    close_at_once = Command("q,enter", "dismiss", "close this", row=close, listed=False)
    up = Command(
        "up",
        "move(-1)",
        "the host: choose somebody",
        "choose",
        listed=False,
        needs="sitting.is_host",
    )
    down = Command(
        "down",
        "move(1)",
        "the host: choose the next person",
        "choose",
        row=up,
        listed=False,
        needs="sitting.is_host",
    )
    wait = Command(
        "h",
        "absent('wait')",
        "the host: wait for the chosen person, who is away",
        needs="sitting.is_host",
    )
    bot = Command(
        "b",
        "absent('bot')",
        "the host: let a bot play for them until they are back",
        needs="sitting.is_host",
    )
    admit = Command(
        "l",
        "absent('admit')",
        "the host: let the chosen person in from another machine",
        needs="sitting.is_host",
    )
    send_away = Command(
        "g",
        "ask('people.send-away')",
        "the host: send the chosen person away; a bot has their seat in the game",
        needs="sitting.is_host",
    )
    hand_over = Command(
        "t",
        "ask('people.hand-over')",
        "the host: hand a sealed table to the chosen person, whose machine hosts",
        needs="sitting.is_host",
    )
    carry = Command(
        "o",
        "carry",
        "allow that a sealed table goes on at your machine if the host is gone",
        needs="may_carry",
    )
    yes = Command("y", "do", "answer yes", needs="sure")
    no = Command("n", "keep", "answer no", row=yes, needs="sure")
    mute = Command(
        "m", "mute", "the host: mute the chosen person in the chat, or not", needs="sitting.is_host"
    )
    pause = Command(
        "space", "pause", "the host: pause the game, and go on", needs="sitting.is_host"
    )
    end = Command(
        "e",
        "ask('people.end')",
        "the host: end the game, which stays unfinished",
        needs="sitting.is_host",
    )
    silence = Command(
        "s",
        "silence",
        "the host: let only players write in the chat, or everybody",
        needs="sitting.is_host",
    )
    new_invitation = Command(
        "r",
        "ask('people.new-invitation')",
        "the host: make a new invitation; the old one stops working",
        needs="sitting.is_host",
    )
    invitation = Command(
        "i",
        "invitation",
        "show the invitation, with a QR code",
        "invitation",
        needs="sitting.is_open",
    )


class OptionsCommands(HelpedCommands, prefix="options"):
    """What can be done in the options."""

    up = Command("up", "move(-1)", "choose what to settle", "choose", listed=False)
    down = Command("down", "move(1)", "choose the next of it", row=up, listed=False)
    before = Command("left", "change(-1)", "change it, here and for good", "change", listed=False)
    after = Command(
        "right,enter,space", "change(1)", "change it to the next value", row=before, listed=False
    )
    close = Command("escape,q", "dismiss", "close this", "closes")
    close_too = closing(ScreenCommands.options)


class PaletteCommands(CommandSet, prefix="commands"):
    """What can be done in the command palette."""

    up = Command("up", "command_list('cursor_up')", "go through what fits")
    down = Command("down", "cursor_down", "go on through what fits", row=up)
    page_up = Command("pageup", "command_list('page_up')", "go a page up or down")
    page_down = Command("pagedown", "command_list('page_down')", "go a page down", row=page_up)
    close = Command("escape", "escape", "close this")
