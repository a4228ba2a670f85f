"""What the host decides about a table, in words."""

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.bot_names import bot_note
from driflamme_tui.wording.game.names import family_name
from engine.cards import MAXIMUM_PLAYERS
from engine.ranking import PLAYERS_OF_TWO
from netcode.protocol.fields import FAMILY_LETTERS, FamilyLetter
from netcode.protocol.messages import Lobby, SeatInfo


def edition_note(edition: int) -> tuple[str, str]:
    """Return what is different in an edition, in two short sentences."""
    if edition == 2:
        return (
            _("A Lord counts top cards only."),
            _("Your own Ambush spares you."),
        )
    return (
        _("A Lord counts whole stacks."),
        _("Your own Ambush strikes back: +1."),
    )


def first_name(lobby: Lobby) -> str:
    """Return who is to be the first player."""
    first = lobby.settings.first
    if first == "random":
        return _("random")
    seat = next((seat for seat in lobby.seats if first in families_of(seat)), None)
    # Of two families of one player it matters which of them begins.
    return seat.name if seat and seat.second is None else family_name(first)


def sealed_sentence(*, sealed: bool) -> str:
    """Return what it means that a table is sealed, or is not."""
    if sealed:
        return _("No machine knows another's cards; the deal and every move are proven.")
    return _("The host's machine deals, and could look: play with a host you trust.")


def families_of(seat: SeatInfo) -> list[FamilyLetter]:
    """Return the families of a seat: at a table for two it has two."""
    return [family for family in (seat.family, seat.second) if family is not None]


def most_seats(lobby: Lobby) -> int:
    """Return how many seats there may be."""
    return PLAYERS_OF_TWO if lobby.settings.two else MAXIMUM_PLAYERS


def free_families(lobby: Lobby) -> list[FamilyLetter]:
    """Return the families that the reader could take.

    Who watches can take none if all seats are taken, or while a start is counted, which that stops.
    """
    full = len(lobby.seats) >= most_seats(lobby)
    if lobby.you is None and (full or lobby.count_s is not None):
        return []
    taken = {family for seat in lobby.seats for family in families_of(seat)}
    return [family for family in FAMILY_LETTERS if family not in taken]


def explained(lobby: Lobby, what: Command, bot: str) -> str:
    """Return what a setting means as it is now, in one or two sentences.

    Args:
        lobby: What the host has chosen.
        what: A setting by its command, or `LobbyCommands.bot_kind`.
        bot: The kind of bot that is explained.
    """
    settings = lobby.settings
    if what == LobbyCommands.first:
        if settings.first == "random":
            return _("Chance decides who begins the next game; in rematches it is each in turn.")
        return _("{name} begins the next game; in rematches it is each in turn.").format(
            name=first_name(lobby)
        )
    if what == LobbyCommands.direction:
        if settings.direction == "right":
            return _("Every screen shows the Queue with its first card on the left.")
        return _("Every screen shows the Queue with its first card on the right.")
    if what == LobbyCommands.pace:
        if not settings.pace_ms:
            return _("Bots answer at once.")
        return _("A bot waits so long before it answers, so that people can follow.")
    if what == LobbyCommands.two:
        if settings.two:
            return _("Two players, a variant: each plays two families and wins by their sum.")
        return _("Three to five players, each with a family of their own.")
    if what == LobbyCommands.best:
        if not settings.best_of:
            return _("Each game counts for the evening, as long as you like to play.")
        return _("The evening is decided once nobody can catch up any more in {n} games.").format(
            n=settings.best_of
        )
    if what == LobbyCommands.sealed:
        return sealed_sentence(sealed=settings.sealed)
    if what == LobbyCommands.think:
        return _("Master thinks about a decision for so long, Sharp for a fifth of it.")
    if what == LobbyCommands.bot_kind:
        return bot_note(bot)
    if what == LobbyCommands.clock:
        if not settings.clock_s:
            return _("Everybody may think for as long as they like.")
        return _("Out of time, a bot decides.")
    return " ".join(edition_note(settings.edition))
