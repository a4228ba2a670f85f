from driflamme_tui.wings.sealed.sealed_screen import SealedScreen
from netcode.wings.sealed.messages import HandOver
from netcode.wings.sealed.news import Notice
from tests.support.scenes import AWAY, Scenes, lobby_of_host, result, table
from tests.support.tables import seats
from tests.wings.sealed.news import SEALED, sealed_news

VOTED = Notice(code="voted_default", name="Gaspard", values={"names": ("Rosalind", "Vasco")})
FORKED = Notice(code="two_contents", name="Gaspard")
VERDICTS = ("proven", "unproven", "proven", "cheated", "proven")

SCENES = Scenes(
    at_a_table={
        "sealed, first card": table("", sealed_news(), step=0, settings=SEALED),
        "sealed, vote": table(
            "", sealed_news(vote_about="Rosalind", is_vote_wanted=True), step=44, settings=SEALED
        ),
        "sealed, away": table("", sealed_news(away=("Rosalind",)), step=44, settings=SEALED),
        "sealed, frozen": table(
            "", sealed_news(stage="frozen", notices=(FORKED,)), settings=SEALED
        ),
        "sealed, people": table("w", sealed_news(notices=(VOTED,)), settings=SEALED, seats=AWAY),
        "sealed, lobby": lobby_of_host(
            "", settings=SEALED, seats=seats("rbgy", bots="g", host="b")
        ),
        "sealed, lobby with bots": lobby_of_host("", settings=SEALED, seats=AWAY),
        "sealed, deal": lobby_of_host(
            "",
            sealed_news(stage="dealing", digits=None, waiting_for=("Rosalind",)),
            settings=SEALED,
            phase="playing",
            dealing=("Rosalind", "Gaspard"),
        ),
        "sealed, result": result(sealed_news(stage="over", verdicts=VERDICTS)),
        "sealed, broken": result(sealed_news(verdicts=VERDICTS, broken=2)),
    },
    lobbies=("sealed, lobby",),
    taking=(HandOver,),
    screens=(SealedScreen,),
)
