"""`driflamme rules`, `help` and `keys`: the rules, the guide and every key, as plain text."""

import textwrap
from collections.abc import Iterator, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from driflamme_tui.cli import completion
from driflamme_tui.cli.declarations import Commands, argument
from driflamme_tui.cli.output import echo, fail, print_commented
from driflamme_tui.text.i18n import _, in_all_languages, search_form
from engine.cards import CARD_NAMES, CARDS, Card

if TYPE_CHECKING:
    from driflamme_tui.wording.game.help_pages import Block
    from driflamme_tui.wording.game.worked_examples import WorkedExample

WIDEST = 80
"""Maximum width of the text, in columns: longer lines are hard to read."""

commands = Commands()


@commands.described(
    "rules",
    examples="\b\n"
    "Examples:\n"
    "  driflamme rules\n"
    "  driflamme rules ambush\n"
    "  driflamme rules royal decree\n"
    "  driflamme rules X\n"
    "  driflamme rules embuscade --lang fr",
)
def rules(
    card: list[str] | None = argument(
        "A card, by its letter or its name.", metavar="CARD", autocompletion=completion.cards
    ),
) -> None:
    """Print the rules of the game, or everything about one card."""
    from driflamme_tui.wording.game.names import card_name

    if not card:
        blocks = list(_all_rules())
    else:
        name = " ".join(card)
        found = find_card(name)
        if found is None:
            if (near := _near(name)) is not None:
                values = {"name": name, "near": card_name(near)}
                fail("There is no card {name!r}; did you mean {near}?", **values)
            cards = ", ".join(f"{card_name(each)} ({each})" for each in CARDS)
            fail("There is no card {name!r}: choose one of {cards}.", name=name, cards=cards)
        blocks = list(_about(found))
    echo("\n\n".join(blocks))


def find_card(name: str) -> Card | None:
    """Return the card with this letter or name; None for any other text.

    The name may be in any language, and shortened.
    """
    return _cards_by_name().get(_plain(name))


def _near(name: str) -> Card | None:
    """Return the card with the most similar name; None if no name is similar enough."""
    from difflib import get_close_matches

    cards = _cards_by_name()
    return next((cards[each] for each in get_close_matches(_plain(name), cards, 1)), None)


def _cards_by_name() -> dict[str, Card]:
    from driflamme_tui.wording.game.card_texts import CARD_TEXTS

    cards: dict[str, Card] = {}
    for card in reversed(CARDS):
        short = in_all_languages(CARD_TEXTS[card].short_name, "card in 7 columns")
        names = (card, *in_all_languages(CARD_NAMES[card]), *short)
        cards |= dict.fromkeys(map(_plain, names), card)
    return cards


def _plain(name: str) -> str:
    return " ".join(search_form(name).translate(str.maketrans("-_.", "   ")).split())


def _all_rules() -> Iterator[str]:
    from driflamme_tui.wording.game.help_pages import rules_sections
    from driflamme_tui.wording.game.worked_examples import WORKED_EXAMPLES

    for title, paragraphs in rules_sections():
        yield "\n".join((title.upper(), *map(_wrap, paragraphs)))
    yield from _examples(WORKED_EXAMPLES, _("Worked examples").upper())


def _examples(examples: Sequence["WorkedExample"], title: str) -> Iterator[str]:
    """Yield a title with the explanation of examples, then each example."""
    from driflamme_tui.wording.game.worked_examples import (
        how_examples_are_written,
        printed_example,
    )

    yield "\n".join((title, *map(_wrap, how_examples_are_written())))
    for each in examples:
        rule, *lines = printed_example(each)
        yield "\n".join((_wrap(rule), *(_wrap(line, 4) for line in lines)))


def _about(card: Card) -> Iterator[str]:
    from driflamme_tui.wording.game.card_texts import card_help, card_kind, card_summary
    from driflamme_tui.wording.game.help_pages import rulings_on
    from driflamme_tui.wording.game.names import card_name
    from driflamme_tui.wording.game.worked_examples import examples_of

    title = _("{card} ({letter}), {kind}", card=card_name(card), letter=card, kind=card_kind(card))
    yield "\n".join((title, _wrap(card_summary(card))))
    yield _wrap(card_help(card))
    rulings = rulings_on(card)
    if rulings:
        yield "\n".join((_("Rulings"), *map(_wrap, rulings)))
    yield from _examples(examples_of(card), _("Worked examples"))


def _wrap(paragraph: str, indent: int = 2) -> str:
    width = min(WIDEST, get_terminal_size().columns)
    left = indent * " "
    return textwrap.fill(paragraph, max(20, width), initial_indent=left, subsequent_indent=left)


@commands.described(
    "help",
    examples="\b\n"
    "Examples:\n"
    "  driflamme help\n"
    "  driflamme help hosting\n"
    "  driflamme help history --lang fr",
)
def guide(
    topic: str = argument(
        "Page to print; if omitted, the list of pages.",
        metavar="TOPIC",
        usual="",
        autocompletion=completion.topics,
    ),
) -> None:
    """Print a topic of the guide, or a list of its topics."""
    from driflamme_tui.wording.game.help_pages import guide_page, guide_pages, guide_topics

    topics = ", ".join(guide_pages())
    if not topic:
        for each in guide_topics():
            echo(f"  {each.label:9} {each.text}", indent=12)
        echo()
        echo(
            _(
                "driflamme help TOPIC prints a page, driflamme COMMAND --help all options of a"
                " command."
            )
        )
    elif search_form(topic) in {"keys", search_form(_("keys"))}:
        keys()
    elif search_form(topic) not in guide_pages():
        fail("There is no page {topic!r}: choose one of {topics}.", topic=topic, topics=topics)
    else:
        page = guide_page(search_form(topic))
        echo("\n\n".join([page.title.upper(), *map(_printed, page.blocks)]))


def _printed(block: "Block") -> str:
    """Return a block of the guide as text."""
    from driflamme_tui.wording.game.help_pages import Heading, Item, TypedLines

    if isinstance(block, Heading):
        return block.text.upper()
    if isinstance(block, TypedLines):
        return textwrap.indent(block.text, 6 * " ")
    return _wrap(f"{block.label}: {block.text}" if isinstance(block, Item) else block.text)


@commands.described(
    "keys",
    examples="\b\nExamples:\n  driflamme keys\n  driflamme keys | grep table",
)
def keys() -> None:
    """Print a line of TOML for each command whose keys can be changed."""
    from driflamme_tui.keymap.key_bindings import all_commands, keys_written, sentence, use_keys
    from driflamme_tui.preferences.settings import judge_keys, load

    chosen = load().keys
    judge_keys(chosen)
    use_keys(chosen)
    echo("[keys]")
    for command in all_commands().values():
        if not command.fixed:
            line = f'"{command.id}" = "{keys_written(command)}"'
            print_commented(line, sentence(command))
