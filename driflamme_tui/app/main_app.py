"""The Textual app: keeps one session at one table, and shows the screen that goes with it.

A worker carries the host's messages to the session and tells the screen that it has changed; the
screens read the session. The app follows the player's settings and keys, at the start and whenever
they change: every screen has a `relabel`, which words and draws it anew. Screens and overlays are
imported when they are shown, and whatever is needed on the way there.
"""

import os
import sys
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace
from textual import constants, work
from textual.await_complete import AwaitComplete
from textual.screen import Screen
from textual.worker import Worker

from driflamme_tui.app.keyed_app import KeyedApp
from driflamme_tui.drawing.palette import (
    DARK,
    LIGHT,
    PLAIN,
    textual_theme,
    theme_variables,
    themes,
)
from driflamme_tui.drawing.terminal_answers import Answers
from driflamme_tui.hosting.host_plans import Alone, Host
from driflamme_tui.keymap.key_bindings import key, keys_of, use_keys, whole
from driflamme_tui.keymap.screen_commands import (
    AppCommands,
    PeopleCommands,
    SessionCommands,
)
from driflamme_tui.preferences import settings as config
from driflamme_tui.preferences.remembered import (
    WayBack,
    forget_back,
    last_bot,
    next_table,
    recall,
    remember,
    remember_back,
)
from driflamme_tui.preferences.settings import AUTO, Settings, SettingsError
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.messages import Go, LookBack, Settle, ShowResult
from driflamme_tui.screens.session_screen import SessionScreen
from driflamme_tui.screens.table.kinds import screen_of
from driflamme_tui.seat.seat_keys import way_back
from driflamme_tui.seat.seat_session import SeatSession, sit_down
from driflamme_tui.seat.sitting import Sitting
from driflamme_tui.seat.targets import Join, Plan, Spoken, parse_target
from driflamme_tui.text.i18n import _, set_language
from driflamme_tui.text.signs import Glyphs, glyphs_of
from driflamme_tui.widgets.too_small import use_scrollbars
from driflamme_tui.wording.game.names import bot_name
from driflamme_tui.wording.program.joining_words import NO_SEAT, no_seat_sentence
from driflamme_tui.wording.program.people_words import contradiction_sentence, guessing_sentence
from driflamme_tui.wording.program.sealed_words import notice_sentence
from engine.words import ExplainedError
from netcode.client.connection import ConnectError
from netcode.client.reconnection import News
from netcode.client.session import Session
from netcode.protocol.fields import BeforeTable
from netcode.protocol.messages import Goodbye, Lobby, Refused, Welcome
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence
from netcode.protocol.table_settings import TableSettings
from netcode.wings.sealed.news import SealedNews, sealed_news

if TYPE_CHECKING:
    from driflamme_tui.screens.lists.club_screen import ClubScreen
    from driflamme_tui.screens.start_screen import StartScreen
    from netcode.wings.clubs.messages import Club, League

NO_WAY_BACK = frozenset({"removed", "host_quit"})
"""Goodbyes after which no seat is kept."""

GONE = frozenset({"host_quit", "no_such_table", "invitation_renewed"})
"""Goodbyes and refusals after which what was typed leads nowhere any more."""

NOTICE_S = 15.0
"""How long a notice about the journal stays: two lines that nobody expects."""

DEFAULT_BOTS = 3
"""How many play against somebody who just wants to play."""


