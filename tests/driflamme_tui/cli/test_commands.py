"""Tests the command line: its output and errors, exit statuses, and imports."""

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer import Exit
from typer.testing import CliRunner, Result

from driflamme_tui.cli import commands, shared_options
from driflamme_tui.cli.command_list import CORE_COMMANDS, ListedCommand, WingCommands, all_commands
from driflamme_tui.cli.commands import join_command
from driflamme_tui.cli.commands.rules_command import find_card
from driflamme_tui.cli.declarations import WingOptions, added_options
from driflamme_tui.cli.program import app
from driflamme_tui.preferences.remembered import remember
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.seat.targets import CodeTarget, Join
from driflamme_tui.text import i18n
from driflamme_tui.wings import WINGS
from driflamme_tui.wording.game.help_pages import rules_sections
from engine.bots import BOTS
from engine.cards import CARD_NAMES, CARDS
from engine.notation import parse_position
from netcode.joining import discovery
from netcode.protocol import table_settings
from netcode.protocol.messages import PROTOCOL
from netcode.registry import wing_values
from netcode.storage.journal import SWITCH_INTERVAL_S
from netcode.transport import address
from tests.driflamme_tui.past_games import keep_evenings
from tests.engine.referee import check_trace
from tests.support.command_lines import OF_WINGS

START = "2 1 r* - *r1:ASPHFLX:DMC:-,b1:ASPHFLX:DMC:-,g1:ASPHFLX:DMC:-"
LISTENING = [command for wing in OF_WINGS for command in wing.listening]

OVER = "2 6 - rH,bL,gS *r9:A:SPF:LXDMC,b9:A:SPF:HXDMC,g3:A:PHF:LXDMC"

HEAVY = {"textual", "rich", "websockets", "msgpack", "netcode", "ray", "numpy"}


BESIDE_WINGS = HEAVY - {"netcode"} | {"netcode.table", "netcode.protocol", "netcode.transport"}
"""Heavy modules, without the package `netcode`, which contains the registry of wings. Commands that
load the registry must not load these.
"""


def driflamme(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"LANGUAGE": "en", **environment})


def refused(result: Result) -> str:
    """Assert that a command refused its input; return its error sentence."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("driflamme: ")
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("\n")
    return result.stderr.removeprefix("driflamme: ").rstrip("\n")


def test_every_command_is_found_where_it_is_said_to_stand() -> None:
    modules = {f".{path.stem}" for path in Path(commands.__path__[0]).glob("*_command*.py")}
    assert modules == {each.module for each in CORE_COMMANDS.values()}
    known = {**all_commands(), **CORE_COMMANDS}.values()
    for module in {each.module for each in known}:
        found = import_module(module, commands.__name__).commands.declared
        assert {*found} == {each.name for each in known if each.module == module}


def test_a_wings_command_has_a_place_in_the_list() -> None:
    for wing in wing_values("driflamme_tui", "commands", WingCommands):
        for each in wing.commands:
            assert each.after in CORE_COMMANDS, each.name
            assert all_commands()[each.name] == each


LISTS = {"driflamme_tui.wings", "netcode.wings"}
"""Modules that list the wings; they belong to no wing."""


def loaded_of_wings(*commands: str) -> set[str]:
    """Return the modules of wings that one program loads for the help of some commands."""
    program = """
import sys
from contextlib import suppress
from driflamme_tui.cli.program import app
for command in sys.argv[1:]:
    with suppress(SystemExit):
        app([*command.split(), "--help"])
print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, *commands], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Usage: ") == len(commands)
    return {name for name in done.stderr.split() if ".wings" in name} - LISTS


def test_the_list_of_commands_loads_no_more_of_a_wing_than_its_line() -> None:
    wings = [f"driflamme_tui.wings.{name}" for name, seams in WINGS.items() if "commands" in seams]
    assert loaded_of_wings("") == {*wings, *(f"{wing}.commands" for wing in wings)}


def test_commands_of_the_core_load_nothing_of_a_wing_for_their_help() -> None:
    assert loaded_of_wings("play", "join", "rules", "history", "keys") == set()


def commands_of_wings() -> list[ListedCommand]:
    return [each for name, each in all_commands().items() if name not in CORE_COMMANDS]


