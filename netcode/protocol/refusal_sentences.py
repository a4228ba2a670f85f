"""Defines the sentence of every reason that a host gives, by code, in English.

Hosts send codes and values, never sentences. Each client shows the sentence in its own language,
and uses no text from the wire as a template.
"""

from collections.abc import Callable, Mapping
from functools import cache
from string import Formatter
from typing import Final, TypeAlias

from engine.cards import CARD_NAMES, FAMILY_NAMES, MAXIMUM_PLAYERS
from engine.legal import SENTENCES as RULES
from engine.legal import Refusal
from engine.texts import Text, Translate, untranslated
from netcode.protocol.fields import NAME_LENGTH, is_name, wing_messages
from netcode.protocol.messages import Reason

Value: TypeAlias = str | int | tuple[str | int, ...]
"""A value in a sentence."""

RULES_NAMESPACE: Final = "rules."
"""The prefix of the codes that come from `engine.legal`."""

# Codes that clients compare or make themselves, besides showing their sentences.
UNKNOWN_KEY: Final = "unknown_key"
NO_SUCH_TABLE: Final = "no_such_table"
TOO_MANY_CAME: Final = "too_many_came"
PART_MISSING: Final = "part_missing"
HOST_PART_MISSING: Final = "host_part_missing"

RETURNING: Final = frozenset({"host_quit_for_now", "host_quit_game"})
"""The core's codes of goodbyes after which the table opens again, so that clients return."""

SENTENCES: Final[dict[str, Text]] = {
    # Frames
    "not_binary": "Send binary frames only.",
    "too_long": "The message was too long for the table: send a shorter one.",
    "malformed": "The table could not read the message: upgrade the older program.",
    "unknown_message": (
        "The host does not know this kind of message, perhaps for lack of an "
        "optional part: ask the host to reinstall the program."
    ),
    "bad_field": "The field {field} of the message is not valid: upgrade the older program.",
    "too_many_bad_messages": "Your program sent too many messages that are not valid: upgrade it.",
    # Admission
    "invitation_needed": (
        "Ask the host for the invitation or the spoken code: this table lets nobody in without one."
    ),
    NO_SUCH_TABLE: "This table is no longer here: ask the host for a new invitation.",
    "invitation_renewed": "This invitation is outdated: ask the host for the new one.",
    "wrong_code": "No table here has this code: type it again, or ask the host for it.",
    "too_many_knocks": (
        "Too many wrong codes were tried here. The host's link still works: ask for it, or try the "
        "code again in {seconds} s."
    ),
    "another_table": "Your message belongs to another table: leave this one first.",
    "table_damaged": "This table cannot be opened again: open a new one.",
    # Hello
    "upgrade_client": (
        "The table speaks protocol {theirs} and this program only {yours}: upgrade this program."
    ),
    "upgrade_host": (
        "This program speaks protocol {yours} and the table only {theirs}: "
        "ask the host to upgrade theirs."
    ),
    "say_hello": "Your program must introduce itself first: upgrade it.",
    "hello_overdue": "Your program did not introduce itself in time: try again.",
    "already_greeted": "You are at the table already.",
    "name_empty": "Type a name.",
    "name_too_long": "This name is too long: use at most {most} characters.",
    "name_unprintable": "Use letters or digits in the name, and only visible characters.",
    "name_spaces": "Use single spaces in the name, and none at its ends.",
    "name_taken": "The name {name} is already taken here: choose another.",
    "name_away": (
        "{name} plays here, and is away. If that is you, ask the host to let you in from this"
        " machine, then come back; otherwise choose another name."
    ),
    "table_full": "The table is full: all {seats} seats are taken.",
    "too_many_spectators": "There is no room for another spectator: try again later.",
    "game_under_way": "A game is under way: join when it is over, or watch.",
    UNKNOWN_KEY: "The seat that you had is no longer yours: join again.",
    # Lobby
    "not_seated": "Spectators only watch: take a seat first.",
    "not_the_host": "Ask the host to do that: nobody else can.",
    "not_in_lobby": "Do this in the lobby: it is not possible during a game.",
    "not_after_game": "Wait until the game is over: this is not possible before.",
    "not_ready_now": "You can be ready in the lobby or after a game, not during one.",
    "family_taken": "{family} is already taken: choose another family.",
    "no_such_seat": "Nobody plays {family}: choose a family at the table.",
    "not_yourself": "You cannot remove yourself: leave the table instead.",
    "too_many_came": "Too many connections have come from your network: try again in {seconds} s.",
    "no_secret": "This table needs no invitation, so a new one would keep nobody out.",
    "unknown_bot": "There is no bot called {bot}: choose another.",
    "not_a_bot": "{family} belongs to a person: only a bot's level can be changed.",
    # Reasons why no game can start
    "too_few": (
        "Add bots, or wait: a game needs at least {needed} players; seated so far: {seated}."
    ),
    "not_ready": "Wait for those who are not ready yet: {names}.",
    "too_many_for_two": (
        "A table for two needs exactly two players; seated so far: {seated}. Free the other seats."
    ),
    "first_not_seated": (
        "{family} is to be first player, but nobody plays {family}: choose another family."
    ),
    "connection_lost": "The connection of {names} is lost: wait a few seconds, it may come back.",
    # Chat
    "muted": "The host has muted you: you can read the chat, but not write.",
    "spectators_silenced": "The host lets only players write: you can read the chat.",
    "nothing_said": "Type something that others can see: this line has no visible characters.",
    "chat_too_fast": "You write faster than others can read: wait a few seconds.",
    "nobody_called": "Nobody here is called {name}: look at the list of people.",
    # Play
    "paused": "The game is paused until the host resumes it.",
    "not_away": "{family} is not away: there is nothing to decide.",
    "asked_lately": ("{family} was asked less than a minute ago: a bot can answer in {seconds} s."),
    "time_decides": "{name} keeps the turn until the time is up; then a bot answers once.",
    "seated": "You have a seat already.",
    "persons_seat": "{family} belongs to a person: only the seat of a bot can be taken.",
    "played_before": "You have played {family} in this game: you can take only that seat.",
    "latecomers_watch": "At this table latecomers only watch a game that has begun.",
    "wish_refused": "The host leaves the seat of {family} to the bot: you keep watching.",
    "wish_too_late": "Somebody else has the seat of {family} now: you keep watching.",
    "refused_lately": "The host has just refused: ask again in {seconds} s.",
    "no_wish": "{name} no longer asks for that seat.",
    "no_game": "No game is under way: wait until one begins.",
    "not_your_turn": "It is not your turn: {family} is asked.",
    "late": "The game has moved on since you saw that position: look again.",
    "no_action": "This game has no such action: choose another answer.",
    PART_MISSING: "This program lacks the part for games of this kind: reinstall the program.",
    HOST_PART_MISSING: (
        "This program lacks an optional part that the host uses: reinstall the program."
    ),
    "unknown_setting": (
        "The host does not know the setting {name}, perhaps for lack of an "
        "optional part: ask the host to reinstall the program."
    ),
    "game_key_unasked": "This table is not sealed: games need no keys here.",
    # Goodbye
    "left": "You are no longer at the table.",
    "removed": "The host has removed you from the table.",
    "replaced": "You now play at your seat from another terminal.",
    "host_quit": "The host has closed the table.",
    "host_quit_for_now": (
        "The host has closed the table for now. Once it is open again, join it the same way as"
        " before."
    ),
    "host_quit_game": (
        "The host has closed the table in the middle of the game. Once it is resumed, join the"
        " same way as before: your seat is kept."
    ),
}
"""The sentences of the core's reasons, by code."""

