"""Builds the pages of the help, with the whole rules and with rulings on open questions.

`prose/rules.md` has the text, which is translated paragraph by paragraph.
"""

import re
from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Final, NamedTuple, TypeAlias

from msgspec import Struct

from driflamme_tui.text.i18n import (
    PROSE_DIRECTORY,
    TYPED_INDENT,
    _,
    as_typed,
    pgettext,
    prose,
    search_form,
)
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.card_texts import (
    CARD_TEXTS,
    PictureExample,
    card_effect,
    card_help,
    card_kind,
    card_summary,
    what_if,
)
from driflamme_tui.wording.game.names import (
    card_mark,
    card_name,
    family_name,
    first_next_sign,
    first_sign,
)
from driflamme_tui.wording.game.worked_examples import WORKED_EXAMPLES
from engine.cards import CARDS, FAMILIES, Card
from engine.texts import Text

CARDS_AT: Final = 4
"""Number of sections of the rules before the one about the abilities of the cards."""

RULINGS: Final = "Rulings"
"""The title of the last section of the rules."""


class Section(NamedTuple):
    """A part of the rules."""

    title: str
    paragraphs: list[str]


def rules_sections() -> list[Section]:
    """Return the parts of the rules in the order of learning."""
    cards = [
        _("{card} ({letter}): {text}", card=card_name(card), letter=card, text=card_help(card))
        for card in CARDS
    ]
    *parts, (_rulings, rulings) = prose("rules").items()
    sections = [Section(_(title), [_(text) for text in texts]) for title, texts in parts]
    sections.insert(CARDS_AT, Section(_("The ten cards"), cards))
    numbered = [ruling(number) for number in range(1, len(rulings) + 1)]
    return [*sections, Section(_(RULINGS), numbered)]


def ruling(number: int) -> str:
    """Return a ruling with its number; `number` counts from 1."""
    return _("{number}. {ruling}", number=number, ruling=_(prose("rules")[RULINGS][number - 1]))


def rulings_on(card: Card) -> list[str]:
    """Return the rulings about a card, each with its number; [] for a card without rulings."""
    return [ruling(number) for number in CARD_TEXTS[card].rulings]


STACK_EXAMPLE: Final = PictureExample(
    "2 4 b* rL,bh2,gs *r3:ASP:HFX:DMC,b5:ASLX:PFD:MC,g2:APHF:LXD:MC", "S^2"
)
"""An example of a card that is placed on a stack."""

AMBUSH_EXAMPLE: Final = PictureExample(
    "2 4 bS2 rm1,bS/bl,gh *r3:ASP:HFL:XDC,b5:APH:FXD:MC,g2:ASP:FLX:DMC", "x1"
)
"""An example of an Ambush that discards an attacker and so uncovers a card."""


class HelpLine(Struct, frozen=True):
    """A paragraph of a help page."""

    text: str


class Heading(Struct, frozen=True):
    """A title within a help page."""

    text: str


class TypedLines(Struct, frozen=True):
    """Lines that the reader must type exactly."""

    text: str


class Item(Struct, frozen=True):
    """A word or sign with an explanation."""

    label: str
    text: str
    card: Card = ""
    """The card that the item is about; "" if it is about none."""
    page: str = ""
    """The name of the page that the item opens; "" if it opens none."""


class Example(Struct, frozen=True):
    """An action, drawn by the positions before and after it."""

    played: PictureExample

    text = ""


class Faces(Struct, frozen=True):
    """Cards in all forms in which they are drawn, with captions."""

    captions: tuple[str, ...]
    """The captions of five cards: face up, the reader's own face down, an opponent's, one to
    choose, the chosen one.
    """

    @property
    def text(self) -> str:
        """All captions, for the search."""
        return " ".join(self.captions)


class Families(Struct, frozen=True):
    """The five families, each in its colour."""

    @property
    def text(self) -> str:
        """The names of all families, for the search."""
        return " ".join(map(family_name, FAMILIES))


Block: TypeAlias = HelpLine | Heading | TypedLines | Item | Example | Faces | Families


class HelpPage(Struct, frozen=True):
    """One page of the help."""

    name: str
    """The name by which the page is opened. `card-S` is the Soldier's page."""
    chapter: int
    """The number of the page's chapter, from 0."""
    title: str
    blocks: tuple[Block, ...]


KEYS: Final = "keys"
THE_CARDS: Final = "cards"
GUIDE: Final = "guide"


class GuideTopic(NamedTuple):
    """A page of the guide."""

    name: str
    """The name of the topic's file, by which the topic is opened."""
    folder: Path = PROSE_DIRECTORY / GUIDE
    after: str = ""
    """The core topic after which a wing's topic is listed; "" for a core topic."""
    rank: int = 0
    """The rank of a wing's topic among the topics of other wings; the lowest comes first."""


class WingGuide(NamedTuple):
    """The seam `guide`: the pages of the guide that a wing brings, and signs for the help."""

    topics: tuple[GuideTopic, ...]
    signs: tuple[tuple[str, Text], ...] = ()
    """Signs that the wing adds to a table, with their meanings."""


