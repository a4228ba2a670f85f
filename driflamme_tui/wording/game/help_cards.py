"""Each card's page of the help: an example, what if, and what the editions differ in."""

from typing import Final, NamedTuple

from driflamme_tui.text.i18n import NP_, _, pgettext
from engine.cards import Card
from engine.words import N_


class Played(NamedTuple):
    """A position and the action that is played there, as Blue sees it: an example to be drawn.

    What happens, and what the Queue is afterwards, is left to the rules' own code.
    """

    position: str
    action: str


EXAMPLES: Final[dict[Card, Played]] = {
    "A": Played("2 4 bA2 rs2,bA,gl *r3:APH:FLX:DMC,b5:SPH:FLX:DMC,g2:ASP:HFX:DMC", "x1"),
    "S": Played("2 4 bS2 rL,bS,gh1 *r3:ASP:HFX:DMC,b5:APH:FLX:DMC,g2:ASP:FLX:DMC", "x1"),
    "P": Played("2 4 bP2 rL,bP,gh1 *r3:ASP:HFX:DMC,b5:ASH:FLX:DMC,g2:ASP:FLX:DMC", "$r"),
    "H": Played("2 4 b?2 rL,bh1,gs *r3:ASP:HFX:DMC,b5:ASP:FLX:DMC,g2:APH:FLX:DMC", "!"),
    "F": Played("2 4 b?2 rH,bf1,gs *r3:ASP:FLX:DMC,b5:ASP:HLX:DMC,g2:APH:FLX:DMC", "!"),
    "L": Played("2 4 b?2 bS,bl1,gh *r3:ASP:HFL:XDMC,b5:APH:FXD:MC,g2:ASP:FLX:DMC", "!"),
    "X": Played("2 4 bX1 bX,rl,gh2 *r3:ASP:HFX:DMC,b5:ASP:HFL:DMC,g2:ASP:FLX:DMC", "x3"),
    "D": Played("2 4 bD2 rL,bD,gh1 *r3:ASP:HFX:DMC,b5:ASP:HFL:XMC,g2:ASP:FLX:DMC", "1>3"),
    "M": Played("2 4 rS2 bm2,rS,gh *r3:APH:FLX:DMC,b5:ASP:HFL:XDC,g2:ASP:FLX:DMC", "x1"),
    "C": Played("2 4 b?2 rL,bc3,gh *r3:ASP:HFX:DMC,b5:ASP:HFL:XDM,g2:ASP:FLX:DMC", "!"),
}

STACK_EXAMPLE: Final = Played(
    "2 4 b* rL,bh2,gs *r3:ASP:HFX:DMC,b5:ASLX:PFD:MC,g2:APHF:LXD:MC", "S^2"
)
AMBUSH_EXAMPLE: Final = Played(
    "2 4 bS2 rm1,bS/bl,gh *r3:ASP:HFL:XDC,b5:APH:FXD:MC,g2:ASP:FLX:DMC", "x1"
)

_OWN: Final = N_("Own cards?")
_STACK: Final = N_("In a stack?")
_COPIED: Final = N_("Copied?")
_AMBUSH: Final = N_("An Ambush?")
_ITSELF: Final = N_("Itself?")
_NOBODY: Final = N_("Nobody near?")
_TWO: Final = N_("Two of them?")
_POOL: Final = N_("An empty pool?")
_WHEN: Final = N_("And then?")
_EDITIONS: Final = N_("Editions")

