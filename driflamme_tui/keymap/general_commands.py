"""What can be done everywhere, before one is at a table, and on all screens of a table."""

from typing import Final

from driflamme_tui.keymap.command import Command
from driflamme_tui.text.i18n import NP_
from engine.words import N_

EVERYWHERE: Final = (
    Command(
        "app.quit",
        "app",
        "ctrl+c",
        "interrupt",
        N_("end the program at once"),
        fixed=True,
        listed=False,
        priority=True,
    ),
    Command(
        "help.open",
        "helped",
        "question_mark,f1",
        "help",
        N_("help: the keys of this screen, and the rules"),
        NP_("key bar", "help"),
    ),
    Command(
        "commands.open",
        "everywhere",
        "colon,f2",
        "commands",
        N_("all commands, to search and choose from"),
        NP_("key bar", "commands"),
        listed=False,
    ),
    Command(
        "options.open",
        "opted",
        "o,f3",
        "options",
        N_("options: colours, language, size of cards and more"),
        NP_("key bar", "options"),
    ),
    Command(
        "writing.done",
        "writing",
        "enter",
        "submit",
        N_("send what is written, or go on"),
        NP_("key bar", "done"),
        listed=False,
    ),
)


START: Final = (
    Command("start.learn", "start", "l,f6", "learn", N_("learn the game in a guided first game")),
    Command("start.play", "start", "", "play", N_("play against bots")),
    Command("start.host", "start", "", "host", N_("host a table for others")),
    Command("start.history", "start", "h,f4", "history", N_("past games, and replays of them")),
    Command("start.statistics", "start", "s,f5", "statistics", N_("what past games add up to")),
    Command(
        "start.up", "start", "up", "app.focus_previous", N_("go to the line above"), listed=False
    ),
    Command(
        "start.down",
        "start",
        "down",
        "app.focus_next",
        N_("go through what can be done"),
        row="start.up",
        listed=False,
    ),
    Command(
        "start.do",
        "start",
        "left",
        "side('#do')",
        N_("go to what you can begin yourself"),
        listed=False,
    ),
    Command(
        "start.join",
        "start",
        "right",
        "side('#join')",
        N_("go to the tables of others"),
        listed=False,
    ),
    Command(
        "start.quit",
        "start",
        "escape",
        "app.quit",
        N_("end the program"),
        NP_("key bar", "quit"),
        listed=False,
    ),
    Command(
        "code.cancel",
        "code",
        "escape",
        "close",
        N_("go back without a code"),
        NP_("key bar", "back"),
    ),
    Command(
        "code.up", "code", "up", "app.focus_previous", N_("go to the line above"), listed=False
    ),
    Command(
        "code.down",
        "code",
        "down",
        "app.focus_next",
        N_("go to the line below"),
        row="code.up",
        listed=False,
    ),
)


CLUB: Final = (
    Command(
        "club.up",
        "club",
        "up",
        "move(-1)",
        N_("choose a table"),
        NP_("key bar", "choose"),
        listed=False,
    ),
    Command(
        "club.down",
        "club",
        "down",
        "move(1)",
        N_("choose the next table"),
        NP_("key bar", "choose"),
        row="club.up",
        listed=False,
    ),
    Command("club.page-up", "club", "pageup", "page(-1)", N_("go a page up or down"), listed=False),
    Command(
        "club.page-down",
        "club",
        "pagedown",
        "page(1)",
        N_("go a page down"),
        row="club.page-up",
        listed=False,
    ),
    Command(
        "club.first",
        "club",
        "home",
        "select(0)",
        N_("choose the first table, or the last"),
        listed=False,
    ),
    Command(
        "club.last",
        "club",
        "end",
        "select(-1)",
        N_("choose the last table"),
        row="club.first",
        listed=False,
    ),
    Command(
        "club.enter",
        "club",
        "enter",
        "enter",
        N_("sit down at the chosen table"),
        NP_("key bar", "sit down"),
    ),
    Command(
        "club.watch", "club", "w", "watch", N_("watch the chosen table"), NP_("key bar", "watch")
    ),
    Command("club.open", "club", "n", "open", N_("open a new table"), NP_("key bar", "new table")),
    Command(
        "club.refresh",
        "club",
        "u",
        "refresh_list",
        N_("ask which tables there are now"),
        NP_("key bar", "update"),
    ),
    Command(
        "club.leave", "club", "q,escape", "leave", N_("leave the club"), NP_("key bar", "leave")
    ),
)


SESSION: Final = (
    Command(
        "talk.open",
        "session",
        "t",
        "talk",
        N_("write to everybody at the table"),
        NP_("key bar", "talk"),
    ),
    Command(
        "people.open",
        "session",
        "w",
        "people",
        N_("who is here; the host decides about those away"),
        NP_("key bar", "who"),
    ),
    Command(
        "talk.close",
        "talk",
        "escape",
        "close",
        N_("stop writing; what is written stays"),
        NP_("key bar", "back"),
        listed=False,
    ),
)
