"""Past games for tests: some evenings in the history of the test's user."""

from collections.abc import Sequence
from datetime import datetime

from engine.arena.contest import Series, play_game
from engine.record import Record, RecordedPlayer
from netcode.storage.history import History

BLAISE = "Blaise"
"""The user whose history has the games."""


def record_of_bots(
    number: int,
    names: Sequence[str],
    ended: str | None,
    *,
    bots: str = "",
    actions: int | None = None,
    edition: int = 2,
) -> Record:
    """Return the record of a game between bots, under these players' names.

    Args:
        number: The number of the game; equal numbers give equal games.
        names: The players' names, in seat order.
        ended: The local time of the end, such as 2026-01-31 21:15; None if it is unknown.
        bots: The names of the players who were bots, separated by spaces.
        actions: The number of recorded actions; None for all.
        edition: The number of the edition of the rules.
    """
    series = Series(number + 1, len(names), edition, 1, ("steady",) * len(names))
    played = play_game(series, number)
    players = tuple(
        RecordedPlayer(family, name, "steady" if name in bots.split() else None)
        for family, name in zip(played.deal.families, names, strict=True)
    )
    at = None if ended is None else int(datetime.fromisoformat(ended).timestamp())
    tokens = tuple(map(str, played.actions[:actions]))
    return Record(played.deal, tokens, {}, players, at and at - 1800, at)


EVENINGS = (
    record_of_bots(1, ("Blaise", "Rosalind", "Gaspard"), "2026-01-03 21:15"),
    record_of_bots(2, ("Rosalind", "Blaise", "Yvette", "Vasco"), "2026-01-31 23:59"),
    record_of_bots(3, ("Gaspard", "Zoe", "Blaise"), "2026-02-01 00:00", edition=1),
    record_of_bots(
        4, ("Blaise", "Steady", "Random", "Third"), "2026-02-14 20:00", bots="Steady Random Third"
    ),
    record_of_bots(
        5,
        ("Wolfram Eschenbacher", "漢字名前漢字名前漢字", "Blaise", "Maximiliane Sturmhub", "Bo"),
        "2026-02-28 22:30",
    ),
    record_of_bots(6, ("Blaise", "Rosalind", "Zoe"), "2026-03-01 19:00", actions=20),
    record_of_bots(7, ("Rosalind", "Gaspard", "Zoe"), "2026-03-02 19:00"),
)
"""The games, oldest first. Blaise was only a spectator of the last one."""


def keep_evenings(evenings: Sequence[Record] = EVENINGS) -> list[int]:
    """Store games in the history of the test's user; return their numbers.

    A game of 20 actions is stored as abandoned.
    """
    with History.open() as history:
        return [
            history.add(
                record,
                [seat for seat, player in enumerate(record.players) if player.name == BLAISE],
                "abandoned" if len(record.actions) == 20 else "finished",
                "own",
            )
            for record in evenings
        ]
