"""Describes tables that were found on the network, for their rows and descriptions."""

from rich.cells import cell_len

from driflamme_tui.text.cell_widths import shorten_text, steady
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from engine.texts import Text
from netcode.joining.discovery import FoundTable


def seats_of(table: FoundTable) -> str:
    """Return the number of taken seats and the state of the table; "" if they are unknown."""
    words: Text = "{taken} of {places}, waiting"
    if table.playing:
        words = "{taken} of {places}, playing"
    elif not table.is_free:
        words = "{taken} of {places}, full"
    return _(words, taken=table.taken, places=table.places) if table.places else ""


def found_row(table: FoundTable, space: int, glyphs: Glyphs) -> tuple[str, str]:
    """Return both texts of a row of `space` cells.

    The first text has the prefix of the code, or else the address, and the host's name. The second
    text has the seats with the effect of a click. If both do not fit, it has only the seats.
    """
    begin = " " + " ".join(filter(None, (table.prefix or str(table.address), steady(table.name))))
    seats, action = seats_of(table), way_in(table)
    end = f"{seats}  {action}" if seats else action
    if cell_len(begin) + cell_len(end) + 2 > space:
        end = seats or action
    return shorten_text(begin, space - cell_len(end) - 2, glyphs), end


def way_in(table: FoundTable) -> str:
    """Return the effect of a click on a table: "join", or without a free seat "watch"."""
    return _("join") if table.is_free else _("watch")


def found_title(table: FoundTable) -> str:
    """Return the table's title with the name of its host, if the name is known."""
    if not table.name:
        return _("The table at {address}", address=steady(str(table.address)))
    return _("{host}'s table", host=steady(table.name))


def found_about(table: FoundTable, back: str | None = None) -> str:
    """Return the address and the seats of a table, and the way to join it.

    Args:
        table: The table.
        back: The name of the host who keeps a seat for the reader; None if nobody does.
    """
    where = f"{steady(str(table.address))}, {seats_of(table)}".rstrip(", ")
    ask = _("Enter asks for the code that its host can read out.")
    if not table.is_free:
        ask = _("No seat is free now. Enter asks for the code, and you watch.")
        if table.playing:
            ask = _("Enter asks for the code: you watch, and can ask the host for a bot's seat.")
        if back and back == table.name:
            ask = _("No other seat is free. The first row leads back to your own seat.")
    return f"{where}. {ask}"