def test_a_command_of_a_wing_that_cannot_be_loaded_ends_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for command in commands_of_wings():
        module = resolve_name(command.module, commands.__name__)
        monkeypatch.setitem(sys.modules, module, None)
        said = refused(driflamme(command.name, "--help"))
        wing = module.split(".")[2]
        assert said.startswith(
            f"The optional part {wing} cannot be loaded, so reinstall the program: "
            "ModuleNotFoundError"
        )
        assert f"  {command.name}  " in driflamme("--help").stdout


def test_a_mistyped_command_is_compared_with_those_of_wings_too() -> None:
    for command in commands_of_wings():
        mistyped = f"{command.name}{command.name[-1]}"
        said = f"There is no command '{mistyped}'; did you mean '{command.name}'"
        assert said in refused(driflamme(mistyped))
    assert "There is no command 'hosst'; did you mean 'host'" in refused(driflamme("hosst"))


@pytest.mark.parametrize("command", [(), ("rules",), ("simulate",), ("position",)])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_is_everywhere_and_has_examples(command: tuple[str, ...], option: str) -> None:
    result = driflamme(*command, option)
    assert result.exit_code == 0
    assert "Usage: " in result.stdout
    assert "Examples" in result.stdout
    assert all(len(line) <= 100 for line in result.stdout.splitlines())


