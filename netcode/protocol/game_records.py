"""A finished game as a message to those who played or watched it, and back.

What a client is sent is checked as strictly as a file, and compared with what it has seen.
"""

from engine.edition import EDITIONS
from engine.events import Event, RoundBegan
from engine.game import Deal, Game
from engine.notation import format_position
from engine.record import Record, RecordedPlayer, RecordError, replay
from engine.view import View, project, view
from netcode.protocol.messages import GameRecord
from netcode.protocol.table_settings import TableSettings


def write_record(record: Record, settings: TableSettings, revision: int) -> GameRecord:
    """Return the message about a finished game; the revision is of the State that ended it."""
    return GameRecord(
        revision=revision,
        settings=settings,
        families=record.deal.families,
        first=record.deal.first,
        hands=record.deal.hands,
        aside=record.deal.aside,
        names=tuple(player.name for player in record.players),
        bots=tuple(player.bot for player in record.players),
        actions=record.actions,
    )


def record_of_message(message: GameRecord, seen: View, events: list[Event]) -> Record:
    """Return the record of a message; raises RecordError if it does not fit what was seen."""
    record = _record_of(message)
    game, happened = Game.start(record.deal), list[Event]([RoundBegan(1, record.deal.first)])
    for step in replay(record):
        game = step.after
        happened += step.events
    if not game.over:
        raise RecordError("The record ends before its game does.")
    if format_position(view(game, seen.viewers)) != format_position(seen) or events != [
        project(event, seen.viewers) for event in happened
    ]:
        raise RecordError("The record is of another game.")
    return record


def _record_of(message: GameRecord) -> Record:
    """Return what a message says, checked as what a file says would be; raises RecordError."""
    families, names, bots = message.families, message.names, message.bots
    if (
        not len(families) == len(message.hands) == len(message.aside)
        or not message.first < len(families)
        or len(names) != len(bots)
    ):
        raise RecordError("The deal of the record is not valid.")
    edition = EDITIONS[message.settings.edition]
    deal = Deal(edition, families, message.first, message.hands, message.aside)
    # Of a game from before records had players nobody may know who they were.
    players = tuple(map(RecordedPlayer, families, names, bots))
    record = Record(deal, message.actions, message.settings.beside_edition(), players)
    return Record.from_json(record.to_json())
