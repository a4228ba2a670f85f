"""Plays at a table without a screen, by reading and writing lines."""

import asyncio
import sys
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from shutil import get_terminal_size
from typing import Final

from msgspec.structs import replace

from driflamme_tui import local_date
from driflamme_tui.hosting.host_plans import Host, SoloPlan
from driflamme_tui.model.lobby_change import change_between
from driflamme_tui.plain.line_calls import LineCalls
from driflamme_tui.plain.line_player import Judging, LinePlayer, Weighing
from driflamme_tui.plain.plain_face import PlainFace
from driflamme_tui.plain.typed_commands import PlainPlayer
from driflamme_tui.plain.typed_words import in_english
from driflamme_tui.preferences.player_calls import BELL
from driflamme_tui.preferences.remembered import (
    forget_back,
    remember,
    remember_back,
    remember_table,
)
from driflamme_tui.preferences.visits import remember_visit
from driflamme_tui.replay.kept_judgements import keep_advice
from driflamme_tui.seat.seat_session import SeatSession, sit_down
from driflamme_tui.seat.sections import Section, Sections
from driflamme_tui.seat.targets import CodeTarget, Join, Study
from driflamme_tui.seat.teacher_requests import TeacherRequest
from driflamme_tui.text.cell_widths import wrap_text
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.joining_words import (
    SEAT_GONE,
    code_again,
    kept_seat_sentence,
    no_seat_sentence,
)
from engine.texts import ONLY_WHY, ExplainedError
from netcode.client.connection import ConnectError
from netcode.client.reconnection import News
from netcode.client.session import Session
from netcode.protocol.fields import PREFIX_LENGTH, BeforeTable
from netcode.protocol.messages import Act, Admitted, Lobby, Refused, State
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence
from netcode.workers.questions import BotAnswer

JUDGED_S: Final = 20.0
"""Maximum seconds for the judgement of one decision."""

WAITING_S: Final = 4.0
"""Seconds after which a line names the player whose answer the table waits for. Bots answer sooner,
so at most tables only a person's long turn is mentioned.
"""

PROGRESS: Final = 5
"""Number of judgements between two lines about the progress."""


async def play_lines(
    plan: Join | SoloPlan | Host | Study,
    name: str,
    player_of: Callable[[Session], LinePlayer],
    typed: AsyncIterator[str],
    write: Callable[[str], None],
    calls: LineCalls | None = None,
) -> str:
    """Play at a table until the player or the host leaves.

    Returns the reason in a sentence if the host or an error ended the play; otherwise "".

    Args:
        plan: The table to join or watch, to play at with bots, to open, or to study.
        name: The player's name.
        player_of: Creates the player of a session.
        typed: The typed lines. At their end the player leaves.
        write: Shows a line.
        calls: Rings for a player who is away from the keys; None for a program and for a study.
    """
    while True:
        ended = await _visit(plan, name, player_of, typed, write, calls)
        if not isinstance(ended, _Retry):
            return ended
        again = await ended.ask(typed, write)
        if again is None:
            return ended.sentence
        plan, name = again


@dataclass
class _Retry:
    """A way to a table that failed because of a wrong code or a taken name, to be tried again."""

    plan: Join
    name: str
    sentence: str
    """The reason for the failure."""
    asks_code: bool

    async def ask(
        self, typed: AsyncIterator[str], write: Callable[[str], None]
    ) -> tuple[Join, str] | None:
        """Write the reason, ask for another code or name, and return the plan and the name to try.

        Returns None if the player gives up.
        """
        write(self.sentence)
        question = _("Type another name, or quit.")
        if self.asks_code:
            question = _("Type the code again, or quit.")
        while True:
            write(question)
            text = await anext(typed, None)
            if text is None or in_english(text.strip().casefold()) in ("quit", "leave"):
                return None
            try:
                return self._with(text.strip())
            except ExplainedError as error:
                write(error.sentence(_))

    def _with(self, text: str) -> tuple[Join, str]:
        """Return the next try with a code or name; raises an ExplainedError for an invalid text."""
        if self.asks_code:
            assert isinstance(self.plan.target, CodeTarget)
            code = code_again(text, self.plan.target.code[:PREFIX_LENGTH])
            return replace(self.plan, target=replace(self.plan.target, code=code)), self.name
        problem = name_problem(text)
        if problem is not None:
            raise ExplainedError(ONLY_WHY, why=refusal_sentence(problem, _))
        return self.plan, text


