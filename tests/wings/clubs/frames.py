"""Messages of clubs to attack a host with."""

from netcode.protocol.table_settings import TableSettings
from netcode.wings.clubs.messages import AskLeague, OpenTable

FROM_CLIENT = [OpenTable(settings=TableSettings()), AskLeague(season=8107)]
