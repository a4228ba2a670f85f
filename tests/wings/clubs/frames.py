"""Messages of clubs for attacks on a host."""

from netcode.protocol.table_settings import TableSettings
from netcode.wings.clubs.messages import AskLeague, OpenTable

FROM_CLIENT = [OpenTable(settings=TableSettings()), AskLeague(season=8107)]
