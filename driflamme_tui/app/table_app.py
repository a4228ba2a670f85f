"""The part of the app that keeps one session at one table and shows the screen that goes with it.

A worker carries the host's messages to the session and tells the screen that it has changed; the
screens read the session.
"""

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual import work
from textual.screen import Screen
from textual.worker import Worker

from driflamme_tui.app.base_app import BaseApp
from driflamme_tui.hosting.host_plans import Alone
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.overlay_commands import PeopleCommands
from driflamme_tui.keymap.screen_commands import SessionCommands
from driflamme_tui.model.lost_connection import LostLine
from driflamme_tui.preferences.last_evening import (
    recall,
    remember,
    remember_evening,
    remember_way_back,
)
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.session_screen import SessionScreen
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.seat.plans import Join, Plan, Spoken, Study
from driflamme_tui.seat.seat_session import SeatSession, sit_down
from driflamme_tui.seat.sitting import Sitting
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.bot_names import bot_name
from driflamme_tui.wording.program.people_words import leaving_sentence
from driflamme_tui.wording.program.sealed_words import notice_sentence
from engine.words import ExplainedError
from netcode.client.connection import ConnectError
from netcode.client.reconnection import Connected, Lost, News
from netcode.client.sealed_news import Asked
from netcode.client.session import Session
from netcode.protocol.club_messages import Club, League
from netcode.protocol.messages import Goodbye, Lobby, Refused, Welcome
from netcode.protocol.refusal_sentences import refusal_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from driflamme_tui.hosting.open_doors import OpenDoors
    from driflamme_tui.hosting.own_table import OpenTable

    # Screens are imported when they are shown, and whatever is needed on the way there.
    from driflamme_tui.screens.club_screen import ClubScreen
    from netcode.joining.discovery import FoundTable

NO_WAY_BACK = frozenset({"removed", "host_quit"})
"""Goodbyes after which no seat is kept."""

NO_SEAT = frozenset({"game_under_way", "table_full"})
"""Why somebody who would sit down can watch only."""

GONE = frozenset({"host_quit", "no_such_table", "invitation_renewed"})
"""Goodbyes and refusals after which what was typed leads nowhere any more."""

NOTICE_S = 15.0
"""How long a notice about the journal stays: two lines that nobody expects."""


