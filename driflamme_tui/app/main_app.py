"""Defines the Textual app: the start screen, and the way to all other screens and overlays.

Screens and overlays are imported when they are shown.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.screen import Screen

from driflamme_tui import local_date
from driflamme_tui.app.styled_app import StyledApp
from driflamme_tui.app.table_place import TablePlace
from driflamme_tui.drawing.terminal_answers import Answers
from driflamme_tui.hosting.host_plans import Host, SoloPlan
from driflamme_tui.keymap.key_bindings import keys_of
from driflamme_tui.keymap.screen_commands import AppCommands
from driflamme_tui.preferences.remembered import last_opponents, next_table, recall
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.messages import Go, LookBack, ShowResult
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.seat.seat_keys import way_back
from driflamme_tui.seat.targets import Join, Plan, parse_target
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from netcode.client.session import Session
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence
from netcode.protocol.table_settings import TableSettings

if TYPE_CHECKING:
    from driflamme_tui.screens.start_screen import StartScreen


class DriflammeApp(StyledApp):
    """The app: start screen, tables and overlays, or a single screen without a table."""

    TITLE = "Driflamme"
    ENABLE_COMMAND_PALETTE = False
    """Turns off Textual's palette and its Ctrl key.

    The command `commands.open` opens this program's palette.
    """
    is_for_one_table = False
    """True if the app is only for the table of its plan, and ends when the player leaves that
    table.
    """
    joins = False
    """True if the player wants to join a table. The start screen then focuses the join field."""
    asks_name = False
    """True if the app must ask the player's name before going to the table of the plan."""
    is_named = False
    """True if the command line names the player. The start screen then puts the seats of this name
    first, because several players may share an account.
    """
    looks_for_tables = False
    """True if the start screen searches the network for tables; False in tests."""

    def __init__(
        self,
        plan: Plan | Callable[[], Screen[None]] | None,
        name: str = "",
        glyphs: Glyphs | None = None,
        settings: Settings | None = None,
        answers: Answers = Answers(),  # noqa: B008
    ) -> None:
        """Start with a plan, or with the start screen.

        Args:
            plan: The first plan; if it fails, the app ends with a message. None shows the start
                screen. A function creates the only screen, and the app ends with that screen.
            name: The player's name.
            glyphs: The signs to draw with; by default the settings select them.
            settings: The player's settings; by default the default values.
            answers: The terminal's answers about itself.
        """
        super().__init__(glyphs, settings or Settings(), answers)
        self.player_seat = PlayerSeat(Session(), name)
        self._only = plan if callable(plan) else None
        """Makes the only screen; None if the app has more than one screen."""
        self.place = TablePlace(
            self,
            None if callable(plan) else plan,
            start_screen=self._start_screen,
            is_only=self.is_for_one_table,
        )

    @property
    def failure(self) -> str:
        """The reason why the first plan failed; "" if it has not failed."""
        return self.place.failure

    @property
    def session(self) -> Session:
        """The session of the present seat, which interprets the host's messages."""
        return self.player_seat.session

    async def on_mount(self) -> None:
        """Show the app's only screen, or a first screen from which the plan is begun.

        If the player's name is missing, ask for it before the plan begins.
        """
        self.warn_of_few_colours()
        self.watch(self, "app_focus", self._look, init=False)
        if self._only is not None:
            await self.push_screen(self._only())
            return
        plan = self.place.plan
        # A game against bots is ready at once. For any other plan, compose a screen first: a plan
        # that fails at once would end the app while its screen is being composed.
        if isinstance(plan, Host | Join) and not self.is_for_one_table:
            from driflamme_tui.screens.opening_screen import OpeningScreen

            await self.push_screen(OpeningScreen(joins=isinstance(plan, Join)))
        elif not self.is_for_one_table and not isinstance(plan, SoloPlan):
            await self.push_screen(self._start_screen(address=recall().address))
        if plan is not None and self.asks_name:
            self.place.ask_name("")
        elif plan is not None:
            self.place.go(plan)

    def action_commands(self) -> None:
        """Show all commands of the present screen, to search and choose from."""
        from driflamme_tui.screens.overlays.command_palette import CommandMenu

        self.push_screen(CommandMenu())

    def action_options(self) -> None:
        """Show the settings that the player can change."""
        from driflamme_tui.screens.overlays.options_overlay import OptionsOverlay

        self.push_screen(OptionsOverlay())

    def action_help(self, page: str = "") -> None:
        """Show the help with the keys of the present screen.

        `page` is the name of the page to open; "" for the page that fits the present moment.
        """
        from driflamme_tui.screens.overlays.help_overlay import HelpOverlay

        screen, glyphs = self.screen, self.terminal.glyphs
        assert isinstance(screen, Commanded)
        keys = keys_of(screen.command_set, glyphs, typed=screen.types_letters)
        keys += keys_of(AppCommands, glyphs)
        self.push_screen(HelpOverlay(glyphs, keys, page or screen.help_page()))

    # Commands of the start screen

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return True if an action is possible; False or None if it is not.

        Just after a screen has closed, the actions of the start screen are impossible. The present
        screen decides about the actions `commands`, `options` and `help`.
        """
        if action in ("play", "host", "reopen", "go_back", "learn", "puzzle", "board", "resume"):
            return not self.terminal.ignores_keys()
        if action in ("commands", "options", "help"):
            return self.screen.check_action(action, parameters)
        return super().check_action(action, parameters)

    def action_play(self) -> None:
        """Play against the opponents chosen last, on this machine only.

        If the player's name is invalid, show the reason instead.
        """
        if self._named():
            opponents = last_opponents()
            self.place.go(SoloPlan(TableSettings(edition=opponents.edition), opponents.bots))

    def action_resume(self) -> None:
        """Continue the latest unfinished game against bots."""
        self.place.go(SoloPlan(continues=True, begins=False))

    def action_learn(self, restart: bool = False) -> None:
        """Continue the guided first game, or start it; with `restart`, always start it anew.

        If the player's name is invalid, show the reason instead.
        """
        from driflamme_tui.study.guided_game import Lesson
        from driflamme_tui.study.lesson_screen import LessonScreen

        if self._named():
            name = self.player_seat.name
            self.change_screen(LessonScreen(Lesson.resumed(name, restart=restart), name))

    def action_puzzle(self) -> None:
        """Show the puzzle of the day; further puzzles can follow it."""
        from driflamme_tui.study.local_table import PuzzleTable
        from driflamme_tui.study.puzzle_screens import PuzzleScreen

        self.push_screen(PuzzleScreen(PuzzleTable(local_date.today())))

    def action_board(self) -> None:
        """Show the analysis board with a new deal, for the number of players chosen last."""
        from random import SystemRandom

        from driflamme_tui.study.local_table import LocalTable
        from driflamme_tui.study.puzzle_screens import BoardScreen
        from engine.cards import FAMILIES
        from engine.game import Deal, Game

        families = FAMILIES[: last_opponents().number + 1]
        self.push_screen(
            BoardScreen(LocalTable(Game.start(Deal.shuffled(SystemRandom(), families))))
        )

    def action_host(self) -> None:
        """Open a table for others, with the settings that the player chose last.

        If the player's name is invalid, show the reason instead.
        """
        if self._named():
            self.place.go(Host(settings=next_table(), reminds=False))

    def action_reopen(self) -> None:
        """Reopen the player's latest unfinished table."""
        self.place.go(Host(resume=True))

    def action_go_back(self) -> None:
        """Return to the seat that the player left last, under the name used there.

        Do nothing if the way back to that seat is not stored on this machine.
        """
        if (back := way_back(self._named_player)) is not None:
            self.on_go(Go(Join(parse_target(back.typed, ())), back.name))

    def on_go(self, message: Go) -> None:
        """Go to the table of a plan; if the player's name is invalid, show the reason instead.

        A name in the message becomes the player's name, unless the table refuses the player.
        """
        former = self.player_seat.name
        self.player_seat.name = message.name or former
        if self._named():
            self.place.former_name = former if message.name else ""
            self.place.go(message.plan)
        else:
            self.player_seat.name = former

    def _named(self) -> bool:
        problem = name_problem(self.player_seat.name)
        if problem is not None:
            self.place.give_up(refusal_sentence(problem, _))
        return problem is None

    def on_look_back(self, message: LookBack) -> None:
        """Show the replay of a game. Leaving the replay shows the present screen again."""
        from driflamme_tui.study.replay_screen import ReplayScreen

        self.push_screen(
            ReplayScreen(message.replay, step=message.step, own=message.own, learns=message.learns)
        )

    def on_leave_table(self) -> None:
        """Leave the table or the list of tables. The player's own table closes."""
        self.place.leave_for_good()

    def on_show_result(self, message: ShowResult) -> None:
        """Switch from the table at the end of a game to its result, or back."""
        self.place.saw_result = message.is_shown
        self.place.show()

    def _start_screen(self, why: str = "", address: str = "") -> "StartScreen":
        from driflamme_tui.screens.start_screen import StartScreen

        return StartScreen(
            why,
            address,
            browses=self.looks_for_tables,
            joins=self.joins,
            named_player=self._named_player,
        )

    @property
    def _named_player(self) -> str:
        """The player's name if the command line has named the player; otherwise ""."""
        return self.player_seat.name if self.is_named else ""

    async def on_unmount(self) -> None:
        """Restore the terminal's title, and leave the table, when the app ends."""
        self.terminal.signal(self.terminal.calls.leave())
        await self.place.close()

    def _look(self, focused: bool) -> None:
        self.terminal.look(focused=focused)