def test_examples_name_the_program_as_it_was_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_started_as", "scripts/driflamme")
    for command in ("host", "doctor", "history", "replay"):
        shown = driflamme(command, "--help").stdout.partition("Example")[2]
        assert "scripts/driflamme " in shown
        assert not re.search(r"^ *driflamme ", shown, re.MULTILINE), command


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("join", "127.0.0.1"), "code after its address: 127.0.0.1 K7Q"),
        (("join", "ABC"), "ABC is not a complete spoken code, such as K7Q-F2MXR"),
        (("join", "127.0.0.1:99999"), "Type a port from 1 to 65535"),
        (("play", "--plain", "--bots", "9"), "Choose at most 4 bots for this table"),
        (("play", "--plain", "--bots", "clever,steady,steady"), "no bot called 'clever'"),
        (("play", "--plain", "--bots", "steady"), "Choose 2 to 4 bots for this table"),
        (("learn",), "driflamme learn --plain"),
        (("play",), "driflamme play --plain"),
        (("join", "--plain"), "Which table?"),
        (("--plain",), "Type --plain after one of these commands: "),
        (("host", "--clock", "abc"), "Give --clock a number, not 'abc'."),
        (("host", "--headless", "--plain"), "no seat to play at"),
        *(
            (
                (*command, "--bind", bind),
                f"This machine has no address {bind}: driflamme doctor lists those that it has.",
            )
            for command in (("host", "--headless"), *((each,) for each in LISTENING))
            for bind in ("a..b", "a" * 300)
        ),
        (("play", "--plain", "--pace", "nan"), "Give --pace a number, not 'nan'."),
        (("play", "--plain", "--think", "nan"), "Give --think a number, not 'nan'."),
        (
            ("arena", "--bots", "sharp,steady", "--seconds", "inf"),
            "Give --seconds a number, not 'inf'.",
        ),
        (("join", "--plain", f"driflamme://a..b/{'A' * 38}"), "'a..b' is not an address"),
        (("join", "--plain", "--unix", "/no\udcff"), "No table is open at /no"),
        (("watch", "--plain", "--unix", "/no\udcff"), "No table is open at /no"),
        (("host", "--headless", "--unix", "/no/\udcff"), os.strerror(errno.EILSEQ)),
        (
            ("host", "--headless", "--resume"),
            "There is no unfinished table on this machine: open a new one with driflamme host.",
        ),
        (("host", "--plain", "--restart"), "Use --restart only with --headless."),
    ],
)
def test_a_table_that_cannot_be_is_refused(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(driflamme(*arguments))


@pytest.fixture
def _no_wings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("driflamme_tui.wings.WINGS", {})
    wing_values.cache_clear()
    yield
    wing_values.cache_clear()


OPTIONS_OF_WINGS = sorted(
    {
        (command, each.default.param_decls[0] if each.default.param_decls else f"--{each.name}")
        for command in all_commands()
        for group in added_options(WingOptions, command)
        for each in group.parameters(())
        if command in CORE_COMMANDS
    }
)
"""The options that wings add to commands of the core."""


@pytest.mark.usefixtures("_no_wings")
@pytest.mark.parametrize(("command", "option"), OPTIONS_OF_WINGS)
def test_an_option_of_a_removed_wing_is_no_option(command: str, option: str) -> None:
    assert refused(driflamme(command, option.partition("/")[0])).startswith("There is no option --")


@pytest.mark.usefixtures("_no_wings")
@pytest.mark.parametrize("command", [(), *((name,) for name in CORE_COMMANDS)])
def test_help_without_wings_is_whole(command: tuple[str, ...]) -> None:
    result = driflamme(*command, "--help")
    assert result.exit_code == 0
    assert "{wings}" not in result.stdout
    for name, option in OPTIONS_OF_WINGS:
        assert (name,) != command or f" {option} " not in result.stdout, option


LOOKS = ("--theme", "light", "--ascii", "--no-animation")


@pytest.mark.parametrize(
    "arguments",
    [
        LOOKS,
        (*LOOKS, "play"),
        ("--theme", "dark", *LOOKS[2:], "play", *LOOKS[:2]),
        ("host", *LOOKS),
        ("watch", "localhost", "--insecure", *LOOKS),
        ("puzzle", *LOOKS),
        ("board", START, *LOOKS),
    ],
)
def test_looks_hold_before_the_command_and_after_it(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Settings] = []

    def run_app(_plan: object, settings: Settings, _name: str = "", **_more: bool) -> None:
        seen.append(settings)

    for module in ("host_command", "join_command", "position_commands"):
        of_module = f"driflamme_tui.cli.commands.{module}"
        monkeypatch.setattr(f"{of_module}.has_terminal", lambda: True)
        monkeypatch.setattr(f"{of_module}.run_app", run_app)
    assert driflamme(*arguments).exit_code == 0
    assert [(each.theme, each.glyphs, each.animation) for each in seen] == [
        ("light", "ascii", False)
    ]


@pytest.mark.parametrize("kind", ["dumb", "unknown"])
@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("play",),
        ("learn",),
        ("puzzle",),
        ("board", START),
        ("host",),
        ("join",),
        ("join", "localhost", "--insecure"),
        ("watch", "localhost", "--insecure"),
    ],
)
def test_a_terminal_without_screens_gets_one_sentence_and_no_control_sequence(
    arguments: tuple[str, ...], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[object] = []

    async def run_async(app: object) -> None:
        shown.append(app)

    monkeypatch.setattr("textual.app.App.run_async", run_async)
    for module in ("host_command", "join_command", "position_commands"):
        monkeypatch.setattr(f"driflamme_tui.cli.commands.{module}.has_terminal", lambda: True)
    result = driflamme(*arguments, TERM=kind)
    assert shown == []
    said = refused(result)
    assert f"TERM={kind} cannot show screens: correct TERM, or use --plain." in said
    assert "\x1b" not in result.output


@pytest.mark.parametrize(
    "arguments",
    [("host", "--headless"), ("host",), *(line for wing in OF_WINGS for line in wing.hosting)],
)
def test_who_serves_others_has_threads_take_turns_often(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_runner: object, main: Coroutine[None, None, None]) -> None:
        main.close()

    intervals: list[float] = []
    monkeypatch.setattr("driflamme_tui.cli.commands.host_command.has_terminal", lambda: True)
    monkeypatch.setattr("driflamme_tui.cli.commands.host_command.run_app", lambda *_: None)
    monkeypatch.setattr("asyncio.Runner.run", run)
    monkeypatch.setattr(sys, "setswitchinterval", intervals.append)
    assert driflamme("play").exit_code == 0
    assert intervals == []
    assert driflamme(*arguments).exit_code == 0
    assert intervals == [SWITCH_INTERVAL_S]


def test_the_status_of_what_does_not_run_names_the_command_that_starts_it() -> None:
    for command in LISTENING:
        said = refused(driflamme(command, "--status", "--port", "9"))
        assert "listens on port 9" in said
        assert f"start one with driflamme {command}." in said


def test_no_command_of_the_list_is_told_half() -> None:
    assert driflamme("--version").stdout.startswith("driflamme ")
    output = driflamme().stdout.partition("Commands:")[2]
    assert "..." not in output
    assert "driflamme replay NUMBER shows one." in " ".join(output.split())


def test_ctrl_c_is_no_error_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.arena.contest.simulate", interrupted)
    result = driflamme("simulate")
    assert result.exit_code == 130
    assert result.output == ""


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        # The help loads the library that prints it, but no other library, no game and no screen.
        (
            ["--help"],
            BESIDE_WINGS
            | {"msgspec", "asyncio", "logging", "json", "shlex", "tomllib", "engine.game"}
            | {"driflamme_tui.cli.commands", "driflamme_tui.cli.shared_options"},
        ),
        (["rules", "X"], HEAVY),
        (["position", START, "S>"], HEAVY),
        (["stats"], {"textual", "websockets", "msgpack", "zeroconf"}),
        # Contests use the worker processes of tables, and nothing else of the network.
        (
            ["arena", "--bots", "random,steady", "--games", "4", "--workers", "1"],
            BESIDE_WINGS,
        ),
    ],
)
def test_what_needs_no_screen_and_no_network_does_not_import_them(
    arguments: list[str], unneeded: set[str]
) -> None:
    keep_evenings()
    program = f"""
import sys
from driflamme_tui.cli.main import run
sys.argv = ["driflamme", *{arguments!r}]
try:
    run()
except SystemExit as end:
    assert not end.code, end.code
"""
    assert not loaded_by(program) & unneeded


