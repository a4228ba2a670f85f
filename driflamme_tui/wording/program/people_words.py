"""Describes the presence, absence and leaving of people, and the effects on the game."""

from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import Struct
from rich.cells import cell_len

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import PeopleCommands, SessionCommands
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.text.i18n import _, ngettext, pgettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import (
    bot_name,
    bot_name_within,
    edition_name,
    naming,
    short_bot_name,
)
from driflamme_tui.wording.program.evening_words import game_words
from driflamme_tui.wording.program.kind_words import kind_words
from driflamme_tui.wording.program.table_setting import families_of
from engine.cards import Family
from engine.texts import Text
from netcode.client.session import Session
from netcode.protocol.fields import PhraseName
from netcode.protocol.messages import Away, Line, Lobby, Reason, SeatInfo
from netcode.protocol.refusal_sentences import refusal_sentence
from netcode.table.people.absence import AWAY_GRACE_S


class Absence(Struct, frozen=True):
    """The texts about a player who does not answer, one for each place where they are shown."""

    seat: Text
    """The text in the player's seat if it fits; "" if `small_seat` is enough."""
    small_seat: Annotated[Text, "seat in 5 columns"]
    sentence: Text
    """A sentence for the prompt, and for the line-by-line mode."""
    note: Text
    """A note in the list of people."""


_ABSENCES: Final = {
    "grace": Absence(
        "away, bot soon",
        "away",
        "{name} is away: a bot answers after {seconds} s, unless they are back.",
        "away; a bot takes over after {seconds} s",
    ),
    "wait": Absence(
        "away, waiting",
        "wait",
        "{name} is away: everybody waits for them, as the host decided.",
        "away; everybody waits for them",
    ),
    "silent": Absence(
        "bot plays",
        "bot",
        "{name} has not answered in time: a bot answers until they take their seat back.",
        "no answer in time; a bot plays for them",
    ),
    "bot": Absence(
        "away, bot",
        "bot",
        "{name} is away: a bot answers for them until they are back.",
        "away; a bot plays for them",
    ),
    "gone": Absence("", "away", "{name} is away.", "away"),
}
"""The texts for each reason why a player does not answer."""


def _absence(present: bool, away: Away, *, has_stand_ins: bool = True) -> Absence | None:
    """Return the texts about a player who is absent or silent; None for any other player.

    Without stand-ins no bot answers for a player, so only an absent player has texts.
    """
    if away == "no" or not has_stand_ins:
        return None if present else _ABSENCES["gone"]
    return _ABSENCES["silent" if away == "bot" and present else away]


def levels_of(seats: Iterable[SeatInfo], families: str) -> list[str]:
    """Return the level of each family's bot; "" for a person."""
    levels = {
        str(family): short_bot_name(seat.bot)
        for seat in seats
        for family in families_of(seat)
        if seat.bot is not None
    }
    return [levels.get(each, "") for each in families]


def status_words(
    bot: str | None, away: Away, space: int, glyphs: Glyphs, *, is_present: bool
) -> str:
    """Return the level of a bot or the reason of an absence, in the longest form that fits.

    If the reason does not fit, return its shortest form. Returns "" for a person who is present and
    answers. `space` is the number of cells, and `is_present` is False for a lost connection.
    """
    if bot is not None:
        return bot_name_within(bot, space)
    absence_text = _absence(is_present, away)
    if absence_text is None:
        return ""
    long = absence_text.seat and f"{glyphs.away}{_(absence_text.seat)}"
    if long and cell_len(long) <= space:
        return long
    return f"{glyphs.away}{pgettext('seat in 5 columns', absence_text.small_seat)}"


def has_stand_ins(lobby: Lobby) -> bool:
    """Return True if bots answer for absent players. In a wing's kind of game they do not."""
    return lobby.settings.kind is None


def absence(name: str, away: Away, *, is_present: bool, has_stand_ins: bool = True) -> str:
    """Return the effect of the asked player's absence or silence; "" if neither delays the game.

    Without stand-ins, return only a sentence about an absent player, or "" for a present one.
    """
    if not has_stand_ins:
        return "" if is_present else _("{name} is away.", name=name)
    absence_text = _absence(is_present, away)
    return (
        ""
        if absence_text is None
        else _(absence_text.sentence, name=name, seconds=round(AWAY_GRACE_S))
    )


def refused_in_game(reason: Reason, lobby: Lobby | None, glyphs: Glyphs | None) -> str:
    """Return the reason for a refusal, with players by name and, if there are glyphs, by sign."""
    players: dict[Family, str] = {}
    for seat in () if lobby is None or lobby.phase == "lobby" else lobby.seats:
        for family in families_of(seat):
            players[family] = f"{glyphs.tag(family)} {seat.name}" if glyphs else seat.name
    return refusal_sentence(reason, naming(players))


