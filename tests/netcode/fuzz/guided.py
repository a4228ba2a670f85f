"""A fuzzer that is guided by coverage, as a program: atheris on the codec and on a whole server.

    guided.py TARGET CORPUS [-atheris_runs=N] [-seed=N] ...

TARGET is `from_client` or `from_host` (the codec), `session` (a client's state
machine, fed by a host) or a role of `arena.py`. CORPUS is a folder to which the frames of real
conversations are put to begin with. All else is libFuzzer's. It ends with an error as soon as
anything but a typed error comes out of a target.
"""

import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final

import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]

with atheris.instrument_imports(include=["netcode"]):
    from tests.netcode.fuzz.arena import ROLES, Arena
    from tests.netcode.fuzz.frames import conversations, mutated, random_mutations
    from tests.netcode.fuzz.judges import judge_client, judge_host, judge_session

FRAMES_PER_ARENA: Final = 1000
"""After which the game is played to its end, and another one begun."""


def attack(role: str) -> Callable[[bytes], None]:
    """Return what sends frames to a server, to one after the other."""
    arenas = [Arena(role, 0)]  # type: ignore[arg-type]
    count = 0

    def send(frame: bytes) -> None:
        nonlocal count
        count += 1
        if count % FRAMES_PER_ARENA == 0:
            arenas.pop().settle()
            arenas.append(Arena(role, count))  # type: ignore[arg-type]
        arenas[0].attack(frame)

    return send


def main() -> None:
    """Fuzz what the command line says."""
    _, target, corpus, *options = sys.argv
    clients, hosts = conversations()
    frames = hosts if target in ("from_host", "session") else clients
    for frame in frames:
        (Path(corpus) / sha256(frame).hexdigest()[:16]).write_bytes(frame)
    judges = {"from_client": judge_client, "from_host": judge_host, "session": judge_session}
    judge = attack(target) if target in ROLES else judges[target]

    def mutate(frame: bytes, most: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < 0.5:
            return mutated(frame, random_mutations(rng), frames)[:most]
        return atheris.Mutate(frame, most)  # type: ignore[no-any-return]

    atheris.Setup([sys.argv[0], corpus, *options], judge, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