def test_the_app_starts_without_what_its_first_table_does_not_need() -> None:
    loaded = loaded_by(
        "import gc; from driflamme_tui.cli.app_start import load_app; load_app()\n"
        "assert gc.isenabled() and gc.get_freeze_count()"
    )
    screens = {f"driflamme_tui.screens.{name}" for name in ("lobby_screen", "result_screen")}
    libraries = {"websockets", "zeroconf", "cryptography", "spake2", "segno", "uvloop"}
    assert not loaded & (screens | libraries)


def test_a_game_against_bots_loads_its_screens_while_the_terminal_answers() -> None:
    program = """
from driflamme_tui.cli.commands import host_command
from driflamme_tui.cli.main import run
begun = []
host_command.has_terminal = lambda: True
host_command.run_app = lambda *_: begun.append("textual" in sys.modules)
sys.argv = ["driflamme", "play"]
try:
    run()
except SystemExit as end:
    assert begun == [False], end.code
"""
    assert "netcode.protocol.table_settings" in loaded_by(program)


def loaded_by(program: str) -> frozenset[str]:
    """Return the names of all modules that a program has imported when it ends."""
    program = f"import sys\n{program}\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return frozenset(done.stderr.split())


def test_runs_as_a_module_and_bears_with_a_reader_that_has_gone() -> None:
    command = [sys.executable, "-m", "driflamme_tui", "simulate", "--games", "500", "--trace", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"type":"deal"')
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() != 0


def test_a_terminal_that_lacks_a_letter_gets_a_question_mark() -> None:
    command = [sys.executable, "-m", "driflamme_tui", "simulate", "--help"]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", "LANGUAGE": "en"}
    done = subprocess.run(command, capture_output=True, env=environment)
    assert done.returncode == 0
    assert b"--bots NAME,?" in done.stdout


def test_position_prints_the_legal_actions_on_one_line() -> None:
    assert driflamme("position", START).stdout == "A> S> P> H> F> L> X>\n"


def test_position_plays_actions_and_ends_with_the_position_reached() -> None:
    result = driflamme("position", START, "S>", "H<", "X<", "!", "x1", "+")
    assert result.exit_code == 0
    *lines, reached = result.stdout.splitlines()
    assert lines == [
        "Red puts the Soldier at the end, position 1",
        "Blue puts the Heir at the start",
        "Green puts the Assassination at the start",
        "The Queue is resolved",
        "Green reveals the Assassination at 1",
        "Green's Assassination at 1 eliminates itself (+1)",
        "Blue leaves the Heir at 1: 1 influence on it now",
    ]
    assert reached == "2 1 r?2 bh1,rs *r1:APHFLX:DMC:-,b1:ASPFLX:DMC:-,g2:ASPHFL:DMC:X"
    assert driflamme("position", reached).stdout == "+ !\n"


def test_position_of_a_finished_game_has_no_legal_actions() -> None:
    assert parse_position(OVER).over
    assert driflamme("position", OVER).stdout == "\n"
    assert "over" in refused(driflamme("position", OVER, "S>"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        START.replace("DMC", "DM", 1),
        "2 1 r* - *\udcffr1",
    ],
)
def test_a_malformed_position_is_refused(text: str) -> None:
    assert refused(driflamme("position", text)).endswith(".")


def test_an_illegal_action_is_refused_with_the_reason_and_nothing_else() -> None:
    assert refused(driflamme("position", START, "S>", "H^1")) == (
        "'H^1' is not legal: The card at position 1 is not yours: "
        "you can stack only on your own top card."
    )
    assert "Write an action like" in refused(driflamme("position", START, "S>", "Z9"))


def test_simulate_sums_up() -> None:
    result = driflamme("simulate", "--games", "40", "--bots", "steady")
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0].startswith("40 games, ")
    assert lines[1].split() == ["bot", "seats", "wins", "share", "95%", "interval", "expected"]
    assert [line.split()[:2] for line in lines[2:4]] == [["steady", "40"], ["random", "120"]]
    assert all(name in driflamme("simulate", "--help").stdout for name in BOTS)


