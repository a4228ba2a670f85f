"""A second, naive implementation of the rules, which checks the traces of the engine.

It shares no code with the engine; it knows only the text of the rules and the notation. It replays
a trace game by game on a table of plain lists. Every line must match exactly: the position, the
legal tokens, the action and the result.

driflamme arena --bots random --games 1000 --trace - | python tests/engine/referee.py
"""

import json
import sys
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

CARDS = "ASPHFLXDMC"
CHARACTERS = "ASPHFL"
FAMILIES = "rbgyv"
ROUNDS = 6

KEYS = {
    "deal": {"type", "game", "edition", "families", "first", "hands", "aside"},
    "step": {"type", "position", "legal", "action"},
    "result": {"type", "position", "scores", "winners"},
}

Question = tuple[str, list[str]]  # the TURN field of the position, and the legal tokens
Play = Generator[Question, str, None]  # play that stops at each question for its answer
# play that returns the answer to one question (None: no target)
Choice = Generator[Question, str, str | None]


class Disagreement(Exception):  # noqa: N818 - which side is in error is to be found out
    """The trace and the referee differ; the error has both texts.

    The game is the number on its deal line. Steps count the lines after the deal line, from 1.
    """

    def __init__(self, game: int | None, step: int, what: str, referee: str, trace: str) -> None:
        texts = f"  referee: {referee}\n  trace:   {trace}"
        super().__init__(f"game {game}, step {step}: {what}\n{texts}")
        self.game, self.step, self.what, self.referee, self.trace = game, step, what, referee, trace


@dataclass(frozen=True)
class Summary:
    """The number of games and steps that the referee has checked."""

    games: int
    steps: int


# --- the table --------------------------------------------------------------------------------


@dataclass(eq=False)
class Card:
    owner: str
    letter: str
    up: bool = False
    influence: int = 0

    def __str__(self) -> str:
        letter = self.letter if self.up else self.letter.lower()
        return f"{self.owner}{letter}{self.influence or ''}"


@dataclass(eq=False)
class Stack:
    """A position of the Queue with at least one card, top card first."""

    cards: list[Card]

    @property
    def top(self) -> Card:
        """The only card of the stack that counts."""
        return self.cards[0]

    def __str__(self) -> str:
        return "/".join(map(str, self.cards))


@dataclass(eq=False)
class Player:
    """A seat: its pool, and its cards outside the Queue."""

    family: str
    hand: list[str]
    aside: list[str]
    pool: int = 1
    out: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        groups = [in_order(cards) or "-" for cards in (self.hand, self.aside, self.out)]
        return f"{self.family}{self.pool}:{':'.join(groups)}"


def in_order(cards: Iterable[str]) -> str:
    """Return the letters in the order of the notation."""
    return "".join(sorted(cards, key=CARDS.index))


