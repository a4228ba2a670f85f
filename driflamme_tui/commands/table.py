"""What can be done at the table, and with its result."""

from collections.abc import Iterator
from typing import Final

from driflamme_tui.commands.command import CARD_LETTERS, Command
from driflamme_tui.i18n import NP_
from engine.cards import FAMILIES
from engine.words import N_


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


TABLE: Final = (
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
        "table.hint",
        "table",
        "f4",
        "hint",
        N_("against bots: a hint, also with the Heir’s letter while no card is placed"),
        NP_("key bar", "hint"),
        shares="table.letter-h",
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


RESULT: Final = (
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
        "result.replay",
        "result",
        "r",
        "replay",
        N_("look back at the game, step by step"),
        NP_("key bar", "replay"),
    ),
    Command(
        "result.save",
        "result",
        "s",
        "save",
        N_("save the record of the game to a file"),
        NP_("key bar", "save"),
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
        "",
        "retry",
        N_("while the line is lost: try again at once"),
        NP_("key bar", "try at once"),
        shares="result.replay",
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
