"""Positions in shorthand, so that a rule and its test fit on one line.

A line is `[EDITION] ROUND TURN QUEUE PLAYERS` in the notation of positions, with two liberties. A
line without an edition stands for both editions. A player is `*r3`, or `*r3:AX` if the hand
matters. All other cards are dealt in the order of the rules: first to the hand, then aside, and the
rest is out. The result is always a valid position.
"""

import re
from collections.abc import Sequence

import pytest

from engine.actions import Place
from engine.cards import CARDS, HAND, SET_ASIDE, in_order
from engine.events import Event
from engine.game import Game
from engine.legal import IllegalAction
from engine.notation import format_position, parse_action, parse_position
from engine.ranking import ranking
from engine.views import view


def in_editions(line: str) -> list[str]:
    """Return the line itself if it names an edition, otherwise one line for each edition."""
    fields = line.split()
    if len(fields) == 5:
        return [" ".join(fields)]
    assert len(fields) == 4, f"{line!r} has neither four nor five fields"
    return [" ".join((edition, *fields)) for edition in "12"]


def whole(line: str, hands: Sequence[str] = (), aside: Sequence[str] = ()) -> str:
    """Return the complete position of a line with an edition.

    Hands and set-aside cards come from the line, or else from the arguments by seat; the rest is
    dealt.
    """
    edition, round_, turn, queue, text = line.split()
    players = text.split(",")
    first = next(seat for seat, player in enumerate(players) if player.startswith("*"))
    families = [player.lstrip("*")[0] for player in players]
    placed = len(players)
    if turn.endswith("*"):
        placed = (families.index(turn[0]) - first) % len(players)
    filled = []
    for seat, player in enumerate(players):
        pool, *given = player.split(":")
        if len(given) == 3:
            filled.append(player)
            continue
        order = (seat - first) % len(players)
        in_hand = HAND - int(round_) + (order >= placed)
        cards = [card for stack in queue.split(",") for card in stack.split("/")]
        queued = {card[1].upper() for card in cards if card[0] == families[seat]}
        hand = given[0] if given else hands[seat] if hands else None
        left = [card for card in CARDS if card not in queued and card not in (hand or "")]
        if hand is None:
            hand, left = "".join(left[:in_hand]), left[in_hand:]
        rest = aside[seat] if aside else "".join(left[:SET_ASIDE])
        out = "".join(card for card in left if card not in rest)
        filled.append(":".join((pool, hand or "-", rest, out or "-")))
    return " ".join((edition, round_, turn, queue, ",".join(filled)))


def game_at(line: str) -> Game:
    """Parse a line whose position begins with an edition."""
    return parse_position(whole(line))


def plays(before: str, tokens: str, after: str) -> None:
    """Assert that the actions lead from one line exactly to the other.

    The test follows every card: hands lose only placed cards, and cards that have left the Queue
    are out.
    """
    for start, end in zip(in_editions(before), in_editions(after), strict=True):
        game = game_at(start)
        written = format_position(game)
        hands = list(game.hands)
        reached = game
        for token in tokens.split():
            action = parse_action(token)
            if isinstance(action, Place):
                hands[reached.turn] = hands[reached.turn].replace(action.card, "")
            reached = reached.play(action)
        assert format_position(reached) == whole(end, hands, game.aside)
        assert format_position(game) == written


def legal(line: str, tokens: str) -> None:
    """Assert that these actions are legal, each once, and no others."""
    for each in in_editions(line):
        game = game_at(each)
        expected = sorted(tokens.split())
        assert sorted(str(action) for action in game.legal) == expected
        assert sorted(str(action) for action in view(game, game.turn).legal) == expected


def hold(lines: str) -> None:
    """Assert each line, which lists the legal actions or is a play.

    `LINE | TOKENS` lists all legal actions, `-` for none. `LINE | TOKENS | LINE` is a play: the
    actions lead from the first line to the second.
    """
    for line in filter(None, map(str.strip, lines.splitlines())):
        before, tokens, *after = (part.strip() for part in line.split("|"))
        if after:
            plays(before, tokens, *after)
        else:
            legal(before, tokens.strip("-"))


def refuses(line: str, token: str, sentence: str) -> None:
    """Assert that an action is refused with this sentence."""
    for each in in_editions(line):
        with pytest.raises(IllegalAction) as refusal:
            game_at(each).play(parse_action(token))
        assert str(refusal.value) == sentence


def emits(lines: str) -> None:
    """Assert each line: `LINE | TOKENS | EVENTS` lists exactly the resulting events.

    An event is its name with its values. `;` separates events, which may continue on the next line.
    """
    for line in filter(None, re.split(r"\n(?! {9})", lines.rstrip())):
        before, tokens, expected = (part.strip() for part in line.split("|"))
        for each in in_editions(before):
            game, events = game_at(each), list[Event]()
            for token in tokens.split():
                game = game.play(parse_action(token), events)
            named = [" ".join([type(event).__name__, *map(str, event)]) for event in events]
            assert named == re.split(r";\s+", expected)


def ranks(line: str, places: str) -> None:
    """Assert the ranking, best place first; families that share a place stand together."""
    for each in in_editions(line):
        game = game_at(each)
        named = ["".join(game.families[seat] for seat in place) for place in ranking(game)]
        assert " ".join(named) == places


def hand_sizes(line: str) -> list[int]:
    """Return the number of cards in each hand of a line with an edition."""
    return [len(in_order(hand)) for hand in game_at(line).hands]
