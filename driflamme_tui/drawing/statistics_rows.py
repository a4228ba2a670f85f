"""Statistics as rows of words and small charts, the same for the command line and the screen.

A row is made of spans, each with a role instead of a colour; a `Section` makes its rows for any
width that it is given, and `arranged` puts sections beside and below each other. Nothing here
knows Textual, or where games are kept.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from rich.cells import cell_len

from driflamme_tui.text.cell_widths import bar, steady, wrapped
from driflamme_tui.text.i18n import _, counted, ngettext, pgettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.choices.answer_words import percent
from driflamme_tui.wording.game.names import card_name, card_name_for, short_bot_name
from driflamme_tui.wording.program.history_words import (
    format_words,
    moment_words,
)
from engine.arena.rating import Rating
from engine.statistics import CardFigures, Statistics, Tally
from netcode.protocol.messages import League, LeagueRow
from netcode.storage.past_evenings import PastEvening

Role: TypeAlias = Literal["plain", "bold", "mute", "heading"]
"""What a span is, instead of a colour: one of the inks of a `Canvas`."""


class Span(NamedTuple):
    """A piece of a row."""

    text: str
    role: Role = "plain"


StatisticsRow: TypeAlias = tuple[Span, ...]


class StatisticsSection(Struct, frozen=True):
    """Something told of the statistics, under a title."""

    title: str
    least: int
    """Columns that it needs beside another section."""
    make: Callable[[int], Sequence[StatisticsRow]]
    """Returns the section's rows in so many columns."""

    def rows(self, width: int) -> list[StatisticsRow]:
        """Return its title and its rows."""
        return [(Span(self.title, "heading"),), *self.make(width)]


GAP: Final = 3
"""Columns between two sections that stand side by side."""

COLUMN_GAP: Final = 2
"""Columns between two columns of a table."""

LEAST_BAR: Final = 8
"""Columns below which a bar beside a table shows nothing."""
WIDEST_BAR: Final = 40
"""Columns of the longest bar."""

NAME_COLUMNS: Final = (20, 7, 4)
"""Columns for a card's name, the best first."""

TELLING: Final = 5
"""Finished games below which figures are mostly luck."""

CHART_ROWS: Final = 4
"""Rows of the chart of the last games."""


def sections(statistics: Statistics, glyphs: Glyphs) -> list[StatisticsSection]:
    """Return everything there is to tell, the most asked for first; nothing without a game."""
    if not statistics.total.games:
        return []
    return [
        StatisticsSection(_("YOUR GAMES"), 34, lambda width: _overview(statistics, glyphs)),
        StatisticsSection(_("PLACES"), 30, lambda width: _places(statistics, width, glyphs)),
        StatisticsSection(_("LAST GAMES"), 40, lambda width: _course(statistics, width, glyphs)),
        StatisticsSection(_("BY TABLE"), 66, lambda width: _tables(statistics, width, glyphs)),
        StatisticsSection(_("RECORDS"), 46, lambda width: _records(statistics, width)),
        StatisticsSection(_("BY CARD"), 72, lambda width: _cards(statistics, width, glyphs)),
    ]


def evenings_section(evenings: Sequence[PastEvening], glyphs: Glyphs) -> StatisticsSection:
    """Return what was played together one game after the other, and who stood best."""
    return StatisticsSection(_("EVENINGS"), 60, lambda width: _evenings(evenings, width, glyphs))


def ratings_section(
    ratings: Sequence[Rating[tuple[str, bool]]], glyphs: Glyphs
) -> StatisticsSection:
    """Return how strong people and bots have shown themselves to be."""
    return StatisticsSection(_("RATINGS"), 46, lambda width: _ratings(ratings, width, glyphs))


def arranged(told: Sequence[StatisticsSection], width: int) -> list[list[StatisticsRow]]:
    """Return blocks of rows, to stand one below the other in so many columns.

    Sections stand side by side where each has what it needs.
    """
    blocks: list[list[StatisticsRow]] = []
    line: list[StatisticsSection] = []
    for section in told:
        if line and sum(each.least + GAP for each in line) + section.least > width:
            blocks.append(_beside(line, width))
            line = []
        line.append(section)
    if line:
        blocks.append(_beside(line, width))
    return blocks


def text_of(row: StatisticsRow) -> str:
    """Return a row without its roles."""
    return "".join(span.text for span in row)


