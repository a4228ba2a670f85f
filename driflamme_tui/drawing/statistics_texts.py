"""Formats statistics as texts, tables and small charts, for the command line and the screen.

The results are Rich's renderables, which fit the given width. This module imports neither Textual
nor the history.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import zip_longest
from typing import Final, NamedTuple, Self

from msgspec import Struct
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from driflamme_tui.text.cell_widths import bar, steady
from driflamme_tui.text.i18n import _, counted, ngettext, pgettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.choices.answer_words import percent
from driflamme_tui.wording.game.names import card_name, card_name_for
from driflamme_tui.wording.program.history_words import (
    decimal,
    format_words,
    moment_words,
    rated_name,
    rating_note,
)
from engine.arena.rating import Rating
from engine.statistics import CardFigures, Result, Statistics, Tally
from netcode.storage.past_evenings import PastEvening


class Section(NamedTuple):
    """One part of the statistics, under a title."""

    title: str
    least: int
    """Minimum columns of the section if it stands beside another section."""
    body: RenderableType


GAP: Final = 3
"""Columns between two sections that stand side by side."""

LEAST_BAR: Final = 8
"""Minimum columns of a bar beside a table."""
WIDEST_BAR: Final = 40
"""Maximum columns of a bar."""

NAME_COLUMNS: Final = (20, 7, 4)
"""Columns of a card's name, the preferred number first."""

FEW_GAMES: Final = 5
"""Number of finished games below which figures are mostly due to luck."""

CHART_ROWS: Final = 4
"""Rows of the chart about the last games."""

UNBOUNDED_COLUMNS: Final = 1000
"""A number of columns that no screen has."""

AXIS: Final = 3
"""Columns before the chart about the last games, for its highest and lowest value."""


class DrawnLines(Struct, frozen=True):
    """Lines that are drawn again for each width."""

    draw: Callable[[int], RenderableType]
    widest: int
    """Maximum columns of the lines."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines, drawn for the width of the options but not wider than `widest`."""
        yield self.draw(min(self.widest, options.max_width))


def length_bar(
    text: Callable[..., Text],
    value: float,
    most: float,
    glyphs: Glyphs,
    role: str,
    widest: int = UNBOUNDED_COLUMNS,
) -> DrawnLines:
    """Return a bar whose length is a value in relation to `most`, in the colour of a role.

    The bar has at most `widest` columns.
    """
    return DrawnLines(lambda space: text((bar(value, most, space, glyphs), role)), widest)


