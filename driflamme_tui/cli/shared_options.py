"""Options that several commands share, and how their values are read.

The network is imported when a value is read, so that the command line starts without it.
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
"""The network's own default port, a copy that needs no import; a test compares both."""
LONGEST_CLOCK = 600
"""The network's longest time limit in seconds, copied likewise."""

LONGEST_THOUGHT = 10
"""The network's longest time to think in seconds, copied likewise."""

EditionOption: TypeAlias = Literal["1", "2"]
"""The editions, as an option's values."""


def whole(value: str | None) -> int | None:
    """Return the number that an option names."""
    return None if value is None else int(value)


def measure(value: float | None) -> float | None:
    """Return the measure that an option names; bounds alone let NaN and the infinite pass."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"'{value}' is not a finite number.")
    return value


def _milliseconds(value: float | None) -> int | None:
    seconds = measure(value)
    return None if seconds is None else round(1000 * seconds)


Name = Annotated[
    str | None,
    typer.Option(
        "--name", "-n", help="Your name at the table; by default the one you used last time."
    ),
]
Insecure = Annotated[
    bool,
    typer.Option(
        "--insecure",
        help="Without encryption and without a secret: only through a tunnel that you trust.",
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
        help="On a local socket; whoever may enter its folder can connect.",
    ),
]
Pace = Annotated[
    float | None,
    typer.Option(
        "--pace",
        min=0,
        max=5,
        callback=_milliseconds,
        help="Seconds that bots take for an answer, so that people can follow.",
        show_default="0.9",
    ),
]
Plain = Annotated[
    bool,
    typer.Option(
        "--plain",
        help="Line by line, without a screen: for screen readers, any terminal, and scripts.",
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="For programs: one JSON object a line, each way.")
]


class Place(OptionGroup):
    """Where something is opened for others on this machine."""

    port: int | None = port_option("Where to listen.", DEFAULT_PORT, "--port", "-p")
    bind: str | None = option("Listen on this address of this machine only.")
    public: str | None = option(
        "More addresses for the invitation, such as a router's that forwards a port; "
        "without a port they have that of --port.",
        metavar="HOST[:PORT][,...]",
    )

    def location(self) -> "Location":
        """Return where to listen."""
        from netcode.table.snapshot import Location
        from netcode.transport.address import parse_addresses

        if self.public is not None:
            parse_addresses(self.public)
        return Location(self.bind, self.port, self.public)


class PlaceOfTables(Place):
    """The same of a table or a club, which may do without encryption."""

    insecure: Insecure = False

    def location(self) -> "Location":
        """Return where to listen."""
        from msgspec.structs import replace

        return replace(super().location(), plain=self.insecure or None)


class Game(OptionGroup):
    """How a game is played: by the names of a table's settings, with bots and a seed."""

    bots: str | None = option(
        "Bots: a number, 3:master, 2:sharp,steady, or even.",
        "--bots",
        "-b",
        autocompletion=completion.table_bots,
    )
    edition: EditionOption | None = option(
        "Which edition's rules.", "--edition", "-e", callback=whole, show_default="2"
    )
    two: bool | None = option(
        "A variant for two players, who have two families each and win by their sum.",
        "--two/--no-two",
        show_default=False,
    )
    best_of: Literal["3", "5", "7"] | None = option(
        "How many games decide the evening; by default it has no end.", callback=whole
    )
    direction: Literal["right", "left"] | None = option(
        "The direction in which the Queue is shown.", show_default="right"
    )
    pace_ms: Pace = None
    think_ms: float | None = option(
        "Seconds that the strongest bots may think about a decision; sharp takes a fifth.",
        "--think",
        min=0.1,
        max=LONGEST_THOUGHT,
        callback=_milliseconds,
        show_default="1",
    )
    seed: int | None = option("Seed of the deals; whoever knows it can tell the cards.")


class HostedGame(Game):
    """The same where others may come."""

    clock_s: int | None = option(
        "Seconds for a decision, after which a bot decides; 0 for none.",
        "--clock",
        min=0,
        max=LONGEST_CLOCK,
        show_default="0",
    )


def table_settings(
    game: Game, of_wings: Mapping[str, object] = MappingProxyType({}), *, as_last: bool = False
) -> "TableSettings":
    """Return the settings of options, and those of wings by name.

    With `as_last`, what no option names is as the host chose it in their last lobby.
    """
    from driflamme_tui.preferences.remembered import next_table
    from netcode.protocol.fields import checked
    from netcode.protocol.table_settings import TableSettings

    given = {**vars(game), **of_wings}
    said = {name: given.get(name) for name in TableSettings.__struct_fields__}
    wanted = {name: value for name, value in said.items() if value is not None}
    return next_table(**wanted) if as_last else checked(wanted, TableSettings)


