"""What can be done while looking back at a game."""

from collections.abc import Iterator
from typing import Final

from driflamme_tui.keymap.command import Command
from driflamme_tui.text.i18n import NP_
from engine.cards import FAMILIES
from engine.words import N_

SPEEDS: Final = "12345"
"""Keys of the speeds, from the slowest."""


def _speeds() -> Iterator[Command]:
    for digit in SPEEDS:
        yield Command(
            f"replay.speed-{digit}",
            "replay",
            digit,
            f"speed({digit})",
            N_("how fast the game plays by itself"),
            row="" if digit == SPEEDS[0] else f"replay.speed-{SPEEDS[0]}",
            fixed=True,
            listed=False,
        )


def _eyes() -> Iterator[Command]:
    for letter in FAMILIES:
        yield Command(
            f"replay.eyes-{letter}",
            "replay",
            f"{letter},{letter.upper()}",
            f"eyes('{letter}')",
            N_("look with the eyes of a family"),
            row="" if letter == FAMILIES[0] else f"replay.eyes-{FAMILIES[0]}",
            fixed=True,
            listed=False,
        )


REPLAY: Final = (
    Command(
        "replay.back",
        "replay",
        "left",
        "step(-1)",
        N_("go a step back, or on"),
        NP_("key bar", "step"),
    ),
    Command(
        "replay.on",
        "replay",
        "right",
        "step(1)",
        N_("go a step on"),
        NP_("key bar", "step"),
        row="replay.back",
    ),
    Command(
        "replay.round-back",
        "replay",
        "pageup",
        "round(-1)",
        N_("go a round back, or on"),
        NP_("key bar", "round"),
    ),
    Command(
        "replay.round-on",
        "replay",
        "pagedown",
        "round(1)",
        N_("go a round on"),
        NP_("key bar", "round"),
        row="replay.round-back",
    ),
    Command(
        "replay.first",
        "replay",
        "home",
        "edge(-1)",
        N_("go to the deal, or to the end"),
        listed=False,
    ),
    Command(
        "replay.last",
        "replay",
        "end",
        "edge(1)",
        N_("go to the end"),
        row="replay.first",
        listed=False,
    ),
    Command(
        "replay.play",
        "replay",
        "space",
        "play",
        N_("let the game play by itself, or stop"),
        NP_("key bar", "play"),
    ),
    *_speeds(),
    Command(
        "replay.elimination",
        "replay",
        "x",
        "elimination(1)",
        N_("go to the next elimination, or to the one before"),
        NP_("key bar", "elimination"),
    ),
    Command(
        "replay.elimination-back",
        "replay",
        "X",
        "elimination(-1)",
        N_("go to the elimination before"),
        row="replay.elimination",
    ),
    Command(
        "replay.turning",
        "replay",
        "n",
        "turning(1)",
        N_("go to the next turning point, or to the one before"),
        NP_("key bar", "turning point"),
    ),
    Command(
        "replay.turning-back",
        "replay",
        "N",
        "turning(-1)",
        N_("go to the turning point before"),
        row="replay.turning",
    ),
    Command(
        "replay.find",
        "replay",
        "slash",
        "find",
        N_("find a decision by its notation"),
        NP_("key bar", "find"),
    ),
    *_eyes(),
    Command(
        "replay.all",
        "replay",
        "l",
        "eyes('all')",
        N_("see all cards open"),
        NP_("key bar", "all open"),
    ),
    Command(
        "replay.public",
        "replay",
        "u",
        "eyes('public')",
        N_("see what everybody at the table could see"),
    ),
    Command(
        "replay.other-eyes",
        "replay",
        "tab",
        "other_eyes",
        N_("look with other eyes"),
        NP_("key bar", "eyes"),
    ),
    Command(
        "replay.answers",
        "replay",
        "a",
        "answers",
        N_("see what could be answered here"),
        NP_("key bar", "answers"),
    ),
    Command(
        "replay.position",
        "replay",
        "p",
        "position",
        N_("see the position in notation, and copy it"),
        NP_("key bar", "position"),
    ),
    Command(
        "replay.chart",
        "replay",
        "c",
        "chart",
        N_("see how influence went, or the cards again"),
        NP_("key bar", "chart"),
    ),
    Command(
        "replay.teach",
        "replay",
        "t",
        "teach",
        N_("learn what the bot master would have played, or stop that"),
        NP_("key bar", "teacher"),
    ),
    Command(
        "replay.look",
        "replay",
        "i",
        "look",
        N_("look at cards: arrows go along them"),
        NP_("key bar", "look"),
    ),
    Command(
        "replay.up",
        "replay",
        "up",
        "depth(-1)",
        N_("while looking: go into a stack"),
        NP_("key bar", "into a stack"),
        listed=False,
    ),
    Command(
        "replay.down",
        "replay",
        "down",
        "depth(1)",
        N_("while looking: go further down"),
        NP_("key bar", "into a stack"),
        row="replay.up",
        listed=False,
    ),
    Command(
        "replay.known",
        "replay",
        "k",
        "known",
        N_("what is known of every card"),
        NP_("key bar", "known"),
    ),
    Command(
        "replay.events",
        "replay",
        "e",
        "events",
        N_("all events of this game"),
        NP_("key bar", "events"),
    ),
    Command(
        "replay.size",
        "replay",
        "z",
        "size",
        N_("change the size of the cards"),
        NP_("key bar", "size"),
    ),
    Command(
        "replay.save",
        "replay",
        "s",
        "save",
        N_("save the record of the game to a file"),
        NP_("key bar", "save"),
    ),
    Command(
        "replay.leave",
        "replay",
        "q,escape",
        "leave",
        N_("leave this game"),
        NP_("key bar", "leave"),
    ),
    Command(
        "find.cancel",
        "find",
        "escape",
        "close",
        N_("go back without finding anything"),
        NP_("key bar", "back"),
    ),
)