_QUESTIONS: Final[dict[Card, tuple[tuple[str, str], ...]]] = {
    "A": (
        (_OWN, N_("It must shoot even if the first and the last card are both yours.")),
        (_ITSELF, N_("Standing at an end it may eliminate itself: +1 for you, and it is out.")),
        (_STACK, N_("Only the top card goes. What it covered is then first, or last.")),
        (_COPIED, N_("A Shapeshifter beside it shoots in the same way.")),
    ),
    "S": (
        (_OWN, N_("If all it can reach is yours, it must eliminate that.")),
        (_NOBODY, N_("Alone in the Queue it does nothing.")),
        (_STACK, N_("Only the top card goes. What it covered stands there then.")),
        (_COPIED, N_("A Shapeshifter strikes what is beside the Shapeshifter.")),
    ),
    "P": (
        (_OWN, N_("Your own family beside it may be chosen; then nothing changes.")),
        (_TWO, N_("Two neighbours of one family are one choice: you choose a player.")),
        (_POOL, N_("It gives nothing. What lies on cards is safe from the Spy.")),
        (_COPIED, N_("A Shapeshifter steals from the owners of the cards beside itself.")),
    ),
    "H": (
        (_TWO, N_("While two Heirs are face up and on top, neither brings anything.")),
        (_STACK, N_("Covered Heirs and face-down ones do not bother it.")),
        (_COPIED, N_("A Shapeshifter gains 2 too, unless another Shapeshifter is face up.")),
    ),
    "F": (
        (_NOBODY, N_("With no face-up Character beside it, no effect.")),
        (_TWO, N_("You choose one. Another Shapeshifter may be copied, to no effect.")),
        (_AMBUSH, N_("If it eliminates an opponent's Ambush, it is discarded itself.")),
    ),
    "L": (
        (_STACK, N_("What lies beneath the Lord itself never counts.")),
        (_COPIED, N_("A Shapeshifter counts the cards of its own family beside itself.")),
        (
            _EDITIONS,
            N_(
                "Of a stack beside it, the second edition counts the top card only, the first "
                "every card."
            ),
        ),
    ),
    "X": (
        (_OWN, N_("It may be your own card, though others are there.")),
        (_ITSELF, N_("It may even eliminate itself: that brings the same 1.")),
        (_STACK, N_("Only top cards are in reach, of stacks of any family.")),
        (_AMBUSH, N_("Its owner gains 4; your Assassination would be discarded anyway.")),
    ),
    "D": (
        (_OWN, N_("Any top card but itself, of any family, face up or face down.")),
        (_STACK, N_("The top of one may become a stack of its own right beside it.")),
        (
            _WHEN,
            N_(
                "Put down behind the Decree, a card is resolved this round, even again; before it, "
                "it is not."
            ),
        ),
    ),
    "M": (
        (_ITSELF, N_("Revealed, it loses what lies on it, gains 1 and is discarded.")),
        (_COPIED, N_("Being moved, copied or spied on does not spring it.")),
        (
            _EDITIONS,
            N_(
                "If your own card eliminates it: +1 in the second edition; in the first +2, "
                "and your card is discarded."
            ),
        ),
    ),
    "C": (
        (_NOBODY, N_("With nothing on it, it brings nothing.")),
        (_STACK, N_("While it is covered nothing more goes on it, and nothing is lost.")),
        (_ITSELF, N_("Eliminated, or never revealed, it brings nothing.")),
    ),
}

_IN_TWO_LINES: Final[dict[Card, str]] = {
    "A": NP_("effect, at most 60 signs", "Eliminates the first or the last card."),
    "S": NP_("effect, at most 60 signs", "Eliminates a card right beside it."),
    "P": NP_("effect, at most 60 signs", "Steals 1 from the owner of a card beside it."),
    "H": NP_("effect, at most 60 signs", "Gains 2, unless another Heir is face up."),
    "F": NP_("effect, at most 60 signs", "Copies a face-up Character beside it."),
    "L": NP_("effect, at most 60 signs", "Gains 1, and 1 for each of its family beside it."),
    "X": NP_("effect, at most 60 signs", "Eliminates any top card, then it is discarded."),
    "D": NP_("effect, at most 60 signs", "Moves any other top card, then it is discarded."),
    "M": NP_("effect, at most 60 signs", "+4 if an opponent eliminates it; the attacker goes."),
    "C": NP_("effect, at most 60 signs", "Pays twice the influence that lies on it."),
}


def what_if(card: Card) -> list[tuple[str, str]]:
    """Return questions about a card, each a word or two, with their answers."""
    return [(_(question), _(answer)) for question, answer in _QUESTIONS[card]]


def card_effect(card: Card) -> str:
    """Return what a card does in as few words as go on two lines of 30 columns."""
    return pgettext("effect, at most 60 signs", _IN_TWO_LINES[card])
