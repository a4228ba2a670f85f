import pytest

from tests.driflamme_tui.cli.test_commands import driflamme, refused


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("host", "--sealed", "--headless", "--bots", "2"), "Take a seat first: at a sealed table"),
        (("host", "--sealed", "--seed", "7"), "Nobody can know the deal"),
    ],
)
def test_what_a_sealed_table_cannot_have_is_refused(
    arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused(driflamme(*arguments))
