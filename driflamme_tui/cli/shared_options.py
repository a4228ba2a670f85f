"""Declares options that several commands share, and parses their values.

The network is imported only when a value is read, so that the command line starts without it.
"""

import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import typer

from driflamme_tui.cli import completion
from driflamme_tui.cli.declarations import OptionGroup, option, port_option
from driflamme_tui.cli.output import complain, end_with, fail
from driflamme_tui.text.i18n import _, ngettext

if TYPE_CHECKING:
    from netcode.protocol.table_settings import TableSettings
    from netcode.table.snapshot import Location

DEFAULT_PORT = 11214
"""The network's default port, copied to save an import. A test compares it with the original."""
LONGEST_CLOCK = 600
"""The network's maximum time limit, in seconds, copied to save an import. A test compares it with
the original.
"""

LONGEST_THOUGHT = 10
"""The network's maximum thinking time, in seconds, copied to save an import. A test compares it
with the original.
"""

EditionOption: TypeAlias = Literal["1", "2"]
"""The editions, as an option's values."""


def whole_number(value: str | None) -> int | None:
    """Return an option's value as a whole number; None if it was not given."""
    return None if value is None else int(value)


def measure(value: float | None) -> float | None:
    """Return an option's value unchanged; None means that the option was not given.

    Raises:
        BadParameter: The value is infinity or NaN, which typer's bounds accept.
    """
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"'{value}' is not a finite number.")
    return value


def _milliseconds(value: float | None) -> int | None:
    seconds = measure(value)
    return None if seconds is None else round(1000 * seconds)


Name = Annotated[
    str | None,
    typer.Option(
        "--name",
        "-n",
        help="Your name at the table; by default the one you used last time.",
        metavar="NAME",
    ),
]
Insecure = Annotated[
    bool,
    typer.Option(
        "--insecure",
        help="Use neither encryption nor a secret: only through a tunnel that you trust, since the "
        "key to each seat is sent in clear.",
    ),
]


def _check_unix(path: Path | None) -> Path | None:
    if path is not None and sys.platform == "win32":
        fail(
            "Windows has no --unix: open the table with --bind localhost --insecure, and join"
            " it with --insecure localhost."
        )
    return path if path is None else path.absolute()


Unix = Annotated[
    Path | None,
    typer.Option(
        "--unix",
        metavar="PATH",
        callback=_check_unix,
        help="Use a local socket; anybody with access to its folder can connect.",
    ),
]
Pace = Annotated[
    float | None,
    typer.Option(
        "--pace",
        min=0,
        max=5,
        callback=_milliseconds,
        help="Pause before a bot answers, in seconds, so that people can follow.",
        show_default="0.9",
    ),
]
Plain = Annotated[
    bool,
    typer.Option(
        "--plain",
        help="Work line by line, without a screen: for screen readers, any terminal, and scripts.",
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="For programs: one JSON object per line, each way.")
]


class Place(OptionGroup):
    """The place to open on this machine for others."""

    port: int | None = port_option("Port to listen on.", DEFAULT_PORT, "--port", "-p")
    bind: str | None = option("Listen on this address of this machine only.", metavar="ADDRESS")
    public: str | None = option(
        "More addresses for the invitation, such as that of a router that forwards a port;"
        " without a port, that of --port is used.",
        metavar="HOST[:PORT][,...]",
    )

    def location(self) -> "Location":
        """Return the place to listen at.

        Raises:
            AddressError: `public` is not a list of addresses.
        """
        from netcode.table.snapshot import Location
        from netcode.transport.address import parse_addresses

        if self.public is not None:
            parse_addresses(self.public)
        return Location(self.bind, self.port, self.public)


class PlaceOfTables(Place):
    """The place of a server, which may be unencrypted."""

    insecure: Insecure = False

    def location(self) -> "Location":
        """Return the place to listen at, with or without encryption.

        Raises:
            AddressError: `public` is not a list of addresses.
        """
        from msgspec.structs import replace

        return replace(super().location(), plain=self.insecure or None)


