"""The program of a worker process: answers questions about views, one at a time; knows no game.

A question is a line of JSON on its standard input, an answer one on its standard output. It may be
told meanwhile to stop; when its input ends, so does it, so that it never outlives the
program which asks. It loads the engine and nothing else of this project.
"""

import json
import os
import signal
import sys
import threading
from queue import SimpleQueue
from random import Random
from time import monotonic
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.actions import ACTIONS
from engine.bots import KeepGoing, SearchingBot, make_bot
from engine.bots.plans import Plan, plan_against
from engine.events import EVENTS
from engine.notation import parse_view
from netcode.tracebacks import described

NICENESS: Final = 5
"""Niceness of workers: the server and the screen come first."""

READY: Final = "ready"
"""First line that a worker writes."""

Want: TypeAlias = Literal["choose", "weigh"]
"""What a question is for: an answer, or the weights of all answers."""


class BotQuestion(NamedTuple):
    """A question to a bot: all that it may know, as text."""

    bot: str
    view: str
    """In the notation."""
    eyes: tuple[int, ...]
    """Whose view it is: a seat, or the two of a player who has two."""
    seed: int
    """Of what is left to chance."""
    want: Want = "choose"
    """An answer, or what each of them promises; only a bot that searches knows that."""
    events: tuple[tuple[object, ...], ...] = ()
    """What the player has seen happen, from the beginning: each the name of a kind of event, and
    its fields; none if that is not known."""
    given: str = ""
    """The answer that was given, if it is to be judged: in as many iterations as the level makes
    by itself, so that the judgement is always the same, and with what speaks against it."""

    def __repr__(self) -> str:
        # What is seen and what is chosen has no place in the text of an error or a log.
        return f"BotQuestion(bot={self.bot!r}, want={self.want!r})"


Weight: TypeAlias = tuple[str, float, int]
"""An answer: its token, the part of the victory that it promises, how often it was tried."""


class BotAnswer(NamedTuple):
    """A bot's answer, or why there is none."""

    token: str = ""
    """The answer; empty if there is none."""
    weights: tuple[Weight, ...] = ()
    """The best first, if that was wanted."""
    trouble: str = ""
    """Why there is no answer: the error as `tracebacks.described`, without anything in it."""
    plan: Plan | None = None
    """What speaks for the best answer and against the given one, if anything does plainly."""

    def __repr__(self) -> str:
        return f"BotAnswer(trouble={self.trouble!r})"


def think(question: BotQuestion, keep_going: KeepGoing) -> BotAnswer:
    """Return a bot's answer, or what went wrong with it."""
    try:
        bot = make_bot(question.bot, Random(question.seed), keep_going)
        view = parse_view(question.view, tuple(question.eyes))
        if question.events:
            bot.observe([EVENTS[str(name)](*fields) for name, *fields in question.events])
        if question.want == "choose":
            return BotAnswer(token=bot.choose(view).token)
        if not isinstance(bot, SearchingBot):
            return BotAnswer(trouble="it weighs nothing")
        enough, plan = bot.iterations, None
        if question.given:
            bot.keep_going = lambda made: made < enough and keep_going(made)
            bot.given = ACTIONS[question.given]
        weighed = bot.weigh(view)
        if bot.given is not None:
            from engine.bots.master import Master

            if isinstance(bot, Master):
                plan = plan_against(bot, view, weighed, bot.given)
    except Exception as error:
        # MemoryError is one of these.
        return BotAnswer(trouble=described(error))
    weights = tuple((str(each.action), each.share, each.tried) for each in weighed)
    return BotAnswer(token=weights[0][0], weights=weights, plan=plan)


class Deadline:
    """The time until which a bot may search; set by one thread and read by another."""

    def __init__(self) -> None:
        self._until = 0.0

    def set(self, seconds: float) -> None:
        """Let the search go on for so many seconds from now."""
        self._until = monotonic() + seconds

    def lasts(self, made: int = 0) -> bool:
        """Return whether it is still to come."""
        return monotonic() < self._until


def as_line(value: object) -> bytes:
    """Return the line that asks a question, or answers one."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def main() -> None:
    """Answer what comes on the standard input until that ends."""
    # Ctrl-C in a terminal is for the program that asks; its end is this one's.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Where there is no such thing, whoever starts it sees to it.
    if sys.platform != "win32":
        os.nice(NICENESS)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    # A bot that prints says nothing to anybody.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    answers.write(READY.encode() + b"\n")
    deadline = Deadline()
    asked: SimpleQueue[BotQuestion] = SimpleQueue()
    threading.Thread(target=_listen, args=(asked, deadline), daemon=True).start()
    while True:
        answer = think(asked.get(), deadline.lasts)
        try:
            answers.write(as_line(answer))
        except OSError:
            # Nobody is there any more.
            os._exit(0)


def _listen(asked: "SimpleQueue[BotQuestion]", deadline: Deadline) -> None:
    """Read questions, and that one is to stop; end the process when no more will come."""
    try:
        for line in sys.stdin.buffer:
            seconds, fields = json.loads(line)
            deadline.set(seconds)
            if fields:
                asked.put(BotQuestion(*fields))
    finally:
        # Also after half a line: the last of a program that was killed while it wrote.
        os._exit(0)


if __name__ == "__main__":
    main()
