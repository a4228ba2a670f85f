"""Makes the past game of a player who leaves early, from the part that the player saw."""

from itertools import starmap

from engine.notation import format_position
from engine.record import RecordedPlayer
from netcode.client.session import Session
from netcode.table.finished_game import Exit, LeftGame, PastGame, PastHolder, PastPlayer


def left_game(session: Session, exit: Exit, began: int | None, at: int) -> LeftGame | None:
    """Return the game that a player leaves now; None if the player is in no game.

    `began` and `at` are Unix times. Also returns None if the game is over, has no decision yet, or
    has a seat whose holder was not seen.
    """
    seen, lobby = session.view, session.lobby
    if seen is None or seen.over or lobby is None or not (session.player_seats and session.step):
        return None
    if not all(family in session.holders for family in seen.families):
        return None
    players = tuple(
        _past_player(session.holders[family], score)
        for family, score in zip(seen.families, seen.pools, strict=True)
    )
    past = PastGame(
        began=began,
        ended=at,
        outcome=exit,
        edition=seen.edition.number,
        players=players,
        own=session.player_seats,
        decisions=session.step,
        rounds=seen.round,
        origin="joined",
        two=lobby.settings.two,
        best_of=lobby.settings.best_of,
    )
    aside = tuple(seen.aside[seat] for seat in session.player_seats)
    return LeftGame(past, format_position(seen), aside, tuple(session.events))


def _past_player(player: RecordedPlayer, score: int) -> PastPlayer:
    former = tuple(starmap(PastHolder, player.former))
    step, after_s = player.step, player.after_s
    return PastPlayer(player.family, player.name, player.bot, score, None, step, after_s, former)
