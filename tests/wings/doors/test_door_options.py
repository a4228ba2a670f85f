import pytest

from driflamme_tui.wings.doors.open_doors import DoorError, parse_doors
from tests.driflamme_tui.cli.test_commands import driflamme, refused
from tests.support.programs import HERE


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