class Table:
    """A game. Indices count from 0, positions in tokens from 1."""

    def __init__(self, edition: int, players: list[Player], first: int) -> None:
        self.edition = edition
        self.players = players
        self.first = first
        self.round = 1
        self.queue: list[Stack] = []
        self.place = 0  # in a resolution phase: the index that is being resolved

    def position(self, turn: str) -> str:
        """Return the text of the position; `turn` has the player and the question."""
        queue = ",".join(map(str, self.queue)) or "-"
        first = self.players[self.first]
        players = ",".join(f"{'*' if player is first else ''}{player}" for player in self.players)
        return f"{self.edition} {self.round} {turn} {queue} {players}"

    def scores(self) -> dict[str, int]:
        """Return each family's pool; influence on cards does not count."""
        return {player.family: player.pool for player in self.players}

    def winners(self) -> str:
        """Return the families of the winners: most influence, then most own cards in the Queue."""

        def rank(player: Player) -> tuple[int, int]:
            cards = [card for stack in self.queue for card in stack.cards]
            return player.pool, sum(card.owner == player.family for card in cards)

        best = max(map(rank, self.players))
        return "".join(player.family for player in self.players if rank(player) == best)

    def owner(self, card: Card) -> Player:
        return next(player for player in self.players if player.family == card.owner)

    # --- rounds -------------------------------------------------------------------------------

    def play(self) -> Play:
        """Play the whole game, up to the result line."""
        for number in range(1, ROUNDS + 1):
            self.round = number
            yield from self.placement()
            yield from self.resolution()
            if number < ROUNDS:
                self.first = (self.first + 1) % len(self.players)

    def placement(self) -> Play:
        """From the first player, clockwise, each player places one card face down."""
        for turn in range(len(self.players)):
            player = self.players[(self.first + turn) % len(self.players)]
            answers = [card + way for card in player.hand for way in self.ways(player)]
            answer = yield from ask(f"{player.family}*", answers)
            assert answer is not None
            letter, way = answer[0], answer[1:]
            player.hand.remove(letter)
            card = Card(player.family, letter)
            if way == "<":
                self.queue.insert(0, Stack([card]))
            elif way == ">":
                self.queue.append(Stack([card]))
            else:
                self.queue[index_of(way)].cards.insert(0, card)

    def ways(self, player: Player) -> list[str]:
        """Return the ways to place a card, without its letter."""
        if not self.queue:
            return [">"]
        own = [i for i, stack in enumerate(self.queue) if stack.top.owner == player.family]
        return ["<", ">", *(f"^{i + 1}" for i in own)]

    def resolution(self) -> Play:
        """Resolve the stacks in order; when a card leaves, the card that it covered is next."""
        self.place = 0
        while self.place < len(self.queue):
            stack = self.queue[self.place]
            card = stack.top
            yield from self.resolve(card)
            if card in stack.cards:
                self.place += 1
            # Otherwise the card here is next: it was covered, or moved up.

    def resolve(self, card: Card) -> Play:
        """Resolve the top card at the present place."""
        if not card.up:
            answer = yield from ask(f"{card.owner}?{self.place + 1}", ["+", "!"])
            if answer == "+":
                card.influence += 1
                return
            self.reveal(card)
        yield from self.apply(card, card.letter)
        if card.letter not in CHARACTERS and self.in_queue(card):
            self.leave(card)

    def reveal(self, card: Card) -> None:
        """Turn the card face up; its owner takes the influence on it."""
        times = {"C": 2, "M": 0}.get(card.letter, 1)
        self.owner(card).pool += times * card.influence
        card.influence = 0
        card.up = True

    # --- cards that leave ---------------------------------------------------------------------

    def in_queue(self, card: Card) -> bool:
        return any(card in stack.cards for stack in self.queue)

    def leave(self, card: Card) -> None:
        """Remove a top card from the Queue, and close a gap."""
        index = next(i for i, stack in enumerate(self.queue) if stack.top is card)
        self.queue[index].cards.remove(card)
        self.owner(card).out.append(card.letter)
        if not self.queue[index].cards:
            del self.queue[index]
            if index < self.place:
                self.place -= 1

    def eliminate(self, attacker: Card, target: Card) -> None:
        """Eliminate a card: the attacker's owner gains 1.

        An Ambush may also pay, and remove the attacker.
        """
        self.leave(target)
        self.owner(attacker).pool += 1
        if target.letter != "M":
            return
        if attacker.owner != target.owner:
            self.owner(target).pool += 4
            self.leave(attacker)
        elif self.edition == 1:
            self.owner(target).pool += 1
            self.leave(attacker)

    # --- abilities ----------------------------------------------------------------------------

    def apply(self, card: Card, ability: str) -> Play:
        """Apply an ability with a card: the card's own, or one that a Shapeshifter copies."""
        turn = f"{card.owner}{ability}{self.place + 1}"
        owner = self.owner(card)
        match ability:
            case "A":
                ends = sorted({0, len(self.queue) - 1})
                yield from self.attack(card, turn, ends)
            case "S":
                yield from self.attack(card, turn, self.adjacent())
            case "X":
                yield from self.attack(card, turn, list(range(len(self.queue))))
            case "P":
                neighbours = {self.queue[i].top.owner for i in self.adjacent()}
                answer = yield from ask(turn, [f"${family}" for family in sorted(neighbours)])
                if answer is not None:
                    victim = next(p for p in self.players if p.family == answer[1:])
                    loot = min(1, victim.pool)
                    victim.pool -= loot
                    owner.pool += loot
            case "H":
                others = [stack.top for stack in self.queue if stack.top is not card]
                if not any(other.up and other.letter == card.letter for other in others):
                    owner.pool += 2
            case "F":
                yield from self.copy(card, turn)
            case "L":
                stacks = [self.queue[i] for i in self.adjacent()]
                seen = [stack.cards if self.edition == 1 else [stack.top] for stack in stacks]
                own = sum(other.owner == card.owner for cards in seen for other in cards)
                owner.pool += 1 + own
            case "D":
                yield from self.decree(turn)
            case "M":
                owner.pool += 1
            case "C":
                pass  # it has paid when it was revealed

    def adjacent(self) -> list[int]:
        """Return the indices next to the position that is being resolved."""
        return [i for i in (self.place - 1, self.place + 1) if 0 <= i < len(self.queue)]

    def attack(self, card: Card, turn: str, targets: list[int]) -> Play:
        """Eliminate the top card that the owner chooses at these indices; do nothing without
        indices.
        """
        answer = yield from ask(turn, [f"x{i + 1}" for i in targets])
        if answer is not None:
            self.eliminate(card, self.queue[index_of(answer)].top)

    def copy(self, card: Card, turn: str) -> Play:
        """Apply the ability of a face-up neighbour; copying a Shapeshifter has no effect."""
        tops = {i: self.queue[i].top for i in self.adjacent()}
        models = [i for i, top in tops.items() if top.up and top.letter in CHARACTERS]
        answer = yield from ask(turn, [f"~{i + 1}" for i in models])
        if answer is not None and tops[index_of(answer)].letter != "F":
            yield from self.apply(card, tops[index_of(answer)].letter)

    def decree(self, turn: str) -> Play:
        """Move one top card to another place of the Queue."""
        here = self.queue[self.place]
        answers = []
        for i, stack in enumerate(self.queue):
            if stack is here:
                continue
            # A card from a taller stack has one position more; its own place is excluded.
            alone = len(stack.cards) == 1
            ends = range(len(self.queue) if alone else len(self.queue) + 1)
            answers += [f"{i + 1}>{end + 1}" for end in ends if not (alone and end == i)]
        answer = yield from ask(turn, answers)
        if answer is not None:
            start, end = answer.split(">")
            stack = self.queue[index_of(start)]
            card = stack.cards.pop(0)
            if not stack.cards:
                self.queue.remove(stack)
            self.queue.insert(index_of(end), Stack([card]))
            self.place = self.queue.index(here)


