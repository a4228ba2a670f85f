"""Translates the names of editions, cards, families, players and bots."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from driflamme_tui.text.i18n import _, comma_list, pgettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.card_texts import CARD_TEXTS
from engine.bots import bot_names
from engine.cards import CARD_NAMES, FAMILY_NAMES, UNKNOWN, Card, Family
from engine.ranking import Owners, is_for_two
from engine.texts import Text, Translate

SHORTEST_NAME: Final = 4
"""Columns of the shortest names of cards."""


def card_name(card: Card) -> str:
    """Return the name of a card; `?` for an unknown card."""
    return card if card == UNKNOWN else _(CARD_NAMES[card])


def family_name(family: Family) -> str:
    """Return the name of a family."""
    return _(FAMILY_NAMES[family])


def spoken_names(
    families: str, names: Sequence[str], owners: Owners | None = None
) -> tuple[str, ...]:
    """Return everybody's name for sentences without signs. At a table for two, add the family."""
    if not is_for_two(owners):
        return tuple(names)
    named = zip(names, map(family_name, families), strict=True)
    return tuple(name if name == family else f"{name} ({family})" for name, family in named)


def naming(players: Mapping[Family, str]) -> Translate:
    """Return a translation function that names families by their players."""
    called = {FAMILY_NAMES[family]: name for family, name in players.items()}
    return lambda text: called.get(text) or _(text)


def edition_name(edition: int) -> str:
    """Return the name of an edition."""
    return _("second edition") if edition == 2 else _("first edition")


def card_name_for(card: Card, columns: int) -> str:
    """Return the longest name of a card that fits; if none does, at most its first four letters."""
    if card == UNKNOWN:
        return card
    short = pgettext("card in 7 columns", CARD_TEXTS[card].short_name)
    for name in (card_name(card), short):
        if len(name) <= columns:
            return name
    return short.rstrip(".")[: max(0, min(columns, SHORTEST_NAME))]


def card_names_for(rows: Sequence[Sequence[Card]], columns: int) -> list[list[str]]:
    """Return the longest names with which every row fits; if none do, the cards' letters.

    A row has a space between two names.
    """
    for longest in range(columns, SHORTEST_NAME - 1, -1):
        named = [[card_name_for(card, longest) for card in row] for row in rows]
        if all(len(" ".join(names)) <= columns for names in named):
            return named
    return [list(row) for row in rows]


def first_sign(glyphs: Glyphs) -> str:
    """Return the sign of this round's first player; in a set without this sign, a short word."""
    if glyphs.first.isascii():
        return pgettext("first player of this round, in 4 columns", "1st")
    return glyphs.first


def first_next_sign(glyphs: Glyphs) -> str:
    """Return the sign of the next round's first player; in a set without the sign, a short word."""
    if glyphs.first_next.isascii():
        return pgettext("first player of the next round, in 5 columns", "next")
    return glyphs.first_next


def card_mark(card: Card, glyphs: Glyphs) -> str:
    """Return a sketch of a card's ability, at most four cells wide; "" for an unknown card."""
    return "" if card == UNKNOWN else glyphs.plain(CARD_TEXTS[card].mark)


def card_purpose(card: Card, columns: int) -> list[str]:
    """Return a card's ability for its face: two lines if it has 9 columns, else one line of 7."""
    if columns >= 9:
        return pgettext("purpose in 9 columns, 2 lines", CARD_TEXTS[card].purpose).splitlines()
    return [pgettext("purpose in 7 columns", CARD_TEXTS[card].short_purpose)]


def all_of(words: Sequence[str]) -> str:
    """Return words joined as in `Rosalind, Blaise and Yvette`."""
    if len(words) < 2:
        return "".join(words)
    return _("{names} and {last}", names=comma_list(words[:-1]), last=words[-1])


LEVEL: Final = "level of bot"
"""The gettext context of levels. They have at most eight columns, unless there is a short name."""

_NAMES: Final[dict[str, Annotated[Text, "level of bot"]]] = {
    "random": "Random",
    "novice": "Novice",
    "learner": "Learner",
    "steady": "Steady",
    "sharp": "Sharp",
    "master": "Master",
    "grandmaster": "Grandmaster",
    "even": "Even",
}

_SHORT: Final[dict[str, Annotated[Text, "level of bot"]]] = {"grandmaster": "Grand M."}

_NOTES: Final[dict[str, Text]] = {
    "random": "Random takes any move the rules allow: it is easy to beat.",
    "novice": "Novice knows the rules and often errs: for a first game.",
    "learner": "Learner sees what is good and does not always do it: easy to beat.",
    "steady": "Steady weighs gains and dangers: a fair opponent.",
    "sharp": "Sharp tries every move out in imagined games: hard to beat.",
    "master": "Master has learned from many games what is likely: very hard to beat.",
    "grandmaster": "Grandmaster watches every move and is hard to predict: the strongest.",
    "even": "Even plays at your own level, judged by your past games.",
}


def bot_name(bot: str) -> str:
    """Return the name of a level. A bot of another package keeps its own name."""
    return pgettext(LEVEL, _NAMES[bot]) if bot in _NAMES else bot


def short_bot_name(bot: str) -> str:
    """Return the short name of a level; its usual name if that is short."""
    return pgettext(LEVEL, _SHORT[bot]) if bot in _SHORT else bot_name(bot)


SHORTEST_LEVEL: Final = 5
"""Minimum columns for the beginning of a level's name."""


def bot_name_within(bot: str, columns: int) -> str:
    """Return the longest name of a level that fits, the beginning of one, or a word for a bot.

    >>> [bot_name_within("grandmaster", columns) for columns in (11, 8, 5)]
    ['Grandmaster', 'Grand M.', 'Gran.']
    >>> [bot_name_within("sharp", columns) for columns in (5, 4)]
    ['Sharp', 'bot']
    """
    for name in (bot_name(bot), short_bot_name(bot)):
        # Count characters, since names of levels have no wide signs.
        if len(name) <= columns:
            return name
    if columns < SHORTEST_LEVEL:
        return pgettext("seat in 5 columns", "bot")
    return f"{short_bot_name(bot)[: columns - 1].rstrip(' .')}."


def bot_note(bot: str) -> str:
    """Return a sentence about the way in which a bot plays; "" for an unknown bot."""
    return _(_NOTES[bot]) if bot in _NOTES else ""


def bot_called(text: str) -> str:
    """Return the bot whose name a player typed; "" if no bot has that name.

    The name may be in English or in the present language.
    """
    wanted = text.strip().casefold()
    for bot in (*_NAMES, *bot_names()):
        if wanted in (bot, bot_name(bot).casefold()):
            return bot
    return ""
