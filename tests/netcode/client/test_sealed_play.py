"""A client's own program at a sealed table: what it signs, and what its session is shown."""

from pathlib import Path

from tests.netcode.client.sealed_company import Company


def test_a_game_is_played_to_its_end(tmp_path: Path) -> None:
    company = Company(tmp_path, watchers=1)
    company.seal()
    assert len({one.news.phrase for one in company.people}) == 1
    company.play()
    for one in company.people:
        assert one.news.stage == "over"
        assert one.news.verdicts == ("proven",) * 3
        assert one.codes == []
