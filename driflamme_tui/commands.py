"""Everything that can be done in the app, as values: what it is called, by which key, and where.

This is the one place in which a key is named. Screens take their bindings from here through
`actions.py`, which also knows which keys a player has chosen instead; key bars, prompts, help and
the command palette ask there. How a command is carried out is the screen's business: its method
`action_...`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from driflamme_tui.i18n import NP_
from engine.cards import CARDS, FAMILIES
from engine.words import N_

On: TypeAlias = Literal[
    "app",
    "everywhere",
    "helped",
    "writing",
    "start",
    "code",
    "club",
    "session",
    "lobby",
    "table",
    "result",
    "talk",
    "overlay",
    "events",
    "known",
    "help",
    "leave",
    "people",
    "invitation",
    "commands",
    "opted",
    "options",
]
"""A set of commands that a screen, an overlay or a widget has; most screens have several."""

BAR: Final = "key bar"
"""The context in which labels are translated: a word or two, there is little room."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something that can be done."""

    id: str
    """What the config file calls it."""
    on: On
    """Where it can be done; see `SCREENS`."""
    keys: str
    """Its keys unless the player has chosen others, as Textual names them, with commas between."""
    action: str
    """What Textual runs on the screen."""
    help: str
    """A sentence without a full stop, for help and the command palette, to be translated."""
    label: str = ""
    """What the key bar calls it, to be translated with the context `BAR`."""
    row: str = ""
    """The command in whose line of help this one's key stands too."""
    follows: str = ""
    """The command that opened what this one closes: its keys are these, whatever they are."""
    shares: str = ""
    """The command whose key does this as well, at times when that key has no other meaning."""
    fixed: bool = False
    """Whether its keys cannot be changed."""
    listed: bool = True
    """Whether the command palette has it: not what only makes sense as a key."""
    priority: bool = False
    """Whether its key comes before those of whatever has the focus."""


CARD_LETTERS: Final = CARDS.lower()

TAKEN: Final = frozenset(f"{CARD_LETTERS}{CARDS}{FAMILIES}{FAMILIES.upper()}")
"""Keys that choose a card or a family on the table, and can therefore do nothing else there."""

UNBOUND: Final = "unbound"
"""Stands for a key in the binding of a command without one, which a player may still give it. No
terminal sends it."""