async def _visit(
    plan: Join | SoloPlan | Host | Study,
    name: str,
    player_of: Callable[[Session], LinePlayer],
    typed: AsyncIterator[str],
    write: Callable[[str], None],
    calls: LineCalls | None,
) -> str | _Retry:
    """Play once. Return the reason for the end, or "" if the player has left.

    If a person has typed a wrong code or a taken name, return a `_Retry`.
    """
    evening: _Evening | None = None
    early: list[str] = []
    """Sentences that `sit_down` reports. They are written once the evening exists."""

    def notify(sentence: str) -> None:
        if evening is None:
            early.append(sentence)
        else:
            evening.trouble(sentence)

    try:
        seat_session = await sit_down(plan, name, notify)
    except ExplainedError as error:
        is_wrong_code = isinstance(error, ConnectError) and error.code == "wrong_code"
        is_person = isinstance(player_of(Session()), PlainPlayer)
        if is_wrong_code and is_person and isinstance(plan, Join):
            return _Retry(plan, name, error.sentence(_), asks_code=True)
        return error.sentence(_)
    player = player_of(seat_session.session)
    player.player_seat = seat_session
    if isinstance(player, PlainPlayer):
        player.owned = seat_session.table is not None
    evening = _Evening(seat_session, player, write, calls)
    for sentence in early:
        evening.trouble(sentence)
    listening = asyncio.create_task(evening.listen())
    reading = asyncio.create_task(evening.read(typed))
    leaves = False
    try:
        done, _pending = await asyncio.wait(
            (listening, reading), return_when=asyncio.FIRST_COMPLETED
        )
        if listening in done:
            ended = listening.result()
            if evening.is_name_taken and isinstance(plan, Join):
                return _Retry(plan, name, ended, asks_code=False)
            return ended
        leaves = reading.result()
        return ""
    finally:
        leaves = leaves and not seat_session.leaving
        evening.keep_way_back(leaves=leaves)
        await seat_session.leave(leaves=leaves)
        for task in (listening, reading):
            task.cancel()
        await asyncio.gather(listening, reading, return_exceptions=True)
        await seat_session.close()


