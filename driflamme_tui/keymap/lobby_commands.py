"""What can be done in the lobby."""

from typing import Final

from driflamme_tui.keymap.command import Command
from driflamme_tui.text.i18n import NP_
from engine.cards import FAMILIES
from engine.words import N_

LOBBY: Final = (
    Command(
        "lobby.ready",
        "lobby",
        "enter",
        "ready",
        N_("say that you are ready, or not after all"),
        NP_("key bar", "ready"),
    ),
    Command(
        "lobby.start",
        "lobby",
        "s",
        "start",
        N_("the host: start the game"),
        NP_("key bar", "start"),
    ),
    Command(
        "lobby.add-bot",
        "lobby",
        "plus",
        "add_bot",
        N_("the host: add a bot"),
        NP_("key bar", "bot"),
    ),
    Command(
        "lobby.remove",
        "lobby",
        "minus,delete,backspace",
        "remove_selected",
        N_("the host: free the chosen seat"),
        NP_("key bar", "remove"),
    ),
    Command(
        "lobby.bot-kind",
        "lobby",
        "k",
        "bot_kind",
        N_("the host: another kind of bot"),
        NP_("key bar", "kind of bot"),
    ),
    Command(
        "lobby.up",
        "lobby",
        "up",
        "move(-1)",
        N_("go through seats and settings, and read what these mean"),
        listed=False,
    ),
    Command(
        "lobby.down",
        "lobby",
        "down",
        "move(1)",
        N_("go on through seats and settings"),
        row="lobby.up",
        listed=False,
    ),
    Command(
        "lobby.before",
        "lobby",
        "left",
        "change(-1)",
        N_("the host: change the chosen setting, or the level of the chosen bot"),
        NP_("key bar", "change"),
        listed=False,
    ),
    Command(
        "lobby.after",
        "lobby",
        "right",
        "change(1)",
        N_("the host: change the chosen setting to the next value"),
        NP_("key bar", "change"),
        row="lobby.before",
        listed=False,
    ),
    Command("lobby.edition", "lobby", "e", "edition", N_("the host: change the edition")),
    Command("lobby.first", "lobby", "f", "first", N_("the host: change who is first player")),
    Command(
        "lobby.direction", "lobby", "d", "direction", N_("the host: change the Queue’s direction")
    ),
    Command("lobby.pace", "lobby", "p", "pace", N_("the host: change how long bots take")),
    Command("lobby.think", "lobby", "n", "think", N_("the host: change how long bots think")),
    Command("lobby.clock", "lobby", "l", "clock", N_("the host: change the time limit")),
    Command(
        "lobby.two",
        "lobby",
        "2",
        "two",
        N_("the host: two at the table with two families each, or everybody with one"),
    ),
    Command(
        "lobby.mute",
        "lobby",
        "m",
        "mute",
        N_("the host: mute the chosen person in the chat, or not"),
        NP_("key bar", "mute"),
    ),
    Command("lobby.copy", "lobby", "c", "copy", N_("copy the invitation"), NP_("key bar", "copy")),
    Command(
        "lobby.invitation",
        "lobby",
        "i",
        "invitation",
        N_("show the invitation, with a QR code"),
        NP_("key bar", "invitation"),
    ),
    Command(
        "lobby.retry",
        "lobby",
        "",
        "retry",
        N_("while the line is lost: try again at once"),
        NP_("key bar", "try at once"),
        shares="lobby.family-r",
    ),
    Command(
        "lobby.leave-table",
        "lobby",
        "q,escape",
        "leave",
        N_("leave the table"),
        NP_("key bar", "leave"),
    ),
    *(
        Command(
            f"lobby.family-{family}",
            "lobby",
            family,
            f"family('{family}')",
            N_("take another family"),
            row="" if family == FAMILIES[0] else f"lobby.family-{FAMILIES[0]}",
            fixed=True,
            listed=False,
        )
        for family in FAMILIES
    ),
)
