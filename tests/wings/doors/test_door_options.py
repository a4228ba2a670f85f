from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from driflamme_tui.cli.opening_options import Opening
from driflamme_tui.hosting.hosted_table import OpenServer
from driflamme_tui.wings.doors.checks import WEB_PORT
from driflamme_tui.wings.doors.open_doors import (
    DoorError,
    Doors,
    DoorsAnswer,
    DoorsOfHost,
    parse_doors,
)
from driflamme_tui.wings.doors.options import DoorOptions
from tests.driflamme_tui.cli.test_commands import driflamme, refused
from tests.support.programs import HERE
from tests.wings.doors.test_open_doors import BOTH, INVITATION, ONLY_SSH, RecordedDoors


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("host", *HERE, "--headless", "--insecure", "--ssh"), "Doors need a code"),
        (("host", "--headless", "--ssh", "65536"), "65536"),
        (
            ("host", "--web-proxy", "table.example"),
            "Type the address of a page, such as https://table.example, not 'table.example'",
        ),
        *(
            (("host", "--web-proxy", f"https://{where}"), "Type the address of a page")
            for where in ("a:0", "a:99999", "a..b")
        ),
    ],
)
def test_doors_that_cannot_be_are_refused(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(driflamme(*arguments))


@pytest.mark.parametrize(
    "record",
    [
        '{"ssh":99999}',
        '{"web":-1}',
        '{"web":0,"proxy":"table.example"}',
        '{"web":0,"proxy":"https://a\\u001b]0;b"}',
    ],
)
def test_a_stored_record_of_doors_is_checked_as_the_options_are(record: str) -> None:
    with pytest.raises(DoorError, match=r"The record of the doors is damaged:"):
        parse_doors(record)


PROXY = "https://table.example"


@pytest.mark.parametrize(
    ("options", "doors", "router_ports"),
    [
        ({}, None, set()),
        ({"ssh": 2222}, Doors(2222), {"ssh"}),
        ({"web": 8443}, Doors(None, 8443), {"web"}),
        ({"ssh": 0, "web": 0}, Doors(0, 0), {"ssh", "web"}),
        ({"web": 8443, "web_proxy": PROXY}, Doors(None, 8443, PROXY), set()),
        ({"ssh": 0, "web_proxy": PROXY}, Doors(0, WEB_PORT, PROXY), {"ssh"}),
    ],
)
def test_the_requested_doors_are_stored_and_run_programs_of_players_here(
    options: dict[str, object], doors: Doors | None, router_ports: set[str]
) -> None:
    opening = Opening(encrypted=True)
    DoorOptions(**{"ssh": None, "web": None, "web_proxy": None, **options}).add_to(opening)
    assert {each: parse_doors(record) for each, record in opening.parts.items()} == (
        {} if doors is None else {"doors": doors}
    )
    assert opening.runs_players is (doors is not None)
    assert {port for port, refusal in opening.ports.items() if not refusal} == router_ports


@pytest.mark.parametrize(
    ("doors", "in_terminal", "has_code"),
    [(BOTH, True, True), (BOTH, False, False), (ONLY_SSH, True, False)],
)
def test_a_terminal_shows_the_link_of_the_page_as_a_qr_code(
    doors: DoorsAnswer, in_terminal: bool, has_code: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = DoorsOfHost("{}")
    part.doors = RecordedDoors(doors)
    place = Mock(spec=OpenServer, parts={"doors": part}, invitations=(INVITATION,))
    monkeypatch.setattr("sys.stdout", SimpleNamespace(isatty=lambda: in_terminal))
    sentences = "\n".join(DoorOptions().sentences(place))
    assert part.doors.ssh.format(name="NAME") in sentences
    assert ("▀" in sentences) is has_code


def test_without_open_doors_nothing_is_told() -> None:
    for parts in ({}, {"doors": DoorsOfHost("{}")}):
        place = Mock(spec=OpenServer, parts=parts, invitations=(INVITATION,))
        assert [*DoorOptions().sentences(place)] == []
