"""Defines the questions to worker processes, and the answers, without the program of a worker."""

import json
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.bots.plans import Comparison

READY: Final = "ready"
"""The first line that a worker writes."""

Want: TypeAlias = Literal["choose", "weigh"]
"""The kind of result that a question wants: the bot's choice, or the values of all answers."""


class BotQuestion(NamedTuple):
    """A question to a bot, with everything that the bot may know."""

    bot: str
    view: str
    eyes: tuple[int, ...]
    """The seats of the player who sees the view: one seat, or two for a player with two families.
    """
    seed: int
    """The seed of the bot's random generator."""
    want: Want = "choose"
    """The kind of result. Only searching bots return values of all answers."""
    events: tuple[tuple[object, ...], ...] = ()
    """The events that the player has seen, from the beginning; empty if they are unknown. Each is a
    class name with its fields.
    """
    given: str = ""
    """The answer to judge; "" if there is none. The search for a judgement has a fixed number of
    iterations, so that the judgement is always the same, and the result has a comparison.
    """
    best: str = ""
    """The answer to compare with the given one; "" to search for the best answer first."""
    effort: int = 1
    """Multiplies the number of iterations of a judgement."""

    def __repr__(self) -> str:
        # Keep view and answer out of errors and logs.
        return f"BotQuestion(bot={self.bot!r}, want={self.want!r})"


Weight: TypeAlias = tuple[str, float, int]
"""An answer: its token, its expected share of the victory, and its number of iterations."""


class BotAnswer(NamedTuple):
    """A bot's answer, or the reason why it failed."""

    token: str = ""
    """The token of the answer; "" if there is none."""
    weights: tuple[Weight, ...] = ()
    """The values of all answers, best first; () if the question wanted a choice or has a `best`."""
    trouble: str = ""
    """The reason for the failure, without any card; "" if the bot has answered."""
    comparison: Comparison | None = None
    """The comparison of the best answer with the given one. It is None if they are equal, if none
    was given, or if the bot cannot compare answers.
    """

    def __repr__(self) -> str:
        return f"BotAnswer(trouble={self.trouble!r})"


def as_line(value: object) -> bytes:
    """Return the line of a question or an answer."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
