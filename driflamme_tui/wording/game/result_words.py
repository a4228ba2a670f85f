"""Describes the winner of a finished game and the reason for the victory."""

from collections.abc import Iterator, Sequence

from driflamme_tui.model.game_progress import ProgressStep, place
from driflamme_tui.text.i18n import _, comma_list, counted, ngettext, pgettext
from driflamme_tui.wording.game.names import all_of, card_name, family_name, spoken_names
from engine.cards import UNKNOWN
from engine.events import AmbushSprung, Eliminated, Gained, Revealed, Stole
from engine.position import cards_of
from engine.ranking import (
    Owner,
    Owners,
    each_alone,
    owner_of,
    ranking_of_owners,
    total,
    total_in_queue,
)
from engine.texts import Text
from engine.views import View


def headline(view: View, names: Sequence[str], owners: Owners | None = None) -> str:
    """Return the sentence that names the winner, or the players who share the victory.

    Args:
        view: The finished game.
        names: The players' names, by seat.
        owners: The owners of the seats; by default each player has one seat.
    """
    winners = ranking_of_owners(view, owners or each_alone(view.players))[0]
    winner = winners[0]
    n = total(view, winner)
    if len(winners) > 1:
        shared = [names[owner[0]] for owner in winners]
        return _("{names} share the victory with {n}", names=all_of(shared), n=n)
    if winner[0] in view.viewers:
        return _("You win with {n}!", n=n)
    return _("{name} wins with {n}", name=names[winner[0]], n=n)


def reason(view: View, names: Sequence[str], owners: Owners | None = None) -> str:
    """Return the reason for the victory: influence, the tie-break, or a shared victory.

    Players who have not opened all cards do not count. `headline` has the same arguments.
    """
    everybody = _shown(view, owners or each_alone(view.players))
    ranked = ranking_of_owners(view, everybody)
    winners, winner = ranked[0], ranked[0][0]
    best = total(view, winner)
    tied = [owner for owner in everybody if total(view, owner) == best]
    cards = total_in_queue(view, winner)
    if len(winners) > 1:
        return counted("Tied on influence, and on cards in the Queue too: {n} each.", cards)
    if len(tied) > 1:
        others = max(total_in_queue(view, owner) for owner in tied if owner != winner)
        return _(
            "Tied on influence with {best}; decided by own cards in the Queue: {n} to {others}.",
            best=best,
            n=cards,
            others=others,
        )
    seconds = ranked[1] if ranked[1:] else ()
    if not seconds:
        return _("Nobody else has shown all their cards.")
    if not total(view, seconds[0]):
        return _("Nobody else has any influence.")
    # A tie-break among the next players changes nothing about their influence.
    second = total(view, seconds[0])
    following = [owner for owner in everybody if total(view, owner) == second]
    return _(
        "{n} more than {name}; what still lies on cards does not count.",
        n=best - second,
        name=all_of(
            [
                pgettext("after: more than", "you") if owner[0] in view.viewers else names[owner[0]]
                for owner in following
            ]
        ),
    )


def tie_break(view: View, owner: Owner, everybody: Owners) -> str:
    """Return the reason why a player ranks above or below others with equal influence.

    Returns "" without a tie, or if the players share their place. A player who has not opened all
    cards is "unproven".
    """
    cards, n, shown = total_in_queue(view, owner), total(view, owner), _shown(view, everybody)
    if owner not in shown:
        return _("unproven")
    others = {total_in_queue(view, each) for each in shown if total(view, each) == n} - {cards}
    if not others:
        return ""
    # Compare with the nearest neighbour in the ranking, who decides the place.
    against = min(others, key=lambda other: abs(other - cards))
    return ngettext(
        "tie: {n} card in the Queue against {others}",
        "tie: {n} cards in the Queue against {others}",
        cards,
        others=against,
    )


def _shown(view: View, everybody: Owners) -> Owners:
    """Return the owners who opened all cards at the end.

    If nobody did, and before the end of the game, return all owners.
    """
    return (
        tuple(
            owner
            for owner in everybody
            if not view.over or all(UNKNOWN not in cards_of(view, seat) for seat in owner)
        )
        or everybody
    )


