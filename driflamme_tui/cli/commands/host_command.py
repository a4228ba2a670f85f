"""`driflamme host`, `play` and `learn`, and `driflamme` without a command: they open a table."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from driflamme_tui.cli import shared_options as options
from driflamme_tui.cli.app_start import (
    has_terminal,
    load_app,
    run_app,
    run_lines,
    serve_until_stopped,
)
from driflamme_tui.cli.declarations import Commands, flag, option
from driflamme_tui.cli.opening_options import Opening, OpeningOptions, add_all, all_sentences
from driflamme_tui.cli.output import echo, fail, go_not_together, go_only_with
from driflamme_tui.cli.quick_start import for_good
from driflamme_tui.cli.run_settings import looks
from driflamme_tui.text.i18n import _
from engine.cards import MAXIMUM_PLAYERS, MINIMUM_PLAYERS

if TYPE_CHECKING:
    from driflamme_tui.hosting.host_plans import Host
    from driflamme_tui.hosting.hosted_table import HostedTable

PLAYERS = 4
"""Number of players in a game with bots, unless an option sets it."""

commands = Commands()


@commands.described(
    "host",
    "The lobby shows the invitation for the others, and a code that can be read aloud."
    " Connections are encrypted, except with --insecure or --unix. Without a terminal, or with"
    " --headless, the table stays open until Ctrl-C, and the first to sit down is its host. The"
    " game is saved on this machine, so that --resume can resume an interrupted one; with"
    " --headless the same command resumes the table that was interrupted at its port.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme host\n"
    "  driflamme host --name Rosalind --bots 2:steady\n"
    "  driflamme host --headless --port 4000 --clock 60\n"
    "  driflamme host --bind localhost --insecure\n"
    "{wings}"
    "  driflamme host --plain\n"
    "  driflamme host --resume",
)
def host(
    *,
    name: options.Name = None,
    place: options.PlaceOfTables,
    game: options.HostedGame,
    unix: options.Unix = None,
    wings: tuple[OpeningOptions, ...],
    announce: bool | None = option(
        "Announce the table on the local network, or not.",
        "--announce/--no-announce",
        show_default=False,
    ),
    headless: bool = flag("Keep the table open without taking a seat."),
    plain: options.Plain = False,
    as_json: options.Json = False,
    resume: bool = flag("Reopen the latest unfinished table as it was."),
    restart: bool = flag("With --headless: open a new table, even if one was interrupted here."),
) -> None:
    """Open a table for others, and play there or only keep the table open."""
    from msgspec.structs import replace

    from driflamme_tui.hosting.host_plans import Host
    from driflamme_tui.hosting.parts import check_records
    from engine.ranking import PLAYERS_OF_TWO

    go_not_together({"--plain": plain, "--json": as_json})
    encrypted = not place.insecure and unix is None
    most = (PLAYERS_OF_TWO if game.two else MAXIMUM_PLAYERS) - 1
    bots = options.parse_bots(game.bots, 0, most=most)
    if game.two is None and len(bots) >= PLAYERS_OF_TWO:
        # With two or more bots each player needs one seat, so ignore the last table's setting.
        game.two = False
    if resume and not encrypted:
        fail("A resumed table is encrypted: omit --insecure and --unix.")
    go_not_together({"--resume": resume, "--restart": restart})
    if unix is not None and (place.port, place.bind, place.public) != (None, None, None):
        fail("A table at --unix PATH has no address and no port: omit --port, --bind and --public.")
    path = None if unix is None else str(unix)
    location = replace(place.location(), unix=path, announced=announce)
    by_lines = plain or as_json
    if by_lines and headless:
        fail("A headless table has no seat to play at: omit --headless, or --plain and --json.")
    sits = by_lines or (has_terminal() and not headless)
    go_only_with("--restart", restart, {"--headless": not sits})
    opening = Opening(encrypted=encrypted, has_owner=sits, bots=bots, seed=game.seed)
    add_all(wings, opening)
    check_records(opening.parts)
    plan = Host(
        location,
        opening.parts,
        settings=options.table_settings(game, opening.settings, as_last=sits),
        bots=bots,
        seed=game.seed,
        resume=resume,
        continues=not (sits or restart),
    )
    if sits:
        from netcode.storage.journal import shorten_switch_interval

        shorten_switch_interval()
        if by_lines:
            run_lines(plan, options.checked_name(name), as_json=as_json)
        else:
            run_app(plan, looks(), options.checked_name(name))
        return
    if not headless:
        echo(_("There is no terminal here, so the table is opened headless."))
    values = {**vars(game), **opening.settings}
    given = {name for name, value in values.items() if value is not None}
    _serve(plan, options.checked_name(name), wings, given)


@commands.described(
    "play",
    examples="\b\n"
    "Examples:\n"
    "  driflamme play\n"
    "  driflamme play --bots 3:master --think 2\n"
    "  driflamme play --bots 2:sharp,steady --edition 1\n"
    "  driflamme play --two\n"
    "  driflamme play --restart    a new game, even if another one is unfinished\n"
    "  driflamme play --plain",
)
def play(
    *,
    restart: bool = flag("Start over instead of resuming."),
    name: options.Name = None,
    game: options.Game,
    plain: options.Plain = False,
    as_json: options.Json = False,
) -> None:
    """Play against bots, on a screen or by lines; resume the unfinished game by default."""
    go_not_together({"--plain": plain, "--json": as_json})
    on_screen = not (plain or as_json)
    usual = None
    if on_screen:
        if not has_terminal():
            fail("Playing needs a terminal; driflamme play --plain works without a screen.")
        from driflamme_tui.preferences.remembered import last_opponents

        usual = last_opponents().bot
    # `run_app` loads the app, while the terminal answers.
    with for_good():
        from driflamme_tui.hosting.host_plans import SoloPlan

    # With a seed, a program can play the same game again.
    is_new = restart or as_json or game.seed is not None
    has_options = any(value is not None for value in vars(game).values())
    if not on_screen:
        # Without a screen, nobody watches the bots play, so they need no pause.
        game.pace_ms = game.pace_ms or 0
    least, number, most = MINIMUM_PLAYERS, PLAYERS, MAXIMUM_PLAYERS
    if game.two:
        from engine.ranking import PLAYERS_OF_TWO

        least = number = most = PLAYERS_OF_TWO
    bots = options.parse_bots(game.bots, number - 1, least - 1, most - 1, usual)
    plan = SoloPlan(
        options.table_settings(game),
        bots,
        game.seed,
        is_stored=not as_json,
        continues=not is_new,
        needs_same=has_options,
    )
    if on_screen:
        run_app(plan, looks(), options.checked_name(name))
    else:
        run_lines(plan, options.checked_name(name), as_json=as_json)


def begin() -> bool:
    """Show the start screen, which ends the command; without a terminal, return False."""
    if not has_terminal():
        return False
    run_app(None, looks(), options.default_name())
    return True


def _serve(
    plan: "Host", name: str, wings: tuple[OpeningOptions, ...], given: Collection[str]
) -> None:
    from driflamme_tui.hosting.open_table import open_table

    serve_until_stopped(
        lambda: open_table(plan, owned=False, name=name, notify=echo),
        lambda table: _opened(plan, table, wings, given),
        _closed,
    )


def _closed(table: "HostedTable") -> str:
    if not table.is_kept:
        return _("The table is closed.")
    if table.entry.table is not None and table.entry.table.games.phase == "playing":
        return _("The table is closed; driflamme host --headless --resume resumes its game.")
    return _("The table is closed; driflamme host --headless --resume opens it again.")


def _opened(
    plan: "Host",
    table: "HostedTable",
    wings: tuple[OpeningOptions, ...],
    given: Collection[str] = (),
) -> Iterator[str]:
    """Yield the lines about an open table: its place, and the ways to join it.

    `given` has the names of the settings that the command line sets. A resumed table ignores them.
    """
    from driflamme_tui.wording.program.joining_words import joining_command, written_code

    location = plan.location if table.listening is None else table.listening.location
    if location.unix is None:
        yield _("A table is open on port {port}.", port=table.port)
    else:
        yield _("A table is open at {path}.", path=location.unix)
    for invitation in table.invitations:
        command = joining_command(invitation)
        yield _("Others join with: {command}", command=command)
    if table.secure:
        code = written_code(table.entry.code)
        yield _("Or with its address and the spoken code {code}.", code=code)
    else:
        yield _("Nothing is encrypted, and anybody who reaches the table can sit down.")
    yield from all_sentences(wings, table)
    if table.is_resumed:
        if ignored := ", ".join(_ignored(plan, table, given)):
            yield _(
                "The table keeps its own settings. Ignored settings of this command: {names}.",
                names=ignored,
            )
        yield _("Players who sat here have their seats back. Ctrl-C closes the table.")
    else:
        yield _(
            "The first player to sit down chooses the settings and starts the game. Ctrl-C closes "
            "the table."
        )


def _ignored(plan: "Host", table: "HostedTable", given: Collection[str]) -> Iterator[str]:
    """Yield the names of the given settings whose values differ at the table."""
    from driflamme_tui.wording.program.settings_words import TABLE_SETTINGS

    assert table.entry.table is not None
    here, wanted = table.entry.table.games.settings.by_name(), plan.settings.by_name()
    for each in TABLE_SETTINGS.values():
        name = each.field
        if name in given and here.get(name) != wanted.get(name):
            yield _(each.name)


@commands.described(
    "learn",
    examples=(
        "\b\nLeave at any time: the lesson resumes where you left it. Examples:\n"
        "  driflamme learn\n"
        "  driflamme learn --restart   from the beginning\n"
        "  driflamme learn --plain     line by line"
    ),
)
def learn(
    restart: bool = flag("Start over instead of resuming."),
    name: options.Name = None,
    pace: options.Pace = None,
    plain: options.Plain = False,
) -> None:
    """Continue the guided first game, or begin it."""
    if not plain and not has_terminal():
        fail("The lesson needs a terminal; driflamme learn --plain works without a screen.")
    if not plain:
        load_app()
    from driflamme_tui.study.guided_game import PACE_MS, Lesson

    usual = 0 if plain else PACE_MS
    called = options.checked_name(name)
    pace_ms = usual if pace is None else round(pace)
    lesson = Lesson.resumed(called, pace_ms, restart=restart)
    if plain:
        from driflamme_tui.seat.targets import Study

        run_lines(Study(lesson), called, as_json=False)
    else:
        from driflamme_tui.study.lesson_screen import LessonScreen

        run_app(lambda: LessonScreen(lesson, called), looks(), called)