def test_simulate_traces_to_standard_output_and_sums_up_on_standard_error() -> None:
    arguments = ("--games", "12", "--players", "mixed", "--edition", "mixed", "--seed", "3")
    result = driflamme("simulate", *arguments, "--trace", "-")
    assert result.stderr.startswith("12 games, ")
    assert check_trace(result.stdout.splitlines()).games == 12
    assert driflamme("simulate", *arguments, "--trace", "-").stdout_bytes == result.stdout_bytes


@pytest.mark.parametrize(
    "arguments",
    [
        ("--games", "0"),
        ("--games", "-1"),
        ("--games", "many"),
        ("--players", "2"),
        ("--players", "6"),
        ("--players", "all"),
        ("--edition", "3"),
        ("--seed", "x"),
        ("--bots", "stedy"),
        ("--bots", "steady,,random"),
        ("--trace", "/no/such/place"),
        ("--trace", "/"),
        ("--games", "1", "--trace", "/dev/full"),
    ],
)
def test_simulate_refuses_what_cannot_be(arguments: tuple[str, ...]) -> None:
    refused(driflamme("simulate", *arguments))


def test_rules_are_all_there() -> None:
    text = driflamme("rules").stdout
    for title, _ in rules_sections():
        assert f"{title.upper()}\n" in text
    assert "  13. " in text
    assert all(len(line) <= 80 for line in text.splitlines())


def test_rules_of_a_card_by_letter_and_by_name() -> None:
    for card in CARDS:
        by_letter = driflamme("rules", card)
        assert by_letter.exit_code == 0
        assert by_letter.stdout.startswith(f"{CARD_NAMES[card]} ({card}), ")
        assert driflamme("rules", *CARD_NAMES[card].split()).stdout == by_letter.stdout


def test_a_card_is_found_by_its_name_in_any_language_without_accents() -> None:
    for name, card in (
        ("s", "S"),
        ("embuscade", "M"),
        ("ZASADZKA", "M"),
        ("zolnierz", "S"),
        ("łucznik", "A"),
        ("décret-royal", "D"),
        ("krolewski dekret", "D"),
        ("decree", "D"),
    ):
        assert find_card(name) == card, name


def test_an_unknown_card_is_refused_with_those_there_are() -> None:
    sentence = refused(driflamme("rules", "knight"))
    assert "'knight'" in sentence
    assert all(name in sentence for name in CARD_NAMES.values())
    near = "There is no card 'ambsh'; did you mean Ambush?"
    assert near in refused(driflamme("rules", "ambsh"))


def test_the_command_line_and_the_network_agree_on_the_port() -> None:
    assert shared_options.DEFAULT_PORT == address.DEFAULT_PORT
    assert shared_options.LONGEST_CLOCK == table_settings.MAXIMUM_CLOCK_S
    assert shared_options.LONGEST_THOUGHT * 1000 == table_settings.MAXIMUM_THINK_MS


