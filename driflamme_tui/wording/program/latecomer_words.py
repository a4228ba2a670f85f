"""Describes how a latecomer gets a bot's seat in a running game, and the host's question."""

from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import all_of, family_name
from driflamme_tui.wording.program.kind_words import kind_words
from driflamme_tui.wording.program.table_setting import families_of
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import Lobby, SeatInfo, SeatWish


def bots_seats(lobby: Lobby) -> list[SeatInfo]:
    """Return the seats of bots that a spectator may get.

    Returns [] if no game is running, and at tables where latecomers only watch.
    """
    if lobby.phase != "playing" or lobby.settings.latecomers == "watch":
        return []
    return [seat for seat in lobby.seats if seat.bot is not None]


def player_of(family: FamilyLetter, lobby: Lobby) -> str:
    """Return the name of a family's player; the family's own name if no player has it."""
    seats = (seat.name for seat in lobby.seats if family in families_of(seat))
    return next(seats, family_name(family))


def wish_of(name: str, lobby: Lobby) -> SeatWish | None:
    """Return the wish of the spectator with this name; None if the spectator wants no seat."""
    return next((wish for wish in lobby.wishes if wish.name == name), None)


def only_watching_sentence(lobby: Lobby) -> str:
    """Return the reason why a spectator cannot get a seat now; "" if they can get a bot's."""
    if lobby.phase != "playing":
        return _("All seats are taken: you can watch until one is free.")
    if (kind := kind_words(lobby)) is not None:
        return kind.latecomers(lobby)
    if lobby.settings.latecomers == "watch":
        return _("At this table latecomers only watch a game that has begun.")
    if not bots_seats(lobby):
        return _("All seats belong to people, so you can watch this game.")
    return ""


def offer_sentence(seat: SeatInfo, lobby: Lobby) -> str:
    """Return the effect of taking a bot's seat, with the host's consent if that is needed."""
    families = all_of([family_name(family) for family in families_of(seat)])
    if lobby.settings.latecomers == "sit":
        return _(
            "You play {families} at once in place of {name}, with its cards and influence.",
            families=families,
            name=seat.name,
        )
    return _(
        "If {host} agrees, you play {families} in place of {name}, with its cards and influence."
        " Until then you watch.",
        host=lobby.host_name or _("the host"),
        families=families,
        name=seat.name,
    )


def waiting_sentence(wish: SeatWish, lobby: Lobby, again: str = "") -> str:
    """Return the sentence stating that the host decides about a wish.

    `again` is the key that shows the wish again; "" leaves the key out.
    """
    sentence = _(
        "{host} decides whether you get the seat of {name}. Until then you watch.",
        host=lobby.host_name or _("The host"),
        name=player_of(wish.family, lobby),
    )
    if not again:
        return sentence
    return f"{sentence} {_('{key} shows your request again.', key=again)}"


def wish_sentence(wish: SeatWish, lobby: Lobby) -> str:
    """Return the sentence stating that a spectator wants the seat of a bot."""
    return _(
        "{name} would like the seat of {bot}.", name=wish.name, bot=player_of(wish.family, lobby)
    )


def wish_note(wish: SeatWish, lobby: Lobby) -> str:
    """Return the note about a spectator's wish for the list of people."""
    return _("would like the seat of {bot}", bot=player_of(wish.family, lobby))


def question_sentence(wish: SeatWish, lobby: Lobby, glyphs: Glyphs) -> str:
    """Return the question to the host about a wish, with the keys that answer it."""
    keys = key(TableCommands.grant, glyphs), key(TableCommands.refuse, glyphs)
    answers = _("{yes} gives it, {no} refuses.", yes=keys[0], no=keys[1])
    return f"{wish_sentence(wish, lobby)} {answers}"


def typed_question_sentence(wish: SeatWish, lobby: Lobby) -> str:
    """Return the question to the host about a wish, for the line-by-line mode."""
    return f"{wish_sentence(wish, lobby)} {_('Type allow or refuse.')}"


def typed_offer_sentence(lobby: Lobby) -> str:
    """Return the way to a bot's seat for a spectator in the line-by-line mode.

    If the spectator cannot get a seat, return the reason.
    """
    if why := only_watching_sentence(lobby):
        return why
    bots = all_of([seat.name for seat in bots_seats(lobby)])
    if lobby.settings.latecomers == "sit":
        return _("Bots play here: {bots}. Type seat and a bot's name to take its seat.", bots=bots)
    return _(
        "Bots play here: {bots}. Type seat and a bot's name to ask the host for its seat.",
        bots=bots,
    )


def taken_seats(before: Lobby | None, lobby: Lobby) -> dict[str, str]:
    """Return the names of bots whose seats people have taken since an earlier lobby, by family.

    Returns {} unless both lobbies are of a running game.
    """
    if before is None or not before.phase == lobby.phase == "playing":
        return {}
    persons = {seat.family for seat in lobby.seats if seat.bot is None}
    return {
        seat.family: seat.name
        for seat in before.seats
        if seat.bot is not None and seat.family in persons
    }


def taken_sentence(name: str, former: str) -> str:
    """Return the sentence stating that a person has got the seat of a bot, for everybody else."""
    return _("{name} takes the seat of {former}.", name=name, former=former)


def seated_sentence(family: FamilyLetter, before: Lobby) -> str:
    """Return the sentence stating that the reader now plays for a bot; `before` is the last lobby.

    At a table for two the sentence names both families.
    """
    seats = (families_of(seat) for seat in before.seats if family in families_of(seat))
    return _(
        "You play {family} now, in place of {name}: its hand is yours.",
        family=all_of([family_name(each) for each in next(seats, (family,))]),
        name=player_of(family, before),
    )
