"""Contains the texts about single cards, in one table: a new card needs an entry here.

`prose/cards.md` has two to four sentences about each card. The texts here are only marked for
translation. The functions that return a text translate it. They are in this module, in `names`,
`help_pages` and `event_words` of this package, and in `prompts` and `study_words`. `engine.cards`
has the names of cards.
"""

from typing import Annotated, Final, NamedTuple

from msgspec import Struct

from driflamme_tui.text.i18n import _, pgettext, prose
from engine.cards import (
    AMBUSH,
    ARCHER,
    ASSASSINATION,
    CARD_NAMES,
    CHARACTERS,
    CONSPIRACY,
    HEIR,
    LORD,
    ROYAL_DECREE,
    SHAPESHIFTER,
    SOLDIER,
    SPY,
    Card,
)
from engine.texts import Text


class PictureExample(NamedTuple):
    """An example for a picture: a position, and an action of Blue in it.

    The rules compute the events and the position afterwards.
    """

    position: str
    action: str


class OfBoth(NamedTuple):
    """Two sentences: about an opponent's card, and about the reader's own card."""

    theirs: Text
    yours: Text


NOTHING_BESIDE: Final = OfBoth(
    "{who}'s {card} {position}: nothing beside it, nothing happens.",
    "Your {card} {position}: nothing beside it, nothing happens.",
)
"""The reason why a card that acts on its neighbours had no effect."""


NEVER_FORCED: Final = OfBoth("", "")
"""The value of `forced` for a card without a choice."""


class CardTexts(Struct, frozen=True):
    """The texts about one card."""

    mark: str
    """A sketch of the card's ability, four cells wide."""
    short_name: Annotated[Text, "card in 7 columns"]
    """The card's name in 7 columns. Its first four letters are also the name in 4 columns."""
    purpose: Annotated[Text, "purpose in 9 columns, 2 lines"]
    """The card's ability in two lines of 9 columns."""
    short_purpose: Annotated[Text, "purpose in 7 columns"]
    """The card's ability in 7 columns."""
    learnt: Text
    """The card's ability, for a reader who has just seen it; without a full stop."""
    effect: Annotated[Text, "effect, at most 60 signs"]
    """The card's ability in at most 60 characters."""
    summary: Text
    """The card's ability in one sentence of at most 75 columns."""
    what_if: tuple[tuple[Text, Text], ...]
    """Pairs of a question about the card, in one or two words, and its answer."""
    example: PictureExample
    """An example for the card's page of the help."""
    rulings: tuple[int, ...] = ()
    """The numbers of the rulings about the card."""
    asks: Text = ""
    """The question to the card's owner; "" for an ability without a choice."""
    waits: Text = ""
    """The question for everybody except the card's owner; "" for an ability without a choice."""
    forced: OfBoth = NEVER_FORCED
    """The reason why the ability had only one possible answer, for an ability with a choice."""
    idle: OfBoth = NOTHING_BESIDE
    """The reason why the ability had no possible answer."""


_OWN: Final[Text] = "Own cards?"
_STACK: Final[Text] = "In a stack?"
_COPIED: Final[Text] = "Copied?"
_MOVED: Final[Text] = "Moved?"
_AMBUSH: Final[Text] = "An Ambush?"
_ITSELF: Final[Text] = "Itself?"
_NOBODY: Final[Text] = "Nobody near?"
_TWO: Final[Text] = "Two of them?"
_POOL: Final[Text] = "Empty pool?"
_WHEN: Final[Text] = "And then?"
_EDITIONS: Final[Text] = "Editions"