class DriflammeApp(KeyedApp):
    """The player's side of a table, and the ways there; or one screen without a table."""

    # Textual would look beside the module of a subclass.
    CSS_PATH = str(Path(__file__).parents[1] / "styles" / "app.tcss")
    TITLE = "Driflamme"
    ENABLE_COMMAND_PALETTE = False
    """Textual's own, with a Ctrl chord; ours is `commands.open`."""
    colours: ClassVar[str | None] = None
    """The colour system in which it is seen, called as by Rich; None for the terminal's."""

    visits = False
    """Whether one is a visitor on the host's machine, who goes to its table and nowhere else."""

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
        # Only in this mode does Textual leave the terminal's own colours alone.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self._palettes = themes(self.colours or self.console.color_system)
        for palette in (*self._palettes.values(), PLAIN):
            self.register_theme(textual_theme(palette))
        self.terminal.answers = answers
        wanted = settings or Settings()
        self.configure(wanted, glyphs)
        self.rebind(wanted.keys)
        self.terminal.visits = self.visits
        self.sitting = Sitting(Session(), name)
        self.failure = ""
        """Why the plan with which the app was started came to nothing."""
        self._only = plan if callable(plan) else None
        """Makes the one screen that is shown, if there is but one."""
        self._plan = None if callable(plan) else plan
        self._launched = self._plan is not None
        self._worker: Worker[None] | None = None
        """What keeps the session at its table."""
        self._returns: WayBack | None = None
        """The way back to one's seat, while one is on it."""
        self._passes_lobby = False
        """Whether the game begins by itself, so that nobody needs to see the lobby before it."""
        self._saw_result = False
        self._told_notices: tuple[Session | None, int] = None, 0
        self._told_guesses = 0
        self._told_contradiction = False
        """How much has been told of what happened in a sealed game, and to which session."""
        self._club: Club | None = None
        """The tables of the club by which one came to a table, as they were told last."""
        self._levels: dict[str, str] = {}
        """On which levels bots play, by their names."""

    def _tell_of_colours(self) -> None:
        """Say why a light theme is dark."""
        system = self.colours or self.console.color_system
        if self.terminal.settings.theme == LIGHT.name and system == "standard":
            self._notify(_("This terminal has 16 colours, so every theme is dark."))

    async def on_mount(self) -> None:
        """Do what was planned, or ask."""
        self._tell_of_colours()
        if self._only is not None:
            await self.push_screen(self._only())
            return
        # A table of one's own is there at once. A plan that fails at once ends the app, which a
        # half-made screen would not survive.
        if not self.visits and not isinstance(self._plan, Alone):
            await self.push_screen(self._start_screen(address=recall().address))
        if self._plan is not None and self.asks_name:
            self._ask_name("", in_club=False)
        elif self._plan is not None:
            self._go(self._plan)

    # How it looks

    def configure(self, wanted: Settings, glyphs: Glyphs | None = None) -> None:
        """Look like this from the start, in the language that is set already.

        Args:
            wanted: The player's settings.
            glyphs: What everything is drawn with, whatever the settings say.
        """
        self.terminal.settings = wanted
        self.terminal.glyphs = glyphs or self._glyphs_of(wanted)
        self._follow_settings()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give the stylesheet its variables before the first theme is chosen."""
        return theme_variables(DARK)

    def refresh_css(self, animate: bool = True) -> None:
        """Follow a theme that has changed; before our first screen there is nothing to restyle."""
        if len(self.screen_stack) > 1:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def on_settle(self, message: Settle) -> None:
        """Keep a setting for good, and let everything follow it at once."""
        terminal, name, value = self.terminal, message.name, message.value
        if getattr(terminal.settings, name) == value:
            return
        changes: dict[str, Any] = {name: value}
        terminal.settings = terminal.settings._replace(**changes)
        if name == "language":
            set_language(terminal.settings.catalogue)
        elif name == "glyphs":
            terminal.glyphs = self._glyphs_of(terminal.settings)
        self._follow_settings()
        if name == "theme":
            self._tell_of_colours()
        try:
            config.change(name, value)
        except SettingsError as error:
            sentence = terminal.glyphs.plain(error.sentence(_))
            self.notify(sentence, severity="warning", markup=False)
        for screen in self.screen_stack:
            if isinstance(screen, Commanded) and screen.is_whole:
                screen.relabel()

    def _glyphs_of(self, settings: Settings) -> Glyphs:
        return glyphs_of(settings.glyphs, self.terminal.answers.is_wide)

    def _follow_settings(self) -> None:
        settings = self.terminal.settings
        theme = settings.theme
        if theme == AUTO:
            theme = LIGHT.name if self.terminal.answers.is_light else DARK.name
        self.theme = PLAIN.name if self.no_color else theme
        self.terminal.palette = PLAIN if self.no_color else self._palettes.get(self.theme, DARK)
        use_scrollbars(self.terminal.glyphs)
        self.animation_level = constants.TEXTUAL_ANIMATIONS if settings.animation else "none"

    def rebind(self, mapping: Mapping[str, str]) -> None:
        """Use these keys, by command, from now on; others stay as they usually are.

        Args:
            mapping: What `key_bindings.check_keys` has passed.
        """
        use_keys(mapping)
        self.set_keymap(whole(mapping))

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text through the terminal, and with the system's command if there is one."""
        from driflamme_tui.drawing.clipboard import clipboard_command

        super().copy_to_clipboard(text)
        here = not self.visits and not self.is_headless
        command = clipboard_command(os.environ, sys.platform) if here else None
        self.terminal.copies_with = "" if command is None else command[0]
        if command is not None:
            self.run_worker(self._copy_with(command, text), group="clipboard")

    async def _copy_with(self, command: tuple[str, ...], text: str) -> None:
        from driflamme_tui.drawing.clipboard import fill_clipboard

        if not await fill_clipboard(command, text):
            program = command[0]
            told = _("{program} cannot copy: select the text with Shift and the mouse.")
            self._notify(told.format(program=program))

    def pop_screen(self) -> AwaitComplete:
        """Close what is uppermost."""
        # What the game closes may still be typed at.
        if not getattr(self.screen, "closed", True):
            self.terminal.ignore_keys()
        return super().pop_screen()

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
        if action in ("play", "host", "reopen", "go_back", "learn", "puzzle"):
            return not self.terminal.ignores_keys()
        if action in ("commands", "options", "help"):
            return self.screen.check_action(action, parameters)
        return super().check_action(action, parameters)

    def action_play(self) -> None:
        """Play against bots, on this machine only."""
        if self._named():
            self._go(Alone(TableSettings(), (last_bot(),) * DEFAULT_BOTS))

    def action_learn(self, restart: bool = False) -> None:
        """Go on with the guided first game, or begin it."""
        from driflamme_tui.alone.guided_game import Lesson
        from driflamme_tui.screens.table.lesson_screen import LessonScreen

        if self._named():
            name = self.sitting.name
            self._change_screen(LessonScreen(Lesson.resumed(name, restart=restart), name))

    def action_puzzle(self) -> None:
        """Show the puzzle of the day, and others after it."""
        from driflamme_tui.alone.local_table import PuzzleTable
        from driflamme_tui.screens.table.judged_screens import PuzzleScreen

        self.push_screen(PuzzleScreen(PuzzleTable(date.today().toordinal())))

    def action_host(self) -> None:
        """Open a table for others."""
        if self._named():
            self._go(Host(settings=next_table(), reminds=False))

    def action_reopen(self) -> None:
        """Reopen the player's latest unfinished table."""
        from driflamme_tui.hosting.takeover_games import can_reopen

        if can_reopen():
            self._go(Host(resume=True))

    def action_go_back(self) -> None:
        """Go back to that seat; if there is no way any more, it is forgotten."""
        if (back := way_back()) is not None:
            self._returns, self.sitting.name = back, back.name
            self.on_go(Go(Join(parse_target(back.typed, ()))))

    def on_go(self, message: Go) -> None:
        """Go to a table, if one can be called there as one is."""
        if self._named():
            self._go(message.plan)

    def _named(self) -> bool:
        problem = name_problem(self.sitting.name)
        if problem is not None:
            self._give_up(refusal_sentence(problem, _))
        return problem is None

    def on_look_back(self, message: LookBack) -> None:
        """Look back at a game; leaving it leads back here."""
        from driflamme_tui.screens.table.replay_screen import ReplayScreen

        self.push_screen(ReplayScreen(message.replay, step=message.step))

    # The table

    @property
    def _seat(self) -> SeatSession | None:
        """The place at a table of others or of one's own, or on the way to one."""
        return self.sitting if isinstance(self.sitting, SeatSession) else None

    @property
    def _back(self) -> WayBack | None:
        return None if self._seat is None else self._seat.way_back()

    @property
    def session(self) -> Session:
        """What the host has told so far."""
        return self.sitting.session

    def on_leave_table(self) -> None:
        """Leave a table, of a club for its list, or a club; a table of one's own is closed."""
        lobby = self.session.lobby
        club = None if lobby is None else self._club
        if self.sitting.table is None and (lobby is None or lobby.phase != "playing"):
            # Only a seat in a game stays one's own.
            forget_back(self._back)
        self._leave(club=club)

    def on_show_result(self, message: ShowResult) -> None:
        """Go from the table at the end of a game to its result, or back."""
        self._saw_result = message.shown
        self._show()

    # The session

    def _go(self, plan: Plan) -> None:
        self._plan = plan
        self._worker = self.run_worker(self._follow(plan), group="table", exclusive=True)

    async def _follow(self, plan: Plan) -> None:
        """Open a table or find one, sit down and stay."""
        try:
            seat = await sit_down(plan, self.sitting.name, self._notify)
        except ExplainedError as error:
            is_wrong_code = isinstance(error, ConnectError) and error.code == "wrong_code"
            if is_wrong_code and isinstance(plan, Join):
                self._ask_code(plan, error.sentence(_))
            else:
                self._give_up(error.sentence(_), getattr(error, "code", ""))
            return
        self.sitting, outside = seat, seat.outside
        self._passes_lobby = isinstance(plan, Alone)
        self._saw_result, self._levels, self._club = False, {}, None
        if outside is not None:
            outside.on_change = self._show
        if seat.table is not None and seat.table.is_carried:
            text = _(
                "Anyone who does not come back by themselves needs a new link: {who}, then "
                "{invitation}."
            )
            ways = key(SessionCommands.people), key(PeopleCommands.invitation)
            self._notify(text.format(who=ways[0], invitation=ways[1]))
        try:
            if not await seat.stay(partial(self._receive, seat)):
                return
        except ConnectError as error:
            self._give_up(error.sentence(_), error.code)
            return
        goodbye = self.session.goodbye
        if goodbye is not None and goodbye.code in NO_WAY_BACK:
            forget_back(seat.way_back())
        if seat is self.sitting:
            self._give_up(seat.farewell(), "" if goodbye is None else goodbye.code)

    def _notify(self, sentence: str) -> None:
        self.notify(sentence, severity="warning", timeout=NOTICE_S, markup=False)

    def _receive(self, seat: SeatSession, news: News) -> bool:
        """Take in what the connection brings; False when there is no staying."""
        match news:
            case BeforeTable():
                self._show_choice(news)
                return True
            case Refused() if not self._stays_after(news):
                return False
            case Welcome(family=str()):
                self._remember_address(seat)
            case Lobby() if back := seat.way_back():
                # The host may have made a new invitation, or have come to other addresses.
                self._remember_address(seat)
                remember_back(back)
        if self.session.lobby is not None and not isinstance(news, Goodbye | Welcome):
            self._show()
        return True

    def _remember_address(self, seat: SeatSession) -> None:
        typed = "" if seat.target is None else seat.target.typed_now
        remember(name=seat.name, address=typed or recall().address)

    def _tell_notices(self, sealed: SealedNews) -> None:
        """Say what happened last in a sealed game; votes by one's own choice are no news."""
        session, told = self._told_notices
        watches = self.session.family is None and sealed.stage == "playing"
        if session is not self.session:
            # For those who come to watch it is past.
            told = len(sealed.notices) if watches else 0
        for notice in sealed.notices[told:][-1:]:
            if notice.name not in sealed.left_be:
                self._notify(notice_sentence(notice))
        self._told_notices = self.session, len(sealed.notices)

    def _tell_guessing(self, lobby: Lobby) -> None:
        """Tell the host in a game that somebody guesses the code; the lobby shows it in place."""
        wrong, told = self.session.wrong_guesses, self._told_guesses
        self._told_guesses = wrong
        if lobby.phase == "playing" and self.session.is_host and wrong > told:
            self._notify(guessing_sentence(wrong, self.terminal.glyphs))

    def _tell_contradiction(self) -> None:
        """Say once that the host's record of a game contradicts what was seen of it."""
        before, self._told_contradiction = self._told_contradiction, self.session.is_contradicted
        if self.session.is_contradicted and not before:
            self._notify(contradiction_sentence(self.session))

    def _tell_levels(self, lobby: Lobby) -> None:
        """Say which bots play on another level than before, where no lobby shows it."""
        levels = {seat.name: seat.bot for seat in lobby.seats if seat.bot is not None}
        changed = sorted(levels.items() - self._levels.items())
        if changed and lobby.phase != "lobby" and levels.keys() <= self._levels.keys():
            bots = ", ".join(f"{name} ({bot_name(bot)})" for name, bot in changed)
            text = _("Bots now play at the level of your past games: {bots}.", bots=bots)
            self.notify(text, markup=False)
        self._levels = levels

    def _stays_after(self, refused: Refused) -> bool:
        """Say what was refused on the way to a table; False when there is no staying."""
        club = self._club_screen()
        sentence = refusal_sentence(refused, _) if club is not None else no_seat_sentence(refused)
        if refused.code == "name_taken":
            self._ask_name(sentence, in_club=club is not None)
            return club is not None
        if club is not None:
            club.deliver(partial(club.show_notice, sentence))
        elif self.session.lobby is None:
            if self.visits and refused.code in NO_SEAT and isinstance(self._plan, Join):
                # Their one line has no other word for it.
                self._go(replace(self._plan, watch=True))
            else:
                self._give_up(sentence, refused.code)
            return False
        return True

    def _ask_name(self, wrong: str, *, in_club: bool) -> None:
        """Ask for a name that nobody has at the table, and go there; giving up says why.

        With nothing wrong so far, who gives up has not been there yet.
        """
        from driflamme_tui.screens.overlays.code_overlay import NameOverlay

        seat = self._seat
        if seat is not None and not in_club:
            seat.release_seat()
            self.sitting = Sitting(Session(), seat.name)

        def typed(name: str | None) -> None:
            if in_club and name is not None and seat is not None:
                seat.rename(name)
                return
            self.sitting.name = name or self.sitting.name
            if name is not None and self._plan is not None:
                self._go(self._plan)
            elif not wrong:
                self.exit()
            elif not in_club:
                self._give_up(wrong)

        self.push_screen(NameOverlay(self.sitting.name, wrong), typed)

    def _ask_code(self, plan: Join, wrong: str) -> None:
        """Ask once more for the code of a table, and try again; giving up says why."""
        from driflamme_tui.screens.overlays.code_overlay import CodeOverlay
        from netcode.joining.spoken_code import ROOM_LENGTH

        assert isinstance(plan.target, Spoken)
        target, address, code = plan.target, plan.target.address, plan.target.code

        def typed(again: str | None) -> None:
            if again is None:
                self._give_up(wrong)
            else:
                self._go(replace(plan, target=replace(target, code=again)))

        room, own = code[:ROOM_LENGTH], code[ROOM_LENGTH:]
        found = getattr(self._base, "found", ())
        names = [each.name for each in found if each.address == address]
        name = names[0] if len(names) == 1 else ""
        self.push_screen(CodeOverlay(address, room, name, typed=own, wrong=wrong), typed)

    def _give_up(self, why: str, code: str = "") -> None:
        """Go back to asking what to do, and say why; the first plan's failure ends the app.

        What was typed stays to be mended, unless the code of a reason says that the table is gone.
        """
        if code in GONE:
            remember(address="")
        if self.session.lobby is None:
            forget_back(self._returns)
        self._returns = None
        if self.visits or (self._launched and self.session.lobby is None):
            self.failure = why
            self.exit(return_code=2)
            return
        self._leave(why, gone=code in GONE)

    @work(group="parting")
    async def _leave(
        self, why: str = "", *, gone: bool = False, club: "Club | None" = None
    ) -> None:
        """Say goodbye to the table, close it if it is one's own, and ask what to do next.

        In a club that is asked by its list, as it was known last until it comes anew.
        """
        from driflamme_tui.screens.start_screen import StartScreen

        worker, seat, plan = self._worker, self._seat, self._plan
        if self.visits and club is None:
            if seat is not None:
                await seat.leave(leaves=True)
            self.exit()
            return
        self._launched, self._worker = False, None
        self.sitting = Sitting(Session(), self.sitting.name, self.session.lobby)
        target = None if seat is None else seat.target
        address = target.typed_now if target is not None and not gone else ""
        if seat is not None:
            seat.release_seat()
        if club is not None:
            self._show_club(club)
        elif isinstance(self.screen, StartScreen):
            self.screen.deliver(partial(self.screen.show_notice, why, gone=gone))
        else:
            self._change_screen(self._start_screen(why, address))
        if seat is not None:
            await seat.leave(leaves=True)
        # Whoever has left need not hear how the table says goodbye.
        if worker is not None:
            worker.cancel()
        if seat is not None:
            await seat.close()
            if seat.table is not None and isinstance(self.screen, StartScreen):
                # Now it may be reopened.
                self.screen.deliver(self.screen.offer_ways)
        if plan is not None and club is not None and self._club_screen() is not None:
            self._go(plan)

    def _start_screen(self, why: str = "", address: str = "") -> "StartScreen":
        from driflamme_tui.screens.start_screen import StartScreen

        return StartScreen(why, address, browses=self.looks_for_tables, joins=self.joins)

    def _show_choice(self, news: BeforeTable) -> None:
        """Show what is to be seen before one comes to a table."""
        from netcode.wings.clubs.messages import Club, League

        if isinstance(news, Club):
            self._show_club(news)
        elif isinstance(news, League):
            self._show_league(news)

    def _show_club(self, club: "Club") -> None:
        """Show the tables of a club; what is laid over them stays."""
        from driflamme_tui.screens.lists.club_screen import ClubScreen

        self._club, screen = club, self._club_screen()
        if screen is None:
            self._change_screen(ClubScreen(club))
        else:
            screen.show(club)

    def _show_league(self, league: "League") -> None:
        """Show the league of a club to whoever is still there."""
        from driflamme_tui.screens.lists.league_screen import LeagueScreen

        if isinstance(self.screen, LeagueScreen):
            self.screen.show(league)
        elif self.screen is self._club_screen():
            self.push_screen(LeagueScreen(league, self.sitting.name))

    def _club_screen(self) -> "ClubScreen | None":
        """Return the screen of the club, if that is what is shown, or under what is shown."""
        from driflamme_tui.screens.lists.club_screen import ClubScreen

        base = self._base
        return base if isinstance(base, ClubScreen) else None

    @property
    def _base(self) -> Screen[Any] | None:
        """What is shown, or under what is shown."""
        return self.screen_stack[1] if len(self.screen_stack) > 1 else None

    def _show(self) -> None:
        """Show the screen that goes with the session, and on it what has changed."""
        lobby = self.session.lobby
        if lobby is None or not self.is_running:
            return
        news = sealed_news(self.session)
        if news is not None:
            self._tell_notices(news)
        self._tell_guessing(lobby)
        self._tell_contradiction()
        self._tell_levels(lobby)
        if self._passes_lobby and self.session.view is None and self.session.refusal is None:
            return
        self._passes_lobby = False
        view = self.session.view
        if view is None or not view.over:
            self._saw_result = False
        elif lobby.phase == "result" and lobby.count_s is not None:
            # The next game is counted there.
            self._saw_result = True
        wanted: type[SessionScreen] = screen_of(lobby.settings)
        if self._saw_result and (lobby.phase == "result" or lobby.dealing is not None):
            # It stays until the next game is dealt.
            from driflamme_tui.screens.result_screen import ResultScreen

            wanted = ResultScreen
        elif lobby.phase == "lobby" or view is None:
            from driflamme_tui.screens.lobby_screen import LobbyScreen

            wanted = LobbyScreen
        base = self._base
        if type(base) is wanted and base.sitting is self.sitting:
            base.session_changed()
        else:
            # What was refused on another screen is past.
            self.session.refusal = None
            self._change_screen(wanted())

    def _change_screen(self, screen: Screen[None]) -> None:
        """Replace the screen, closing what was laid over it."""
        while len(self.screen_stack) > 2:
            self.pop_screen()
        if len(self.screen_stack) == 1:
            self.push_screen(screen)
        else:
            self.switch_screen(screen)

    async def on_unmount(self) -> None:
        """Close what is open when the app ends by whatever way."""
        if (seat := self._seat) is not None:
            self.sitting = Sitting(Session(), seat.name)
            await seat.leave(leaves=False)
            await seat.close()