class TableApp(BaseApp):
    """An app that follows a plan to a table, and stays there until either side has had enough."""

    found_tables: "Sequence[FoundTable]" = ()
    """The tables of this network, while they are looked for."""

    def __init__(
        self,
        plan: Plan | None,
        name: str,
        glyphs: Glyphs | None = None,
        settings: Settings | None = None,
    ) -> None:
        """Start with a plan, or by asking for one.

        Args:
            plan: What to do at once; the app ends with a message if that cannot be done.
            name: The player's.
            glyphs: What the table is drawn with; what the settings say, unless given.
            settings: The player's; the usual ones, unless given.
        """
        super().__init__(settings or Settings(), glyphs)
        self.player_name = name
        self.sitting = Sitting(self.say)
        """The place at a table, as the screens know it."""
        self.failure = ""
        """Why the plan with which the app was started came to nothing."""
        self._plan = plan
        self._launched = plan is not None
        self._seat_session: SeatSession | None = None
        """The place at a table, or on the way to one."""
        self._worker: Worker[None] | None = None
        """What keeps the session at its table."""
        self._returns = False
        """Whether one is on the way back to one's seat."""
        self._passes_lobby = False
        """Whether the game begins by itself, so that nobody needs to see the lobby before it."""
        self._saw_result = False
        self._told_notices = 0
        """How much has been told of what happened in a sealed game."""
        self._club: Club | None = None
        """The tables of the club by which one came to a table, as they were told last."""
        self._levels: dict[str, str] = {}
        """On which levels bots play, by their names."""

    async def on_mount(self) -> None:
        """Do what was planned, or ask."""
        # A table of one's own is there at once. A plan that fails at once ends the app, which a
        # half-made screen would not survive.
        if not self.visits and not isinstance(self._plan, Alone | Study):
            from driflamme_tui.screens.start_screen import StartScreen

            await self.push_screen(StartScreen(address=recall().address))
        if self._plan is not None:
            self._go(self._plan)

    @property
    def own_table(self) -> "OpenTable | None":
        """The table that this app has opened, if it has."""
        return None if self._seat_session is None else self._seat_session.table

    @property
    def doors(self) -> "OpenDoors | None":
        """The doors of the player's own table, if it has some."""
        return None if self.own_table is None else self.own_table.doors

    @property
    def session(self) -> Session:
        """What the host has told so far."""
        return self.sitting.session

    @property
    def lost(self) -> LostLine | None:
        """That the line to the host is lost, and when it is tried again."""
        return self.sitting.lost

    @property
    def latency_ms(self) -> int | None:
        """Time of a message to the host and back; None while it is not known."""
        return self.sitting.latency_ms

    @property
    def secure(self) -> bool | None:
        """Whether what is sent is encrypted; None while unknown, and where nothing is sent."""
        return self.sitting.secure

    # What the screens ask for

    def say(self, message: Asked) -> None:
        """Send a message to the host; while the line is down it is lost, and the screen says so."""
        self.session.refusal = None
        if self._seat_session is not None:
            self._seat_session.say(message)

    def leave_table(self) -> None:
        """Leave a table, of a club for its list, or a club; a table of one's own is closed."""
        self._launched = False
        lobby = self.session.lobby
        club = None if lobby is None else self._club
        if self.own_table is None and (lobby is None or lobby.phase != "playing"):
            # Only a seat in a game stays one's own.
            remember_way_back(None)
        self._leave(club=club)

    def leaving_means(self) -> str:
        """Return what leaving now would do, and ask whether to."""
        seated = self.session.family is not None
        return leaving_sentence(self.session.lobby, owned=self.own_table is not None, seated=seated)

    async def action_interrupt(self) -> None:
        """End the program; who hosts a game of others is asked first, once."""
        from driflamme_tui.screens.overlays.table_overlays import LeaveOverlay

        lobby = self.session.lobby
        if (
            self.own_table is None
            or lobby is None
            or lobby.phase != "playing"
            or sum(seat.bot is None for seat in lobby.seats) < 2
            or isinstance(self.screen, LeaveOverlay)
        ):
            self.exit()
            return

        def told(sure: bool | None) -> None:
            if sure:
                self.exit()

        self.push_screen(LeaveOverlay(self.leaving_means()), told)

    def retry_now(self) -> None:
        """Try a lost line at once, rather than when its wait is over."""
        if self._seat_session is not None and self._seat_session.lost is not None:
            self._seat_session.lost.hurry()

    def show_result(self, shown: bool) -> None:
        """Go from the table at the end of a game to its result, or back."""
        self._saw_result = shown
        self._show()

    # The session

    def _go(self, plan: Plan) -> None:
        if isinstance(plan, Study):
            self._study(plan)
            return
        self._plan = plan
        self._worker = self.run_worker(self._follow(plan), group="table", exclusive=True)

    def _study(self, plan: Study) -> None:
        """Begin the lesson, or go on with it, at a table of its own."""
        from driflamme_tui.screens.lesson.lesson_screen import LessonScreen

        assert plan.lesson is not None
        remember_evening(self.player_name, "")
        self._change_screen(LessonScreen(plan.lesson, plan.table, self.player_name))

    async def _follow(self, plan: Plan) -> None:
        """Open a table or find one, sit down and stay."""
        try:
            seat_session = await sit_down(plan, self.player_name, self._notify)
        except ExplainedError as error:
            is_wrong_code = isinstance(error, ConnectError) and error.code == "wrong_code"
            if is_wrong_code and isinstance(plan, Join):
                self._ask_code(plan, error.sentence(_))
            else:
                self._give_up(error.sentence(_), getattr(error, "code", ""))
            return
        self._seat_session, self.player_name = seat_session, seat_session.name
        sitting = self.sitting
        sitting.session, sitting.secure = seat_session.session, seat_session.secure
        sitting.workers = seat_session.workers
        self._passes_lobby = isinstance(plan, Alone)
        self._saw_result, self._levels, self._club = False, {}, None
        if self.own_table is not None and self.own_table.is_carried:
            text = _("Who does not come back alone joins by a new link: {who}, then {invitation}.")
            ways = key(SessionCommands.people), key(PeopleCommands.invitation)
            self._notify(text.format(who=ways[0], invitation=ways[1]))
        try:
            if not await seat_session.stay(partial(self._receive, seat_session)):
                return
        except ConnectError as error:
            self._give_up(error.sentence(_), error.code)
            return
        goodbye = self.session.goodbye
        if goodbye is not None and goodbye.code in NO_WAY_BACK:
            remember_way_back(None)
        if seat_session is self._seat_session:
            self._give_up(seat_session.farewell(), "" if goodbye is None else goodbye.code)

    def _notify(self, sentence: str) -> None:
        self.notify(sentence, severity="warning", timeout=NOTICE_S, markup=False)

    def _receive(self, seat_session: SeatSession, news: News) -> bool:
        """Take in what the connection brings; False when there is no staying."""
        if isinstance(news, Connected):
            self.sitting.lost = None
        elif isinstance(news, Lost):
            self.sitting.lost = LostLine(news.attempt, self.clock() + news.wait_s)
        elif isinstance(news, Club):
            self._show_club(news)
            return True
        elif isinstance(news, League):
            self._show_league(news)
            return True
        elif isinstance(news, Refused) and not self._stays_after(news):
            return False
        elif isinstance(news, Welcome) and news.family is not None:
            remember_evening(
                self.player_name, "" if seat_session.target is None else seat_session.target.typed
            )
        elif isinstance(news, Lobby):
            self.player_name = seat_session.name
            if back := seat_session.way_back():
                remember_way_back(back)
        # Where a visitor's program runs, the line is none: theirs goes on to their screen.
        self.sitting.latency_ms = None if self.visits else seat_session.latency_ms
        if self.session.lobby is not None and not isinstance(news, Goodbye | Welcome):
            self._show()
        return True

    def _tell_levels(self, lobby: Lobby) -> None:
        """Say which bots play on another level than before, where no lobby shows it."""
        levels = {seat.name: seat.bot for seat in lobby.seats if seat.bot is not None}
        changed = sorted(levels.items() - self._levels.items())
        if changed and lobby.phase != "lobby" and levels.keys() <= self._levels.keys():
            bots = ", ".join(f"{name} ({bot_name(bot)})" for name, bot in changed)
            text = _("By past games, bots play on another level now: {bots}.").format(bots=bots)
            self.notify(text, markup=False)
        self._levels = levels

    def _stays_after(self, refused: Refused) -> bool:
        """Say what was refused on the way to a table; False when there is no staying."""
        sentence = refusal_sentence(refused.code, refused.values, _)
        club = self._club_screen()
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
        """Ask for a name that nobody has at the table, and try again; giving up says why."""
        from driflamme_tui.screens.overlays.code_overlay import NameOverlay

        if self._seat_session is not None and not in_club:
            self._seat_session.release_seat()
            self._seat_session = None

        def typed(name: str | None) -> None:
            self.player_name = name or self.player_name
            if in_club and name is not None and self._seat_session is not None:
                self._seat_session.rename(name)
            elif name is not None and self._plan is not None:
                self._go(self._plan)
            elif not in_club:
                self._give_up(wrong)

        self.push_screen(NameOverlay(self.player_name, wrong), typed)

    def _ask_code(self, plan: Join, wrong: str) -> None:
        """Ask once more for the code of a table, and try again; giving up says why."""
        from driflamme_tui.screens.overlays.code_overlay import CodeOverlay
        from netcode.joining.spoken_code import ROOM_LENGTH

        assert isinstance(plan.target, Spoken)
        address, code = plan.target.address, plan.target.code

        def typed(again: str | None) -> None:
            if again is None:
                self._give_up(wrong)
            else:
                self._go(replace(plan, target=Spoken(address, again)))

        room, own = code[:ROOM_LENGTH], code[ROOM_LENGTH:]
        names = [each.name for each in self.found_tables if each.address == address]
        name = names[0] if len(names) == 1 else ""
        self.push_screen(CodeOverlay(address, room, name, typed=own, wrong=wrong), typed)

    def _give_up(self, why: str, code: str = "") -> None:
        """Go back to asking what to do, and say why; the first plan's failure ends the app.

        What was typed stays to be mended, unless the code of a reason says that the table is gone.
        """
        if code in GONE:
            remember(replace(recall(), address=""))
        if self._returns and self.session.lobby is None:
            remember_way_back(None)
        self._returns = False
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
        if self.visits and club is None:
            if self._seat_session is not None:
                await self._seat_session.leave(leaves=True)
            self.exit()
            return
        from driflamme_tui.screens.start_screen import StartScreen

        worker, seat_session, plan = self._worker, self._seat_session, self._plan
        target = None if seat_session is None else seat_session.target
        address = target.typed if target is not None and not gone else ""
        self._worker = self._seat_session = None
        self.sitting.session, self.sitting.lost, self.sitting.workers = Session(), None, None
        if seat_session is not None:
            seat_session.release_seat()
        if club is not None:
            self._show_club(club)
        elif isinstance(self.screen, StartScreen):
            self.screen.deliver(partial(self.screen.show_notice, why, gone=gone))
        else:
            self._change_screen(StartScreen(why, address))
        if seat_session is not None:
            await seat_session.leave(leaves=True)
        # Whoever has left need not hear how the table says goodbye.
        if worker is not None:
            worker.cancel()
        if seat_session is not None:
            await seat_session.close()
            if seat_session.table is not None and isinstance(self.screen, StartScreen):
                # Now it may be reopened.
                self.screen.deliver(self.screen.offer_ways)
        if plan is not None and club is not None and self._club_screen() is not None:
            self._go(plan)

    def _show_club(self, club: Club) -> None:
        """Show the tables of a club; what is laid over them stays."""
        from driflamme_tui.screens.club_screen import ClubScreen

        self._club, screen = club, self._club_screen()
        if screen is None:
            self._change_screen(ClubScreen(club))
        else:
            screen.show(club)

    def _show_league(self, league: League) -> None:
        """Show the league of a club to whoever is still there."""
        from driflamme_tui.screens.league_screen import LeagueScreen

        if isinstance(self.screen, LeagueScreen):
            self.screen.show(league)
        elif self.screen is self._club_screen():
            self.push_screen(LeagueScreen(league, self.player_name))

    def _club_screen(self) -> "ClubScreen | None":
        """Return the screen of the club, if that is what is shown, or under what is shown."""
        from driflamme_tui.screens.club_screen import ClubScreen

        base = self.screen_stack[1] if len(self.screen_stack) > 1 else None
        return base if isinstance(base, ClubScreen) else None

    def _show(self) -> None:
        """Show the screen that goes with the session, and on it what has changed."""
        lobby = self.session.lobby
        if lobby is None or not self.is_running:
            return
        if (sealed := self.session.sealed) is not None:
            # Who comes back is told the last alone; each vote by one's own choice is no news.
            for notice in sealed.notices[self._told_notices :][-1:]:
                if notice.name not in sealed.left_be:
                    self._notify(notice_sentence(notice))
            self._told_notices = len(sealed.notices)
        self._tell_levels(lobby)
        if self._passes_lobby and self.session.view is None and self.session.refusal is None:
            return
        self._passes_lobby = False
        wanted: type[SessionScreen] = TableScreen
        if lobby.phase == "lobby" or self.session.view is None:
            from driflamme_tui.screens.lobby_screen import LobbyScreen

            wanted = LobbyScreen
        elif (
            lobby.phase == "result"
            and self.session.view.over
            and (self._saw_result or lobby.count_s is not None)
        ):
            # The next game is counted there.
            self._saw_result = True
            from driflamme_tui.screens.result_screen import ResultScreen

            wanted = ResultScreen
        if self.session.view is None or not self.session.view.over:
            self._saw_result = False
        elif self._saw_result and lobby.dealing is not None:
            from driflamme_tui.screens.result_screen import ResultScreen

            # It stays until the next game is dealt.
            wanted = ResultScreen
        base = self.screen_stack[1] if len(self.screen_stack) > 1 else None
        if type(base) is not wanted:
            # What was refused on another screen is past.
            self.session.refusal = None
            self._change_screen(wanted())
        else:
            base.session_changed()

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
        seat_session, self._seat_session = self._seat_session, None
        if seat_session is not None:
            await seat_session.leave(leaves=False)
            await seat_session.close()