def ask(turn: str, answers: list[str]) -> Choice:
    """Return the answer to a question; None if there is no legal answer.

    A question with fewer than two answers is not asked.
    """
    if len(answers) < 2:
        return answers[0] if answers else None
    answer = yield turn, answers
    return answer


def index_of(token: str) -> int:
    """Return the index in a token or a part of one: `x3`, `~3`, `^3` and `3` mean 2."""
    return int(token.lstrip("x~^")) - 1


# --- the trace --------------------------------------------------------------------------------


class Reader:
    """Reads the lines of a trace."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.game: int | None = None
        self.step = 0

    def read(self, kind: str) -> dict[str, Any] | None:
        """Return the next line's object of this type; None at the end.

        Raises Disagreement for another line.
        """
        line = next(self.lines, None)
        if line is None:
            return None
        self.step += 1
        try:
            entry = json.loads(line)
        except ValueError:
            raise self.disagreement("not a line of JSON", kind, line) from None
        if not isinstance(entry, dict) or entry.get("type") != kind or set(entry) != KEYS[kind]:
            raise self.disagreement("not the line that belongs here", kind, line)
        return entry

    def demand(self, kind: str) -> dict[str, Any]:
        """Return the next line's object of this type; raises Disagreement at the end."""
        entry = self.read(kind)
        if entry is None:
            self.step += 1
            raise self.disagreement("the trace ends", kind, "nothing")
        return entry

    def compare(self, what: str, referee: object, trace: object) -> None:
        """Raise Disagreement unless both values are equal."""
        if referee != trace:
            raise self.disagreement(what, as_text(referee), as_text(trace))

    def disagreement(self, what: str, referee: str, trace: str) -> Disagreement:
        """Return a disagreement about the present line."""
        return Disagreement(self.game, self.step, what, referee, trace.strip())