def parse_bots(
    text: str | None, default: int, least: int = 0, most: int = 0, usual: str | None = None
) -> tuple[str, ...]:
    """Return bots by name for `3`, `3:steady`, `steady,random` or `2:sharp,steady`.

    Where nothing says which, they are the `usual` ones. `even` alone is as many as
    usual, or one, of those who are as strong as the user; with others, it is one of them.
    """
    from driflamme_tui.preferences.even_bots import EVEN
    from engine.bots import BOTS, DEFAULT_BOT, bot_names, is_bot

    if text == EVEN or (text is None and usual == EVEN):
        text = f"{default or 1}:{EVEN}"
    if text is None and usual in BOTS:
        # None of the installed ones plays, and looking for them takes a thirtieth of the start.
        return (usual,) * default
    tell_of_broken_bots()
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
                        "At most {n} bot has room at this table.",
                        "At most {n} bots have room at this table.",
                        most,
                    )
                )
            bots += [name.strip() if colon else usual] * int(number)
        else:
            bots.append(part.strip())
    for bot in bots:
        if bot != EVEN and not is_bot(bot):
            fail(
                "There is no bot called {bot!r}; there are {bots}.",
                bot=bot,
                bots=", ".join((*bot_names(), EVEN)),
            )
    if least == most != len(bots):
        end_with(
            ngettext(
                "This table takes {most} bot, not {n}.",
                "This table takes {most} bots, not {n}.",
                most,
                most=most,
                n=len(bots),
            )
        )
    if not least <= len(bots) <= most:
        fail(
            "This table takes {least} to {most} bots, not {n}.",
            least=least,
            most=most,
            n=len(bots),
        )
    return tuple(bots)


def checked_name(name: str | None) -> str:
    """Return the name of an option, or else the usual one."""
    from netcode.protocol.refusal_sentences import name_problem, refusal_sentence

    if name is None:
        return default_name()
    problem = name_problem(name)
    if problem is not None:
        end_with(refusal_sentence(problem, _))
    return name


def is_named(name: str | None) -> bool:
    """Return whether the player has a name: by an option, or of last time."""
    from driflamme_tui.preferences.remembered import recall
    from netcode.protocol.refusal_sentences import name_problem

    return name is not None or name_problem(recall().name) is None


def asked_name() -> str:
    """Return what is answered to the question for a name."""
    from netcode.protocol.refusal_sentences import name_problem, refusal_sentence

    while True:
        typed: str = typer.prompt(_("Your name at the table"), default=default_name()).strip()
        problem = name_problem(typed)
        if problem is None:
            return typed
        complain(refusal_sentence(problem, _))


def default_name() -> str:
    """Return the name of last time, or else the user's with this machine, if it will do."""
    import getpass

    from driflamme_tui.preferences.remembered import recall
    from netcode.protocol.refusal_sentences import name_problem

    try:
        user = getpass.getuser().strip().capitalize()
    except (OSError, KeyError, ImportError):
        user = ""
    names = (recall().name, user)
    return next((name for name in names if name_problem(name) is None), _("Player"))


MIXED: Final = "mixed"
"""The value of an option that stands for each number there is."""


class Deals(OptionGroup):
    """What is dealt in a contest of bots."""

    players: Literal["3", "4", "5", "mixed"] = option(
        "At each table; mixed: each in turn.", usual="4", metavar="3|4|5|mixed"
    )
    edition: Literal["1", "2", "mixed"] = option(
        "Edition of the rules; mixed: each in turn.", usual="2", metavar="1|2|mixed"
    )
    seed: int = option("The same seed plays the same games.", usual=0)


def parse_bot_names(text: str) -> tuple[str, ...]:
    """Return the bots that an option names; `module:Class` may be in the working folder."""
    from engine.bots import BOTS, bot_class

    names = tuple(name.strip() for name in text.split(",")) if text else ()
    if any(":" in name for name in names) and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    if not BOTS.keys() >= set(names):
        tell_of_broken_bots()
    for name in names:
        bot_class(name)
    return names


def tell_of_broken_bots() -> None:
    """Say on standard error which installed bots cannot play, and why; that stops nothing."""
    from engine.bots import broken_bots

    for problem in broken_bots():
        complain(problem.sentence(_))


def played(games: int, decisions: int) -> str:
    """Return how many games have been played, and how many decisions there were in them."""
    return _(
        "{games}, {decisions}",
        games=ngettext("{n} game", "{n} games", games),
        decisions=ngettext("{n} decision", "{n} decisions", decisions),
    )