CORE_TOPICS: Final = ("table", "hosting", "bots", "history", "options", "plain")
"""The pages of the guide that no wing brings, by the names of their files in `prose/guide/`."""


def _guides() -> tuple[WingGuide, ...]:
    # Import here, so that the rules can be printed without the network's modules.
    from netcode.registry import wing_values

    return wing_values("driflamme_tui", "guide", WingGuide)


def guide_pages() -> dict[str, GuideTopic]:
    """Return all topics of the guide by name, in their order."""
    added = [each for wing in _guides() for each in wing.topics]
    added.sort(key=attrgetter("rank"))
    found = []
    for name in CORE_TOPICS:
        found += [GuideTopic(name), *(each for each in added if each.after == name)]
    return {each.name: each for each in found}


CHAPTERS: Final[tuple[tuple[str, Annotated[Text, "chapter of the help"]], ...]] = (
    (KEYS, "Keys"),
    ("turn", "Turn"),
    (THE_CARDS, "Cards"),
    ("stacks", "Stacks"),
    ("ambush", "Ambush"),
    ("end", "End"),
    ("rulings-1", "Rulings"),
    ("signs", "Symbols"),
    (GUIDE, "Guide"),
)
"""The first page of each chapter, and its title in the list of chapters."""

KEYS_A_PAGE: Final = 14
"""Maximum number of keys on a page. More keys are divided evenly among several pages."""

_RULINGS_A_PAGE: Final = ((1, 4), (5, 7), (8, 10), (11, 13))


def pages(glyphs: Glyphs, keys: Sequence[tuple[str, str]]) -> list[HelpPage]:
    """Return all pages in order. `keys` are the keys of the present screen with their texts."""
    chapter = {name: index for index, (name, _title) in enumerate(CHAPTERS)}
    return [
        *_keys(keys),
        HelpPage("turn", chapter["turn"], _("A turn"), _turn()),
        HelpPage(THE_CARDS, chapter[THE_CARDS], _("The ten cards"), _cards()),
        *(
            HelpPage(card_page(card), chapter[THE_CARDS], card_name(card), _card(card, glyphs))
            for card in CARDS
        ),
        _prose_page("stacks", chapter["stacks"], "Stacks", Example(STACK_EXAMPLE)),
        _prose_page("ambush", chapter["ambush"], "Ambush", Example(AMBUSH_EXAMPLE)),
        _prose_page("end", chapter["end"], "End and ties"),
        *(
            HelpPage(
                f"rulings-{number}",
                chapter["rulings-1"],
                _("Rulings {first} to {last}", first=first, last=last),
                tuple(HelpLine(ruling(each)) for each in range(first, last + 1)),
            )
            for number, (first, last) in enumerate(_RULINGS_A_PAGE, 1)
        ),
        *_worked_examples(chapter["rulings-1"]),
        HelpPage("signs", chapter["signs"], _("Symbols and colours"), tuple(_signs(glyphs))),
        HelpPage(
            "signs-2",
            chapter["signs"],
            _("Symbols of the players"),
            tuple(_signs_of_players(glyphs)),
        ),
        HelpPage(GUIDE, chapter[GUIDE], _("Guide"), tuple(guide_topics())),
        *map(guide_page, guide_pages()),
    ]


def _worked_examples(chapter: int) -> Iterator[HelpPage]:
    for number, each in enumerate(WORKED_EXAMPLES, 1):
        title = _("Worked example {number} of {all}", number=number, all=len(WORKED_EXAMPLES))
        blocks = (HelpLine(_(each.shows)), Example(each.played))
        yield HelpPage(f"example-{number}", chapter, title, blocks)


NO_END: Final = re.compile(r"[\s.:]+\Z")
"""Matches spaces, full stops and colons at the end of a text."""


def guide_topics() -> Iterator[Item]:
    """Yield each topic of the guide, with the first sentence of its page."""
    for topic in guide_pages():
        page = guide_page(topic)
        what_for, _end, _more = page.blocks[0].text.partition(". ")
        # A sentence may introduce typed lines; French has a space before its colon.
        yield Item(topic, f"{re.sub(NO_END, '', what_for)}.", page=page.name)


def guide_page(topic: str) -> HelpPage:
    """Return the guide's page on a topic; raises KeyError for an unknown one."""
    (title, paragraphs), *sections = prose(topic, guide_pages()[topic].folder).items()
    blocks = [*map(_guide_block, paragraphs)]
    for heading, more in sections:
        blocks += [Heading(_(heading)), *map(_guide_block, more)]
    return HelpPage(f"{GUIDE}-{topic}", len(CHAPTERS) - 1, _(title), tuple(blocks))


def _guide_block(paragraph: str) -> Block:
    if paragraph.startswith(TYPED_INDENT):
        lines = (line.removeprefix(TYPED_INDENT) for line in paragraph.splitlines())
        return TypedLines(as_typed("\n".join(lines)))
    text = _(paragraph)
    if text.startswith("- `"):
        label, _end, meaning = text.removeprefix("- `").partition("` ")
        return Item(label, meaning)
    # Put keys in quotation marks, since a key alone would look like a word of the sentence.
    return HelpLine(re.sub("`(.)`", r'"\1"', text).replace("`", ""))