def guessing_sentence(wrong: int, glyphs: Glyphs | None) -> str:
    """Return a warning to the host that somebody guesses the code, with the way to a new code.

    Without glyphs it is for the line-by-line mode.
    """
    sentence = ngettext(
        "Somebody is guessing the table's code ({n} wrong guess).",
        "Somebody is guessing the table's code ({n} wrong guesses).",
        wrong,
    )
    if glyphs is None:
        advice = _("Type new code to make a new one; links stay as they are.")
    else:
        advice = _(
            "Press {key} to make a new one; links stay as they are.",
            key=key(SessionCommands.new_code, glyphs),
        )
    return f"{sentence} {advice}"


def contradiction_sentence(session: Session) -> str:
    """Return a warning that the host's record contradicts the seen game; "" if it does not."""
    if not session.is_contradicted:
        return ""
    if session.record is None:
        return _(
            "The host's record of this game contradicts what this program saw. The game cannot be "
            "kept in your history."
        )
    return _(
        "The host's record of this game contradicts what this program saw. Your history keeps what "
        "it saw."
    )


def notes(seat: SeatInfo, lobby: Lobby) -> list[str]:
    """Return all notes about a seat for the list of people."""
    words = [_("you")] if seat.family == lobby.you else []
    if seat.host:
        words.append(_("host"))
    if seat.bot is not None:
        words.append(_("bot: {bot}", bot=bot_name(seat.bot)))
        if (kind := kind_words(lobby)) is not None:
            words.append(kind.bot_note(lobby))
    elif absence_text := _absence(seat.present, seat.away, has_stand_ins=has_stand_ins(lobby)):
        lobby_only = seat.away == "grace" and lobby.phase != "playing"
        note = _ABSENCES["gone"].note if lobby_only else absence_text.note
        words.append(_(note, seconds=round(AWAY_GRACE_S)))
    if seat.name in lobby.muted:
        words.append(_("muted"))
    return words


def sure_words(command: Command, name: str, lobby: Lobby) -> tuple[str, str]:
    """Return the question before an irreversible action of the host, and the action's effect.

    `name` is the person to remove; other actions ignore it.
    """
    if command == PeopleCommands.end:
        return (
            _("End this game for everybody?"),
            _("It stays unfinished in your history, and everybody goes back to the lobby."),
        )
    if command == PeopleCommands.new_invitation:
        return (
            _("Make a new invitation, with a new code?"),
            _(
                "The old ones no longer let anybody in. Those who have a seat keep it and can "
                "come back to it."
            ),
        )
    question = _("Remove {name}?", name=name)
    after = _("The invitation would let them back in, until you make a new one.")
    if lobby.phase != "lobby":
        after = _("They could watch with the invitation, until you make a new one.")
        if any(seat.name == name for seat in lobby.seats) and has_stand_ins(lobby):
            question = _("Remove {name}, and give the seat to a bot for good?", name=name)
    return question, after


def ended_sentence(name: str) -> str:
    """Return the sentence in the lobby about the person who has ended the last game."""
    return _("{name} has ended the game: it stays unfinished.", name=name)


def silenced_sentence(lobby: Lobby, name: str) -> str:
    """Return the reason why a person cannot write in the chat; "" if they can."""
    if name in lobby.muted:
        return _("The host has muted you: you can read the chat, but not write.")
    if lobby.silenced and lobby.you is None and not lobby.host:
        return _("The host lets only players write: you can read the chat.")
    return ""


def paused_title(*, is_host: bool) -> str:
    """Return the title over the table during a pause. `is_host` is about the reader."""
    return _("PAUSED, BY YOU") if is_host else _("PAUSED BY THE HOST")


def paused_sentence(*, is_host: bool, by_lines: bool = False) -> str:
    """Return the reason why nobody can answer during a pause, and how the pause ends.

    `is_host` is True if the reader is the host. `by_lines` is True for the line-by-line mode.
    """
    if is_host and by_lines:
        return _("You have paused the game: nothing can be answered until you type resume.")
    if is_host:
        return _(
            "You have paused the game: nothing can be answered until you press {key}.",
            key=key(TableCommands.pause),
        )
    return _("The host has paused the game: nothing can be answered until they resume it.")


def decided_sentence(*, was_lost: bool, has_clock: bool) -> str:
    """Return the sentence stating that a bot has decided for the reader, with the reason.

    The reason is a lost connection, or a clock that ran out, or a missing answer.
    """
    if was_lost:
        return _("A bot has decided for you: your connection was lost.")
    if has_clock:
        return _("A bot has decided for you: your time was up.")
    return _("A bot has decided for you: you had not answered.")


def stood_in_title() -> str:
    """Return the title for a present player whose seat is played by a bot."""
    return _("A BOT PLAYS FOR YOU, as you have not answered in time")


