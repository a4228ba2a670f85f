"""Who won a finished game, and why, in words."""

from collections.abc import Iterator, Sequence

from driflamme_tui.i18n import _, ngettext
from driflamme_tui.wording.events import TableNames
from driflamme_tui.wording.names import family_name
from engine.position import cards_in_queue, ranking
from engine.view import View


def headline(view: View, names: Sequence[str]) -> str:
    """Return who won."""
    winners = ranking(view)[0]
    if len(winners) > 1:
        shared = [names[seat] for seat in winners]
        return _("{names} and {last} share the victory with {n}").format(
            names=", ".join(shared[:-1]), last=shared[-1], n=view.pools[winners[0]]
        )
    winner = winners[0]
    if winner == view.viewer:
        return _("You win with {n}!").format(n=view.pools[winner])
    return _("{name} wins with {n}").format(name=names[winner], n=view.pools[winner])


def reason(view: View, names: Sequence[str]) -> str:
    """Return why: by influence, by the tie-break, or shared."""
    winners = ranking(view)[0]
    best = view.pools[winners[0]]
    tied = [seat for seat in range(view.players) if view.pools[seat] == best]
    cards = cards_in_queue(view, winners[0])
    if len(winners) > 1:
        return ngettext(
            "Tied on influence, and on cards in the Queue too: {n} each.",
            "Tied on influence, and on cards in the Queue too: {n} each.",
            cards,
        ).format(n=cards)
    if len(tied) > 1:
        others = max(cards_in_queue(view, seat) for seat in tied if seat != winners[0])
        return _(
            "Tied on influence with {best}; {n} own cards in the Queue against {others} decide."
        ).format(best=best, n=cards, others=others)
    second = max(range(view.players), key=lambda seat: view.pools[seat] * (seat != winners[0]))
    if second == winners[0]:
        return _("Nobody else has any influence.")
    lead = best - view.pools[second]
    return _("{n} more than {name}; what still lies on cards does not count.").format(
        n=lead, name=names[second]
    )


def players_line(table: TableNames) -> str:
    """Return who plays which family."""
    players = ", ".join(
        f"{name} ({family_name(family)})"
        for name, family in zip(table.names, table.families, strict=True)
    )
    return _("At the table: {players}.").format(players=players)


def ranking_lines(view: View, names: Sequence[str]) -> Iterator[str]:
    """Yield who won, why, and the ranking of a finished game."""
    yield headline(view, names)
    yield reason(view, names)
    place = 1
    for seats in ranking(view):
        for seat in seats:
            yield ngettext(
                "{place}. {name} ({family}): {n} influence, {cards} card in the Queue",
                "{place}. {name} ({family}): {n} influence, {cards} cards in the Queue",
                cards_in_queue(view, seat),
            ).format(
                place=place,
                name=names[seat],
                family=family_name(view.families[seat]),
                n=view.pools[seat],
                cards=cards_in_queue(view, seat),
            )
        place += len(seats)
