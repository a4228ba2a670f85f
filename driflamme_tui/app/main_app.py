"""The Textual app with which one plays: what its screens may ask of it."""

from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from driflamme_tui.app.table_app import TableApp
from driflamme_tui.hosting.host_plans import Alone, Host
from driflamme_tui.preferences.last_evening import WayBack, last_bot, next_table, recall
from driflamme_tui.seat.plans import Join, Study
from driflamme_tui.seat.seat_keys import leads_back
from driflamme_tui.text.i18n import _
from engine.record import Record
from engine.words import ExplainedError
from netcode.protocol.messages import PROTOCOL, TableSettings
from netcode.protocol.messages import OpenTable as OpenClubTable
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence

if TYPE_CHECKING:
    # Screens are imported when they are shown, and whatever is needed on the way there.
    from driflamme_tui.model.history_totals import Wanted
    from driflamme_tui.screens.base.app_services import PlayServices
    from netcode.joining.discovery import Browser, FoundTable

DEFAULT_BOTS = 3
"""How many play against somebody who just wants to play."""


class DriflammeApp(TableApp):
    """The player's side of a table, and the ways there."""

    looks_for_tables = False
    """Whether there is a network to look for tables on: tests do without."""
    _browser: "Browser | None" = None

    # What the start screen asks for

    def play_bots(self) -> None:
        """Play against bots, on this machine only."""
        if self._named():
            self._go(Alone(TableSettings(), (last_bot(),) * DEFAULT_BOTS))

    def learn(self, *, restart: bool = False) -> None:
        """Go on with the guided first game, or begin it."""
        from driflamme_tui.lesson.guided_game import Lesson
        from driflamme_tui.seat.lesson_table import open_lesson

        if self._named():
            lesson = Lesson.resumed(restart=restart)
            self._go(Study(open_lesson(lesson, self.player_name), lesson))

    def solve_puzzle(self) -> None:
        """Show the puzzle of the day, and others after it."""
        from driflamme_tui.screens.table.puzzle_screen import PuzzleScreen
        from driflamme_tui.seat.puzzle_table import PuzzleTable

        self.push_screen(PuzzleScreen(PuzzleTable(date.today().toordinal())))

    def after_lesson(self, way: str) -> None:
        """Do what the learner chose next, a word of `lesson_words`; leave the lesson for it."""
        self._launched = False
        match way:
            case "play":
                self.play_bots()
            case "host":
                self.host()
            case "again":
                self.learn(restart=True)
            case _:
                self._leave()

    def host(self) -> None:
        """Open a table for others."""
        if self._named():
            self._go(Host(settings=next_table()))

    def reopen(self) -> None:
        """Reopen the player's latest unfinished table."""
        self._go(Host(resume=True))

    def can_reopen(self) -> bool:
        """Whether there is an unfinished table of the player's that no program has open."""
        from driflamme_tui.hosting.carried_games import can_carry_on
        from netcode.storage.store import unfinished_table

        return can_carry_on() or unfinished_table() is not None

    def way_back(self) -> WayBack | None:
        """Return the way back to a seat that the player has left without giving it up."""
        back = recall().back
        return back if back is not None and leads_back(back) else None

    def go_back(self, back: WayBack) -> None:
        """Go back to that seat; if there is no way any more, it is forgotten."""
        self._returns, self.player_name = True, back.name
        self.join(back.typed)

    def join(self, text: str, watch: bool = False) -> None:
        """Join or watch the table of what was typed: a link, a code, or an address and a code."""
        from driflamme_tui.seat.targets import parse_target

        try:
            target = parse_target(text, self.found_tables)
        except ExplainedError as error:
            self._give_up(error.sentence(_))
            return
        if self._named():
            self._go(Join(target, watch))

    def watch_for_tables(self) -> None:
        """Begin to look for tables on this network.

        Whenever there are others, `found_tables` is replaced and the start screen, if there is
        one, is told by its `tables_changed`. Asking twice is the same as once.
        """
        if self._browser is None and self.looks_for_tables:
            from netcode.joining.discovery import Browser

            self._browser = Browser(self._tables_found)
            self.run_worker(self._browse(self._browser), group="browsing")

    def stop_watching(self) -> None:
        """Look for tables no more; the start screen is no longer shown."""
        browser, self._browser = self._browser, None
        # Who looks again later must not be shown what has closed meanwhile.
        self.found_tables = ()
        if browser is not None:
            self.run_worker(browser.stop(), group="browsing")

    async def _browse(self, browser: "Browser") -> None:
        from netcode.joining.discovery import DiscoveryError

        # Without a network there is nothing to find, and an address can still be typed.
        with suppress(DiscoveryError):
            await browser.start()

    def _tables_found(self, tables: "tuple[FoundTable, ...]") -> None:
        from driflamme_tui.screens.start_screen import StartScreen

        self.found_tables = [table for table in tables if table.protocol == PROTOCOL]
        for screen in self.screen_stack:
            if isinstance(screen, StartScreen):
                screen.tables_changed()

    # What the screen of a club asks for

    def enter_table(self, secret: bytes, watch: bool) -> None:
        """Go from a club to one of its tables, to sit down or to watch."""
        if self._seat_session is not None:
            self._seat_session.enter(secret, watch=watch)

    def open_club_table(self) -> None:
        """Open another table of the club; one goes there as soon as it is open."""
        if self._seat_session is not None:
            self._seat_session.release_seat()
            self._seat_session.say(OpenClubTable(settings=next_table()))

    def refresh_club(self) -> None:
        """Ask the club for its tables again; the club screen is then given them by `show`."""
        if self._seat_session is not None:
            self._seat_session.ask_club()

    def _named(self) -> bool:
        problem = name_problem(self.player_name)
        if problem is not None:
            self._give_up(refusal_sentence(problem.code, problem.values, _))
        return problem is None

    # What the screens of a table ask for

    def show_history(self, wanted: "Wanted") -> None:
        """Show the past games that are wanted, over what is shown now."""
        from driflamme_tui.screens.history.history_screen import HistoryScreen

        if any(isinstance(screen, HistoryScreen) for screen in self.screen_stack):
            # It is beneath, and shows the same games.
            self.pop_screen()
        else:
            self.push_screen(HistoryScreen(wanted))

    def show_statistics(self, wanted: "Wanted") -> None:
        """Show what the past games that are wanted add up to, over what is shown now."""
        from driflamme_tui.screens.history.statistics_screen import StatisticsScreen

        self.push_screen(StatisticsScreen(wanted))

    def show_replay(self, record: Record, step: int = 0) -> None:
        """Look back at a game from a step on, over what is shown now; leaving it leads back here.

        Raises RecordError if the record breaks the rules.
        """
        from driflamme_tui.screens.replay.replay_screen import ReplayScreen
        from engine.replaying import Replay

        self.push_screen(ReplayScreen(Replay.of(record), step=step))


if TYPE_CHECKING:

    def _services(app: DriflammeApp) -> PlayServices:
        return app