def card_page(card: Card) -> str:
    """Return the name of a card's page."""
    return f"card-{card}"


def chapter_titles() -> list[str]:
    """Return the titles of the chapters, of one word each."""
    return [pgettext("chapter of the help", title) for _name, title in CHAPTERS]


def find(all_pages: Sequence[HelpPage], query: str) -> list[tuple[int, int]]:
    """Return the indexes of page and block of all blocks that contain every word of a query.

    First come the first blocks of pages whose titles contain every word. An empty query finds
    nothing.
    """
    words = search_form(query).split()
    if not words:
        return []
    titles: list[tuple[int, int]] = []
    texts: list[tuple[int, int]] = []
    for index, page in enumerate(all_pages):
        if _has(page.title, words):
            titles.append((index, 0))
        for number, block in enumerate(page.blocks):
            label = block.label if isinstance(block, Item) else ""
            if _has(f"{label} {block.text}", words):
                texts.append((index, number))
    return titles + [found for found in texts if found not in titles]


def _has(text: str, words: Sequence[str]) -> bool:
    plain = search_form(text)
    return all(word in plain for word in words)


def _turn() -> tuple[Block, ...]:
    """Return the phases of a turn, each with a description."""
    return tuple(Item(_(label), _(text)) for label, (text,) in prose("turn").items())


def _prose_page(name: str, chapter: int, title: str, *examples: Example) -> HelpPage:
    """Return a page with the text below a title in `prose/help.md`."""
    lines = (HelpLine(_(text)) for text in prose("help")[title])
    return HelpPage(name, chapter, _(title), (*lines, *examples))


def _keys(keys: Sequence[tuple[str, str]]) -> Iterator[HelpPage]:
    """Yield the pages for the keys of a screen."""
    mouse = HelpLine(_("Everything works by mouse too: click once to choose, again to confirm."))
    first = max(1, -(-len(keys) // KEYS_A_PAGE))
    a_page = -(-len(keys) // first)
    for start in range(0, max(1, len(keys)), max(1, a_page)):
        name = KEYS if not start else f"{KEYS}-{start}"
        items = tuple(Item(key, what) for key, what in keys[start : start + a_page])
        yield HelpPage(name, 0, _("Keys of this screen"), (mouse, *items) if not start else items)


def _cards() -> tuple[Block, ...]:
    first = HelpLine(
        _("Six Characters stay in the Queue. Four Intrigues act once, and are discarded.")
    )
    items = (Item(card_name(card), card_effect(card), card, card_page(card)) for card in CARDS)
    return (first, *items)


def _card(card: Card, glyphs: Glyphs) -> tuple[Block, ...]:
    mark = card_mark(card, glyphs)
    return (
        Item(mark, f"{card_kind(card)} {glyphs.separator} {card_summary(card)}"),
        Example(CARD_TEXTS[card].example),
        *(Item(question, answer) for question, answer in what_if(card)),
    )


def _signs(glyphs: Glyphs) -> Iterator[Block]:
    yield Faces(
        (
            _("face up"),
            _("face down, yours"),
            _("face down, an opponent's"),
            _("may be chosen"),
            _("is chosen"),
        )
    )
    yield Families()
    yield Item(glyphs.dot, _("1 influence, on a card or in a pool"))
    yield Item(f"{glyphs.times}3", _("three cards in this stack; only the top one counts"))
    yield Item(
        f"{glyphs.tab}?2", _("a covered card that only its owner knows, with 2 influence on it")
    )
    yield Item("4".join(glyphs.resolving), _("the card at this position is being resolved"))
    yield Item("[4]", _("what stands at this position may be chosen"))
    yield Item(
        f"4{glyphs.threat}", _("a card of yours that an opponent's face-up card can eliminate")
    )


def _signs_of_players(glyphs: Glyphs) -> Iterator[Block]:
    yield Item(glyphs.coin, _("5 influence"))
    yield Item(glyphs.back, _("a card in a hand"))
    yield Item(glyphs.turn, _("whose turn it is"))
    yield Item(first_sign(glyphs), _("first player of this round"))
    yield Item(first_next_sign(glyphs), _("first player of the next round"))
    yield Item(
        f"{glyphs.away}{pgettext('seat in 5 columns', 'away')}",
        _("their connection is lost; in a few seconds a bot answers for them until they are back"),
    )
    yield Item(
        f"{glyphs.away}{pgettext('seat in 5 columns', 'wait')}",
        _("away, and everybody waits for them"),
    )
    yield Item(
        f"{glyphs.away}{pgettext('seat in 5 columns', 'bot')}",
        _("away or not answering; a bot plays for them until they are back"),
    )
    yield Item("0:41", _("time for a decision; then a bot decides"))
    for wing in _guides():
        yield from (Item(sign, _(meaning)) for sign, meaning in wing.signs)
    yield Item(f"{glyphs.line} 38 ms", _("round-trip time to the host"))
