"""The Textual app: asks what to do, and has the screens and overlays of the whole program.

Screens and overlays are imported when they are shown, and whatever is needed on the way there.
"""

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from textual.screen import Screen

from driflamme_tui.app.styled_app import StyledApp
from driflamme_tui.app.table_place import TablePlace
from driflamme_tui.drawing.terminal_answers import Answers
from driflamme_tui.hosting.host_plans import Alone, Host
from driflamme_tui.keymap.key_bindings import keys_of
from driflamme_tui.keymap.screen_commands import AppCommands
from driflamme_tui.preferences.remembered import last_opponents, next_table, recall
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.messages import Go, LookBack, ShowResult
from driflamme_tui.seat.seat_keys import way_back
from driflamme_tui.seat.sitting import Sitting
from driflamme_tui.seat.targets import Join, Plan, parse_target
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from netcode.client.session import Session
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence
from netcode.protocol.table_settings import TableSettings

if TYPE_CHECKING:
    from driflamme_tui.screens.start_screen import StartScreen


class DriflammeApp(StyledApp):
    """The player's side of a table, and the ways there; or one screen without a table."""

    TITLE = "Driflamme"
    ENABLE_COMMAND_PALETTE = False
    """Textual's own, with a Ctrl chord; ours is `commands.open`."""
    is_for_one_table = False
    """Whether the app is there for the table of its plan alone, and ends with it."""
    joins = False
    """Whether one came to join a table, and not to be asked what else to do."""
    asks_name = False
    """Whether one is asked for a name before one goes to the table of the plan."""
    looks_for_tables = False
    """Whether there is a network to look for tables on: tests do without."""

    def __init__(
        self,
        plan: Plan | Callable[[], Screen[None]] | None,
        name: str = "",
        glyphs: Glyphs | None = None,
        settings: Settings | None = None,
        answers: Answers = Answers(),  # noqa: B008
    ) -> None:
        """Start with a plan, or by asking for one.

        Args:
            plan: What to do at once; the app ends with a message if that cannot be done. Or what
                makes a screen, with which the app ends.
            name: The player's.
            glyphs: What the table is drawn with; what the settings say, unless given.
            settings: The player's; the usual ones, unless given.
            answers: What the terminal has said of itself.
        """
        super().__init__(glyphs, settings or Settings(), answers)
        self.sitting = Sitting(Session(), name)
        self._only = plan if callable(plan) else None
        """Makes the one screen that is shown, if there is but one."""
        self.place = TablePlace(
            self,
            None if callable(plan) else plan,
            start_screen=self._start_screen,
            is_only=self.is_for_one_table,
        )

    @property
    def failure(self) -> str:
        """Why the plan with which the app was started came to nothing."""
        return self.place.failure

    @property
    def session(self) -> Session:
        """What the host has told so far."""
        return self.sitting.session

    async def on_mount(self) -> None:
        """Do what was planned, or ask."""
        self.tell_of_colours()
        self.watch(self, "app_focus", self._look, init=False)
        if self._only is not None:
            await self.push_screen(self._only())
            return
        plan = self.place.plan
        # A table of one's own is there at once. A plan that fails at once ends the app, which a
        # half-made screen would not survive.
        if not self.is_for_one_table and not isinstance(plan, Alone):
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
        """Show the settings that the player may change."""
        from driflamme_tui.screens.overlays.options_overlay import OptionsOverlay

        self.push_screen(OptionsOverlay())

    def action_help(self, page: str = "") -> None:
        """Show the help, with the keys of the present screen: at a page, or what is on there."""
        from driflamme_tui.screens.overlays.help_overlay import HelpOverlay

        screen, glyphs = self.screen, self.terminal.glyphs
        assert isinstance(screen, Commanded)
        keys = keys_of(screen.command_set, glyphs, typed=screen.types_letters)
        keys += keys_of(AppCommands, glyphs)
        self.push_screen(HelpOverlay(glyphs, keys, page or screen.help_page()))

    # What the start screen asks for

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keep keys from leading to a table that were typed at what has just gone."""
        if action in ("play", "host", "reopen", "go_back", "learn", "puzzle", "board", "resume"):
            return not self.terminal.ignores_keys()
        if action in ("commands", "options", "help"):
            return self.screen.check_action(action, parameters)
        return super().check_action(action, parameters)

    def action_play(self) -> None:
        """Play against bots, on this machine only."""
        if self._named():
            opponents = last_opponents()
            self.place.go(Alone(TableSettings(edition=opponents.edition), opponents.bots))

    def action_resume(self) -> None:
        """Continue the game against bots that was interrupted."""
        self.place.go(Alone(continues=True, begins=False))

    def action_learn(self, restart: bool = False) -> None:
        """Go on with the guided first game, or begin it."""
        from driflamme_tui.study.guided_game import Lesson
        from driflamme_tui.study.lesson_screen import LessonScreen

        if self._named():
            name = self.sitting.name
            self.change_screen(LessonScreen(Lesson.resumed(name, restart=restart), name))

    def action_puzzle(self) -> None:
        """Show the puzzle of the day, and others after it."""
        from driflamme_tui.study.judged_screens import PuzzleScreen
        from driflamme_tui.study.local_table import PuzzleTable

        self.push_screen(PuzzleScreen(PuzzleTable(date.today().toordinal())))

    def action_board(self) -> None:
        """Show the analysis board with a new deal."""
        from random import SystemRandom

        from driflamme_tui.study.judged_screens import BoardScreen
        from driflamme_tui.study.local_table import LocalTable
        from engine.cards import FAMILIES
        from engine.game import Deal, Game

        families = FAMILIES[: last_opponents().number + 1]
        self.push_screen(
            BoardScreen(LocalTable(Game.start(Deal.shuffled(SystemRandom(), families))))
        )

    def action_host(self) -> None:
        """Open a table for others."""
        if self._named():
            self.place.go(Host(settings=next_table(), reminds=False))

    def action_reopen(self) -> None:
        """Reopen the player's latest unfinished table."""
        self.place.go(Host(resume=True))

    def action_go_back(self) -> None:
        """Go back to that seat; if there is no way any more, it is forgotten."""
        if (back := way_back()) is not None:
            self.place.returns, self.sitting.name = back, back.name
            self.on_go(Go(Join(parse_target(back.typed, ()))))

    def on_go(self, message: Go) -> None:
        """Go to a table, if one can be called there as one is."""
        if self._named():
            self.place.go(message.plan)

    def _named(self) -> bool:
        problem = name_problem(self.sitting.name)
        if problem is not None:
            self.place.give_up(refusal_sentence(problem, _))
        return problem is None

    def on_look_back(self, message: LookBack) -> None:
        """Look back at a game; leaving it leads back here."""
        from driflamme_tui.study.replay_screen import ReplayScreen

        self.push_screen(ReplayScreen(message.replay, step=message.step))

    def on_leave_table(self) -> None:
        """Leave a table, or the place where one was chosen; a table of one's own is closed."""
        self.place.leave_for_good()

    def on_show_result(self, message: ShowResult) -> None:
        """Go from the table at the end of a game to its result, or back."""
        self.place.saw_result = message.shown
        self.place.show()

    def _start_screen(self, why: str = "", address: str = "") -> "StartScreen":
        from driflamme_tui.screens.start_screen import StartScreen

        return StartScreen(why, address, browses=self.looks_for_tables, joins=self.joins)

    async def on_unmount(self) -> None:
        """Close what is open when the app ends by whatever way."""
        self.terminal.signal(self.terminal.attention.leave())
        await self.place.close()

    def _look(self, focused: bool) -> None:
        self.terminal.look(focused=focused)
