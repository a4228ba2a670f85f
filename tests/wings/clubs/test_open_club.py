import pytest
from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import OpenPlan
from driflamme_tui.hosting.parts import HostParts, Part, PartKind
from driflamme_tui.wings.clubs.open_club import open_club
from engine.texts import ExplainedError
from netcode.server.status import ask_status
from netcode.table.snapshot import Location
from tests.driflamme_tui.hosting.pretended import pretend
from tests.support.clumsy import NAME, clumsy, installed
from tests.support.servers import closed_sockets

HERE = Location("127.0.0.1", 0, plain=True)


@pytest.mark.parametrize("method", ["start", "open"])
async def test_a_club_without_a_wanted_part_closes_its_sockets(method: str) -> None:
    kind = PartKind(NAME, lambda record: clumsy(Part, method)())
    with (
        closed_sockets(),
        installed("driflamme_tui", parts=HostParts((kind,))),
        pytest.raises(ExplainedError, match="The optional part clumsy has failed"),
    ):
        await open_club(OpenPlan(HERE, {NAME: ""}), lambda _sentence: None)


async def test_a_club_that_cannot_be_opened_leaves_nothing_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    with monkeypatch.context() as patch:
        pretend(patch, stuck={"laughs"})
        plan = OpenPlan(replace(HERE, plain=False), {"laughs": "loud"})
        with pytest.raises(ExplainedError, match="laughs are stuck"):
            await open_club(plan, said.append)
    # Only one program at a time has the tables of a club.
    club = await open_club(OpenPlan(HERE), said.append)
    assert (club.kept, said) == (0, [])
    assert club.invitations[0].endswith(f"driflamme join --insecure 127.0.0.1:{club.server.port}")
    answer = await ask_status(club.port, "driflamme serve")
    assert answer["tables"] == {"awake": 0, "asleep": 0}
    assert answer["wrong_codes"] == 0
    assert 0 <= answer["up_s"] < 3600
    await club.close()
