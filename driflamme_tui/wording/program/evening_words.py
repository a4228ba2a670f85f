"""The evening at a table in words: how many games there were, who won how many, and who won it."""

from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.wording.game.names import all_of
from netcode.protocol.evening import Evening
from netcode.protocol.messages import Lobby


def game_words(lobby: Lobby) -> str:
    """Return which game of the evening this is, "" if there has been no other."""
    games, best_of = lobby.evening.games, lobby.settings.best_of
    number = games + (lobby.phase == "playing")
    if best_of:
        return _("game {n} of {most}").format(n=max(1, number), most=best_of)
    return _("game {n}").format(n=number) if number > 1 else ""


def evening_words(evening: Evening) -> str:
    """Return everybody's victories of the evening, the most first: `Rosalind 2, Blaise 1`."""
    return ", ".join(f"{each.name} {each.wins}" for each in evening.standings)


def again_words(lobby: Lobby) -> str:
    """Return who would like another game, "" if nobody has said so."""
    people = [seat for seat in lobby.seats if seat.bot is None and seat.present]
    ready = [seat.name for seat in people if seat.ready]
    if not ready:
        return ""
    waiting = len(people) - len(ready)
    return ngettext(
        "{names} would like another game; {n} person has not said so yet.",
        "{names} would like another game; {n} people have not said so yet.",
        waiting,
    ).format(names=", ".join(ready), n=waiting)


def start_words(seconds: int, key: str) -> str:
    """Return that a game begins in so many seconds, and by which key that is stopped."""
    return _("The game begins in {n}: {key} stops it.").format(n=seconds, key=key)


def evening_sentence(lobby: Lobby) -> str:
    """Return how the evening stands, or who has won it; "" while one game is all of it."""
    evening = lobby.evening
    if evening.games < 1 + (not lobby.settings.best_of):
        return ""
    if evening.is_decided(lobby.settings.best_of):
        names = [each.name for each in evening.leaders]
        if len(names) == 1:
            return _("{name} wins the evening: {standings}.").format(
                name=names[0], standings=evening_words(evening)
            )
        return _("{names} share the evening: {standings}.").format(
            names=all_of(names), standings=evening_words(evening)
        )
    return ngettext(
        "Victories after {n} game: {standings}.",
        "Victories after {n} games: {standings}.",
        evening.games,
    ).format(n=evening.games, standings=evening_words(evening))
