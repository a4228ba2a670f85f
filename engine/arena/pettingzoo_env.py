"""Offers the game as a PettingZoo environment, for programs that learn to play it.

Needs the extra `driflamme[pettingzoo]`. No other module imports this one. `engine/bots/README.md`
has an example.

Agents are `player_0` and so on, by seat. An action is an index into `ANSWERS`. An observation is
made from the seat's view only: `observation` is an array of numbers (see `encode`). `action_mask`
has 1 for each legal action; while another agent must answer, it is 0 everywhere. At the end the
reward of each agent is its share of the victory; before the end it is 0.
"""

from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from engine.actions import ACTIONS, Place
from engine.cards import (
    CARDS,
    FAMILIES,
    LEAVES,
    MAXIMUM_PLAYERS,
    MAXIMUM_STACKS,
    MINIMUM_PLAYERS,
    ROUNDS,
)
from engine.edition import EDITIONS
from engine.game import Deal, Game
from engine.notation import format_position
from engine.position import LEAVE_OR_REVEAL, OVER, PLACE, cards_in
from engine.ranking import ranking
from engine.views import View, view

Numbers: TypeAlias = NDArray[np.int16]
Observation: TypeAlias = dict[str, Any]

ANSWERS: Final = tuple(
    action
    for action in ACTIONS.values()
    if not (isinstance(action, Place) and action.card in LEAVES)
)
"""Every action of ordinary games, by index. Placements of leaves belong to sealed games only."""

INDEX: Final = {action: index for index, action in enumerate(ANSWERS)}

QUESTIONS: Final = (PLACE, LEAVE_OR_REVEAL, OVER, *CARDS)
"""The possible questions, in the order of their encoding."""

TABLE: Final = 4 + len(QUESTIONS) + 4 * MAXIMUM_PLAYERS
"""Number of array elements for the table as a whole."""

PILE: Final = 1 + len(CARDS)
"""Number of array elements for a pile of cards: its size, and 1 for each known card."""

STACK: Final = MAXIMUM_PLAYERS + ROUNDS * (3 + len(CARDS))
"""Number of array elements for a stack: the owner, then the cards from the top, at most one for
each round. Each card has: presence, face up, influence on it, and one element for each card name.
"""

SIZE: Final = TABLE + 3 * MAXIMUM_PLAYERS * PILE + MAXIMUM_STACKS * STACK
"""Number of array elements of an observation, for any number of players."""

MOST: Final = 999
"""An upper bound of all numbers in an observation. Influence stays far below it."""


def encode(seen: View) -> Numbers:
    """Return a view as numbers of shape (SIZE,).

    Missing players, missing cards and unknown cards are 0.

    First comes the table: edition, round, players, resolving position, and one element for each
    question, 1 for the present one. Four groups with one element for each seat follow. They have 1
    for the first player, 1 for the asked player, 1 for the viewer, and the influence in each pool.

    Then each seat has three piles: hand, cards set aside, and cards that are out. The stacks of the
    Queue by position come last. Of an unknown card, only the elements of its name are 0.
    """
    turn = None if seen.over else seen.turn
    numbers = [seen.edition.number, seen.round, seen.players, seen.at + 1]
    numbers += [seen.question == question for question in QUESTIONS]
    for seats in ((seen.first,), (turn,), seen.viewers):
        numbers += [seat in seats for seat in range(MAXIMUM_PLAYERS)]
    numbers += _filled(seen.pools, MAXIMUM_PLAYERS)
    piles = [
        number
        for cards in chain(*zip(seen.hands, seen.aside, seen.out, strict=True))
        for number in (len(cards), *(card in cards for card in CARDS))
    ]
    numbers += _filled(piles, 3 * MAXIMUM_PLAYERS * PILE)
    for stack in seen.queue:
        about: list[int] = [seat == stack[0] for seat in range(MAXIMUM_PLAYERS)]
        for card, face_up, influence in cards_in(stack):
            about += (1, face_up, influence, *(card == each for each in CARDS))
        numbers += _filled(about, STACK)
    return np.array(_filled(numbers, SIZE), dtype=np.int16)


def _filled(numbers: Sequence[int], size: int) -> list[int]:
    return [*numbers, *[0] * (size - len(numbers))]


def action_mask(seen: View) -> NDArray[np.int8]:
    """Return an array with 1 for each action that the viewer may choose now, by its index."""
    mask = np.zeros(len(ANSWERS), dtype=np.int8)
    mask[[INDEX[action] for action in seen.legal]] = 1
    return mask


def env(players: int = 4, edition: int = 2, render_mode: str | None = None) -> Any:
    """Return the environment in PettingZoo's usual wrappers.

    An illegal action ends the game: its agent gets -1 and the others 0.
    """
    wrapped: Any = OriflammeEnv(players, edition, render_mode)
    wrapped = TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))


class OriflammeEnv(AECEnv[str, Observation, int]):  # type: ignore[misc] # untyped
    """A sequence of games with one number of players and one edition.

    Raises ValueError for a number or an edition that does not exist.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "oriflamme_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, players: int = 4, edition: int = 2, render_mode: str | None = None) -> None:
        super().__init__()
        if not MINIMUM_PLAYERS <= players <= MAXIMUM_PLAYERS:
            raise ValueError(f"a game has 3 to 5 players, not {players}")
        if edition not in EDITIONS:
            raise ValueError(f"there is no edition {edition}")
        self.edition = EDITIONS[edition]
        self.families = FAMILIES[:players]
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._rng = Random()
        self._game: Game | None = None
        self._observed = {agent: _observation_space() for agent in self.possible_agents}
        self._answered = {agent: Discrete(len(ANSWERS)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the observation space, which is equal for all agents."""
        return self._observed[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the action space: an index into `ANSWERS`."""
        return self._answered[agent]

    @property
    def game(self) -> Game:
        """The whole game, which agents do not see; raises RuntimeError before `reset`."""
        if self._game is None:
            raise RuntimeError("reset() begins the first game")
        return self._game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game: the game of `seed`, or without a seed the next one of the sequence.

        `options` are ignored.
        """
        if seed is not None:
            self._rng = Random(seed)
        self._game = Game.start(Deal.shuffled(self._rng, self.families, self.edition))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._game.turn]

    def observe(self, agent: str) -> Observation:
        """Return an agent's view as numbers, and the mask of the actions that it may choose."""
        seen = view(self.game, self._seats[agent])
        return {"observation": encode(seen), "action_mask": action_mask(seen)}

    def step(self, action: int | None) -> None:
        """Play the action of the asked agent; raises IllegalAction if the rules forbid it.

        After the end of the game, each agent takes one more step with the action None.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._game = self.game.play(ANSWERS[action])
        self._cumulative_rewards[agent] = 0.0
        if self._game.over:
            winners = ranking(self._game)[0]
            for seat in winners:
                self.rewards[self.possible_agents[seat]] = 1 / len(winners)
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[self._game.turn]

    def render(self) -> str:
        """Return the whole game, with every card, as a line of notation."""
        return format_position(self.game)


def _observation_space() -> Space[Any]:
    return Dict(
        {
            "observation": Box(0, MOST, (SIZE,), np.int16),
            "action_mask": Box(0, 1, (len(ANSWERS),), np.int8),
        }
    )
