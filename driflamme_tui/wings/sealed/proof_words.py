"""Builds sentences about the record of a sealed game, one for each fact."""

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.wings.sealed.sealed_words import deals_broken, what_happened
from driflamme_tui.wording.game.names import all_of, card_name, family_name
from engine.cards import LEAVES, UNKNOWN
from engine.record import showable
from netcode.wings.sealed.game.proven_record import known_cards

if TYPE_CHECKING:
    from netcode.wings.sealed.game.game_log import SealedLog


def findings(log: "SealedLog") -> Iterator[str]:
    """Yield the facts of a record: the game's number and time, then a sentence for each seat.

    Convictions, the digits of the deal, voted steps and eliminated cards follow.
    """
    sealing = log.sealing.decoded
    began = time.strftime("%Y-%m-%d %H:%M", time.localtime(sealing.began))
    yield _("Game {n} of an evening, begun {when}.", n=sealing.game, when=began)
    yield from (_seat(log, seat) for seat in range(len(log.sealing.owners)))
    yield from convictions(log)
    yield _("The digits of the deal were {digits}.", digits=log.dealing.digits)
    if sealing.broken:
        yield deals_broken(len(sealing.broken))
    for entry in log.entries:
        if entry.author is None:
            n, missing = entry.decoded.n, log.voters(entry.decoded.n, entry.decoded.prev, None)
            text = (
                _("Step {n}: {voters} signed that {name}'s eliminated card was not shown.")
                if entry.due.struck
                else _("Step {n}: {voters} signed that {name} had not answered.")
            )
            name = log.sealing.decoded.seats[entry.decoded.seat].name
            yield text.format(n=n, name=showable(name), voters=_names(log, sorted(missing)))
            if n in log.withheld:
                yield _(
                    "Step {n}: {name}'s reveal came after the vote; it was held back.",
                    n=n,
                    name=showable(name),
                )
    known = known_cards(log)
    for seat, leaf, _gain in log.game.owed:
        card = known[seat][int(leaf)] if leaf in LEAVES else leaf
        name = showable(log.sealing.decoded.seats[seat].name)
        if card == UNKNOWN:
            yield _("{name}'s eliminated card was never shown.", name=name)
        else:
            yield _(
                "{name}'s eliminated card, shown later: {card}.", name=name, card=card_name(card)
            )
    yield _("This proves what these keys did. Only the digits read aloud show who held them.")


def convictions(log: "SealedLog") -> Iterator[str]:
    """Yield a sentence for each person who is proven to have cheated, with the kind of proof."""
    for reason, culprit in log.convictions:
        yield what_happened(reason, _names(log, [culprit]))


def _seat(log: "SealedLog", seat: int) -> str:
    """Return a sentence about a seat: its person, their key, and the proofs of their cards."""
    sealing = log.sealing
    sealed, owner = sealing.decoded.seats[seat], sealing.owners[seat]
    text = {
        "proven": _(
            "{who}: proven. All ten cards are those that were sealed, and no proof in this record"
            " is against them."
        ),
        "unproven": _("{who}: not proven. Not all cards were shown in the end."),
        "unfinished": _("{who}: unfinished. The game did not come to its end."),
        "cheated": _("{who}: cheated."),
    }[log.verdict(seat)]
    who = [showable(sealed.name), family_name(sealed.family)]
    if sealed.bot is not None:
        who.append(_("a bot on the machine of {name}", name=_names(log, [owner])))
    key = pgettext("of a player", "key {digits}", digits=sealing.keys[owner].hex()[:8])
    return text.format(who=", ".join([*who, key]))


def _names(log: "SealedLog", persons: Iterable[int]) -> str:
    return all_of([showable(log.sealing.names[person]) for person in persons])
