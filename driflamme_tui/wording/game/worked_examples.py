"""Contains the worked examples of the rules: a position, one action in it, and the rule.

The rules' own code plays an example whenever it is shown, so an example always agrees with the
game. The help draws examples, and `driflamme rules` prints them in the notation.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from driflamme_tui.text.i18n import _, comma_list, language
from driflamme_tui.wording.game.card_texts import PictureExample
from driflamme_tui.wording.game.event_words import event_sentence, table_names
from driflamme_tui.wording.game.names import card_name, family_name
from engine.actions import Action
from engine.cards import (
    AMBUSH,
    ARCHER,
    ASSASSINATION,
    CARDS,
    CONSPIRACY,
    FAMILIES,
    HEIR,
    LORD,
    ROYAL_DECREE,
    SHAPESHIFTER,
    SOLDIER,
    SPY,
    Card,
)
from engine.events import Event, Forced
from engine.notation import format_position, parse_action, parse_position
from engine.texts import Text
from engine.views import View, project, view

READER: Final = "b"
"""The family of the player who sees the examples."""


class WorkedExample(NamedTuple):
    """An example of a rule that is easily missed."""

    shows: Text
    """The rule, in one sentence."""
    cards: tuple[Card, ...]
    """The cards that the rule is about."""
    played: PictureExample


WORKED_EXAMPLES: Final = (
    WorkedExample(
        "An Ambush takes the attacker along. The card that the attacker covered is resolved next.",
        (AMBUSH, SOLDIER),
        PictureExample("2 4 bS2 rm1,bS/bl,gh *r3:ASP:HFL:XDC,b5:APH:FXD:MC,g2:ASP:FLX:DMC", "x1"),
    ),
    WorkedExample(
        "A Shapeshifter that copies an Heir gains 2, even beside two Heirs: only another"
        " Shapeshifter would stop it.",
        (SHAPESHIFTER, HEIR),
        PictureExample("2 4 bF2 rH,bF,gH,rs *r3:APF:LXD:MC,b5:ASP:HLX:DMC,g2:ASP:FLX:DMC", "~1"),
    ),
    WorkedExample(
        "A Shapeshifter that strikes an Ambush as a Soldier is discarded itself; the Soldier"
        " stays.",
        (SHAPESHIFTER, AMBUSH),
        PictureExample("2 4 bS2 gS,bF,rm2,rh *r3:ASP:FLX:DC,b5:ASP:HLX:DMC,g2:APH:FLX:DMC", "x3"),
    ),
    WorkedExample(
        "A card that a Royal Decree puts after itself is resolved this round, even a second time.",
        (ROYAL_DECREE, HEIR),
        PictureExample("2 4 bD2 bH,bD,gs,rl *r3:ASP:HFX:DMC,b5:ASP:FLX:MC,g2:APH:FLX:DMC", "1>2"),
    ),
    WorkedExample(
        "A Lord beside a stack of its family, second edition: only the top card counts.",
        (LORD,),
        PictureExample("2 4 b?2 bs/bP,bl1,gh *r3:ASP:HFX:LDMC,b5:AHF:XDM:C,g2:ASP:FLX:DMC", "!"),
    ),
    WorkedExample(
        "The same Lord in the first edition: every card of the stack counts.",
        (LORD,),
        PictureExample("1 4 b?2 bs/bP,bl1,gh *r3:ASP:HFX:LDMC,b5:AHF:XDM:C,g2:ASP:FLX:DMC", "!"),
    ),
    WorkedExample(
        "Your own card eliminates your own Ambush, second edition: you gain 1, and your card"
        " stays.",
        (AMBUSH,),
        PictureExample("2 4 bS2 bm2,bS,gh *r3:ASP:HFX:LDMC,b5:APH:FLX:DC,g2:ASP:FLX:DMC", "x1"),
    ),
    WorkedExample(
        "The same in the first edition: you gain 1 more, and your card is discarded.",
        (AMBUSH,),
        PictureExample("1 4 bS2 bm2,bS,gh *r3:ASP:HFX:LDMC,b5:APH:FLX:DC,g2:ASP:FLX:DMC", "x1"),
    ),
    WorkedExample(
        "A Spy between two cards of one family has one choice, so the game does not ask.",
        (SPY,),
        PictureExample("2 4 b?2 rL,bp1,rs,gh *r3:APH:FXD:MC,b5:ASH:FLX:DMC,g2:ASP:FLX:DMC", "!"),
    ),
    WorkedExample(
        "An Assassination may eliminate itself: that brings 1, and the card beneath it is resolved"
        " next.",
        (ASSASSINATION, CONSPIRACY),
        PictureExample("2 4 bX1 bX/bc3,rl,gh *r3:ASP:HFX:DMC,b5:ASP:HFL:DM,g2:ASP:FLX:DMC", "x1"),
    ),
    WorkedExample(
        "An Archer at an end may eliminate itself, too.",
        (ARCHER,),
        PictureExample("2 4 bA3 rl1,gs,bA/bh1 *r3:ASP:HFX:DMC,b5:SPF:LXD:MC,g2:APH:FLX:DMC", "x3"),
    ),
    WorkedExample(
        "A card uncovered in a stack that has been resolved waits for the next round.",
        (SOLDIER, HEIR),
        PictureExample("2 4 bS2 rl1/rH,bS,gh *r3:ASP:FXD:MC,b5:APH:FLX:DMC,g2:ASP:FLX:DMC", "x1"),
    ),
)
"""The examples, in the order in which they are shown."""


class PlayedExample(Struct, frozen=True):
    """An example with its result and its events."""

    action: Action
    before: View
    after: View
    sentences: tuple[str, ...]
    queue_before: str
    """The Queue in the notation, with all cards open."""
    queue_after: str


def play_example(played: PictureExample) -> PlayedExample:
    """Play an example, and describe its events."""
    return _played(played, language())


@lru_cache(maxsize=64)
def _played(played: PictureExample, reading_language: str) -> PlayedExample:
    game = parse_position(played.position)
    reader = game.seat_of(READER)
    action = parse_action(played.action)
    events: list[Event] = []
    result = game.play(action, events)
    after = view(result, reader)
    names = [family_name(family) for family in game.families]
    table = table_names(after, names)
    sentences = tuple(
        event_sentence(project(event, reader), table)
        for event in events
        if not isinstance(event, Forced)
    )
    queues = (_queue(played.position), _queue(format_position(result)))
    return PlayedExample(action, view(game, reader), after, sentences, *queues)


def _queue(position: str) -> str:
    """Return the Queue of a position in the notation."""
    return position.split()[3].replace(",", " ")


def examples_of(card: Card) -> list[WorkedExample]:
    """Return the examples about a card."""
    return [each for each in WORKED_EXAMPLES if card in each.cards]


def how_examples_are_written() -> list[str]:
    """Return the paragraphs that explain the notation of printed examples."""
    return [
        _(
            "You are Blue; all cards are shown. A card is written as the letter of its family and"
            " its own letter, a capital if it is face up, then the influence on it. / separates"
            " the cards of a stack, the top card first."
        ),
        comma_list(
            [f"{family} {family_name(family)}" for family in FAMILIES[:3]]
            + [f"{card} {card_name(card)}" for card in CARDS]
        ),
        _(
            "! reveals your card, x1 eliminates the card at position 1, ~1 copies it, and 1>2 moves"
            " it to position 2."
        ),
    ]


def printed_example(example: WorkedExample) -> list[str]:
    """Return an example as lines: rule, Queue before, action with its events, Queue after."""
    played = play_example(example.played)
    return [
        _(example.shows),
        _("Before: {queue}", queue=played.queue_before),
        f"{example.played.action}  {'. '.join(played.sentences)}.",
        _("After: {queue}", queue=played.queue_after),
    ]
