"""What decided a finished game, in words."""

from collections.abc import Sequence

from driflamme_tui.model.game_progress import ProgressStep, place
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import card_name, spoken_names
from engine.events import AmbushSprung, Eliminated, Gained, Revealed, Stole
from engine.ranking import Owners, each_alone, owner_of


def turning_point(
    step: ProgressStep, names: Sequence[str], families: str = "", owners: Owners | None = None
) -> tuple[str, str]:
    """Return what happened, in a sentence, and what it did to the ranking, in another.

    Args:
        step: What happened.
        names: Of the players, by seat.
        families: By seat; needed where players have two families each.
        owners: Who plays which seats; each plays one unless told.
    """
    everybody = owners or each_alone(len(step.after))
    seat = step.winner
    player = everybody.index(owner_of(everybody, seat))
    before, after = (
        [sum(pools[each] for each in own) for own in everybody]
        for pools in (step.before, step.after)
    )
    # Where a player has two families, what happened is told of the one that it happened to.
    told = _happened(step, spoken_names(families, names, owners))
    here, there = place(before, player), place(after, player)
    led, leads = (
        pools[player] - max(other for index, other in enumerate(pools) if index != player)
        for pools in (before, after)
    )
    if after.count(after[player]) > 1:
        moved = _("{name} ties for place {place}.")
        if there == 1:
            moved = _("{name} ties for 1st.")
    elif led <= 0 < leads:
        moved = _("{name} takes the lead.")
    elif here != there:
        moved = _("{name} goes from place {before} to {after}.")
    elif led == leads:
        moved = _("{name} stays in place {place}.")
    elif leads > 0:
        moved = _("{name} leads by {n} instead of {m}.")
    else:
        moved = _("{name} is {n} behind the leader instead of {m}.")
    return told, moved.format(
        name=names[seat], before=here, place=there, after=there, n=abs(leads), m=abs(led)
    )


def _happened(step: ProgressStep, names: Sequence[str]) -> str:
    seat = step.winner
    what = {"round": step.round, "name": names[seat], "n": step.gain(seat)}
    own = [event for event in step.events if getattr(event, "seat", None) == seat]
    # What tells most about it comes first.
    for kind in (AmbushSprung, Stole, Eliminated, Gained, Revealed):
        match next((event for event in own if isinstance(event, kind)), None):
            case AmbushSprung(attacker=attacker):
                text = _("Round {round}: {attacker} runs into the Ambush of {name}, who gains {n}.")
                return text.format(**what, attacker=names[attacker])
            case Stole(victim=victim):
                text = _("Round {round}: {name} gains {n}, robbing {victim}.")
                return text.format(**what, victim=names[victim])
            case Eliminated(victim=victim, victim_card=card):
                text = _("Round {round}: {name} eliminates {card} of {victim} and gains {n}.")
                if victim == seat:
                    text = _("Round {round}: {name} eliminates their own {card} and gains {n}.")
                return text.format(**what, card=card_name(card), victim=names[victim])
            case Gained(card=card) | Revealed(card=card):
                text = _("Round {round}: {name} gains {n} with {card}.")
                return text.format(**what, card=card_name(card))
    raise ValueError("a step that brought its winner nothing")
