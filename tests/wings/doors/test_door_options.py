"""The options of doors."""

import pytest

from tests.driflamme_tui.cli.test_commands import driflamme, refused
from tests.support.programs import HERE


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("host", *HERE, "--headless", "--insecure", "--ssh"), "A door needs a code"),
        (("host", "--headless", "--ssh", "65536"), "65536"),
        (("host", "--web-proxy", "table.example"), "'table.example' is not the address of a page"),
        *(
            (("host", "--web-proxy", f"https://{where}"), "is not the address of a page")
            for where in ("a:0", "a:99999", "a..b")
        ),
    ],
)
def test_doors_that_cannot_be_are_refused(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(driflamme(*arguments))
