"""Perft counts the ways to play from a position, as proof that the rules have not changed.

`perft.json` has three values for each position. By depth, `sequences` has the numbers of lists of
legal answers, and `positions` the numbers of resulting lines. `digest` is a digest of the lines at
the greatest depth. The engine and the referee must agree.

python -m tests.engine.perft    # after a change of the rules: write new counts
"""

import json
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from engine.game import Game
from engine.notation import format_position, parse_position
from tests.engine.lines import in_editions, whole
from tests.engine.referee import ROUNDS, Card, Play, Player, Stack, Table, index_of

DATA = Path(__file__).with_name("perft.json")

POSITIONS = {
    "the first placements": (3, "1 b* - r1,*b1,g1"),
    "placing onto stacks": (2, "4 g* rA,gs/gH,bl2/bc1,gp,rh r1,b2,*g3"),
    "the last placements of five": (3, "6 v* yf,gp/gh,bs,vl/vc2/vA r1,b1,g1,y1,*v1"),
    "leaving and revealing": (7, "3 r?1 rc2,bh,gl1,ra,bp,gm1 *r1,b1,g1"),
    "Decree among tall stacks": (4, "5 rD3 bs/bp,gA,rD/rc2,gh1/gl/gS,yf,bm1 *r1,b1,g1,y1"),
    "Decree that brings back what was resolved": (3, "4 rD4 bH,ga,yL,rD,gs,bm *r1,b2,g0,y1"),
    "Assassination among Ambushes": (6, "5 rX3 bm2/bs,rm/rH,rX/rl,gm1,yc2/yA,gp *r1,b1,g1,y1"),
    "Shapeshifter between two killers": (7, "5 rF3 rm1,bA,rF/rc1,gS,gm/gh,yx2 *r1,b1,g1,y1"),
    "Shapeshifters around an Heir": (5, "5 rF2 bF,rF,gH,yF/yp,bH,gl *r1,b1,g1,y1"),
    "a stack that comes apart": (6, "5 r?1 rc2/rm1/rx/rd/rS,bm/bl1,gp1 *r1,b1,g1"),
    "Soldiers, Archers and Ambushes": (6, "5 rS2 bm,rS/rx1,rm,gA,bS/bc2,gm *r1,b1,g1"),
    "Spies beside empty pools": (6, "5 rP2 bP,rP,gP/gh,yl1,rs,bc3 *r0,b0,g2,y0"),
    "Lords beside stacks": (6, "5 r?1 rs/rp/rH,rL,rc1,bL,bh/bp,gs *r1,b1,g1"),
    "the end of the game": (5, "6 r?1 rc3/rL,bx1,gm/gH,yp *r3,b3,g3,y2"),
    "the longest Queue": (7, "6 rX5 ba,gs,ys,vs,rX,bp,gp,yp,vp,rp,bh,gh,yh,vh *r1,b1,g1,y1,v1"),
}
"""For each subject, a depth, and a line of `lines.py` for both editions. Placements begin with the
first player.
"""

Reach = Callable[[str, tuple[str, ...]], tuple[str, list[str]]]
"""A function that plays tokens from a line, and returns the new line and its legal tokens."""


@lru_cache(maxsize=4096)
def game_after(line: str, tokens: tuple[str, ...]) -> Game:
    return game_after(line, tokens[:-1]).play(tokens[-1]) if tokens else parse_position(line)


def by_engine(line: str, tokens: tuple[str, ...]) -> tuple[str, list[str]]:
    game = game_after(line, tokens)
    return format_position(game), [str(action) for action in game.legal]


@lru_cache(maxsize=4096)
def by_referee(line: str, tokens: tuple[str, ...]) -> tuple[str, list[str]]:
    if len(tokens) > 1:
        before, _ = by_referee(line, tokens[:-1])
        # Resume only at a question `?`: at others, an ability or a placement has already begun.
        if before.split()[2][1:2] == "?":
            return by_referee(before, tokens[-1:])
    table = ResumedTable(line)
    play = table.resume()
    question = next(play, None)
    for token in tokens:
        try:
            question = play.send(token)
        except StopIteration:
            question = None
    turn, answers = question or ("-", [])
    return table.position(turn), answers


class ResumedTable(Table):
    """The referee's table in the middle of a game."""

    def __init__(self, line: str) -> None:
        edition, round_, self.turn, queue, texts = line.split()
        players = []
        for text in texts.split(","):
            pool, *groups = text.lstrip("*").split(":")
            hand, aside, out = (list(group.strip("-")) for group in groups)
            players.append(Player(pool[0], hand, aside, int(pool[1:]), out))
        marks = [text.startswith("*") for text in texts.split(",")]
        super().__init__(int(edition), players, marks.index(True))
        self.round = int(round_)
        for stack in queue.split(",") if queue != "-" else ():
            cards = stack.split("/")
            self.queue.append(
                Stack([Card(c[0], c[1].upper(), c[1].isupper(), int(c[2:] or 0)) for c in cards])
            )

    def resume(self) -> Play:
        """Continue the game at the line's question; yield each question."""
        if self.turn.endswith("*"):
            yield from self.placement()
            self.place = 0
        else:
            self.place = index_of(self.turn[2:])
        while self.place < len(self.queue):
            card = self.queue[self.place].top
            yield from self.resolve(card)
            if self.in_queue(card):
                self.place += 1
        while self.round < ROUNDS:
            self.round += 1
            self.first = (self.first + 1) % len(self.players)
            yield from self.placement()
            yield from self.resolution()


def count(reach: Reach, line: str, depth: int) -> dict[str, object]:
    """Return the `sequences`, `positions` and `digest` of a position, as `perft.json` has them."""
    start: tuple[str, ...] = ()
    reached = [(start, *reach(line, start))]
    counts: list[tuple[int, int]] = []
    lines: set[str] = set()
    for _ in range(depth):
        sequences = [(*tokens, token) for tokens, _, answers in reached for token in answers]
        reached = [(tokens, *reach(line, tokens)) for tokens in sequences]
        lines = {there for _, there, _ in reached}
        counts.append((len(reached), len(lines)))
    return {
        "sequences": [number for number, _ in counts],
        "positions": [number for _, number in counts],
        "digest": sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16],
    }


def main() -> None:
    entries = [
        {"name": name, "line": line, **count(by_engine, line, depth)}
        for name, (depth, shorthand) in POSITIONS.items()
        for line in map(whole, in_editions(shorthand))
    ]
    DATA.write_text("[\n" + ",\n".join(map(json.dumps, entries)) + "\n]\n")


if __name__ == "__main__":
    main()