class _Evening:
    """One stay at a table: writes lines about news, and carries out typed lines."""

    def __init__(
        self,
        seat_session: SeatSession,
        player: LinePlayer,
        write: Callable[[str], None],
        calls: LineCalls | None,
    ) -> None:
        self._seat_session = seat_session
        self._player = player
        self._write = write
        self._calls = calls
        self._request = TeacherRequest()
        self._has_news = asyncio.Event()
        """Set by news, for tasks that wait for any news."""
        self._early: deque[str] = deque()
        """Answers that were typed before their question was asked."""
        self._ended = ""
        """The reason why the player must leave the table; "" without such a reason."""
        self._awaited = 0
        """The revision of the table for which the next answer waits; 0 for none."""
        self._lobby: Lobby | None = None
        """The last lobby at the player's own table; None before the first."""
        self.is_name_taken = False
        """True if a person was not let in because of their name."""
        self._waiting: asyncio.Handle | None = None
        """Calls `_write_waiting` if no other state arrives; None before the first state."""
        self._is_open = False
        """True once the ways to join the player's own table were written."""

    async def listen(self) -> str:
        """Write lines about the host's news until the end.

        Return the reason why the player must leave or cannot reach the table; "" without one.
        """
        try:
            await self._seat_session.stay(self._handle)
        except ConnectError as error:
            return error.sentence(_)
        finally:
            self._wait_for_nobody()
        return self._ended

    def _handle(self, news: News) -> bool:
        """Write the lines about some news, and carry out typed answers that waited for it.

        Return False to leave the table: after a refusal with which the player cannot stay, or, for
        a program, at a place with several tables.
        """
        if isinstance(news, BeforeTable | Admitted) and not self._is_person:
            self._ended = _("Several tables are open there: join one of them by its own link.")
            return False
        if isinstance(news, Refused) and self._watches_instead(news):
            return True
        if isinstance(news, State):
            # Drop the teacher's answer: it is about the previous question.
            self._request.forget()
            self._wait_for_nobody()
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(WAITING_S, self._write_waiting)
        if isinstance(news, Lobby):
            self.keep_way_back(leaves=False)
            self._keep_name(news)
            self._keep_settings(news)
        ends = isinstance(news, Refused) and not self._stays
        # A person reads the reason for the end only once, at the end.
        for line in [] if ends and self._is_person else self._player.news(news):
            self._write(line)
        if self._calls is not None:
            self._calls.handle(news, self._seat_session.session)
        if isinstance(news, Lobby) and not self._is_open:
            self._is_open = True
            self._open_ways()
        while self._early and not self._waits:
            self._do(self._early.popleft())
        self._has_news.set()
        if isinstance(news, Refused) and ends:
            keeps_seat = self._is_person and self._seat_session.keeps_seat(news.code)
            if news.code in SEAT_GONE and self._is_person and not keeps_seat:
                forget_back(self._seat_session.way_to_seat())
            self._ended = kept_seat_sentence() if keeps_seat else no_seat_sentence(news)
            self.is_name_taken = self._is_person and news.code == "name_taken"
            return False
        return True

    def _wait_for_nobody(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()

    def _write_waiting(self) -> None:
        """Name the player whose answer the table waits for, to a person who is not asked."""
        if isinstance(self._player, PlainPlayer) and self._seat_session.connected:
            for line in self._player.long_wait():
                self._write(line)

    def _watches_instead(self, refused: Refused) -> bool:
        """If a refusal means that no seat is free, let a person watch; otherwise return False."""
        may_watch = self._is_person and not self._seat_session.is_let_in
        if not may_watch or not self._seat_session.watch_instead(refused):
            return False
        self._write(refusal_sentence(refused, _))
        return True

    def keep_way_back(self, *, leaves: bool) -> None:
        """Store the visit of a person with a seat, and the way back to the seat.

        A person who leaves keeps the way back only to a running game; otherwise it is forgotten.
        """
        lobby, back = self._seat_session.session.lobby, self._seat_session.way_back()
        if lobby is not None and back is not None and self._is_person:
            (forget_back if leaves and lobby.phase != "playing" else remember_back)(back)
            remember_visit(back, local_date.today())

    def _keep_name(self, lobby: Lobby) -> None:
        """Store the name of a seated person, for the next evening."""
        if self._is_person and lobby.your_seat is not None:
            remember(name=lobby.your_seat.name)

    def _keep_settings(self, lobby: Lobby) -> None:
        """Store the settings that a person has changed at their own table, for their next table.

        Do nothing for programs, and at another person's table.
        """
        if self._seat_session.table is None or not (self._is_person and lobby.host):
            return
        before, self._lobby = self._lobby, lobby
        if before is not None and (chosen := change_between(before, lobby).settings):
            remember_table(chosen)

    def _open_ways(self) -> None:
        """Write the ways in which others join the player's own table, and later changes of them.

        Do nothing for programs, and at another person's table.
        """
        if self._seat_session.table is None or not self._is_person:
            return
        sections = Sections(PlainFace(self._seat_session, self._write))
        for way in sections.ways():
            self._write(f"{way.how} {way.line}")
            if way.note:
                self._write(way.note)
        for about in sections.every(lambda each: each.about_ways()):
            self._write(about)
        texts: dict[Section, str] = {}

        def changed(section: Section) -> Iterator[str]:
            sentence = section.explanation()
            if sentence != texts.get(section, ""):
                texts[section] = sentence
                yield sentence

        def write_changes() -> None:
            for sentence in sections.items(changed):
                self._write(sentence)

        sections.each(lambda each: each.watch(write_changes))
        write_changes()

    @property
    def _is_person(self) -> bool:
        return isinstance(self._player, PlainPlayer)

    @property
    def _stays(self) -> bool:
        """True if the player stays after a refusal: at a table, or at a list of tables."""
        chooses = isinstance(self._player, PlainPlayer) and self._player.choice is not None
        return chooses or self._seat_session.is_let_in

    def trouble(self, sentence: str) -> None:
        """Write a sentence about an error, as text or as JSON."""
        self._write(self._player.trouble(sentence))

    async def read(self, typed: AsyncIterator[str]) -> bool:
        """Carry out typed lines; return True if the player leaves, False if the lines end.

        Answers wait for their question, even after the last line, since lines may arrive faster
        than the host plays. Other lines do not wait: the question may never come, or only after a
        vote.
        """
        async for text in typed:
            if self._calls is not None:
                self._calls.typed()
            if self._player.is_answer(text) and (self._early or self._waits):
                self._early.append(text)
            elif self._do(text):
                return True
        while self._early:
            self._has_news.clear()
            await self._has_news.wait()
        return False

    def _do(self, text: str) -> bool:
        """Carry out the reply to a line; return True if the player leaves."""
        reply = self._player.line(text)
        self._awaited = reply.awaited or self._awaited
        for line in reply.lines:
            self._write(line)
        for message in reply.messages:
            sent = self._seat_session.send(message)
            # The session sends an act again after a reconnection.
            if not sent and not isinstance(message, Act):
                self.trouble(_("The connection is lost: you can answer once it is back."))
        if reply.goes is not None:
            reply.goes(self._seat_session)
        if reply.weighing is not None:
            self._ask(reply.weighing)
        if reply.judging is not None:
            self._judge(reply.judging)
        return reply.leaves

    def _ask(self, weighing: Weighing) -> None:
        """Let the teacher judge answers.

        Write the teacher's judgement only if the question is still the same.
        """
        revision = self._seat_session.session.revision

        def write_judgement() -> None:
            thought = self._request.thought
            if thought is not None and self._seat_session.session.revision == revision:
                for line in weighing.lines(thought):
                    self._write(line)

        self._request.ask(
            weighing.view, weighing.events, self._seat_session.workers, write_judgement
        )

    def _judge(self, judging: Judging) -> None:
        """Judge the decisions of a review one after another; a new game ends the review.

        After the last decision, store the judgements and write the result.
        """
        review, record = judging.review, self._seat_session.session.record
        step = review.next_step
        if step is None:
            keep_advice(review.replay, review.seat, review.advice)
            for line in judging.lines():
                self._write(line)
            return
        if step == review.steps[0] or review.judged_count % PROGRESS == 0:
            self._write(judging.progress())

        def take(thought: BotAnswer) -> None:
            review.answered(step, thought)
            if self._seat_session.session.record is record:
                self._judge(judging)

        self._seat_session.workers.ask(review.question(step), JUDGED_S, take)

    @property
    def _waits(self) -> bool:
        """True if the next answer must wait: for an earlier answer, or for its question.

        While the connection is lost, no answer waits.
        """
        session = self._seat_session.session
        return self._seat_session.connected and (
            session.pending is not None or session.revision < self._awaited
        )


class TypedLines(AsyncIterator[str]):
    """Iterates over the lines of standard input: a terminal, a pipe or a file.

    Unlike an async generator, it remains usable after a task that awaited a line is cancelled.
    """

    def __init__(self, lines: "asyncio.Queue[str | None]") -> None:
        """Read lines from a queue; None ends them."""
        self._lines = lines

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
            raise StopAsyncIteration
        return line


def typed_lines() -> TypedLines:
    """Return the lines of standard input, which a thread reads. Call this in the event loop."""
    if isinstance(sys.stdin, TextIOWrapper):
        # Accept invalid bytes: the line is then an unknown command, and the program continues.
        sys.stdin.reconfigure(errors="replace")
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    # A daemon thread lets the program end without waiting for a line.
    threading.Thread(target=read, daemon=True).start()
    return TypedLines(lines)


def ring_bell() -> None:
    """Ring the bell if standard output is a terminal."""
    if sys.stdout.isatty():
        print(BELL, end="", flush=True)


def write_line(line: str) -> None:
    """Write a line at once, wrapped at whole words in a terminal."""
    width = get_terminal_size().columns
    rows = wrap_text(line, width, width) if sys.stdout.isatty() else [line]
    print("\n".join(rows), flush=True)
