"""Trains generations of bots: self-play, fitting, and a test of the new generation.

A run begins with bots without weights. Its folder contains all games and all deals of the tests
(`run.jsonl`). Each generation has a file (`1.json`) with its weights, their losses and its results.
A run that was interrupted continues without repeating finished work.
"""

import json
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, ArgumentTypeError, Namespace
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.arena.contest import SIZES, Budget, Contest, DealResult
from engine.arena.pool import Result, Task, play_all
from engine.arena.results import Results, digest, open_results, read_deal, write_deal
from engine.arena.summary import Strength, summarize
from engine.bots import make_bot
from engine.bots.master_bot import Grandmaster, Master
from engine.bots.sharp_bot import Sharp
from engine.bots.steady_bot import Steady
from engine.edition import EDITIONS
from engine.record import Record
from engine.training.fitting import fit
from engine.training.self_play import SelfPlay

BUFFER: Final = 3
"""Number of latest generations whose games are used for fitting."""

UNTAUGHT: Final = (Steady.name, Sharp.name)
"""Bots without weights. They belong to every league, unless `--exploit` names one bot to beat."""


def main(arguments: list[str] | None = None) -> int:
    """Train with the options of the command line; return the exit status."""
    parser = ArgumentParser(
        prog="scripts/train",
        description="Train grandmaster: self-play, what is learned from it, whether that wins.",
        epilog="example: scripts/train run --generations 3 --games 3000",
        allow_abbrev=False,
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    number = _at_least(1)
    parser.add_argument("run", type=Path, help="the folder of the run, which goes on where it was")
    parser.add_argument("--generations", type=number, default=3, help="how many there are to be")
    some = _at_least(10)
    parser.add_argument("--games", type=some, default=3000, help="of self-play, each generation")
    parser.add_argument("--gate", type=number, default=200, help="games against each of the league")
    parser.add_argument("--iterations", type=number, default=400, help="for a decision")
    parser.add_argument("--seed", type=int, default=1, help="the same one gives the same games")
    parser.add_argument("--workers", type=number, default=1, help="processes that play")
    parser.add_argument("--ray", metavar="ADDRESS", default="", help="play on a Ray cluster")
    parser.add_argument("--exploit", metavar="BOT", default="", help="learn to beat this bot alone")
    options = parser.parse_args(arguments)
    try:
        make_bot(options.exploit or Grandmaster.name, Random(0))
        _train(options)
    except KeyboardInterrupt:
        print("Stopped early; the same command resumes from here.", file=sys.stderr)
        return 130
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _at_least(least: int) -> Any:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise ArgumentTypeError(f"{text} is not a number from {least} on")
        return int(text)

    return number


def _train(options: Namespace) -> None:
    run: Path = options.run
    run.mkdir(parents=True, exist_ok=True)
    # The options that determine the content of this file.
    arguments = ("games", "gate", "iterations", "seed", "exploit")
    about = {name: getattr(options, name) for name in arguments}
    about["training"] = digest(Path(__file__).parent)
    accepted: list[int] = []
    with open_results(run / "run.jsonl", about, partial(_read, options)) as file:
        games = {number: each for number, each in file.found if isinstance(each, Record)}
        for generation in range(1, options.generations + 1):
            league = _league(options, accepted)
            learned = run / f"{generation}.json"
            if not learned.exists():
                _write(learned, _learn(options, generation, league, file, games))
            strengths = _judge(options, generation, league, file)
            gate = [
                f"{each.players} players, edition {each.edition}, {each.against}: {each.share:.3f} "
                f"({each.low:.3f} to {each.high:.3f}), par {each.par:.2f}, {each.games} games"
                for each in strengths
            ]
            wins_it = wins(strengths)
            about_it = json.loads(learned.read_text(encoding="utf-8"))
            _write(learned, {**about_it, "gate": gate, "accepted": wins_it})
            print(f"generation {generation}, accepted: {wins_it}", *gate, sep="\n  ")
            if wins_it:
                accepted.append(generation)


def _read(options: Namespace, value: Any) -> tuple[int, Record | DealResult]:
    """Parse a line of `run.jsonl`: a numbered game, or a test deal."""
    number, found = value
    if isinstance(found, str):
        return int(number), Record.from_json(found)
    return int(number), read_deal(options.seed, Budget(options.iterations), found)


def wins(strengths: Iterable[Strength]) -> bool:
    """Return True if the new bot beat the first bot in `strengths`, and lost to no other bot.

    The first bot is the last accepted generation; before the first one, it is a bot without
    weights. The new bot beats a bot if it wins more than par. It loses to a bot if it wins less
    than par by more than chance explains, over tables of all sizes and both editions. A bot that is
    equally strong is accepted half of the time.
    """
    against: dict[str, list[Strength]] = {}
    for each in strengths:
        against.setdefault(each.against, []).append(each)
    leads = []
    for rows in against.values():
        games = sum(each.games for each in rows)
        lead = sum(each.games * (each.share - each.par) for each in rows) / games
        # Both editions use the same deals. Count a deal once for both, to be safe.
        of_size: dict[int, float] = defaultdict(float)
        for each in rows:
            of_size[each.players] += each.games * (each.high - each.low) / 2
        spread = sqrt(sum(each**2 for each in of_size.values())) / games
        leads.append((lead, lead + spread))
    return leads[0][0] > 0 and all(at_most > 0 for _, at_most in leads)


def _league(options: Namespace, accepted: list[int]) -> tuple[str, ...]:
    """Return the bots that play with a new generation and test it; the latest bot comes last."""
    found = [options.exploit] if options.exploit else [*UNTAUGHT]
    names = [f"@{options.run}/{each}.json" for each in accepted]
    if not options.exploit:
        found += [Master.name + name for name in names[:1]]
    return (*found, *(Grandmaster.name + name for name in names))


def _learn(
    options: Namespace,
    generation: int,
    league: tuple[str, ...],
    file: Results[Any],
    games: dict[int, Record],
) -> dict[str, Any]:
    """Play the games of a generation, and return the weights from the latest games."""
    last = options.games * generation
    missing = [
        SelfPlay(number, options.seed, league, options.iterations, options.exploit).play
        for number in range(last - options.games, last)
        if number not in games
    ]
    for number, record in _played(options, missing, f"generation {generation}, games"):
        file.add((number, record))
        games[number] = Record.from_json(record)
    learned_from = range(max(0, last - BUFFER * options.games), last)
    learned, losses = fit({number: games[number] for number in learned_from})
    about = {
        "command": f"scripts/train FOLDER --generations {generation} --games {options.games} "
        f"--gate {options.gate} --iterations {options.iterations} --seed {options.seed}"
        + (f" --exploit {options.exploit}" if options.exploit else ""),
        "games": len(learned_from),
        "losses": losses,
    }
    return {**learned, **about}


def _judge(
    options: Namespace, generation: int, league: tuple[str, ...], file: Results[Any]
) -> tuple[Strength, ...]:
    """Let a generation play one seat against tables of each bot of the league, the latest first.

    With the option `--exploit`, it plays only against the exploited bot. Returns the strengths of
    the generation.
    """
    alone = f"{Grandmaster.name}@{options.run}/{generation}.json"
    pool = league[:1] if options.exploit else league[::-1]
    pairs = tuple((alone, each) for each in pool)
    budget = Budget(options.iterations)
    games = -(-options.gate // (len(SIZES) * len(EDITIONS)))
    contest = Contest(
        (alone, *pool), games, tuple(SIZES), tuple(EDITIONS), options.seed, pairs, budget
    )
    finished = [
        each for judged, each in file.found if judged == generation and isinstance(each, DealResult)
    ]
    tasks = [job.play for job in contest.missing(finished)]
    for result in _played(options, tasks, f"generation {generation}, deals of its gate"):
        file.add((generation, write_deal(result)))
        finished.append(result)
    return summarize(contest, finished).strengths


def _played(options: Namespace, tasks: Sequence[Task[Result]], what: str) -> Iterator[Result]:
    """Yield the results of tasks, and print the progress after each tenth of all tasks."""
    for number, result in enumerate(play_all(tasks, options.workers, options.ray), 1):
        yield result
        if number * 10 // len(tasks) > (number - 1) * 10 // len(tasks):
            print(f"{what}: {number} of {len(tasks)}", file=sys.stderr)


def _write(path: Path, learned: dict[str, Any]) -> None:
    """Write JSON atomically, with one row on each line so that diffs are readable."""
    text = json.dumps(learned, ensure_ascii=False, separators=(",", ":")).replace("},", "},\n")
    part = path.with_suffix(".part")
    part.write_text(text + "\n", encoding="utf-8")
    part.replace(path)


if __name__ == "__main__":
    sys.exit(main())