CARD_TEXTS: Final[dict[Card, CardTexts]] = {
    ARCHER: CardTexts(
        mark="✕··✕",
        short_name="Archer",
        purpose="eliminate\nan end",
        short_purpose="x ends",
        learnt="eliminates the first or the last card",
        effect="Eliminates the first or the last card.",
        summary="Eliminates the first or the last card of the Queue.",
        what_if=(
            (_OWN, "It must shoot even if the first and the last card are both yours."),
            (_ITSELF, "Standing at an end it may eliminate itself: +1 for you, and it is out."),
            (_STACK, "Only the top card goes. What it covered is then first, or last."),
            (_COPIED, "A Shapeshifter beside it shoots in the same way."),
        ),
        example=PictureExample(
            "2 4 bA2 rs2,bA,gl *r3:APH:FLX:DMC,b5:SPH:FLX:DMC,g2:ASP:HFX:DMC", "x1"
        ),
        rulings=(1, 8, 11),
        asks="YOUR {card} AT {position} — eliminate the first or the last card",
        waits="{who} chooses: eliminate the first or the last card",
        forced=OfBoth(
            "{who}'s {card} {position}: only one card is at an end, so that one goes.",
            "Your {card} {position}: only one card is at an end, so that one goes.",
        ),
    ),
    SOLDIER: CardTexts(
        mark="‹✕›",
        short_name="Soldier",
        purpose="eliminate\nbeside it",
        short_purpose="x next",
        learnt="eliminates a card beside it",
        effect="Eliminates a card right beside it.",
        summary="Eliminates a card right beside it.",
        what_if=(
            (_OWN, "If it can reach only your own cards, it must eliminate one of them."),
            (_NOBODY, "Alone in the Queue it does nothing."),
            (_STACK, "Only the top card goes. What it covered stands there then."),
            (_COPIED, "A Shapeshifter strikes what is beside the Shapeshifter."),
        ),
        example=PictureExample(
            "2 4 bS2 rL,bS,gh1 *r3:ASP:HFX:DMC,b5:APH:FLX:DMC,g2:ASP:FLX:DMC", "x1"
        ),
        rulings=(1, 8),
        asks="YOUR {card} AT {position} — eliminate a neighbour",
        waits="{who} chooses: eliminate a neighbour of {position}",
        forced=OfBoth(
            "{who}'s {card} {position}: there is only one neighbour, so that one goes.",
            "Your {card} {position}: there is only one neighbour, so that one goes.",
        ),
    ),
    SPY: CardTexts(
        mark="‹$›",
        short_name="Spy",
        purpose="steal 1\nbeside it",
        short_purpose="steal 1",
        learnt="steals 1 from the owner of a neighbour",
        effect="Steals 1 from the owner of a card beside it.",
        summary="Steals 1 from the pool of a player who owns a neighbour.",
        what_if=(
            (_OWN, "You may choose your own family beside it; nothing changes then."),
            (_TWO, "Two neighbours of one family are one choice: you choose a player."),
            (_POOL, "It yields nothing. Influence on cards is safe from the Spy."),
            (_COPIED, "A Shapeshifter steals from the owners of the cards beside itself."),
        ),
        example=PictureExample(
            "2 4 bP2 rL,bP,gh1 *r3:ASP:HFX:DMC,b5:ASH:FLX:DMC,g2:ASP:FLX:DMC", "$r"
        ),
        rulings=(1, 3),
        asks="YOUR {card} AT {position} — steal 1 from whom?",
        waits="{who} chooses: steal from a neighbour of {position}",
        forced=OfBoth(
            (
                "{who}'s {card} {position}: only one player has cards beside it, so that one is "
                "chosen."
            ),
            "Your {card} {position}: only one player has cards beside it, so that one is chosen.",
        ),
    ),
    HEIR: CardTexts(
        mark="+2",
        short_name="Heir",
        purpose="+2 if no\nother up",
        short_purpose="+2 solo",
        learnt="gains 2, if no other Heir is face up",
        effect="Gains 2, unless another Heir is face up.",
        summary="Gains 2, unless another Heir is face up on top of its stack.",
        what_if=(
            (_TWO, "While two Heirs are face up and on top, neither brings anything."),
            (_STACK, "Covered Heirs and face-down ones do not matter."),
            (_COPIED, "A Shapeshifter gains 2 too, unless another Shapeshifter is face up."),
        ),
        example=PictureExample(
            "2 4 b?2 rL,bh1,gs *r3:ASP:HFX:DMC,b5:ASP:FLX:DMC,g2:APH:FLX:DMC", "!"
        ),
        rulings=(4,),
    ),
    SHAPESHIFTER: CardTexts(
        mark="‹~›",
        short_name="Shifter",
        purpose="copy one\nbeside it",
        short_purpose="copies",
        learnt="does what a Character beside it does",
        effect="Copies a face-up Character beside it.",
        summary="Copies one face-up Character beside it, for this time only.",
        what_if=(
            (_NOBODY, "With no face-up Character beside it, no effect."),
            (_TWO, "You choose one. Another Shapeshifter may be copied, to no effect."),
            (_AMBUSH, "If it eliminates an opponent's Ambush, it is discarded itself."),
        ),
        example=PictureExample(
            "2 4 b?2 rH,bf1,gs *r3:ASP:FLX:DMC,b5:ASP:HLX:DMC,g2:APH:FLX:DMC", "!"
        ),
        rulings=(1, 4),
        asks="YOUR {card} AT {position} — copy which neighbour?",
        waits="{who} chooses: copy a neighbour of {position}",
        forced=OfBoth(
            "{who}'s {card} {position}: only one Character can be copied, so that one is.",
            "Your {card} {position}: only one Character can be copied, so that one is.",
        ),
        idle=OfBoth(
            "{who}'s {card} {position}: no face-up Character beside it, nothing happens.",
            "Your {card} {position}: no face-up Character beside it, nothing happens.",
        ),
    ),
    LORD: CardTexts(
        mark="+1‹›",
        short_name="Lord",
        purpose="+1, +1 by\neach kin",
        short_purpose="+1 +kin",
        learnt="gains 1, and 1 for each own neighbour",
        effect="Gains 1, and 1 for each of its family beside it.",
        summary="Gains 1, and 1 more for each neighbour of its own family.",
        what_if=(
            (_STACK, "What lies beneath the Lord itself never counts."),
            (_COPIED, "A Shapeshifter counts the cards of its own family beside itself."),
            (
                _EDITIONS,
                (
                    "Of a stack beside it, the second edition counts the top card only, the "
                    "first every card."
                ),
            ),
        ),
        example=PictureExample(
            "2 4 b?2 bS,bl1,gh *r3:ASP:HFL:XDMC,b5:APH:FXD:MC,g2:ASP:FLX:DMC", "!"
        ),
        rulings=(6,),
    ),
    ASSASSINATION: CardTexts(
        mark="·✕·",
        short_name="Assass.",
        purpose="eliminate\nany card",
        short_purpose="x any",
        learnt="eliminates any card, once",
        effect="Eliminates any top card, then it is discarded.",
        summary="Eliminates any top card, itself included, and is then discarded.",
        what_if=(
            (_OWN, "It may be your own card, even when others could be chosen."),
            (_ITSELF, "It may even eliminate itself: that brings the same 1."),
            (_STACK, "Only top cards are in reach, of stacks of any family."),
            (_AMBUSH, "Its owner gains 4; your Assassination would be discarded anyway."),
        ),
        example=PictureExample(
            "2 4 bX1 bX,rl,gh2 *r3:ASP:HFX:DMC,b5:ASP:HFL:DMC,g2:ASP:FLX:DMC", "x3"
        ),
        rulings=(1, 8, 11),
        asks="YOUR {card} AT {position} — eliminate any card, even itself",
        waits="{who} chooses: eliminate any card",
        forced=OfBoth(
            "{who}'s {card} {position}: only itself is in reach, so it goes.",
            "Your {card} {position}: only itself is in reach, so it goes.",
        ),
    ),
    ROYAL_DECREE: CardTexts(
        mark="·→·",
        short_name="Decree",
        purpose="move any\none card",
        short_purpose="moves 1",
        learnt="moves any card, once",
        effect="Moves any other top card, then it is discarded.",
        summary="Moves any other top card to another place, never onto a card.",
        what_if=(
            (_OWN, "Any top card but itself, of any family, face up or face down."),
            (_STACK, "The top card of a stack may become a stack of its own right beside it."),
            (
                _WHEN,
                (
                    "Placed after the Decree, a card is resolved this round, even a second time; "
                    "placed before it, it is not."
                ),
            ),
        ),
        example=PictureExample(
            "2 4 bD2 rL,bD,gh1 *r3:ASP:HFX:DMC,b5:ASP:HFL:XMC,g2:ASP:FLX:DMC", "1>3"
        ),
        rulings=(1, 5),
        asks="YOUR {card} AT {position} — move which card?",
        waits="{who} chooses: move a card",
        forced=OfBoth(
            "{who}'s {card} {position}: only one move is possible, so it is made.",
            "Your {card} {position}: only one move is possible, so it is made.",
        ),
        idle=OfBoth(
            "{who}'s {card} {position}: no other card to move, nothing happens.",
            "Your {card} {position}: no other card to move, nothing happens.",
        ),
    ),
    AMBUSH: CardTexts(
        mark="!+4",
        short_name="Ambush",
        purpose="+4 when\nattacked",
        short_purpose="trap +4",
        learnt="brings 4 if an opponent eliminates it",
        effect="+4 if an opponent eliminates it; the attacker goes.",
        summary="Gains 4, and takes the attacker along, when an opponent eliminates it.",
        what_if=(
            (_ITSELF, "Revealed, it loses what lies on it, gains 1 and is discarded."),
            (_MOVED, "Being moved or spied on does not spring it."),
            (
                _EDITIONS,
                (
                    "If your own card eliminates it: +1 in the second edition; in the first +2, "
                    "and your card is discarded."
                ),
            ),
        ),
        example=PictureExample(
            "2 4 rS2 bm2,rS,gh *r3:APH:FLX:DMC,b5:ASP:HFL:XDC,g2:ASP:FLX:DMC", "x1"
        ),
        rulings=(7, 8),
    ),
    CONSPIRACY: CardTexts(
        mark="×2",
        short_name="Conspi.",
        purpose="tokens\npay twice",
        short_purpose="x2 inf",
        learnt="pays twice what lies on it, once",
        effect="Pays twice the influence that lies on it.",
        summary="Pays twice the influence that lies on it.",
        what_if=(
            (_NOBODY, "With nothing on it, it brings nothing."),
            (_STACK, "While it is covered it gathers nothing and loses nothing."),
            (_ITSELF, "Eliminated, or never revealed, it brings nothing."),
        ),
        example=PictureExample(
            "2 4 b?2 rL,bc3,gh *r3:ASP:HFX:DMC,b5:ASP:HFL:XDM,g2:ASP:FLX:DMC", "!"
        ),
    ),
}


def card_summary(card: Card) -> str:
    """Return a card's effect in one sentence of at most 75 columns (in English)."""
    return _(CARD_TEXTS[card].summary)


def card_help(card: Card) -> str:
    """Return the help on a card, in two to four sentences."""
    (text,) = prose("cards")[CARD_NAMES[card]]
    return _(text)


def card_effect(card: Card) -> str:
    """Return a card's effect in at most 60 characters."""
    return pgettext("effect, at most 60 signs", CARD_TEXTS[card].effect)


def what_if(card: Card) -> list[tuple[str, str]]:
    """Return pairs of a question about a card, in one or two words, and its answer."""
    return [(_(question), _(answer)) for question, answer in CARD_TEXTS[card].what_if]


def card_kind(card: Card) -> str:
    """Return the name of a card's kind: Character or Intrigue."""
    return _("Character") if card in CHARACTERS else _("Intrigue")