WISH_ENDS: Final = frozenset({"wish_refused", "wish_too_late"})
"""The codes of refusals that end an earlier wish for a bot's seat, and answer no new request."""

WISHES_REFUSED: Final = WISH_ENDS | {
    *("seated", "persons_seat", "no_such_seat", "played_before", "latecomers_watch"),
    *("refused_lately", "no_game"),
}
"""The codes of refusals after which a program does not repeat a spectator's wish."""

OF_NO_TABLE: Final = frozenset(
    {NO_SUCH_TABLE, "invitation_needed", "say_hello", "unknown_message"}
    | {"not_binary", "too_long", "malformed", "bad_field"}
)
"""The codes with which a server refuses a Hello before it finds the Hello's table."""

NO_SEAT: Final = frozenset({"game_under_way", "table_full"})
"""The codes of refusals after which a client cannot take a seat, but can watch."""

_UNKNOWN: Final[Text] = "The table refused that, for a reason unknown to this program: upgrade it."


def refusal_sentence(reason: Reason, translate: Translate = untranslated) -> str:
    """Return the sentence of a reason.

    For an unknown code or invalid values it is a sentence that asks for an upgrade.
    """
    code, values = reason.code, reason.values
    template = _template(code)
    if template is None:
        return translate(_UNKNOWN)
    fields = {name for _, name, _, _ in Formatter().parse(template) if name}
    if not all(_FITS.get(name, _is_number)(values.get(name)) for name in fields):
        return translate(_UNKNOWN)
    if code.startswith(RULES_NAMESPACE):
        rule = Refusal(code.removeprefix(RULES_NAMESPACE), {name: values[name] for name in fields})
        return rule.sentence(translate)
    words = {name: _word(name, values[name], translate) for name in fields}
    return translate(template).format(**words)


@cache
def sentences() -> Mapping[str, Text]:
    """Return all sentences by code: the core's sentences, then the sentences of wings."""
    found = dict(SENTENCES)
    for wing in wing_messages():
        found |= wing.sentences
    return found


def is_returning(code: str) -> bool:
    """Return True if clients wait for the table to open again after a Goodbye with this code."""
    return code in RETURNING or any(code in wing.returning for wing in wing_messages())


def _template(code: str) -> Text | None:
    """Return the template of a code; None if it is unknown."""
    if code.startswith(RULES_NAMESPACE):
        return RULES.get(code.removeprefix(RULES_NAMESPACE))
    # Load wings only for codes that the core does not know.
    return SENTENCES.get(code) or sentences().get(code)


def name_problem(name: str) -> Reason | None:
    """Return the reason why a name is impossible at every table; None if it is possible."""
    if is_name(name):
        return None
    if not name:
        return Reason(code="name_empty")
    if len(name) > NAME_LENGTH:
        return Reason(code="name_too_long", values={"most": NAME_LENGTH})
    spaces = name != name.strip() or "  " in name
    return Reason(code="name_spaces" if spaces else "name_unprintable")


def _word(name: str, value: Value, translate: Translate) -> str:
    """Return the text that stands for a valid value of a field in a sentence."""
    if name == "family":
        return translate(FAMILY_NAMES[str(value)])
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _is_number(value: Value | None) -> bool:
    return type(value) is int


_FITS: Final[dict[str, Callable[[Value | None], bool]]] = {
    "family": lambda value: value in FAMILY_NAMES,
    "card": lambda value: value in CARD_NAMES,
    "names": lambda value: isinstance(value, tuple) and 1 <= len(value) <= MAXIMUM_PLAYERS,
    "choices": lambda value: (
        isinstance(value, tuple) and all(each in FAMILY_NAMES or _is_number(each) for each in value)
    ),
    **dict.fromkeys(("bot", "check", "field", "name"), lambda value: isinstance(value, str)),
}
"""The functions that check values, by name of the field. Other fields are numbers."""