def _beside(line: Sequence[StatisticsSection], width: int) -> list[StatisticsRow]:
    """Return sections side by side; the room beyond what they need is shared out."""
    spare = max(0, width - sum(each.least for each in line) - GAP * (len(line) - 1))
    widths = [min(width, each.least + spare // len(line)) for each in line]
    made = [each.rows(room) for each, room in zip(line, widths, strict=True)]
    rows: list[StatisticsRow] = []
    for number in range(max(map(len, made))):
        row: list[Span] = []
        for rows_of_one, room in zip(made, widths, strict=True):
            if row:
                row.append(Span(" " * GAP))
            own = rows_of_one[number] if number < len(rows_of_one) else ()
            row += own
            row.append(Span(" " * max(0, room - cell_len(text_of(own)))))
        rows.append(_trimmed(row))
    return rows


def _in_rows(text: str, width: int, role: Role = "mute") -> list[StatisticsRow]:
    """Return a text broken into rows."""
    return [(Span(line, role),) for line in wrapped(text, width, width)]


def _trimmed(row: list[Span]) -> StatisticsRow:
    while row and not row[-1].text.strip():
        row.pop()
    return tuple(row)


def decimal(value: float | None, glyphs: Glyphs) -> str:
    """Return a number with one decimal, or a dash for none."""
    if value is None:
        return glyphs.dash
    return f"{value:.1f}".replace(".", pgettext("decimal sign", "."))


def _overview(statistics: Statistics, glyphs: Glyphs) -> list[StatisticsRow]:
    total = statistics.total
    pairs: list[tuple[str, str, Role]] = [
        (_("finished games"), str(total.games), "bold"),
        (_("won"), str(total.wins), "bold"),
    ]
    if total.shared:
        pairs.append((_("of these, shared"), str(total.shared), "plain"))
    pairs += [
        (
            _("victories, shared in fractions"),
            percent(total.share / total.games),
            "bold",
        ),
        (_("if all were equally good"), percent(total.expected / total.games), "plain"),
        (_("influence on average"), decimal(total.average_influence, glyphs), "bold"),
        (_("place on average"), decimal(total.average_place, glyphs), "plain"),
        (_("most victories in a row"), str(max(statistics.streaks)), "plain"),
    ]
    if total.games < TELLING:
        pairs.append((_("games until this is meaningful"), str(TELLING - total.games), "plain"))
    if statistics.streaks[-1] > 1:
        pairs.append((_("victories in a row now"), str(statistics.streaks[-1]), "plain"))
    if statistics.unfinished:
        pairs.append((_("broken off, not counted"), str(statistics.unfinished), "plain"))
    if statistics.unreadable:
        pairs.append((_("damaged, not counted"), str(statistics.unreadable), "plain"))
    widest = max(cell_len(label) for label, _value, _role in pairs)
    return [
        (
            Span(label, "mute"),
            Span(" " * (widest - cell_len(label) + COLUMN_GAP + 4 - len(value))),
            Span(value, role),
        )
        for label, value, role in pairs
    ]


def _places(statistics: Statistics, width: int, glyphs: Glyphs) -> list[StatisticsRow]:
    most = max(kind.players for kind in statistics.kinds)
    counts = [
        sum(result.place == place for result in statistics.results) for place in range(1, most + 1)
    ]
    digits = len(str(max(counts)))
    room = min(WIDEST_BAR, width - 3 - digits - 1)
    return [
        (
            Span(f"{place}. ", "bold" if place == 1 else "mute"),
            Span(f"{count:>{digits}} "),
            Span(bar(count, max(counts), room, glyphs), "plain" if place == 1 else "mute"),
        )
        for place, count in enumerate(counts, 1)
    ]


def _course(statistics: Statistics, width: int, glyphs: Glyphs) -> list[StatisticsRow]:
    """Draw the influence of the last games as columns, and under them which were won."""
    axis = 3
    step = 2 if 2 * len(statistics.results) <= width - axis else 1
    last = statistics.results[-((width - axis) // step) :]
    top = max(1, *(result.influence for result in last), 1)
    parts = len(glyphs.upwards) - 1
    gap = " " * (step - 1)
    rows: list[StatisticsRow] = []
    for row in range(CHART_ROWS):
        cells: list[Span] = [Span(f"{top:>{axis - 1}} " if row == 0 else " " * axis, "mute")]
        below = (CHART_ROWS - 1 - row) * parts
        for result in last:
            units = round(result.influence / top * CHART_ROWS * parts)
            units = max(units, 1 if result.influence else 0)
            sign = glyphs.upwards[max(0, min(parts, units - below))]
            cells.append(Span(sign + gap, "plain" if result.won else "mute"))
        rows.append(_trimmed(cells))
    marks = "".join((glyphs.won if result.won else " ") + gap for result in last).rstrip()
    rows.append((Span(f"{0:>{axis - 1}} ", "mute"), Span(marks, "bold")))
    note = _("influence, the latest on the right; {won} won", won=glyphs.won)
    return rows + _in_rows(note, width)


def _tables(statistics: Statistics, width: int, glyphs: Glyphs) -> list[StatisticsRow]:
    kinds = statistics.kinds.items()
    tallies = statistics.kinds.values()
    columns = [
        (pgettext("column", "players"), [str(kind.players) for kind, _tally in kinds]),
        (pgettext("column", "edition"), [str(kind.edition) for kind, _tally in kinds]),
        (pgettext("column", "games"), [str(each.games) for each in tallies]),
        (pgettext("column", "won"), [str(each.wins) for each in tallies]),
        (
            pgettext("column", "influence"),
            [decimal(each.average_influence, glyphs) for each in tallies],
        ),
        (pgettext("column", "place"), [decimal(each.average_place, glyphs) for each in tallies]),
        (pgettext("column", "share"), [percent(each.share / each.games) for each in tallies]),
    ]
    room, rows = _table(columns, width)
    if room < LEAST_BAR:
        return rows
    room = min(room, WIDEST_BAR)
    for number, tally in enumerate(tallies, 1):
        rows[number] += tuple(_share_bar(tally, room, glyphs))
    legend = _("{mark} in a bar: as many as if all players were equally good")
    return rows + _in_rows(legend.format(mark=glyphs.divider), width)


def _share_bar(tally: Tally, room: int, glyphs: Glyphs) -> Iterator[Span]:
    """Draw a share of victories, and in it a mark for what it would be among equals."""
    drawn = bar(tally.share / tally.games, 1, room, glyphs).ljust(room)
    mark = min(room - 1, round(tally.expected / tally.games * room))
    yield Span(" " * COLUMN_GAP)
    yield Span(drawn[:mark], "plain")
    yield Span(glyphs.divider, "mute")
    yield Span(drawn[mark + 1 :].rstrip(), "plain")


def _cards(statistics: Statistics, width: int, glyphs: Glyphs) -> list[StatisticsRow]:
    cards, figures = list(statistics.cards), list(statistics.cards.values())
    columns = [
        (pgettext("column", "placed"), [str(each.placed) for each in figures]),
        (pgettext("column", "revealed"), [str(each.revealed) for each in figures]),
        (pgettext("column", "struck"), [str(each.eliminated) for each in figures]),
        (pgettext("column", "influence"), [str(each.influence) for each in figures]),
        (pgettext("column", "each"), [decimal(each.each, glyphs) for each in figures]),
    ]
    tried = [
        _table([("", [card_name_for(card, longest) for card in cards]), *columns], width)
        for longest in NAME_COLUMNS
    ]
    # A bar says more than the whole of a name, but not more than half of one.
    fitting = [each for each in tried[:-1] if each[0] >= LEAST_BAR]
    fitting += [each for each in tried if each[0] + COLUMN_GAP >= 0]
    room, rows = (fitting or tried[-1:])[0]
    if room >= LEAST_BAR:
        room = min(room, WIDEST_BAR)
        top = max((each.each or 0 for each in figures), default=0)
        for number, each in enumerate(figures, 1):
            rows[number] += tuple(_card_bar(each, top, room, glyphs))
        legend = _(
            "Average per time placed: {gained} by abilities, {banked} that lay on it.",
            gained=glyphs.across[-1],
            banked=glyphs.shade,
        )
    else:
        legend = _("Each: influence for each time that it was placed.")
    legend = f"{legend} {_('Struck: eliminated by others.')}"
    return rows + _in_rows(legend, width)


def _card_bar(figures: CardFigures, top: float, room: int, glyphs: Glyphs) -> Iterator[Span]:
    """Draw what a card brought each time: what its ability did, and then what lay on it."""
    if not figures.influence or not figures.placed:
        return
    gained = round(figures.gained / figures.placed / top * room)
    whole = max(1, round(figures.influence / figures.placed / top * room))
    yield Span(" " * COLUMN_GAP)
    yield Span(glyphs.across[-1] * gained, "plain")
    yield Span(glyphs.shade * (whole - gained), "mute")


def _records(statistics: Statistics, width: int) -> list[StatisticsRow]:
    sentences = []
    best, bank, spring = statistics.best, statistics.longest_bank, statistics.best_ambush
    if best is not None:
        told = _("Most influence in a game: {influence} (game {game}).")
        sentences.append(told.format(**best._asdict()))
    if bank is not None:
        told = _("The longest bank: {influence} from {card} (game {game}, round {round}).")
        sentences.append(told.format(**bank._asdict() | {"card": card_name(bank.card)}))
    if spring is not None:
        sentences.append(
            counted(
                "The best Ambush: {gained}, sprung by {card}, with {n} influence on it for a bait"
                " (game {game}, round {round}).",
                spring.bait,
                gained=f"+{spring.influence}",
                card=card_name(spring.attacker),
                game=spring.game,
                round=spring.round,
            )
        )
    return [row for sentence in sentences for row in _in_rows(sentence, width, "plain")]


def _evenings(evenings: Sequence[PastEvening], width: int, glyphs: Glyphs) -> list[StatisticsRow]:
    rows: list[StatisticsRow] = []
    for each in evenings:
        count = ngettext("{n} game", "{n} games", each.evening.games)
        head = f"{moment_words(each.ended, glyphs)}  {count}  "
        rows.append((Span(head, "mute"), Span(format_words(each), "bold")))
        told = "; ".join(
            _(
                "{name} {wins} won, {influence} influence",
                name=steady(one.name),
                wins=one.wins,
                influence=one.influence,
            )
            for one in each.evening.standings
        )
        rows += [(Span(f"  {line}"),) for line in wrapped(told, width - 2, width - 2)]
    return rows


def _ratings(
    ratings: Sequence[Rating[tuple[str, bool]]], width: int, glyphs: Glyphs
) -> list[StatisticsRow]:
    sign = glyphs.plain("±")
    columns = [
        ("", [_player_words(*each.player) for each in ratings]),
        (pgettext("column", "games"), [str(each.games) for each in ratings]),
        (pgettext("column", "rating"), [decimal(each.mu, glyphs) for each in ratings]),
        (
            pgettext("column", "uncertainty"),
            [f"{sign} {decimal(1.96 * each.sigma, glyphs)}" for each in ratings],
        ),
    ]
    _room, rows = _table(columns, width)
    return rows + _in_rows(_rating_note(), width)


def _rating_note() -> str:
    return _(
        "Everybody begins with 25. The true strength is within the uncertainty 19 times in 20."
    )


def _player_words(name: str, is_bot: bool) -> str:
    return _("{level} (bot)", level=short_bot_name(name)) if is_bot else steady(name)


def league_name(row: LeagueRow) -> str:
    """Return what somebody in a league is called."""
    return _player_words(row.name, row.place is None)


def league_note() -> str:
    """Return what the columns of a league mean."""
    points = _("One point for each player you finished ahead of, if at least two people played.")
    return f"{points} {_rating_note()}"


def duels_words(league: League, row: LeagueRow) -> str:
    """Return how often somebody came in before each other, and after them."""
    met = [
        f"{league_name(league.rows[other])} {ahead}:{behind}"
        for one, two, before, after in league.duels
        for first, other, ahead, behind in ((one, two, before, after), (two, one, after, before))
        if league.rows[first] is row
    ]
    return _(
        "{name}, times ahead of and behind others: {others}",
        name=league_name(row),
        others=", ".join(met),
    )


def _table(
    columns: Sequence[tuple[str, Sequence[str]]], width: int
) -> tuple[int, list[StatisticsRow]]:
    """Return the room that a table leaves for a bar, and its rows, headings first.

    The first column is bold, and stands left if it has no heading; the others are numbers.
    """
    widths = [max(map(cell_len, (heading, *cells))) for heading, cells in columns]
    total = sum(widths)
    gap = COLUMN_GAP if total + COLUMN_GAP * (len(widths) - 1) <= width else 1
    room = width - total - gap * (len(widths) - 1) - COLUMN_GAP
    rows: list[StatisticsRow] = []
    lines = zip(*((heading, *cells) for heading, cells in columns), strict=True)
    for number, line in enumerate(lines):
        row = []
        for column, text in enumerate(line):
            blank = " " * (widths[column] - cell_len(text))
            padded = text + blank if column == 0 and not columns[0][0] else blank + text
            role: Role = "mute" if number == 0 else "bold" if column == 0 else "plain"
            row.append(Span(padded if column == 0 else " " * gap + padded, role))
        rows.append(tuple(row))
    return room, rows