def as_text(value: object) -> str:
    """Return a string unchanged, and everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def set_up(reader: Reader, deal: dict[str, Any]) -> Table:
    """Return the table of a deal line; raises Disagreement for an impossible deal."""
    families, first = deal["families"], deal["first"]
    reader.compare("families", [f for f in sorted(FAMILIES) if f in families], sorted(families))
    if not 3 <= len(families) <= 5 or first not in list(families) or deal["edition"] not in (1, 2):
        raise reader.disagreement("deal", "3 to 5 families, one first, edition", as_text(deal))
    for what in ("hands", "aside"):
        reader.compare(f"families in {what}", sorted(families), sorted(deal[what]))
    players = []
    for family in families:
        hand, aside = deal["hands"][family], deal["aside"][family]
        reader.compare(f"cards of {family}", sorted(CARDS), sorted(hand + aside))
        parts = [7, in_order(hand), 3, in_order(aside)]
        reader.compare(f"deal to {family}", parts, [len(hand), hand, len(aside), aside])
        players.append(Player(family, list(hand), list(aside)))
    return Table(deal["edition"], players, families.index(first))


def check_game(reader: Reader, deal: dict[str, Any]) -> None:
    """Check the lines of one game after its deal line.

    Raises Disagreement at the first line that differs from the rules.
    """
    table = set_up(reader, deal)
    play = table.play()
    question = next(play, None)
    while question is not None:
        turn, answers = question
        step = reader.demand("step")
        reader.compare("position", table.position(turn), step["position"])
        reader.compare("legal", sorted(answers), sorted(step["legal"]))
        if step["action"] not in answers:
            raise reader.disagreement("action", " ".join(answers), as_text(step["action"]))
        try:
            question = play.send(step["action"])
        except StopIteration:
            question = None
    result = reader.demand("result")
    reader.compare("position", table.position("-"), result["position"])
    reader.compare("scores", table.scores(), result["scores"])
    reader.compare("winners", table.winners(), result["winners"])


def check_trace(lines: Iterable[str]) -> Summary:
    """Replay every game of a trace.

    Args:
        lines: The lines of a trace, with or without their line ends.

    Returns:
        The number of checked games and steps.

    Raises:
        Disagreement: At the first line that breaks the rules.
    """
    reader = Reader(lines)
    games = steps = 0
    while (deal := reader.read("deal")) is not None:
        reader.game, reader.step = deal["game"], 0
        check_game(reader, deal)
        games += 1
        steps += reader.step - 1  # the last line is the result
    return Summary(games, steps)


def main() -> int:
    """Check the trace on standard input; return 1 after a disagreement, else 0."""
    try:
        summary = check_trace(sys.stdin)
    except Disagreement as disagreement:
        print(disagreement)
        return 1
    print(f"{summary.games} games, {summary.steps} steps: no disagreement")
    return 0


if __name__ == "__main__":
    sys.exit(main())