@pytest.mark.parametrize("typed", [("k7q", "f2mxr"), ("192.168.1.20", "k7q", "f2mxr")])
def test_a_code_may_be_typed_as_it_is_heard(
    typed: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def found(_seconds: float) -> list[discovery.FoundTable]:
        return [discovery.FoundTable("Root", address.Address("192.168.1.20"), "K7Q", PROTOCOL)]

    plans: list[object] = []
    monkeypatch.setattr(discovery, "find_tables", found)
    monkeypatch.setattr(join_command, "run_lines", lambda plan, _name, as_json: plans.append(plan))
    assert driflamme("join", "--json", "--name", "Blaise", *typed).exit_code == 0
    assert plans == [Join(CodeTarget(address.Address("192.168.1.20"), "K7QF2MXR"))]


@pytest.mark.parametrize("known", ["by an option", "of last time", "not at all"])
@pytest.mark.parametrize("on_screen", [True, False])
def test_a_name_is_asked_for_once_where_it_is_known_whether_it_is_free(
    monkeypatch: pytest.MonkeyPatch, known: str, on_screen: bool
) -> None:
    """The shell and the table's screen must not both ask for a name."""
    questions: list[object] = []
    names: list[str] = []

    def run_app(_plan: object, _settings: object, name: str, **more: bool) -> None:
        names.append(name)
        questions.extend(["on the screen"] * more["asks_name"])

    def answer(*_: object, **__: object) -> str:
        questions.append("in the shell")
        return "Zoe"

    monkeypatch.setattr(join_command, "has_terminal", lambda: True)
    monkeypatch.setattr(join_command, "run_app", run_app)
    monkeypatch.setattr(join_command, "run_lines", lambda _plan, name, as_json: names.append(name))
    monkeypatch.setattr(join_command, "is_typed_at", lambda: True)
    monkeypatch.setattr("typer.prompt", answer)
    if known == "of last time":
        remember(name="Blaise")
    options = ("--name", "Blaise") if known == "by an option" else ()
    lines = () if on_screen else ("--plain",)
    assert driflamme("join", *lines, *options, "--insecure", "192.168.1.20").exit_code == 0
    where = "on the screen" if on_screen else "in the shell"
    assert questions == ([where] if known == "not at all" else [])
    if known != "not at all":
        assert names == ["Blaise"]
    elif not on_screen:
        assert names == ["Zoe"]


def test_help_of_joining_names_how_to_watch() -> None:
    assert "driflamme watch" in driflamme("join", "--help").stdout


def test_tables_say_who_sits_there_and_whether_there_is_a_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def found(_seconds: float) -> list[discovery.FoundTable]:
        place = address.Address("192.168.1.20")
        waiting = discovery.FoundTable("Root", place, "K7Q", PROTOCOL, 3, 5)
        return [waiting, replace(waiting, name="Yvette", playing=True)]

    monkeypatch.setattr(discovery, "find_tables", found)
    waiting, playing = driflamme("tables").stdout.splitlines()
    assert waiting.startswith("Root (3 of 5, waiting): driflamme join 192.168.1.20 ")
    assert playing.startswith("Yvette (3 of 5, playing): driflamme watch 192.168.1.20 ")
    data = json.loads(driflamme("tables", "--json").stdout)
    assert [(each["taken"], each["places"], each["playing"]) for each in data] == [
        (3, 5, False),
        (3, 5, True),
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            "join --plain driflamme://bad",
            "The invitation is cut off: after the host's address it has a / and 38 letters and"
            " digits. Copy all of it.",
        ),
        (
            "join --plain http://foo",
            "'http://foo' is not a link to a table: such a link begins with driflamme://. An"
            " address looks like 192.168.1.20 or table.example:4000.",
        ),
        ("play --zzz", "There is no option --zzz: add --help to list all."),
        ("nosuch", "There is no command 'nosuch': driflamme --help lists all."),
        ("jion", "There is no command 'jion'; did you mean 'join'?"),
        ("position", "Add POSITION: it is missing."),
        (
            "position nosuch.json",
            "There is no file 'nosuch.json'; to give a position, type its five fields in quotes.",
        ),
    ],
)
def test_what_was_mistyped_is_told_with_what_to_type(arguments: str, said: str) -> None:
    assert refused(driflamme(*arguments.split())) == said


@pytest.mark.parametrize(
    ("most", "sentence"), [(1, "Choose at most 1 bot for this table"), (4, "Choose at most 4 bots")]
)
def test_one_bot_is_one_bot(capsys: pytest.CaptureFixture[str], most: int, sentence: str) -> None:
    with pytest.raises(Exit):
        shared_options.parse_bots("9:steady", 1, 0, most)
    assert sentence in capsys.readouterr().err