_EVERYWHERE: Final = (
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

_START: Final = (
    Command("start.play", "start", "", "play", N_("play against bots")),
    Command("start.host", "start", "", "host", N_("host a table for others")),
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
        "cancel",
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

_CLUB: Final = (
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

_SESSION: Final = (
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

_LOBBY: Final = (
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
        N_("the host: change the chosen setting"),
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
    Command("lobby.clock", "lobby", "l", "clock", N_("the host: change the time limit")),
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


def _digits() -> Iterator[Command]:
    for digit in "1234567890":
        yield Command(
            f"table.digit-{digit}",
            "table",
            digit,
            f"digit('{digit}')",
            N_("choose a position; two quick digits make one number"),
            row="" if digit == "1" else "table.digit-1",
            fixed=True,
            listed=False,
        )


def _letters(letters: str, sentence: str) -> Iterator[Command]:
    for letter in letters:
        yield Command(
            f"table.letter-{letter}",
            "table",
            f"{letter},{letter.upper()}",
            f"letter('{letter}')",
            sentence,
            row="" if letter == letters[0] else f"table.letter-{letters[0]}",
            fixed=True,
            listed=False,
        )


_TABLE: Final = (
    Command(
        "table.left",
        "table",
        "left",
        "walk(-1)",
        N_("go through what may be chosen"),
        NP_("key bar", "choose"),
        listed=False,
    ),
    Command(
        "table.right",
        "table",
        "right",
        "walk(1)",
        N_("choose the next of what may be chosen"),
        NP_("key bar", "choose"),
        row="table.left",
        listed=False,
    ),
    Command(
        "table.first",
        "table",
        "home",
        "walk_to(0)",
        N_("choose the first of it, or the last"),
        listed=False,
    ),
    Command(
        "table.last",
        "table",
        "end",
        "walk_to(-1)",
        N_("choose the last of it"),
        row="table.first",
        listed=False,
    ),
    Command(
        "table.confirm",
        "table",
        "enter",
        "confirm",
        N_("confirm the choice"),
        NP_("key bar", "confirm"),
    ),
    Command(
        "table.back",
        "table",
        "escape",
        "back",
        N_("drop the choice, or go back to the card"),
        NP_("key bar", "back"),
    ),
    *_letters(CARD_LETTERS, N_("choose a card of your hand by its letter")),
    Command(
        "table.start",
        "table",
        "less_than_sign",
        "spot('<')",
        N_("put the card at the start of the Queue"),
        NP_("key bar", "start"),
    ),
    Command(
        "table.end",
        "table",
        "greater_than_sign",
        "spot('>')",
        N_("put the card at the end of the Queue"),
        NP_("key bar", "end"),
    ),
    Command(
        "table.stack",
        "table",
        "circumflex_accent",
        "spot('^')",
        N_("put the card on your own stack; again: on the next"),
    ),
    Command(
        "table.leave",
        "table",
        "plus",
        "answer('+')",
        N_("leave the card face down"),
        NP_("key bar", "Leave"),
    ),
    Command(
        "table.reveal",
        "table",
        "exclamation_mark",
        "answer('!')",
        N_("reveal the card"),
        NP_("key bar", "Reveal"),
    ),
    *_digits(),
    *_letters(FAMILIES, N_("choose a player to steal from")),
    Command(
        "table.look",
        "table",
        "i",
        "look",
        N_("look at cards: arrows go along them"),
        NP_("key bar", "look"),
    ),
    Command(
        "table.up",
        "table",
        "up",
        "depth(-1)",
        N_("while looking: go into a stack"),
        NP_("key bar", "into a stack"),
        listed=False,
    ),
    Command(
        "table.down",
        "table",
        "down",
        "depth(1)",
        N_("while looking: go further down"),
        NP_("key bar", "into a stack"),
        row="table.up",
        listed=False,
    ),
    Command(
        "table.look-on",
        "table",
        "tab",
        "look_on",
        N_("while looking: go to your hand, and back"),
        NP_("key bar", "hand"),
    ),
    Command(
        "table.size",
        "table",
        "z",
        "size",
        N_("change the size of the cards"),
        NP_("key bar", "size"),
    ),
    Command(
        "table.known",
        "table",
        "k",
        "known",
        N_("what is known of every card"),
        NP_("key bar", "known"),
    ),
    Command(
        "table.events",
        "table",
        "e",
        "events",
        N_("all events of this game"),
        NP_("key bar", "events"),
    ),
    Command(
        "table.coach",
        "table",
        "",
        "coach",
        N_("coach: say what each decision is about, or stop that"),
    ),
    Command(
        "table.pause",
        "table",
        "space",
        "pause",
        N_("the host: pause the game, and go on"),
        NP_("key bar", "pause"),
    ),
    Command(
        "table.retry",
        "table",
        "",
        "retry",
        N_("while the line is lost: try again at once"),
        NP_("key bar", "try at once"),
        shares="table.letter-r",
    ),
    Command(
        "table.leave-table",
        "table",
        "q",
        "leave",
        N_("leave the table"),
        NP_("key bar", "leave"),
    ),
)

_RESULT: Final = (
    Command(
        "result.again",
        "result",
        "enter",
        "again",
        N_("ask for another game with the same people"),
        NP_("key bar", "again"),
    ),
    Command(
        "result.table",
        "result",
        "v",
        "table",
        N_("see the table as it was at the end"),
        NP_("key bar", "see the table"),
    ),
    Command(
        "result.course",
        "result",
        "c",
        "course",
        N_("see how influence went over the game, or the ranking again"),
        NP_("key bar", "chart"),
    ),
    Command(
        "result.lobby",
        "result",
        "l",
        "lobby",
        N_("the host: go back to the lobby with everybody"),
        NP_("key bar", "lobby"),
    ),
    Command(
        "result.retry",
        "result",
        "r",
        "retry",
        N_("while the line is lost: try again at once"),
        NP_("key bar", "try at once"),
    ),
    Command(
        "result.leave-table",
        "result",
        "q,escape",
        "leave",
        N_("leave the table"),
        NP_("key bar", "leave"),
    ),
)

_OVERLAYS: Final = (
    Command(
        "overlay.close",
        "overlay",
        "escape,q,enter",
        "dismiss",
        N_("close this"),
        NP_("key bar", "close"),
    ),
    Command(
        "overlay.up",
        "overlay",
        "up",
        "scroll(-1)",
        N_("scroll a line"),
        NP_("key bar", "scroll"),
        listed=False,
    ),
    Command(
        "overlay.down",
        "overlay",
        "down",
        "scroll(1)",
        N_("scroll a line down"),
        row="overlay.up",
        listed=False,
    ),
    Command(
        "overlay.page-up",
        "overlay",
        "pageup",
        "page(-1)",
        N_("scroll a page"),
        listed=False,
    ),
    Command(
        "overlay.page-down",
        "overlay",
        "pagedown,space",
        "page(1)",
        N_("scroll a page down"),
        row="overlay.page-up",
        listed=False,
    ),
    Command(
        "overlay.first",
        "overlay",
        "home",
        "edge(-1)",
        N_("go to the beginning, or to the end"),
        listed=False,
    ),
    Command(
        "overlay.last",
        "overlay",
        "end",
        "edge(1)",
        N_("go to the end"),
        row="overlay.first",
        listed=False,
    ),
    Command(
        "events.close",
        "events",
        "e",
        "dismiss",
        N_("close this"),
        follows="table.events",
        listed=False,
    ),
    Command(
        "known.close",
        "known",
        "k",
        "dismiss",
        N_("close this"),
        follows="table.known",
        listed=False,
    ),
    Command(
        "help.back",
        "help",
        "escape",
        "back",
        N_("close this, or stop searching"),
        NP_("key bar", "close"),
    ),
    Command("help.close-at-once", "help", "q", "dismiss", N_("close this"), row="help.back"),
    Command(
        "help.close",
        "help",
        "question_mark,f1",
        "dismiss",
        N_("close this"),
        follows="help.open",
        listed=False,
    ),
    Command(
        "help.take",
        "help",
        "enter",
        "take",
        N_("open what was found; on a page, close this"),
        listed=False,
    ),
    Command("help.earlier", "help", "left,pageup", "turn(-1)", N_("turn a page back or on")),
    Command(
        "help.later",
        "help",
        "right,pagedown,space",
        "turn(1)",
        N_("turn a page"),
        row="help.earlier",
    ),
    Command("help.first", "help", "home", "turn(-99)", N_("go to the first page, or to the last")),
    Command("help.last", "help", "end", "turn(99)", N_("go to the last page"), row="help.first"),
    Command("help.up", "help", "up", "scroll(-1)", N_("scroll a line"), listed=False),
    Command(
        "help.down",
        "help",
        "down",
        "scroll(1)",
        N_("scroll a line down"),
        row="help.up",
        listed=False,
    ),
    Command("help.search", "help", "slash", "search", N_("search all pages")),
    *(
        Command(
            f"help.chapter-{number}",
            "help",
            f"{number}",
            f"chapter({number - 1})",
            N_("go to a chapter"),
            row="" if number == 1 else "help.chapter-1",
            fixed=True,
            listed=False,
        )
        for number in range(1, 9)
    ),
    *(
        Command(
            f"help.card-{letter}",
            "help",
            f"{letter},{letter.upper()}",
            f"card('{letter.upper()}')",
            N_("go to the page of a card"),
            row="" if letter == CARD_LETTERS[0] else f"help.card-{CARD_LETTERS[0]}",
            fixed=True,
            listed=False,
        )
        for letter in CARD_LETTERS
    ),
    Command("leave.yes", "leave", "y,q", "sure(True)", N_("leave"), NP_("key bar", "leave")),
    Command("leave.no", "leave", "n,escape", "sure(False)", N_("stay"), NP_("key bar", "stay")),
    Command(
        "leave.other",
        "leave",
        "left,right",
        "other",
        N_("go to the other button"),
        listed=False,
    ),
    Command(
        "invitation.close",
        "invitation",
        "escape,q,enter",
        "close",
        N_("close this"),
        NP_("key bar", "closes"),
    ),
    Command(
        "invitation.close-too",
        "invitation",
        "i",
        "close",
        N_("close this"),
        follows="lobby.invitation",
        listed=False,
    ),
    Command(
        "invitation.copy",
        "invitation",
        "c",
        "copy",
        N_("copy the invitation"),
    ),
)

_PEOPLE: Final = (
    Command(
        "people.close",
        "people",
        "escape",
        "back",
        N_("close this, or answer no"),
        NP_("key bar", "close"),
    ),
    Command(
        "people.close-too",
        "people",
        "w",
        "close",
        N_("close this"),
        follows="people.open",
        listed=False,
    ),
    Command(
        "people.close-at-once",
        "people",
        "q,enter",
        "close",
        N_("close this"),
        row="people.close",
        listed=False,
    ),
    Command(
        "people.up",
        "people",
        "up",
        "move(-1)",
        N_("the host: choose somebody"),
        NP_("key bar", "choose"),
        listed=False,
    ),
    Command(
        "people.down",
        "people",
        "down",
        "move(1)",
        N_("the host: choose the next person"),
        NP_("key bar", "choose"),
        row="people.up",
        listed=False,
    ),
    Command(
        "people.wait",
        "people",
        "h",
        "absent('wait')",
        N_("the host: wait for whoever is chosen and away"),
    ),
    Command(
        "people.bot",
        "people",
        "b",
        "absent('bot')",
        N_("the host: let a bot play for them until they are back"),
    ),
    Command(
        "people.give-away",
        "people",
        "g",
        "ask_to_give",
        N_("the host: give their seat to a bot for good"),
    ),
    Command("people.yes", "people", "y", "give_away", N_("answer yes")),
    Command("people.no", "people", "n", "keep", N_("answer no"), row="people.yes"),
    Command(
        "people.mute",
        "people",
        "m",
        "mute",
        N_("the host: mute the chosen person in the chat, or not"),
    ),
    Command(
        "people.pause",
        "people",
        "space",
        "pause",
        N_("the host: pause the game, and go on"),
    ),
    Command(
        "people.invitation",
        "people",
        "i",
        "invitation",
        N_("show the invitation, with a QR code"),
        NP_("key bar", "invitation"),
    ),
)

_OPTIONS: Final = (
    Command(
        "options.up",
        "options",
        "up",
        "move(-1)",
        N_("choose what to settle"),
        NP_("key bar", "choose"),
        listed=False,
    ),
    Command(
        "options.down",
        "options",
        "down",
        "move(1)",
        N_("choose the next of it"),
        row="options.up",
        listed=False,
    ),
    Command(
        "options.before",
        "options",
        "left",
        "change(-1)",
        N_("change it, here and for good"),
        NP_("key bar", "change"),
        listed=False,
    ),
    Command(
        "options.after",
        "options",
        "right,enter,space",
        "change(1)",
        N_("change it to the next value"),
        row="options.before",
        listed=False,
    ),
    Command(
        "options.close",
        "options",
        "escape,q",
        "close",
        N_("close this"),
        NP_("key bar", "closes"),
    ),
    Command(
        "options.close-too",
        "options",
        "o,f3",
        "close",
        N_("close this"),
        follows="options.open",
        listed=False,
    ),
)

_PALETTE: Final = (
    Command(
        "commands.up", "commands", "up", "command_list('cursor_up')", N_("go through what fits")
    ),
    Command(
        "commands.down",
        "commands",
        "down",
        "cursor_down",
        N_("go on through what fits"),
        row="commands.up",
    ),
    Command(
        "commands.page-up",
        "commands",
        "pageup",
        "command_list('page_up')",
        N_("go a page up or down"),
    ),
    Command(
        "commands.page-down",
        "commands",
        "pagedown",
        "command_list('page_down')",
        N_("go a page down"),
        row="commands.page-up",
    ),
    Command("commands.close", "commands", "escape", "escape", N_("close this")),
)

COMMANDS: Final = {
    command.id: command
    for command in (
        *_EVERYWHERE,
        *_START,
        *_CLUB,
        *_SESSION,
        *_LOBBY,
        *_TABLE,
        *_RESULT,
        *_OVERLAYS,
        *_PEOPLE,
        *_OPTIONS,
        *_PALETTE,
    )
}
"""Every command by its id, in the order in which help lists them."""

SCREENS: Final[dict[str, tuple[On, ...]]] = {
    "start": ("everywhere", "helped", "opted", "start"),
    "code": ("everywhere", "helped", "code"),
    "club": ("everywhere", "helped", "opted", "club"),
    "lobby": ("everywhere", "helped", "opted", "session", "lobby"),
    "table": ("everywhere", "helped", "opted", "session", "table"),
    "result": ("everywhere", "helped", "opted", "session", "result"),
    "writing": ("writing",),
    "talk": ("writing", "talk"),
    "events": ("everywhere", "helped", "overlay", "events"),
    "known": ("everywhere", "helped", "overlay", "known"),
    "help": ("everywhere", "help"),
    "leave": ("everywhere", "helped", "leave"),
    "people": ("everywhere", "helped", "people"),
    "invitation": ("everywhere", "helped", "invitation"),
    "options": ("everywhere", "helped", "options"),
    "commands": ("commands",),
}
"""Which commands exist at one time, so that each needs a key of its own."""


def commands_on(kinds: Iterable[On]) -> list[Command]:
    """Return the commands of these sets, in the registry's order."""
    wanted = set(kinds)
    return [command for command in COMMANDS.values() if command.on in wanted]
