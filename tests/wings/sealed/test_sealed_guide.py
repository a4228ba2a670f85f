from typer.testing import CliRunner

from driflamme_tui.cli.program import app


def test_the_page_of_a_wing_is_printed_whole() -> None:
    text = CliRunner().invoke(app, ["help", "Sealed"], env={"LANGUAGE": "en"}).stdout
    assert text.startswith("SEALED PLAY\n\n  Play without having to trust the host.")
    assert "\n\n      driflamme host --sealed\n      driflamme verify 12\n\n" in text
    assert "\n\nWHAT CAN GO WRONG\n\n" in text