class Game(OptionGroup):
    """The settings of a game, by their names in a table's settings, with its bots and seed."""

    bots: str | None = option(
        "Bots: a number, 3:master, 2:sharp,steady, or even for bots at your level.",
        "--bots",
        "-b",
        metavar="BOTS",
        autocompletion=completion.table_bots,
    )
    edition: EditionOption | None = option(
        "Edition of the rules.", "--edition", "-e", callback=whole_number, show_default="2"
    )
    two: bool | None = option(
        "A variant for two players: each plays two families separately, and the higher sum wins.",
        "--two/--no-two",
        show_default=False,
    )
    best_of: Literal["3", "5", "7"] | None = option(
        "How many games decide the evening; no limit by default.", callback=whole_number
    )
    direction: Literal["right", "left"] | None = option(
        "The direction in which the Queue is shown.", show_default="right"
    )
    pace_ms: Pace = None
    think_ms: float | None = option(
        "Seconds that the strongest bots think about a decision; sharp takes a fifth.",
        "--think",
        min=0.1,
        max=LONGEST_THOUGHT,
        callback=_milliseconds,
        show_default="1",
    )
    seed: int | None = option("Seed of the deals; anybody who knows it can work out the cards.")


class HostedGame(Game):
    """The settings of a game that others can join."""

    clock_s: int | None = option(
        "Seconds for a decision, after which a bot decides; 0 for no limit.",
        "--clock",
        min=0,
        max=LONGEST_CLOCK,
        show_default="0",
    )
    latecomers: Literal["ask", "sit", "watch"] | None = option(
        "What latecomers may do during a game: ask the host for a bot's seat, sit down there at"
        " once, or only watch.",
        show_default="ask",
    )


def table_settings(
    game: Game, of_wings: Mapping[str, object] = MappingProxyType({}), *, as_last: bool = False
) -> "TableSettings":
    """Return the table settings that options and wings select.

    With `as_last`, settings without an option come from the host's last lobby; otherwise they get
    their defaults. If a table cannot have the settings, end the command with a sentence.
    """
    from driflamme_tui.preferences.remembered import next_table
    from netcode.protocol.messages import Reason
    from netcode.protocol.refusal_sentences import refusal_sentence
    from netcode.protocol.table_settings import TableSettings, misfit

    given = {name: vars(game).get(name) for name in TableSettings.__struct_fields__}
    options = {**given, **of_wings}
    wanted = {name: value for name, value in options.items() if value is not None}
    settings = next_table(**wanted) if as_last else TableSettings.of(wanted)
    if (why := misfit(settings)) is not None:
        code, values = why
        end_with(refusal_sentence(Reason(code=code, values={**values}), _))
    return settings


def parse_bots(
    text: str | None, default: int, least: int = 0, most: int = 0, usual: str | None = None
) -> tuple[str, ...]:
    """Return the names of bots for `3`, `3:steady`, `steady,random` or `2:sharp,steady`.

    A number alone means bots named `usual`; None stands for `DEFAULT_BOT`. Without a text,
    `default` of these bots play. `even` alone means `default` bots (at least one) that are as
    strong as the user. In a list, `even` means one such bot.

    End the command if a bot is unknown, or there are fewer than `least` or more than `most` bots.
    """
    from driflamme_tui.preferences.matched_bots import EVEN_BOT
    from engine.bots import BOTS, DEFAULT_BOT, bot_names, is_bot

    if text == EVEN_BOT or (text is None and usual == EVEN_BOT):
        text = f"{default or 1}:{EVEN_BOT}"
    if text is None and usual in BOTS:
        # A bot of the core needs no search for installed bots. The search takes 3 % of the start
        # time.
        return (usual,) * default
    warn_of_broken_bots()
    usual = usual or DEFAULT_BOT
    if text is None:
        return (usual,) * default
    bots: list[str] = []
    for part in text.split(","):
        number, colon, name = part.strip().partition(":")
        if number.isdecimal() and number.isascii():
            if int(number) > most:
                end_with(
                    ngettext(
                        "Choose at most {n} bot for this table.",
                        "Choose at most {n} bots for this table.",
                        most,
                    )
                )
            bots += [name.strip() if colon else usual] * int(number)
        else:
            bots.append(part.strip())
    for bot in bots:
        if bot != EVEN_BOT and not is_bot(bot):
            fail(
                "There is no bot called {bot!r}: choose one of {bots}.",
                bot=bot,
                bots=", ".join((*bot_names(), EVEN_BOT)),
            )
    if least == most != len(bots):
        end_with(
            ngettext(
                "Choose {most} bot for this table, not {n}.",
                "Choose {most} bots for this table, not {n}.",
                most,
                most=most,
                n=len(bots),
            )
        )
    if not least <= len(bots) <= most:
        fail(
            "Choose {least} to {most} bots for this table, not {n}.",
            least=least,
            most=most,
            n=len(bots),
        )
    return tuple(bots)


