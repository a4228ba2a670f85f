"""Describes the evening at a table: number of games, victories, and the winner."""

from driflamme_tui.text.i18n import _, comma_list, ngettext
from driflamme_tui.wording.game.names import all_of
from netcode.protocol.evening import Evening, Standing
from netcode.protocol.messages import Lobby


def game_words(lobby: Lobby) -> str:
    """Return the number of the evening's present or last game.

    In an evening of a fixed length the text is `game 2 of 5`, and `game 1 of 5` also before the
    first game. In other evenings it is `game 2`, or "" until the second game begins.
    """
    games, best_of = lobby.evening.games, lobby.settings.best_of
    number = games + (lobby.phase == "playing")
    if best_of:
        return _("game {n} of {most}", n=max(1, number), most=best_of)
    return _("game {n}", n=number) if number > 1 else ""


def evening_words(evening: Evening) -> str:
    """Return everybody's victories of the evening, the most first: `Rosalind 2, Blaise 1`."""
    return comma_list(f"{each.name} {each.wins}" for each in evening.standings)


def again_words(lobby: Lobby) -> str:
    """Return a sentence with the players who want another game or evening.

    Returns "" if all people who are present want it, or none of them does.
    """
    people = [seat for seat in lobby.seats if seat.bot is None and seat.present]
    ready = [seat.name for seat in people if seat.ready]
    waiting = len(people) - len(ready)
    if not ready or not waiting:
        return ""
    if evening_headline(lobby):
        sentence = ngettext(
            "{names} would like another evening; {n} person has not answered yet.",
            "{names} would like another evening; {n} people have not answered yet.",
            waiting,
            names=all_of(ready),
        )
    else:
        sentence = ngettext(
            "{names} would like another game; {n} person has not answered yet.",
            "{names} would like another game; {n} people have not answered yet.",
            waiting,
            names=all_of(ready),
        )
    return sentence


def start_words(seconds: int, key: str) -> str:
    """Return the countdown to a game. If a key stops it, name the key."""
    if not key:
        return _("The game begins in {n}.", n=seconds)
    return _("The game begins in {n}: {key} stops it.", n=seconds, key=key)


def evening_headline(lobby: Lobby) -> str:
    """Return the winner of the evening, with the tie-break if it decided, or all who share it.

    Returns "" until the evening is decided.
    """
    evening = lobby.evening
    if not evening.is_decided(lobby.settings.best_of):
        return ""
    leaders, (first, second) = evening.leaders, (*evening.standings, Standing(""))[:2]
    if leaders[1:]:
        return _("{names} share the evening", names=all_of([each.name for each in leaders]))
    won = _("{name} wins the evening", name=first.name)
    if first.wins > second.wins or first.influence == second.influence:
        return won
    return _("{won} by influence, {n} to {m}", won=won, n=first.influence, m=second.influence)


def victories_sentence(lobby: Lobby) -> str:
    """Return everybody's victories; "" until the second game has ended.

    In an evening with a fixed length, there is a sentence after the first game too.
    """
    evening = lobby.evening
    if evening.games < 1 + (not lobby.settings.best_of):
        return ""
    return ngettext(
        "Victories after {n} game: {standings}.",
        "Victories after {n} games: {standings}.",
        evening.games,
        standings=evening_words(evening),
    )


def evening_sentence(lobby: Lobby) -> str:
    """Return the winner of the evening with everybody's victories.

    Until the evening is decided, return the same as `victories_sentence`.
    """
    won = evening_headline(lobby)
    if not won:
        return victories_sentence(lobby)
    return _("{won}: {standings}.", won=won, standings=evening_words(lobby.evening))
