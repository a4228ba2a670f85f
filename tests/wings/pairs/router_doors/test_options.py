"""Tests the options of the router for the ports of doors."""

import pytest

from tests.driflamme_tui.cli.test_commands import driflamme, refused


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("host", "--outside-ssh"), "Use --outside-ssh only with --ssh"),
        (("host", "--outside-web"), "Use --outside-ssh only with --ssh"),
        (
            ("host", "--outside-web", "--web", "--web-proxy", "https://a.example"),
            "Use --outside-ssh only with --ssh",
        ),
    ],
)
def test_a_router_opens_only_doors_that_are_there(
    arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused(driflamme(*arguments))
