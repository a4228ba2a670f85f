from driflamme_tui.wings.clubs.club_screen import ClubScreen
from driflamme_tui.wings.clubs.league_screen import LeagueScreen
from netcode.wings.clubs.messages import Club
from tests.support.scenes import Elsewhere, Scenes
from tests.wings.clubs.face.test_club_screen import TABLES, ClubApp, a_table
from tests.wings.clubs.face.test_league_screen import LEAGUE, LeagueApp

CROWD = tuple(a_table(f"{n:02}X", ("Ada", "Bo"), phase="playing") for n in range(99))

SCENES = Scenes(
    elsewhere={
        "club": Elsewhere(ClubApp, "down"),
        "club without tables": Elsewhere(lambda: ClubApp(())),
        "club with many tables": Elsewhere(lambda: ClubApp(CROWD), "down pagedown"),
        "league": Elsewhere(LeagueApp, "l down"),
    },
    lists=("club", "club with many tables", "league"),
    screens=(lambda: ClubScreen(Club(tables=TABLES)), lambda: LeagueScreen(LEAGUE, "Blaise")),
    apps={"club": ClubApp},
)