def checked_name(name: str | None) -> str:
    """Return the name that an option gives; without an option, the usual name.

    If the name is invalid, end the command.
    """
    from netcode.protocol.refusal_sentences import name_problem, refusal_sentence

    if name is None:
        return default_name()
    problem = name_problem(name)
    if problem is not None:
        end_with(refusal_sentence(problem, _))
    return name


def is_named(name: str | None) -> bool:
    """Return True if an option gives a name, valid or not, or a valid name was stored earlier."""
    from driflamme_tui.preferences.remembered import recall
    from netcode.protocol.refusal_sentences import name_problem

    return name is not None or name_problem(recall().name) is None


def ask_name() -> str:
    """Ask for a name until it is valid, and return it."""
    from netcode.protocol.refusal_sentences import name_problem, refusal_sentence

    while True:
        typed: str = typer.prompt(_("Your name at the table"), default=default_name()).strip()
        problem = name_problem(typed)
        if problem is None:
            return typed
        complain(refusal_sentence(problem, _))


def default_name() -> str:
    """Return the name that the player used last.

    If it is missing or invalid, return the user's name on this machine, or else "Player" in the
    player's language.
    """
    import getpass

    from driflamme_tui.preferences.remembered import recall
    from netcode.protocol.refusal_sentences import name_problem

    try:
        user = getpass.getuser().strip().capitalize()
    except (OSError, KeyError, ImportError):
        user = ""
    names = (recall().name, user)
    return next((name for name in names if name_problem(name) is None), _("Player"))


MIXED_NUMBERS: Final = "mixed"
"""The value of an option that stands for all of its numbers."""


class Deals(OptionGroup):
    """The options that select the deals of a contest between bots."""

    players: Literal["3", "4", "5", "mixed"] = option(
        "Players at each table; mixed: 3, 4 and 5 in turn.", usual="4", metavar="3|4|5|mixed"
    )
    edition: Literal["1", "2", "mixed"] = option(
        "Edition of the rules; mixed: both in turn.", usual="2", metavar="1|2|mixed"
    )
    seed: int = option("The same seed gives the same games.", usual=0)


def parse_bot_names(text: str) -> tuple[str, ...]:
    """Return the bots' names in an option's text, which commas separate; () for an empty text.

    For a name such as `module:Class`, the working folder is added to the import path.

    Raises:
        UnknownBotError: There is no bot of a name.
        BrokenBotError: A bot cannot be loaded.
    """
    from engine.bots import BOTS, bot_class

    names = tuple(name.strip() for name in text.split(",")) if text else ()
    if any(":" in name for name in names) and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    if not BOTS.keys() >= set(names):
        warn_of_broken_bots()
    for name in names:
        bot_class(name)
    return names


def warn_of_broken_bots() -> None:
    """Write a sentence to standard error about each installed bot that cannot be loaded."""
    from engine.bots import broken_bots

    for problem in broken_bots():
        complain(problem.sentence(_))


def count_text(games: int, decisions: int) -> str:
    """Return the numbers of played games and of their decisions, as a text."""
    return _(
        "{games}, {decisions}",
        games=ngettext("{n} game", "{n} games", games),
        decisions=ngettext("{n} decision", "{n} decisions", decisions),
    )
