import pytest

from tests.driflamme_tui.cli.test_commands import driflamme, refused
from tests.driflamme_tui.cli.test_continued_service import IGNORED, continued_with


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


def test_a_service_that_continues_an_unsealed_table_says_that_it_is_not_sealed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = continued_with(monkeypatch, "--sealed")
    assert any(line.endswith(f"{IGNORED}Sealed.") for line in lines)
