"""The whole rules, with the rulings where the printed rules are silent, in our own words."""

from typing import Final, NamedTuple

from driflamme_tui.text.i18n import Prose, Text, _, paragraphs
from driflamme_tui.wording.game.card_texts import CARD_TEXTS
from driflamme_tui.wording.game.card_words import card_help
from driflamme_tui.wording.game.names import card_name
from engine.cards import CARDS, Card


class Section(NamedTuple):
    """One part of the rules."""

    title: str
    paragraphs: list[str]


def _section(title: Text, prose: Prose) -> Section:
    return Section(title, paragraphs(prose))


_BEFORE_THE_CARDS: Final = [
    _section(
        "The table",
        """
        Three, four or five players each lead a family. All families own the same ten cards, one of
        each: six Characters and four Intrigues.

        Three cards of each family, picked by chance, are set aside face down. The other seven are
        its hand. Only you may look at your hand, your set-aside cards and your face-down and
        covered cards; you may do so whenever you like.

        Everybody starts with 1 influence. Pools are open to all, and the supply never runs dry. The
        first player of round 1 is drawn by lot, or is a seat that the table agreed on.

        The cards on the table form the Influence Queue. It is always resolved from the same end:
        its start, position 1. The table only chooses whether that is shown on the left or on the
        right.
        """,
    ),
    _section(
        "A turn",
        """
        The game lasts six rounds. Each has a placement phase and a resolution phase.

        Placement: from the first player on, clockwise, each player puts one card from hand into the
        Queue, face down: at its start, at its end, or on top of a stack whose top card is their
        own. The first card of all simply becomes the Queue.

        Resolution: the Queue is then gone through, stack by stack, from position 1 to its end.
        Afterwards the first player's tile passes to the left, the Queue stays as it is, and the
        next round begins.
        """,
    ),
    _section(
        "Stacks",
        """
        A card may cover your own top card, face up or face down, and a stack may grow to any
        height. All cards of a stack belong to one family.

        Only the top card of a stack counts. A covered card keeps the influence on it, and its face,
        but it is not resolved, fed, counted, copied or aimed at until it is on top again. Two
        things count covered cards all the same: the Lord of the first edition, and the tie-break.
        """,
    ),
    _section(
        "Resolution",
        """
        Face down: the owner leaves the card or reveals it. Leaving puts 1 influence from the supply
        on it. Revealing brings the influence on it into the owner's pool, and then its ability
        applies at once. A Conspiracy brings twice what lies on it, an Ambush nothing of it.

        Face up: the card's ability applies, whether its owner likes it or not.

        A Character stays in the Queue. An Intrigue is discarded once it has applied.

        If the card that was just resolved has left its stack, for whatever reason, and a covered
        card comes to light there, that card is resolved next, at the same place. If the whole stack
        is gone, the stack that now stands in its place is next. Otherwise it is the following
        stack's turn.

        Eliminating takes a top card out of the Queue at once, and the gap closes. Whoever
        eliminates gains 1, no matter whose card it was. The influence on the card is lost. The card
        lies open in front of its owner, like discarded cards.
        """,
    ),
]

_AFTER_THE_CARDS: Final = [
    _section(
        "Ambush",
        """
        An Ambush that an opponent's card eliminates springs: its owner gains 4, and the attacking
        card is discarded. The attacker's owner still gains 1 for the elimination. What a discarded
        attacker had covered is resolved next.

        Only elimination springs it. Revealed by its owner, it loses the influence on it, brings 1
        and is discarded.
        """,
    ),
    _section(
        "The two editions",
        """
        Lord: beside a stack of its own family, the second edition counts the top card only, the
        first edition every card of that stack.

        Your own card eliminates your own Ambush: in the second edition you gain 1 for the
        elimination, and nothing else happens. In the first edition you gain 1 for the elimination
        and 1 for the Ambush, and your attacking card is discarded.

        All other rules are the same in both. A table plays the second edition unless it chooses the
        first.
        """,
    ),
    _section(
        "End and ties",
        """
        After round 6 each player has one card left in hand, which stays unplayed. The most
        influence wins. Influence that still lies on cards counts for nothing.

        If there is a tie, whoever of those tied has most cards in the Queue wins, and covered cards
        count here. If that is a tie too, the victory is shared.
        """,
    ),
]

_RULINGS: Final = paragraphs(
    """
    Mandatory means mandatory. An ability that has a legal target must be used, even against its
    owner. You may choose your own cards though others are in reach. An ability without a target
    does nothing.

    One legal answer is no question. It is given for you.

    The Spy chooses a player. Two neighbours of one family are one choice. A player without
    influence may be chosen, and loses none.

    A Shapeshifter that copies an Heir minds only other Shapeshifters that are face up and
    uncovered; two real Heirs do not stop it. A face-up Shapeshifter beside it may be copied, to no
    use, even if something better stands on the other side.

    A Royal Decree never puts a card onto another. It can move neither itself nor a card to where it
    stands already; the top card of a taller stack may become a stack of its own on either side of
    it. If no card can be moved, the Decree is discarded. A card put before the Decree is not
    resolved this round, or not again; a card put behind it is, even if it was already.

    Cards beneath a Lord are not beside it.

    An Ambush springs when it is eliminated, and only then. Being moved, copied or spied on is
    nothing to it.

    When an attacker leaves its stack, be it that an Ambush took it or that it eliminated itself,
    the card it covered is resolved next.

    A stack that was passed is passed. What comes to light there waits for the next round.

    The tie-break counts every card of a family in the Queue, covered ones too. Players who are
    still tied share the victory.

    An Assassination may eliminate itself, and so may an Archer at an end of the Queue: that brings
    1, and the card is out.

    What everybody has seen stays known: a card that was revealed and then covered, the influence on
    it, the height of every stack and the owner of every card.

    After the last round everything is laid open: hands, set-aside and hidden cards.
    """
)

_VARIANTS: Final = [
    _section(
        "Two at the table, a variant",
        """
        This is not in the printed rules: two players, each with two of four families, which sit
        opposite each other, so that turns alternate.

        The four families play as if each had a player of its own. A family stacks on its own cards
        only, a Lord counts its own family only, and an Ambush strikes back at your other family as
        at any opponent's.

        You see what both of your families see. Whoever has more influence with both families
        together wins; a tie goes to whoever has more of their cards in the Queue; still tied, the
        victory is shared.
        """,
    ),
]


def rules_sections() -> list[Section]:
    """Return the whole rules, in the order in which one learns them."""
    cards = [
        _("{card} ({letter}): {text}").format(
            card=card_name(card), letter=card, text=card_help(card)
        )
        for card in CARDS
    ]
    rulings = [ruling(number) for number in range(1, len(_RULINGS) + 1)]
    return [
        *_translated(_BEFORE_THE_CARDS),
        Section(_("The ten cards"), cards),
        *_translated(_AFTER_THE_CARDS),
        *_translated(_VARIANTS),
        Section(_("Rulings"), rulings),
    ]


def ruling(number: int) -> str:
    """Return a ruling with its number, counted from 1."""
    return _("{number}. {ruling}").format(number=number, ruling=_(_RULINGS[number - 1]))


def rulings_on(card: Card) -> list[str]:
    """Return the rulings that concern a card."""
    return [ruling(number) for number in CARD_TEXTS[card].rulings]


def _translated(sections: list[Section]) -> list[Section]:
    return [
        Section(_(title), [_(paragraph) for paragraph in paragraphs])
        for title, paragraphs in sections
    ]