def players_line(families: str, names: Sequence[str], levels: Sequence[str] = ()) -> str:
    """Return the line with all players and their families.

    `levels` has the level of each seat's bot, and "" for a person; () leaves all levels out.
    """
    players = comma_list(
        f"{name} ({_with_level(family_name(family), level)})"
        for name, family, level in zip(names, families, levels or [""] * len(names), strict=True)
    )
    return _("At the table: {players}.", players=players)


def _with_level(family: str, level: str) -> str:
    return f"{family}, {level}" if level else family


def ranking_lines(
    view: View,
    names: Sequence[str],
    owners: Owners | None = None,
    levels: Sequence[str] = (),
) -> Iterator[str]:
    """Yield winner, reason and ranking of a finished game.

    `headline` explains the arguments; `levels` has the level of each seat's bot, and "" for a
    person.
    """
    yield headline(view, names, owners)
    yield reason(view, names, owners)
    yield from standing_lines(view, names, owners, levels)


def standing_lines(
    view: View,
    names: Sequence[str],
    owners: Owners | None = None,
    levels: Sequence[str] = (),
) -> Iterator[str]:
    """Yield the present ranking. `ranking_lines` has the same arguments."""
    place, everybody = 1, owners or each_alone(view.players)
    for shared in ranking_of_owners(view, everybody):
        for owner in shared:
            cards = total_in_queue(view, owner)
            line = ngettext(
                "{place}. {name} ({family}): {n} influence, {cards} card in the Queue",
                "{place}. {name} ({family}): {n} influence, {cards} cards in the Queue",
                cards,
                place=place,
                name=names[owner[0]],
                family=_with_level(_families(view, owner), levels[owner[0]] if levels else ""),
                n=total(view, owner),
                cards=cards,
            )
            tie = tie_break(view, owner, everybody)
            yield f"{line} ({tie})" if tie else line
        place += len(shared)


def _families(view: View, owner: Owner) -> str:
    """Return the families of a player; of two families, each with its influence."""
    named = [family_name(view.families[seat]) for seat in owner]
    if not owner[1:]:
        return named[0]
    return comma_list(f"{name} {view.pools[seat]}" for name, seat in zip(named, owner, strict=True))


def turning_point(
    step: ProgressStep, names: Sequence[str], families: str = "", owners: Owners | None = None
) -> tuple[str, str]:
    """Return one sentence about a turning point, and one about its effect on the ranking.

    Args:
        step: The turning point.
        names: The players' names, by seat.
        families: The family of each seat. It is needed where players have two families each.
        owners: The owners of the seats; by default each player has one seat.
    """
    everybody = owners or each_alone(len(step.after))
    seat = step.winner
    player = everybody.index(owner_of(everybody, seat))
    before, after = (
        [sum(pools[each] for each in own) for own in everybody]
        for pools in (step.before, step.after)
    )
    # An event belongs to one family, so name a player of two families by that family.
    sentence = _happened(step, spoken_names(families, names, owners))
    here, there = place(before, player), place(after, player)
    led, leads = (
        pools[player] - max(other for index, other in enumerate(pools) if index != player)
        for pools in (before, after)
    )
    if after.count(after[player]) > 1:
        moved: Text = "{name} ties for place {place}."
        if there == 1:
            moved = "{name} ties for 1st."
    elif led <= 0 < leads:
        moved = "{name} takes the lead."
    elif here != there:
        moved = "{name} moves from place {before} to {after}."
    elif led == leads:
        moved = "{name} stays in place {place}."
    elif leads > 0:
        moved = "{name} leads by {n} instead of {m}."
    else:
        moved = "{name} is {n} behind the leader instead of {m}."
    return sentence, _(
        moved, name=names[seat], before=here, place=there, after=there, n=abs(leads), m=abs(led)
    )


def _happened(step: ProgressStep, names: Sequence[str]) -> str:
    seat = step.winner
    what = {"round": step.round, "name": names[seat], "n": step.gain(seat)}
    match step.reason:
        case AmbushSprung(attacker=attacker):
            text = _("Round {round}: {attacker} runs into the Ambush of {name}, who gains {n}.")
            return text.format(**what, attacker=names[attacker])
        case Stole(victim=victim):
            text = _("Round {round}: {name} gains {n} and robs {victim}.")
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