def stood_in_sentence(*, is_taking_back: bool) -> str:
    """Return the sentence about taking a seat back from a bot.

    With `is_taking_back`, the sentence is that the request is under way.
    """
    if is_taking_back:
        return _("Taking your seat back…")
    return _("Any key that chooses or confirms takes your seat back; so does a click here.")


def table_heading(lobby: Lobby | None) -> list[str]:
    """Return the texts at the right of the table's header, most important first.

    Returns [] before the first lobby.
    """
    if lobby is None:
        return []
    parts = [each for each in (game_words(lobby), edition_name(lobby.settings.edition)) if each]
    if lobby.spectators:
        watching = len(lobby.spectators)
        parts.append(ngettext("{n} spectator", "{n} spectators", watching))
    return parts


def is_private(lobby: Lobby | None) -> bool:
    """Return True if the reader hosts a table without an invitation, against bots only."""
    if lobby is None or lobby.invitation or lobby.code:
        return False
    return lobby.host and sum(seat.bot is None for seat in lobby.seats) == 1


def leaving_meaning(lobby: Lobby | None, *, owned: bool, seated: bool, kept: str = "") -> str:
    """Return the effect of leaving a table; "" if it changes nothing for anybody.

    Args:
        lobby: The table's lobby; None if it is not known.
        owned: True if this program hosts the table.
        seated: True if the leaving person has a seat there.
        kept: The effect of leaving where a player keeps the seat; "" at other tables.
    """
    if lobby is None:
        return ""
    playing, kind = lobby.phase == "playing", kind_words(lobby)
    others = _has_others(lobby)
    if owned and others:
        if playing and kind is not None and (sentence := kind.host_leaves(lobby)):
            return sentence
        if playing:
            return _(
                "You are the host: the table closes for now. Your guests wait, and are "
                "reconnected once driflamme host --resume reopens it."
            )
        return _("You are the host: the table closes for good, for everybody.")
    if not (playing and seated):
        return ""
    if is_private(lobby):
        return _("The game is kept: driflamme play, or the start screen, resumes it.")
    if owned:
        return _("The game stops here, until driflamme host --resume reopens the table.")
    if kind is not None:
        return kind.player_leaves(lobby)
    if kept:
        return kept
    if not others:
        return _("Nobody else plays here: the game ends when you leave.")
    return _("The game continues, and a bot plays for you.")


def leaving_sentence(lobby: Lobby | None, *, owned: bool, seated: bool, kept: str = "") -> str:
    """Return the effect of leaving a table, and the question whether to leave.

    Returns "" after a finished game without other people, where nobody loses anything.
    `leaving_meaning` explains the arguments.
    """
    meaning = leaving_meaning(lobby, owned=owned, seated=seated, kept=kept)
    if not meaning and lobby is not None and lobby.phase == "result" and not _has_others(lobby):
        return ""
    return f"{meaning} {_('Leave the table?')}".strip()


def _has_others(lobby: Lobby) -> bool:
    """Return True if more than one person has a seat."""
    return sum(seat.bot is None for seat in lobby.seats) > 1


PHRASES: Final[dict[PhraseName, Text]] = {
    "bluff": "You are bluffing!",
    "trap": "That smells like an Ambush.",
    "dare": "Go on, strike it!",
    "nothing": "Nothing to see here.",
    "touch": "I would not touch that.",
    "lucky": "How lucky!",
    "clever": "Well played!",
    "revenge": "I will remember that.",
    "hurry": "Somebody is thinking hard.",
    "thanks": "Thank you all!",
}
"""The phrases by their names on the wire, in the order of their keys."""

PAUSE: Final[PhraseName] = "pause"
"""The phrase that asks the host for a pause. It has a command of its own, and no key here."""

PHRASE_KEYS: Final = "1234567890"
"""The keys of the phrases, in the order of `PHRASES`."""


def chat_text(line: Line) -> str:
    """Return the text of a line of chat."""
    if line.phrase == PAUSE:
        return _("May we have a pause?")
    return line.text if line.phrase is None else _(PHRASES[line.phrase])


def pause_wish(lines: Iterable[Line], session: Session) -> str:
    """Return the name of a player who asks this host for a pause of the running game.

    Returns "" for none.

    Several lines at once are ignored: a host receives earlier lines again after a reconnection.
    """
    lobby, (last, *others) = session.lobby, tuple(lines) or (None,)
    if lobby is None or last is None or others or last.phrase != PAUSE:
        return ""
    can_grant = lobby.host and lobby.phase == "playing" and not lobby.paused
    return last.name if can_grant and last.name != session.name else ""


def pause_wish_sentence(name: str, glyphs: Glyphs) -> str:
    """Return the sentence about a player's request for a pause, with the key that grants it."""
    return _(
        "{name} asks for a pause: {key} grants it.",
        name=name,
        key=key(TableCommands.pause, glyphs),
    )


def speaker(name: str) -> str:
    """Return the name before a line of chat: `Rosalind: `."""
    return _("{name}:", name=name) + " "
