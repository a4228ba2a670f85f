"""The program of a worker process, which answers questions about views, one at a time.

A question is a line of JSON on standard input, and the answer is a line on standard output. A
request to stop the search may come meanwhile. The process ends when its input ends, so it never
outlives its parent. It stores no game, and loads only the engine.
"""

import json
import os
import signal
import sys
import threading
from queue import SimpleQueue
from random import Random
from time import monotonic
from typing import Final

from engine.actions import ACTIONS
from engine.bots import KeepGoing, SearchingBot, make_bot
from engine.bots.plans import RACES, best_other, compare
from engine.events import EVENTS
from engine.notation import parse_view
from netcode.tracebacks import error_line
from netcode.workers.questions import READY, BotAnswer, BotQuestion, as_line

NICENESS: Final = 5
"""The niceness of workers: server and screen run first."""


def think(question: BotQuestion, keep_going: KeepGoing) -> BotAnswer:
    """Return a bot's answer, or its error in `trouble`."""
    try:
        bot = make_bot(question.bot, Random(question.seed), keep_going)
        view = parse_view(question.view, tuple(question.eyes))
        if question.events:
            bot.observe([EVENTS[str(name)](*fields) for name, *fields in question.events])
        if question.want == "choose":
            return BotAnswer(token=bot.choose(view).token)
        if not isinstance(bot, SearchingBot):
            return BotAnswer(trouble="it weighs nothing")
        if question.given:
            enough = bot.iterations * question.effort
            bot.keep_going = lambda made: made < enough and keep_going(made)
            bot.given = ACTIONS[question.given]
        weighed = () if question.best else bot.weigh(view)
        best = ACTIONS[question.best] if question.best else weighed[0].action
        comparison = None
        if bot.given is not None:
            from engine.bots.master_bot import Master

            if isinstance(bot, Master):
                if not question.best:
                    more = (bot.weigh(view) for _ in range(RACES - 1))
                    best = best_other([weighed, *more], bot.given) or bot.given
                if best != bot.given:
                    comparison = compare(bot, view, best, bot.given)
    except Exception as error:
        # Report every error, including MemoryError.
        return BotAnswer(trouble=error_line(error))
    weights = tuple((str(each.action), each.share, each.tried) for each in weighed)
    return BotAnswer(token=str(best), weights=weights, comparison=comparison)


class Deadline:
    """The time at which a search must end. One thread sets it and another reads it."""

    def __init__(self) -> None:
        self._until = 0.0

    def set(self, seconds: float) -> None:
        """Let the search continue for `seconds` from now."""
        self._until = monotonic() + seconds

    def lasts(self, made: int = 0) -> bool:
        """Return True before the deadline; the number of iterations `made` does not matter."""
        return monotonic() < self._until


def main() -> None:
    """Answer the questions on standard input until it ends."""
    # Ignore Ctrl-C: in a terminal it is for the parent, and this process ends with the parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Windows has no niceness, so the parent lowers the priority there.
    if sys.platform != "win32":
        os.nice(NICENESS)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    # Discard the output of bots.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    answers.write(READY.encode() + b"\n")
    deadline = Deadline()
    questions: SimpleQueue[BotQuestion] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions, deadline), daemon=True).start()
    while True:
        answer = think(questions.get(), deadline.lasts)
        try:
            answers.write(as_line(answer))
        except OSError:
            # The input has ended, so the parent has ended too.
            os._exit(0)


def _listen(questions: "SimpleQueue[BotQuestion]", deadline: Deadline) -> None:
    """Read questions and requests to stop. End the process when the input ends."""
    try:
        for line in sys.stdin.buffer:
            seconds, fields = json.loads(line)
            deadline.set(seconds)
            if fields:
                questions.put(BotQuestion(*fields))
    finally:
        # End after an error too: the last line of a killed parent may be incomplete.
        os._exit(0)


if __name__ == "__main__":
    main()
