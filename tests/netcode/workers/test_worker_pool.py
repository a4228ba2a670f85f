"""Tests bots in separate processes, and how the pool handles each failure of such a process.

A bot's time budget is either longer than any test, or so short that it runs out on purpose.
"""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from engine.notation import parse_view
from netcode.workers.questions import BotAnswer, BotQuestion, Want, as_line
from netcode.workers.worker_main import think
from netcode.workers.worker_pool import WorkerPool

VIEW = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
ODD = (sys.executable, "-P", str(Path(__file__).parents[2] / "support/odd_worker.py"))
AGES = 1000.0
MOMENT = 0.05

LEGAL = {str(action) for action in parse_view(VIEW, 1).legal}


@asynccontextmanager
async def pool(most: int = 1, command: Sequence[str] | None = ODD) -> AsyncIterator[WorkerPool]:
    workers = WorkerPool(most, command)
    try:
        yield workers
    finally:
        await workers.close()


def question(bot: str, want: Want = "choose") -> BotQuestion:
    return BotQuestion(bot, VIEW, (1,), 7, want)


def answer_to(
    workers: WorkerPool, bot: str, budget: float = AGES, want: Want = "choose"
) -> asyncio.Future[BotAnswer]:
    answer = asyncio.get_running_loop().create_future()
    workers.ask(question(bot, want), budget, answer.set_result)
    return answer


def processes(workers: WorkerPool) -> list[int]:
    return [each._process.pid for each in workers._workers if each._process is not None]


async def at_work(workers: WorkerPool, count: int) -> None:
    """Wait until this many processes think and no question waits."""
    while len(processes(workers)) < count or workers._waiting:
        await asyncio.sleep(0.002)


async def test_a_bot_answers_from_a_process_and_may_think_for_as_long_as_it_is_told() -> None:
    async with pool(command=None) as workers:
        assert (await answer_to(workers, "steady")).token in LEGAL
        # A worker that has answered gets another question.
        assert (await answer_to(workers, "sharp", MOMENT)).token in LEGAL
        assert len(workers._workers) == 1
        weighed = await answer_to(workers, "sharp", 4 * MOMENT, "weigh")
        assert {token for token, _share, _tried in weighed.weights} == LEGAL
        assert weighed.token == weighed.weights[0][0]
        assert (await answer_to(workers, "steady", AGES, "weigh")).trouble


def test_what_speaks_for_an_answer_comes_from_a_process_as_it_was_found() -> None:
    others = ",".join(f"{family}3:????:???:MC" for family in "bgyv")
    line = f"2 4 r* bS,gL,yL,vL *r3:HXDM:ASP:FLC,{others}"
    wanted = BotQuestion("master", line, (0,), 1, "weigh", (), "M<")
    answer = think(wanted, (400).__gt__)
    assert answer.comparison is not None
    plan = answer.comparison.plan
    assert plan is not None
    assert (plan.what, plan.card) == ("gained", "H")
    assert plan.condition is not None
    assert msgspec.json.decode(as_line(answer), type=BotAnswer) == answer


async def test_a_worker_is_warm_before_the_first_question_and_one_is_enough() -> None:
    async with pool(most=2) as workers:
        workers.warm()
        workers.warm()
        assert len(workers._workers) == 1


async def test_a_worker_that_is_killed_in_the_middle_of_a_thought_is_started_anew() -> None:
    async with pool() as workers:
        answer = answer_to(workers, "patient")
        await at_work(workers, 1)
        os.kill(processes(workers)[0], signal.SIGKILL)
        assert (await answer).trouble == "its process died"
        assert (await answer_to(workers, "steady")).token in LEGAL


@pytest.mark.parametrize(
    ("bot", "trouble"),
    [
        ("mortal", "its process died"),
        (
            "greedy",
            r"MemoryError at netcode/workers/worker_main\.py:\d+ think,"
            r" odd_worker\.py:\d+ Greedy\.choose",
        ),
    ],
)
async def test_a_bot_that_fails_says_why_and_nothing_of_what_it_saw(bot: str, trouble: str) -> None:
    async with pool() as workers:
        thought = await answer_to(workers, bot)
        assert re.fullmatch(trouble, thought.trouble)
        assert thought == BotAnswer(trouble=thought.trouble)
        assert (await answer_to(workers, "steady")).token in LEGAL


async def test_a_bot_that_does_not_stop_is_given_up_and_its_process_with_it() -> None:
    async with pool() as workers:
        assert (await answer_to(workers, "steady")).token
        deaf = processes(workers)
        assert (await answer_to(workers, "deaf", MOMENT)).trouble == "it took too long"
        assert (await answer_to(workers, "steady")).token in LEGAL
        assert processes(workers) != deaf


async def test_a_question_that_is_dropped_frees_its_worker_at_once() -> None:
    async with pool() as workers:
        number = workers.ask(question("patient"), AGES, _unwanted)
        await at_work(workers, 1)
        waiting = workers.ask(question("patient"), AGES, _unwanted)
        first = processes(workers)
        workers.drop(waiting)
        workers.drop(number)
        workers.drop(number)
        assert (await answer_to(workers, "steady")).token in LEGAL
        assert processes(workers) == first


@pytest.mark.parametrize(
    "command", [("/nowhere/to/be/found",), (sys.executable, "-c", "print('what?')")]
)
async def test_where_no_process_can_be_started_each_question_is_told_so(
    command: Sequence[str], caplog: pytest.LogCaptureFixture
) -> None:
    async with pool(command=command) as workers:
        for tries in (1, 2):
            assert (await answer_to(workers, "sharp")).trouble == "no process can be started"
            assert [each.message for each in caplog.records] == [
                "a process for bots cannot be started"
            ] * tries
            while workers._workers:
                await asyncio.sleep(0)


async def test_closing_ends_every_process() -> None:
    async with pool(most=2) as workers:
        workers.ask(question("deaf"), AGES, _unwanted)
        workers.ask(question("patient"), AGES, _unwanted)
        await at_work(workers, 2)
        left = processes(workers)
    for process in left:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_a_worker_does_not_outlive_whoever_asks_even_in_the_middle_of_a_thought() -> None:
    with subprocess.Popen(ODD, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"ready\n"
        worker.stdin.write(as_line((AGES, question("deaf"))))
        worker.stdin.flush()
        # Send Ctrl-C: a terminal sends it to all of its programs, but the worker must ignore it.
        worker.send_signal(signal.SIGINT)
        # The system closes this pipe for an ended program, however it ended.
        worker.stdin.close()
        assert worker.wait(30) == 0


def test_neither_a_question_nor_an_answer_tells_a_card_in_a_log() -> None:
    shown = repr(question("steady")) + repr(BotAnswer("S>", (("S>", 0.5, 1),), "a trouble"))
    assert "a trouble" in shown
    assert VIEW[:9] not in shown
    assert "S>" not in shown


def test_a_worker_loads_the_engine_alone() -> None:
    script = "import sys, netcode.workers.worker_main; print(*sys.modules)"
    done = subprocess.run(
        (sys.executable, "-c", script), capture_output=True, text=True, check=True
    )
    ours = {name for name in done.stdout.split() if name.startswith(("netcode", "driflamme"))}
    assert ours == {
        "netcode",
        "netcode.tracebacks",
        "netcode.workers",
        "netcode.workers.questions",
        "netcode.workers.worker_main",
    }
    assert not {"asyncio", "msgspec", "textual", "multiprocessing"} & set(done.stdout.split())


def _unwanted(thought: BotAnswer) -> None:
    raise AssertionError("nobody wanted to know")