class FirstFitting(Struct, frozen=True):
    """Several renderables. The first that fits is drawn, or else the last."""

    ways: Sequence[RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the first renderable that fits, or else the last one."""
        space = options.max_width
        fits = (
            each
            for each in self.ways
            if Measurement.get(console, WIDE_OPTIONS, each).minimum <= space
        )
        yield next(fits, self.ways[-1])


WIDE_OPTIONS: Final = Console(width=UNBOUNDED_COLUMNS, file=StringIO()).options
"""Console options of unlimited width, for measuring."""


def in_columns(sections: Sequence[Section], width: int, title: Callable[[str], Text]) -> Group:
    """Arrange sections in rows.

    A section begins a new row if its minimum columns do not fit in the present row. The sections of
    a row share its remaining columns. `title` makes the text of a section's title.
    """
    lines: list[list[Section]] = []
    for section in sections:
        line = lines[-1] if lines else []
        if not line or sum(each.least + GAP for each in line) + section.least > width:
            lines.append([])
        lines[-1].append(section)
    tables: list[RenderableType] = []
    for line in lines:
        table = Table.grid(padding=(0, GAP, 0, 0))
        spare = max(0, width - sum(each.least + GAP for each in line) + GAP)
        for each in line:
            table.add_column(width=min(width, each.least + spare // len(line)))
        table.add_row(*(Group(title(each.title), each.body) for each in line))
        tables += [table, Text()]
    return Group(*tables[:-1])


def plainly(sections: Sequence[Section], width: int) -> list[str]:
    """Return sections as rows of at most `width` columns, without styles."""
    console = Console(width=width, color_system=None, legacy_windows=False)
    rows = console.render_lines(in_columns(sections, width, Text), console.options)
    return ["".join(segment.text for segment in row).rstrip() for row in rows]


class StatisticsTexts(Struct, frozen=True):
    """Builds the texts of statistics with given glyphs, for a screen or the command line."""

    glyphs: Glyphs
    text: Callable[..., Text]
    """Joins pieces into a text. A piece is a string, or a pair of a string and a role."""

    @classmethod
    def plain(cls, glyphs: Glyphs) -> Self:
        """Return a builder of texts without roles."""

        def text(*pieces: str | tuple[str, str]) -> Text:
            words = (piece if isinstance(piece, str) else piece[0] for piece in pieces)
            return Text(glyphs.plain("".join(words)))

        return cls(glyphs, text)

    def sections(self, statistics: Statistics) -> list[Section]:
        """Return all sections, most important first; [] without a game."""
        if not statistics.total.games:
            return []
        return [
            Section(_("YOUR GAMES"), 34, self._overview(statistics)),
            Section(_("PLACES"), 30, self._places(statistics)),
            Section(_("LAST GAMES"), 40, self._course(statistics.results)),
            Section(_("BY TABLE"), 66, self._tables(statistics)),
            Section(_("RECORDS"), 46, Group(*map(self.text, self._records(statistics)))),
            Section(_("BY CARD"), 72, self._cards(statistics)),
        ]

    def evenings(self, evenings: Sequence[PastEvening]) -> Section:
        """Return the evenings, each with its time, its number of games, and its standings."""
        return Section(_("EVENINGS"), 60, Group(*map(self._evening, evenings)))

    def ratings(self, ratings: Sequence[Rating[tuple[str, bool]]]) -> Section:
        """Return the estimated strengths of people and bots, each with its margin of error."""
        sign = self.glyphs.plain("±")
        columns = {
            "": [rated_name(*each.player) for each in ratings],
            pgettext("column", "games"): [str(each.games) for each in ratings],
            pgettext("column", "rating"): [decimal(each.mu, self.glyphs) for each in ratings],
            pgettext("column", "margin"): [
                f"{sign} {decimal(1.96 * each.sigma, self.glyphs)}" for each in ratings
            ],
        }
        table = self._figures(columns)
        return Section(_("RATINGS"), 46, Group(table, self.text((rating_note(), "mute"))))

    def _figures(
        self,
        columns: Mapping[str, Sequence[str]],
        bars: Sequence[RenderableType] = (),
        gap: int = 2,
    ) -> Table:
        """Return a table of figures by their headings, with a bar for each row if bars are given.

        The first column is bold, and aligned left if it has no heading. The other columns are
        numbers.
        """
        table = Table.grid(padding=(0, gap, 0, 0), expand=bool(bars))
        for heading, cells in columns.items():
            widest = max(map(cell_len, (heading, *cells)))
            table.add_column(justify="right" if heading else "left", min_width=widest)
        if bars:
            table.add_column(ratio=1, min_width=LEAST_BAR)
        table.add_row(*(self.text((heading, "mute")) for heading in columns))
        for (first, *others), *drawn in zip_longest(zip(*columns.values(), strict=True), bars):
            table.add_row(self.text((first, "bold")), *map(self.text, others), *filter(None, drawn))
        return table

    def _overview(self, statistics: Statistics) -> Table:
        total, streak = statistics.total, statistics.streaks[-1]
        lacking, unread = FEW_GAMES - total.games, statistics.unreadable
        pairs = (
            (_("finished games"), total.games, "bold"),
            (_("won"), total.wins, "bold"),
            (_("of these, shared"), total.shared or "", "plain"),
            (_("victories, shared in fractions"), percent(total.share / total.games), "bold"),
            (_("if all were equally good"), percent(total.expected / total.games), "plain"),
            (_("influence on average"), decimal(total.average_influence, self.glyphs), "bold"),
            (_("place on average"), decimal(total.average_place, self.glyphs), "plain"),
            (_("most victories in a row"), max(statistics.streaks), "plain"),
            (_("games until this is meaningful"), lacking if lacking > 0 else "", "plain"),
            (_("victories in a row now"), streak if streak > 1 else "", "plain"),
            (_("unfinished, not counted"), statistics.unfinished or "", "plain"),
            (_("damaged, not counted"), unread or "", "plain"),
        )
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column()
        table.add_column(justify="right", min_width=5)
        for label, value, role in pairs:
            if value != "":
                table.add_row(self.text((label, "mute")), self.text((str(value), role)))
        return table

    def _places(self, statistics: Statistics) -> Table:
        most = max(kind.players for kind in statistics.kinds)
        placed = [result.place for result in statistics.results]
        counts = [placed.count(place) for place in range(1, most + 1)]
        table = Table.grid(padding=(0, 1, 0, 0), expand=True)
        table.add_column()
        table.add_column(justify="right")
        table.add_column(ratio=1)
        for place, count in enumerate(counts, 1):
            role = "bold" if place == 1 else "mute"
            shown = "plain" if place == 1 else "mute"
            drawn = length_bar(self.text, count, max(counts), self.glyphs, shown, WIDEST_BAR)
            table.add_row(self.text((f"{place}.", role)), self.text(str(count)), drawn)
        return table

    def _course(self, results: Sequence[Result]) -> DrawnLines:
        """Return the influence of the last games as columns, and below it the victories."""
        return DrawnLines(
            lambda width: Text("\n").join(self._chart(results, width)), UNBOUNDED_COLUMNS
        )

    def _chart(self, results: Sequence[Result], width: int) -> Iterator[Text]:
        glyphs, step = self.glyphs, 2 if 2 * len(results) <= width - AXIS else 1
        last = results[-((width - AXIS) // step) :]
        top = max(1, *(result.influence for result in last), 1)
        parts = len(glyphs.upwards) - 1
        heights = [round(each.influence / top * CHART_ROWS * parts) for each in last]
        for row in range(CHART_ROWS):
            below = (CHART_ROWS - 1 - row) * parts
            signs = (
                glyphs.upwards[max(0, min(parts, max(height, bool(each.influence)) - below))]
                for height, each in zip(heights, last, strict=True)
            )
            columns = (
                (sign.ljust(step), "plain" if each.won else "mute")
                for sign, each in zip(signs, last, strict=True)
            )
            axis = f"{top:>{AXIS - 1}} " if row == 0 else " " * AXIS
            yield self.text((axis, "mute"), *columns)
        marks = "".join((glyphs.won if each.won else " ").ljust(step) for each in last)
        yield self.text((f"{0:>{AXIS - 1}} ", "mute"), (marks.rstrip(), "bold"))
        note = _("influence, the latest on the right; {won} won", won=glyphs.won)
        yield self.text((note, "mute"))

    def _tables(self, statistics: Statistics) -> RenderableType:
        kinds, tallies = list(statistics.kinds), list(statistics.kinds.values())
        influence = [decimal(each.average_influence, self.glyphs) for each in tallies]
        columns = {
            pgettext("column", "players"): [str(kind.players) for kind in kinds],
            pgettext("column", "edition"): [str(kind.edition) for kind in kinds],
            pgettext("column", "games"): [str(each.games) for each in tallies],
            pgettext("column", "won"): [str(each.wins) for each in tallies],
            pgettext("column", "influence"): influence,
            pgettext("column", "place"): [
                decimal(each.average_place, self.glyphs) for each in tallies
            ],
            pgettext("column", "share"): [percent(each.share / each.games) for each in tallies],
        }
        legend = _(
            "{mark} in a bar: as many as if all players were equally good",
            mark=self.glyphs.divider,
        )
        drawn = self._figures(columns, list(map(self._share_bar, tallies)))
        with_bars = Group(drawn, self.text((legend, "mute")))
        return FirstFitting([with_bars, self._figures(columns), self._figures(columns, gap=1)])

    def _share_bar(self, tally: Tally) -> DrawnLines:
        """Return a bar of the share of victories, with a mark at the share of an average player."""

        def draw(space: int) -> Text:
            drawn = bar(tally.share / tally.games, 1, space, self.glyphs).ljust(space)
            mark = min(space - 1, round(tally.expected / tally.games * space))
            return self.text(
                drawn[:mark], (self.glyphs.divider, "mute"), drawn[mark + 1 :].rstrip()
            )

        return DrawnLines(draw, WIDEST_BAR)

    def _cards(self, statistics: Statistics) -> FirstFitting:
        cards, figures = list(statistics.cards), list(statistics.cards.values())
        top = max((each.each or 0 for each in figures), default=0)
        bars = [self._card_bar(each, top) for each in figures]
        meant = _(
            "Average each time it was placed: {gained} from abilities, {banked} that lay on it.",
            gained=self.glyphs.across[-1],
            banked=self.glyphs.shade,
        )
        each_time = _("Average each time it was placed.")

        def way(longest: int, gap: int, *, with_bars: bool) -> Group:
            columns = {
                "": [card_name_for(card, longest) for card in cards],
                pgettext("column", "placed"): [str(each.placed) for each in figures],
                pgettext("column", "revealed"): [str(each.revealed) for each in figures],
                pgettext("column", "lost"): [str(each.eliminated) for each in figures],
                pgettext("column", "influence"): [str(each.influence) for each in figures],
                pgettext("column", "each"): [decimal(each.each, self.glyphs) for each in figures],
            }
            legend = f"{meant if with_bars else each_time} {_('Lost: eliminated by others.')}"
            table = self._figures(columns, bars if with_bars else (), gap)
            return Group(table, self.text((legend, "mute")))

        # A bar is worth more than a whole name, but less than half a name.
        ways = [way(longest, 2, with_bars=True) for longest in NAME_COLUMNS[:-1]]
        ways += [way(each, gap, with_bars=False) for each in NAME_COLUMNS for gap in (2, 1)]
        return FirstFitting(ways)

    def _card_bar(self, figures: CardFigures, top: float) -> DrawnLines:
        """Return a bar of a card's average gain: by its ability, then by the influence on it."""

        def draw(space: int) -> Text:
            if not figures.influence or not figures.placed:
                return Text()
            gained = round(figures.gained / figures.placed / top * space)
            whole = max(1, round(figures.influence / figures.placed / top * space))
            signs = self.glyphs.across[-1] * gained, (self.glyphs.shade * (whole - gained), "mute")
            return self.text(*signs)

        return DrawnLines(draw, WIDEST_BAR)

    def _records(self, statistics: Statistics) -> Iterator[str]:
        best, bank, spring = statistics.best, statistics.longest_bank, statistics.best_ambush
        if best is not None:
            yield _("Most influence in a game: {influence} (game {game}).", **best._asdict())
        if bank is not None:
            values = bank._asdict() | {"card": card_name(bank.card)}
            yield _(
                "The richest bank: {influence} from {card} (game {game}, round {round}).", **values
            )
        if spring is not None:
            yield counted(
                "The best Ambush: {gained}, sprung by {card}, with {n} influence on it as bait "
                "(game {game}, round {round}).",
                spring.bait,
                gained=f"+{spring.influence}",
                card=card_name(spring.attacker),
                game=spring.game,
                round=spring.round,
            )

    def _evening(self, past: PastEvening) -> Group:
        count = ngettext("{n} game", "{n} games", past.evening.games)
        head = f"{moment_words(past.ended, self.glyphs)}  {count}  "
        sentence = _("; ").join(
            _(
                "{name}: {wins} won, {influence} influence",
                name=steady(one.name),
                wins=one.wins,
                influence=one.influence,
            )
            for one in past.evening.standings
        )
        title = self.text((head, "mute"), (format_words(past), "bold"))
        return Group(title, Padding(self.text(sentence), (0, 0, 0, 2)))
